// Gives up a former domain of the server, which somebody else may then have.

import { COMMAND_LINE, ConfigError, audit, formerNamesOf } from "./uses.ts";
import type { App } from "./uses.ts";
import { deleteFormerNames } from "./queries.ts";

/** Takes effect at the next start. Throws ConfigError for a domain that the server never had. */
export const forgetDomain = async (
  app: App,
  domain: string,
  { dryRun }: { dryRun: boolean },
): Promise<void> => {
  const names = formerNamesOf(app.config.site, domain.toLowerCase());
  if (!names) throw new ConfigError(`${domain} is no former domain of this server.`);
  if (dryRun) return;
  await app.sql.begin(async (tx) => {
    await deleteFormerNames(tx, names.webDomain);
    await audit(app, tx, COMMAND_LINE, {
      action: "server.forget_domain",
      target: { type: "domain", id: null, label: names.localDomain },
    });
  });
};

// Checks whether a move to another domain is possible, and says what it would do.

import { ConfigError, isDomainPublic, originWith } from "./uses.ts";
import type { App, SiteNames } from "./uses.ts";
import { COLUMNS } from "./columns.ts";
import { countAccountsOf, countRewritten, selectMove } from "./queries.ts";
import { countNotified } from "./queries-notify.ts";
import type { NotifiedCounts } from "./queries-notify.ts";

const faultOf = async (app: App, from: SiteNames): Promise<string | null> => {
  const { localDomain, webDomain, https } = app.config.site;
  const begun = await selectMove(app.sql);
  if (begun && (begun.localDomain !== localDomain || begun.webDomain !== webDomain))
    return `A move to ${begun.localDomain} was begun and is not finished: run it again with that name first.`;
  if (webDomain === from.webDomain)
    return `The addresses of this server are at ${webDomain} already: only a move to another WEB_DOMAIN can be told to other servers.`;
  if (isDomainPublic(from.webDomain) && !isDomainPublic(webDomain))
    return `Other servers cannot reach ${webDomain}, so nobody could follow people there.`;
  if (from.https && !https) return "The new addresses would have no https.";
  const strangers = await countAccountsOf(app.sql, [localDomain, webDomain]);
  return strangers === 0
    ? null
    : `Another server was at ${localDomain}, ${strangers} of whose accounts are known here: delete them first (rookery domains purge).`;
};

/** Throws ConfigError with the reason why the server cannot move from these names to those of `app`. */
export const checkNames = async (app: App, from: SiteNames): Promise<void> => {
  const fault = await faultOf(app, from);
  if (fault !== null) throw new ConfigError(fault);
};

export type Plan = { rewritten: Record<string, number>; told: NotifiedCounts };

/** Counts what would be rewritten, by table, and sent. Writes nothing. */
export const planMove = async (app: App, from: SiteNames): Promise<Plan> => {
  await checkNames(app, from);
  const change = { from: originWith(from), to: app.config.site.origin };
  const rewritten: Record<string, number> = {};
  for (const columns of COLUMNS) {
    rewritten[columns.table] = await countRewritten(app.sql, columns, change);
  }
  return { rewritten, told: await countNotified(app.sql) };
};

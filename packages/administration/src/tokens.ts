// The commands `rookery tokens …`.

import { ConfigError, findKnownId, findUser, issueToken, parseScopes, withApp } from "./uses.ts";
import { recordOnAccount } from "./recorded.ts";

/** Parses scopes; throws ConfigError for an unknown one. */
export const readScopes = (text: string): string[] => {
  const scopes = parseScopes(text);
  if (scopes) return scopes;
  throw new ConfigError(`"${text}" has an unknown scope; try "read write follow push".`);
};

/** Prints the token alone on the last line. */
export const createToken = (name: string, options: { scopes: string }): Promise<void> =>
  withApp(async (app) => {
    const scopes = readScopes(options.scopes);
    const accountId = await findKnownId(app, name);
    const user = accountId && (await findUser(app, accountId));
    if (!user) throw new ConfigError(`There is no account ${name} on this server.`);
    const issued = await app.sql.begin(async (tx) => {
      const target = { id: accountId, handle: name };
      await recordOnAccount(app, tx, "token.create", target, { scopes });
      return issueToken(tx, { app_id: null, user_id: user.id, scopes });
    });
    console.log(issued.token);
  });

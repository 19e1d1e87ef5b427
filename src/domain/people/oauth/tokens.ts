// Issues access tokens, and lists those of a person.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { insertToken, selectAuthorized, selectEndedTokens } from "./queries.ts";
import type { AuthorizedRow, NewToken } from "./queries.ts";
import { newSecret, tokenHash } from "./secret.ts";

export type { AuthorizedRow };

export type IssuedToken = { token: string; id: string; scopes: string[]; createdAt: Date };

/** Issues a token; the returned secret is stored nowhere as text. */
export const issueToken = async (
  db: Db,
  input: NewToken & { code_hash?: Buffer | null },
): Promise<IssuedToken> => {
  const token = newSecret();
  const row = await insertToken(db, { ...input, token_hash: tokenHash(token) });
  return { token, id: row.id, scopes: input.scopes, createdAt: row.created_at };
};

/** Returns what may act for a person: apps with valid tokens, and tokens that belong to no app; the newest first. */
export const listAuthorized = (app: App, userId: string): Promise<AuthorizedRow[]> =>
  selectAuthorized(app.sql, userId);

/** Returns those of the tokens that were revoked or have expired, according to the database. */
export const endedTokens = (app: App, ids: string[]): Promise<string[]> =>
  selectEndedTokens(app.sql, ids, app.clock.now());

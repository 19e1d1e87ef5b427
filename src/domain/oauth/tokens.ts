// Giving out access tokens.

import type { Db } from "../../platform/db/index.ts";
import { insertToken } from "./queries.ts";
import type { NewToken } from "./queries.ts";
import { newSecret, tokenHash } from "./secret.ts";

export type IssuedToken = { token: string; id: string; scopes: string[]; createdAt: Date };

/** Makes a token; the secret is in the answer and nowhere else. */
export const issueToken = async (
  db: Db,
  wanted: NewToken & { code_hash?: Buffer | null },
): Promise<IssuedToken> => {
  const token = newSecret();
  const row = await insertToken(db, { ...wanted, token_hash: tokenHash(token) });
  return { token, id: row.id, scopes: wanted.scopes, createdAt: row.created_at };
};

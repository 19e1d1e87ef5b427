// SQL of apps, codes and the end of tokens.

import type { Db, Fragment } from "../../platform/db/index.ts";
import { invalidate } from "../../platform/db/invalidate.ts";
import type { CodeRow, OAuthApp } from "./tables.ts";

type NewApp = Omit<OAuthApp, "id"> & { client_secret_hash: Buffer };

const appColumns = (db: Db) => db`id, name, website, redirect_uris, scopes, client_id`;

export const insertApp = async (db: Db, app: NewApp): Promise<OAuthApp> => {
  const [row] = await db<OAuthApp[]>`INSERT INTO oauth_apps ${db(app)} RETURNING ${appColumns(db)}`;
  return row!;
};

export const selectApp = async (db: Db, id: string) => {
  const [row] = await db<OAuthApp[]>`SELECT ${appColumns(db)} FROM oauth_apps WHERE id = ${id}`;
  return row ?? null;
};

export const selectAppByClientId = async (db: Db, clientId: string) => {
  const [row] = await db<(OAuthApp & { client_secret_hash: Buffer })[]>`
    SELECT ${appColumns(db)}, client_secret_hash FROM oauth_apps WHERE client_id = ${clientId}
  `;
  return row ?? null;
};

export const insertCode = (db: Db, code: Omit<CodeRow, "used_at"> & { code_hash: Buffer }) =>
  db`INSERT INTO oauth_codes ${db(code)}`;

/** Codes that nobody can use any more and whose second use need not be told. */
export const deleteOldCodes = (db: Db, userId: string, expiredBefore: Date) =>
  db`DELETE FROM oauth_codes WHERE user_id = ${userId} AND expires_at < ${expiredBefore}`;

/** The code, locked until the transaction ends. */
export const selectCodeLocked = async (db: Db, hash: Buffer) => {
  const [row] = await db<CodeRow[]>`
    SELECT app_id, user_id, redirect_uri, scopes, code_challenge, expires_at, used_at
    FROM oauth_codes WHERE code_hash = ${hash} FOR UPDATE
  `;
  return row ?? null;
};

export const updateCodeUsed = (db: Db, hash: Buffer, at: Date) =>
  db`UPDATE oauth_codes SET used_at = ${at} WHERE code_hash = ${hash}`;

export const selectCodeIsOf = async (db: Db, hash: Buffer, userId: string): Promise<boolean> => {
  const rows = await db`
    SELECT FROM oauth_codes WHERE code_hash = ${hash} AND user_id = ${userId}
  `;
  return rows.length > 0;
};

type Ended = { id: string };

/** Ends the tokens that are chosen, and gives those that had not ended before. */
const revokeTokens = async (db: Db, where: Fragment, at: Date): Promise<Ended[]> => {
  const rows = await db<Ended[]>`
    UPDATE oauth_tokens SET revoked_at = ${at} WHERE ${where} AND revoked_at IS NULL RETURNING id
  `;
  invalidate(db, ...rows.map(({ id }) => `token:${id}` as const));
  return [...rows];
};

export const revokeTokensOfCode = (db: Db, codeHash: Buffer, at: Date) =>
  revokeTokens(db, db`code_hash = ${codeHash}`, at);

export const revokeTokensOfUser = (db: Db, userId: string, at: Date) =>
  revokeTokens(db, db`user_id = ${userId}`, at);

export const revokeTokensOfApp = (db: Db, userId: string, appId: string, at: Date) =>
  revokeTokens(db, db`user_id = ${userId} AND app_id = ${appId}`, at);

/** One that belongs to no app. */
export const revokeTokenOf = (db: Db, userId: string, id: string, at: Date) =>
  revokeTokens(db, db`id = ${id} AND user_id = ${userId} AND app_id IS NULL`, at);

/** Codes that nobody has exchanged: of one app, or (null) of all. */
export const deleteUnusedCodes = (db: Db, userId: string, appId: string | null) => db`
  DELETE FROM oauth_codes
  WHERE user_id = ${userId} AND used_at IS NULL AND (${appId}::bigint IS NULL OR app_id = ${appId})
`;

export type AuthorizedRow = {
  /** Of the app; null: the command line's token `token_id`. */
  app_id: string | null;
  token_id: string;
  name: string | null;
  website: string | null;
  scopes: string[];
  created_at: Date;
};

/** What may act for a person: apps with what their tokens may together, and tokens without an app. */
export const selectAuthorized = (db: Db, userId: string) => db<AuthorizedRow[]>`
  SELECT t.app_id, max(t.id) AS token_id, o.name, o.website, min(t.created_at) AS created_at,
    array(
      SELECT DISTINCT scope FROM oauth_tokens s, unnest(s.scopes) AS scope
      WHERE s.id = ANY (array_agg(t.id)) ORDER BY scope
    ) AS scopes
  FROM oauth_tokens t LEFT JOIN oauth_apps o ON o.id = t.app_id
  WHERE t.user_id = ${userId} AND t.revoked_at IS NULL
  GROUP BY t.app_id, o.id, CASE WHEN t.app_id IS NULL THEN t.id END
  ORDER BY max(t.id) DESC LIMIT 200
`;

export const revokeToken = (db: Db, id: string, at: Date) => revokeTokens(db, db`id = ${id}`, at);

export const selectTokenOwner = async (db: Db, hash: Buffer) => {
  const [row] = await db<{ id: string; app_id: string | null }[]>`
    SELECT id, app_id FROM oauth_tokens WHERE token_hash = ${hash}
  `;
  return row ?? null;
};

export const selectTokenInfo = async (db: Db, id: string) => {
  const [row] = await db<
    { account_id: string | null; client_id: string | null; created_at: Date }[]
  >`
    SELECT u.account_id, o.client_id, t.created_at
    FROM oauth_tokens t
    LEFT JOIN users u ON u.id = t.user_id
    LEFT JOIN oauth_apps o ON o.id = t.app_id
    WHERE t.id = ${id}
  `;
  return row ?? null;
};

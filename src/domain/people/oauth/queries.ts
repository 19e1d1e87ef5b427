// SQL of tokens, apps, codes, and of when people were last active.

import { deleteSlice } from "../../../platform/db/delete-older.ts";
import type { Db, Fragment } from "../../../platform/db/index.ts";
import { firstRow, firstValue, hasRows, onlyRow, valuesOf } from "../../../platform/db/rows.ts";
import { invalidate } from "../../../platform/db/commits.ts";
import type { UserSettings } from "../accounts/tables.ts";
import type { CodeRow, OAuthApp } from "./tables.ts";

export type CredentialsRow = {
  /** Digest of the token, as base64. */
  key: string;
  token_id: string;
  session_id: string | null;
  app_id: string | null;
  scopes: string[];
  revoked: boolean;
  user_id: string | null;
  account_id: string | null;
  username: string | null;
  permissions: string | null;
  locale: string | null;
  settings: UserSettings | null;
  suspended: boolean;
  confirmed: boolean;
  approved: boolean;
  disabled: boolean;
  moved: boolean;
  by_user_id: string | null;
  by_account_id: string | null;
  by_kind: "identity" | "owner" | "author" | null;
  is_shared: boolean;
  expires_at: Date | null;
};

/** Selects from the joined tables u, a, r, and x, p and pa for somebody who uses the account in its person's place. */
const viewerColumns = (db: Db) => db`
  u.id AS user_id, u.account_id, a.username, r.permissions, u.locale,
  u.settings,
  a.suspended_at IS NOT NULL AS suspended,
  u.confirmed_at IS NOT NULL AS confirmed,
  coalesce(u.approved, false) AS approved,
  coalesce(u.disabled OR p.disabled OR pa.suspended_at IS NOT NULL, u.disabled, false) AS disabled,
  a.moved_to_account_id IS NOT NULL AS moved,
  p.id AS by_user_id, p.account_id AS by_account_id, x.kind AS by_kind,
  EXISTS (SELECT FROM account_access e WHERE e.user_id = u.id AND e.kind <> 'identity') AS is_shared
`;

const byWhom = (db: Db) => db`
  LEFT JOIN users p ON p.id = x.person_id
  LEFT JOIN accounts pa ON pa.id = p.account_id
`;

export type ViewerRow = Omit<
  CredentialsRow,
  "key" | "token_id" | "session_id" | "app_id" | "scopes" | "revoked" | "expires_at"
>;

/**
 * Selects what a token of this person would stand for, without one. `accessId` is the access by which somebody else
 * uses the account.
 */
export const selectViewer = (db: Db, userId: string, accessId: string | null) =>
  firstRow(db<ViewerRow[]>`
    SELECT ${viewerColumns(db)}
    FROM users u
    JOIN accounts a ON a.id = u.account_id
    LEFT JOIN roles r ON r.id = u.role_id
    LEFT JOIN account_access x ON x.id = ${accessId} AND x.user_id = u.id
    ${byWhom(db)}
    WHERE u.id = ${userId} AND (${accessId}::bigint IS NULL OR x.id IS NOT NULL)
  `);

/** Selects the credentials of tokens with these digests (base64). */
export const selectCredentials = (db: Db, keys: string[]) => db<CredentialsRow[]>`
  SELECT
    k.key, t.id AS token_id, t.session_id, t.app_id, t.scopes, t.revoked_at IS NOT NULL AS revoked, t.expires_at,
    ${viewerColumns(db)}
  FROM unnest(${keys}::text[]) AS k (key)
  JOIN oauth_tokens t ON t.token_hash = decode(k.key, 'base64')
  LEFT JOIN users u ON u.id = t.user_id
  LEFT JOIN accounts a ON a.id = u.account_id
  LEFT JOIN roles r ON r.id = u.role_id
  LEFT JOIN account_access x ON x.id = t.access_id
  ${byWhom(db)}
`;

/**
 * Records the moment and the week of these people. People who are active for the first time of a day are counted in the
 * figures of that day, in one statement, because its row would otherwise make each wait for the others.
 */
export const touchActive = (db: Db, userIds: string[], at: Date) => db`
  WITH before AS (
    SELECT id, last_active_at AS was FROM users WHERE id = ANY(${userIds}::bigint[])
    ORDER BY id FOR NO KEY UPDATE
  ), moment AS (
    UPDATE users u SET last_active_at = ${at} FROM before WHERE u.id = before.id
    RETURNING u.id, before.was
  ), counted AS (
    INSERT INTO daily_figures AS f (key, day, value)
    SELECT 'active_users', (${at}::timestamptz AT TIME ZONE 'UTC')::date, count(*) FROM moment
    WHERE was IS NULL OR (was AT TIME ZONE 'UTC')::date < (${at}::timestamptz AT TIME ZONE 'UTC')::date
    HAVING count(*) > 0
    ON CONFLICT (key, day) DO UPDATE SET value = f.value + excluded.value
  )
  INSERT INTO user_weeks (user_id, week)
  SELECT id, date_trunc('week', ${at}::timestamptz) FROM moment
  ON CONFLICT (user_id, week) DO NOTHING
`;

export type NewToken = {
  app_id: string | null;
  user_id: string | null;
  scopes: string[];
  /** Access by which somebody else uses the account (users/identities/); the token ends with it. */
  access_id?: string | null;
  /** Set for the web client: the token ends with the session, or at this time. */
  session_id?: string;
  expires_at?: Date;
};

export const insertToken = (
  db: Db,
  token: NewToken & { token_hash: Buffer; code_hash?: Buffer | null },
) =>
  onlyRow(db<{ id: string; created_at: Date }[]>`
    INSERT INTO oauth_tokens ${db(token)} RETURNING id, created_at
  `);

type NewApp = Omit<OAuthApp, "id"> & { client_secret_hash: Buffer; first_party?: boolean };

const appColumns = (db: Db) => db`id, name, website, redirect_uris, scopes, client_id`;

export const insertApp = (db: Db, app: NewApp): Promise<OAuthApp> =>
  onlyRow(db<OAuthApp[]>`INSERT INTO oauth_apps ${db(app)} RETURNING ${appColumns(db)}`);

/** Selects the app of our own web client; null until it was first used. */
export const selectFirstPartyApp = (db: Db): Promise<string | null> =>
  firstValue(db<{ id: string }[]>`SELECT id FROM oauth_apps WHERE first_party`);

/** Returns null where another process was first. */
export const insertFirstPartyApp = (db: Db, app: NewApp): Promise<string | null> =>
  firstValue(db<{ id: string }[]>`
    INSERT INTO oauth_apps ${db({ ...app, first_party: true })} ON CONFLICT DO NOTHING RETURNING id
  `);

export const selectApp = (db: Db, id: string) =>
  firstRow(db<OAuthApp[]>`SELECT ${appColumns(db)} FROM oauth_apps WHERE id = ${id}`);

export const selectAppByClientId = (db: Db, clientId: string) =>
  firstRow(db<(OAuthApp & { client_secret_hash: Buffer })[]>`
    SELECT ${appColumns(db)}, client_secret_hash FROM oauth_apps WHERE client_id = ${clientId}
  `);

export const insertCode = (db: Db, code: Omit<CodeRow, "used_at"> & { code_hash: Buffer }) =>
  db`INSERT INTO oauth_codes ${db(code)}`;

/** Selects the code and locks it until the transaction ends. */
export const selectCodeLocked = (db: Db, hash: Buffer) =>
  firstRow(db<CodeRow[]>`
    SELECT app_id, user_id, access_id, redirect_uri, scopes, code_challenge, expires_at, used_at
    FROM oauth_codes WHERE code_hash = ${hash} FOR UPDATE
  `);

export const updateCodeUsed = (db: Db, hash: Buffer, at: Date) =>
  db`UPDATE oauth_codes SET used_at = ${at} WHERE code_hash = ${hash}`;

export const selectCodeIsOf = (
  db: Db,
  hash: Buffer,
  { userId, personId }: { userId: string; personId: string },
): Promise<boolean> =>
  hasRows(db`
    SELECT FROM oauth_codes WHERE code_hash = ${hash} AND (
      user_id = ${userId} OR access_id IN (${accessOf(db, [personId])})
    )
  `);

/** Works as deleteOlder, and invalidates what is cached of a token. */
const deleteTokens = async (db: Db, condition: Fragment): Promise<boolean> => {
  const { rows, isMore } = await deleteSlice<{ id: string }>(db, "oauth_tokens", condition, db`id`);
  invalidate(db, ...rows.map(({ id }) => `token:${id}` as const));
  return isMore;
};

export const deleteRevokedBefore = (db: Db, before: Date) =>
  deleteTokens(db, db`revoked_at < ${before} ORDER BY revoked_at`);

export const deleteExpiredBefore = (db: Db, before: Date) =>
  deleteTokens(db, db`expires_at < ${before} ORDER BY expires_at`);

/** Selects those of the tokens that are not valid any more. */
export const selectEndedTokens = (db: Db, ids: string[], now: Date): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT v.id::text AS id
    FROM unnest(${ids}::bigint[]) AS v (id)
    LEFT JOIN oauth_tokens t ON t.id = v.id AND t.revoked_at IS NULL
      AND (t.expires_at IS NULL OR t.expires_at > ${now})
    WHERE t.id IS NULL
  `);

type Revoked = { id: string };

/** Revokes the selected tokens; returns those that had not been revoked before. */
const revokeTokens = async (db: Db, where: Fragment, at: Date): Promise<Revoked[]> => {
  const rows = await db<Revoked[]>`
    UPDATE oauth_tokens SET revoked_at = ${at} WHERE ${where} AND revoked_at IS NULL RETURNING id
  `;
  invalidate(db, ...rows.map(({ id }) => `token:${id}` as const));
  return [...rows];
};

export const revokeTokensOfCode = (db: Db, codeHash: Buffer, at: Date) =>
  revokeTokens(db, db`code_hash = ${codeHash}`, at);

const accessOf = (db: Db, personIds: readonly string[]) =>
  db`SELECT id FROM account_access WHERE person_id = ANY(${personIds})`;

/** Also revokes tokens by which these people use other accounts. */
export const revokeTokensOfUsers = (db: Db, userIds: readonly string[], at: Date) =>
  revokeTokens(db, db`(user_id = ANY(${userIds}) OR access_id IN (${accessOf(db, userIds)}))`, at);

export const revokeTokensOfAccess = (db: Db, accessIds: readonly string[], at: Date) =>
  revokeTokens(db, db`access_id = ANY(${accessIds})`, at);

export const deleteCodesOfAccess = (db: Db, accessIds: readonly string[]) =>
  db`DELETE FROM oauth_codes WHERE access_id = ANY(${accessIds}) AND used_at IS NULL`;

export const revokeTokensOfSessions = (db: Db, ids: string[], at: Date) =>
  revokeTokens(db, db`session_id = ANY(${ids})`, at);

export const revokeTokensOfApp = (db: Db, userId: string, appId: string, at: Date) =>
  revokeTokens(db, db`user_id = ${userId} AND app_id = ${appId}`, at);

/** Revokes a token that belongs to no app. */
export const revokeTokenOf = (db: Db, userId: string, id: string, at: Date) =>
  revokeTokens(db, db`id = ${id} AND user_id = ${userId} AND app_id IS NULL`, at);

/** Deletes codes not exchanged yet, of one app, or of all where `appId` is null. */
export const deleteUnusedCodes = (db: Db, userIds: readonly string[], appId: string | null) => db`
  DELETE FROM oauth_codes
  WHERE used_at IS NULL AND (
    (user_id = ANY(${userIds}) AND (${appId}::bigint IS NULL OR app_id = ${appId})) OR
    (${appId}::bigint IS NULL AND access_id IN (${accessOf(db, userIds)}))
  )
`;

export type AuthorizedRow = {
  /** Id of the app; null for a token of the command line, `token_id`. */
  app_id: string | null;
  token_id: string;
  name: string | null;
  website: string | null;
  scopes: string[];
  created_at: Date;
};

/** Selects what may act for a person: apps with the scopes of all their tokens, and tokens without an app. */
export const selectAuthorized = (db: Db, userId: string) => db<AuthorizedRow[]>`
  SELECT t.app_id, max(t.id) AS token_id, o.name, o.website, min(t.created_at) AS created_at,
    array(
      SELECT DISTINCT scope FROM oauth_tokens s, unnest(s.scopes) AS scope
      WHERE s.id = ANY (array_agg(t.id)) ORDER BY scope
    ) AS scopes
  FROM oauth_tokens t LEFT JOIN oauth_apps o ON o.id = t.app_id
  WHERE t.user_id = ${userId} AND t.revoked_at IS NULL AND t.session_id IS NULL
  GROUP BY t.app_id, o.id, CASE WHEN t.app_id IS NULL THEN t.id END
  ORDER BY max(t.id) DESC LIMIT 200
`;

export const revokeToken = (db: Db, id: string, at: Date) => revokeTokens(db, db`id = ${id}`, at);

export const selectTokenOwner = (db: Db, hash: Buffer) =>
  firstRow(db<{ id: string; app_id: string | null }[]>`
    SELECT id, app_id FROM oauth_tokens WHERE token_hash = ${hash}
  `);

export const selectTokenInfo = (db: Db, id: string) =>
  firstRow(db<{ account_id: string | null; client_id: string | null; created_at: Date }[]>`
    SELECT u.account_id, o.client_id, t.created_at
    FROM oauth_tokens t
    LEFT JOIN users u ON u.id = t.user_id
    LEFT JOIN oauth_apps o ON o.id = t.app_id
    WHERE t.id = ${id}
  `);

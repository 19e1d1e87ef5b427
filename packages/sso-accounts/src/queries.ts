// SQL of asking again, and of sign-outs that providers tell of.

import { onlyValue } from "./uses.ts";
import type { Db, IdentityRow } from "./uses.ts";

/** Selects whom their providers have to be asked about again. */
export const selectDueIdentities = (db: Db, checkedBefore: Date, limit: number) => db<
  IdentityRow[]
>`
  SELECT * FROM sso_identities WHERE checked_at < ${checkedBefore} AND sealed_token IS NOT NULL
  ORDER BY checked_at LIMIT ${limit}
`;

export const updateChecked = (db: Db, id: string, at: Date) =>
  db`UPDATE sso_identities SET checked_at = ${at} WHERE id = ${id}`;

/** Gives up asking about somebody. */
export const deleteToken = (db: Db, id: string) =>
  db`UPDATE sso_identities SET sealed_token = NULL, checked_at = NULL WHERE id = ${id}`;

/** Selects sessions here that this session at the provider began. */
export const selectSessionsThere = (db: Db, issuer: string, session: string) => db<
  { id: string }[]
>`
  SELECT s.session_id AS id FROM sso_sessions s JOIN sso_identities i ON i.id = s.identity_id
  WHERE i.issuer = ${issuer} AND s.provider_session = ${session}
`;

export const selectPerson = async (db: Db, issuer: string, subject: string) => {
  const [row] = await db<Pick<IdentityRow, "id" | "user_id">[]>`
    SELECT id, user_id FROM sso_identities WHERE issuer = ${issuer} AND subject = ${subject}
  `;
  return row ?? null;
};

export const selectIdentities = (db: Db, userId: string) => db<IdentityRow[]>`
  SELECT * FROM sso_identities WHERE user_id = ${userId} ORDER BY id
`;

export const deleteIdentity = (db: Db, userId: string, id: string) =>
  db`DELETE FROM sso_identities WHERE user_id = ${userId} AND id = ${id}`;

/** Locks whose ways to sign in change, so that the last one is never removed by two at once. */
export const lockUser = (db: Db, userId: string) => db`
  SELECT FROM users WHERE id = ${userId} FOR UPDATE
`;

/** Counts ways other than an identity: a password, and passkeys. */
export const countOtherWays = (db: Db, userId: string) =>
  onlyValue(db<{ count: number }[]>`
    SELECT (password_hash IS NOT NULL)::int
      + (SELECT count(*)::int FROM passkeys p WHERE p.user_id = u.id) AS count
    FROM users u WHERE id = ${userId}
  `);

export const selectSessionIds = (db: Db, identityId: string) => db<{ id: string }[]>`
  SELECT session_id AS id FROM sso_sessions WHERE identity_id = ${identityId}
`;

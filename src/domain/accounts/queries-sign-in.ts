// SQL of signing in and signing up: sessions of our pages, confirmation of e-mail addresses.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";

export type SignInRow = {
  user_id: string;
  account_id: string;
  username: string;
  display_name: string;
  avatar_url: string | null;
  email: string;
  password_hash: string;
  role_id: string;
  confirmed: boolean;
  approved: boolean;
  disabled: boolean;
  suspended: boolean;
  moved: boolean;
  two_factor: boolean;
};

const columns = (db: Db) => db`
  u.id AS user_id, u.account_id, a.username, a.display_name, a.avatar_url, u.email, u.password_hash,
  u.role_id, u.confirmed_at IS NOT NULL AS confirmed, u.approved, u.disabled,
  a.suspended_at IS NOT NULL AS suspended, a.moved_to_account_id IS NOT NULL AS moved,
  EXISTS (
    SELECT FROM totp_secrets t WHERE t.user_id = u.id AND t.confirmed_at IS NOT NULL
  ) AS two_factor
`;

/** By e-mail address, or by the name of a local account. */
export const selectSignIn = async (db: Db, login: string): Promise<SignInRow | null> => {
  const [row] = await db<SignInRow[]>`
    SELECT ${columns(db)}
    FROM users u
    JOIN accounts a ON a.id = u.account_id
    WHERE u.email = ${login} OR u.account_id = (
      SELECT id FROM accounts WHERE username = ${login} AND coalesce(domain, '') = ''
    )
    ORDER BY u.email = ${login} DESC
    LIMIT 1
  `;
  return row ?? null;
};

export const selectSignInById = async (db: Db, userId: string): Promise<SignInRow | null> => {
  const [row] = await db<SignInRow[]>`
    SELECT ${columns(db)} FROM users u JOIN accounts a ON a.id = u.account_id WHERE u.id = ${userId}
  `;
  return row ?? null;
};

export const selectPasswordHash = async (db: Db, userId: string) => {
  const [row] = await db<{ password_hash: string }[]>`
    SELECT password_hash FROM users WHERE id = ${userId}
  `;
  return row?.password_hash ?? null;
};

export const selectSession = async (db: Db, hash: Buffer, usedAfter: Date) => {
  const [row] = await db<(SignInRow & { used_at: Date })[]>`
    SELECT ${columns(db)}, s.used_at
    FROM sessions s
    JOIN users u ON u.id = s.user_id
    JOIN accounts a ON a.id = u.account_id
    WHERE s.token_hash = ${hash} AND s.used_at > ${usedAfter}
  `;
  return row ?? null;
};

export type NewSession = {
  token_hash: Buffer;
  user_id: string;
  ip: string | null;
  user_agent: string | null;
  created_at: Date;
  used_at: Date;
};

export const insertSession = (db: Db, session: NewSession) =>
  db`INSERT INTO sessions ${db(session)}`;

export const updateSessionUse = (db: Db, hash: Buffer, at: Date) =>
  db`UPDATE sessions SET used_at = ${at} WHERE token_hash = ${hash}`;

export const deleteSession = (db: Db, hash: Buffer) =>
  db`DELETE FROM sessions WHERE token_hash = ${hash}`;

export const deleteSessionsOf = (db: Db, userId: string) =>
  db`DELETE FROM sessions WHERE user_id = ${userId}`;

export const deleteStaleSessions = (db: Db, userId: string, usedBefore: Date) =>
  db`DELETE FROM sessions WHERE user_id = ${userId} AND used_at <= ${usedBefore}`;

export type Unconfirmed = { email: string; username: string };

/** Keeps the hash of a new confirmation token; null when there is nothing to confirm. */
export const updateConfirmationToken = async (db: Db, userId: string, hash: Buffer, at: Date) => {
  const [row] = await db<Unconfirmed[]>`
    UPDATE users u SET confirmation_token_hash = ${hash}, confirmation_sent_at = ${at}
    FROM accounts a
    WHERE u.id = ${userId} AND a.id = u.account_id AND u.confirmed_at IS NULL
    RETURNING u.email, a.username
  `;
  return row ?? null;
};

/** Confirms by token; a token of somebody confirmed works again, with no further effect. */
export const updateConfirmed = async (db: Db, hash: Buffer, sentAfter: Date, at: Date) => {
  const [row] = await db<{ user_id: string; approved: boolean; account_id: string }[]>`
    UPDATE users SET confirmed_at = coalesce(confirmed_at, ${at})
    WHERE confirmation_token_hash = ${hash}
      AND (confirmed_at IS NOT NULL OR confirmation_sent_at > ${sentAfter})
    RETURNING id AS user_id, approved, account_id
  `;
  if (row) invalidate(db, `account:${row.account_id}`);
  return row ?? null;
};

/** Another address before confirmation; the link sent to the old one is worth nothing any more. */
export const updateUnconfirmedEmail = (db: Db, userId: string, email: string) => db`
  UPDATE users SET email = ${email}, confirmation_token_hash = NULL
  WHERE id = ${userId} AND confirmed_at IS NULL
`;

export const selectUnconfirmed = async (db: Db, email: string) => {
  const [row] = await db<{ user_id: string }[]>`
    SELECT id AS user_id FROM users WHERE email = ${email} AND confirmed_at IS NULL
  `;
  return row?.user_id ?? null;
};

export const selectSignUpState = async (db: Db, userId: string) => {
  const [row] = await db<{ confirmed: boolean; email: string; created_by_app_id: string | null }[]>`
    SELECT confirmed_at IS NOT NULL AS confirmed, email, created_by_app_id
    FROM users WHERE id = ${userId}
  `;
  return row ?? null;
};

/** Whoever makes the owner waits here for whoever else does, until the transaction ends. */
export const lockOwnerSetup = (db: Db) =>
  db`SELECT pg_advisory_xact_lock(hashtext('rookery.owner_setup'))`;

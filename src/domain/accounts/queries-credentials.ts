// SQL of changing the password and the e-mail address.

import type { Db } from "../../platform/db/index.ts";

export const updatePassword = (db: Db, userId: string, passwordHash: string) =>
  db`UPDATE users SET password_hash = ${passwordHash} WHERE id = ${userId}`;

type Addressed = { user_id: string; username: string; email: string };

/** Who may have a new password by mail; suspended people may not. */
export const selectByEmail = async (db: Db, email: string) => {
  const [row] = await db<Addressed[]>`
    SELECT u.id AS user_id, a.username, u.email FROM users u JOIN accounts a ON a.id = u.account_id
    WHERE u.email = ${email} AND a.suspended_at IS NULL
  `;
  return row ?? null;
};

export const selectAddress = async (db: Db, userId: string) => {
  const [row] = await db<Addressed[]>`
    SELECT u.id AS user_id, a.username, u.email FROM users u JOIN accounts a ON a.id = u.account_id
    WHERE u.id = ${userId}
  `;
  return row ?? null;
};

export const upsertReset = (db: Db, userId: string, hash: Buffer, at: Date) => db`
  INSERT INTO password_resets (user_id, token_hash, sent_at) VALUES (${userId}, ${hash}, ${at})
  ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, sent_at = excluded.sent_at
`;

export const selectReset = async (db: Db, hash: Buffer, sentAfter: Date) => {
  const [row] = await db<{ username: string }[]>`
    SELECT a.username
    FROM password_resets r JOIN users u ON u.id = r.user_id JOIN accounts a ON a.id = u.account_id
    WHERE r.token_hash = ${hash} AND r.sent_at > ${sentAfter} AND a.suspended_at IS NULL
  `;
  return row ?? null;
};

/** Uses the link up; null when it is unknown, old, or used. */
export const takeReset = async (db: Db, hash: Buffer, sentAfter: Date) => {
  const [row] = await db<Addressed[]>`
    DELETE FROM password_resets r USING users u, accounts a
    WHERE r.token_hash = ${hash} AND r.sent_at > ${sentAfter} AND u.id = r.user_id
      AND a.id = u.account_id AND a.suspended_at IS NULL
    RETURNING u.id AS user_id, a.username, u.email
  `;
  return row ?? null;
};

export const deleteReset = (db: Db, userId: string) =>
  db`DELETE FROM password_resets WHERE user_id = ${userId}`;

export const upsertEmailChange = (db: Db, userId: string, email: string, at: Date) => db`
  INSERT INTO email_changes (user_id, email, asked_at) VALUES (${userId}, ${email}, ${at})
  ON CONFLICT (user_id) DO UPDATE
    SET email = excluded.email, asked_at = excluded.asked_at, token_hash = NULL
`;

export const selectEmailChange = async (db: Db, userId: string, askedAfter: Date) => {
  const [row] = await db<{ email: string }[]>`
    SELECT email FROM email_changes WHERE user_id = ${userId} AND asked_at > ${askedAfter}
  `;
  return row?.email ?? null;
};

/** Keeps the hash of the link's token; null when the change was given up. */
export const updateEmailChangeToken = async (db: Db, userId: string, hash: Buffer) => {
  const [row] = await db<{ email: string; username: string }[]>`
    UPDATE email_changes c SET token_hash = ${hash} FROM users u, accounts a
    WHERE c.user_id = ${userId} AND u.id = c.user_id AND a.id = u.account_id
    RETURNING c.email, a.username
  `;
  return row ?? null;
};

/** Uses the link up; the address, and whose it is to be. */
export const takeEmailChange = async (db: Db, hash: Buffer, askedAfter: Date) => {
  const [row] = await db<{ user_id: string; email: string }[]>`
    DELETE FROM email_changes WHERE token_hash = ${hash} AND asked_at > ${askedAfter}
    RETURNING user_id, email
  `;
  return row ?? null;
};

export const deleteEmailChange = (db: Db, userId: string) =>
  db`DELETE FROM email_changes WHERE user_id = ${userId}`;

export const updateEmail = (db: Db, userId: string, email: string) =>
  db`UPDATE users SET email = ${email} WHERE id = ${userId}`;

export type SessionRow = {
  id: string;
  ip: string | null;
  user_agent: string | null;
  created_at: Date;
  used_at: Date;
  current: boolean;
};

/** Sessions still alive, the newest use first. */
export const selectSessions = (db: Db, userId: string, usedAfter: Date, current: Buffer) => db<
  SessionRow[]
>`
  SELECT id, host(ip) AS ip, user_agent, created_at, used_at, token_hash = ${current} AS current
  FROM sessions WHERE user_id = ${userId} AND used_at > ${usedAfter}
  ORDER BY token_hash = ${current} DESC, used_at DESC LIMIT 200
`;

export const deleteSessionById = (db: Db, userId: string, id: string) =>
  db`DELETE FROM sessions WHERE user_id = ${userId} AND id = ${id}`;

export const deleteOtherSessions = (db: Db, userId: string, kept: Buffer) =>
  db`DELETE FROM sessions WHERE user_id = ${userId} AND token_hash <> ${kept}`;

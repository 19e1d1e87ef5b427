// SQL of people: sign-up and sign-in, sessions of the pages, passwords, e-mail addresses.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue, hasRows, onlyRow, onlyValue } from "../../../platform/db/rows.ts";
import { OWNER_CHANGED } from "../accounts/events.ts";

type NewUser = {
  account_id: string;
  email: string;
  password_hash: string | null;
  role_id: string;
  locale: string;
  time_zone: string | null;
  sign_up_reason: string | null;
  sign_up_ip: string | null;
  created_by_app_id: string | null;
  confirmed_at: Date | null;
  approved: boolean;
  invite_id: string | null;
  age_verified_at: Date | null;
  /** In the form YYYY-MM-DD. */
  agreed_terms: string | null;
};

export const insertUser = async (db: Db, user: NewUser): Promise<string> => {
  const [row] = await db<{ id: string }[]>`INSERT INTO users ${db(user)} RETURNING id`;
  invalidate(db, `account:${user.account_id}`, OWNER_CHANGED);
  return row!.id;
};

export const selectUserByEmail = (db: Db, email: string) =>
  firstRow(db<{ id: string }[]>`SELECT id FROM users WHERE email = ${email}`);

export type SignInRow = {
  user_id: string;
  account_id: string;
  username: string;
  display_name: string;
  avatar_key: string | null;
  email: string;
  locale: string;
  password_hash: string | null;
  role_id: string;
  confirmed: boolean;
  approved: boolean;
  disabled: boolean;
  suspended: boolean;
  moved: boolean;
  two_factor: boolean;
  is_new: boolean;
};

export const signInColumns = (db: Db) => db`
  u.id AS user_id, u.account_id, a.username, a.display_name, a.avatar_key, u.email, u.locale, u.password_hash,
  u.role_id, u.confirmed_at IS NOT NULL AS confirmed, u.approved, u.disabled,
  a.suspended_at IS NOT NULL AS suspended, a.moved_to_account_id IS NOT NULL AS moved,
  EXISTS (
    SELECT FROM totp_secrets t WHERE t.user_id = u.id AND t.confirmed_at IS NOT NULL
  ) AS two_factor,
  u.sign_up_ip IS NOT NULL AND u.last_active_at IS NULL AS is_new
`;

/** Selects by e-mail address, or by the name of a local account. */
export const selectSignIn = (db: Db, login: string): Promise<SignInRow | null> =>
  firstRow(db<SignInRow[]>`
    SELECT ${signInColumns(db)}
    FROM users u
    JOIN accounts a ON a.id = u.account_id
    WHERE u.email = ${login} OR u.account_id = (
      SELECT id FROM accounts WHERE username = ${login} AND coalesce(domain, '') = ''
    )
    ORDER BY u.email = ${login} DESC
    LIMIT 1
  `);

export const selectSignInById = (db: Db, userId: string): Promise<SignInRow | null> =>
  firstRow(db<SignInRow[]>`
    SELECT ${signInColumns(db)} FROM users u JOIN accounts a ON a.id = u.account_id WHERE u.id = ${userId}
  `);

export const selectPasswordHash = (db: Db, userId: string) =>
  firstValue(db<{ password_hash: string | null }[]>`
    SELECT password_hash FROM users WHERE id = ${userId}
  `);

export type Unconfirmed = { email: string; username: string; locale: string };

/** Stores the hash of a new confirmation token; returns null when there is nothing to confirm. */
export const updateConfirmationToken = (db: Db, userId: string, hash: Buffer, at: Date) =>
  firstRow(db<Unconfirmed[]>`
    UPDATE users u SET confirmation_token_hash = ${hash}, confirmation_sent_at = ${at}
    FROM accounts a
    WHERE u.id = ${userId} AND a.id = u.account_id AND u.confirmed_at IS NULL
    RETURNING u.email, u.locale, a.username
  `);

/** Returns whether the token is of an address that is not confirmed yet. */
export const selectAwaiting = (db: Db, hash: Buffer, sentAfter: Date): Promise<boolean> =>
  hasRows(db`
    SELECT FROM users WHERE confirmation_token_hash = ${hash}
      AND confirmation_sent_at > ${sentAfter} AND confirmed_at IS NULL
  `);

/** Confirms by token; a repeated call has no further effect. Returns the user's id. */
export const updateConfirmed = async (db: Db, hash: Buffer, sentAfter: Date, at: Date) => {
  const [row] = await db<{ user_id: string; account_id: string; is_new: boolean }[]>`
    UPDATE users SET confirmed_at = coalesce(confirmed_at, ${at})
    WHERE confirmation_token_hash = ${hash} AND confirmation_sent_at > ${sentAfter}
    RETURNING id AS user_id, account_id, confirmed_at = ${at} AS is_new
  `;
  if (row) invalidate(db, `account:${row.account_id}`, `user:${row.user_id}`);
  return row ?? null;
};

/** Removes the token of a confirmed address; returns the user's id. */
export const takeConfirmationToken = (db: Db, hash: Buffer, sentAfter: Date) =>
  firstValue(db<{ user_id: string }[]>`
    UPDATE users SET confirmation_token_hash = NULL
    WHERE confirmation_token_hash = ${hash} AND confirmation_sent_at > ${sentAfter}
      AND confirmed_at IS NOT NULL
    RETURNING id AS user_id
  `);

/** Ends the link, once somebody has signed in or set a new password. */
export const deleteConfirmationToken = (db: Db, userId: string) => db`
  UPDATE users SET confirmation_token_hash = NULL
  WHERE id = ${userId} AND confirmation_token_hash IS NOT NULL AND confirmed_at IS NOT NULL
`;

export type TermsDays = { current: string | null; next: string | null };

/** Selects the days (YYYY-MM-DD) of the terms of service in force on `day`, and of those that follow them. */
export const selectTermsDays = (db: Db, day: string): Promise<TermsDays> =>
  onlyRow(db<TermsDays[]>`
    SELECT max(effective_date) FILTER (WHERE effective_date <= ${day}::text::date)::text AS current,
      min(effective_date) FILTER (WHERE effective_date > ${day}::text::date)::text AS next
    FROM terms_of_service
  `);

/** Changes the address before confirmation; the link sent to the old one becomes invalid. */
export const updateUnconfirmedEmail = (db: Db, userId: string, email: string) => db`
  UPDATE users SET email = ${email}, confirmation_token_hash = NULL
  WHERE id = ${userId} AND confirmed_at IS NULL
`;

export const selectUnconfirmed = (db: Db, email: string) =>
  firstValue(db<{ user_id: string }[]>`
    SELECT id AS user_id FROM users WHERE email = ${email} AND confirmed_at IS NULL
  `);

export const selectSignUpState = (db: Db, userId: string) =>
  firstRow(db<{ confirmed: boolean; email: string; created_by_app_id: string | null }[]>`
    SELECT confirmed_at IS NOT NULL AS confirmed, email, created_by_app_id
    FROM users WHERE id = ${userId}
  `);

export const selectOwnerExists = (db: Db): Promise<boolean> =>
  onlyValue(db<{ yes: boolean }[]>`
    SELECT EXISTS (SELECT FROM users WHERE role_id = 3) AS yes
  `);

export const updatePassword = (db: Db, userId: string, passwordHash: string) =>
  db`UPDATE users SET password_hash = ${passwordHash} WHERE id = ${userId}`;

/** Returns false when the password was changed since it was read. */
export const replacePasswordHash = (db: Db, userId: string, from: string, to: string) =>
  hasRows(db`
    UPDATE users SET password_hash = ${to} WHERE id = ${userId} AND password_hash = ${from}
    RETURNING id
  `);

export type Addressed = { user_id: string; username: string; email: string; locale: string };

/** Selects the user who may get a password mail; suspended people may not. */
export const selectByEmail = (db: Db, email: string) =>
  firstRow(db<(Addressed & { role_id: string })[]>`
    SELECT u.id AS user_id, a.username, u.email, u.locale, u.role_id
    FROM users u JOIN accounts a ON a.id = u.account_id
    WHERE u.email = ${email} AND a.suspended_at IS NULL
  `);

export const selectAddress = (db: Db, userId: string) =>
  firstRow(db<Addressed[]>`
    SELECT u.id AS user_id, a.username, u.email, u.locale FROM users u JOIN accounts a ON a.id = u.account_id
    WHERE u.id = ${userId}
  `);

export const upsertReset = (db: Db, userId: string, hash: Buffer, at: Date) => db`
  INSERT INTO password_resets (user_id, token_hash, sent_at) VALUES (${userId}, ${hash}, ${at})
  ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, sent_at = excluded.sent_at
`;

/** Returns null where there is no such user. */
export const selectUsername = (db: Db, userId: string): Promise<string | null> =>
  firstValue(db<{ username: string }[]>`
    SELECT a.username FROM users u JOIN accounts a ON a.id = u.account_id WHERE u.id = ${userId}
  `);

export const selectReset = (db: Db, hash: Buffer, sentAfter: Date) =>
  firstRow(db<{ username: string }[]>`
    SELECT a.username
    FROM password_resets r JOIN users u ON u.id = r.user_id JOIN accounts a ON a.id = u.account_id
    WHERE r.token_hash = ${hash} AND r.sent_at > ${sentAfter} AND a.suspended_at IS NULL
  `);

/** Deletes the link's token; returns null when it is unknown, expired, or used. */
export const takeReset = (db: Db, hash: Buffer, sentAfter: Date) =>
  firstRow(db<Addressed[]>`
    DELETE FROM password_resets r USING users u, accounts a
    WHERE r.token_hash = ${hash} AND r.sent_at > ${sentAfter} AND u.id = r.user_id
      AND a.id = u.account_id AND a.suspended_at IS NULL
    RETURNING u.id AS user_id, a.username, u.email, u.locale
  `);

export const deleteReset = (db: Db, userId: string) =>
  db`DELETE FROM password_resets WHERE user_id = ${userId}`;

export const upsertEmailChange = (db: Db, userId: string, email: string, at: Date) => db`
  INSERT INTO email_changes (user_id, email, asked_at) VALUES (${userId}, ${email}, ${at})
  ON CONFLICT (user_id) DO UPDATE
    SET email = excluded.email, asked_at = excluded.asked_at, token_hash = NULL
`;

export const selectEmailChange = (db: Db, userId: string, askedAfter: Date) =>
  firstValue(db<{ email: string }[]>`
    SELECT email FROM email_changes WHERE user_id = ${userId} AND asked_at > ${askedAfter}
  `);

/** Stores the hash of the link's token; returns null when the change was cancelled. */
export const updateEmailChangeToken = (db: Db, userId: string, hash: Buffer) =>
  firstRow(db<{ email: string; username: string; locale: string }[]>`
    UPDATE email_changes c SET token_hash = ${hash} FROM users u, accounts a
    WHERE c.user_id = ${userId} AND u.id = c.user_id AND a.id = u.account_id
    RETURNING c.email, a.username, u.locale
  `);

/** Deletes the link's token; returns the address and its user. */
export const takeEmailChange = (db: Db, hash: Buffer, askedAfter: Date) =>
  firstRow(db<{ user_id: string; email: string }[]>`
    DELETE FROM email_changes WHERE token_hash = ${hash} AND asked_at > ${askedAfter}
    RETURNING user_id, email
  `);

export const deleteEmailChange = (db: Db, userId: string) =>
  db`DELETE FROM email_changes WHERE user_id = ${userId}`;

export const updateEmail = (db: Db, userId: string, email: string) =>
  db`UPDATE users SET email = ${email} WHERE id = ${userId}`;

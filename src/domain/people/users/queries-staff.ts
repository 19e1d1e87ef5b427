// SQL of acts of the staff on people: approval, disabling, roles.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db, Fragment } from "../../../platform/db/index.ts";
import { firstRow, valuesOf } from "../../../platform/db/rows.ts";
import { OWNER_CHANGED } from "../accounts/events.ts";

const change = async (db: Db, accountId: string, set: Fragment, condition: Fragment) => {
  const [row] = await db<{ id: string }[]>`
    UPDATE users SET ${set} WHERE account_id = ${accountId} AND ${condition} RETURNING id
  `;
  if (row) invalidate(db, `user:${row.id}`, `account:${accountId}`);
  return row?.id ?? null;
};

export const approve = (db: Db, accountId: string) =>
  change(db, accountId, db`approved = true`, db`NOT approved`);

export const setDisabled = (db: Db, accountId: string, disabled: boolean) =>
  change(db, accountId, db`disabled = ${disabled}`, db`disabled <> ${disabled}`);

export const confirm = (db: Db, accountId: string, at: Date) =>
  change(db, accountId, db`confirmed_at = ${at}`, db`confirmed_at IS NULL`);

export const setRole = async (db: Db, accountId: string, roleId: string) => {
  const id = await change(db, accountId, db`role_id = ${roleId}`, db`role_id <> ${roleId}`);
  invalidate(db, OWNER_CHANGED);
  return id;
};

/** Selects the accounts of owners who can sign in. */
const ownersIn = (db: Db) => db`
  SELECT u.account_id FROM users u JOIN accounts a ON a.id = u.account_id
  WHERE u.role_id = 3 AND NOT u.disabled AND a.suspended_at IS NULL
`;

export const selectOwners = (db: Db): Promise<string[]> =>
  valuesOf(db<{ account_id: string }[]>`${ownersIn(db)} LIMIT 2`);

/** Locks them until the transaction ends, so that two removals never leave none. */
export const lockOwners = (db: Db): Promise<string[]> =>
  valuesOf(db<{ account_id: string }[]>`${ownersIn(db)} ORDER BY u.id FOR NO KEY UPDATE`);

export type Applicant = {
  user_id: string;
  username: string;
  email: string;
  locale: string;
  approved: boolean;
};

export const selectApplicant = (db: Db, accountId: string): Promise<Applicant | null> =>
  firstRow(db<Applicant[]>`
    SELECT u.id AS user_id, a.username, u.email::text AS email, u.locale, u.approved
    FROM users u JOIN accounts a ON a.id = u.account_id WHERE u.account_id = ${accountId} FOR UPDATE OF u
  `);

export type SignUpRow = {
  username: string;
  email: string;
  locale: string;
  reason: string | null;
  approved: boolean;
};

export const selectSignUp = (db: Db, accountId: string): Promise<SignUpRow | null> =>
  firstRow(db<SignUpRow[]>`
    SELECT a.username, u.email::text AS email, u.locale, u.sign_up_reason AS reason, u.approved
    FROM users u JOIN accounts a ON a.id = u.account_id WHERE u.account_id = ${accountId}
  `);

/** A person as moderators see them. */
export type StaffRow = {
  account_id: string;
  user_id: string;
  email: string;
  locale: string;
  reason: string | null;
  confirmed: boolean;
  approved: boolean;
  disabled: boolean;
  app_id: string | null;
  /** Id of the account whose invitation they used. */
  invited_by: string | null;
  /** Day of the terms of service that they agreed to at sign-up. */
  agreed_terms: string | null;
  /** Newest first; at most ten. */
  ips: { ip: string; used_at: string }[];
};

export const selectStaffRows = (db: Db, accountIds: string[]) => db<StaffRow[]>`
  SELECT u.account_id, u.id AS user_id, u.email::text AS email, u.locale, u.sign_up_reason AS reason,
    u.confirmed_at IS NOT NULL AS confirmed, u.approved, u.disabled, u.created_by_app_id AS app_id,
    (SELECT i.account_id FROM invites i WHERE i.id = u.invite_id) AS invited_by,
    u.agreed_terms::text AS agreed_terms,
    coalesce(seen.ips, '[]') AS ips
  FROM users u
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object('ip', host(ip), 'used_at', used_at) ORDER BY used_at DESC) AS ips
    FROM (
      SELECT ip, max(used_at) AS used_at FROM (
        SELECT ip, used_at FROM sessions WHERE user_id = u.id AND ip IS NOT NULL
        UNION ALL
        SELECT u.sign_up_ip, u.created_at WHERE u.sign_up_ip IS NOT NULL
      ) AS all_uses
      GROUP BY ip ORDER BY max(used_at) DESC LIMIT 10
    ) AS distinct_uses
  ) AS seen
  WHERE u.account_id = ANY(${accountIds}::bigint[])
`;

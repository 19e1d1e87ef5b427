// SQL of the mails slice.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db, Fragment } from "../../../platform/db/index.ts";
import { firstRow, valuesOf } from "../../../platform/db/rows.ts";
import type { UserSettings } from "../../people/accounts/tables.ts";
import { bitsOf } from "../../base/roles/permissions.ts";
import { KINDS } from "./kinds.ts";
import type { NotificationType } from "../notifications/tables.ts";

/** Makes the condition of who may get mail: the address is confirmed, and the account can be used. */
export const reachable = (db: Db) => db`
  u.confirmed_at IS NOT NULL AND u.approved AND NOT u.disabled AND a.suspended_at IS NULL
`;

export type Addressee = {
  user_id: string;
  account_id: string;
  username: string;
  email: string;
  locale: string;
  settings: UserSettings;
  time_zone: string | null;
  last_active_at: Date | null;
  /** Whether the person runs the server, and gets mail about reports, sign-ups and held posts. */
  staff: boolean;
};

/**
 * Selects those of the notifications whose recipients want them by mail. `kinds` are possible kinds, and those on by
 * default. Each person is read by a scalar subquery: for a join the planner may read all users.
 */
export const selectWanted = (db: Db, ids: string[], kinds: { all: string[]; on: string[] }) =>
  valuesOf(db<{ id: string }[]>`
    SELECT n.id FROM notifications n
    WHERE n.id = ANY(${ids}::bigint[]) AND NOT n.filtered AND n.type = ANY(${kinds.all}) AND (
      SELECT coalesce((u.settings -> 'mails' -> n.type)::boolean, n.type = ANY(${kinds.on}))
        AND ${reachable(db)}
      FROM users u JOIN accounts a ON a.id = u.account_id
      WHERE u.account_id = n.account_id
    )
  `);

/** Permissions of people who get mails about reports, sign-ups or held posts. */
const STAFF = bitsOf(["administrator", "manage_reports", "manage_users", "manage_blocks"]);

const ADDRESSEE = (db: Db) => db`
  u.id AS user_id, u.account_id, a.username, u.email, u.locale, u.settings, u.time_zone, u.last_active_at,
  EXISTS (
    SELECT FROM roles r WHERE r.id = u.role_id AND r.permissions & ${STAFF} <> 0
  ) AS staff
`;

/** Selects the recipient of a notification; null where it was deleted, or the person may get no mail. */
export const selectRecipient = (db: Db, notificationId: string): Promise<Addressee | null> =>
  firstRow(db<Addressee[]>`
    SELECT ${ADDRESSEE(db)}
    FROM notifications n
    JOIN users u ON u.account_id = n.account_id
    JOIN accounts a ON a.id = u.account_id
    WHERE n.id = ${notificationId} AND ${reachable(db)}
  `);

export const selectAddressee = (db: Db, userId: string): Promise<Addressee | null> =>
  firstRow(db<Addressee[]>`
    SELECT ${ADDRESSEE(db)}
    FROM users u
    JOIN accounts a ON a.id = u.account_id
    WHERE u.id = ${userId} AND ${reachable(db)}
  `);

type Claim = { set: Fragment; of?: Fragment; who: Fragment; limit: number; order?: Fragment };

/** Claims some of the people who may get mail and fulfil the condition: processes at the same time claim others. */
const claim = (db: Db, { set, of = db``, who, limit, order = db`` }: Claim) => db<
  { id: string; last_active_at: Date | null }[]
>`
  UPDATE users SET ${set}
  WHERE id IN (
    SELECT u.id
    FROM users u ${of}
    JOIN accounts a ON a.id = u.account_id
    WHERE ${who} AND ${reachable(db)} ${order}
    LIMIT ${limit}
    FOR UPDATE OF u SKIP LOCKED
  )
  RETURNING id, last_active_at
`;

export const claimIds = async (db: Db, terms: Claim): Promise<string[]> =>
  (await claim(db, terms)).map(({ id }) => id);

/** `on` says whether people without a choice get it. */
type Absence = { now: Date; from: Date; before: Date; on: boolean; limit: number };

/**
 * Claims people who were last active between `from` and `before`, longest ago first, and got no summary since `before`.
 * Uses no index, which each activity would have to update: once a day the table of users is read.
 */
export const claimAbsent = (db: Db, { now, from, before, on, limit }: Absence) =>
  claim(db, {
    set: db`digest_at = ${now}`,
    who: db`u.last_active_at >= ${from} AND u.last_active_at < ${before}
      AND (u.digest_at IS NULL OR u.digest_at < ${before})
      AND coalesce((u.settings -> 'mails' -> 'digest')::boolean, ${on})`,
    order: db`ORDER BY u.last_active_at`,
    limit,
  });

/** Permissions one of which is needed for the summary for the staff. */
const FIGURES = bitsOf(["administrator", "view_dashboard"]);

/** Claims members of the staff who got no summary since then, and want one, by the index users_role. */
export const claimStaff = (
  db: Db,
  { now, since, limit }: { now: Date; since: Date; limit: number },
): Promise<string[]> =>
  claimIds(db, {
    set: db`staff_digest_at = ${now}`,
    of: db`JOIN roles r ON r.id = u.role_id AND r.permissions & ${FIGURES} <> 0`,
    who: db`u.role_id <> -99 AND (u.staff_digest_at IS NULL OR u.staff_digest_at < ${since})
      AND coalesce((u.settings -> 'mails' -> 'staff_digest')::boolean, ${KINDS.staff_digest.on})`,
    limit,
  });

type Missed = { type: NotificationType; count: number };

/** Counts notifications of each type since, among the newest `limit`. */
export const countMissed = (db: Db, accountId: string, since: Date, limit: number) => db<Missed[]>`
  SELECT type, count(*)::int AS count
  FROM (
    SELECT type, created_at
    FROM notifications
    WHERE account_id = ${accountId} AND NOT filtered
    ORDER BY id DESC
    LIMIT ${limit}
  ) newest
  WHERE created_at > ${since}
  GROUP BY type
`;

/** Selects the newest mentions since. */
export const selectMissedMentions = (db: Db, accountId: string, since: Date, limit: number) =>
  valuesOf(db<{ id: string }[]>`
    SELECT id
    FROM (
      SELECT id, created_at
      FROM notifications
      WHERE account_id = ${accountId} AND type = 'mention' AND NOT filtered
      ORDER BY id DESC
      LIMIT ${limit}
    ) newest
    WHERE created_at > ${since}
    ORDER BY id DESC
  `);

/** Switches mails on or off; others stay as they are. */
export const updateMails = async (db: Db, userId: string, mails: Record<string, boolean>) => {
  const [row] = await db<{ account_id: string }[]>`
    UPDATE users
    SET settings = settings
      || jsonb_build_object('mails', coalesce(settings -> 'mails', '{}') || ${db.json(mails)})
    WHERE id = ${userId}
    RETURNING account_id
  `;
  if (!row) return false;
  invalidate(db, `user:${userId}`, `person:${row.account_id}`, `account:${row.account_id}`);
  return true;
};

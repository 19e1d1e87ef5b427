// All SQL of the notifications slice. Writes invalidate `notifications:ACCOUNT` (cached-page.ts).

import type { Db, Fragment } from "../../platform/db/index.ts";
import { deleteSlice } from "../../platform/db/delete-older.ts";
import { invalidate } from "../../platform/db/invalidate.ts";
import { ascending, lowerBound, upperBound } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import { idAt } from "../../platform/ids/index.ts";
import type { StoredEvent } from "../../platform/outbox/index.ts";
import { eventInsert } from "../../platform/outbox/queries.ts";
import { visibleTo } from "../statuses/fragments.ts";
import "./events.ts";
import type { NotificationRow, NotificationType, Notice, Undone } from "./tables.ts";

/**
 * Neither blocks the other, and the recipient has neither muted the sender with notifications nor blocked
 * the sender's domain.
 */
const isUnblocked = (db: Db, recipient: Fragment, sender: Fragment, now: Date) => db`
  NOT EXISTS (
    SELECT FROM blocks b WHERE b.account_id = ${recipient} AND b.target_account_id = ${sender}
  )
  AND NOT EXISTS (
    SELECT FROM blocks b WHERE b.account_id = ${sender} AND b.target_account_id = ${recipient}
  )
  AND NOT EXISTS (
    SELECT FROM mutes m
    WHERE m.account_id = ${recipient} AND m.target_account_id = ${sender}
      AND m.hide_notifications AND (m.expires_at IS NULL OR m.expires_at > ${now})
  )
  AND NOT EXISTS (
    SELECT FROM account_domain_blocks d
    WHERE d.account_id = ${recipient}
      AND d.domain = (SELECT domain FROM accounts WHERE id = ${sender})
  )
`;

/** The recipient did not mute the conversation of the status. */
const isUnmuted = (db: Db, recipient: Fragment) => db`
  NOT EXISTS (
    SELECT FROM conversation_mutes c
    WHERE c.account_id = ${recipient} AND c.conversation_id = t.conversation_id
  )
`;

/** The act of a notice (`w`) holds now: it may have been undone, or done again, since. */
const isCurrent = (db: Db) => db`
  CASE w.type
    WHEN 'follow' THEN EXISTS (SELECT FROM follows f
      WHERE f.account_id = w."fromId" AND f.target_account_id = w."accountId")
    WHEN 'follow_request' THEN EXISTS (SELECT FROM follow_requests f
      WHERE f.account_id = w."fromId" AND f.target_account_id = w."accountId")
    WHEN 'favourite' THEN EXISTS (SELECT FROM favourites f
      WHERE f.account_id = w."fromId" AND f.status_id = w."statusId")
    WHEN 'reblog' THEN EXISTS (SELECT FROM statuses o
      WHERE o.account_id = w."fromId" AND o.reblog_of_id = w."statusId")
    WHEN 'mention' THEN EXISTS (SELECT FROM mentions m
      WHERE m.status_id = w."statusId" AND m.account_id = w."accountId")
    ELSE true
  END
`;

const given = (db: Db, notices: Partial<Notice>[]) => db`
  jsonb_to_recordset(${db.json(notices.map((one, n) => ({ n, ...one })) as never)}) AS w (
    n int, "accountId" bigint, "fromId" bigint, type text, "statusId" bigint, "subjectId" bigint,
    "replaceBefore" timestamptz
  )
`;

/**
 * Inserts the new ones, with their events; existing ones stay unchanged. Left out: recipients who are
 * remote or suspended, the sender (except for polls and annual reports), pairs with a block or mute, those
 * who may not see the status, and acts that were undone.
 */
export const insertNotifications = (db: Db, notices: Notice[], now: Date, claimed: boolean) => db<
  StoredEvent<"notification.created">[]
>`
  WITH created AS (
    INSERT INTO notifications
      (account_id, from_account_id, type, status_id, subject_id, created_at)
    SELECT r.id, s.id, w.type, w."statusId", w."subjectId", ${now}::timestamptz
    FROM ${given(db, notices)}
    JOIN accounts r ON r.id = w."accountId" AND r.domain IS NULL AND r.suspended_at IS NULL
    JOIN accounts s ON s.id = w."fromId" AND s.suspended_at IS NULL
    LEFT JOIN statuses t ON t.id = w."statusId"
    WHERE (r.id <> s.id OR w.type IN ('poll', 'annual_report'))
      AND ${isUnblocked(db, db`r.id`, db`s.id`, now)}
      AND (w."statusId" IS NULL
        OR t.id IS NOT NULL AND ${visibleTo(db, { kind: "person", id: db`r.id` }, "t")} AND ${isUnmuted(db, db`r.id`)})
      AND ${isCurrent(db)}
    ORDER BY w.n
    ON CONFLICT (account_id, type, from_account_id, (coalesce(status_id, subject_id, 0)))
      DO NOTHING
    RETURNING id, account_id
  )
  ${eventInsert(
    db,
    claimed,
    db`SELECT 'notification.created',
      jsonb_build_object('id', id::text, 'accountId', account_id::text) FROM created`,
  )}
`;

type Recipient = { account_id: string };

/** Invalidates the cached notifications of these accounts. */
export const invalidateOf = (db: Db, accountIds: string[]): void =>
  invalidate(db, ...accountIds.map((id) => `notifications:${id}` as const));

const invalidateRecipients = (db: Db, gone: Recipient[]): void =>
  invalidateOf(
    db,
    gone.map((row) => row.account_id),
  );

/** Deletes those for which the condition on `n`, and on `w` of what is given, holds. */
const deleteGiven = async (
  db: Db,
  notices: Partial<Notice>[],
  condition: Fragment,
): Promise<void> => {
  const gone = await db<Recipient[]>`
    DELETE FROM notifications n
    USING ${given(db, notices)}
    WHERE n.from_account_id = w."fromId" AND n.type = w.type AND ${condition}
    RETURNING n.account_id
  `;
  invalidateRecipients(db, gone);
};

/** Older notifications that newer ones of the same kind replace. */
export const deleteReplaced = (db: Db, notices: Notice[]) =>
  deleteGiven(
    db,
    notices,
    db`n.account_id = w."accountId"
      AND coalesce(n.status_id, n.subject_id, 0) = coalesce(w."statusId", w."subjectId", 0)
      AND n.created_at < w."replaceBefore"`,
  );

/** The notifications of an act on a status, of all recipients, unless it was done again. */
export const deleteUndoneOfStatuses = (db: Db, undone: Undone[]) =>
  deleteGiven(db, undone, db`n.status_id = w."statusId" AND NOT ${isCurrent(db)}`);

/** The notifications of an act on an account, unless it was done again. */
export const deleteUndoneOfAccounts = (db: Db, undone: Undone[]) =>
  deleteGiven(db, undone, db`n.account_id = w."accountId" AND NOT ${isCurrent(db)}`);

export const deleteNotification = async (db: Db, accountId: string, id: string) => {
  const gone = await db<Recipient[]>`
    DELETE FROM notifications WHERE id = ${id} AND account_id = ${accountId} RETURNING account_id
  `;
  invalidateRecipients(db, gone);
  return gone.length > 0;
};

export const deleteAll = async (db: Db, accountId: string): Promise<void> => {
  await db`DELETE FROM notifications WHERE account_id = ${accountId}`;
  invalidateOf(db, [accountId]);
};

const deleteSliceWhere = async (db: Db, condition: Fragment): Promise<boolean> => {
  const { rows, isMore } = await deleteSlice<Recipient>(
    db,
    "notifications",
    condition,
    db`account_id`,
  );
  invalidateRecipients(db, rows);
  return isMore;
};

/** A slice of those that an account got or caused; true when there may be more. */
export const deleteNotificationsOf = async (db: Db, accountId: string): Promise<boolean> => {
  const isMore = await deleteSliceWhere(db, db`account_id = ${accountId}`);
  return (await deleteSliceWhere(db, db`from_account_id = ${accountId}`)) || isMore;
};

/** Their ids are their times. */
export const deleteNotificationsBefore = (db: Db, before: Date) =>
  deleteSliceWhere(db, db`id < ${idAt(before)} ORDER BY id`);

const columns = (db: Db) =>
  db`n.id, n.account_id, n.from_account_id, n.type, n.status_id, n.subject_id,
    n.created_at`;

export const selectNotifications = (db: Db, ids: string[], now: Date) => db<NotificationRow[]>`
  SELECT ${columns(db)}
  FROM notifications n
  JOIN accounts f ON f.id = n.from_account_id AND f.suspended_at IS NULL
  WHERE n.id = ANY(${ids}::bigint[]) AND ${isUnblocked(db, db`n.account_id`, db`n.from_account_id`, now)}
  ORDER BY n.id
`;

export type NotificationFilter = { types: NotificationType[]; fromId: string | null };

/** Without those whose sender is suspended, blocked by either side or muted now. */
const shown = (db: Db, accountId: string, { types, fromId }: NotificationFilter, now: Date) => db`
  FROM notifications n
  JOIN accounts f ON f.id = n.from_account_id AND f.suspended_at IS NULL
  WHERE n.account_id = ${accountId} AND n.type = ANY(${types})
    ${fromId === null ? db`` : db`AND n.from_account_id = ${fromId}`}
    AND ${isUnblocked(db, db`n.account_id`, db`n.from_account_id`, now)}
`;

export const selectPage = (
  db: Db,
  accountId: string,
  page: Page,
  filter: NotificationFilter,
  now: Date,
) => db<NotificationRow[]>`
  SELECT ${columns(db)} ${shown(db, accountId, filter, now)}
    AND n.id > ${lowerBound(page)} AND n.id < ${upperBound(page)}
  ORDER BY n.id ${ascending(page) ? db`ASC` : db`DESC`}
  LIMIT ${page.limit}
`;

/** The number of notifications after the read marker, up to `limit`. */
export const countUnread = async (
  db: Db,
  { userId, accountId }: { userId: string; accountId: string },
  filter: NotificationFilter,
  limit: number,
  now: Date,
): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT ${shown(db, accountId, filter, now)}
        AND n.id > coalesce((SELECT last_read_id FROM markers
          WHERE user_id = ${userId} AND timeline = 'notifications'), 0)
      LIMIT ${limit}
    ) unread
  `;
  return row!.count;
};

/** Local accounts that reblogged a status. */
export const selectLocalRebloggers = async (db: Db, statusId: string): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT s.account_id AS id
    FROM statuses s JOIN accounts a ON a.id = s.account_id AND a.domain IS NULL
    WHERE s.reblog_of_id = ${statusId}
  `;
  return rows.map((row) => row.id);
};

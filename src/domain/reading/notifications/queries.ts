// Reads and deletes notifications.

import type { Db, Fragment, Tx } from "../../../platform/db/index.ts";
import { valuesOf } from "../../../platform/db/rows.ts";
import { SLICE, deleteSlice } from "../../../platform/db/delete-older.ts";
import { lockNamed } from "../../../platform/db/lock-named.ts";
import { inOrderOf, inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { reactionTo } from "../../posts/statuses/fragments.ts";
import type { Judged } from "./events.ts";
import { ifShown, isLeft, shownOfTypes, shownSender } from "./fragments.ts";
import { invalidateOf, invalidateRecipients, isCurrent, noticeRows } from "./queries-notify.ts";
import type { Recipient } from "./queries-notify.ts";
import { NOTIFICATION_TYPES } from "./tables.ts";
import type { NotificationFilter, NotificationRow, Notice, Undone } from "./tables.ts";

/** Deletes notifications for which the condition on `n`, and on the given `w`, holds. */
const deleteGiven = async (db: Db, notices: Partial<Notice>[], condition: Fragment) => {
  const gone = await db<Recipient[]>`
    DELETE FROM notifications n
    USING ${noticeRows(db, notices)}
    WHERE n.from_account_id = w."fromId" AND n.type = w.type AND ${condition}
    RETURNING n.account_id
  `;
  invalidateRecipients(db, gone);
};

/** Deletes older notifications that newer ones of the same kind replace. */
export const deleteReplaced = (db: Db, notices: Notice[]) =>
  deleteGiven(
    db,
    notices,
    db`n.account_id = w."accountId"
      AND coalesce(n.status_id, n.subject_id, 0) = coalesce(w."statusId", w."subjectId", 0)
      AND n.created_at < w."replaceBefore"`,
  );

/** Deletes the notifications of an act on a status, of all recipients, unless it was done again. */
export const deleteUndoneOfStatuses = (db: Db, undone: Undone[]) =>
  deleteGiven(db, undone, db`n.status_id = w."statusId" AND NOT ${isCurrent(db)}`);

/** Deletes the notifications of an act on an account, unless it was done again. */
export const deleteUndoneOfAccounts = (db: Db, undone: Undone[]) =>
  deleteGiven(db, undone, db`n.account_id = w."accountId" AND NOT ${isCurrent(db)}`);

export const deleteNotification = async (db: Db, accountId: string, id: string) => {
  const gone = await db<Recipient[]>`
    DELETE FROM notifications WHERE id = ${id} AND account_id = ${accountId} RETURNING account_id
  `;
  invalidateRecipients(db, gone);
  return gone.length > 0;
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

/** Deletes a slice of those that an account got or caused; returns true when there may be more. */
export const deleteNotificationsOf = async (db: Db, accountId: string): Promise<boolean> => {
  const isMore = await deleteSliceWhere(db, db`account_id = ${accountId}`);
  return (await deleteSliceWhere(db, db`from_account_id = ${accountId}`)) || isMore;
};

/**
 * Deletes a slice of all that an account has, the filtered ones first, because their requests are listed until then.
 */
export const deleteOwnSlice = async (db: Db, accountId: string): Promise<boolean> => {
  const isMore = await deleteSliceWhere(db, db`account_id = ${accountId} AND filtered`);
  return isMore || deleteSliceWhere(db, db`account_id = ${accountId}`);
};

/** Deletes a slice of those that were cleared. */
export const deleteClearedSlice = (db: Db, accountId: string): Promise<boolean> =>
  deleteSliceWhere(
    db,
    db`account_id = ${accountId}
      AND id <= (SELECT up_to FROM notification_clears WHERE account_id = ${accountId})`,
  );

/**
 * Puts away a slice of those whose sender is hidden from the recipient, and brings back those of whoever is no longer:
 * `filtered` is null while `was_filtered` keeps its value. Returns true when there may be more. Under the lock, no
 * statement that began earlier can put away what this one should bring back.
 */
export const judgeSlice = async (tx: Tx, { accountId, fromId }: Judged, now: Date) => {
  await lockNamed(tx, "notifications.hidden");
  const rows = await tx<Recipient[]>`
    UPDATE notifications SET filtered = was_filtered, was_filtered = filtered
    WHERE id = ANY(ARRAY(
      SELECT n.id FROM notifications n LEFT JOIN LATERAL ${ifShown(tx, tx`n.account_id`, now)} ON true
      WHERE (n.filtered IS NULL) = (sender.shown IS NOT NULL)
        ${accountId ? tx`AND n.account_id = ${accountId}` : tx``}
        ${fromId ? tx`AND n.from_account_id = ${fromId}` : tx``}
      LIMIT ${SLICE}
    ))
    RETURNING account_id
  `;
  invalidateRecipients(tx, rows);
  return rows.length === SLICE;
};

/** Hides all present notifications. */
export const markCleared = async (db: Db, accountId: string): Promise<void> => {
  await db`
    INSERT INTO notification_clears (account_id, up_to)
    SELECT ${accountId}, coalesce(max(id), 0) FROM notifications WHERE account_id = ${accountId}
    ON CONFLICT (account_id) DO UPDATE SET up_to = excluded.up_to
  `;
  invalidateOf(db, [accountId]);
};

/** Forgets the act of clearing, unless there are some again, since that person has cleared once more. */
export const forgetCleared = async (db: Db, accountId: string): Promise<void> => {
  await db`
    DELETE FROM notification_clears c WHERE account_id = ${accountId} AND NOT EXISTS (
      SELECT FROM notifications n WHERE n.account_id = c.account_id AND n.id <= c.up_to
    )
  `;
  invalidateOf(db, [accountId]);
};

/** Deletes old ones among those with the lowest ids, because they are in the order of their ids. */
export const deleteNotificationsBefore = (db: Db, before: Date) =>
  deleteSliceWhere(
    db,
    db`id IN (SELECT id FROM notifications ORDER BY id LIMIT ${SLICE}) AND created_at < ${before}`,
  );

const columns = (db: Db) =>
  db`n.id, n.account_id, n.from_account_id, n.type, n.status_id, n.subject_id, n.created_at,
    n.group_key, n.filtered,
    CASE WHEN n.type = 'favourite' THEN ${reactionTo(db, db`n.from_account_id`, db`n.status_id`)} END AS reaction`;

export const selectNotifications = (db: Db, ids: string[], now: Date) => db<NotificationRow[]>`
  SELECT ${columns(db)}
  FROM notifications n
  ${shownSender(db, db`n.account_id`, now)}
  WHERE n.id = ANY(${ids}::bigint[]) AND ${isLeft(db, db`n.account_id`)}
  ORDER BY n.id
`;

const isOfAll = ({ types, fromId, filtered, reactions }: NotificationFilter): boolean =>
  types.length === NOTIFICATION_TYPES.length &&
  fromId === null &&
  !filtered.includes(true) &&
  (reactions === null || reactions === "beside");

/** Reads by the index that fits the request. */
export const selectPage = (
  db: Db,
  accountId: string,
  page: Page,
  filter: NotificationFilter,
  now: Date,
): Promise<NotificationRow[]> => {
  const limited = db`AND ${inPage(db, page, "n.id")}`;
  if (isOfAll(filter)) {
    return db<NotificationRow[]>`
      SELECT ${columns(db)} FROM notifications n
      ${shownSender(db, accountId, now)}
      WHERE n.account_id = ${accountId} AND NOT n.filtered AND ${isLeft(db, accountId)} ${limited}
    `;
  }
  return db<NotificationRow[]>`
    SELECT ${columns(db)} FROM ${shownOfTypes(db, accountId, filter, now, limited)}
    ${inOrderOf(db, page, "n.id")} LIMIT ${page.limit}
  `;
};

/** Selects local accounts that reblogged a status. */
export const selectLocalRebloggers = (db: Db, statusId: string): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT s.account_id AS id
    FROM statuses s JOIN accounts a ON a.id = s.account_id AND a.domain IS NULL
    WHERE s.reblog_of_id = ${statusId}
  `);

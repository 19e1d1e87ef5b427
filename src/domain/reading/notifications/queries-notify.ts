// SQL that writes notifications. Writes invalidate `notifications:ACCOUNT` (cached-page.ts).

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db, Fragment } from "../../../platform/db/index.ts";
import type { StoredEvent } from "../../../platform/outbox/index.ts";
import { eventInsert } from "../../../platform/outbox/queries.ts";
import { visibleTo } from "../../posts/statuses/fragments.ts";
import "./events.ts";
import { isChosen, isJudged, isUnblocked } from "./fragments.ts";
import { GROUPED_TYPES, OWN_TYPES } from "./tables.ts";
import type { Notice } from "./tables.ts";

/** Hours within which acts are grouped (limits.json of the contract, group_span_hours). */
const GROUP_HOURS = 12;

/** Invalidates the cached notifications of these accounts. */
export const invalidateOf = (db: Db, accountIds: string[]): void =>
  invalidate(db, ...accountIds.map((id) => `notifications:${id}` as const));

export type Recipient = { account_id: string };

export const invalidateRecipients = (db: Db, changed: Recipient[]): void =>
  invalidate(db, ...changed.map((row) => `notifications:${row.account_id}` as const));

/** Makes the condition that the recipient did not mute the conversation of the status. */
const isUnmuted = (db: Db, recipient: Fragment) => db`
  NOT EXISTS (
    SELECT FROM conversation_mutes c
    WHERE c.account_id = ${recipient} AND c.conversation_id = t.conversation_id
  )
`;

/** Makes the condition that the act of a notice (`w`) holds now: it may have been undone, or done again, since. */
export const isCurrent = (db: Db) => db`
  CASE w.type
    WHEN 'follow' THEN (SELECT true FROM follows f
      WHERE f.account_id = w."fromId" AND f.target_account_id = w."accountId") IS NOT NULL
    WHEN 'follow_request' THEN (SELECT true FROM follow_requests f
      WHERE f.account_id = w."fromId" AND f.target_account_id = w."accountId") IS NOT NULL
    WHEN 'favourite' THEN (SELECT true FROM favourites f
      WHERE f.account_id = w."fromId" AND f.status_id = w."statusId") IS NOT NULL
    WHEN 'reblog' THEN EXISTS (SELECT FROM statuses o
      WHERE o.account_id = w."fromId" AND o.reblog_of_id = w."statusId")
    WHEN 'mention' THEN (SELECT true FROM mentions m
      WHERE m.status_id = w."statusId" AND m.account_id = w."accountId") IS NOT NULL
    ELSE true
  END
`;

/** Makes the condition that a notice (`w`) is of a favourite that has an emoji now; an index has only these. */
const isReacted = (db: Db) => db`
  (w.type = 'favourite' AND EXISTS (SELECT FROM favourites f
    WHERE f.account_id = w."fromId" AND f.status_id = w."statusId" AND f.reaction IS NOT NULL))
`;

export const noticeRows = (db: Db, notices: Partial<Notice>[]) => db`
  jsonb_to_recordset(${db.json(notices.map((notice, n) => ({ n, ...notice })) as never)}) AS w (
    n int, "accountId" bigint, "fromId" bigint, type text, "statusId" bigint, "subjectId" bigint,
    "replaceBefore" timestamptz
  )
`;

/**
 * Makes the key of the recipient's group that has begun within the span, or of a new one: the act, its status, and the
 * hour of the first. It is found in a range of the primary key, because popular people have very many groups; other
 * keys, which the rules of a language may sort in between, are left out afterwards.
 */
const groupKey = (db: Db, now: Date) => {
  const hour = Math.floor(now.getTime() / 3_600_000);
  const keyOf = (begun: number) => db`concat_ws('-', w.type, w."statusId", ${String(begun)}::text)`;
  return db`CASE WHEN w.type = ANY(${GROUPED_TYPES}) THEN coalesce(
    (
      SELECT g.group_key FROM notification_groups g
      WHERE g.account_id = r.id AND g.group_key BETWEEN ${keyOf(hour - GROUP_HOURS + 1)} AND ${keyOf(hour)}
        AND concat_ws('-', g.type, g.status_id) = concat_ws('-', w.type, w."statusId")
      ORDER BY g.latest_id DESC LIMIT 1
    ),
    ${keyOf(hour)}
  ) END`;
};

/**
 * Inserts new ones with their events; existing ones stay unchanged. Leaves out recipients who are remote or suspended,
 * the sender (except for notifications about oneself), pairs with a block or mute, people who may not see the status,
 * acts that were undone, and what the recipient's policy drops. Filtered ones have no event.
 */
export const insertNotifications = (
  db: Db,
  notices: Notice[],
  now: Date,
  owner: string | null,
) => db<StoredEvent<"notification.created">[]>`
  WITH created AS (
    INSERT INTO notifications
      (account_id, from_account_id, type, status_id, subject_id, created_at, group_key, reacted, filtered)
    SELECT r.id, s.id, w.type, w."statusId", w."subjectId", ${now}::timestamptz, ${groupKey(db, now)},
      ${isReacted(db)},
      ${isJudged(db, db`w.type`)} AND coalesce(${isChosen(db, db`w.type`, "filter", now)}, false)
    FROM ${noticeRows(db, notices)}
    JOIN accounts r ON r.id = w."accountId" AND r.domain IS NULL AND r.suspended_at IS NULL
    JOIN accounts s ON s.id = w."fromId" AND s.suspended_at IS NULL
    LEFT JOIN statuses t ON t.id = w."statusId"
    LEFT JOIN notification_policies y ON y.account_id = r.id
    WHERE (r.id <> s.id OR w.type = ANY(${OWN_TYPES}))
      AND ${isUnblocked(db, db`r.id`, db`s.id`, now)}
      AND (w."statusId" IS NULL
        OR t.id IS NOT NULL AND ${visibleTo(db, { kind: "person", id: db`r.id` }, "t")} AND ${isUnmuted(db, db`r.id`)})
      AND ${isCurrent(db)}
      AND NOT (${isJudged(db, db`w.type`)} AND coalesce(${isChosen(db, db`w.type`, "drop", now)}, false))
    ORDER BY w.n
    ON CONFLICT (account_id, type, from_account_id, (coalesce(status_id, subject_id, 0)))
      DO NOTHING
    RETURNING id, account_id, filtered
  )
  ${eventInsert(
    db,
    owner,
    db`SELECT 'notification.created',
      jsonb_build_object('id', id::text, 'accountId', account_id::text) FROM created WHERE NOT filtered`,
  )}
`;

/** Says of notifications that there are whether their favourites have an emoji, which may have come or gone since. */
export const updateReacted = async (db: Db, notices: Partial<Notice>[]): Promise<void> => {
  const rows = await db<Recipient[]>`
    UPDATE notifications n SET reacted = ${isReacted(db)} FROM ${noticeRows(db, notices)}
    WHERE n.from_account_id = w."fromId" AND n.type = w.type AND n.status_id = w."statusId"
    RETURNING n.account_id
  `;
  invalidateRecipients(db, rows);
};

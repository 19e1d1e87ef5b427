// The SQL that writes notifications.

import type { Db, Fragment } from "../../platform/db/index.ts";
import { addDays } from "../../platform/ids/index.ts";
import type { StoredEvent } from "../../platform/outbox/index.ts";
import { eventInsert } from "../../platform/outbox/queries.ts";
import { closedToFollowers, visibleTo } from "../statuses/fragments.ts";
import "./events.ts";
import { isUnblocked } from "./fragments.ts";
import { GROUPED_TYPES, OWN_TYPES, UNJUDGED_TYPES } from "./tables.ts";
import type { Notice } from "./tables.ts";

/** A group takes what happens within as many hours (contract: limits.json, group_span_hours). */
const GROUP_HOURS = 12;
/** Somebody is a follower after three days, and an account new for thirty. */
const FOLLOWER_DAYS = 3;
const ACCOUNT_DAYS = 30;

/** The recipient did not mute the conversation of the status. */
const isUnmuted = (db: Db, recipient: Fragment) => db`
  NOT EXISTS (
    SELECT FROM conversation_mutes c
    WHERE c.account_id = ${recipient} AND c.conversation_id = t.conversation_id
  )
`;

/** The act of a notice (`w`) holds now: it may have been undone, or done again, since. */
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

export const given = (db: Db, notices: Partial<Notice>[]) => db`
  jsonb_to_recordset(${db.json(notices.map((one, n) => ({ n, ...one })) as never)}) AS w (
    n int, "accountId" bigint, "fromId" bigint, type text, "statusId" bigint, "subjectId" bigint,
    "replaceBefore" timestamptz
  )
`;

/** Whether the recipient follows the sender. */
const isFollowed = (db: Db) => db`
  (SELECT true FROM follows f WHERE f.account_id = r.id AND f.target_account_id = s.id) IS NOT NULL
`;

/** A direct post in a thread in which the recipient has not mentioned the sender. */
const isPrivateMention = (db: Db) => db`
  w.type = 'mention' AND ${closedToFollowers(db, "t")} AND NOT EXISTS (
    SELECT FROM statuses o JOIN mentions m ON m.status_id = o.id AND m.account_id = s.id
    WHERE o.conversation_id = t.conversation_id AND o.local AND o.account_id = r.id
  )
`;

/** The recipient's policy (`y`) has the choice for a class of senders that this one belongs to. */
const isChosen = (db: Db, choice: "filter" | "drop", now: Date) => db`(
  coalesce(y.for_private_mentions, 'filter') = ${choice} AND ${isPrivateMention(db)}
    AND NOT ${isFollowed(db)}
  OR coalesce(y.for_limited_accounts, 'filter') = ${choice} AND s.silenced_at IS NOT NULL
    AND NOT ${isFollowed(db)}
  OR y.for_not_following = ${choice} AND NOT ${isFollowed(db)}
  OR y.for_not_followers = ${choice} AND (
    SELECT true FROM follows f
    WHERE f.account_id = s.id AND f.target_account_id = r.id
      AND f.created_at <= ${addDays(now, -FOLLOWER_DAYS)}
  ) IS NULL
  OR y.for_new_accounts = ${choice} AND s.created_at > ${addDays(now, -ACCOUNT_DAYS)}
    AND NOT ${isFollowed(db)}
  OR y.for_bots = ${choice} AND s.actor_type IN ('Service', 'Application') AND NOT ${isFollowed(db)}
)`;

/** The policy may apply: it is an act of somebody whom the recipient has not let through. */
const isJudged = (db: Db) => db`
  w.type <> ALL(${UNJUDGED_TYPES}) AND (
    SELECT true FROM notification_permissions p
    WHERE p.account_id = r.id AND p.from_account_id = s.id
  ) IS NULL
`;

/**
 * The key of the recipient's group that has begun within the span, or of a new one: what was done, to which
 * status, and the hour of the first.
 */
const groupKey = (db: Db, now: Date) => {
  const hour = Math.floor(now.getTime() / 3_600_000);
  const hours = Array.from({ length: GROUP_HOURS }, (_, back) => String(hour - back));
  return db`CASE WHEN w.type = ANY(${GROUPED_TYPES}) THEN coalesce(
    (
      SELECT g.group_key FROM notification_groups g
      WHERE g.account_id = r.id AND g.group_key = ANY(ARRAY(
        SELECT concat_ws('-', w.type, w."statusId", begun) FROM unnest(${hours}::text[]) AS begun
      ))
      ORDER BY g.latest_id DESC LIMIT 1
    ),
    concat_ws('-', w.type, w."statusId", ${hours[0]!}::text)
  ) END`;
};

/**
 * Inserts the new ones, with their events; existing ones stay unchanged. Left out: recipients who are
 * remote or suspended, the sender (except for what people get of themselves), pairs with a block or mute, those
 * who may not see the status, acts that were undone, and what the recipient's policy drops. What it filters
 * has no event.
 */
export const insertNotifications = (
  db: Db,
  notices: Notice[],
  now: Date,
  owner: string | null,
) => db<StoredEvent<"notification.created">[]>`
  WITH created AS (
    INSERT INTO notifications
      (account_id, from_account_id, type, status_id, subject_id, created_at, group_key, filtered)
    SELECT r.id, s.id, w.type, w."statusId", w."subjectId", ${now}::timestamptz, ${groupKey(db, now)},
      ${isJudged(db)} AND coalesce(${isChosen(db, "filter", now)}, false)
    FROM ${given(db, notices)}
    JOIN accounts r ON r.id = w."accountId" AND r.domain IS NULL AND r.suspended_at IS NULL
    JOIN accounts s ON s.id = w."fromId" AND s.suspended_at IS NULL
    LEFT JOIN statuses t ON t.id = w."statusId"
    LEFT JOIN notification_policies y ON y.account_id = r.id
    WHERE (r.id <> s.id OR w.type = ANY(${OWN_TYPES}))
      AND ${isUnblocked(db, db`r.id`, db`s.id`, now)}
      AND (w."statusId" IS NULL
        OR t.id IS NOT NULL AND ${visibleTo(db, { kind: "person", id: db`r.id` }, "t")} AND ${isUnmuted(db, db`r.id`)})
      AND ${isCurrent(db)}
      AND NOT (${isJudged(db)} AND coalesce(${isChosen(db, "drop", now)}, false))
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

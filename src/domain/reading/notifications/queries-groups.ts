// Reads and dismisses groups of notifications. A page reads one row for each group, and eight of its notifications,
// however many there are (docs/design/notifications.md).

import type { Db, Fragment } from "../../../platform/db/index.ts";
import { onlyValue } from "../../../platform/db/rows.ts";
import { ascending, inPage, lowerBound, upperBound } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { reactionTo } from "../../posts/statuses/fragments.ts";
import { isLeft, shownOfTypes, shownSender } from "./fragments.ts";
import { invalidateOf } from "./queries-notify.ts";
import { GROUPED_TYPES } from "./tables.ts";
import type { GroupRow, NotificationFilter, NotificationType } from "./tables.ts";

/** Senders that a group names (limits.json of the contract, group_sample_accounts). */
const SAMPLES = 8;

/** `grouped` are the types that are grouped; each notification of other types is alone. */
export type GroupFilter = NotificationFilter & { grouped: NotificationType[] };

/** Selects the newest notifications of the group `e` that are shown. */
const members = (db: Db, accountId: string, now: Date, limit: number, columns: Fragment) => db`
  SELECT ${columns} FROM notifications n
  ${shownSender(db, accountId, now)}
  WHERE n.account_id = ${accountId} AND n.group_key = e.group_key AND NOT n.filtered
    AND ${isLeft(db, accountId)}
  ORDER BY n.id DESC LIMIT ${limit}
`;

/** Selects the entries with their members, in the order of a page. */
const withMembers = (db: Db, accountId: string, now: Date, order: Fragment) => db`
  SELECT e.group_key, e.type, e.status_id, e.subject_id, e.id, e.count,
    coalesce(e.created_at, m.created_at) AS created_at,
    CASE WHEN e.group_key IS NULL THEN ARRAY[e.id::text] ELSE m.ids END AS member_ids,
    CASE WHEN e.group_key IS NULL THEN ARRAY[e.from_account_id::text] ELSE m.senders END AS sender_ids,
    CASE WHEN e.type <> 'favourite' THEN NULL WHEN e.group_key IS NOT NULL THEN m.reactions
      ELSE json_build_array(${reactionTo(db, db`e.from_account_id`, db`e.status_id`)}) END AS reactions
  FROM page e
  LEFT JOIN LATERAL (
    SELECT max(m.created_at) AS created_at, array_agg(m.id::text ORDER BY m.id DESC) AS ids,
      array_agg(m.from_account_id::text ORDER BY m.id DESC) AS senders,
      json_agg(CASE WHEN e.type = 'favourite' THEN
        ${reactionTo(db, db`m.from_account_id`, db`e.status_id`)} END ORDER BY m.id DESC) AS reactions
    FROM (${members(db, accountId, now, SAMPLES, db`n.id, n.from_account_id, n.created_at`)}) AS m
  ) AS m ON e.group_key IS NOT NULL
  WHERE e.group_key IS NULL OR m.ids IS NOT NULL
  ORDER BY e.id ${order}
`;

/** Selects a notification `n` as an entry of a page. */
const single = (db: Db) => db`
  n.id, NULL::text AS group_key, n.type, n.status_id, n.subject_id, n.from_account_id, n.created_at,
  1 AS count
`;

/** Selects a group `e` as an entry of a page, by the id of its newest notification. */
const group = (db: Db, id = db`e.latest_id`, createdAt = db`NULL::timestamptz`) => db`
  ${id} AS id, e.group_key, e.type, e.status_id, NULL::bigint AS subject_id,
  NULL::bigint AS from_account_id, ${createdAt} AS created_at, e.count
`;

/** Splits types into those that make groups, and those whose notifications stand alone. */
const split = ({ types, grouped }: GroupFilter) => {
  const isGrouped = (type: NotificationType) =>
    GROUPED_TYPES.includes(type) && grouped.includes(type);
  return {
    inGroups: types.filter(isGrouped),
    alone: types.filter((type) => !isGrouped(type)),
  };
};

type Read = { limited: (id: Fragment) => Fragment; now: Date };

const groupsOfTypes = (db: Db, accountId: string, types: NotificationType[], read: Read) => db`
  SELECT ${group(db)}
  FROM unnest(${types}::text[]) AS wanted (type)
  CROSS JOIN LATERAL (
    SELECT * FROM notification_groups e
    WHERE e.account_id = ${accountId} AND e.type = wanted.type
      AND (${members(db, accountId, read.now, 1, db`n.id`)}) IS NOT NULL
      ${read.limited(db`e.latest_id`)}
  ) AS e
`;

/** Selects the groups with notifications by one sender. */
const groupsOfSender = (db: Db, accountId: string, filter: NotificationFilter, read: Read) => db`
  SELECT ${group(db, db`n.id`, db`n.created_at`)}
  FROM ${shownOfTypes(db, accountId, { ...filter, filtered: [false] }, read.now, read.limited(db`n.id`))}
  JOIN notification_groups e ON e.account_id = ${accountId} AND e.group_key = n.group_key
`;

const singles = (db: Db, accountId: string, filter: NotificationFilter, read: Read) => db`
  SELECT ${single(db)}
  FROM ${shownOfTypes(db, accountId, filter, read.now, read.limited(db`n.id`))}
`;

/** Selects the entries of a page: groups, and notifications that stand alone (all filtered ones do). */
const entries = (db: Db, accountId: string, filter: GroupFilter, read: Read) => {
  const { inGroups, alone } = split(filter);
  const ofGroups = { ...filter, types: inGroups };
  const condition = filter.filtered.includes(true)
    ? db`UNION ALL (${singles(db, accountId, { ...ofGroups, filtered: [true] }, read)})`
    : db``;
  return db`
    (${
      filter.fromId === null
        ? groupsOfTypes(db, accountId, inGroups, read)
        : groupsOfSender(db, accountId, ofGroups, read)
    })
    UNION ALL (${singles(db, accountId, { ...filter, types: alone }, read)})
    ${condition}
  `;
};

export const selectGroupPage = (
  db: Db,
  accountId: string,
  page: Page,
  filter: GroupFilter,
  now: Date,
) => {
  const order = ascending(page) ? db`ASC` : db`DESC`;
  const limited = (id: Fragment) => db`
    AND ${id} > ${lowerBound(page)} AND ${id} < ${upperBound(page)}
    ORDER BY ${id} ${order} LIMIT ${page.limit}
  `;
  return db<GroupRow[]>`
    WITH page AS (
      SELECT * FROM (${entries(db, accountId, filter, { limited, now })}) AS e
      ORDER BY e.id ${order} LIMIT ${page.limit}
    )
    ${withMembers(db, accountId, now, order)}
  `;
};

/** Counts the groups with something newer than the read marker, up to `limit`. */
export const countUnreadGroups = async (
  db: Db,
  accountId: string,
  filter: GroupFilter,
  limit: number,
  now: Date,
): Promise<number> => {
  const limited = (id: Fragment) => db`
    AND ${id} > (SELECT id FROM read) ORDER BY ${id} DESC LIMIT ${limit}
  `;
  return onlyValue(db<{ count: number }[]>`
    WITH read AS (
      SELECT coalesce((SELECT last_read_id FROM markers
        WHERE user_id = (SELECT id FROM users WHERE account_id = ${accountId})
          AND timeline = 'notifications'), 0) AS id
    )
    SELECT least(count(*), ${limit})::int AS count
    FROM (${entries(db, accountId, filter, { limited, now })}) AS e
  `);
};

/** A notification alone by its id, or a group by its key. */
export type GroupName = { id: string } | { key: string };

const named = (db: Db, accountId: string, name: GroupName) =>
  "id" in name
    ? db`n.account_id = ${accountId} AND n.id = ${name.id}`
    : db`n.account_id = ${accountId} AND n.group_key = ${name.key}`;

export const selectGroup = (db: Db, accountId: string, name: GroupName, now: Date) => {
  const from =
    "id" in name
      ? db`SELECT ${single(db)} FROM notifications n
          ${shownSender(db, accountId, now)}
          WHERE ${named(db, accountId, name)} AND ${isLeft(db, accountId)}`
      : db`SELECT ${group(db)} FROM notification_groups e
          WHERE e.account_id = ${accountId} AND e.group_key = ${name.key}`;
  return db<GroupRow[]>`
    WITH page AS (${from})
    ${withMembers(db, accountId, now, db`DESC`)}
  `;
};

/** Selects the senders of a page of the group's notifications. */
export const selectSenders = (
  db: Db,
  accountId: string,
  name: GroupName,
  page: Page,
  now: Date,
) => db<{ id: string; from_account_id: string }[]>`
  SELECT n.id, n.from_account_id FROM notifications n
  ${shownSender(db, accountId, now)}
  WHERE ${named(db, accountId, name)} AND NOT n.filtered AND ${isLeft(db, accountId)}
    AND ${inPage(db, page, "n.id")}
`;

export const deleteGroup = async (db: Db, accountId: string, name: GroupName): Promise<void> => {
  await db`DELETE FROM notifications n WHERE ${named(db, accountId, name)}`;
  invalidateOf(db, [accountId]);
};

// SQL that rebuilds home and list feeds, by the rules in belongs.ts.

import type { Db, Fragment } from "../../../platform/db/index.ts";
import { valuesOf } from "../../../platform/db/rows.ts";
import { FEED_LENGTH, REPEAT_SPAN } from "../../../platform/feeds/index.ts";
import type { FeedContent } from "../../../platform/feeds/index.ts";
import type { ListRef } from "../../people/lists/tables.ts";
import { belongsInHome, belongsInList, listMembers } from "./fragments.ts";

/**
 * Reads ids from one text, a boost as its id, a colon and the id of the original: as rows, a thousand of them cost more
 * to parse than to find.
 */
const split = (text: string | null): FeedContent => {
  const boosts = new Map<string, string>();
  const ids = (text?.split(",") ?? []).map((entry) => {
    const [id, of] = entry.split(":") as [string, string?];
    if (of !== undefined) boosts.set(id, of);
    return id;
  });
  return { ids, boosts, floor: null };
};

const joined = (db: Db) => db`string_agg(concat_ws(':', id, of), ',') AS ids`;

/**
 * Describes a feed before a block or mute: `followed` count as still followed (and as in the list), and the mutes of
 * `unmuted` are ignored.
 */
export type Before = { followed: string[]; unmuted: string[] };

/** More than anybody follows. */
const ALL = 1_000_000_000;

const NOTHING: Before = { followed: [], unmuted: [] };

/**
 * How far a query looks back: `among` of the newest ids (null for all, as far as `each` goes), and not beyond the
 * newest ids of `people`.
 */
type Reach = { length: number; people: number; among: number | null; each: number };

type HomeRow = { ids: string | null; reached: string };

/**
 * Reads the newest `among` statuses of the people whom the account follows and with the tags that it follows, at most
 * `each` of one person or tag. The newest id of each person tells how far back to look. Only ids are read for all of
 * them, from statuses_account and statuses_tags; whole rows only until the feed is full: OFFSET 0 keeps the planner
 * from reading every row first. It takes 6 ms for 500 follows, as one step 42 ms. `tag_id` is null where it was found
 * by its author. `reached` is the id from which everything was looked at.
 */
const selectHomeAmong = async (
  db: Db,
  accountId: string,
  { length, people, among, each }: Reach,
  before: Before,
): Promise<HomeRow> => {
  const [row] = await db<[HomeRow]>`
  WITH followed AS MATERIALIZED (
    SELECT target_account_id AS id, languages, show_reblogs AND target_account_id NOT IN (
      SELECT target_account_id FROM mutes WHERE account_id = ${accountId}
        AND target_account_id <> ALL(${before.unmuted}::bigint[])) AS show_reblogs,
      show_replies, daily_limit
    FROM follows f
    WHERE account_id = ${accountId} AND NOT EXISTS (SELECT FROM list_accounts x
      WHERE x.exclusive AND x.account_id = f.target_account_id AND x.owner_id = f.account_id)
    UNION ALL
    SELECT b.id, NULL, true, true, NULL FROM unnest(${before.followed}::bigint[]) AS b (id)
    UNION ALL
    SELECT ${accountId}::bigint, NULL, true, true, NULL
  ), writing AS MATERIALIZED (
    SELECT f.*, s.id AS newest_id
    FROM followed f
    CROSS JOIN LATERAL (
      SELECT id FROM statuses WHERE account_id = f.id ORDER BY id DESC LIMIT 1
    ) s
  ), horizon AS MATERIALIZED (
    SELECT coalesce((
      SELECT newest_id FROM writing ORDER BY newest_id DESC LIMIT 1 OFFSET ${people}
    ), 0) AS id
  ), newest AS MATERIALIZED (
    SELECT s.id, NULL::bigint AS tag_id, f.show_reblogs, f.languages, f.show_replies, f.daily_limit
    FROM writing f
    CROSS JOIN LATERAL (
      SELECT id FROM statuses
      WHERE account_id = f.id AND id >= (SELECT id FROM horizon)
      ORDER BY id DESC LIMIT ${each}
    ) s
    WHERE f.newest_id >= (SELECT id FROM horizon)
    UNION ALL
    SELECT st.status_id, tf.tag_id, true, NULL, true, NULL
    FROM tag_follows tf
    CROSS JOIN LATERAL (
      SELECT status_id FROM statuses_tags
      WHERE tag_id = tf.tag_id AND status_id >= (SELECT id FROM horizon)
      ORDER BY status_id DESC LIMIT ${each}
    ) st
    WHERE tf.account_id = ${accountId}
    ORDER BY 1 DESC
    LIMIT ${among}
  )
  SELECT ${joined(db)}, (
    SELECT CASE WHEN count(*) = ${among} THEN min(id) ELSE (SELECT id FROM horizon) END FROM newest
  ) AS reached
  FROM (
    SELECT DISTINCT m.id, s.reblog_of_id AS of
    FROM newest m
    CROSS JOIN LATERAL (SELECT * FROM statuses WHERE id = m.id OFFSET 0) s
    WHERE ${belongsInHome(db, accountId)}
    ORDER BY m.id DESC
    LIMIT ${length}
  ) found
`;
  return row;
};

/** Selects the content of a home feed. */
export const selectHome = async (
  db: Db,
  accountId: string,
  length = FEED_LENGTH,
  before = NOTHING,
): Promise<FeedContent> => {
  // These are almost always enough, except where most of the followed mostly reply to others.
  const some = { length, people: ALL, among: length * 2, each: length };
  const content = split((await selectHomeAmong(db, accountId, some, before)).ids);
  if (content.ids.length === length) return content;
  return split((await selectHomeAmong(db, accountId, { ...some, among: null }, before)).ids);
};

/** Entries of a full page, and those before it that decide which of its boosts are repetitions. */
const RECENT_LENGTH = 40 + 2 * REPEAT_SPAN;

/** Selects the newest part of a home feed, in a fraction of the time. */
export const selectRecentHome = async (db: Db, accountId: string, length = RECENT_LENGTH) => {
  const among = length * 2;
  const reach = { length, people: length, among, each: among };
  const row = await selectHomeAmong(db, accountId, reach, NOTHING);
  const content = split(row.ids);
  if (content.ids.length === length) return { ...content, floor: content.ids.at(-1)! };
  return { ...content, floor: row.reached === "0" ? null : row.reached };
};

/** Selects the content of a list's feed: statuses of those members who are followed, and one's own. */
export const selectListFeed = async (
  db: Db,
  listId: string,
  length = FEED_LENGTH,
  before = NOTHING,
): Promise<FeedContent> => {
  const [row] = await db<[{ ids: string | null }]>`
      WITH members AS (
        SELECT id, languages, show_reblogs, show_replies, daily_limit
        FROM (${listMembers(db, before.unmuted)}) x WHERE list_id = ${listId}
        UNION ALL
        SELECT b.id, NULL, true, true, NULL FROM unnest(${before.followed}::bigint[]) AS b (id)
      ), newest AS MATERIALIZED (
        SELECT s.id, m.show_reblogs, m.languages, m.show_replies, m.daily_limit
        FROM members m
        CROSS JOIN LATERAL (
          SELECT id FROM statuses WHERE account_id = m.id ORDER BY id DESC LIMIT ${length}
        ) s
        ORDER BY s.id DESC
      )
      SELECT ${joined(db)} FROM (
        SELECT m.id, s.reblog_of_id AS of
        FROM newest m
        CROSS JOIN LATERAL (SELECT * FROM statuses WHERE id = m.id OFFSET 0) s
        JOIN lists l ON l.id = ${listId}
        WHERE ${belongsInList(db)}
        ORDER BY m.id DESC
        LIMIT ${length}
      ) found
    `;
  return split(row.ids);
};

/** Selects those of the statuses that are by one account or domain, and boosts of theirs; newest first. */
export const selectHiddenAmong = async (
  db: Db,
  ids: string[],
  { targetId, domain }: { targetId: string | null; domain: string | null },
): Promise<string[]> => {
  const isHidden = (author: Fragment) =>
    domain === null
      ? db`${author} = ${targetId}`
      : db`${author} IN (SELECT id FROM accounts a WHERE a.id = ${author} AND a.domain = ${domain})`;
  return valuesOf(db<{ id: string }[]>`
    SELECT s.id
    FROM statuses s LEFT JOIN statuses o ON o.id = s.reblog_of_id
    WHERE s.id = ANY(${ids}::bigint[])
      AND (${isHidden(db`s.account_id`)} OR ${isHidden(db`o.account_id`)})
    ORDER BY s.id DESC
  `);
};

/** Selects the lists of these people. */
export const selectListsOf = async (db: Db, ownerIds: string[]): Promise<ListRef[]> => {
  const rows = await db<{ id: string; account_id: string }[]>`
    SELECT id, account_id FROM lists WHERE account_id = ANY(${ownerIds}::bigint[])
  `;
  return rows.map(({ id, account_id: ownerId }) => ({ id, ownerId }));
};

// SQL that finds the readers of an author or a tag, and the lists that a status goes into.

import type { Db } from "../../../platform/db/index.ts";
import { onlyRow } from "../../../platform/db/rows.ts";
import type { ListRef } from "../../people/lists/tables.ts";
import { belongsInList, earlierCount, listMembers, tagMutes } from "./fragments.ts";

/** What a follower wants of an author. */
export type Preference = {
  reblogs: boolean;
  replies: boolean;
  /** Daily limit of posts; null for all. */
  limit: number | null;
  languages: string[] | null;
};

/** The followers of an author. Ids come as one text: as rows, a thousand cost more to parse than to find. */
export type AudienceRow = {
  id: string;
  /** Ids of local followers, as one text. */
  ids: string | null;
  /** Local followers who do not want everything. */
  selective: ({ id: string } & Preference)[] | null;
  /** Ids of local followers who are notified of every post. */
  notified: string[] | null;
  /** Ids of people who have the author in an exclusive list. */
  in_exclusive_list: string[] | null;
  listed: boolean;
  has_remote: boolean;
  /** Whether there are too many followers to be read at once. */
  wide: boolean;
  wide_elsewhere: boolean;
};

const muting = (db: Db) =>
  db`f.account_id IN (SELECT account_id FROM mutes WHERE target_account_id = a.id)`;

/** Makes JSON of followers `f` of the author `a`. */
const preferences = (db: Db) => db`json_agg(json_build_object(
  'id', f.account_id::text, 'reblogs', f.show_reblogs AND NOT ${muting(db)}, 'languages', f.languages,
  'replies', f.show_replies, 'limit', f.daily_limit))`;

const isSelective = (db: Db) => db`(NOT f.show_reblogs OR NOT f.show_replies
  OR f.daily_limit IS NOT NULL OR f.languages IS NOT NULL OR ${muting(db)})`;

/** Followers, here or elsewhere, up to which they are read at once. */
export type Most = { here: number; elsewhere: number };

/** Selects one row for each of the authors; without the followers where there are more here than `most`. */
export const selectAudiences = (db: Db, authorIds: string[], most: Most) => db<AudienceRow[]>`
  SELECT a.id, w.wide,
    (SELECT string_agg(f.account_id::text, ',') FROM follows f
      WHERE NOT w.wide AND f.local AND f.target_account_id = a.id) AS ids,
    (SELECT ${preferences(db)} FROM follows f
      WHERE NOT w.wide AND f.local AND f.target_account_id = a.id AND ${isSelective(db)}) AS selective,
    (SELECT array_agg(f.account_id::text) FROM follows f
      WHERE NOT w.wide AND f.notify AND f.local AND f.target_account_id = a.id) AS notified,
    (SELECT array_agg(x.owner_id::text) FROM list_accounts x
      WHERE x.exclusive AND x.account_id = a.id) AS in_exclusive_list,
    EXISTS (SELECT FROM list_accounts x WHERE x.account_id = a.id) AS listed,
    EXISTS (SELECT FROM follows f WHERE NOT f.local AND f.target_account_id = a.id) AS has_remote,
    EXISTS (
      SELECT FROM follows f WHERE NOT f.local AND f.target_account_id = a.id OFFSET ${most.elsewhere}
    ) AS wide_elsewhere
  FROM unnest(${authorIds}::bigint[]) AS a (id), LATERAL (
    SELECT EXISTS (
      SELECT FROM follows f WHERE f.local AND f.target_account_id = a.id OFFSET ${most.here}
    ) AS wide
  ) AS w
`;

export type AudiencePartRow = Pick<AudienceRow, "ids" | "selective">;

/** `among` restricts to these people. */
export type PartOf = { after: string; limit: number; among: string[] | null };

/** Selects the next local followers of an author after this one, in the order of their ids. */
export const selectAudiencePart = (
  db: Db,
  authorId: string,
  { after, limit, among }: PartOf,
): Promise<AudiencePartRow> =>
  onlyRow(db<AudiencePartRow[]>`
    WITH part AS MATERIALIZED (
      SELECT account_id, show_reblogs, show_replies, daily_limit, languages FROM follows
      WHERE local AND target_account_id = ${authorId} AND account_id > ${after}
        ${among ? db`AND account_id = ANY(${among}::bigint[])` : db``}
      ORDER BY account_id LIMIT ${limit}
    )
    SELECT
      (SELECT string_agg(account_id::text, ',' ORDER BY account_id) FROM part) AS ids,
      (SELECT ${preferences(db)} FROM part AS f WHERE ${isSelective(db)}) AS selective
    FROM (SELECT ${authorId}::bigint) AS a (id)
  `);

/** Selects the next people after this one who are notified of every post of the author. */
export const selectNotifiedPart = (db: Db, authorId: string, after: string, limit: number) => db<
  { id: string; languages: string[] | null }[]
>`
  SELECT account_id AS id, languages FROM follows
  WHERE notify AND local AND target_account_id = ${authorId} AND account_id > ${after}
  ORDER BY account_id LIMIT ${limit}
`;

/** Selects which of these people follow which of the accounts. */
export const selectFollowersAmong = (db: Db, accountIds: string[], ids: string[]) => db<
  { id: string; target_account_id: string }[]
>`
  SELECT account_id AS id, target_account_id FROM follows
  WHERE local AND target_account_id = ANY(${accountIds}::bigint[]) AND account_id = ANY(${ids}::bigint[])
`;

/** Counts what the statuses' authors had posted before on the same day. */
export const selectEarlierCounts = (db: Db, statusIds: string[]) => db<
  { id: string; count: number }[]
>`
  SELECT s.id, ${earlierCount(db)} AS count FROM statuses s WHERE s.id = ANY(${statusIds}::bigint[])
`;

/** Selects people who mute a tag of these statuses or of their threads. */
export const selectTagMuters = (db: Db, statusIds: string[]) => db<
  { id: string; account_ids: string[] }[]
>`
  SELECT s.id, array_agg(DISTINCT tm.account_id::text) AS account_ids
  FROM statuses s CROSS JOIN LATERAL ${tagMutes(db)}
  WHERE s.id = ANY(${statusIds}::bigint[]) GROUP BY s.id
`;

/** Selects all followers of each of these tags, by name. */
export const selectManyTagFollowers = (db: Db, names: string[]) => db<
  { name: string; ids: string }[]
>`
  SELECT t.name, string_agg(tf.account_id::text, ',') AS ids
  FROM tags t JOIN tag_follows tf ON tf.tag_id = t.id
  WHERE t.name = ANY(${names})
  GROUP BY t.name
`;

/** Reads `ID:OWNER,ID:OWNER` as lists. */
const splitLists = (text: string): ListRef[] =>
  text.split(",").map((pair) => {
    const [id, ownerId] = pair.split(":") as [string, string];
    return { id, ownerId };
  });

/** Selects the lists that each status goes into, by its id. */
export const selectListReaders = async (
  db: Db,
  statusIds: string[],
): Promise<Map<string, ListRef[]>> => {
  if (statusIds.length === 0) return new Map();
  const rows = await db<{ id: string; lists: string }[]>`
    SELECT s.id, string_agg(l.id || ':' || l.account_id, ',') AS lists
    FROM statuses s
    JOIN (${listMembers(db)}) m ON m.id = s.account_id
    JOIN lists l ON l.id = m.list_id
    WHERE s.id = ANY(${statusIds}::bigint[]) AND ${belongsInList(db)}
    GROUP BY s.id
  `;
  return new Map(rows.map(({ id, lists }) => [id, splitLists(lists)]));
};

/** Selects the lists that these authors are in, by author. */
export const selectListsOfAuthors = async (
  db: Db,
  authorIds: string[],
): Promise<Map<string, ListRef[]>> => {
  const rows = await db<{ id: string; lists: string }[]>`
    SELECT account_id AS id, string_agg(list_id || ':' || owner_id, ',') AS lists
    FROM list_accounts WHERE account_id = ANY(${authorIds}::bigint[])
    GROUP BY account_id
  `;
  return new Map(rows.map(({ id, lists }) => [id, splitLists(lists)]));
};

/** Selects those that are not deleted. */
export const selectExisting = (db: Db, ids: string[]) => db<{ id: string }[]>`
  SELECT id FROM statuses WHERE id = ANY(${ids}::bigint[])
`;

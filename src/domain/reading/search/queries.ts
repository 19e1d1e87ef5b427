// All SQL of the search slice: tags and addresses, statuses among the newest and by the word index
// (docs/design/search.md), and writing that index.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, onlyRow, valuesOf } from "../../../platform/db/rows.ts";
import { hasAddress, listedPublicly } from "../../posts/statuses/fragments.ts";
import type { Source } from "./parse-query.ts";

/** Names with the same prefix that are ranked. */
const MAX_NAMES = "1000";

type TagSearch = { prefix: string; limit: number; offset: number; excludeUnreviewed: boolean };

const begins = (db: Db, prefix: string) => db`
  t.name COLLATE "C" >= ${prefix} AND t.name COLLATE "C" < ${`${prefix}\u{10ffff}`}
`;

/**
 * Selects names of tags with the prefix: the exact name first, then by recent users. Of very many, those first by name
 * and the most used are ranked.
 */
export const selectTagsByPrefix = async (db: Db, search: TagSearch): Promise<string[]> => {
  const { prefix, limit, offset, excludeUnreviewed } = search;
  return valuesOf(db<{ name: string }[]>`
    SELECT t.name
    FROM (
      (SELECT t.id FROM tags t WHERE ${begins(db, prefix)} ORDER BY t.name COLLATE "C" LIMIT ${db.unsafe(MAX_NAMES)})
      UNION
      SELECT t.id FROM trend_tags r JOIN tags t ON t.id = r.tag_id WHERE ${begins(db, prefix)}
    ) named
    JOIN tags t ON t.id = named.id
    LEFT JOIN LATERAL (
      SELECT sum(d.accounts) AS people, sum(d.uses) AS uses FROM tag_days d WHERE d.tag_id = t.id
    ) used ON true
    WHERE t.name = ${prefix}
      OR (t.listable IS NOT FALSE AND (NOT ${excludeUnreviewed}::boolean OR t.reviewed_at IS NOT NULL))
    ORDER BY t.name = ${prefix} DESC, coalesce(used.people, 0) DESC, coalesce(used.uses, 0) DESC, t.name
    LIMIT ${limit} OFFSET ${offset}
  `);
};

/** Selects a known remote status or account, by its URI or its page's URL. */
export const selectKnownAddress = (db: Db, url: string) =>
  firstRow(db<{ kind: "status" | "account" | "collection"; id: string }[]>`
    (SELECT 'status' AS kind, s.id FROM statuses s
     WHERE ${hasAddress(db, url)} AND s.reblog_of_id IS NULL LIMIT 1)
    UNION ALL
    (SELECT 'account', id FROM accounts WHERE uri = ${url} OR url = ${url} LIMIT 1)
    UNION ALL
    (SELECT 'collection', id FROM collections WHERE uri = ${url} OR url = ${url} LIMIT 1)
    LIMIT 1
  `);

export type Criteria = {
  viewerId: string;
  /** Text of a tsquery; null for any words. */
  query: string | null;
  /** Bounds of the ids, both exclusive. */
  above: string;
  below: string;
  sources: ReadonlySet<Source>;
  limit: number;
};

/**
 * Newest rows of each source that are searched: some 5 ms when nothing matches. The number is part of the statement's
 * text: for an unknown limit, a generic plan assumes a tenth of all rows.
 */
const NEWEST = "2000";

export type Newest = {
  /** Newest first. */
  ids: string[];
  /** Id below which matches may be missing; null where the result is complete. */
  edge: string | null;
  /** Whether the search left out some of the viewer's marks. */
  leftMarks: boolean;
};

const between = (db: Db, id: string, { above, below }: Criteria) =>
  db`${db.unsafe(id)} > ${above}::bigint AND ${db.unsafe(id)} < ${below}::bigint`;

const isAsked = (db: Db, { sources }: Criteria, source: Source) =>
  db`${sources.has(source)}::boolean`;

const source = (db: Db, criteria: Criteria, table: "mentions" | "favourites" | "bookmarks") => db`(
  SELECT status_id AS id FROM ${db(table)}
  WHERE account_id = ${criteria.viewerId} AND ${isAsked(db, criteria, table)}
    AND ${between(db, "status_id", criteria)}
  ORDER BY status_id DESC LIMIT ${db.unsafe(NEWEST)}
)`;

/**
 * Searches only the newest of each source, which finds frequent words within milliseconds, however many posts have
 * them.
 */
export const selectNewest = (db: Db, criteria: Criteria): Promise<Newest> =>
  onlyRow(db<[Newest]>`
    WITH open AS MATERIALIZED (
      SELECT status_id AS id, coalesce(words @@ ${criteria.query}::text::tsquery, true) AS hit
      FROM status_search
      WHERE open AND ${isAsked(db, criteria, "public")} AND ${between(db, "status_id", criteria)}
      ORDER BY status_id DESC LIMIT ${db.unsafe(NEWEST)}
    ), own AS MATERIALIZED (
      SELECT id FROM statuses
      WHERE account_id = ${criteria.viewerId} AND ${isAsked(db, criteria, "own")}
        AND ${between(db, "id", criteria)}
      ORDER BY id DESC LIMIT ${db.unsafe(NEWEST)}
    ), mentioned AS MATERIALIZED ${source(db, criteria, "mentions")},
    favourited AS MATERIALIZED ${source(db, criteria, "favourites")},
    bookmarked AS MATERIALIZED ${source(db, criteria, "bookmarks")},
    edges AS (
      SELECT false AS marks, min(id) AS id FROM open HAVING count(*) = ${db.unsafe(NEWEST)}
      UNION ALL SELECT false, min(id) FROM own HAVING count(*) = ${db.unsafe(NEWEST)}
      UNION ALL SELECT false, min(id) FROM mentioned HAVING count(*) = ${db.unsafe(NEWEST)}
      UNION ALL SELECT true, min(id) FROM favourited HAVING count(*) = ${db.unsafe(NEWEST)}
      UNION ALL SELECT true, min(id) FROM bookmarked HAVING count(*) = ${db.unsafe(NEWEST)}
    ), matches AS (
      SELECT id FROM open WHERE hit
      UNION
      SELECT library.id
      FROM (
        SELECT id FROM own UNION SELECT id FROM mentioned
        UNION SELECT id FROM favourited UNION SELECT id FROM bookmarked
      ) library
      JOIN status_search i ON i.status_id = library.id
      WHERE coalesce(i.words @@ ${criteria.query}::text::tsquery, true)
    )
    SELECT
      ARRAY(SELECT id::text FROM matches ORDER BY matches.id DESC LIMIT ${criteria.limit}) AS ids,
      (SELECT max(id)::text FROM edges) AS edge,
      EXISTS (SELECT FROM edges WHERE marks) AS "leftMarks"
  `);

const isMarked = (db: Db, criteria: Criteria, table: "favourites" | "bookmarks") => db`
  (${isAsked(db, criteria, table)} AND EXISTS (
    SELECT FROM ${db(table)} m WHERE m.account_id = ${criteria.viewerId} AND m.status_id = matching.id
  ))
`;

/**
 * Searches by the word index, up to the limit. A status that the viewer may find as its author, as mentioned, or
 * because everybody may, has a mark for it among its words (`audience` is a tsquery of these marks). Bounds of ids are
 * checked afterwards: a generic plan would wrongly prefer the primary key for them.
 */
export const selectByWords = (db: Db, criteria: Criteria, audience: string) => db<{ id: string }[]>`
  WITH matching AS MATERIALIZED (
    SELECT status_id AS id FROM status_search WHERE words @@ ${audience}::text::tsquery
  )
  SELECT id FROM matching WHERE ${between(db, "id", criteria)}
  ORDER BY id DESC LIMIT ${criteria.limit}
`;

/** Works as selectByWords for what the viewer has favourited or bookmarked; `query` is never null. */
export const selectMarkedByWords = (db: Db, criteria: Criteria) => db<{ id: string }[]>`
  WITH matching AS MATERIALIZED (
    SELECT status_id AS id FROM status_search WHERE words @@ ${criteria.query}::text::tsquery
  )
  SELECT id FROM matching
  WHERE ${between(db, "id", criteria)}
    AND (${isMarked(db, criteria, "favourites")} OR ${isMarked(db, criteria, "bookmarks")})
  ORDER BY id DESC LIMIT ${criteria.limit}
`;

/**
 * Orders by how often and how near each other the words are, for the length of the post, and by its favourites and
 * boosts.
 */
export const selectRanked = (db: Db, ids: string[], query: string): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT i.status_id AS id
    FROM status_search i LEFT JOIN status_stats st ON st.status_id = i.status_id
    WHERE i.status_id = ANY(${ids}::bigint[])
    ORDER BY ts_rank(i.words, ${query}::text::tsquery, 1)
      * ln(2.72 + coalesce(st.favourites_count, 0) + coalesce(st.reblogs_count, 0)) DESC,
      i.status_id DESC
  `);

/**
 * Returns a word's stem without accents, as words.ts folds words; null for stop words. Most stems have no accents.
 * OFFSET 0 keeps the planner from asking the dictionary wherever the stem is used, instead of once.
 */
const stemOf = (db: Db) => db`(
  SELECT CASE
    WHEN octet_length(l.stem) = char_length(l.stem) THEN l.stem
    ELSE regexp_replace(normalize(l.stem, NFKD), '[\u0300-\u036f]', '', 'g')
  END
  FROM (SELECT (ts_lexize(d.oid::regdictionary, w.word))[1] AS stem OFFSET 0) l
)`;

/** Returns the stems of the words by each of the dictionaries. */
export const selectStems = (db: Db, words: string[], stemmers: string[]) => db<
  { word: string; stem: string }[]
>`
  SELECT DISTINCT s.word, s.stem
  FROM (
    SELECT w.word, ${stemOf(db)} AS stem
    FROM unnest(${words}::text[]) AS w (word), pg_ts_dict d
    WHERE d.dictname = ANY(${stemmers}) AND pg_ts_dict_is_visible(d.oid)
    OFFSET 0
  ) s
  WHERE s.stem <> ''
`;

export type Searchable = {
  statusId: string;
  open: boolean;
  /** Text of a tsvector (words.ts). */
  words: string;
  /** Dictionary of PostgreSQL, and the words whose stems are indexed too. */
  stemmer: string | null;
  plain: string[];
};

/** Selects the rows with their vectors; a stem that equals its word needs no entry of its own. */
const vectors = (db: Db, rows: Searchable[]) => db`
  SELECT g."statusId", g.open, g.words::tsvector || coalesce((
    SELECT array_to_tsvector(array_agg(DISTINCT '~' || s.stem))
    FROM (
      SELECT w.word, ${stemOf(db)} AS stem
      FROM pg_ts_dict d, unnest(g.plain) AS w (word)
      WHERE d.dictname = g.stemmer AND pg_ts_dict_is_visible(d.oid)
      OFFSET 0
    ) s
    WHERE s.stem <> s.word AND s.stem <> ''
  ), '') AS words
  FROM jsonb_to_recordset(${db.json(rows)})
    AS g ("statusId" bigint, open boolean, words text, stemmer text, plain text[])
`;

/**
 * Inserts or replaces. Leaves out statuses that were deleted since, also those whose deletion is being committed: the
 * lock waits for that and finds them deleted, where the foreign key would make it fail.
 */
export const upsertSearchable = (db: Db, rows: Searchable[]) => db`
  WITH present AS MATERIALIZED (
    SELECT s.id FROM statuses s
    WHERE s.id = ANY(${rows.map((row) => row.statusId)}::bigint[])
    ORDER BY s.id FOR KEY SHARE
  )
  INSERT INTO status_search (status_id, open, words)
  SELECT v."statusId", v.open, v.words
  FROM (${vectors(db, rows)}) v
  JOIN present p ON p.id = v."statusId"
  ORDER BY 1
  ON CONFLICT (status_id) DO UPDATE SET open = excluded.open, words = excluded.words
`;

/** Changes it only where it is indexed. */
export const updateSearchable = (db: Db, row: Searchable) => db`
  UPDATE status_search SET open = v.open, words = v.words
  FROM (${vectors(db, [row])}) v
  WHERE status_id = v."statusId"
`;

/** Selects those that are not indexed yet. */
export const selectNotSearchable = (db: Db, ids: string[]): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT g.id FROM unnest(${ids}::bigint[]) AS g (id)
    WHERE NOT EXISTS (SELECT FROM status_search i WHERE i.status_id = g.id)
  `);

/** Selects an account with older posts to index, and the next of these, newest first. */
export const selectBacklog = (db: Db, limit: number) =>
  firstRow(db<{ accountId: string; ids: string[] }[]>`
    SELECT b.account_id AS "accountId", ARRAY(
      SELECT s.id::text FROM statuses s
      WHERE s.account_id = b.account_id AND s.id < b.before_id
        AND (s.local OR ${listedPublicly(db)}) AND s.reblog_of_id IS NULL
      ORDER BY s.id DESC LIMIT ${limit}
    ) AS ids
    FROM search_backlog b ORDER BY b.account_id LIMIT 1
  `);

/** Records that posts down to `beforeId` are done; null for all. */
export const advanceBacklog = async (db: Db, accountId: string, beforeId: string | null) => {
  await (beforeId === null
    ? db`DELETE FROM search_backlog WHERE account_id = ${accountId}`
    : db`UPDATE search_backlog SET before_id = ${beforeId} WHERE account_id = ${accountId}`);
};

/** Adds all accounts whose posts may be found; with `withOwn` also all local people. */
export const insertBacklog = async (db: Db, withOwn: boolean): Promise<number> => {
  const { count } = await db`
    INSERT INTO search_backlog (account_id) SELECT id FROM accounts
    WHERE indexable OR (${withOwn} AND domain IS NULL)
    ON CONFLICT (account_id) DO UPDATE SET before_id = DEFAULT
  `;
  return count;
};

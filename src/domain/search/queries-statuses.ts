// SQL that finds statuses by their words: among the newest first, and by the word index where that is not
// enough (docs/decisions/0018-search.md).

import type { Db } from "../../platform/db/index.ts";

export type Wanted = {
  viewerId: string;
  /** A tsquery's text; null: any words. */
  query: string | null;
  /** Ids above this one and below the next. */
  above: string;
  below: string;
  /** What everybody may find; what only the viewer may find: own, mentioned in, marked. */
  open: boolean;
  library: boolean;
  /** The maximum number of ids. */
  limit: number;
};

/**
 * How many of the newest rows of each source are searched: some 5 ms when nothing matches. Written into
 * the statement: for an unknown limit, a generic plan assumes a tenth of all rows.
 */
const NEWEST = "2000";

export type Newest = {
  /** Newest first. */
  ids: string[];
  /** Below this id matches may be missing; null: the result is complete. */
  edge: string | null;
  /** Not all of the viewer's marks were searched. */
  leftMarks: boolean;
};

const between = (db: Db, id: string, { above, below }: Wanted) =>
  db`${db.unsafe(id)} > ${above}::bigint AND ${db.unsafe(id)} < ${below}::bigint`;

const source = (db: Db, wanted: Wanted, table: "mentions" | "favourites" | "bookmarks") => db`(
  SELECT status_id AS id FROM ${db(table)}
  WHERE account_id = ${wanted.viewerId} AND ${wanted.library}::boolean
    AND ${between(db, "status_id", wanted)}
  ORDER BY status_id DESC LIMIT ${db.unsafe(NEWEST)}
)`;

/**
 * Searches only the newest of each source: finds frequent words within milliseconds, however many posts
 * have them.
 */
export const selectNewest = async (db: Db, wanted: Wanted): Promise<Newest> => {
  const [row] = await db<[Newest]>`
    WITH open AS MATERIALIZED (
      SELECT status_id AS id, coalesce(words @@ ${wanted.query}::text::tsquery, true) AS hit
      FROM status_search
      WHERE open AND ${wanted.open}::boolean AND ${between(db, "status_id", wanted)}
      ORDER BY status_id DESC LIMIT ${db.unsafe(NEWEST)}
    ), own AS MATERIALIZED (
      SELECT id FROM statuses
      WHERE account_id = ${wanted.viewerId} AND ${wanted.library}::boolean
        AND ${between(db, "id", wanted)}
      ORDER BY id DESC LIMIT ${db.unsafe(NEWEST)}
    ), mentioned AS MATERIALIZED ${source(db, wanted, "mentions")},
    favoured AS MATERIALIZED ${source(db, wanted, "favourites")},
    kept AS MATERIALIZED ${source(db, wanted, "bookmarks")},
    edges AS (
      SELECT false AS marks, min(id) AS id FROM open HAVING count(*) = ${db.unsafe(NEWEST)}
      UNION ALL SELECT false, min(id) FROM own HAVING count(*) = ${db.unsafe(NEWEST)}
      UNION ALL SELECT false, min(id) FROM mentioned HAVING count(*) = ${db.unsafe(NEWEST)}
      UNION ALL SELECT true, min(id) FROM favoured HAVING count(*) = ${db.unsafe(NEWEST)}
      UNION ALL SELECT true, min(id) FROM kept HAVING count(*) = ${db.unsafe(NEWEST)}
    ), found AS (
      SELECT id FROM open WHERE hit
      UNION
      SELECT library.id
      FROM (
        SELECT id FROM own UNION SELECT id FROM mentioned
        UNION SELECT id FROM favoured UNION SELECT id FROM kept
      ) library
      JOIN status_search i ON i.status_id = library.id
      WHERE coalesce(i.words @@ ${wanted.query}::text::tsquery, true)
    )
    SELECT
      ARRAY(SELECT id::text FROM found ORDER BY found.id DESC LIMIT ${wanted.limit}) AS ids,
      (SELECT max(id)::text FROM edges) AS edge,
      EXISTS (SELECT FROM edges WHERE marks) AS "leftMarks"
  `;
  return row!;
};

const isMarked = (db: Db, { viewerId }: Wanted, table: "favourites" | "bookmarks") => db`
  EXISTS (SELECT FROM ${db(table)} m WHERE m.account_id = ${viewerId} AND m.status_id = named.id)
`;

/**
 * By the word index, up to the limit. A status that the viewer may find as its author, as mentioned, or
 * because everybody may, has a mark for it among its words (`audience`: a tsquery of these marks). Bounds
 * of ids are checked afterwards: a generic plan would wrongly prefer the primary key for them.
 */
export const selectByWords = (db: Db, wanted: Wanted, audience: string) => db<{ id: string }[]>`
  WITH named AS MATERIALIZED (
    SELECT status_id AS id FROM status_search WHERE words @@ ${audience}::text::tsquery
  )
  SELECT id FROM named WHERE ${between(db, "id", wanted)}
  ORDER BY id DESC LIMIT ${wanted.limit}
`;

/** As selectByWords, but what the viewer has favourited or bookmarked; `query` is never null. */
export const selectMarkedByWords = (db: Db, wanted: Wanted) => db<{ id: string }[]>`
  WITH named AS MATERIALIZED (
    SELECT status_id AS id FROM status_search WHERE words @@ ${wanted.query}::text::tsquery
  )
  SELECT id FROM named
  WHERE ${between(db, "id", wanted)}
    AND (${isMarked(db, wanted, "favourites")} OR ${isMarked(db, wanted, "bookmarks")})
  ORDER BY id DESC LIMIT ${wanted.limit}
`;

// All SQL about what providers are told.

import { MAX_ID, idAt } from "../../platform/ids/index.ts";
import { deleteSlice } from "../../platform/db/delete-older.ts";
import type { Db, Fragment } from "../../platform/db/index.ts";
import { firstRow, onlyRow, valuesOf } from "../../platform/db/rows.ts";
import { listedPublicly } from "../../domain/posts/statuses/fragments.ts";
import { CATEGORIES } from "./tables.ts";
import type { Wish } from "./tables.ts";

type Category = Wish["category"];

/** Accepts accounts `a` in good standing, here and by their own server, who want this to be found. */
const allows = (db: Db, wish: Fragment): Fragment => db`
  ${wish} AND a.suspended_at IS NULL AND a.silenced_at IS NULL AND NOT a.suspended_remotely
  AND NOT EXISTS (
    SELECT FROM users u WHERE u.account_id = a.id AND (u.confirmed_at IS NULL OR NOT u.approved)
  )
`;

/** Selects what may be told: public posts of those who want them found, and profiles that want to be found. */
const shareable = (db: Db, category: Category): Fragment =>
  category === "content"
    ? db`
        SELECT s.id, s.account_id, s.local AS is_local, s.uri
        FROM statuses s JOIN accounts a ON a.id = s.account_id
        WHERE ${listedPublicly(db)} AND s.reblog_of_id IS NULL AND NOT s.awaits_approval
          AND ${allows(db, db`a.indexable`)}
      `
    : db`
        SELECT a.id, a.id AS account_id, a.domain IS NULL AS is_local, a.uri
        FROM accounts a WHERE ${allows(db, db`a.discoverable`)}
      `;

/** Selects ids among which all that may be told is, by an index that has the same condition. */
const walkable = (db: Db, category: Category): Fragment =>
  category === "content"
    ? db`SELECT s.id FROM statuses s WHERE ${listedPublicly(db)} AND s.reblog_of_id IS NULL`
    : db`SELECT a.id FROM accounts a WHERE a.discoverable AND a.suspended_at IS NULL`;

/** Objects that are looked at for one part of what was there before; few of them may be told. */
export const WALKED = 5000;

/** Stores that the provider knows the objects of `part` from now on. */
const known = (db: Db, providerId: string, category: Category, trendedAt: Date | null) => db`
  INSERT INTO fasp_announced AS f
    (provider_id, category, object_id, account_id, is_local, uri, is_sent, trended_at)
  SELECT ${providerId}, ${category}, id, account_id, is_local, uri, true, ${trendedAt} FROM part
  ON CONFLICT (provider_id, category, object_id) DO UPDATE SET is_sent = true,
    change = nullif(f.change, 'delete'), trended_at = coalesce(excluded.trended_at, f.trended_at)
`;

/** Returns the newest objects below one, and below which to go on; null where nothing is left. */
export const takeOlder = (
  db: Db,
  providerId: string,
  { category, before = MAX_ID, most }: Wish,
): Promise<{ uris: string[]; next: string | null }> =>
  onlyRow(db`
    WITH walked AS MATERIALIZED (
      SELECT w.id FROM (${walkable(db, category)}) AS w
      WHERE w.id < ${before} ORDER BY w.id DESC LIMIT ${WALKED}
    ), part AS MATERIALIZED (
      SELECT o.* FROM walked w CROSS JOIN LATERAL (
        SELECT * FROM (${shareable(db, category)}) AS o WHERE o.id = w.id
      ) AS o
      ORDER BY o.id DESC LIMIT ${most}
    ), stored AS (${known(db, providerId, category, null)})
    SELECT ARRAY(SELECT uri FROM part ORDER BY id DESC) AS uris,
      CASE
        WHEN (SELECT count(*) FROM part) = ${most} THEN (SELECT min(id) FROM part)
        WHEN (SELECT count(*) FROM walked) = ${WALKED} THEN (SELECT min(id) FROM walked)
      END AS next
  `);

/** Returns posts that trend here and that the provider was not told of as such. */
export const takeTrending = (db: Db, providerId: string, most: number, now: Date) =>
  valuesOf(db<{ uri: string }[]>`
    WITH part AS MATERIALIZED (
      SELECT o.* FROM (${shareable(db, "content")}) AS o JOIN trend_statuses t ON t.status_id = o.id
      WHERE NOT EXISTS (
        SELECT FROM fasp_announced f WHERE f.provider_id = ${providerId}
          AND f.category = 'content' AND f.object_id = o.id AND f.trended_at IS NOT NULL
      )
      ORDER BY t.score DESC LIMIT ${most}
    ), stored AS (${known(db, providerId, "content", now)})
    SELECT uri FROM part
  `);

/**
 * Stores that these objects are new to those who want to know or, with `isChange`, that they were changed. Returns the
 * providers to tell. What is known is not locked.
 */
export const noteObjects = (
  db: Db,
  category: Category,
  ids: string[],
  isChange: boolean,
): Promise<string[]> =>
  valuesOf(db<{ provider_id: string }[]>`
    INSERT INTO fasp_announced AS f
      (provider_id, category, object_id, account_id, is_local, uri, change, is_sent)
    SELECT p.id, ${category}, o.id, o.account_id, o.is_local, o.uri, 'new', false
    FROM (${shareable(db, category)}) AS o JOIN fasp_providers p
      ON p.wishes @> ${db.json([{ category, kind: "lifecycle" }])}
      AND p.capabilities @> ${db.json([{ id: "data_sharing", enabled: true }])}
    WHERE o.id = ANY(${ids}) AND (${isChange} OR NOT EXISTS (
      SELECT FROM fasp_announced k
      WHERE k.provider_id = p.id AND k.category = ${category} AND k.object_id = o.id
        AND k.change IS DISTINCT FROM 'delete'
    ))
    ORDER BY p.id, o.id
    ON CONFLICT (provider_id, category, object_id) DO UPDATE
      SET change = CASE WHEN f.is_sent THEN 'update' ELSE 'new' END
    RETURNING f.provider_id
  `);

/** Stores the end of posts. Returns the providers to tell. */
export const noteRemoved = (db: Db, statusIds: string[]): Promise<string[]> =>
  valuesOf(db<{ provider_id: string }[]>`
    UPDATE fasp_announced SET change = 'delete'
    WHERE category = 'content' AND object_id = ANY(${statusIds}) RETURNING provider_id
  `);

/** Objects whose end one statement stores. */
export const ENDED = 2000;

/**
 * Stores the end of what these accounts no longer want found, or that is of accounts that are gone: the newest of each,
 * by its index, so that somebody with a great many costs no more. Returns a provider for each.
 */
export const noteWithdrawn = (db: Db, ids: string[]): Promise<string[]> =>
  valuesOf(db<{ provider_id: string }[]>`
    UPDATE fasp_announced SET change = 'delete' WHERE (provider_id, category, object_id) IN (
      SELECT page.* FROM unnest(${ids}::bigint[]) AS i (id)
      CROSS JOIN unnest(${CATEGORIES}::text[]) AS c (category)
      CROSS JOIN LATERAL (
        SELECT provider_id, category, object_id FROM fasp_announced
        WHERE account_id = i.id AND category = c.category AND change IS DISTINCT FROM 'delete'
        ORDER BY object_id DESC LIMIT ${ENDED}
      ) AS page
      WHERE NOT EXISTS (
        SELECT FROM accounts a WHERE a.id = i.id AND CASE c.category
          WHEN 'content' THEN ${allows(db, db`a.indexable`)}
          ELSE ${allows(db, db`a.discoverable`)} END
      )
      LIMIT ${ENDED}
    )
    RETURNING provider_id
  `);

/** Selects the next accounts after one of which anything was told. */
export const selectTold = (db: Db, after: string, limit: number): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT DISTINCT account_id AS id FROM (
      SELECT account_id FROM fasp_announced
      WHERE account_id > ${after} AND change IS DISTINCT FROM 'delete'
      ORDER BY account_id LIMIT ${limit}
    ) AS told ORDER BY id
  `);

export type Batch = { change: "new" | "update" | "delete"; ids: string[]; uris: string[] };

/**
 * Takes what is to be announced next: objects with the same change, deletions first. `uris` are of those that the
 * provider may know then: it is told no end of others.
 */
export const takeBatch = (
  db: Db,
  providerId: string,
  { category, most }: Wish,
): Promise<Batch | null> => {
  const waiting = db`FROM fasp_announced WHERE provider_id = ${providerId} AND category = ${category}`;
  return firstRow(db<Batch[]>`
    WITH taken AS (
      UPDATE fasp_announced SET is_sent = is_sent OR change <> 'delete'
      WHERE provider_id = ${providerId} AND category = ${category} AND change IS NOT NULL
        AND object_id IN (
          SELECT object_id ${waiting} AND change = (SELECT min(change) ${waiting})
          ORDER BY object_id LIMIT ${most}
        )
      RETURNING *
    )
    SELECT change, array_agg(object_id) AS ids,
      coalesce(array_agg(uri ORDER BY object_id) FILTER (WHERE is_sent), '{}') AS uris
    FROM taken GROUP BY change ORDER BY change LIMIT 1
  `);
};

/** Stores that a batch was announced; what changed to something else meanwhile is announced once more. */
export const settleBatch = (
  db: Db,
  providerId: string,
  { category }: Wish,
  { change, ids }: Batch,
) => {
  const same = db`
    WHERE provider_id = ${providerId} AND category = ${category} AND object_id = ANY(${ids})
      AND change = ${change}
  `;
  return change === "delete"
    ? db`DELETE FROM fasp_announced ${same}`
    : db`UPDATE fasp_announced SET change = NULL ${same}`;
};

/** Deletes a slice of older posts that a provider did not hear of, or of other servers, which tell of their end. */
export const deletePassing = async (db: Db, before: Date): Promise<boolean> => {
  const isOld = db`
    category = 'content' AND (NOT is_local OR NOT is_sent) AND object_id < ${idAt(before)}
    ORDER BY object_id
  `;
  return (await deleteSlice(db, "fasp_announced", isOld)).isMore;
};

// SQL that writes what statuses are found by.

import type { Db } from "../../platform/db/index.ts";
import { listedPublicly } from "../statuses/fragments.ts";

export type Searchable = {
  statusId: string;
  open: boolean;
  /** As a tsvector is cast from (words.ts). */
  words: string;
};

/** In place of what was there; statuses that are gone by now are left out. */
export const upsertSearchable = (db: Db, rows: Searchable[]) => db`
  INSERT INTO status_search (status_id, open, words)
  SELECT g."statusId", g.open, g.words::tsvector
  FROM jsonb_to_recordset(${db.json(rows)}) AS g ("statusId" bigint, open boolean, words text)
  WHERE EXISTS (SELECT FROM statuses s WHERE s.id = g."statusId")
  ORDER BY 1
  ON CONFLICT (status_id) DO UPDATE SET open = excluded.open, words = excluded.words
`;

/** Where it is there. */
export const updateSearchable = (db: Db, { statusId, open, words }: Searchable) => db`
  UPDATE status_search SET open = ${open}, words = ${words}::text::tsvector
  WHERE status_id = ${statusId}
`;

/** Which of these cannot be found yet. */
export const selectNotSearchable = async (db: Db, ids: string[]): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT g.id FROM unnest(${ids}::bigint[]) AS g (id)
    WHERE NOT EXISTS (SELECT FROM status_search i WHERE i.status_id = g.id)
  `;
  return rows.map((row) => row.id);
};

/** An account whose older posts are to be made findable, and the next of these, newest first. */
export const selectBacklog = async (db: Db, limit: number) => {
  const [row] = await db<{ accountId: string; ids: string[] }[]>`
    SELECT b.account_id AS "accountId", ARRAY(
      SELECT s.id::text FROM statuses s
      WHERE s.account_id = b.account_id AND s.id < b.before_id
        AND ${listedPublicly(db)} AND s.reblog_of_id IS NULL
      ORDER BY s.id DESC LIMIT ${limit}
    ) AS ids
    FROM search_backlog b ORDER BY b.account_id LIMIT 1
  `;
  return row ?? null;
};

/** Down to `beforeId`; null: all of it is done. */
export const advanceBacklog = async (
  db: Db,
  accountId: string,
  beforeId: string | null,
): Promise<void> => {
  await (beforeId === null
    ? db`DELETE FROM search_backlog WHERE account_id = ${accountId}`
    : db`UPDATE search_backlog SET before_id = ${beforeId} WHERE account_id = ${accountId}`);
};

// SQL that deletes what an account wrote and did, in batches.

import type { Db } from "../../platform/db/index.ts";
import { invalidate } from "../../platform/db/invalidate.ts";
import { markKey } from "./queries-viewer.ts";

export const selectStatusIdsOf = async (
  db: Db,
  accountId: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM statuses WHERE account_id = ${accountId} ORDER BY id LIMIT ${limit}
  `;
  return rows.map(({ id }) => id);
};

/**
 * Deletes at most `limit` of each: the account's favourites with their counts, mentions of it, and
 * references to it as the author of what others replied to or quoted. Returns how many there were.
 */
export const deleteActs = async (db: Db, accountId: string, limit: number): Promise<number> => {
  const rows = await db<{ id: string }[]>`
    WITH favourite AS (
      DELETE FROM favourites WHERE id = ANY(ARRAY(
        SELECT id FROM favourites WHERE account_id = ${accountId} LIMIT ${limit}
      ))
      RETURNING status_id
    ), locked AS MATERIALIZED (
      SELECT status_id FROM status_stats WHERE status_id IN (SELECT status_id FROM favourite)
      ORDER BY status_id FOR UPDATE
    ), counted AS (
      UPDATE status_stats s SET favourites_count = greatest(0, s.favourites_count - 1)
      FROM locked l WHERE s.status_id = l.status_id
    ), bookmark AS (
      DELETE FROM bookmarks WHERE id = ANY(ARRAY(
        SELECT id FROM bookmarks WHERE account_id = ${accountId} LIMIT ${limit}
      ))
      RETURNING status_id
    ), mention AS (
      DELETE FROM mentions WHERE account_id = ${accountId} AND status_id = ANY(ARRAY(
        SELECT status_id FROM mentions WHERE account_id = ${accountId} LIMIT ${limit}
      ))
      RETURNING status_id
    ), reply AS (
      UPDATE statuses SET in_reply_to_account_id = NULL WHERE id = ANY(ARRAY(
        SELECT id FROM statuses WHERE in_reply_to_account_id = ${accountId} LIMIT ${limit}
      ))
      RETURNING id
    ), quote AS (
      UPDATE quotes SET quoted_account_id = NULL WHERE id = ANY(ARRAY(
        SELECT id FROM quotes WHERE quoted_account_id = ${accountId} LIMIT ${limit}
      ))
      RETURNING status_id
    )
    SELECT status_id AS id FROM favourite
    UNION ALL SELECT status_id FROM bookmark
    UNION ALL SELECT status_id FROM mention
    UNION ALL SELECT id FROM reply
    UNION ALL SELECT status_id FROM quote
  `;
  invalidate(db, ...rows.flatMap(({ id }) => [markKey(accountId, id), `status:${id}` as const]));
  return rows.length;
};

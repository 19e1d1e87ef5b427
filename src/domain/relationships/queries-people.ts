// SQL of what a person keeps about others: recommendations, private notes, common acquaintances.

import type { Db } from "../../platform/db/index.ts";
import { lowerBound, upperBound } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";

/** False when the account is not followed; the follow stays as it is until the transaction ends. */
export const insertEndorsement = async (
  db: Db,
  accountId: string,
  targetId: string,
): Promise<boolean> => {
  const [row] = await db<{ followed: boolean }[]>`
    WITH followed AS (
      SELECT account_id, target_account_id FROM follows
      WHERE account_id = ${accountId} AND target_account_id = ${targetId} FOR KEY SHARE
    ), made AS (
      INSERT INTO endorsements (account_id, target_account_id)
      SELECT account_id, target_account_id FROM followed ON CONFLICT (account_id, target_account_id) DO NOTHING
    )
    SELECT EXISTS (SELECT FROM followed) AS followed
  `;
  return row!.followed;
};

export const deleteEndorsement = (db: Db, accountId: string, targetId: string) => db`
  DELETE FROM endorsements WHERE account_id = ${accountId} AND target_account_id = ${targetId}
`;

/** Those whom an account recommends, paged by their own ids; not those who are suspended or pending. */
export const selectEndorsed = async (
  db: Db,
  accountId: string,
  page: Page,
  viewerId: string | null,
): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT a.id
    FROM endorsements e JOIN accounts a ON a.id = e.target_account_id
    WHERE e.account_id = ${accountId} AND a.suspended_at IS NULL
      AND e.target_account_id > ${lowerBound(page)} AND e.target_account_id < ${upperBound(page)}
      ${
        viewerId === null
          ? db``
          : db`AND NOT EXISTS (
              SELECT FROM blocks b
              WHERE (b.account_id = ${viewerId} AND b.target_account_id = a.id)
                 OR (b.account_id = a.id AND b.target_account_id = ${viewerId})
            )`
      }
    ORDER BY e.target_account_id DESC LIMIT ${page.limit}
  `;
  return rows.map((row) => row.id);
};

export const upsertNote = (db: Db, accountId: string, targetId: string, comment: string) => db`
  INSERT INTO account_notes (account_id, target_account_id, comment)
  VALUES (${accountId}, ${targetId}, ${comment})
  ON CONFLICT (account_id, target_account_id) DO UPDATE SET comment = excluded.comment
`;

export const deleteNote = (db: Db, accountId: string, targetId: string) => db`
  DELETE FROM account_notes WHERE account_id = ${accountId} AND target_account_id = ${targetId}
`;

/**
 * For each account those of its followers whom the viewer follows too, newest follow first, `limit`
 * of them. Who hides whom they follow is left out.
 */
export const selectFamiliar = (db: Db, viewerId: string, accountIds: string[], limit: number) =>
  db<{ id: string; follower_ids: string[] }[]>`
    WITH mine AS MATERIALIZED (
      SELECT a.id FROM follows f JOIN accounts a ON a.id = f.target_account_id
      WHERE f.account_id = ${viewerId}
        AND a.suspended_at IS NULL AND a.hide_collections IS NOT TRUE
    )
    SELECT t.id, coalesce((
      SELECT (array_agg(f.account_id::text ORDER BY f.id DESC))[1:${limit}::int]
      FROM mine JOIN follows f ON f.account_id = mine.id AND f.target_account_id = t.id
    ), '{}') AS follower_ids
    FROM accounts t WHERE t.id = ANY(${accountIds}::bigint[])
  `;

// SQL of posts for a circle: members of lists, those whom a post reaches, and the lists of one that was written.

import type { Db, Fragment } from "../../../platform/db/index.ts";
import { firstValue, onlyValue, valuesOf } from "../../../platform/db/rows.ts";

export const countOwnLists = (db: Db, ownerId: string, listIds: string[]) =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM lists
    WHERE account_id = ${ownerId} AND id = ANY(${listIds}::bigint[])
  `);

/** Selects the members of these lists of the owner. */
export const inLists = (db: Db, ownerId: string, listIds: string[]): Fragment => db`
  SELECT account_id FROM list_accounts
  WHERE owner_id = ${ownerId} AND list_id = ANY(${listIds}::bigint[])
`;

/** Selects the people to whom the post is addressed, and its author. */
export const inCircleOf = (db: Db, statusId: string): Fragment => db`
  SELECT account_id FROM mentions WHERE status_id = ${statusId}
  UNION SELECT account_id FROM statuses WHERE id = ${statusId}
`;

type Reach = { authorId: string; hereOnly: boolean; limit: number };

/** Selects the people whom a post of the author reaches: not suspended, and with no block between them. */
export const selectReached = (db: Db, people: Fragment, { authorId, hereOnly, limit }: Reach) =>
  valuesOf(db<{ id: string }[]>`
    SELECT a.id FROM accounts a
    WHERE a.id IN (${people}) AND a.id <> ${authorId} AND a.suspended_at IS NULL
      ${hereOnly ? db`AND a.domain IS NULL` : db``}
      AND NOT EXISTS (SELECT FROM blocks b
        WHERE b.account_id = ${authorId} AND b.target_account_id = a.id
          OR b.account_id = a.id AND b.target_account_id = ${authorId})
    ORDER BY a.id LIMIT ${limit}
  `);

/** Selects the lists with their current names, without deleted ones; null where the post was not written for lists. */
export const selectCircleLists = (
  db: Db,
  statusId: string,
): Promise<{ id: string; title: string }[] | null> =>
  firstValue(db<{ lists: { id: string; title: string }[] | null }[]>`
    SELECT CASE WHEN s.circle_lists IS NOT NULL THEN coalesce((
      SELECT json_agg(json_build_object('id', l.id::text, 'title', l.title) ORDER BY l.id)
      FROM lists l WHERE l.id = ANY(s.circle_lists) AND l.account_id = s.account_id
    ), '[]') END AS lists
    FROM statuses s WHERE s.id = ${statusId}
  `);

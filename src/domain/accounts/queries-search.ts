// SQL of searching for accounts among those that are known.

import type { Db } from "../../platform/db/index.ts";

export type AccountSearch = {
  viewerId: string;
  /** Part of the name, or of the display name. */
  text: string;
  /** Of a handle with a host: the host begins like this; null: not asked for. */
  domain: string | null;
  followingOnly: boolean;
  limit: number;
  offset: number;
};

const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

const nameMatch = (db: Db, { text, domain }: AccountSearch) =>
  domain === null
    ? db`(a.username::text || ' ' || a.display_name) ILIKE ${`%${likeText(text)}%`}`
    : db`a.username::text ILIKE ${`${likeText(text)}%`}
         AND a.domain::text ILIKE ${`${likeText(domain)}%`}`;

/**
 * Ids, best first: the very name, those whom the viewer follows, names that begin so, the most
 * followed. Suspended, moved and pending accounts are left out, and whoever blocks the viewer.
 */
export const searchAccountIds = async (db: Db, search: AccountSearch): Promise<string[]> => {
  const { viewerId, text, followingOnly } = search;
  const rows = await db<{ id: string }[]>`
    SELECT a.id
    FROM accounts a
    LEFT JOIN account_stats s ON s.account_id = a.id
    LEFT JOIN users u ON u.account_id = a.id
    LEFT JOIN follows f ON f.account_id = ${viewerId} AND f.target_account_id = a.id
    WHERE ${nameMatch(db, search)}
      AND a.suspended_at IS NULL AND a.moved_to_account_id IS NULL
      AND (u.id IS NULL OR (u.confirmed_at IS NOT NULL AND u.approved))
      AND NOT EXISTS (
        SELECT FROM blocks b WHERE b.account_id = a.id AND b.target_account_id = ${viewerId}
      )
      ${followingOnly ? db`AND (f.id IS NOT NULL OR a.id = ${viewerId})` : db``}
    ORDER BY
      a.username = ${text} DESC, f.id IS NOT NULL DESC,
      a.username::text ILIKE ${`${likeText(text)}%`} DESC,
      coalesce(s.followers_count, 0) DESC, a.id DESC
    LIMIT ${search.limit} OFFSET ${search.offset}
  `;
  return rows.map((row) => row.id);
};

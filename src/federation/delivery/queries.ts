// SQL of outgoing activities and their recipients; queries-queue.ts has what waits.

import type { Db } from "../../platform/db/index.ts";
import { isGone } from "./queries-queue.ts";

/**
 * Selects by account the inboxes of all remote followers, shared ones where they exist. Those of hosts that are gone,
 * most of them on an old server, are filtered out inside the database.
 */
export const selectFollowerInboxes = async (
  db: Db,
  accountIds: string[],
  goneSince: Date,
): Promise<Map<string, string[]>> => {
  if (accountIds.length === 0) return new Map();
  const rows = await db<{ id: string; inboxes: string[] }[]>`
    SELECT id, array_agg(inbox) AS inboxes
    FROM (
      SELECT DISTINCT f.target_account_id AS id,
        coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url) AS inbox
      FROM follows f JOIN accounts a ON a.id = f.account_id
      WHERE f.target_account_id = ANY(${accountIds}::bigint[]) AND NOT f.local
        AND a.suspended_at IS NULL AND a.inbox_url <> ''
    ) AS reached
    WHERE NOT EXISTS (
      SELECT FROM remote_hosts WHERE host = split_part(inbox, '/', 3) AND ${isGone(db, goneSince)}
    )
    GROUP BY id
  `;
  return new Map(rows.map(({ id, inboxes }) => [id, inboxes]));
};

/**
 * Selects the distinct inboxes of the next remote followers by id. `last` is the last of these followers, or null if
 * there are no more. Inboxes of hosts that are gone are included: the queue filters them out.
 */
export const selectFollowerInboxPage = async (
  db: Db,
  accountId: string,
  after: string,
  limit: number,
): Promise<{ inboxes: string[]; last: string | null }> => {
  const [row] = await db<{ inboxes: string[] | null; last: string | null; count: number }[]>`
    WITH page AS MATERIALIZED (
      SELECT account_id FROM follows
      WHERE NOT local AND target_account_id = ${accountId} AND account_id > ${after}
      ORDER BY account_id LIMIT ${limit}
    )
    SELECT max(account_id)::text AS last, count(*)::int AS count, (
      SELECT array_agg(DISTINCT coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url))
      FROM page JOIN accounts a ON a.id = page.account_id
      WHERE a.suspended_at IS NULL AND a.inbox_url <> ''
    ) AS inboxes
    FROM page
  `;
  const { inboxes, last, count } = row!;
  return { inboxes: inboxes ?? [], last: count < limit ? null : last };
};

export type OutgoingRow = { id: string; account_id: string | null; body: string };

/** Selects activities; deleted ones are left out. */
export const selectOutgoing = (db: Db, ids: string[]) => db<OutgoingRow[]>`
  SELECT id, account_id, body FROM outgoing_activities WHERE id = ANY(${ids}::bigint[])
`;

export type SignerRow = { id: string; uri: string; key_id: string | null; private_key: string };

/** Selects the keys of accounts that have one. */
export const selectSigners = (db: Db, ids: string[]) => db<SignerRow[]>`
  SELECT a.id, a.uri, a.key_id, k.private_key
  FROM accounts a JOIN account_keys k ON k.account_id = a.id
  WHERE a.id = ANY(${ids}::bigint[])
`;

/** Deletes what an account that is removed had still to send. */
export const deleteOutgoingOf = (db: Db, accountId: string) => db`
  DELETE FROM outgoing_activities WHERE account_id = ${accountId}
`;

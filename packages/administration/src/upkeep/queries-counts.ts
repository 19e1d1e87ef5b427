// SQL that recounts local people and posts; counts of remote ones are those that their servers state.

import { invalidate, isCounted } from "../uses.ts";
import type { Db } from "../uses.ts";

/** Locks rows before they are counted: concurrent increments wait, and add to the counted values. */
export const lockAccountCounts = async (
  db: Db,
  after: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT s.account_id AS id FROM account_stats s JOIN users u ON u.account_id = s.account_id
    WHERE s.account_id > ${after} ORDER BY s.account_id LIMIT ${limit} FOR UPDATE OF s
  `;
  return rows.map(({ id }) => id);
};

/** Returns how many were wrong. */
export const recountAccounts = async (db: Db, ids: string[]): Promise<number> => {
  const rows = await db<{ account_id: string }[]>`
    UPDATE account_stats t SET
      statuses_count = c.statuses, followers_count = c.followers, following_count = c.following
    FROM (
      SELECT given.id,
        (SELECT count(*) FROM statuses s WHERE s.account_id = given.id AND ${isCounted(db)}) AS statuses,
        (SELECT count(*) FROM follows f WHERE f.target_account_id = given.id) AS followers,
        (SELECT count(*) FROM follows f WHERE f.account_id = given.id) AS following
      FROM unnest(${ids}::bigint[]) AS given (id)
    ) c
    WHERE t.account_id = c.id AND (t.statuses_count, t.followers_count, t.following_count)
      IS DISTINCT FROM (c.statuses, c.followers, c.following)
    RETURNING t.account_id
  `;
  invalidate(db, ...rows.map(({ account_id: id }) => `account:${id}` as const));
  return rows.length;
};

export const lockStatusCounts = async (db: Db, after: string, limit: number): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT t.status_id AS id FROM statuses s JOIN status_stats t ON t.status_id = s.id
    WHERE s.local AND s.id > ${after} ORDER BY s.id LIMIT ${limit} FOR UPDATE OF t
  `;
  return rows.map(({ id }) => id);
};

export const recountStatuses = async (db: Db, ids: string[]): Promise<number> => {
  const rows = await db<{ status_id: string }[]>`
    UPDATE status_stats t SET
      replies_count = c.replies, reblogs_count = c.reblogs, favourites_count = c.favourites,
      quotes_count = c.quotes
    FROM (
      SELECT given.id,
        (SELECT count(*) FROM statuses s WHERE s.in_reply_to_id = given.id AND ${isCounted(db)}) AS replies,
        (SELECT count(*) FROM statuses s WHERE s.reblog_of_id = given.id) AS reblogs,
        (SELECT count(*) FROM favourites f WHERE f.status_id = given.id) AS favourites,
        (SELECT count(*) FROM quotes q WHERE q.quoted_status_id = given.id AND q.state = 'accepted') AS quotes
      FROM unnest(${ids}::bigint[]) AS given (id)
    ) c
    WHERE t.status_id = c.id
      AND (t.replies_count, t.reblogs_count, t.favourites_count, t.quotes_count)
        IS DISTINCT FROM (c.replies, c.reblogs, c.favourites, c.quotes)
    RETURNING t.status_id
  `;
  invalidate(db, ...rows.map(({ status_id: id }) => `status:${id}` as const));
  return rows.length;
};

export const countCounted = async (db: Db): Promise<{ accounts: number; statuses: number }> => {
  const [row] = await db<[{ accounts: number; statuses: number }]>`
    SELECT (SELECT count(*)::int FROM users) AS accounts,
      (SELECT count(*)::int FROM statuses WHERE local) AS statuses
  `;
  return row;
};

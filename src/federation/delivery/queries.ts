// All SQL of delivery: outgoing activities and the hosts that do not answer.

import { deleteOlder } from "../../platform/db/delete-older.ts";
import type { Db } from "../../platform/db/index.ts";

/** The inboxes, shared where there is one, of all remote followers: by account. */
export const selectFollowerInboxes = async (
  db: Db,
  accountIds: string[],
): Promise<Map<string, string[]>> => {
  if (accountIds.length === 0) return new Map();
  const rows = await db<{ id: string; inboxes: string[] }[]>`
    SELECT f.target_account_id AS id,
      array_agg(DISTINCT coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url)) AS inboxes
    FROM follows f JOIN accounts a ON a.id = f.account_id
    WHERE f.target_account_id = ANY(${accountIds}::bigint[]) AND NOT f.local
      AND a.suspended_at IS NULL AND a.inbox_url <> ''
    GROUP BY 1
  `;
  return new Map(rows.map(({ id, inboxes }) => [id, inboxes]));
};

/** Gives the ids, in the order of the activities. */
export const insertOutgoing = async (
  db: Db,
  activities: { accountId: string | null; body: string }[],
  now: Date,
): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    WITH given AS MATERIALIZED (
      SELECT snowflake() AS id, "accountId", body, n
      FROM unnest(
        ${activities.map((one) => one.accountId)}::bigint[], ${activities.map((one) => one.body)}::text[]
      ) WITH ORDINALITY AS g ("accountId", body, n)
    ), stored AS (
      INSERT INTO outgoing_activities (id, account_id, body, created_at)
      SELECT id, "accountId", body, ${now}::timestamptz FROM given
    )
    SELECT id FROM given ORDER BY n
  `;
  return rows.map((row) => row.id);
};

export type OutgoingRow = {
  account_id: string | null;
  body: string;
  created_at: Date;
  uri: string | null;
  key_id: string | null;
  private_key: string | null;
};

/** An activity with the key of its sender; null once it or its sender is deleted. */
export const selectOutgoing = async (db: Db, id: string): Promise<OutgoingRow | null> => {
  const [row] = await db<OutgoingRow[]>`
    SELECT o.account_id, o.body, o.created_at, a.uri, a.key_id, k.private_key
    FROM outgoing_activities o
    LEFT JOIN accounts a ON a.id = o.account_id
    LEFT JOIN account_keys k ON k.account_id = o.account_id
    WHERE o.id = ${id}
  `;
  return row ?? null;
};

export const deleteOutgoingBefore = (db: Db, before: Date) =>
  deleteOlder(db, "outgoing_activities", "created_at", before);

/** What an account that is removed was still to send. */
export const deleteOutgoingOf = (db: Db, accountId: string) => db`
  DELETE FROM outgoing_activities WHERE account_id = ${accountId}
`;

export type HostRow = { failures: number; retry_at: Date | null };

export const selectHost = async (db: Db, host: string): Promise<HostRow | null> => {
  const [row] = await db<HostRow[]>`
    SELECT failures, retry_at FROM remote_hosts WHERE host = ${host}
  `;
  return row ?? null;
};

/**
 * Adds a failure. From the `threshold`th in a row on, no deliveries are made for a minute, then twice
 * as long each time, up to an hour.
 */
export const addHostFailure = async (db: Db, host: string, threshold: number, now: Date) => {
  const [row] = await db<HostRow[]>`
    INSERT INTO remote_hosts AS h (host, failures, failing_since) VALUES (${host}, 1, ${now})
    ON CONFLICT (host) DO UPDATE SET
      failures = h.failures + 1,
      retry_at = CASE WHEN h.failures + 1 >= ${threshold}::int THEN
        ${now}::timestamptz
          + least(3600, 60 * 2 ^ least(h.failures + 1 - ${threshold}::int, 10)) * interval '1 second'
      END
    RETURNING failures, retry_at
  `;
  return row!;
};

/** Claims the probe of a failing host: one caller gets true, all others false until `until`. */
export const claimProbe = async (
  db: Db,
  host: string,
  now: Date,
  until: Date,
): Promise<boolean> => {
  const rows = await db`
    UPDATE remote_hosts SET retry_at = ${until}
    WHERE host = ${host} AND retry_at <= ${now} RETURNING host
  `;
  return rows.length > 0;
};

export const deleteHost = (db: Db, host: string) => db`
  DELETE FROM remote_hosts WHERE host = ${host}
`;

/** The inboxes of remote accounts that boosted, favourited or replied to a status. */
export const selectReachedInboxes = async (db: Db, statusId: string): Promise<string[]> => {
  const rows = await db<{ inbox: string }[]>`
    SELECT DISTINCT coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url) AS inbox
    FROM (
      SELECT account_id FROM statuses WHERE reblog_of_id = ${statusId}
      UNION SELECT account_id FROM statuses WHERE in_reply_to_id = ${statusId}
      UNION SELECT account_id FROM favourites WHERE status_id = ${statusId}
    ) AS reached
    JOIN accounts a ON a.id = reached.account_id
    WHERE a.domain IS NOT NULL AND a.suspended_at IS NULL AND a.inbox_url <> ''
  `;
  return rows.map((row) => row.inbox);
};

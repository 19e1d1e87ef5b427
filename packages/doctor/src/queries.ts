// SQL of `rookery doctor`.

import type { Db } from "./uses.ts";
import type { Feed } from "./feed.ts";

type DatabaseFacts = {
  version: string;
  bytes: number;
  connections: number;
  max_connections: number;
  now: Date;
  /** Seconds by which the oldest due job is late. */
  late: number;
};

export const selectFacts = async (db: Db): Promise<DatabaseFacts> => {
  const [row] = await db<DatabaseFacts[]>`
    SELECT current_setting('server_version') AS version,
      pg_database_size(current_database())::float8 AS bytes,
      (SELECT count(*)::int FROM pg_stat_activity) AS connections,
      current_setting('max_connections')::int AS max_connections,
      clock_timestamp() AS now,
      coalesce((
        SELECT extract(epoch FROM now() - min(run_at))::float8
        FROM graphile_worker.jobs WHERE run_at < now() AND locked_at IS NULL AND attempts < max_attempts
      ), 0) AS late
  `;
  return row!;
};

export type Peers = { known: number; failing: number; recent: string[] };

/** `recent` are a few that answered, among those with names that are on the internet. */
export const selectPeers = async (db: Db, limit: number): Promise<Peers> => {
  const [row] = await db<{ known: number; failing: number }[]>`
    SELECT count(*)::int AS known, count(failing_since)::int AS failing FROM remote_hosts
  `;
  const rows = await db<{ host: string }[]>`
    SELECT host FROM remote_hosts WHERE failing_since IS NULL ORDER BY host LIMIT ${limit}
  `;
  return { ...row!, recent: rows.map(({ host }) => host) };
};

/** What the feed of an address said last. */
export const selectFeed = (db: Db, address: string) => db<{ feed: Feed }[]>`
  SELECT feed FROM update_feed WHERE address = ${address}
`;

/** Stores it, unless what is there was issued later; no row is returned then. */
export const upsertFeed = (db: Db, address: string, feed: Feed) => db<{ address: string }[]>`
  INSERT INTO update_feed (address, issued_at, feed)
  VALUES (${address}, ${feed.issued_at}, ${db.json(feed)})
  ON CONFLICT (address) DO UPDATE SET issued_at = EXCLUDED.issued_at, feed = EXCLUDED.feed
  WHERE update_feed.issued_at <= EXCLUDED.issued_at
  RETURNING address
`;

/** Whether an owner can sign in with a password. */
export const selectOwnerPassword = async (db: Db): Promise<boolean> => {
  const rows = await db`
    SELECT FROM users WHERE role_id = 3 AND password_hash IS NOT NULL AND NOT disabled LIMIT 1
  `;
  return rows.length > 0;
};

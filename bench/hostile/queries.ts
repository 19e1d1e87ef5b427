// The SQL of the attacks.

import type { Db } from "../../src/platform/db/index.ts";
import type { World } from "../world.ts";

export const insertFollow = async (db: Db, followerId: string, targetId: string): Promise<void> => {
  await db`
    INSERT INTO follows (account_id, target_account_id)
    VALUES (${followerId}, ${targetId}) ON CONFLICT DO NOTHING
  `;
};

/** Inserts followers of a local account, one on each host. */
export const insertFollowers = async (db: Db, targetId: string, hosts: string[]): Promise<void> => {
  await db`
    WITH added AS (
      INSERT INTO accounts (username, domain, uri, url, inbox_url, shared_inbox_url)
      SELECT 'follower', host, base || '/users/follower', base || '/@follower',
        base || '/users/follower/inbox', base || '/inbox'
      FROM unnest(${hosts}::text[]) AS host, LATERAL (SELECT 'http://' || host AS base) b
      RETURNING id
    )
    INSERT INTO follows (account_id, target_account_id, local)
    SELECT id, ${targetId}, false FROM added
  `;
};

/** Inserts deliveries to hosts that rest for an hour. */
export const insertWaiting = async (db: Db, count: number, hosts: number): Promise<void> => {
  await db`
    INSERT INTO remote_hosts (host, due_at, resting, failures, failing_since, slow)
    SELECT 'h' || n || '.waiting.example', now() + interval '1 hour', true, 5, now(), true
    FROM generate_series(1, ${hosts}::int) AS n
  `;
  await db`
    WITH activity AS (
      INSERT INTO outgoing_activities (body, created_at) VALUES ('{}', now()) RETURNING id
    )
    INSERT INTO deliveries (host, activity_id, inbox)
    SELECT 'h' || 1 + n % ${hosts}::int || '.waiting.example', activity.id,
      'https://h' || 1 + n % ${hosts}::int || '.waiting.example/inbox'
    FROM activity, generate_series(1, ${count}::int) AS n
  `;
  await db`ANALYZE deliveries, remote_hosts`;
};

export const isFollowing = async (db: Db, followerUri: string): Promise<boolean> => {
  const rows = await db`
    SELECT 1 FROM follows f JOIN accounts a ON a.id = f.account_id WHERE a.uri = ${followerUri}
  `;
  return rows.length > 0;
};

export const selectLocalStatus = async (db: Db, { origin }: World): Promise<string> => {
  const [row] = await db<{ uri: string }[]>`
    SELECT uri FROM statuses WHERE local AND visibility = 'public' AND uri LIKE ${`${origin}/%`}
    ORDER BY id LIMIT 1
  `;
  return row!.uri;
};

export const countFavourites = async (db: Db, uri: string): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM favourites f JOIN statuses s ON s.id = f.status_id
    WHERE s.uri = ${uri}
  `;
  return row!.count;
};

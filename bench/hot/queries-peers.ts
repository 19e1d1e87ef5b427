// The SQL of hot spots that involve other servers.

import type { Db, Sql } from "../../src/platform/db/index.ts";
import { localId } from "../world.ts";
import { inBulk } from "./queries.ts";

export const selectIsFavourite = async (db: Db, actor: string, status: string) => {
  const [row] = await db<{ known: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM favourites f JOIN accounts a ON a.id = f.account_id JOIN statuses s ON s.id = f.status_id
      WHERE uri_key(a.uri) = uri_key(${actor}) AND uri_key(s.uri) = uri_key(${status})
    ) AS known
  `;
  return row!.known;
};

export const selectIsInboxEmpty = async (db: Db): Promise<boolean> => {
  const [row] = await db<{ empty: boolean }[]>`
    SELECT NOT EXISTS (SELECT FROM incoming_activities) AS empty
  `;
  return row!.empty;
};

type Backlog = { host: string; count: number; authors: number[] };

/** Inserts activities of these people, evenly over the last days, for a host that has failed for nearly a week. */
export const insertBacklog = (sql: Sql, { host, count, authors }: Backlog): Promise<number> =>
  inBulk(sql, async (db) => {
    const ids = authors.map(localId);
    await db`
      INSERT INTO outgoing_activities (id, account_id, body, created_at)
      SELECT (ms << 16) | 9, a.id, json_build_object(
          '@context', 'https://www.w3.org/ns/activitystreams', 'id', a.uri || '#waiting/' || n, 'type', 'Create',
          'actor', a.uri, 'to', 'https://www.w3.org/ns/activitystreams#Public',
          'object', json_build_object('id', a.uri || '/statuses/' || n, 'type', 'Note', 'attributedTo', a.uri,
            'content', substr(bench.words(), 1 + n::int % 500, 300))
        ), bench.time_at(ms)
      FROM generate_series(1, ${count}::bigint) AS n CROSS JOIN LATERAL (
        SELECT (extract(epoch FROM now()) * 1000)::bigint - 550000000 + n * (540000000 / ${count}::bigint) AS ms
      ) AS t
      JOIN accounts a ON a.id = (${ids}::bigint[])[1 + n % ${ids.length}]
    `;
    await db`
      INSERT INTO deliveries (id, host, activity_id, inbox)
      SELECT id, ${host}, id, 'http://' || ${host}::text || '/inbox' FROM outgoing_activities
      WHERE id & 65535 = 9
    `;
    await db`
      INSERT INTO remote_hosts (host, due_at, resting, failures, failing_since, settled_at, slow)
      VALUES (${host}, now() + interval '3 hours', true, 60, now() - interval '6 days 9 hours', now() - interval '1 hour', true)
      ON CONFLICT (host) DO UPDATE SET due_at = excluded.due_at, resting = true, failures = 60, owner = NULL,
        failing_since = excluded.failing_since, settled_at = excluded.settled_at, slow = true
    `;
    await db`ANALYZE outgoing_activities, deliveries`;
    return count;
  });

type Crowd = { host: string; count: number; publicKeys: string[] };

const CROWD_FROM = 3_000_000;

export const crowdUri = (host: string, n: number): string => `https://${host}/users/fan${n}`;

/** Inserts accounts of one server, all of which follow somebody here. */
export const insertFollowersOf = (
  sql: Sql,
  person: number,
  { host, count, publicKeys }: Crowd,
): Promise<number> =>
  inBulk(sql, async (db) => {
    await db`
      INSERT INTO accounts (id, username, domain, uri, url, inbox_url, shared_inbox_url, public_key, fetched_at)
      SELECT ${CROWD_FROM}::bigint + n, 'fan' || n, ${host}, uri, uri, uri || '/inbox', base || '/inbox',
        (${publicKeys}::text[])[1 + n % ${publicKeys.length}], now()
      FROM generate_series(1, ${count}::int) AS n, LATERAL (SELECT 'https://' || ${host}::text AS base) AS b,
        LATERAL (SELECT base || '/users/fan' || n AS uri) AS u
    `;
    await db`
      INSERT INTO follows (id, account_id, target_account_id, local)
      SELECT (10::bigint << 40) + n, ${CROWD_FROM}::bigint + n, ${localId(person)}, false
      FROM generate_series(1, ${count}::int) AS n
    `;
    await db`INSERT INTO account_stats (account_id, following_count)
      SELECT ${CROWD_FROM}::bigint + n, 1 FROM generate_series(1, ${count}::int) AS n`;
    await db`
      UPDATE account_stats SET followers_count = followers_count + ${count} WHERE account_id = ${localId(person)}
    `;
    await db`ANALYZE accounts, account_stats, follows`;
    return count;
  });

/** Returns the number of followers by the counter, and by the rows. */
export const selectFollowers = async (db: Db, person: number) => {
  const [row] = await db<{ counted: number; rows: number }[]>`
    SELECT (SELECT followers_count FROM account_stats WHERE account_id = ${localId(person)})::int AS counted,
      (SELECT count(*) FROM follows WHERE target_account_id = ${localId(person)})::int AS rows
  `;
  return row!;
};

/** Opens a transaction that keeps its snapshot, as a backup's does; returns the function that ends it. */
export const holdSnapshot = async (sql: Sql): Promise<() => Promise<void>> => {
  const connection = await sql.reserve();
  await connection`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
  await connection`SELECT count(*) FROM roles`;
  return async () => {
    await connection`COMMIT`;
    connection.release();
  };
};

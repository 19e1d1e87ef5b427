// The bulk SQL of the hot spots; by a superuser, on a filled world (queries-fill.ts).

import type { Db, Sql } from "../../src/platform/db/index.ts";
import { prepare } from "../queries-fill.ts";
import { localId } from "../world.ts";

/** Runs on a connection of its own without triggers, so that millions of rows take a minute or two. */
export const inBulk = async (sql: Sql, write: (db: Db) => Promise<number>): Promise<number> => {
  const connection = await sql.reserve();
  try {
    await prepare(connection);
    return await write(connection);
  } finally {
    await connection`SET session_replication_role = origin`;
    connection.release();
  }
};

/** Statuses that one person's notifications are about. */
const ABOUT = 1000;

/**
 * Inserts notifications of favourites of public posts, ten a second until now, in groups of half a day, at most ABOUT
 * by each remote account; returns how many.
 */
export const insertNotificationsOf = (sql: Sql, person: number, count: number): Promise<number> =>
  inBulk(sql, async (db) => {
    const owner = localId(person);
    const rows = await db`
      INSERT INTO notifications (account_id, from_account_id, type, status_id, created_at, group_key)
      SELECT ${owner}, who, 'favourite', post, to_timestamp(ms / 1000),
        concat_ws('-', 'favourite', post, ms / 43200000 * 12)
      FROM (
        SELECT n, who, post, (extract(epoch FROM now()) * 1000)::bigint - n * 100 AS ms FROM (
          SELECT row_number() OVER () AS n, a.id AS who, s.id AS post
          FROM (
            SELECT id FROM accounts WHERE domain IS NOT NULL LIMIT ${Math.ceil(count / ABOUT)}
          ) AS a, (
            SELECT id FROM statuses WHERE visibility = 'public' AND reblog_of_id IS NULL LIMIT ${ABOUT}
          ) AS s
          LIMIT ${count}
        ) AS pairs
      ) AS timed
      ORDER BY ms
    `;
    await db`
      INSERT INTO notification_groups (account_id, group_key, type, status_id, latest_id, count)
      SELECT account_id, group_key, min(type), min(status_id), max(id), count(*)
      FROM notifications WHERE account_id = ${owner} AND group_key IS NOT NULL
      GROUP BY account_id, group_key
      ON CONFLICT DO NOTHING
    `;
    await db`ANALYZE notifications, notification_groups`;
    return rows.count;
  });

/** Inserts follows of the remote accounts that came last, which write least. */
export const insertFollowsOf = (sql: Sql, person: number, count: number): Promise<number> =>
  inBulk(sql, async (db) => {
    const rows = await db`
      INSERT INTO follows (id, account_id, target_account_id)
      SELECT (9::bigint << 40) + row_number() OVER (), ${localId(person)}, id
      FROM accounts WHERE domain IS NOT NULL
      ORDER BY id DESC LIMIT ${count} ON CONFLICT DO NOTHING
    `;
    await db`ANALYZE follows`;
    return rows.count;
  });

/** Inserts a filter with a number of words, some of which most posts have. */
export const insertFilterOf = async (db: Db, person: number, words: number): Promise<void> => {
  const [filter] = await db<{ id: string }[]>`
    INSERT INTO filters (account_id, title, context)
    VALUES (${localId(person)}, 'everything', '{home,public,notifications,thread}') RETURNING id
  `;
  await db`
    INSERT INTO filter_keywords (filter_id, keyword)
    SELECT ${filter!.id}, CASE WHEN n = 1 THEN 'the' ELSE 'word' || n END
    FROM generate_series(1, ${words}::int) AS n
  `;
};

/** Inserts blocks of remote accounts; further accounts without posts are made as needed. */
export const insertBlocksOf = (sql: Sql, person: number, count: number): Promise<number> =>
  inBulk(sql, async (db) => {
    await db`
      INSERT INTO accounts (id, username, domain, uri, url, inbox_url, public_key)
      SELECT n, 'quiet' || n, 'quiet.example', uri, uri, uri || '/inbox', ''
      FROM generate_series(1000000, 999999 + ${count}::int) AS n,
        LATERAL (SELECT 'https://quiet.example/users/' || n AS uri) AS a
    `;
    const rows = await db`
      INSERT INTO blocks (account_id, target_account_id)
      SELECT ${localId(person)}, id FROM accounts WHERE domain IS NOT NULL
      ORDER BY id DESC LIMIT ${count} ON CONFLICT DO NOTHING
    `;
    await db`ANALYZE accounts`;
    return rows.count;
  });

/** Inserts a list of accounts of other servers. */
export const insertLargeList = async (
  db: Db,
  owner: number,
  count: number,
): Promise<{ id: string; count: number }> => {
  const [list] = await db<{ id: string }[]>`
    INSERT INTO lists (account_id, title) VALUES (${localId(owner)}, 'everybody') RETURNING id
  `;
  const rows = await db`
    INSERT INTO list_accounts (list_id, account_id, owner_id, exclusive)
    SELECT ${list!.id}, id, ${localId(owner)}, false FROM accounts WHERE domain IS NOT NULL
    ORDER BY id LIMIT ${count}
  `;
  return { id: list!.id, count: rows.count };
};

/** Adds the tag to every public post; returns how many have it. */
export const insertTagEverywhere = async (db: Db, name: string): Promise<number> => {
  const rows = await db`
    INSERT INTO statuses_tags (status_id, account_id, tag_id)
    SELECT s.id, s.account_id, t.id FROM statuses s, tags t
    WHERE t.name = ${name} AND s.visibility = 'public' AND s.reblog_of_id IS NULL
    ON CONFLICT DO NOTHING
  `;
  await db`ANALYZE statuses_tags`;
  return rows.count;
};

/** First ids of local accounts that nobody uses, and of remote ones, that follow one person. */
const [FIRST_HERE, FIRST_ELSEWHERE] = [6_000_000, 8_000_000];

/** Inserts a crowd of followers; each host's many accounts share its inbox. */
export const insertCrowdOf = (
  sql: Sql,
  person: number,
  { here, elsewhere, hosts }: { here: number; elsewhere: number; hosts: string[] },
): Promise<number> =>
  inBulk(sql, async (db) => {
    await db`
      INSERT INTO accounts (id, username, uri, url, inbox_url, public_key)
      SELECT ${FIRST_HERE}::int + n, 'quiet' || n, uri, uri, uri || '/inbox', ''
      FROM generate_series(1, ${here}::int) AS n,
        LATERAL (SELECT 'https://here.example/users/quiet' || n AS uri) AS a
    `;
    await db`
      INSERT INTO accounts (id, username, domain, uri, url, inbox_url, shared_inbox_url, public_key)
      SELECT ${FIRST_ELSEWHERE}::int + n, 'fan' || n, host, uri, uri, uri || '/inbox',
        'http://' || host || '/inbox', ''
      FROM generate_series(1, ${elsewhere}::int) AS n,
        LATERAL (SELECT (${hosts}::text[])[1 + n % ${hosts.length}::int] AS host) AS h,
        LATERAL (SELECT 'http://' || host || '/users/fan' || n AS uri) AS a
    `;
    const rows = await db`
      INSERT INTO follows (id, account_id, target_account_id, local)
      SELECT (11::bigint << 40) + id, id, ${localId(person)}, domain IS NULL
      FROM accounts WHERE id BETWEEN ${FIRST_HERE} AND ${FIRST_ELSEWHERE + elsewhere}
    `;
    await db`ANALYZE accounts, follows`;
    return rows.count;
  });

// The SQL of the chores: recent posts and favourites, an owner, and the jobs that are run.

import type { Db, Sql } from "../../src/platform/db/index.ts";
import { localId } from "../world.ts";
import { inBulk } from "./queries.ts";

/** Favourites of a recent post on average; a few posts have most of them. */
const FAVOURITES = 3;
/** Number of accounts that favourite, the oldest ones. */
const PEOPLE = 20_000;

const RECENT = "bench_recent";

/** Copies the newest posts, as if they had been written in the last three days, a fifth of them with a link. */
const insertPosts = async (db: Db, count: number): Promise<void> => {
  await (db as Sql).unsafe(`DROP TABLE IF EXISTS ${RECENT}`);
  await db`
    CREATE TEMP TABLE bench_recent AS
    SELECT n, (ms << 16) | 7 AS id, s.id AS model, bench.time_at(ms) AS at,
      CASE WHEN bench.dice(n, 61) < 0.2
        THEN 'https://news' || bench.tail(2000, bench.dice(n, 62)) || '.example/page' END AS link
    FROM (
      SELECT row_number() OVER (ORDER BY id DESC) AS n, id FROM statuses
      WHERE visibility = 'public' AND reblog_of_id IS NULL ORDER BY id DESC LIMIT ${count}
    ) AS s, LATERAL (
      SELECT (extract(epoch FROM now()) * 1000)::bigint - n * (259200000 / ${count}::bigint) AS ms
    ) AS t
  `;
  await db`
    INSERT INTO statuses (id, account_id, uri, url, local, text, content, visibility, awaits_approval, language,
      conversation_id, app_id, created_at)
    SELECT r.id, s.account_id, a.uri || '/statuses/' || r.id, a.url || '/' || r.id, s.local, s.text,
      s.content || coalesce('<p><a href="' || r.link || '">news</a></p>', ''), 'public', false, s.language, r.id,
      s.app_id, r.at
    FROM bench_recent r JOIN statuses s ON s.id = r.model JOIN accounts a ON a.id = s.account_id
  `;
  await db`
    INSERT INTO status_links (url_hash, status_id) SELECT sha256(link::bytea), id FROM bench_recent WHERE link IS NOT NULL
  `;
  await db`
    INSERT INTO statuses_tags (tag_id, status_id, account_id)
    SELECT DISTINCT t.tag_id, r.id, t.account_id FROM bench_recent r JOIN statuses_tags t ON t.status_id = r.model
  `;
};

const insertFavourites = async (db: Db, count: number): Promise<void> => {
  await db`
    INSERT INTO favourites (id, account_id, status_id, created_at)
    SELECT ((extract(epoch FROM r.at) * 1000)::bigint << 16) | (g.n % 65536), p.id, r.id, r.at
    FROM (
      SELECT n, bench.tail(${count}, bench.dice(n, 63)) AS post, 1 + floor(${PEOPLE} * bench.dice(n, 64))::bigint AS person
      FROM generate_series(1, ${count * FAVOURITES}::bigint) AS n
    ) AS g
    JOIN bench_recent r ON r.n = g.post
    JOIN (
      SELECT row_number() OVER (ORDER BY id) AS n, id FROM accounts ORDER BY id LIMIT ${PEOPLE}
    ) AS p ON p.n = g.person
    ON CONFLICT DO NOTHING
  `;
  await db`
    INSERT INTO status_stats (status_id, favourites_count)
    SELECT r.id, count(f.status_id) FROM bench_recent r LEFT JOIN favourites f ON f.status_id = r.id GROUP BY 1
  `;
};

/** Inserts what people did in the last three days, from which trends and figures are computed. */
export const insertRecent = (sql: Sql, count: number): Promise<number> =>
  inBulk(sql, async (db) => {
    await insertPosts(db, count);
    await insertFavourites(db, count);
    await db`
      INSERT INTO tag_days (tag_id, day, uses, accounts)
      SELECT t.tag_id, r.at::date, count(*), count(DISTINCT s.account_id)
      FROM bench_recent r JOIN statuses_tags t ON t.status_id = r.id JOIN statuses s ON s.id = r.id
      GROUP BY 1, 2 ON CONFLICT DO NOTHING
    `;
    const [row] = await db<{ count: number }[]>`SELECT count(*)::int AS count FROM bench_recent`;
    await db`DROP TABLE bench_recent`;
    await db`ANALYZE statuses, favourites, status_stats, statuses_tags, status_links, tag_days`;
    return row!.count;
  });

/** Makes a person an owner of the server, signed in to its pages with this token. */
export const appointOwner = async (db: Db, person: number, token: string): Promise<void> => {
  const id = localId(person);
  await db`UPDATE users SET role_id = (SELECT id FROM roles WHERE name = 'Owner') WHERE id = ${id}`;
  await db`INSERT INTO sessions (token_hash, user_id) VALUES (sha256(${token}::bytea), ${id})`;
  await db`
    UPDATE oauth_tokens SET scopes = scopes || '{admin:read,admin:write}' WHERE user_id = ${id}
  `;
};

export type Job = { name: string; payload: object; key: string };

/** Enqueues jobs as the schedule does. */
export const enqueueJobs = (db: Db, jobs: Job[]) => db`
  SELECT graphile_worker.add_job(
    j.name, j.payload, job_key => j.key, priority => 10
  ) FROM jsonb_to_recordset(${db.json(jobs as never)}) AS j (name text, payload json, key text)
`;

const ofNames = (db: Db, names: string[]) => db`
  task_id = ANY(ARRAY(SELECT id FROM graphile_worker._private_tasks WHERE identifier = ANY(${names}::text[])))
`;

/** Returns how many jobs are due or in progress, and why one of them failed. */
export const selectJobs = async (db: Db, names: string[]) => {
  const [row] = await db<{ waiting: number; fault: string | null }[]>`
    SELECT count(*) FILTER (WHERE run_at <= now() OR locked_at IS NOT NULL)::int AS waiting, max(last_error) AS fault
    FROM graphile_worker._private_jobs WHERE ${ofNames(db, names)}
  `;
  return row!;
};

/** Deletes jobs that are not in progress. */
export const deleteJobs = (db: Db, names: string[]) => db`
  DELETE FROM graphile_worker._private_jobs WHERE ${ofNames(db, names)} AND locked_at IS NULL
`;

export const LARGE_TABLES =
  `statuses status_stats favourites mentions notifications status_search statuses_tags
  conversations media_attachments accounts follows`.split(/\s+/);

export const vacuum = (sql: Sql, table: string) => sql.unsafe(`VACUUM (ANALYZE) ${table}`);

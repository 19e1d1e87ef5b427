// The SQL of the measurements; the SQL that fills the world is in queries-fill.ts.

import type { Db, Sql } from "../src/platform/db/index.ts";

/** Counts jobs and hosts that are due or in progress, and activities that wait. */
export const countWaiting = async (db: Db): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    SELECT (
      (SELECT count(*) FROM graphile_worker._private_jobs
        WHERE run_at <= now() AND attempts < max_attempts)
      + (SELECT count(*) FROM incoming_activities)
      + (SELECT count(*) FROM outbox)
      + (SELECT count(*) FROM remote_hosts WHERE due_at <= now() OR owner IS NOT NULL)
    )::int AS count
  `;
  return row!.count;
};

export const countStatuses = async (db: Db): Promise<number> => {
  const [row] = await db<{ count: number }[]>`SELECT count(*)::int AS count FROM statuses`;
  return row!.count;
};

/** Tables with parts of a status, besides its row. */
const PARTS =
  `status_stats conversations mentions statuses_tags status_links media_attachments status_search
  polls quotes status_edits`.split(/\s+/);

export type Bytes = { heap: number; indexes: number };

/** Returns the bytes of a status on disk: of its row alone, and of all its parts; TOAST counts as heap. */
export const selectStatusBytes = async (db: Db): Promise<{ row: Bytes; parts: Bytes }> => {
  const count = await countStatuses(db);
  const of = async (tables: string[]): Promise<Bytes> => {
    const [sum] = await db<Bytes[]>`
      SELECT sum(pg_table_size(c.oid))::float8 AS heap, sum(pg_indexes_size(c.oid))::float8 AS indexes
      FROM pg_class c
      WHERE c.relname = ANY(${tables}) AND c.relnamespace = 'public'::regnamespace
    `;
    return { heap: sum!.heap / count, indexes: sum!.indexes / count };
  };
  return { row: await of(["statuses"]), parts: await of(["statuses", ...PARTS]) };
};

/** Switches the counting of statements on or off (pg_stat_statements); backends notice it a moment later. */
export const trackStatements = async (db: Db, on: boolean): Promise<void> => {
  await (db as Sql).unsafe(`ALTER SYSTEM SET pg_stat_statements.track = '${on ? "top" : "none"}'`);
  await db`SELECT pg_reload_conf()`;
};

export const resetStatements = (db: Db) => db`SELECT pg_stat_statements_reset()`;

/** Counts Rookery's statements so far; `withQueue` false leaves out those of the job queue. */
export const countStatements = async (db: Db, withQueue: boolean): Promise<number> => {
  const [row] = await db<{ calls: number }[]>`
    SELECT coalesce(sum(calls), 0)::int AS calls
    FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid
    WHERE r.rolname = 'rookery' AND (${withQueue} OR query NOT LIKE '%graphile_worker%')
  `;
  return row!.calls;
};

export type Statement = { calls: number; total_ms: number; mean_ms: number; query: string };

export const topStatements = (db: Db, limit: number) => db<Statement[]>`
  SELECT calls::int, total_exec_time AS total_ms, mean_exec_time AS mean_ms,
    regexp_replace(query, '\\s+', ' ', 'g') AS query
  FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid
  WHERE r.rolname = 'rookery' ORDER BY total_exec_time DESC LIMIT ${limit}
`;

/** Returns the body of the activity that was sent last. */
export const selectLastOutgoing = async (db: Db): Promise<string> => {
  const [row] = await db<{ body: string }[]>`
    SELECT body FROM outgoing_activities ORDER BY id DESC LIMIT 1
  `;
  return row!.body;
};

/** Returns URIs of local public statuses, for remote actors to like and boost. */
export const selectLocalUris = async (db: Db, limit: number): Promise<string[]> => {
  const rows = await db<{ uri: string }[]>`
    SELECT uri FROM statuses WHERE local AND visibility = 'public' AND reblog_of_id IS NULL
    ORDER BY id LIMIT ${limit}
  `;
  return rows.map((row) => row.uri);
};

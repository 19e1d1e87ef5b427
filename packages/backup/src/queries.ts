// SQL of backups and restores: what the database consists of, how it is emptied, filled and completed.

import type { Db } from "./uses.ts";

export type Table = { schema: string; name: string; columns: string[] };

/**
 * Tables that are not backed up: copies of other servers' files, the processes that run now, and the schema's own list
 * of migrations.
 */
const LEFT_OUT = [
  "public.remote_files",
  "public.server_runs",
  "public.migrations",
  "public.restore_unfinished",
  "graphile_worker.migrations",
];
const SCHEMAS = ["public", "graphile_worker"];

export const selectTables = async (db: Db): Promise<Table[]> => [
  ...(await db<Table[]>`
    SELECT n.nspname AS schema, c.relname AS name,
      array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
      AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE n.nspname = ANY(${SCHEMAS}) AND c.relkind = 'r'
      AND NOT n.nspname || '.' || c.relname = ANY(${LEFT_OUT})
    GROUP BY 1, 2 ORDER BY 1, 2
  `),
];

export type Sequence = { name: string; value: string; is_called: boolean };

/** Selects sequences and their values; `name` is quoted for SQL and has its schema. */
export const selectSequences = async (db: Db): Promise<Sequence[]> => {
  const rows = await db<Sequence[]>`
    SELECT format('%I.%I', schemaname, sequencename) AS name,
      coalesce(last_value, start_value)::text AS value, last_value IS NOT NULL AS is_called
    FROM pg_sequences WHERE schemaname = ANY(${SCHEMAS}) ORDER BY 1
  `;
  return [...rows];
};

export const setSequence = (db: Db, { name, value, is_called: isCalled }: Sequence) =>
  db`SELECT setval(${name}::regclass, ${value}::bigint, ${isCalled})`;

export const selectMigrations = async (db: Db): Promise<string[]> => {
  const rows = await db<{ name: string }[]>`SELECT name FROM migrations ORDER BY name`;
  return rows.map(({ name }) => name);
};

/** Whether the database has no table of ours. */
export const isEmptyDatabase = async (db: Db): Promise<boolean> => {
  const [row] = await db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ANY(${SCHEMAS}) AND c.relkind IN ('r', 'p')
  `;
  return row!.count === 0;
};

/** Marks the database for as long as a restore works; checkDatabase refuses a marked one. */
export const markDatabase = (db: Db) => db`CREATE TABLE restore_unfinished ()`;
export const unmarkDatabase = (db: Db) => db`DROP TABLE restore_unfinished`;

/** Statements that drop a foreign key or an index before rows are loaded, and make it again afterwards. */
export type Detour = { drop: string; make: string };

export const selectForeignKeys = async (db: Db): Promise<Detour[]> => [
  ...(await db<Detour[]>`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
        pg_get_constraintdef(c.oid)) AS make
    FROM pg_constraint c JOIN pg_namespace n ON n.oid = c.connamespace
    WHERE contype = 'f' AND conparentid = 0 AND n.nspname = ANY(${SCHEMAS})
    ORDER BY conrelid::regclass::text, conname
  `),
];

/** Selects the indexes that belong to no constraint and no partition. */
export const selectIndexes = async (db: Db): Promise<Detour[]> => [
  ...(await db<Detour[]>`
    SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS drop,
      pg_get_indexdef(i.indexrelid) AS make
    FROM pg_index i
    JOIN pg_class c ON c.oid = i.indrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ANY(${SCHEMAS}) AND c.relkind = 'r' AND NOT c.relispartition
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
    ORDER BY c.relname, i.indexrelid::regclass::text
  `),
];

/** Makes jobs that were in progress due again. */
export const freeAllJobs = async (db: Db): Promise<void> => {
  await db`UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL
    WHERE locked_by IS NOT NULL`;
  await db`UPDATE graphile_worker._private_job_queues SET locked_at = NULL, locked_by = NULL
    WHERE locked_by IS NOT NULL`;
};

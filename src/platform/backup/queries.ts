// SQL of backups: what the database consists of, and how it is emptied, filled and completed; how the
// last backups and restore drills went.

import { keepNewest } from "../db/delete-older.ts";
import type { Db } from "../db/index.ts";

export type Table = { schema: string; name: string; columns: string[] };

/**
 * Copies of other servers' files and what runs now are not part of a backup, and the schema has migrations of its own.
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

/** A name as SQL writes it, with its schema. */
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

/** Whether nothing of ours is in the database. */
export const isEmptyDatabase = async (db: Db): Promise<boolean> => {
  const [row] = await db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ANY(${SCHEMAS}) AND c.relkind IN ('r', 'p')
  `;
  return row!.count === 0;
};

/** In the database as long as a restore works; checkDatabase refuses one that has it. */
export const markDatabase = (db: Db) => db`CREATE TABLE restore_unfinished ()`;
export const unmarkDatabase = (db: Db) => db`DROP TABLE restore_unfinished`;

/** How a foreign key or an index is dropped for the time in which rows come, and made again. */
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

/** Those that are not of a constraint, nor of a partition. */
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

/** Jobs that were in progress are due again. */
export const freeAllJobs = async (db: Db): Promise<void> => {
  await db`UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL
    WHERE locked_by IS NOT NULL`;
  await db`UPDATE graphile_worker._private_job_queues SET locked_at = NULL, locked_by = NULL
    WHERE locked_by IS NOT NULL`;
};

export type Outcome = {
  started_at: Date;
  finished_at: Date;
  place: string;
  bytes: number;
  files: number;
  fault: string | null;
};

const KEPT_OUTCOMES = 100;

export const insertOutcome = async (db: Db, outcome: Outcome): Promise<void> => {
  await db`INSERT INTO backups ${db(outcome)}`;
  await keepNewest(db, "backups", KEPT_OUTCOMES);
};

/** The newest one, and the newest one that succeeded. */
export const selectOutcomes = async (
  db: Db,
): Promise<{ last: Outcome | null; good: Outcome | null }> => {
  const rows = await db<(Outcome & { id: string })[]>`
    (SELECT * FROM backups ORDER BY id DESC LIMIT 1)
    UNION ALL
    (SELECT * FROM backups WHERE fault IS NULL ORDER BY id DESC LIMIT 1)
  `;
  return { last: rows[0] ?? null, good: rows.find(({ fault }) => fault === null) ?? null };
};

/** Of a backup that was started in a throw-away place and asked (packages/restore-drill). */
export type DrillOutcome = {
  started_at: Date;
  finished_at: Date;
  backup: string;
  questions: number;
  failures: number;
  fault: string | null;
};

export const insertDrill = async (db: Db, outcome: DrillOutcome): Promise<void> => {
  await db`INSERT INTO restore_drills ${db(outcome)}`;
  await keepNewest(db, "restore_drills", KEPT_OUTCOMES);
};

export const selectLastDrill = async (db: Db): Promise<DrillOutcome | null> => {
  const [row] = await db<DrillOutcome[]>`
    SELECT started_at, finished_at, backup, questions, failures, fault
    FROM restore_drills ORDER BY id DESC LIMIT 1
  `;
  return row ?? null;
};

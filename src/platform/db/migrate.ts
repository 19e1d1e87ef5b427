// Forward-only migrations: migrations/NNNN-name.sql, each run once, under a lock. Each is one transaction,
// unless its first line says otherwise (see OUTSIDE).

import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { runMigrations } from "graphile-worker";
import type { ReservedSql } from "postgres";
import { ConfigError } from "../errors.ts";
import { learnTypes } from "./index.ts";
import type { Sql } from "./index.ts";
import { valuesOf } from "./rows.ts";
import { openQueuePool } from "./queue-pool.ts";

const FOLDER = new URL("../../../migrations/", import.meta.url);
const LOCK = 7_266_533; // an arbitrary number that only migrations use
const LOCK_POLL_MS = 100;

/**
 * First line of a migration whose statements run one by one, for CREATE INDEX CONCURRENTLY and the like. It is run
 * again from its beginning if it did not reach its end, so each statement has to be harmless the second time (IF NOT
 * EXISTS, IF EXISTS), and ends with a semicolon at the end of a line.
 */
const OUTSIDE = "-- no transaction";

/** Begins the file of the schema of a new database; the migrations that it stands for follow, one a line. */
export const SCHEMA_MARK = "-- The schema that these migrations made, which version ";

type Squashed = { names: string[]; version: string };

/** What a schema stands for, and the last version that has these migrations; null: the text is that of a migration. */
export const squashedIn = (text: string): Squashed | null => {
  if (!text.startsWith(SCHEMA_MARK)) return null;
  const [, version, lines] = /(\d+\.\d+\.\d+) has:\n((?:-- \d{4}-[a-z0-9-]+\.sql\n)+)/.exec(text)!;
  const names = lines!.trimEnd().split("\n");
  return { version: version!, names: names.map((line) => line.slice("-- ".length)) };
};

const migrationFiles = async (): Promise<string[]> =>
  (await readdir(FOLDER)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort();

/**
 * Runs `work` on one connection that holds the lock. Others poll for the lock: CREATE INDEX CONCURRENTLY would wait for
 * a statement that waits in the database.
 */
const locked = async <T>(sql: Sql, work: (connection: ReservedSql) => Promise<T>): Promise<T> => {
  const connection = await sql.reserve();
  try {
    while (true) {
      const [row] = await connection<
        { got: boolean }[]
      >`SELECT pg_try_advisory_lock(${LOCK}) AS got`;
      if (row!.got) break;
      await sleep(LOCK_POLL_MS);
    }
    try {
      return await work(connection);
    } finally {
      await connection`SELECT pg_advisory_unlock(${LOCK})`;
    }
  } finally {
    connection.release();
  }
};

const applied = async (connection: ReservedSql): Promise<Set<string>> => {
  await connection`
    CREATE TABLE IF NOT EXISTS migrations (
      name text PRIMARY KEY,
      applied_at timestamptz NOT NULL DEFAULT now()
    )
  `;
  const rows = await connection<{ name: string }[]>`SELECT name FROM migrations`;
  return new Set(rows.map((row) => row.name));
};

const insertApplied = (connection: ReservedSql, names: string[]) =>
  connection`INSERT INTO migrations (name) SELECT unnest(${names}::text[])`;

const applyInside = async (connection: ReservedSql, name: string, text: string): Promise<void> => {
  await connection.unsafe("BEGIN");
  try {
    await connection.unsafe(text);
    await insertApplied(connection, squashedIn(text)?.names ?? [name]);
    await connection.unsafe("COMMIT");
  } catch (error) {
    // On a lost connection this fails too, and its error says less.
    await connection.unsafe("ROLLBACK").catch(() => {});
    throw error;
  }
};

/** Drops indexes whose concurrent creation was interrupted: they exist, but are never used. */
const dropInvalidIndexes = async (connection: ReservedSql, text: string): Promise<void> => {
  const rows = await connection<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE NOT i.indisvalid AND c.relnamespace = 'public'::regnamespace
  `;
  for (const { name } of rows) {
    if (text.includes(name)) await connection`DROP INDEX CONCURRENTLY ${connection(name)}`;
  }
};

const isOutside = (text: string): boolean => text.startsWith(OUTSIDE);

/** Returns what is sent at once: all of a migration, or each statement of one that runs outside of a transaction. */
export const partsOfMigration = (text: string): string[] =>
  isOutside(text) ? text.split(/;[ \t]*$/m).filter((part) => /^\s*[^\s-]/m.test(part)) : [text];

const applyOutside = async (connection: ReservedSql, name: string, text: string): Promise<void> => {
  await dropInvalidIndexes(connection, text);
  for (const statement of partsOfMigration(text)) await connection.unsafe(statement);
  await insertApplied(connection, [name]);
};

/** `isOutside`: its statements are run one by one. */
export const readMigration = async (
  name: string,
): Promise<{ text: string; isOutside: boolean }> => {
  const text = await readFile(new URL(name, FOLDER), "utf8");
  return { text, isOutside: isOutside(text) };
};

const apply = async (connection: ReservedSql, name: string): Promise<void> => {
  const { text } = await readMigration(name);
  await (isOutside(text) ? applyOutside : applyInside)(connection, name, text);
};

const MIGRATED = "The database was migrated";

/** The files in their order; the first one may be a schema, which stands for those that were before. */
type Steps = { files: string[]; schema: Squashed | null };

const readSteps = async (): Promise<Steps> => {
  const files = await migrationFiles();
  return { files, schema: squashedIn((await readMigration(files[0]!)).text) };
};

/**
 * Returns the files that are missing among these names of migrations. Throws ConfigError for names of a newer version,
 * and for a version that is too old for the schema.
 */
const missingIn = ({ files, schema }: Steps, names: Set<string>, what: string): string[] => {
  const known = new Set([...files, ...(schema?.names ?? [])]);
  const unknown = [...names].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new ConfigError(
      `${what} by a newer version of Rookery (${unknown.join(", ")}): start that version, or restore an older backup.`,
    );
  }
  const missing = files.filter((name) => !names.has(name));
  const lacking = schema?.names.filter((name) => !names.has(name)) ?? [];
  if (!schema || lacking.length === schema.names.length) return missing;
  if (lacking.length > 0) {
    throw new ConfigError(
      `${what} by an older version of Rookery than this one can bring up to date: start version ${schema.version} once, then this one.`,
    );
  }
  return missing.slice(1);
};

/** Throws ConfigError for migrations of a newer version, and of one that is too old. */
export const checkMigrations = async (names: string[]): Promise<void> => {
  missingIn(await readSteps(), new Set(names), "The backup was made");
};

/** Tells whether a file that was applied is the schema of a new database. */
export const isSchema = (name: string): boolean => name.endsWith("-schema.sql");

/** Returns null for an empty database. */
const appliedNames = async (sql: Sql): Promise<string[] | null> => {
  const [row] = await sql<
    { there: boolean }[]
  >`SELECT to_regclass('migrations') IS NOT NULL AS there`;
  if (!row!.there) return null;
  return valuesOf(sql<{ name: string }[]>`SELECT name FROM migrations ORDER BY name`);
};

/** Returns the names of the migrations that a start would apply. */
export const pendingMigrations = async (sql: Sql): Promise<string[]> => {
  const names = new Set(await appliedNames(sql));
  return missingIn(await readSteps(), names, MIGRATED);
};

/** Throws ConfigError when the database is of a newer version, or empty. */
export const refuseNewer = async (sql: Sql): Promise<void> => {
  const names = await appliedNames(sql);
  if (!names) throw new ConfigError("The database is empty: the first start fills it.");
  missingIn(await readSteps(), new Set(names), MIGRATED);
};

const migrateQueue = async (url: string): Promise<void> => {
  const pool = openQueuePool(url, 1);
  try {
    await runMigrations({ pgPool: pool, noHandleSignals: true });
  } finally {
    await pool.end();
  }
};

/** Applies migrations and returns their names; throws ConfigError when the database is from a newer version. */
const applyAll = async (connection: ReservedSql, only: string[] | null): Promise<string[]> => {
  const steps = await readSteps();
  const before = await applied(connection);
  const later = only && new Set(missingIn(steps, new Set(only), "The backup was made"));
  const due = missingIn(steps, before, MIGRATED).filter((name) => !later?.has(name));
  // A new database has nothing to lose, so its commits need not wait for the disk.
  if (before.size === 0) await connection`SET synchronous_commit = off`;
  for (const name of due) await apply(connection, name);
  await connection`RESET synchronous_commit`;
  return due;
};

/**
 * Brings the schema (ours, and the job queue's) up to date; returns the names of the applied migrations. Throws
 * ConfigError when the database is from a newer version. `only` restricts the migrations, for a backup. The pool may
 * have been used before; any other pool that was used needs learnTypes().
 */
export const migrate = async (
  sql: Sql,
  url: string,
  only: string[] | null = null,
): Promise<string[]> => {
  const done = await locked(sql, (connection) => applyAll(connection, only));
  // This runs always: an earlier run may have ended right before it, and the queue has its own versions.
  await migrateQueue(url);
  await learnTypes(sql);
  return done;
};

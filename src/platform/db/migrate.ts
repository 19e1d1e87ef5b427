// Forward-only migrations: migrations/NNNN-name.sql, each run once, in one transaction, under a lock.

import { readdir, readFile } from "node:fs/promises";
import { runMigrations } from "graphile-worker";
import { ConfigError } from "../errors.ts";
import type { Sql } from "./index.ts";

const FOLDER = new URL("../../../migrations/", import.meta.url);
const LOCK = 7_266_533; // an arbitrary number that only migrations use

const migrationFiles = async (): Promise<string[]> =>
  (await readdir(FOLDER)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort();

const applied = async (sql: Sql): Promise<Set<string>> => {
  await sql.begin(async (tx) => {
    // Without the lock two processes would both find no table, and one would fail.
    await tx`SELECT pg_advisory_xact_lock(${LOCK})`;
    await tx`
      CREATE TABLE IF NOT EXISTS migrations (
        name text PRIMARY KEY,
        applied_at timestamptz NOT NULL DEFAULT now()
      )
    `;
  });
  const rows = await sql<{ name: string }[]>`SELECT name FROM migrations`;
  return new Set(rows.map((row) => row.name));
};

const apply = async (sql: Sql, name: string): Promise<boolean> => {
  const text = await readFile(new URL(name, FOLDER), "utf8");
  return sql.begin(async (tx) => {
    await tx`SELECT pg_advisory_xact_lock(${LOCK})`;
    const [done] = await tx`SELECT 1 FROM migrations WHERE name = ${name}`;
    if (done) return false;
    await tx.unsafe(text);
    await tx`INSERT INTO migrations (name) VALUES (${name})`;
    return true;
  });
};

/**
 * Brings the schema (ours, and the job queue's) up to date; returns the names of the applied migrations.
 * ConfigError when the database is from a newer version.
 */
export const migrate = async (sql: Sql, url: string): Promise<string[]> => {
  const files = await migrationFiles();
  const before = await applied(sql);
  const unknown = [...before].filter((name) => !files.includes(name));
  if (unknown.length > 0) {
    throw new ConfigError(
      `The database was migrated by a newer version of Rookery (${unknown.join(", ")}): start that version, or restore an older backup.`,
    );
  }
  const done: string[] = [];
  for (const name of files) {
    if (!before.has(name) && (await apply(sql, name))) done.push(name);
  }
  // Always: an earlier run may have ended right before this, and the queue has its own versions.
  await runMigrations({ connectionString: url, noHandleSignals: true });
  return done;
};

// Multiplies the data of the Mastodon that people lived on, imports it by the command, and once more after an hour's
// difference: how long that takes, what CPU and memory it needs (docs/design/moving.md).
//
//   node packages/import-mastodon/test/million.ts postgres://user@host/postgres [statuses] [folder]
//
// The URL is of a PostgreSQL on this machine in which a database is made, and dropped at the end.

import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startImport } from "./import-command.ts";
import { startOldServer } from "./old-server.ts";
import type { OldServer } from "./old-server.ts";

const MULTIPLY = readFileSync(join(import.meta.dirname, "multiply.sql"), "utf8");

const TICKS = 100;
const SAMPLE_MS = 2_000;

type Process = { pid: number; parent: number; seconds: number; gone: number; megabytes: number };

/** Reads a process: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const readProcess = (pid: number): Process | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const rollup = readFileSync(`/proc/${pid}/status`, "utf8");
    const [, kilobytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(rollup) ?? [];
    const at = (n: number): number => Number(fields[n]) / TICKS;
    const megabytes = Number(kilobytes) / 1024;
    return {
      pid,
      parent: Number(fields[1]),
      seconds: at(11) + at(12),
      gone: at(13) + at(14),
      megabytes,
    };
  } catch {
    return null;
  }
};

const processes = (): Process[] =>
  readdirSync("/proc").flatMap((name) =>
    /^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : [],
  );

type Usage = { own: number; database: number; megabytes: number };

/** Returns the usage of a process and of all that it started. */
const usageOf = (root: number): Usage | null => {
  const all = processes();
  const own = all.find(({ pid }) => pid === root);
  if (!own) return null;
  const below = (pid: number): Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  const database = below(root).reduce((sum, { seconds, gone }) => sum + seconds + gone, 0);
  return { own: own.seconds, database, megabytes: own.megabytes };
};

const seconds = (from: number): number => Math.round((performance.now() - from) / 1000);

/** Runs the command and prints what it took. */
const run = async (old: OldServer, folder: string, more: string[] = []): Promise<void> => {
  const began = performance.now();
  const stdio = ["ignore" as const, "inherit" as const, "inherit" as const];
  const child = startImport(old, { folder, options: more, stdio });
  const most: Usage = { own: 0, database: 0, megabytes: 0 };
  const timer = setInterval(() => {
    const usage = usageOf(child.pid!);
    // Its database stops before it does.
    for (const name of ["own", "database", "megabytes"] as const)
      most[name] = Math.max(most[name], usage?.[name] ?? 0);
    const now =
      usage && `${Math.round(usage.own)} s CPU, ${Math.round(usage.database)} s in its database, `;
    if (usage) console.error(`${seconds(began)} s: ${now}${Math.round(usage.megabytes)} MB`);
  }, SAMPLE_MS);
  const [code] = await once(child, "close");
  clearInterval(timer);
  const { own, database, megabytes } = most;
  console.log(
    `exit code ${code} after ${seconds(began)} s: ${Math.round(own)} s CPU, ${Math.round(database)} s in its database, at most ${Math.round(megabytes)} MB`,
  );
};

/** Makes copies number `first` to `last`. */
const multiply = async ({ sql }: OldServer, first: number, last: number, stamp: string) => {
  await sql.unsafe(
    `BEGIN; DROP TABLE IF EXISTS pg_temp.copies, pg_temp.worlds, pg_temp.own, pg_temp.people;
    DROP FUNCTION IF EXISTS pg_temp.age, pg_temp.flake, pg_temp.world, pg_temp.account, pg_temp.serial, pg_temp.name;
    ${MULTIPLY.replaceAll("$first", String(first)).replaceAll("$last", String(last)).replaceAll("$stamp", stamp)}
    COMMIT`,
  );
};

const keepReal = (sql: OldServer["sql"]) =>
  sql.unsafe(`CREATE SCHEMA real; CREATE TABLE real.statuses AS SELECT id FROM statuses;
    CREATE TABLE real.accounts AS SELECT id FROM accounts; CREATE TABLE real.notifications AS SELECT id FROM notifications`);

/** Simulates an hour: new posts with all that belongs to them, edits, deletions, things taken back. */
const passAnHour = async (old: OldServer): Promise<void> => {
  await multiply(old, -3, -1, "now() AT TIME ZONE 'UTC'");
  await old.sql.unsafe(`
    UPDATE statuses SET text = text || ' (edited)', edited_at = now() AT TIME ZONE 'UTC', updated_at = now() AT TIME ZONE 'UTC'
    WHERE id IN (SELECT id FROM statuses WHERE reblog_of_id IS NULL ORDER BY id DESC OFFSET 1000 LIMIT 50);
    DELETE FROM favourites WHERE id IN (SELECT id FROM favourites ORDER BY id DESC LIMIT 100);
    DELETE FROM statuses WHERE id IN (SELECT id FROM statuses WHERE reblog_of_id IS NULL ORDER BY id DESC OFFSET 2000 LIMIT 50);
    DELETE FROM notifications n WHERE id > 1000 AND CASE n.activity_type
      WHEN 'Mention' THEN NOT EXISTS (SELECT FROM mentions m WHERE m.id = n.activity_id)
      WHEN 'Favourite' THEN NOT EXISTS (SELECT FROM favourites f WHERE f.id = n.activity_id)
      WHEN 'Status' THEN NOT EXISTS (SELECT FROM statuses s WHERE s.id = n.activity_id) END`);
};

const [beside, count = "1000000", place] = process.argv.slice(2);
if (!beside)
  throw new Error(
    "node packages/import-mastodon/test/million.ts postgres://user@host/postgres [statuses] [folder]",
  );
const folder = place ?? mkdtempSync(join(tmpdir(), "rookery-million-"));
mkdirSync(folder, { recursive: true });
const old = await startOldServer(beside);
try {
  await keepReal(old.sql);
  const [real] = await old.sql<{ count: number }[]>`SELECT count(*)::int AS count FROM statuses`;
  const began = performance.now();
  await multiply(old, 1, Math.ceil(Number(count) / real!.count), "timestamp '2026-11-01'");
  await old.sql.unsafe("VACUUM ANALYZE");
  console.log(`multiplied in ${seconds(began)} s`);
  await run(old, folder, ["--dry-run"]);
  await run(old, folder);
  await passAnHour(old);
  console.log("an hour later:");
  await run(old, folder);
  await run(old, folder, ["--check"]);
} finally {
  await old.close();
}

// A PostgreSQL with a streaming replica, both from the built-in programs, with the schema, for tests of reads from a
// replica.

import { execFileSync } from "node:child_process";
import { appendFileSync, chownSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmbedded } from "../src/platform/db/embedded.ts";
import type { EmbeddedDatabase } from "../src/platform/db/embedded.ts";
import { connect } from "../src/platform/db/index.ts";
import type { Sql } from "../src/platform/db/index.ts";
import { migrate } from "../src/platform/db/migrate.ts";
import { installWatch } from "./invalidation.ts";
import { makeFolder, removeFolder } from "./journeys/process.ts";
import { makeDataFolder } from "./journeys/server.ts";

/** Settings with which commits are in the log that a replica gets, and wait for no disk. */
const SETTINGS = {
  wal_level: "replica",
  max_wal_senders: "10",
  shared_buffers: "32MB",
  synchronous_commit: "on",
};

const start = (dataDir: string): Promise<EmbeddedDatabase> =>
  startEmbedded({ dataDir, durable: false, settings: SETTINGS });

/** Connects as the superuser by the same socket. */
const root = ({ url }: EmbeddedDatabase): Sql =>
  connect(url.replace("//rookery@", "//postgres@"), { max: 1, application: "tests" });

const run = async (database: EmbeddedDatabase, statement: string): Promise<void> => {
  const sql = root(database);
  await sql.unsafe(statement);
  await sql.end();
};

export type Replicated = {
  /** The primary's URL, and the replica's. */
  url: string;
  replicaUrl: string;
  /** Makes the replica receive everything without showing anything new. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Kills the replica, and starts it again. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Makes the replica a database of its own. */
  promote(): Promise<void>;
  /** From now on nothing is committed before the replica has it. */
  synchronize(): Promise<void>;
  /** Kills the primary without warning. */
  killPrimary(): void;
  close(): Promise<void>;
};

/** Copies the primary's folder for a replica that follows the primary. */
const copy = async (primary: EmbeddedDatabase, from: string, to: string): Promise<void> => {
  const sql = root(primary);
  await sql`SELECT pg_backup_start('replica', true)`;
  execFileSync("cp", ["-a", from, to]);
  const [end] = await sql<
    [{ label: string }]
  >`SELECT labelfile AS label FROM pg_backup_stop(false)`;
  await sql.end();
  for (const name of ["postmaster.pid", ".s.PGSQL.5432", ".s.PGSQL.5432.lock"])
    rmSync(join(to, name), { force: true });
  const { uid, gid } = statSync(to);
  for (const [name, text] of Object.entries({ backup_label: end.label, "standby.signal": "" })) {
    writeFileSync(join(to, name), text);
    chownSync(join(to, name), uid, gid);
  }
  appendFileSync(
    join(to, "postgresql.auto.conf"),
    `primary_conninfo = 'host=${primary.socketDir} user=postgres'\n`,
  );
};

export const startReplicated = async (): Promise<Replicated> => {
  const [first, second] = [makeDataFolder(), makeFolder()];
  const primary = await start(first);
  const sql = connect(primary.url, { max: 1, application: "tests" });
  await migrate(sql, primary.url);
  await installWatch(sql);
  await sql.end();
  await copy(primary, join(first, "postgres"), join(second, "postgres"));
  let replica = await start(second);
  return {
    url: primary.url,
    replicaUrl: replica.url,
    pause: () => run(replica, "SELECT pg_wal_replay_pause()"),
    resume: () => run(replica, "SELECT pg_wal_replay_resume()"),
    kill: () => replica.stop(),
    start: async () => void (replica = await start(second)),
    promote: () => run(replica, "SELECT pg_promote()"),
    async synchronize() {
      await run(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
      await run(primary, "SELECT pg_reload_conf()");
    },
    killPrimary: () => void process.kill(primary.pid, "SIGKILL"),
    async close() {
      await replica.stop();
      await primary.stop();
      for (const folder of [first, second]) removeFolder(folder);
    },
  };
};

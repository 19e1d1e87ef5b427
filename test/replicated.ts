// A PostgreSQL with a streaming replica, both from the built-in programs, with the schema: for the tests of what is
// read from a replica.

import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../src/platform/db/index.ts";
import type { Sql } from "../src/platform/db/index.ts";
import { accountFor, prepareCluster } from "../src/platform/db/embedded-cluster.ts";
import { CLEAN_ENVIRONMENT, usableBinaries } from "../src/platform/db/embedded-binaries.ts";
import type { Account, Binaries } from "../src/platform/db/embedded-binaries.ts";
import { migrate } from "../src/platform/db/migrate.ts";
import { installWatch } from "./invalidation.ts";

const SETTINGS = {
  listen_addresses: "",
  wal_level: "replica",
  max_connections: "60",
  shared_buffers: "32MB",
  fsync: "off",
  full_page_writes: "off",
  log_min_messages: "fatal",
};

const urlOf = (folder: string, user = "rookery"): string =>
  `postgres://${user}@${encodeURIComponent(folder)}:5432/rookery`;

const root = (folder: string): Sql =>
  connect(urlOf(folder, "postgres"), { max: 1, application: "tests" });

class Server {
  readonly url: string;
  readonly folder: string;
  readonly #binaries: Binaries;
  readonly #account: Account;
  #child: ChildProcess | null = null;

  constructor(folder: string, binaries: Binaries, account: Account) {
    this.folder = folder;
    this.url = urlOf(folder);
    this.#binaries = binaries;
    this.#account = account;
    process.once("exit", () => this.#child?.kill("SIGQUIT"));
  }

  async start(): Promise<void> {
    const settings = { ...SETTINGS, unix_socket_directories: this.folder };
    const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    this.#child = spawn(this.#binaries.postgres, ["-D", this.folder, ...options], {
      ...this.#account,
      cwd: this.folder,
      env: CLEAN_ENVIRONMENT,
      stdio: "ignore",
    });
    for (let n = 0; n < 600 && this.#child.exitCode === null; n++) {
      const sql = root(this.folder);
      const isUp = await sql`SELECT 1`.then(
        () => true,
        () => false,
      );
      await sql.end();
      if (isUp) return;
      await sleep(20);
    }
    throw new Error("the database did not start");
  }

  async stop(): Promise<void> {
    if (!this.#child || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGQUIT");
    await ended;
  }

  async run(statement: string): Promise<void> {
    const sql = root(this.folder);
    await sql.unsafe(statement);
    await sql.end();
  }
}

export type Replicated = {
  /** The primary's URL, and the replica's. */
  url: string;
  replicaUrl: string;
  /** The replica gets all, and shows nothing new. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** The replica ends at once, and is started again. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** The replica becomes a database of its own. */
  promote(): Promise<void>;
  close(): Promise<void>;
};

const copy = async (primary: Server, folder: string, account: Account): Promise<void> => {
  const sql = root(primary.folder);
  await sql`SELECT pg_backup_start('replica', true)`;
  execFileSync("cp", ["-a", primary.folder, folder]);
  const [end] = await sql<
    [{ label: string }]
  >`SELECT labelfile AS label FROM pg_backup_stop(false)`;
  await sql.end();
  for (const name of ["postmaster.pid", ".s.PGSQL.5432", ".s.PGSQL.5432.lock"])
    rmSync(join(folder, name), { force: true });
  for (const [name, text] of Object.entries({ backup_label: end.label, "standby.signal": "" })) {
    writeFileSync(join(folder, name), text);
    if (account) chownSync(join(folder, name), account.uid, account.gid);
  }
  appendFileSync(
    join(folder, "postgresql.auto.conf"),
    `primary_conninfo = 'host=${primary.folder} user=postgres'\n`,
  );
};

export const startReplicated = async (): Promise<Replicated> => {
  const parent = mkdtempSync(join(tmpdir(), "rookery-replicated-"));
  chmodSync(parent, 0o711);
  const [folder, second] = [join(parent, "primary"), join(parent, "replica")];
  const account = accountFor(folder);
  const binaries = usableBinaries(account);
  await prepareCluster(folder, binaries, account, false);
  const primary = new Server(folder, binaries, account);
  const replica = new Server(second, binaries, account);
  await primary.start();
  const sql = connect(primary.url, { max: 1, application: "tests" });
  await migrate(sql, primary.url);
  await installWatch(sql);
  await sql.end();
  await copy(primary, second, account);
  await replica.start();
  return {
    url: primary.url,
    replicaUrl: replica.url,
    pause: () => replica.run("SELECT pg_wal_replay_pause()"),
    resume: () => replica.run("SELECT pg_wal_replay_resume()"),
    kill: () => replica.stop(),
    start: () => replica.start(),
    promote: () => replica.run("SELECT pg_promote()"),
    async close() {
      await replica.stop();
      await primary.stop();
      rmSync(parent, { recursive: true, force: true });
    },
  };
};

// Starts the measured server: `rookery start` in a process of its own, on its embedded PostgreSQL with durable
// settings, and a superuser's connection for filling and counting.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../src/platform/db/index.ts";
import type { Sql } from "../src/platform/db/index.ts";
import { connectEmbedded } from "../src/platform/db/embedded.ts";
import { cpuOf, memoryOf, postgresOf } from "./measure.ts";
import type { Cpu, Memory } from "./measure.ts";
import { countStatements, countWaiting, resetStatements, trackStatements } from "./queries.ts";

const CHECKOUT = new URL("..", import.meta.url).pathname;
const START_MS = 120_000;
/** Token for reading the contents of caches, for profiles. */
const METRICS_TOKEN = "bench";

/**
 * Settings that can count statements. Counting is off until it is switched on, so that the figures are those of a plain
 * server.
 */
const COUNTING = `
# for the benchmark
shared_preload_libraries = 'pg_stat_statements'
pg_stat_statements.max = 1000
pg_stat_statements.track = none
pg_stat_statements.track_utility = off
`;

export type Server = {
  port: number;
  /** Ports of all processes that answer the API, and that of one with streams. */
  ports: number[];
  streamPort: number;
  /** Processes that serve the streams, or all where one process does everything. */
  streamRoots: number[];
  dataDir: string;
  pid: number;
  /** Its processes; the CPU of their trees counts as the server's. */
  roots: number[];
  /** The main process of its PostgreSQL. */
  postgresPid: number;
  /** URL for Rookery's own role; `sql` is a superuser's connection. */
  databaseUrl: string;
  sql: Sql;
  /** URL of the inspector, if it was started for profiles. */
  inspector: string | null;
  /** Milliseconds from the start of the process to its first answer. */
  startedIn: number;
  cpu(): Cpu;
  memory(): Memory;
  log(): string;
  hasEnded(): boolean;
  /** Does nothing where it has ended. */
  stop(): Promise<void>;
};

const children = new Set<ChildProcess>();
const folders = new Set<string>();

// No process outlives the benchmark, however it ends. PostgreSQL notices the death of its parent.
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  process.once(signal, () => process.exit(1));
}

export const trackChild = (child: ChildProcess): void => {
  children.add(child);
  child.once("exit", () => children.delete(child));
};

export const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-bench-"));
  folders.add(folder);
  return folder;
};

export const removeFolder = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  folders.delete(folder);
};

const environment = (dataDir: string, port: number): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: dataDir,
  // Otherwise the compiled code is that of the installation, as for every first start.
  ...(process.env["NODE_COMPILE_CACHE"] && {
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
  }),
  DATA_DIR: dataDir,
  PORT: String(port),
  LOCAL_DOMAIN: `127.0.0.1:${port}`,
  LOCAL_HTTPS: "false",
  ALLOWED_PRIVATE_ADDRESSES: "127.0.0.0/8",
  RATE_LIMITS: "false",
  // The world's notifications are as old as its posts, and pages of them are measured.
  NOTIFICATION_RETENTION_DAYS: "0",
  METRICS_TOKEN,
  LOG_LEVEL: "warn",
  LOG_FORMAT: "json",
});

/** A cache's hits and misses since the start, and its bytes. */
export type CacheFigures = { hits: number; misses: number; bytes: number; limit: number };

const NAMES: Record<string, keyof CacheFigures> = {
  rookery_memory_hits_total: "hits",
  rookery_memory_misses_total: "misses",
  rookery_memory_bytes: "bytes",
  rookery_memory_limit_bytes: "limit",
};

/** Returns what /metrics of the process answers. */
export const metricsOf = async (port: number): Promise<string> => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
};

/** Returns the figures by the name of the cache, from /metrics. */
export const cacheFigures = async (port: number): Promise<Map<string, CacheFigures>> => {
  const text = await metricsOf(port);
  const caches = new Map<string, CacheFigures>();
  for (const [, metric, cache, value] of text.matchAll(/^(\w+)\{name="(.+)"\} (\d+)$/gm)) {
    const name = NAMES[metric!];
    if (!name) continue;
    const figures = caches.get(cache!) ?? { hits: 0, misses: 0, bytes: 0, limit: 0 };
    caches.set(cache!, { ...figures, [name]: Number(value) });
  }
  return caches;
};

const isUp = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health`)).ok;
  } catch {
    return false;
  }
};

const waitUntilUp = async (child: ChildProcess, port: number, log: () => string) => {
  const deadline = Date.now() + START_MS;
  while (!(await isUp(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`the server did not start:\n${log()}`);
    }
    await sleep(10);
  }
};

/** Connects as the superuser of the embedded cluster, by the same socket. */
export const superuser = (url: string): Sql =>
  connect(url.replace("//rookery@", "//postgres@"), { max: 2, application: "bench" });

/** `checkout` is the folder of the server's code, if it is not this one. `env` adds to what all servers have. */
export type StartOptions = {
  port: number;
  dataDir: string;
  inspect?: boolean;
  checkout?: string | undefined;
  env?: Record<string, string>;
};

export type Process = {
  pid: number;
  /** URL of the inspector, if it was started for profiles. */
  inspector: string | null;
  startedIn: number;
  log(): string;
  hasEnded(): boolean;
  /** Does nothing where it has ended. */
  stop(): Promise<void>;
};

/** Starts one process on a data folder and waits for its first answer. */
export const startProcess = async (
  { port, dataDir, inspect = false, checkout = CHECKOUT }: StartOptions,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<Process> => {
  // A server with an inspector does not replace itself by one with bin/rookery.ts's bound of young memory.
  const flags = inspect ? ["--inspect=127.0.0.1:0", "--max-semi-space-size=16"] : [];
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [...flags, join(checkout, "bin/rookery.ts"), "start", ...args],
    {
      cwd: dataDir,
      env: { ...environment(dataDir, port), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  trackChild(child);
  let output = "";
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  await waitUntilUp(child, port, () => output);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid!,
    inspector: /ws:\/\/\S+/.exec(output)?.[0] ?? null,
    startedIn: performance.now() - began,
    log: () => output,
    hasEnded,
    async stop() {
      if (hasEnded()) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
};

/** Starts the server on a data folder and waits for its first answer. */
export const startServer = async (options: StartOptions): Promise<Server> => {
  const { port, dataDir, env } = options;
  const { stop, ...started } = await startProcess(options, [], env);
  const database = await connectEmbedded({ dataDir });
  const sql = superuser(database.url);
  const { pid } = started;
  return {
    ...started,
    port,
    ports: [port],
    streamPort: port,
    streamRoots: [pid],
    dataDir,
    roots: [pid],
    postgresPid: postgresOf(pid),
    databaseUrl: database.url,
    sql,
    cpu: () => cpuOf(pid),
    memory: () => memoryOf(pid),
    async stop() {
      await sql.end({ timeout: 5 });
      await stop();
    },
  };
};

/** Runs a command of `rookery` beside the server until it ends; it has to succeed. */
export const runCommand = async (
  { port, dataDir }: Server,
  args: string[],
  env: Record<string, string> = {},
): Promise<void> => {
  const child = spawn(process.execPath, [join(CHECKOUT, "bin/rookery.ts"), ...args], {
    cwd: dataDir,
    env: { ...environment(dataDir, port), ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  trackChild(child);
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`rookery ${args.join(" ")} failed:\n${errors}`);
};

/** Makes it possible to count statements, from the next start on. */
export const enableCounting = (dataDir: string): void =>
  appendFileSync(join(dataDir, "postgres/postgresql.conf"), COUNTING);

/** Milliseconds between looks at what waits, which take time of the measured PostgreSQL. */
const LOOK_MS = 100;

/** Resolves when the work of all requests is done: no job is due and no activity waits. */
export const drained = async (server: Server, seconds = 120): Promise<void> => {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const waiting = await countWaiting(server.sql);
    if (waiting === 0) return;
    if (performance.now() > deadline) throw new Error(`${waiting} jobs are still waiting`);
    await sleep(LOOK_MS);
  }
};

/** Waits until nothing is left of what was measured before. */
export const settled = async (server: Server): Promise<void> => {
  await drained(server);
  await sleep(100);
};

/** Returns the number of statements that the server ran because of `work`. */
export const countQueries = async (
  server: Server,
  withQueue: boolean,
  work: () => Promise<void>,
): Promise<number> => {
  await trackStatements(server.sql, true);
  await sleep(100);
  await resetStatements(server.sql);
  try {
    await work();
    return await countStatements(server.sql, withQueue);
  } finally {
    await trackStatements(server.sql, false);
    await sleep(50);
  }
};

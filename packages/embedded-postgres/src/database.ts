// The embedded database: a real PostgreSQL as a child process, reached over a private Unix socket.

import { existsSync, realpathSync, rmdirSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedPostgresError } from "./error.ts";
import { binariesCheck } from "./checked-binaries.ts";
import { isFolderHeld, takeDataLock, tryDataLock } from "./data-lock.ts";
import type { DataLock } from "./data-lock.ts";
import { findNative, usableBinaries } from "./binaries.ts";
import * as cluster from "./cluster.ts";
import { findRunning, isServed, startPostgres, stopLeftover, stopPostgres } from "./process.ts";
import type { Child, Exit, Launch } from "./process.ts";

export type EmbeddedOptions = {
  /** The database is in the subfolder `postgres`; the lock's files are next to that. */
  dataDir: string;
  /** Name of the role, the database and the lock's files: lower-case letters, digits and underscores. */
  name: string;
  /** Gets each line that postgres prints. */
  log?: (line: string) => void;
  /** False only in tests: a crash of the machine may then lose data. */
  durable?: boolean;
  /** Continues without a lock where the file system has no reliable ones. */
  insist?: boolean;
  /** Settings of postgres (postgresql.conf) that override those in process.ts. */
  settings?: Record<string, string>;
  /** Variables for postgres, which gets none of this process. */
  environment?: Record<string, string>;
  /** Called before the folder is used; throws to refuse it. */
  refuse?: (dataDir: string) => void;
};

export type EmbeddedDatabase = {
  /** URL in which the socket's folder, encoded, takes the place of the host; pg and libpq decode it. */
  url: string;
  socketDir: string;
  /** Changes with each restart. */
  readonly pid: number;
  /** False when another process runs it: then `stop` does nothing and `onExit` never calls back. */
  owned: boolean;
  /** Closes every connection, writes everything, and releases the data folder. */
  stop(): Promise<void>;
  /**
   * Calls back once if postgres ends without `stop` and cannot be restarted, or ends again and again; the data folder
   * is unlocked by then.
   */
  onExit(callback: (exit: Exit) => void): void;
};

const urlOf = (socketDir: string, name: string): string =>
  `postgres://${name}@${encodeURIComponent(socketDir)}:5432/${name}`;

/** Checks the name, which becomes part of SQL and of paths. */
const checkName = (name: string): void => {
  if (/^[a-z][a-z0-9_]{0,30}$/.test(name)) return;
  throw new TypeError(`"${name}" cannot be the name of an embedded database`);
};

const removeSocketFolder = (launch: Launch): void => {
  if (launch.socketFolder === launch.cluster) return;
  try {
    rmdirSync(launch.socketFolder);
  } catch {
    // After a crash the folder is not empty; the next start uses it again.
  }
};

/** Restarts within RESTARTS_IN_MS after which the database is given up. */
const RESTARTS = 5;
const RESTARTS_IN_MS = 10 * 60_000;
const RESTART_PAUSE_MS = 500;

const owned = (first: Child, launch: Launch, lock: DataLock): EmbeddedDatabase => {
  const callbacks: ((exit: Exit) => void)[] = [];
  let child = first;
  let stopping = false;
  let restarts: number[] = [];
  const closed = Promise.withResolvers<void>();
  // Systems without a death signal need this when the process exits without `stop`.
  const atExit = () => child.kill("SIGINT");
  process.once("exit", atExit);
  const release = (): void => {
    process.off("exit", atExit);
    removeSocketFolder(launch);
    lock.release();
    closed.resolve();
  };
  const giveUp = (exit: Exit): void => {
    release();
    if (stopping) return;
    for (const callback of callbacks) callback(exit);
  };
  /** Restarts the database, which recovers by itself: committed data is there, and the pool connects again. */
  const restart = async (exit: Exit): Promise<void> => {
    const now = Date.now();
    restarts = [...restarts.filter((at) => at > now - RESTARTS_IN_MS), now];
    if (restarts.length > RESTARTS) return giveUp(exit);
    launch.log(`ended (${exit.signal ?? exit.code}), and is started again`);
    await sleep(RESTART_PAUSE_MS);
    if (stopping) return release();
    try {
      watch(await startPostgres(launch));
    } catch (error) {
      launch.log(String(error));
      giveUp(exit);
    }
  };
  const watch = (started: Child): void => {
    child = started;
    child.on("error", () => {}); // a signal could not be sent: stopPostgres goes on with its next step
    child.once("exit", (code, signal) => {
      if (stopping) release();
      else void restart({ code, signal });
    });
    // It was asked to stop while it started.
    if (stopping) void end();
  };
  const ended = (milliseconds: number) =>
    Promise.race([closed.promise.then(() => true), sleep(milliseconds, false, { ref: false })]);
  const end = () => stopPostgres(child.pid!, ended);
  watch(first);
  return {
    url: urlOf(launch.socketFolder, launch.name),
    socketDir: launch.socketFolder,
    get pid() {
      return child.pid!;
    },
    owned: true,
    async stop() {
      if (!stopping) {
        stopping = true;
        const isRunning = child.exitCode === null && child.signalCode === null;
        // Otherwise it is being restarted, and that ends by itself.
        if (isRunning) await end();
      }
      await closed.promise;
    },
    onExit: (callback) => void callbacks.push(callback),
  };
};

const prepare = async (
  dataDir: string,
  options: EmbeddedOptions,
  lock: DataLock,
): Promise<Launch> => {
  const folder = cluster.clusterFolder(dataDir);
  const account = cluster.accountFor(folder);
  const { name, durable = true, settings = {}, environment = {}, log = () => {} } = options;
  const binaries = usableBinaries(account, findNative(), binariesCheck(dataDir));
  await stopLeftover(folder, lock);
  await cluster.prepareCluster(folder, binaries, account, { name, durable });
  return {
    name,
    binaries,
    cluster: folder,
    folderArgument: cluster.folderArgument(folder, account),
    socketFolder: cluster.socketFolder(folder, account, name),
    account,
    durable,
    settings,
    environment,
    log,
  };
};

const launch = async (dataDir: string, options: EmbeddedOptions, lock: DataLock) => {
  const prepared = await prepare(dataDir, options, lock);
  try {
    return owned(await startPostgres(prepared), prepared, lock);
  } catch (error) {
    removeSocketFolder(prepared);
    throw error;
  }
};

const startLocked = async (dataDir: string, options: EmbeddedOptions, lock: DataLock) => {
  try {
    return await launch(dataDir, options, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
};

/**
 * Starts the database of a data folder for the server, and creates it at the first start (1 s). Holds the data folder's
 * lock until `stop`. Throws EmbeddedPostgresError when it cannot start or another server runs.
 */
export const startEmbedded = async (options: EmbeddedOptions): Promise<EmbeddedDatabase> => {
  const { name, insist = false, refuse } = options;
  checkName(name);
  const dataDir = cluster.openDataDir(options.dataDir);
  refuse?.(dataDir);
  const lock = await takeDataLock(dataDir, "server", { name, insist });
  return startLocked(dataDir, options, lock);
};

/** Returns the database that another process runs; null until it is ready. */
const borrowed = async (dataDir: string, name: string): Promise<EmbeddedDatabase | null> => {
  const folder = cluster.clusterFolder(dataDir);
  const running = await findRunning(
    folder,
    cluster.socketFolder(folder, cluster.accountFor(folder), name),
  );
  if (!running?.ready || !isServed(running, folder)) return null;
  const { pid, socketFolder } = running;
  const stop = async () => {};
  return {
    url: urlOf(socketFolder, name),
    socketDir: socketFolder,
    pid,
    owned: false,
    stop,
    onExit() {},
  };
};

/** Milliseconds that a command waits for a server that was started at the same time and has no folder yet. */
const APPEAR_MS = 5_000;
/** Milliseconds that a command waits for a server that is creating its database, and for another command. */
const PATIENCE_MS = 60_000;

const noDatabase = (dataDir: string): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    "no_database",
    ({ findDatabase }) => `There is no database in ${resolve(dataDir)}: ${findDatabase}.`,
  );

/**
 * Returns the folder of a database that a server made; throws EmbeddedPostgresError without one, and creates nothing.
 */
const findDataDir = async (options: ConnectOptions): Promise<string> => {
  const { dataDir, refuse } = options;
  const began = Date.now();
  for (;;) {
    if (existsSync(dataDir)) refuse?.(dataDir);
    if (cluster.hasCluster(dataDir)) return realpathSync(dataDir);
    const isStarting = existsSync(dataDir) && isFolderHeld(dataDir, options);
    const waitMs = isStarting ? PATIENCE_MS : (options.appearMs ?? APPEAR_MS);
    if (Date.now() - began >= waitMs) throw noDatabase(dataDir);
    await sleep(100);
  }
};

/** `appearMs` is the time to wait for a missing folder (5 s). */
export type ConnectOptions = EmbeddedOptions & { appearMs?: number };

/**
 * Connects a command: to the server's database while it runs, otherwise to one started for the command until `stop`.
 * Waits for a server that is starting and for another command to end. Never creates one: in a wrong folder a command
 * would say that all is well about an empty server. Throws EmbeddedPostgresError where there is none.
 */
export const connectEmbedded = async (options: ConnectOptions): Promise<EmbeddedDatabase> => {
  const { name, insist = false } = options;
  checkName(name);
  const folder = await findDataDir(options);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const result = tryDataLock(folder, "command", { name, insist });
    // Even with a lock, a server may run: somebody may have deleted the one that it holds.
    const isCommands = "holder" in result && result.holder?.role === "command";
    const database = isCommands ? null : await borrowed(folder, name);
    if (database) {
      if ("lock" in result) result.lock.release();
      return database;
    }
    if ("lock" in result) return startLocked(folder, options, result.lock);
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        "in_use",
        ({ program }) =>
          `The database in ${folder} is in use by another ${program} process (pid ${result.holder?.pid ?? "unknown"}): stop that one first.`,
      );
    }
    await sleep(100);
  }
};

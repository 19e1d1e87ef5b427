// The embedded database: a real PostgreSQL as a child process, reached over a private Unix socket.

import { rmdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError } from "../errors.ts";
import { takeDataLock, tryDataLock } from "./data-lock.ts";
import type { DataLock } from "./data-lock.ts";
import { usableBinaries } from "./embedded-binaries.ts";
import * as cluster from "./embedded-cluster.ts";
import { findRunning, startPostgres, stopLeftover, stopPostgres } from "./embedded-process.ts";
import type { Child, Exit, Launch } from "./embedded-process.ts";

export type EmbeddedOptions = {
  /** DATA_DIR: the database is in its folder `postgres`. */
  dataDir: string;
  /** Gets each line that postgres prints. */
  log?: (line: string) => void;
  /** False only in tests: a crash of the machine may then lose data. */
  durable?: boolean;
  /** DATA_DIR_WITHOUT_LOCKS, see data-lock.ts. */
  insist?: boolean;
};

export type EmbeddedDatabase = {
  /** For postgres.js (through `connect`) and pg: the socket's folder takes the place of the host. */
  url: string;
  socketDir: string;
  pid: number;
  /** False when another process runs it: then `stop` does nothing and `onExit` never calls back. */
  owned: boolean;
  /** Closes every connection, writes everything, and releases the data folder. */
  stop(): Promise<void>;
  /** Calls back once if postgres ends without `stop`; the data folder is free by then. */
  onExit(callback: (exit: Exit) => void): void;
};

const urlOf = (socketDir: string): string =>
  `postgres://${cluster.ROLE}@${encodeURIComponent(socketDir)}:5432/${cluster.ROLE}`;

const removeSocketFolder = (launch: Launch): void => {
  if (launch.socketFolder === launch.cluster) return;
  try {
    rmdirSync(launch.socketFolder);
  } catch {
    // Not empty after a crash: the next start uses it again.
  }
};

const owned = (child: Child, launch: Launch, lock: DataLock): EmbeddedDatabase => {
  const pid = child.pid!;
  const callbacks: ((exit: Exit) => void)[] = [];
  let stopping = false;
  // For systems without a death signal, when this process exits without `stop`.
  const atExit = () => child.kill("SIGINT");
  process.once("exit", atExit);
  const closed = new Promise((resolve) => void child.once("exit", resolve));
  child.on("error", () => {}); // a signal could not be sent: stopPostgres goes on with its next step
  child.once("exit", (code, signal) => {
    process.off("exit", atExit);
    removeSocketFolder(launch);
    lock.release();
    if (!stopping) for (const callback of callbacks) callback({ code, signal });
  });
  const ended = (milliseconds: number) =>
    Promise.race([closed.then(() => true), sleep(milliseconds, false, { ref: false })]);
  const stop = async () => {
    if (!stopping) {
      stopping = true;
      await stopPostgres(pid, ended);
    }
    await closed;
  };
  const onExit = (callback: (exit: Exit) => void) => void callbacks.push(callback);
  return {
    url: urlOf(launch.socketFolder),
    socketDir: launch.socketFolder,
    pid,
    owned: true,
    stop,
    onExit,
  };
};

const prepare = async (
  dataDir: string,
  options: EmbeddedOptions,
  lock: DataLock,
): Promise<Launch> => {
  const folder = cluster.clusterFolder(dataDir);
  const account = cluster.accountFor(folder);
  const durable = options.durable ?? true;
  const binaries = usableBinaries(account);
  await stopLeftover(folder, lock);
  await cluster.prepareCluster(folder, binaries, account, durable);
  return {
    binaries,
    cluster: folder,
    folderArgument: cluster.folderArgument(folder, account),
    socketFolder: cluster.socketFolder(folder, account),
    account,
    durable,
    log: options.log ?? (() => {}),
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
 * Starts the database of a data folder, for the server; creates it at the first start (1 s). Holds the
 * data folder's lock until `stop`. ConfigError when it cannot start or another server runs.
 */
export const startEmbedded = async (options: EmbeddedOptions): Promise<EmbeddedDatabase> => {
  const dataDir = cluster.openDataDir(options.dataDir);
  const lock = await takeDataLock(dataDir, "server", { insist: options.insist ?? false });
  return startLocked(dataDir, options, lock);
};

/** The database that another process runs; null until it is ready. */
const borrowed = async (dataDir: string): Promise<EmbeddedDatabase | null> => {
  const running = await findRunning(cluster.clusterFolder(dataDir));
  if (!running?.ready) return null;
  const { pid, socketFolder } = running;
  const stop = async () => {};
  return {
    url: urlOf(socketFolder),
    socketDir: socketFolder,
    pid,
    owned: false,
    stop,
    onExit() {},
  };
};

/**
 * The database for a command: the server's while it runs, otherwise one started for the command until
 * `stop`. Waits for a server that is starting and for another command to end.
 */
export const connectEmbedded = async (
  dataDir: string,
  options: Omit<EmbeddedOptions, "dataDir"> = {},
): Promise<EmbeddedDatabase> => {
  const folder = cluster.openDataDir(dataDir);
  const deadline = Date.now() + 60_000;
  for (;;) {
    const result = tryDataLock(folder, "command", { insist: options.insist ?? false });
    if ("lock" in result) return startLocked(folder, { ...options, dataDir }, result.lock);
    const database = result.holder?.role === "server" ? await borrowed(folder) : null;
    if (database) return database;
    if (Date.now() > deadline) {
      throw new ConfigError(
        `The database in ${folder} is in use by another Rookery process (pid ${result.holder?.pid ?? "unknown"}): stop that one first.`,
      );
    }
    await sleep(100);
  }
};

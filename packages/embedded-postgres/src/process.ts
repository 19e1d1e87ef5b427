// The postgres process: its settings, start and stop, and handling of one that an earlier process left running.

import { spawn, spawnSync } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedPostgresError } from "./error.ts";
import { CLEAN_ENVIRONMENT } from "./binaries.ts";
import type { Account, Binaries } from "./binaries.ts";
import { SOCKET_FILE } from "./cluster.ts";
import { binariesFault, startFault } from "./faults.ts";
import { isChildOfNode, isPostgresOf, processIdentity } from "./process-identity.ts";

export type Launch = {
  /** Name of the role and the database. */
  name: string;
  binaries: Binaries;
  /** The data folder by its path, and as postgres gets it (see folderArgument). */
  cluster: string;
  folderArgument: string;
  socketFolder: string;
  account: Account;
  durable: boolean;
  settings: Record<string, string>;
  environment: Record<string, string>;
  log: (line: string) => void;
};

export type Exit = { code: number | null; signal: NodeJS.Signals | null };
export type Child = ChildProcessByStdio<null, null, Readable>;

/**
 * Settings for a small server: 20 MB when idle. They are passed on the command line and not written into the cluster.
 */
const SETTINGS: Record<string, string> = {
  listen_addresses: "",
  port: "5432", // only part of the socket's name
  unix_socket_permissions: "0700",
  max_connections: "60",
  shared_buffers: "48MB",
  effective_cache_size: "512MB",
  work_mem: "8MB",
  huge_pages: "off",
  // Our queries are short, and parallel queries need more /dev/shm than containers have (64 MB).
  max_parallel_workers_per_gather: "0",
  io_method: "sync",
  jit: "off",
  random_page_cost: "1.1",
  // There is one server without replicas, and bulk loads (a restore) can skip the log.
  wal_level: "minimal",
  max_wal_senders: "0",
  max_logical_replication_workers: "0",
  max_wal_size: "512MB",
  checkpoint_timeout: "15min",
  log_checkpoints: "off",
  // The caller reports a failed statement; the log is for the faults of the database itself.
  log_min_messages: "log",
  log_line_prefix: "",
  log_timezone: "UTC",
  timezone: "UTC",
};

const FOR_TESTS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  // Several test files run at once, each with the connections of a whole server.
  max_connections: "200",
};

const launchArguments = (launch: Launch): string[] => {
  const settings: Record<string, string> = {
    ...SETTINGS,
    unix_socket_directories: launch.socketFolder,
    ...(launch.durable ? {} : FOR_TESTS),
    ...launch.settings,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return ["-D", launch.folderArgument, ...options];
};

/** Whether util-linux's setpriv can ask the kernel for a signal at our death; other programs of that name cannot. */
const hasDeathSignal = (): boolean =>
  process.platform === "linux" &&
  spawnSync("setpriv", ["--pdeathsig", "INT", "true"], { cwd: "/", env: CLEAN_ENVIRONMENT })
    .status === 0;

/**
 * Starts the process. With a death signal it stops by itself when we are killed; without one, the next
 * start finds and stops it. Detached, so that Ctrl-C in a terminal reaches only us and we stop it.
 */
const spawnPostgres = (launch: Launch): Child => {
  const command = [launch.binaries.postgres, ...launchArguments(launch)];
  if (hasDeathSignal()) command.unshift("setpriv", "--pdeathsig", "INT", "--");
  return spawn(command[0]!, command.slice(1), {
    ...launch.account,
    cwd: launch.cluster,
    env: { ...CLEAN_ENVIRONMENT, ...launch.environment },
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
};

/** Line that postgres prints when it is ready; a replica prints the second form. */
const READY = /ready to accept (?:read-only )?connections/;

/** Starts postgres and waits until it answers; recovery after a crash may take a while. */
const startOnce = (launch: Launch): Promise<Child> =>
  new Promise((resolve, reject) => {
    const child = spawnPostgres(launch);
    const early: string[] = [];
    let ready = false;
    createInterface({ input: child.stderr }).on("line", (line) => {
      launch.log(line);
      if (ready) return;
      early.push(line);
      if (!READY.test(line)) return;
      ready = true;
      resolve(child);
    });
    child.once("error", (error) => reject(binariesFault(error, "", launch.binaries.postgres)));
    child.once("close", () => reject(startFault(launch.cluster, early.join("\n"))));
  });

/** Starts like startOnce, with retries: backends that outlived a killed postgres need a moment to end. */
export const startPostgres = async (launch: Launch): Promise<Child> => {
  const deadline = Date.now() + 10_000;
  for (;;) {
    try {
      return await startOnce(launch);
    } catch (error) {
      if (!/in use by another PostgreSQL/.test(String(error)) || Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
};

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended already.
  }
};

/**
 * Signals and milliseconds to wait: fast (closes connections, writes everything), then immediate (recovers at the next
 * start), then kill.
 */
const STEPS: [NodeJS.Signals, number][] = [
  ["SIGINT", 60_000],
  ["SIGQUIT", 5_000],
  ["SIGKILL", 5_000],
];

/** Stops postgres. `ended` resolves with whether it has ended within that many milliseconds. */
export const stopPostgres = async (
  pid: number,
  ended: (milliseconds: number) => Promise<boolean>,
): Promise<boolean> => {
  for (const [signal, timeoutMs] of STEPS) {
    send(pid, signal);
    if (await ended(timeoutMs)) return true;
  }
  return false;
};

export type Running = { pid: number; socketFolder: string; ready: boolean };

const readPidFile = (cluster: string, file = join(cluster, "postmaster.pid")): Running | null => {
  try {
    const lines = readFileSync(file, "utf8").split("\n");
    const pid = Number(lines[0]);
    const ready = lines[7]?.trim() === "ready";
    return pid > 0 ? { pid, socketFolder: lines[4] ?? "", ready } : null;
  } catch {
    return null;
  }
};

/** Whether a postgres listens on a socket of this folder: it may run in another container. */
export const isListening = (socketFolder: string): Promise<boolean | "unknown"> =>
  new Promise((resolve) => {
    const socket = createConnection(join(socketFolder, SOCKET_FILE));
    const answer = (result: boolean | "unknown") => {
      socket.destroy();
      resolve(result);
    };
    socket.once("connect", () => answer(true));
    socket.once("error", ({ code }: NodeJS.ErrnoException) =>
      answer(code === "ECONNREFUSED" ? false : "unknown"),
    );
    socket.setTimeout(2000, () => answer("unknown"));
  });

/** Finds a postgres whose pid file somebody deleted: the file next to its socket names it as well. */
const findBySocket = async (cluster: string, socketFolder: string): Promise<Running | null> => {
  const running = readPidFile(cluster, join(socketFolder, `${SOCKET_FILE}.lock`));
  if (!running || !isPostgresOf(running.pid, cluster)) return null;
  const isReady = (await isListening(socketFolder)) === true;
  return isReady ? { pid: running.pid, socketFolder, ready: true } : null;
};

/**
 * Finds the postgres that runs on this folder now, even when another process started it. `socketFolder` is where its
 * socket is if nothing says so.
 */
export const findRunning = async (
  cluster: string,
  socketFolder: string,
): Promise<Running | null> => {
  const running = readPidFile(cluster);
  if (!running) return findBySocket(cluster, socketFolder);
  if (isPostgresOf(running.pid, cluster)) return running;
  // Its process id means nothing here if it runs in another container.
  return (await isListening(running.socketFolder)) === true ? running : null;
};

/** Whether a server has it; one that a killed server left running counts as nobody's. */
export const isServed = ({ pid }: Running, cluster: string): boolean =>
  !isPostgresOf(pid, cluster) || isChildOfNode(pid);

const stopRunning = async (pid: number, cluster: string): Promise<void> => {
  const identity = processIdentity(pid);
  if (!identity) return;
  const ended = async (milliseconds: number) => {
    const deadline = Date.now() + milliseconds;
    while (processIdentity(pid) === identity && Date.now() < deadline) await sleep(20);
    return processIdentity(pid) !== identity;
  };
  if (await stopPostgres(pid, ended)) return;
  throw new EmbeddedPostgresError(
    "in_use",
    () =>
      `PostgreSQL (pid ${pid}) is still running on ${cluster} and cannot be stopped by this user: stop it first.`,
  );
};

const mayBeRunning = (cluster: string): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    "in_use",
    ({ program }) =>
      `Another ${program} process, perhaps in another container, may be using the database in ${cluster}: stop it, then start again; if there is none, delete ${join(cluster, "postmaster.pid")} first.`,
  );

/**
 * Stops a postgres that a killed process left running on this folder, and deletes the pid file of a dead one: its id
 * may belong to another program now, which postgres would take for a running server. Only the holder of the data lock
 * may call it. `isSamePlace`: whether the writer of the pid file ran where its process id can be looked up
 * (processPlace). If not, its socket decides, then whether the kernel passed the lock on (`inherited`). Throws
 * EmbeddedPostgresError when it may be alive.
 */
export const stopLeftover = async (
  cluster: string,
  { isSamePlace, inherited }: { isSamePlace: boolean; inherited: boolean },
): Promise<void> => {
  const running = readPidFile(cluster);
  if (!running) return rmSync(join(cluster, "postmaster.pid"), { force: true });
  if (isPostgresOf(running.pid, cluster)) {
    // It was not left behind: its server runs, and someone deleted the lock.
    if (isChildOfNode(running.pid)) throw mayBeRunning(cluster);
    await stopRunning(running.pid, cluster);
  } else if (!isSamePlace) {
    const listening = await isListening(running.socketFolder);
    if (listening === true || (listening === "unknown" && !inherited)) throw mayBeRunning(cluster);
  }
  rmSync(join(cluster, "postmaster.pid"), { force: true });
};

// Child processes of a test. Their output is collected; they and the temporary folders are removed with the
// test's own process.

import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Ended = { code: number | null; signal: NodeJS.Signals | null };

export type Running = {
  child: ChildProcess;
  pid: number;
  /** Returns standard output and error so far. */
  out(): string;
  err(): string;
  ended: Promise<Ended>;
  /** Whether it still runs. */
  alive(): boolean;
};

const RECORD = new URL("../rows/record.ts", import.meta.url).pathname;

const children = new Set<ChildProcess>();
const folders = new Set<string>();

const sweep = (): void => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) removeFolder(folder);
};

process.once("exit", sweep);
// The test runner ends a file that takes too long by SIGTERM: exits, so that `sweep` runs.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  process.once(signal, () => process.exit(1));
}

/** Whether a process with this id exists (as a zombie too). */
export const pidAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

export const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-journey-"));
  // The user that runs PostgreSQL, if this runs as root, needs access, so that its socket is here too and is removed
  // with the folder.
  chmodSync(folder, 0o711);
  folders.add(folder);
  return folder;
};

/** Copies a folder with the owners of its files. */
export const copyFolder = (from: string, to: string): void => {
  execFileSync("cp", ["-a", `${from}/.`, to]);
};

const sleepSync = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/**
 * A killed server's PostgreSQL goes on writing for a moment, and rmSync then stops halfway without an error:
 * retries until the folder is gone, for at most ten seconds.
 */
export const removeFolder = (folder: string): void => {
  for (let tries = 0; tries < 100 && existsSync(folder); tries++) {
    if (tries > 0) sleepSync(100);
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Something was written in the meantime, so this tries again.
    }
  }
  folders.delete(folder);
};

export type RunOptions = { cwd: string; env?: Record<string, string>; input?: string };

/**
 * Starts `node ARGS` with nothing of our environment but PATH, the compile cache, and the file in which rows are
 * recorded.
 */
export const runNode = (args: string[], { cwd, env = {}, input }: RunOptions): Running => {
  const { PATH = "", HOME = cwd, NODE_COMPILE_CACHE, TEST_ROWS } = process.env;
  const own = {
    PATH,
    HOME,
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    ...(TEST_ROWS && { TEST_ROWS }),
  };
  const recording = TEST_ROWS ? ["--import", RECORD] : [];
  const child = spawn(process.execPath, [...recording, ...args], { cwd, env: { ...own, ...env } });
  const texts = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.err += text));
  child.stdin.on("error", () => undefined).end(input ?? "");
  children.add(child);
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signal) => {
      children.delete(child);
      resolve({ code, signal });
    });
  });
  return {
    child,
    pid: child.pid!,
    out: () => texts.out,
    err: () => texts.err,
    ended,
    alive: () => child.exitCode === null && child.signalCode === null,
  };
};

// Child processes of a test: their output is collected, and none of them, nor a folder made here,
// outlives the test's own process.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Ended = { code: number | null; signal: NodeJS.Signals | null };

export type Running = {
  child: ChildProcess;
  pid: number;
  /** Standard output and error so far. */
  out(): string;
  err(): string;
  ended: Promise<Ended>;
  /** Whether it still runs. */
  alive(): boolean;
};

const children = new Set<ChildProcess>();
const folders = new Set<string>();

const sweep = (): void => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) removeFolder(folder);
};

process.once("exit", sweep);
// The test runner ends a file that takes too long by SIGTERM: an exit, for `sweep` to run.
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
  // Open to the user that PostgreSQL gets when we are root: its socket then lies here as well,
  // and goes with the folder.
  chmodSync(folder, 0o711);
  folders.add(folder);
  return folder;
};

const sleepSync = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/**
 * A killed server's PostgreSQL goes on writing for a moment, and rmSync then gives up halfway
 * without a word: so until it is gone, ten seconds at most.
 */
export const removeFolder = (folder: string): void => {
  for (let tries = 0; tries < 100 && existsSync(folder); tries++) {
    if (tries > 0) sleepSync(100);
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Something was written meanwhile: once more.
    }
  }
  folders.delete(folder);
};

export type RunOptions = { cwd: string; env?: Record<string, string>; input?: string };

/** Starts `node ARGS` with nothing of our environment but where programs are. */
export const runNode = (args: string[], { cwd, env = {}, input }: RunOptions): Running => {
  const { PATH = "", HOME = cwd } = process.env;
  const child = spawn(process.execPath, args, { cwd, env: { PATH, HOME, ...env } });
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

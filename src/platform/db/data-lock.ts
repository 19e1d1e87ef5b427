// The lock file that allows one Rookery per data folder. It names the holder's process id; the lock of
// a holder that died, or whose id now belongs to another program, does not count.

import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError } from "../errors.ts";
import { folderFault } from "./embedded-faults.ts";
import { processIdentity } from "./process-identity.ts";

/** A server holds the lock while it runs; a command only while it works. */
export type LockRole = "server" | "command";
export type Holder = { pid: number; identity: string; role: LockRole };
export type DataLock = { release(): void };

const FILE = "rookery.lock";

const text = (file: string): string | null => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw folderFault(file, error);
  }
};

const parse = (content: string): Holder | null => {
  try {
    const holder = JSON.parse(content) as Holder;
    return Number.isInteger(holder.pid) && holder.pid > 0 ? holder : null;
  } catch {
    return null;
  }
};

/** A lock file is empty for a moment after its creation; one that stays empty was left by a crash. */
const isBeingWritten = (file: string): boolean => {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs < 1000;
};

const isAlive = (holder: Holder): boolean => processIdentity(holder.pid) === holder.identity;

/** Creates the lock file; false when it exists. */
const create = (file: string, content: string): boolean => {
  try {
    writeFileSync(file, content, { flag: "wx", mode: 0o644, flush: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw folderFault(file, error);
  }
};

/**
 * Removes a dead holder's file. Two processes may do this at once, so the file is moved aside first
 * and checked: if it is another process's new lock, it is put back.
 */
const clear = (file: string, stale: string): void => {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readFileSync(aside, "utf8") !== stale) linkSync(aside, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "EEXIST") throw folderFault(file, error);
  } finally {
    rmSync(aside, { force: true });
  }
};

/** Tries once; returns the lock, or its holder (null: another process is writing it right now). */
export const tryDataLock = (
  dataDir: string,
  role: LockRole,
): { lock: DataLock } | { holder: Holder | null } => {
  const file = join(dataDir, FILE);
  const me: Holder = { pid: process.pid, identity: processIdentity(process.pid) ?? "", role };
  const content = `${JSON.stringify(me)}\n`;
  for (let attempt = 0; attempt < 5; attempt++) {
    if (create(file, content)) {
      return { lock: { release: () => text(file) === content && rmSync(file, { force: true }) } };
    }
    const found = text(file);
    const holder = found === null ? null : parse(found);
    if (holder && isAlive(holder)) return { holder };
    if (found === null) continue;
    if (!holder && isBeingWritten(file)) return { holder: null };
    clear(file, found);
  }
  return { holder: null };
};

const inUse = (dataDir: string, holder: Holder | null): ConfigError =>
  new ConfigError(
    `The data folder ${dataDir} is already in use by another Rookery process (pid ${holder?.pid ?? "unknown"}): stop it first, or choose another DATA_DIR.`,
  );

/**
 * Takes the lock of an existing data folder, waiting up to `timeoutMs` for a command that is about to
 * end. ConfigError when another server holds it.
 */
export const takeDataLock = async (
  dataDir: string,
  role: LockRole,
  timeoutMs = 10_000,
): Promise<DataLock> => {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = tryDataLock(dataDir, role);
    if ("lock" in result) return result.lock;
    const { holder } = result;
    if (holder?.role === "server" || Date.now() > deadline) throw inUse(dataDir, holder);
    await sleep(50);
  }
};

// One Rookery per data folder: a lock file with the holder's process id. A holder that died, or whose
// id now belongs to another program, holds nothing.

import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError } from "../errors.ts";
import { folderFault } from "./embedded-faults.ts";
import { processIdentity } from "./process-identity.ts";

/** A server keeps the lock while it runs; a command only for the moment it takes. */
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

/** Between its creation and its first byte a lock is empty; one that stays so was left by a crash. */
const isBeingWritten = (file: string): boolean => {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs < 1000;
};

const isAlive = (holder: Holder): boolean => processIdentity(holder.pid) === holder.identity;

/** Creates the lock file; false when there is one. */
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
 * Takes a dead holder's file away. Two processes may do this at once, so it is moved aside first
 * and looked at: if another's fresh lock was moved by mistake, it is put back.
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

/** Tries once; gives the lock, or who holds it (null: somebody is just writing it). */
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
 * Takes the lock of a data folder that exists, waiting up to `patience` milliseconds for a command
 * that is about to end. ConfigError when another server holds it.
 */
export const takeDataLock = async (
  dataDir: string,
  role: LockRole,
  patience = 10_000,
): Promise<DataLock> => {
  const deadline = Date.now() + patience;
  for (;;) {
    const result = tryDataLock(dataDir, role);
    if ("lock" in result) return result.lock;
    const { holder } = result;
    if (holder?.role === "server" || Date.now() > deadline) throw inUse(dataDir, holder);
    await sleep(50);
  }
};

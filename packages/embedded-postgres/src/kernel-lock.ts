// An exclusive lock of a file that the kernel holds for this process and drops when it ends, however it
// ends. Unlike a process id it also counts in another container on the same volume.

import { closeSync, openSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EmbeddedPostgresError } from "./error.ts";
import { folderFault } from "./faults.ts";

export type KernelLock = { release(): void };

/** Magic numbers of statfs(2) of file systems whose locks other machines may not see: NFS, SMB, AFS. */
const NETWORK = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f]);

/** SQLite's result code of a locked database: https://www.sqlite.org/rescode.html */
const BUSY = 5;
const CANNOT_OPEN = 14;
const PERMISSION = 3;

const noLocks = (folder: string): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    "no_locks",
    ({ otherFolder, withoutLocks }) =>
      `${folder} is on a file system that cannot lock files reliably, so a second process could destroy its data: ${otherFolder} on a local disk, or ${withoutLocks} if nothing else will ever use it.`,
  );

const isNetwork = (folder: string): boolean => NETWORK.has(statfsSync(folder).type >>> 0);

/**
 * Creates the file by Node, whose errors name the reason. Never opens an existing file: closing it would drop our own
 * lock.
 */
const create = (file: string): void => {
  try {
    closeSync(openSync(file, "wx", 0o644));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw folderFault(file, error);
  }
};

/** Locks the file, which is created if missing; returns null when another process holds it. */
const lockFile = (file: string): KernelLock | null => {
  create(file);
  // SQLite locks by fcntl(2) or its like on each system; nothing is ever written into the file.
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === BUSY) return null;
    throw error;
  }
  return { release: () => database.close() };
};

/** SQLite's result codes where the file system refuses to lock: an I/O error, a protocol error, no locks at all. */
const NO_LOCKS = new Set([10, 15, 22]);

const codeOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

const fault = (folder: string, error: unknown): unknown => {
  const code = codeOf(error);
  if (code === CANNOT_OPEN || code === PERMISSION) return folderFault(folder, { code: "EACCES" });
  return NO_LOCKS.has(code) ? noLocks(folder) : error;
};

/**
 * Locks the file `name` of a folder; returns null when another process holds it. Throws EmbeddedPostgresError where the
 * file system has no reliable locks, unless `insist` continues without one.
 */
export const tryKernelLock = (folder: string, name: string, insist: boolean): KernelLock | null => {
  const none = { release() {} };
  if (isNetwork(folder)) {
    if (insist) return none;
    throw noLocks(folder);
  }
  try {
    return lockFile(join(folder, name));
  } catch (error) {
    if (insist && NO_LOCKS.has(codeOf(error))) return none;
    throw fault(folder, error);
  }
};

// Lets one program use a data folder: a lock that the kernel holds, and next to it a file that says who has it.

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedPostgresError } from "./error.ts";
import { folderFault } from "./faults.ts";
import { tryKernelLock } from "./kernel-lock.ts";
import { processIdentity, processPlace } from "./process-identity.ts";

/** A server holds the lock while it runs; a command only while it works. */
export type LockRole = "server" | "command";
/** `place` says where `pid` is valid, see processPlace. */
export type Holder = { pid: number; identity: string; place: string; role: LockRole };
export type DataLock = {
  /** Whether the previous holder, if one is known, ran where its process ids can be looked up. */
  isSamePlace: boolean;
  /**
   * Whether the previous holder is certainly dead, wherever it ran: it had the same file locked, and the kernel gave us
   * the lock.
   */
  inherited: boolean;
  release(): void;
};
export type LockOptions = {
  /** Prefix of the lock's files. */
  name: string;
  /** Continues without a lock where the file system has no reliable ones. */
  insist?: boolean;
};

/**
 * Returns the name of the file that the kernel locks. It is never deleted: another process may have it open already.
 */
const lockOf = (name: string): string => `${name}.db.lock`;
/**
 * Returns the name of the file that names the holder, for messages, for commands, and in case someone deletes the other
 * file.
 */
const holderOf = (name: string): string => `${name}.lock`;

const readHolder = (file: string): Holder | null => {
  try {
    const holder = JSON.parse(readFileSync(file, "utf8")) as Holder;
    return Number.isInteger(holder.pid) && holder.pid > 0 ? holder : null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof SyntaxError || code === "ENOENT") return null;
    throw folderFault(file, error);
  }
};

/**
 * Whether the holder ran here. Earlier versions did not write a `place`, but their identity names the boot of the
 * machine.
 */
const isSame = ({ place, identity }: Holder): boolean =>
  place === undefined
    ? !identity.startsWith(processPlace().split("/")[0]!)
    : place === processPlace();

/** Whether the holder is alive; one without `place` is assumed to have run here. */
const isAlive = ({ pid, identity, place }: Holder): boolean =>
  pid !== process.pid &&
  (place ?? processPlace()) === processPlace() &&
  processIdentity(pid) === identity;

const writeHolder = (file: string, role: LockRole): string => {
  const identity = processIdentity(process.pid) ?? "";
  const me: Holder = { pid: process.pid, identity, place: processPlace(), role };
  const content = `${JSON.stringify(me)}\n`;
  try {
    writeFileSync(file, content, { mode: 0o644, flush: true });
  } catch (error) {
    throw folderFault(file, error);
  }
  return content;
};

const isOurs = (file: string, content: string): boolean =>
  existsSync(file) && readFileSync(file, "utf8") === content;

/** Tries once; returns the lock, or its holder (null: not known yet). */
export const tryDataLock = (
  dataDir: string,
  role: LockRole,
  { name, insist = false }: LockOptions,
): { lock: DataLock } | { holder: Holder | null } => {
  const file = join(dataDir, holderOf(name));
  const inherited = existsSync(join(dataDir, lockOf(name)));
  const kernelLock = tryKernelLock(dataDir, lockOf(name), insist);
  if (!kernelLock) return { holder: readHolder(file) };
  try {
    const before = readHolder(file);
    if (before && isAlive(before)) {
      // Someone deleted the locked file while that process runs.
      kernelLock.release();
      return { holder: before };
    }
    const isSamePlace = before !== null && isSame(before);
    const content = writeHolder(file, role);
    const release = () => {
      if (isOurs(file, content)) rmSync(file, { force: true });
      kernelLock.release();
    };
    return { lock: { isSamePlace, inherited, release } };
  } catch (error) {
    kernelLock.release();
    throw error;
  }
};

/** Whether a process has the folder; nothing is written. */
export const isFolderHeld = (dataDir: string, { name, insist = false }: LockOptions): boolean => {
  const holder = readHolder(join(dataDir, holderOf(name)));
  if (holder && isAlive(holder)) return true;
  if (!existsSync(join(dataDir, lockOf(name)))) return false;
  const kernelLock = tryKernelLock(dataDir, lockOf(name), insist);
  kernelLock?.release();
  return kernelLock === null;
};

const inUse = (dataDir: string, holder: Holder | null): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    "in_use",
    ({ program, otherFolder }) =>
      `The data folder ${dataDir} is already in use by another ${program} process (pid ${holder?.pid ?? "unknown"}): stop it first, or ${otherFolder}.`,
  );

/**
 * Takes the lock of an existing data folder, and waits up to `timeoutMs` for a command that is about to end. Throws
 * EmbeddedPostgresError when another server holds it.
 */
export const takeDataLock = async (
  dataDir: string,
  role: LockRole,
  { timeoutMs = 10_000, ...options }: LockOptions & { timeoutMs?: number },
): Promise<DataLock> => {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = tryDataLock(dataDir, role, options);
    if ("lock" in result) return result.lock;
    const { holder } = result;
    if (holder?.role === "server" || Date.now() > deadline) throw inUse(dataDir, holder);
    await sleep(50);
  }
};

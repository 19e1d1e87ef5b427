// Explains why the embedded database cannot start: one sentence per reason, which says what to do about it.

import { dirname } from "node:path";
import { EmbeddedPostgresError } from "./error.ts";
import type { FaultCode, Words } from "./error.ts";

type Meaning = [FaultCode, (place: string, words: Words) => string];

const diskFull: Meaning = [
  "disk_full",
  (place) => `The disk of ${place} is full: free some space and start again.`,
];

/** Explanations by the file system's error code. */
const FOLDER_MEANINGS: Record<string, Meaning> = {
  EACCES: [
    "unusable_folder",
    (path, { otherFolder }) =>
      `This user cannot write to ${path}: fix its permissions, or ${otherFolder}.`,
  ],
  EPERM: [
    "unusable_folder",
    (path, { otherFolder }) => `This user cannot change ${path}: fix its owner, or ${otherFolder}.`,
  ],
  EROFS: [
    "unusable_folder",
    (path, { otherFolder }) => `${path} is on a read-only file system: ${otherFolder}.`,
  ],
  ENOSPC: diskFull,
  EDQUOT: [
    "disk_full",
    (path) => `The disk quota for ${path} is used up: free some space and start again.`,
  ],
  ENOTDIR: [
    "unusable_folder",
    (path, { otherFolder }) =>
      `${path} cannot be created because part of the path is a file: ${otherFolder}.`,
  ],
  EEXIST: [
    "unusable_folder",
    (path, { otherFolder }) =>
      `${path} cannot be created because part of the path is a file or a broken link: ${otherFolder}.`,
  ],
  ENOENT: [
    "unusable_folder",
    (path, { otherFolder }) => `${path} cannot be created: ${otherFolder}.`,
  ],
};

const meant = ([code, sentence]: Meaning, place: string): EmbeddedPostgresError =>
  new EmbeddedPostgresError(code, (words) => sentence(place, words));

/** Explains an error of the file system at `path` in a sentence. */
export const folderFault = (path: string, error: unknown): EmbeddedPostgresError => {
  const { code, message } = error as NodeJS.ErrnoException;
  const unknown: Meaning = ["unusable_folder", () => `${path} cannot be used: ${message}.`];
  return meant(FOLDER_MEANINGS[code ?? ""] ?? unknown, path);
};

/** Patterns of what postgres and initdb print, with explanations for the administrator. The first match wins. */
const MEANINGS: [RegExp, Meaning][] = [
  [/No space left on device|Disk quota exceeded|Check free disk space/, diskFull],
  [
    /Read-only file system/,
    [
      "unusable_folder",
      (folder, { otherFolder }) =>
        `The database folder ${folder} is on a read-only file system: ${otherFolder}.`,
    ],
  ],
  [
    /lock file ".*" already exists|pre-existing shared memory block/,
    [
      "in_use",
      (folder) =>
        `The database folder ${folder} is in use by another PostgreSQL: stop that one first.`,
    ],
  ],
  [
    /could not (?:create|map|resize) .*shared memory|Cannot allocate memory|out of memory/i,
    [
      "no_memory",
      (_, { otherDatabase }) =>
        `There is not enough memory to start the database: free some, or ${otherDatabase}.`,
    ],
  ],
  [
    /Permission denied|has wrong ownership|invalid permissions/,
    [
      "unusable_folder",
      (folder, { otherFolder }) =>
        `The database folder ${folder} is not accessible to the user that the database runs as: fix its owner and permissions, or ${otherFolder}.`,
    ],
  ],
  [
    /checkpoint record|required WAL directory|incompatible with server|checksum in control file|not a valid data directory|could not find the database system|could not (?:open|read|access|stat) (?:file|directory) "|status of transaction|invalid page in block/,
    [
      "damaged",
      (folder) =>
        `The database in ${folder} is damaged: move that folder away and restore a backup (the details are in the log).`,
    ],
  ],
  [
    /could not look up effective user ID/,
    [
      "unusable_binaries",
      (_, { otherDatabase }) =>
        `The database cannot be created because the user it runs as has no name on this system: add that user to /etc/passwd, start as another user, or ${otherDatabase}.`,
    ],
  ],
];

/** Returns the error for a database that ended while starting, from all that it printed. */
export const startFault = (folder: string, output: string): EmbeddedPostgresError => {
  const meaning = MEANINGS.find(([pattern]) => pattern.test(output));
  if (meaning) return meant(meaning[1], folder);
  const lines = output.split("\n").filter((line) => /\S/.test(line));
  const reason =
    lines.find((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? "unknown reason";
  return new EmbeddedPostgresError(
    "failed",
    () => `The database in ${folder} did not start: ${reason.trim()}`,
  );
};

/** Returns the error for binaries that do not even start. */
export const binariesFault = (
  error: NodeJS.ErrnoException | undefined,
  output: string,
  path: string,
): EmbeddedPostgresError => {
  const because = (reason: string) =>
    new EmbeddedPostgresError(
      "unusable_binaries",
      ({ otherDatabase }) => `${reason}, or ${otherDatabase}.`,
    );
  if (error?.code === "EPERM" || error?.code === "EINVAL") {
    return because(
      "The database cannot run as root, and this environment does not allow switching to another user: start as a regular user",
    );
  }
  if (error?.code === "EACCES") {
    return because(
      `The database programs in ${dirname(path)} cannot be executed: fix the permissions of that folder and its parents`,
    );
  }
  const reason = output.trim().split("\n")[0] || error?.message || "no reason given";
  return new EmbeddedPostgresError(
    "unusable_binaries",
    ({ otherDatabase }) =>
      `The built-in PostgreSQL does not work on this system (${reason}): ${otherDatabase}.`,
  );
};

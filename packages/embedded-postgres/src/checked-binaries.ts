// Checks that the built-in PostgreSQL is the one that this package was made with: every program, library and SQL text
// by SHA-256, against a list in lists/. The data folder remembers what was checked by size and times, so that later
// starts take milliseconds.

import { createHash, hash } from "node:crypto";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { EmbeddedPostgresError } from "./error.ts";

const LISTS = new URL("../lists/", import.meta.url);

/**
 * Files that are not checked because they are never run: static libraries, files for building extensions, and data
 * without code.
 */
const OTHERS =
  /(?:\.a|\.json)$|^lib\/(?:pkgconfig|postgresql\/pgxs)\/|^share\/postgresql\/timezone\//;

/** Returns the checked files of a folder `native`, with slashes, sorted; links count as files. */
export const listedFiles = (native: string): string[] =>
  readdirSync(native, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(native, join(entry.parentPath, entry.name)))
    .filter((path) => !OTHERS.test(path))
    .sort();

export const hashFiles = (native: string, paths: string[]): Record<string, string> =>
  Object.fromEntries(
    paths.map((path) => [path, hash("sha256", readFileSync(join(native, path)), "hex")]),
  );

type List = { name: string; version: string; integrity: string; hashes: Map<string, string> };

/** Reads the list of a platform (linux-x64 …). */
export const readList = (platform: string): List => {
  const text = readFileSync(new URL(`${platform}.sha256`, LISTS), "utf8");
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const [, name = "", version = "", integrity = ""] = head.split(" ");
  const hashes = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  return { name, version, integrity, hashes };
};

const damaged = (native: string, path: string): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    "changed_binaries",
    ({ otherDatabase }) =>
      `The built-in PostgreSQL in ${native} is damaged or was changed (${path}): install Rookery again (npm ci in a folder of sources), or ${otherDatabase}.`,
  );

/** Returns a mark that changes with every listed file. */
const markOf = (native: string, { integrity, hashes }: List): string => {
  const mark = createHash("sha256").update(`${native} ${integrity}`);
  for (const path of hashes.keys()) {
    const stat = statSync(join(native, path), { throwIfNoEntry: false });
    if (!stat) throw damaged(native, path);
    mark.update(` ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino}`);
  }
  return mark.digest("hex");
};

/** Throws for the first file that differs. */
const compare = (native: string, { hashes }: List): void => {
  for (const [path, expected] of hashes) {
    const [actual] = Object.values(hashFiles(native, [path]));
    if (actual !== expected) throw damaged(native, path);
  }
};

const readMarks = (file: string): string[] => {
  try {
    return readFileSync(file, "utf8").trim().split("\n");
  } catch {
    return [];
  }
};

/** Number of remembered marks: a checkout and a copy of it, over a few updates. */
const MARKS = 4;

/** Throws EmbeddedPostgresError, with one sentence, unless the programs in a folder are as listed. */
export type CheckBinaries = (native: string) => void;

/** `dataDir` remembers which folders have been checked. */
export const binariesCheck =
  (dataDir: string, platform = `${process.platform}-${process.arch}`): CheckBinaries =>
  (native) => {
    const list = readList(platform);
    const file = join(dataDir, "checked-binaries");
    const mark = markOf(native, list);
    const marks = readMarks(file);
    if (marks.includes(mark)) return;
    compare(native, list);
    const text = [mark, ...marks].slice(0, MARKS).join("\n");
    try {
      writeFileSync(file, `${text}\n`, { mode: 0o600 });
    } catch {
      // The disk may be full; then the next start checks again.
    }
  };

/** Returns the version of PostgreSQL in the list, without running it; null if there is none for the platform. */
export const builtInVersion = (platform = `${process.platform}-${process.arch}`): string | null => {
  try {
    return /^\d+\.\d+/.exec(readList(platform).version)?.[0] ?? null;
  } catch {
    return null;
  }
};

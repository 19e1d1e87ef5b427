// The test files that no process has begun yet, which several processes share: a folder with an empty file for each,
// named in order. Whoever removes that begins the test file.

import { mkdtempSync, readdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const DIGITS = 4;

export const makeQueue = (files: string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-queue-"));
  for (const [index, file] of files.entries()) {
    const place = String(index).padStart(DIGITS, "0");
    writeFileSync(join(folder, place + encodeURIComponent(file)), "");
  }
  return folder;
};

/** Removes it; returns true for one process alone. */
const isTaken = (folder: string, name: string): boolean => {
  try {
    unlinkSync(join(folder, name));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
};

const fileOf = (name: string): string => decodeURIComponent(name.slice(DIGITS));

/** Returns the first remaining file, for this process to run; null when none is left. */
export const takeNext = (folder: string): string | null => {
  const name = readdirSync(folder)
    .sort()
    .find((name) => isTaken(folder, name));
  return name === undefined ? null : fileOf(name);
};

export const left = (folder: string): string[] => readdirSync(folder).sort().map(fileOf);

export const removeQueue = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true });
};

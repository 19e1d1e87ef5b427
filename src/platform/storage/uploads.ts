// The folder of files that people are uploading, and of those that wait to be processed.

import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** On this machine, also where files are stored in a bucket. */
export const uploadFolder = (dataDir: string): string => join(dataDir, "uploads");

/** Deletes files that were written before this time: what a crash left there. */
export const deleteOldUploads = async (folder: string, before: Date): Promise<void> => {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && found.mtime < before) await rm(path, { recursive: true, force: true });
  }
};

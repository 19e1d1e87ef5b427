// Files that are made beside an uploaded one: their names begin with its own.

import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Deletes them; the uploaded file stays. */
export const removeDerivedFiles = async (source: string): Promise<void> => {
  const name = basename(source);
  const folder = dirname(source);
  for (const file of await readdir(folder)) {
    if (file.startsWith(name) && file !== name) await rm(join(folder, file), { force: true });
  }
};

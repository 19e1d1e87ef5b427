// Deletes files that were derived from an uploaded one: their names begin with its name.

import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Deletes the derived files; the uploaded file stays. */
export const removeDerivedFiles = async (source: string): Promise<void> => {
  const name = basename(source);
  const folder = dirname(source);
  for (const file of await readdir(folder)) {
    if (file.startsWith(name) && file !== name) await rm(join(folder, file), { force: true });
  }
};

// Makes a folder and its parents. Node's own `recursive` retries for ever, in a thread that nothing ends, where a file
// system answers that a new folder is "not found", as /proc and automounts do.

import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const makeOne = async (path: string, mode: number): Promise<void> => {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !(await stat(path)).isDirectory()) throw error;
  }
};

/** Leaves an existing folder as it is. */
export const makeFolder = async (path: string, mode = 0o777): Promise<void> => {
  try {
    await makeOne(path, mode);
  } catch (error) {
    const above = dirname(path);
    if (codeOf(error) !== "ENOENT" || above === path) throw error;
    await makeFolder(above, mode);
    await makeOne(path, mode);
  }
};

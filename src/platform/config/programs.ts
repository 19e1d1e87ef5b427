// Finds programs of the system.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Returns the environment of a started program: nothing but where programs are, and libraries that Node needs. */
export const programEnvironment = (): Record<string, string> => {
  const { PATH = "", LD_LIBRARY_PATH: libraries } = process.env;
  return libraries === undefined ? { PATH } : { PATH, LD_LIBRARY_PATH: libraries };
};

/** Returns the path of a program, or null if it is not installed. */
export const findProgram = (name: string): string | null => {
  const folders = name.includes("/") ? [""] : (process.env["PATH"] ?? "").split(delimiter);
  for (const folder of folders) {
    const path = folder === "" ? name : join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The program is not in this folder.
    }
  }
  return null;
};

// Finds programs of the system.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** What a started program gets of the environment. */
export const programEnvironment = (): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
});

/** The path of a program, if it is there. */
export const findProgram = (name: string): string | null => {
  const folders = name.includes("/") ? [""] : (process.env["PATH"] ?? "").split(delimiter);
  for (const folder of folders) {
    const path = folder === "" ? name : join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return null;
};

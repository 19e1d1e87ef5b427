// Reads a text argument of a command: a file, or standard input.

import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { ConfigError } from "../platform/errors.ts";

/** `-` means standard input. */
export const readText = async (path: string): Promise<string> => {
  if (path === "-") return text(process.stdin);
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new ConfigError(`Cannot read the file ${path}.`);
  }
};

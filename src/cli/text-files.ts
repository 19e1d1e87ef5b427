// Reads the text that an argument of a command names, a file or standard input; writes what a command gives out.

import { readFileSync, writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { ConfigError } from "../platform/errors.ts";
import { decodeText } from "../platform/text/decode.ts";

/** `-` means standard input. */
export const readText = async (path: string): Promise<string> => {
  if (path === "-") return decodeText(await buffer(process.stdin));
  try {
    return decodeText(readFileSync(path));
  } catch {
    throw new ConfigError(`Cannot read the file ${path}.`);
  }
};

/** Without a path, or to `-`: standard output. */
export const writeText = (path: string | undefined, text: string): void => {
  if (path === undefined || path === "-") return void process.stdout.write(text);
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new ConfigError(`Cannot write the file ${path}: ${(error as Error).message}.`);
  }
};

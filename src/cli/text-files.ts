// Reads the text that an argument names, from a file or standard input, and writes a command's output.

import { readFileSync, writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { ConfigError } from "../platform/errors.ts";
import { reasonOf } from "../platform/reason.ts";
import { decodeText } from "../platform/text/decode.ts";

/** Reads a file; `-` means standard input. */
export const readText = async (path: string): Promise<string> => {
  if (path === "-") return decodeText(await buffer(process.stdin));
  try {
    return decodeText(readFileSync(path));
  } catch (error) {
    throw new ConfigError(`Cannot read the file ${path}: ${reasonOf(error, path)}.`);
  }
};

/** Writes a file; without a path, or for `-`, to standard output. */
export const writeText = (path: string | undefined, text: string): void => {
  if (path === undefined || path === "-") return void process.stdout.write(text);
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new ConfigError(`Cannot write the file ${path}: ${reasonOf(error, path)}.`);
  }
};

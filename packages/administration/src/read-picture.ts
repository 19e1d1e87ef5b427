// Reads a picture for a command.

import { readFile, stat } from "node:fs/promises";
import { ConfigError } from "./uses.ts";

/** Reads at most `limit` bytes. */
export const readPicture = async (path: string, limit: number): Promise<Buffer> => {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isFile()) throw new ConfigError(`Cannot read the file ${path}.`);
  if (stats.size > limit) throw new ConfigError(`${path} is larger than ${limit / 1024} KiB.`);
  return readFile(path);
};

// The bytes of a picture that a command is to use.

import { readFile, stat } from "node:fs/promises";
import { ConfigError } from "../platform/errors.ts";

/** Not more of it than is taken. */
export const readPicture = async (path: string, limit: number): Promise<Buffer> => {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isFile()) throw new ConfigError(`Cannot read the file ${path}.`);
  if (stats.size > limit) throw new ConfigError(`${path} is larger than ${limit / 1024} KiB.`);
  return readFile(path);
};

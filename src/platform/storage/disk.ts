// Files in a folder of DATA_DIR.

import { randomUUID } from "node:crypto";
import { constants, createWriteStream } from "node:fs";
import { copyFile, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { checkKey } from "./index.ts";
import type { Storage, StoredFile } from "./index.ts";

const isMissing = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");

const orNull = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error) => {
    if (isMissing(error)) return null;
    throw error;
  });

const factsOf = ({ size, mtimeMs }: { size: number; mtimeMs: number }): StoredFile => ({
  size,
  etag: `"${size.toString(16)}-${Math.trunc(mtimeMs).toString(16)}"`,
});

/** Written to the disk, not only to its cache: the row that names the file is. */
const sync = async (path: string): Promise<void> => {
  const file = await open(path, "r+");
  await file.sync().finally(() => file.close());
};

/** `accelPrefix`: what the reverse proxy calls the folder. */
export const diskStorage = (folder: string, accelPrefix: string | null = null): Storage => {
  const pathOf = (key: string): string => {
    checkKey(key);
    return join(folder, key);
  };
  return {
    async put(key, source) {
      const path = pathOf(key);
      // In a folder of its own, so that one that a crash left there is seen.
      const unfinished = join(folder, "unfinished", randomUUID());
      await mkdir(dirname(unfinished), { recursive: true });
      await mkdir(dirname(path), { recursive: true });
      try {
        if (source instanceof Readable) await pipeline(source, createWriteStream(unfinished));
        else await copyFile(source, unfinished, constants.COPYFILE_FICLONE);
        await sync(unfinished);
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async open(key, range) {
      const file = await orNull(open(pathOf(key)));
      if (!file) return null;
      try {
        const facts = factsOf(await file.stat());
        return { ...facts, stream: file.createReadStream({ ...range }) };
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    async stat(key) {
      const found = await orNull(stat(pathOf(key)));
      return found && factsOf(found);
    },
    async delete(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },
    internalPath(key) {
      checkKey(key);
      return accelPrefix === null ? null : `${accelPrefix}/${key}`;
    },
    close() {},
  };
};

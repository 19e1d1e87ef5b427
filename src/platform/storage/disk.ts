// Stores files in a folder of DATA_DIR.

import { randomUUID } from "node:crypto";
import { constants, createWriteStream, rmdirSync } from "node:fs";
import { copyFile, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { makeFolder } from "../make-folder.ts";
import { checkKey, isMediaKey, isPrivateKey } from "./index.ts";
import type { Files, KeyRule, Listed, Storage, StoredFile } from "./index.ts";

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

/** Flushes a file to the disk, because the row that names the file is flushed, too. */
const sync = async (path: string): Promise<void> => {
  const file = await open(path, "r+");
  await file.sync().finally(() => file.close());
};

/** Folder of files that are being written; they have no key yet. */
const UNFINISHED = "unfinished";

/** Lists a folder in the order of keys, which have a slash after a folder's name. */
const entriesOf = async (path: string) =>
  ((await orNull(readdir(path, { withFileTypes: true }))) ?? [])
    .map((entry) => ({ entry, name: entry.isDirectory() ? `${entry.name}/` : entry.name }))
    .sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));

type Walk = { beginning: string; isKey: KeyRule };

async function* walk(path: string, before: string, walking: Walk): AsyncGenerator<Listed> {
  const { beginning, isKey } = walking;
  for (const { entry, name } of await entriesOf(path)) {
    const key = before + name;
    if (key === `${UNFINISHED}/`) continue;
    if (entry.isDirectory()) {
      const mayHave = key.startsWith(beginning) || beginning.startsWith(key);
      if (mayHave) yield* walk(join(path, entry.name), key, walking);
    } else if (key.startsWith(beginning) && isKey(key)) {
      const stats = await orNull(stat(join(path, entry.name)));
      if (stats) yield { key, size: stats.size };
    }
  }
}

/** `mode` is the mode of new files, before the umask. */
export const diskFiles = (folder: string, isKey: KeyRule, mode = 0o666): Files => {
  const pathOf = (key: string): string => {
    checkKey(key, isKey);
    return join(folder, key);
  };
  return {
    async put(key, source) {
      const path = pathOf(key);
      // Unfinished files have their own folder, so that those that a crash left are found.
      const unfinished = join(folder, UNFINISHED, randomUUID());
      await makeFolder(dirname(unfinished));
      await makeFolder(dirname(path));
      try {
        if (source instanceof Readable)
          await pipeline(source, createWriteStream(unfinished, { mode }));
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
      const stats = await orNull(stat(pathOf(key)));
      return stats && factsOf(stats);
    },
    async delete(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },
    list: (beginning = "") => walk(folder, "", { beginning, isKey }),
    close() {
      try {
        rmdirSync(join(folder, UNFINISHED));
      } catch {
        // The folder does not exist, or is not empty after a crash.
      }
    },
  };
};

/** `accelPrefix` is the reverse proxy's name for the folder. */
export const diskStorage = (folder: string, accelPrefix: string | null = null): Storage => ({
  ...diskFiles(folder, isMediaKey),
  internalPath(key) {
    checkKey(key);
    return accelPrefix === null || isPrivateKey(key) ? null : `${accelPrefix}/${key}`;
  },
});

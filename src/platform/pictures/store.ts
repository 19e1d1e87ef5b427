// Makes pictures from the bytes of somebody's picture and stores them under new keys.

import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { App } from "../app.ts";
import { newKey } from "../storage/index.ts";
import type { Folder } from "../storage/folders.ts";
import { uploadFolder } from "../storage/uploads.ts";
import type { PictureFile, PictureResult, PictureTask, PictureOutput } from "./task.ts";

export type Stored = PictureFile & { key: string };
type StoredPictures = Omit<PictureResult, "files"> & { stored: Stored[] };

type Task = Omit<PictureTask, "path" | "outputs"> & {
  outputs: Omit<PictureOutput, "path">[];
  /** Chooses which of the made pictures are stored; all by default. */
  keep?: (result: PictureResult) => PictureFile[];
};

const removeAll = async (folder: string, name: string): Promise<void> => {
  for (const file of await readdir(folder)) {
    if (file.startsWith(name)) await rm(join(folder, file), { force: true });
  }
};

/**
 * Returns the stored pictures in the order of `outputs`. Throws Unprocessable for bytes that are no picture, and then
 * stores nothing.
 */
export const storePictures = async (
  app: App,
  folder: Folder,
  bytes: Buffer,
  { outputs, keep = ({ files }) => files, ...task }: Task,
): Promise<StoredPictures> => {
  const work = uploadFolder(app.config.dataDir);
  const name = randomUUID();
  const path = join(work, name);
  const stored: Stored[] = [];
  try {
    await mkdir(work, { recursive: true });
    await writeFile(path, bytes);
    const paths = outputs.map((output, n) => ({ ...output, path: `${path}-${n}` }));
    const result = await app.pictures.work({ ...task, path, outputs: paths });
    for (const file of keep(result)) {
      const key = newKey(folder, file.ending);
      await app.storage.put(key, file.path);
      stored.push({ ...file, key });
    }
    return { ...result, stored };
  } catch (error) {
    await app.storage.delete(stored.map(({ key }) => key));
    throw error;
  } finally {
    await removeAll(work, name);
  }
};

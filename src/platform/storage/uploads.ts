// Files that people are uploading, and those that wait to be processed. They arrive in a folder of the machine. Where
// media are stored in a bucket, waiting files are there too, so that a worker on any machine can process them.

import { createWriteStream } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { App } from "../app.ts";
import { isoDate } from "../ids/index.ts";
import type { KeyRule } from "./index.ts";

export const uploadFolder = (dataDir: string): string => join(dataDir, "uploads");

const pathOf = ({ config }: App, name: string): string => join(uploadFolder(config.dataDir), name);

/** Whether a key is that of an upload; it begins with the day, by which forgotten files are found. */
export const isUploadKey: KeyRule = (key) => /^\d{4}-\d{2}-\d{2}\/[0-9a-f-]{36}$/.test(key);

/** Stores the file at this path until it is processed; returns its name. */
export const storeUpload = async (app: App, path: string): Promise<string> => {
  if (!app.uploads) return basename(path);
  const key = `${isoDate(app.clock.now())}/${randomUUID()}`;
  await app.uploads.put(key, path);
  return key;
};

export class UploadGone extends Error {}

/** Returns the path of the file on this machine; `leave` deletes what was fetched for it. */
export const openUpload = async (
  app: App,
  name: string,
): Promise<{ path: string; leave: () => Promise<void> }> => {
  if (!isUploadKey(name)) return { path: pathOf(app, name), leave: async () => {} };
  const path = pathOf(app, randomUUID());
  const leave = () => rm(path, { force: true });
  const file = await app.uploads?.open(name);
  if (!file) throw new UploadGone(name);
  try {
    await pipeline(file.stream, createWriteStream(path, { mode: 0o600 }));
    return { path, leave };
  } catch (error) {
    await leave();
    throw error;
  }
};

export const removeUpload = async (app: App, name: string): Promise<void> => {
  if (isUploadKey(name)) await app.uploads?.delete([name]);
  else await rm(pathOf(app, name), { force: true });
};

/**
 * Gives a file that is needed for days a new name, because files that are two days old are deleted. Throws UploadGone
 * if it was deleted.
 */
export const renewUpload = async (app: App, name: string): Promise<string> => {
  const day = isoDate(app.clock.now());
  if (!app.uploads || !isUploadKey(name) || name.startsWith(`${day}/`)) return name;
  const file = await app.uploads.open(name);
  if (!file) throw new UploadGone(name);
  const renewed = `${day}/${randomUUID()}`;
  await app.uploads.put(renewed, file.stream);
  return renewed;
};

const deleteOldFiles = async (folder: string, before: Date): Promise<void> => {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => null);
    if (stats && stats.mtime < before) await rm(path, { recursive: true, force: true });
  }
};

/** Deletes files that were written before this time, which a crash left. */
export const deleteOldUploads = async (app: App, before: Date): Promise<void> => {
  await deleteOldFiles(uploadFolder(app.config.dataDir), before);
  const { uploads } = app;
  if (!uploads) return;
  for await (const { key } of uploads.list()) {
    if (key.slice(0, 10) >= isoDate(before)) return;
    await uploads.delete([key]);
  }
};

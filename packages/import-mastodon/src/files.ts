// Moves the files of local people: each is copied once, or left in a bucket that both servers use. Files of other
// servers are fetched again when somebody looks at them.

import { setTimeout as sleep } from "node:timers/promises";
import { movedKey } from "./uses.ts";
import type { App } from "./uses.ts";
import { sourceOf } from "./old-media.ts";
import type { OldMedia } from "./old-media.ts";

export type FileMover = {
  /** Copies the file at a path and returns its key; null where there is none. */
  copy(path: string): Promise<string | null>;
  /** Number of files copied since the start. */
  copied: number;
  bytes: number;
  /** Number of files left where they are. */
  stayed: number;
  missing: number;
};

const TRIES = 4;
const PAUSE_MS = 500;

/**
 * Retries work, because a service may fail for seconds. The import ends where it fails for longer, and continues when
 * it is run again.
 */
const persistently = async <T>(work: () => Promise<T>, tries = TRIES): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (tries === 1) throw error;
    await sleep(PAUSE_MS * 2 ** (TRIES - tries));
    return persistently(work, tries - 1);
  }
};

/** Copies what is not there yet, and returns what there is. */
const copyFile = async (app: App, media: OldMedia, path: string, mover: FileMover) => {
  const moved = movedKey(app, path);
  const there = moved && (await media.files.stat(path));
  if (!moved || !there) {
    mover.missing += 1;
    return null;
  }
  if (media.stays) {
    mover.stayed += 1;
    return path;
  }
  if ((await app.storage.stat(moved))?.size === there.size) return moved;
  const source = await sourceOf(media, path);
  if (source === null) throw new Error(`${path} is gone while it is copied`);
  await app.storage.put(moved, source);
  mover.copied += 1;
  mover.bytes += there.size;
  return moved;
};

export const fileMover = (app: App, media: OldMedia): FileMover => {
  const mover: FileMover = {
    copied: 0,
    bytes: 0,
    stayed: 0,
    missing: 0,
    copy: (path) => persistently(() => copyFile(app, media, path, mover)),
  };
  return mover;
};

/** Turns `117666255851114680` into `117/666/255/851/114/680`. */
const digits = (id: string): string =>
  id
    .padStart(Math.max(9, Math.ceil(id.length / 3) * 3), "0")
    .match(/\d{3}/g)!
    .join("/");

export const pathOf = (folder: string, id: string, style: string, name: string): string =>
  `${folder}/${digits(id)}/${style}/${name}`;

const AT_ONCE = 16;

/** Returns the results of `work` on each item in order; some run at the same time. */
export const inTurn = async <T, U>(items: T[], work: (item: T) => Promise<U>): Promise<U[]> => {
  const results: U[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [n, item] of queue) results[n] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
};

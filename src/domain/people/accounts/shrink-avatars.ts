// Makes small versions of avatars that were stored before there were any, a few at a time.

import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { App } from "../../../platform/app.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { uploadFolder } from "../../../platform/storage/uploads.ts";
import { removeDerivedFiles } from "../../base/media/derived-files.ts";
import { PICTURE_PIXELS } from "../../base/media/limits.ts";
import "./events.ts";
import { selectWithoutSmall, setSmall } from "./queries.ts";
import type { LargeAvatar } from "./queries.ts";
import { smallAvatar, storeFile } from "./store-picture.ts";

const AT_ONCE = 20;

/** Returns null where no small picture can be made of the file. */
const make = async (app: App, key: string): Promise<string | null> => {
  const file = await app.storage.open(key);
  if (!file) return null;
  const path = join(uploadFolder(app.config.dataDir), `avatar-${randomUUID()}`);
  try {
    await pipeline(file.stream, createWriteStream(path, { mode: 0o600 }));
    const task = { path, by: "avatars", maxPixels: PICTURE_PIXELS, outputs: [smallAvatar(path)] };
    const { files } = await app.pictures.work(task);
    return await storeFile(app, "avatar", files[0]!);
  } catch (error) {
    if (error instanceof Unprocessable) return null;
    throw error;
  } finally {
    await removeDerivedFiles(path);
    await rm(path, { force: true });
  }
};

/** Stores the larger picture as the small one where none can be made, so that it is not tried again. */
const shrink = async (app: App, avatar: LargeAvatar): Promise<void> => {
  const large = avatar.avatar_static_key ?? avatar.avatar_key;
  const small = await make(app, large);
  const isSet = await setSmall(app.sql, avatar, small ?? large);
  if (small !== null && !isSet) await app.storage.delete([small]);
};

/** Handles the job `avatars.shrink`. */
export const shrinkAvatars = async (app: App): Promise<void> => {
  const avatars = await selectWithoutSmall(app.sql, AT_ONCE);
  for (const avatar of avatars) await shrink(app, avatar);
  if (avatars.length < AT_ONCE) return;
  await app.jobs.add(app.sql, "avatars.shrink", {}, { key: "avatars.shrink", priority: 10 });
};

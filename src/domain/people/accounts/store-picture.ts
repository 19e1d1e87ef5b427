// Turns an uploaded avatar or header into stored files of the size that clients show.

import type { App } from "../../../platform/app.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import { UploadedFile } from "../../../platform/http/uploaded-file.ts";
import { kindOfFile } from "../../../platform/pictures/kinds.ts";
import { byAccount } from "../../../platform/pictures/task.ts";
import type { PictureFile, PictureOutput } from "../../../platform/pictures/task.ts";
import { newKey } from "../../../platform/storage/index.ts";
import { AVATAR_SIDE, MAX_FRAMES, PICTURE_PIXELS } from "../../base/media/limits.ts";
import { removeDerivedFiles } from "../../base/media/derived-files.ts";
import { copyUnderNewKey } from "../../base/media/withhold.ts";
import { updateProfile } from "./queries.ts";
import type { ProfileChange } from "./queries.ts";
import type { AccountView } from "./tables.ts";

export const WHICH = ["avatar", "header"] as const;

export type Which = (typeof WHICH)[number];

const SIZES: Record<Which, { width: number; height: number }> = {
  avatar: { width: 400, height: 400 },
  header: { width: 1500, height: 500 },
};

export const PICTURE_KEYS = [
  "avatar_key",
  "avatar_static_key",
  "avatar_small_key",
  "header_key",
  "header_static_key",
] as const;

export const storeFile = async (app: App, which: Which, { path, ending }: PictureFile) => {
  const key = newKey(`${which}s`, ending);
  await app.storage.put(key, path);
  return key;
};

/** Makes the small avatar in the format with the fewest bytes. */
export const smallAvatar = (path: string): PictureOutput => {
  const cover = { width: AVATAR_SIDE, height: AVATAR_SIDE };
  return { path: `${path}-small`, cover, still: true, as: "webp" };
};

/** Returns the keys of the picture, of a still one where it moves, and of a small one. */
const store = async (
  app: App,
  accountId: string,
  which: Which,
  { path }: UploadedFile,
): Promise<ProfileChange> => {
  const cover = SIZES[which];
  const outputs: PictureOutput[] = [
    { path: `${path}-whole`, cover },
    { path: `${path}-still`, cover, still: true, as: "png" },
    ...(which === "avatar" ? [smallAvatar(path)] : []),
  ];
  try {
    const by = byAccount(accountId);
    const task = { path, by, maxPixels: PICTURE_PIXELS, maxFrames: MAX_FRAMES, outputs };
    const { files, moves } = await app.pictures.work(task);
    const [whole, still, small] = files as [PictureFile, PictureFile, PictureFile?];
    return {
      [`${which}_key`]: await storeFile(app, which, whole),
      [`${which}_static_key`]: moves ? await storeFile(app, which, still) : null,
      ...(small && { avatar_small_key: await storeFile(app, which, small) }),
    };
  } finally {
    await removeDerivedFiles(path);
  }
};

const isPicture = async ({ path }: UploadedFile): Promise<boolean> => {
  const kind = await kindOfFile(path);
  return kind?.group === "picture" || kind?.group === "gif";
};

/** The change of a profile that removes the picture and its description. */
export const WITHOUT_PICTURE = {
  avatar: {
    avatar_key: null,
    avatar_static_key: null,
    avatar_small_key: null,
    avatar_description: "",
  },
  header: { header_key: null, header_static_key: null, header_description: "" },
} as const satisfies Record<Which, ProfileChange>;

/** Null and the empty text remove the picture; some libraries write null into forms as a word. */
const isRemoval = (value: unknown): boolean => value === null || value === "" || value === "null";

const invalid = (which: Which, description: string): FieldFault[] => [
  { field: which, code: "ERR_INVALID", description },
];

/** Returns a fault where the value is neither a picture nor removes one, as can be told before it is stored. */
export const pictureFaults = async (which: Which, value: unknown): Promise<FieldFault[]> => {
  if (value === undefined || isRemoval(value)) return [];
  const isGood = value instanceof UploadedFile && (await isPicture(value));
  return isGood ? [] : invalid(which, "must be a picture: JPEG, PNG, GIF, WebP, AVIF or HEIC");
};

/**
 * Returns the change of the profile for a given value without faults (`pictureFaults`), or a fault where the content of
 * a picture is broken. An empty file part of a form counts as absent (platform/http/body.ts).
 */
export const storePicture = async (
  app: App,
  accountId: string,
  which: Which,
  value: unknown,
): Promise<{ change: ProfileChange; faults: FieldFault[] }> => {
  if (isRemoval(value)) return { change: WITHOUT_PICTURE[which], faults: [] };
  try {
    return { change: await store(app, accountId, which, value as UploadedFile), faults: [] };
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    return { change: {}, faults: invalid(which, `is not valid: ${error.message}`) };
  }
};

/** Gives the same pictures new addresses. */
export const renamePictures = async (app: App, view: AccountView): Promise<void> => {
  if (view.avatar_key === null && view.header_key === null) return;
  const change: ProfileChange = {};
  for (const name of PICTURE_KEYS) change[name] = await copyUnderNewKey(app, view[name]);
  await updateProfile(app.sql, view.id, change);
};

// An uploaded avatar or header → stored files of the size that clients show.

import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { FieldFault } from "../../platform/errors.ts";
import { UploadedFile } from "../../platform/http/body.ts";
import { kindOfFile } from "../../platform/pictures/kinds.ts";
import { newKey } from "../../platform/storage/index.ts";
import { MAX_FRAMES, PICTURE_PIXELS } from "../media/limits.ts";
import { removeBeside } from "../media/beside.ts";
import { copyUnderNewKey } from "../media/withhold.ts";
import { updateProfile } from "./queries.ts";
import type { ProfileChange } from "./queries.ts";
import type { AccountView } from "./tables.ts";

const SIZES = {
  avatar: { width: 400, height: 400 },
  header: { width: 1500, height: 500 },
} as const;

export type Which = keyof typeof SIZES;

/** The key of the picture, and of a still one where it moves. */
type Stored = { key: string; still: string | null };

const storeFile = async (app: App, which: Which, path: string, ending: string) => {
  const key = newKey(`${which}s`, ending);
  await app.storage.put(key, path);
  return key;
};

const store = async (app: App, which: Which, { path }: UploadedFile): Promise<Stored> => {
  const cover = SIZES[which];
  const wanted = [
    { path: `${path}-whole`, cover },
    { path: `${path}-still`, cover, still: true, as: "png" as const },
  ];
  try {
    const task = { path, maxPixels: PICTURE_PIXELS, maxFrames: MAX_FRAMES, wanted };
    const { made, moves } = await app.pictures.work(task);
    const [whole, still] = made as [(typeof made)[0], (typeof made)[0]];
    return {
      key: await storeFile(app, which, whole.path, whole.ending),
      still: moves ? await storeFile(app, which, still.path, still.ending) : null,
    };
  } finally {
    await removeBeside(path);
  }
};

const isPicture = async ({ path }: UploadedFile): Promise<boolean> => {
  const kind = await kindOfFile(path);
  return kind?.group === "picture" || kind?.group === "gif";
};

/** Without the picture and its description. */
export const WITHOUT_PICTURE = {
  avatar: { avatar_key: null, avatar_static_key: null, avatar_description: "" },
  header: { header_key: null, header_static_key: null, header_description: "" },
} as const satisfies Record<Which, ProfileChange>;

/** Null and the empty text remove the picture; libraries write null into forms as a word. */
const isRemoval = (given: unknown): boolean => given === null || given === "" || given === "null";

/**
 * What an uploaded picture changes in the profile; a fault where it is none. An empty file part of a form counts as
 * absent (platform/http/body.ts).
 */
export const storePicture = async (
  app: App,
  which: Which,
  given: unknown,
): Promise<{ change: ProfileChange; faults: FieldFault[] }> => {
  if (given === undefined) return { change: {}, faults: [] };
  if (isRemoval(given)) return { change: WITHOUT_PICTURE[which], faults: [] };
  const invalid = (description: string) => ({
    change: {},
    faults: [{ field: which, code: "ERR_INVALID", description }],
  });
  if (!(given instanceof UploadedFile) || !(await isPicture(given))) {
    return invalid("must be a picture: JPEG, PNG, GIF, WebP, AVIF or HEIC");
  }
  try {
    const { key, still } = await store(app, which, given);
    const change = { [`${which}_key`]: key, [`${which}_static_key`]: still };
    return { change: change as ProfileChange, faults: [] };
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    return invalid(`is not valid: ${error.message}`);
  }
};

/** The same pictures under new addresses. */
export const renamePictures = async (app: App, view: AccountView): Promise<void> => {
  const { avatar_key, avatar_static_key, header_key, header_static_key } = view;
  const change: ProfileChange = {
    avatar_key: await copyUnderNewKey(app, avatar_key),
    avatar_static_key: await copyUnderNewKey(app, avatar_static_key),
    header_key: await copyUnderNewKey(app, header_key),
    header_static_key: await copyUnderNewKey(app, header_static_key),
  };
  if (avatar_key !== null || header_key !== null) await updateProfile(app.sql, view.id, change);
};

// Lets people upload files, describe, look at and delete them before they post.

import type { App } from "../../../platform/app.ts";
import { lockNamed } from "../../../platform/db/lock-named.ts";
import {
  NotFound,
  TooLarge,
  Unprocessable,
  invalidFields,
  tooLong,
} from "../../../platform/errors.ts";
import { UploadedFile } from "../../../platform/http/uploaded-file.ts";
import { kindOfFile } from "../../../platform/pictures/kinds.ts";
import { storeUpload } from "../../../platform/storage/uploads.ts";
import "./events.ts";
import { byAccount } from "../../../platform/pictures/task.ts";
import { ATTEMPTS, DESCRIPTION, PICTURE_BYTES } from "./limits.ts";
import { checkKind, storePreview } from "./make.ts";
import { removeUploadedFiles, untilProcessed } from "./process.ts";
import {
  countWaiting,
  deleteUpload,
  insertUpload,
  lockUpload,
  selectUpload,
  updateMedia,
} from "./queries.ts";
import type { MediaChange } from "./queries.ts";
import type { MediaType, UploadRow } from "./tables.ts";

export type UploadInput = {
  file?: unknown;
  thumbnail?: unknown;
  description?: string | null | undefined;
  focus?: string | null | undefined;
};

/** Returns undefined where none was given, and null for an empty one. */
const readDescription = (
  description: string | null | undefined,
  field = "description",
): string | null | undefined => {
  if (description === undefined) return undefined;
  const text = description?.trim() ?? "";
  if ([...text].length > DESCRIPTION) throw invalidFields([tooLong(field, DESCRIPTION)]);
  return text === "" ? null : text;
};

const clamp = (value: number): number => Math.min(1, Math.max(-1, value));

/** Reads `x,y`, both from -1 to 1; values beyond are moved to the edge. */
const readFocus = (text: string | null | undefined): { x: number; y: number } | null => {
  if (!text) return null;
  const [x, y] = text.split(",").map(Number);
  if (x === undefined || y === undefined || !Number.isFinite(x) || !Number.isFinite(y)) return null;
  return { x: clamp(x), y: clamp(y) };
};

const fileOf = (value: unknown): UploadedFile | null =>
  value instanceof UploadedFile ? value : null;

const checkThumbnail = async (value: unknown): Promise<UploadedFile | null> => {
  const file = fileOf(value);
  const kind = file && (await kindOfFile(file.path));
  if (file && kind?.group !== "picture" && kind?.group !== "gif") {
    throw new Unprocessable("Validation failed: Thumbnail content type is invalid");
  }
  if (file && file.size > PICTURE_BYTES) throw new TooLarge("The thumbnail is too large");
  return file;
};

/** Types that an upload has until it is processed: a container with sound alone becomes a recording. */
const TYPES: Record<string, MediaType> = {
  picture: "image",
  gif: "gifv",
  video: "video",
  audio: "audio",
};

/** Stores the upload, to be processed by a job; returns its id. */
export const acceptUpload = async (
  app: App,
  accountId: string,
  input: UploadInput,
): Promise<{ id: string; type: MediaType }> => {
  const file = fileOf(input.file);
  if (!file) throw new Unprocessable("Validation failed: File can't be blank");
  const kind = await checkKind(app, file.path);
  const isPicture = kind.group === "picture" || kind.group === "gif";
  if (isPicture && file.size > PICTURE_BYTES) {
    throw new Unprocessable(
      `Validation failed: File size must be less than ${PICTURE_BYTES / 1024 / 1024} MB`,
    );
  }
  const description = readDescription(input.description) ?? null;
  const thumbnail = await checkThumbnail(input.thumbnail);
  const focus = readFocus(input.focus);
  const type = TYPES[kind.group]!;
  const upload = {
    file: await storeUpload(app, file.path),
    thumbnail: thumbnail && (await storeUpload(app, thumbnail.path)),
  };
  const id = await app.sql.begin(async (tx) => {
    // Files of other accounts are processed before further ones of the same account.
    await lockNamed(tx, `uploads:${accountId}`);
    const priority = await countWaiting(tx, accountId);
    const id = await insertUpload(tx, {
      account_id: accountId,
      type,
      description,
      meta: focus ? { focus } : {},
      upload,
    });
    await app.jobs.add(tx, "media.uploaded", { id }, { maxAttempts: ATTEMPTS, priority });
    return id;
  });
  file.isKept = app.uploads === null;
  if (thumbnail) thumbnail.isKept = app.uploads === null;
  return { id, type };
};

/** Returns a person's upload, posted or not. */
const getUpload = async (app: App, accountId: string, id: string): Promise<UploadRow> => {
  const row = await selectUpload(app.sql, id);
  if (!row || row.account_id !== accountId) throw new NotFound();
  return row;
};

/** Returns the state of the upload; throws Unprocessable when processing failed. */
export const findUpload = async (app: App, accountId: string, id: string): Promise<UploadRow> => {
  const row = await getUpload(app, accountId, id);
  if (row.state === "failed") throw new Unprocessable(row.fault ?? "The file is damaged");
  return row;
};

/** Waits until the upload is processed; an upload that failed is deleted. */
export const waitForUpload = async (
  app: App,
  accountId: string,
  id: string,
  ms: number,
): Promise<UploadRow> => {
  await untilProcessed(app, id, ms);
  const row = await getUpload(app, accountId, id);
  if (row.state !== "failed") return row;
  await deleteUpload(app.sql, id);
  throw new Unprocessable(row.fault ?? "The file is damaged");
};

/** Stores a preview for one of the person's files; an absent one changes nothing. */
export const previewChange = async (
  app: App,
  accountId: string,
  value: unknown,
): Promise<MediaChange> => {
  const file = await checkThumbnail(value);
  if (!file) return {};
  const { key, meta, result } = await storePreview(app, file.path, byAccount(accountId));
  return { small: { key, meta, blurhash: result.blurhash } };
};

/** Reads what is said of a file; `field` names its description where it is too long. */
export const mediaChange = (
  input: Pick<UploadInput, "description" | "focus">,
  field?: string,
): MediaChange => {
  const description = readDescription(input.description, field);
  const focus = readFocus(input.focus);
  return { ...(description !== undefined && { description }), ...(focus && { focus }) };
};

/**
 * Changes a person's upload. For attachments of a post it calls `ofPost`, which edits the post (statuses/edit.ts),
 * because this slice knows no posts.
 */
export const changeUpload = async (
  app: App,
  accountId: string,
  id: string,
  input: UploadInput,
  ofPost: (statusId: string, change: MediaChange) => Promise<void>,
): Promise<UploadRow> => {
  await findUpload(app, accountId, id);
  const texts = mediaChange(input);
  const change = { ...texts, ...(await previewChange(app, accountId, input.thumbnail)) };
  try {
    const statusId = await app.sql.begin(async (tx) => {
      const row = await lockUpload(tx, id);
      if (row && row.status_id === null) await updateMedia(tx, id, change);
      return row?.status_id ?? null;
    });
    if (statusId !== null) await ofPost(statusId, change);
  } catch (error) {
    if (change.small) await app.storage.delete([change.small.key]);
    throw error;
  }
  return findUpload(app, accountId, id);
};

export const removeUpload = async (app: App, accountId: string, id: string): Promise<void> => {
  const row = await selectUpload(app.sql, id);
  if (!row || row.account_id !== accountId) throw new NotFound();
  const isUsed = [row.status_id, row.scheduled_id, row.draft_id].some((id) => id !== null);
  if (isUsed || !(await deleteUpload(app.sql, id))) {
    throw new Unprocessable("The file is attached to a post and cannot be deleted alone");
  }
  await removeUploadedFiles(app, row.upload);
};

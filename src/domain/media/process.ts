// Processing an upload: the job, and waiting for it.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { baseApp } from "../../platform/app.ts";
import type { App } from "../../platform/app.ts";
import { HttpError, Unprocessable } from "../../platform/errors.ts";
import type { JobRun } from "../../platform/jobs/index.ts";
import { kindOfFile } from "../../platform/pictures/kinds.ts";
import { uploadFolder } from "../../platform/storage/uploads.ts";
import "./events.ts";
import { makeStored, storePreview } from "./make.ts";
import { failUpload, finishUpload, selectUpload } from "./queries.ts";
import type { Processed, Upload, UploadRow } from "./tables.ts";

const channelOf = (id: string): string => `media:${id}`;

/** Until the upload is processed, or this time has passed. */
export const untilProcessed = async (app: App, id: string, ms: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = app.pubsub.subscribe(channelOf(id), () => resolve());
  const timer = setTimeout(resolve, ms);
  try {
    await app.pubsub.ready();
    // It may have been processed before this listened.
    const row = await selectUpload(app.sql, id);
    if (row?.state === "waiting") await promise;
  } finally {
    clearTimeout(timer);
    stop();
  }
};

const pathOf = (app: App, name: string): string => join(uploadFolder(app.config.dataDir), name);

export const removeUploadedFiles = async (app: App, upload: Upload | null): Promise<void> => {
  const names = upload ? [upload.file, upload.thumbnail] : [];
  for (const name of names) if (name !== null) await rm(pathOf(app, name), { force: true });
};

/** The owner's own preview, in place of the one that was made. */
const withThumbnail = async (app: App, made: Processed, upload: Upload): Promise<Processed> => {
  if (upload.thumbnail === null) return made;
  const { key, meta, result } = await storePreview(app, pathOf(app, upload.thumbnail));
  if (made.small_key !== null) await app.storage.delete([made.small_key]);
  return {
    ...made,
    small_key: key,
    blurhash: result.blurhash,
    meta: { ...made.meta, small: meta },
  };
};

const keysOf = ({ file_key, small_key }: Processed): string[] =>
  [file_key, small_key].filter((key) => key !== null);

const processUpload = async (app: App, { id }: UploadRow, upload: Upload): Promise<void> => {
  const made = await makeStored(app, pathOf(app, upload.file));
  const whole = await withThumbnail(app, made, upload).catch(async (error: unknown) => {
    await app.storage.delete(keysOf(made));
    throw error;
  });
  // Deleted meanwhile.
  if (!(await finishUpload(app.sql, id, whole))) await app.storage.delete(keysOf(whole));
};

const GIVEN_UP = "The file could not be processed. Please upload it again";

/** The sentence for its owner; null: it is tried again. */
const faultOf = (error: unknown, { attempts, maxAttempts }: JobRun): string | null => {
  if (error instanceof Unprocessable) return error.message;
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return GIVEN_UP;
  return attempts >= maxAttempts ? GIVEN_UP : null;
};

/** One video at a time: pictures have their turn meanwhile. */
let isVideoRunning = false;
const VIDEO_WAIT_MS = 2000;

const isVideo = async (app: App, { file }: Upload): Promise<boolean> => {
  const kind = await kindOfFile(pathOf(app, file)).catch(() => null);
  return kind !== null && kind.group !== "picture";
};

const finish = async (app: App, row: UploadRow, upload: Upload, job: JobRun): Promise<void> => {
  try {
    await processUpload(app, row, upload);
  } catch (error) {
    const fault = faultOf(error, job);
    if (fault === null) throw error;
    if (!(error instanceof HttpError)) app.log.warn({ err: error, media: row.id }, "media failed");
    await failUpload(app.sql, row.id, fault);
  }
  await removeUploadedFiles(app, upload);
  await baseApp(app).pubsub.publish(channelOf(row.id), {});
};

/** The job `media.uploaded`. */
export const onMediaUploaded = async (
  app: App,
  { id }: { id: string },
  job: JobRun,
): Promise<void> => {
  const row = await selectUpload(app.sql, id);
  if (row?.state !== "waiting" || !row.upload) return;
  if (!(await isVideo(app, row.upload))) return finish(app, row, row.upload, job);
  if (isVideoRunning) {
    const runAt = new Date(Date.now() + VIDEO_WAIT_MS);
    return app.jobs.add(app.sql, "media.uploaded", { id }, { runAt });
  }
  isVideoRunning = true;
  try {
    await finish(app, row, row.upload, job);
  } finally {
    isVideoRunning = false;
  }
};

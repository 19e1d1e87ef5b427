// Processing an upload: the job, and waiting for it.

import { baseApp } from "../../platform/app.ts";
import type { App } from "../../platform/app.ts";
import { DomainError, Unprocessable } from "../../platform/errors.ts";
import type { JobRun } from "../../platform/jobs/index.ts";
import { openUpload, removeUpload, UploadGone } from "../../platform/storage/uploads.ts";
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

export const removeUploadedFiles = async (app: App, upload: Upload | null): Promise<void> => {
  const names = upload ? [upload.file, upload.thumbnail] : [];
  for (const name of names) if (name !== null) await removeUpload(app, name);
};

const withFile = async <T>(app: App, name: string, work: (path: string) => Promise<T>) => {
  const { path, leave } = await openUpload(app, name);
  try {
    return await work(path);
  } finally {
    await leave();
  }
};

/** The owner's own preview, in place of the one that was made. */
const withThumbnail = async (
  app: App,
  processed: Processed,
  upload: Upload,
): Promise<Processed> => {
  if (upload.thumbnail === null) return processed;
  const { key, meta, result } = await withFile(app, upload.thumbnail, (path) =>
    storePreview(app, path),
  );
  if (processed.small_key !== null) await app.storage.delete([processed.small_key]);
  return {
    ...processed,
    small_key: key,
    blurhash: result.blurhash,
    meta: { ...processed.meta, small: meta },
  };
};

const keysOf = ({ file_key, small_key }: Processed): string[] =>
  [file_key, small_key].filter((key) => key !== null);

const processUpload = async (app: App, { id }: UploadRow, upload: Upload): Promise<void> => {
  const processed = await withFile(app, upload.file, (path) => makeStored(app, path));
  const whole = await withThumbnail(app, processed, upload).catch(async (error: unknown) => {
    await app.storage.delete(keysOf(processed));
    throw error;
  });
  // Deleted meanwhile.
  if (!(await finishUpload(app.sql, id, whole))) await app.storage.delete(keysOf(whole));
};

const GIVEN_UP = "The file could not be processed. Please upload it again";

/** The sentence for its owner; null: it is tried again. */
const faultOf = (error: unknown, { attempts, maxAttempts }: JobRun): string | null => {
  if (error instanceof Unprocessable) return error.message;
  const { code, syscall } = error as NodeJS.ErrnoException;
  // A database that starts again has no socket for a moment, which is ENOENT, too.
  const isGone = error instanceof UploadGone || (code === "ENOENT" && syscall !== "connect");
  if (isGone) return GIVEN_UP;
  return attempts >= maxAttempts ? GIVEN_UP : null;
};

/** One video at a time: pictures have their turn meanwhile. */
let isVideoRunning = false;
const VIDEO_WAIT_MS = 2000;

const finish = async (app: App, row: UploadRow, upload: Upload, job: JobRun): Promise<void> => {
  try {
    await processUpload(app, row, upload);
  } catch (error) {
    const fault = faultOf(error, job);
    if (fault === null) throw error;
    if (!(error instanceof DomainError))
      app.log.warn({ err: error, media: row.id }, "media failed");
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
  if (row.type === "image") return finish(app, row, row.upload, job);
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

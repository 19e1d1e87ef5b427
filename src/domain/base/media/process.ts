// Processes uploads in jobs, and waits for them.

import { baseApp } from "../../../platform/app.ts";
import type { App } from "../../../platform/app.ts";
import { DomainError, Unprocessable } from "../../../platform/errors.ts";
import type { JobRun } from "../../../platform/jobs/index.ts";
import { openUpload, removeUpload, UploadGone } from "../../../platform/storage/uploads.ts";
import "./events.ts";
import { TakesTooLong } from "../../../platform/video/run.ts";
import { byAccount } from "../../../platform/pictures/task.ts";
import { ATTEMPTS, CONVERSION_MS } from "./limits.ts";
import { lookAt, makeStored, storePreview } from "./make.ts";
import { countConversionsBefore, failUpload, finishUpload, selectUpload } from "./queries.ts";
import type { Processed, Upload, UploadRow } from "./tables.ts";

const channelOf = (id: string): string => `media:${id}`;

/** Waits until the upload is processed, or until this time has passed. */
export const untilProcessed = async (app: App, id: string, ms: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = app.pubsub.subscribe(channelOf(id), () => resolve());
  const timer = setTimeout(resolve, ms);
  try {
    await app.pubsub.ready();
    // It may have been processed before the listener was added.
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

/** Stores the owner's own preview, in place of the one that was made. */
const withThumbnail = async (
  app: App,
  processed: Processed,
  upload: Upload,
  by: string,
): Promise<Processed> => {
  if (upload.thumbnail === null) return processed;
  const { key, meta, result } = await withFile(app, upload.thumbnail, (path) =>
    storePreview(app, path, by),
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

/** `ms` bounds the processor time of a conversion. */
const processUpload = async (
  app: App,
  { id, account_id: accountId }: UploadRow,
  upload: Upload,
  ms: number,
): Promise<void> => {
  const processed = await withFile(app, upload.file, (path) =>
    makeStored(app, path, { accountId, ms }),
  );
  const by = byAccount(accountId);
  const whole = await withThumbnail(app, processed, upload, by).catch(async (error: unknown) => {
    await app.storage.delete(keysOf(processed));
    throw error;
  });
  // The upload was deleted meanwhile.
  if (!(await finishUpload(app.sql, id, whole))) await app.storage.delete(keysOf(whole));
};

const GIVEN_UP = "The file could not be processed. Please upload it again";

/** Returns the sentence for the owner of the upload; null where the job is tried again. */
const faultOf = (error: unknown, { attempts, maxAttempts }: JobRun): string | null => {
  if (error instanceof Unprocessable) return error.message;
  const { code, syscall } = error as NodeJS.ErrnoException;
  // While a database restarts it has no socket, and connecting to it fails with ENOENT too.
  const isGone = error instanceof UploadGone || (code === "ENOENT" && syscall !== "connect");
  if (isGone) return GIVEN_UP;
  return attempts >= maxAttempts ? GIVEN_UP : null;
};

type Waiting = { row: UploadRow; upload: Upload };

const waitingOf = async (app: App, id: string): Promise<Waiting | null> => {
  const row = await selectUpload(app.sql, id);
  return row?.state === "waiting" && row.upload ? { row, upload: row.upload } : null;
};

/** Runs the work to its end: the owner learns what is wrong with the file, and other errors are retried. */
const finish = async (
  app: App,
  { row, upload }: Waiting,
  job: JobRun,
  work: () => Promise<"done" | "later">,
): Promise<void> => {
  try {
    if ((await work()) === "later") return;
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

/**
 * Enqueues the conversion. Further videos of an account have a lower priority than others' videos, so that many of them
 * delay only their owner.
 */
const enqueueConversion = async (
  app: App,
  row: UploadRow,
  name: "media.convert" | "media.convert_long",
): Promise<"later"> => {
  const priority = await countConversionsBefore(app.sql, row);
  const options = { key: `media.convert:${row.id}`, priority, maxAttempts: ATTEMPTS };
  await app.jobs.add(app.sql, name, { id: row.id }, options);
  return "later";
};

type OnUpload = (app: App, payload: { id: string }, job: JobRun) => Promise<void>;

/** Makes the handler of a job that works on an upload only while it waits. */
const whileWaiting =
  (work: (app: App, waiting: Waiting) => Promise<"done" | "later">): OnUpload =>
  async (app, { id }, job) => {
    const waiting = await waitingOf(app, id);
    if (waiting) await finish(app, waiting, job, () => work(app, waiting));
  };

/** Handles the job `media.uploaded`: processes a picture, or estimates a conversion and enqueues it. */
export const onMediaUploaded = whileWaiting(async (app, { row, upload }) => {
  if (row.type === "image") {
    await processUpload(app, row, upload, 0);
    return "done";
  }
  const effort = await withFile(app, upload.file, (path) => lookAt(app, path, row.account_id));
  const isShort = effort <= CONVERSION_MS.short;
  return enqueueConversion(app, row, isShort ? "media.convert" : "media.convert_long");
});

/** Milliseconds after which a short conversion counts as a long one, whatever was expected of its file. */
const SHORT_MS = 3 * CONVERSION_MS.short;

/** Handles the job `media.convert`, for conversions that are expected to be short. */
export const onShortConversion = whileWaiting(async (app, { row, upload }) => {
  try {
    await processUpload(app, row, upload, SHORT_MS);
    return "done";
  } catch (error) {
    if (!(error instanceof TakesTooLong)) throw error;
    return enqueueConversion(app, row, "media.convert_long");
  }
});

/** Handles the job `media.convert_long`. */
export const onLongConversion = whileWaiting(async (app, { row, upload }) => {
  await processUpload(app, row, upload, CONVERSION_MS.most);
  return "done";
});

// Turns an uploaded file into what is stored of it: pictures, moving pictures, videos, recordings. Throws
// Unprocessable, with one sentence, for a file that is not accepted.

import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import type { App } from "../../../platform/app.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { kindOfFile } from "../../../platform/pictures/kinds.ts";
import type { FileKind } from "../../../platform/pictures/kinds.ts";
import type { PictureFile, PictureResult } from "../../../platform/pictures/task.ts";
import { newKey, typeOfKey } from "../../../platform/storage/index.ts";
import { byAccount } from "../../../platform/pictures/task.ts";
import { effortOf, gifEffort, gifRate } from "../../../platform/video/effort.ts";
import type { Probe, VideoStream } from "../../../platform/video/probe.ts";
import type { Video } from "../../../platform/video/index.ts";
import { UNREADABLE } from "../../../platform/video/run.ts";
import { removeDerivedFiles } from "./derived-files.ts";
import {
  CONVERSION_MS,
  FRAME_RATE,
  MAX_FRAMES,
  PICTURE_PIXELS,
  SMALL_PIXELS,
  STORED_PIXELS,
  VIDEO_PIXELS,
} from "./limits.ts";
import type { Processed } from "./tables.ts";

/** Owner of the file, and the milliseconds of processor time that its conversion may take. */
export type Allowance = { accountId: string; ms: number };

/** `beside` names a file next to the upload; all of these are deleted afterwards. */
type Work = { source: string; by: string; ms: number; beside: (name: string) => string };

const workOn = (source: string, { accountId, ms }: Allowance): Work => ({
  source,
  by: byAccount(accountId),
  ms,
  beside: (name) => `${source}-${name}`,
});

const sizes = ({ width, height }: { width: number; height: number }) => ({
  width,
  height,
  size: `${width}x${height}`,
  aspect: width / height,
});

const bytesOf = async (path: string): Promise<number> => (await stat(path)).size;

/** Stores a processed file under a new key. */
const store = async (app: App, path: string): Promise<string> => {
  const key = newKey("attachments", path.slice(path.lastIndexOf(".") + 1));
  await app.storage.put(key, path);
  return key;
};

const storePicture = async (app: App, work: Work): Promise<Processed> => {
  const result = await app.pictures.work({
    path: work.source,
    by: work.by,
    maxPixels: PICTURE_PIXELS,
    maxFrames: MAX_FRAMES,
    blurhash: true,
    outputs: [
      { path: work.beside("original"), pixels: STORED_PIXELS },
      { path: work.beside("small"), pixels: SMALL_PIXELS, still: true },
    ],
  });
  const [original, small] = result.files as [PictureFile, PictureFile];
  const key = await store(app, original.path);
  return {
    type: "image",
    media_type: typeOfKey(key),
    file_key: key,
    small_key: await store(app, small.path),
    file_size: await bytesOf(original.path),
    blurhash: result.blurhash,
    meta: { original: sizes(original), small: sizes(small) },
  };
};

export type Preview = { key: string; meta: Record<string, unknown>; result: PictureResult };

/** Stores the small picture of a video or a recording, or one that its owner uploads for it. */
export const storePreview = async (
  app: App,
  source: string,
  by: string,
  colours = false,
): Promise<Preview> => {
  const path = `${source}-${randomUUID()}`;
  const outputs = [{ path, pixels: SMALL_PIXELS, still: true }];
  try {
    const task = {
      path: source,
      by,
      maxPixels: PICTURE_PIXELS,
      blurhash: true,
      colours,
      outputs,
    };
    const result = await app.pictures.work(task);
    const [small] = result.files as [PictureFile];
    return { key: await store(app, small.path), meta: sizes(small), result };
  } finally {
    await removeDerivedFiles(path);
  }
};

const checkVideo = ({ width, height, frameRate }: VideoStream): void => {
  // ffmpeg says nothing of a canvas that it does not accept.
  if (width === 0 || height === 0) throw new Unprocessable(UNREADABLE);
  if (width * height > VIDEO_PIXELS) {
    throw new Unprocessable(
      `${width}x${height} videos are not supported: make it no larger than 3840x2160`,
    );
  }
  const [frames = 0, seconds = 1] = frameRate.split("/").map(Number);
  if (frames / seconds > FRAME_RATE) {
    throw new Unprocessable(
      `Videos with more than ${FRAME_RATE} frames a second are not supported`,
    );
  }
};

const TOO_MUCH_GIF =
  "The GIF has too many pictures for its size: make it smaller or shorter, or send it as a video";
const TOO_MUCH =
  "The file takes too long to convert: make it smaller or shorter, or send it as MP4 with H.264 and AAC";

/**
 * Estimates the processor time, and for a GIF chooses the frame rate, from the file's headers alone. Throws
 * Unprocessable where it is too much.
 */
const conversionOf = (probe: Probe, demuxer: string): { effort: number; rate?: number } => {
  if (probe.video) checkVideo(probe.video);
  if (demuxer === "gif" && probe.duration > 0) {
    const rate = gifRate(probe);
    if (rate === null) throw new Unprocessable(TOO_MUCH_GIF);
    return { rate, effort: gifEffort(probe, rate) };
  }
  const effort = effortOf(probe);
  if (effort > CONVERSION_MS.expected) throw new Unprocessable(TOO_MUCH);
  return { effort };
};

const SOUND_ONLY = new Set(["m4a", "mp3"]);

const bitsOf = ({ duration, bitrate }: Probe) => ({ duration, bitrate });

/** A video without sound is shown as a GIF. */
const storeVideo = async (
  app: App,
  video: Video,
  work: Work,
  demuxer: string,
): Promise<Processed> => {
  const { source, by, ms } = work;
  const before = await video.probe(source, demuxer, by);
  if (!before.video) return storeAudio(app, video, work, demuxer, before);
  const { rate } = conversionOf(before, demuxer);
  const target = work.beside("original.mp4");
  await video.toMp4({ path: source, demuxer, probe: before, to: target, ms }, rate);
  const probe = await video.probe(target, "mov", by);
  if (!probe.video) throw new Unprocessable("The video has no pictures");
  const picture = work.beside("picture.png");
  await video.picture(target, "mov", picture, by);
  const preview = await storePreview(app, picture, by);
  const { width, height, frameRate } = probe.video;
  return {
    type: probe.audio === null ? "gifv" : "video",
    media_type: "video/mp4",
    file_key: await store(app, target),
    small_key: preview.key,
    file_size: await bytesOf(target),
    blurhash: preview.result.blurhash,
    meta: {
      original: { width, height, frame_rate: frameRate, ...bitsOf(probe) },
      small: preview.meta,
    },
  };
};

/** Returns the cover of a recording, if it has one that can be read. */
const coverOf = async (
  app: App,
  video: Video,
  work: Work,
  demuxer: string,
): Promise<Preview | null> => {
  const picture = work.beside("cover.png");
  try {
    await video.picture(work.source, demuxer, picture, work.by);
    return await storePreview(app, picture, work.by, true);
  } catch (error) {
    if (error instanceof Unprocessable) return null;
    throw error;
  }
};

const storeAudio = async (
  app: App,
  video: Video,
  work: Work,
  demuxer: string,
  before: Probe,
): Promise<Processed> => {
  if (before.audio === null) throw new Unprocessable("The file has neither pictures nor sound");
  const plain = work.beside("original");
  const { source, by, ms } = work;
  const ending = await video.toAudio({ path: source, demuxer, probe: before, to: plain, ms });
  const probe = await video.probe(plain, ending === "mp3" ? "mp3" : "mov", by);
  const cover = before.cover ? await coverOf(app, video, work, demuxer) : null;
  const key = newKey("attachments", SOUND_ONLY.has(ending) ? ending : "mp3");
  await app.storage.put(key, plain);
  return {
    type: "audio",
    media_type: typeOfKey(key),
    file_key: key,
    small_key: cover && cover.key,
    file_size: await bytesOf(plain),
    blurhash: cover && cover.result.blurhash,
    meta: {
      original: bitsOf(probe),
      ...(cover && { small: cover.meta, colors: cover.result.colours }),
    },
  };
};

/** Makes a moving GIF a video, which has a tenth of its size. */
const storeGif = async (app: App, work: Work): Promise<Processed> => {
  const { video } = app;
  // A decoder with fewer faults than ffmpeg's looks at the file first.
  if (!video || !(await isMoving(app, work))) return storePicture(app, work);
  const { duration } = await video.probe(work.source, "gif", work.by);
  return duration > 0 ? storeVideo(app, video, work, "gif") : storePicture(app, work);
};

const isMoving = async (app: App, work: Work): Promise<boolean> => {
  const outputs = [{ path: work.beside("look"), pixels: 1, still: true }];
  const { source: path, by } = work;
  const task = { path, by, maxPixels: PICTURE_PIXELS, outputs };
  return (await app.pictures.work(task)).moves;
};

const NO_VIDEO = "This server takes pictures only, no videos and no recordings";

/** Returns the kind of an accepted file; throws Unprocessable for any other. */
export const checkKind = async (app: App, path: string): Promise<FileKind> => {
  const kind = await kindOfFile(path);
  if (!kind) {
    throw new Unprocessable(
      "Validation failed: File content type is invalid: send a picture, a video or a recording",
    );
  }
  const needsVideo = kind.group === "video" || kind.group === "audio";
  if (needsVideo && !app.video) throw new Unprocessable(NO_VIDEO);
  return kind;
};

const makeOf = (app: App, kind: FileKind, work: Work): Promise<Processed> => {
  if (kind.group === "picture") return storePicture(app, work);
  if (kind.group === "gif") return storeGif(app, work);
  if (!app.video) throw new Unprocessable(NO_VIDEO);
  return storeVideo(app, app.video, work, kind.demuxer!);
};

/**
 * Estimates the milliseconds of processor time that the file will take; throws Unprocessable where that is too much.
 */
export const lookAt = async (app: App, source: string, accountId: string): Promise<number> => {
  const { group, demuxer } = await checkKind(app, source);
  if (group === "picture" || !app.video) return 0;
  const work = workOn(source, { accountId, ms: 0 });
  try {
    if (group === "gif" && !(await isMoving(app, work))) return 0;
    const probe = await app.video.probe(source, demuxer!, work.by);
    return conversionOf(probe, demuxer!).effort;
  } finally {
    await removeDerivedFiles(source);
  }
};

/** Makes and stores the files; the file at this path stays, and everything derived from it on disk is deleted. */
export const makeStored = async (
  app: App,
  source: string,
  allowance: Allowance,
): Promise<Processed> => {
  const kind = await checkKind(app, source);
  const work = workOn(source, allowance);
  try {
    return await makeOf(app, kind, work);
  } finally {
    await removeDerivedFiles(source);
  }
};

// Fetches a remote file, and stores it or a smaller picture of it, or only makes the picture where nothing is stored.

import { createHash, randomUUID } from "node:crypto";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { App } from "../../../../platform/app.ts";
import { Unprocessable } from "../../../../platform/errors.ts";
import { FetchFailed, FetchRefused } from "../../../../platform/fetch/errors.ts";
import { addHostFailure, isHostDown } from "../../../../platform/fetch/host-breaker.ts";
import { kindOfFile } from "../../../../platform/pictures/kinds.ts";
import type { FileKind } from "../../../../platform/pictures/kinds.ts";
import { byHost } from "../../../../platform/pictures/task.ts";
import type { PictureOutput as WantedPicture } from "../../../../platform/pictures/task.ts";
import { newKey, typeOfEnding } from "../../../../platform/storage/index.ts";
import type { EmojiKind, RemoteKind } from "../../../../platform/storage/remote-url.ts";
import { uploadFolder } from "../../../../platform/storage/uploads.ts";
import { isHostRefused } from "../../blocklists/domains.ts";
import { removeDerivedFiles } from "../derived-files.ts";
import {
  AVATAR_PIXELS,
  PICTURE_BYTES,
  PICTURE_PIXELS,
  SMALL_PIXELS,
  STORED_PIXELS,
  VIDEO_BYTES,
} from "../limits.ts";
import { storeCopy } from "./queries.ts";
import type { RemoteFile } from "./queries.ts";

export const PICTURE_MS = 15_000;
const VIDEO_MS = 120_000;
/** Bytes from the start of a video that hold its first picture, if it is made for streaming. */
const BEGINNING_BYTES = 8 * 1024 * 1024;
/** Milliseconds before a file is requested again that its server did not send. */
const FAILED_MS = 5 * 60_000;
/** Milliseconds before a file is requested again that does not exist or cannot be shown. */
const GONE_MS = 24 * 3600_000;

/** Maps types to the endings under which files are served. */
const ENDINGS: Record<string, string> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/avif": "avif",
  "video/mp4": "mp4",
  "video/quicktime": "mp4",
  "video/webm": "webm",
  "video/ogg": "ogg",
  "audio/mpeg": "mp3",
  "audio/mp4": "m4a",
  "audio/flac": "flac",
  "audio/wav": "wav",
};

/** Few browsers show this type: a JPEG is stored instead. */
const HEIC = "image/heic";

/** The file exists but cannot be shown. */
export class UnusableFile extends Error {}

/** The server of the file cannot send it now. */
export class TemporarilyUnavailable extends Error {}

/** A remote file and the form in which it is wanted. */
export type CopyRequest = { kind: RemoteKind | EmojiKind; file: RemoteFile };

type Shape = Pick<WantedPicture, "as"> & { pixels: number };

/** The smaller picture for kinds that are not stored as they are. */
const MADE: Partial<Record<CopyRequest["kind"], Shape & { name: string }>> = {
  previews: { name: "preview", pixels: SMALL_PIXELS },
  stills: { name: "preview", pixels: SMALL_PIXELS },
  still_avatars: { name: "still", pixels: STORED_PIXELS },
  still_headers: { name: "still", pixels: STORED_PIXELS },
  small_avatars: { name: "small", pixels: AVATAR_PIXELS, as: "webp" },
};

export const hashOf = ({ kind, file: { url } }: CopyRequest): Buffer => {
  const shape = MADE[kind];
  return createHash("sha256")
    .update(shape ? `${shape.name} ${url}` : url)
    .digest();
};

export const isPlayed = ({ type }: RemoteFile): boolean => type !== "image";

/** Returns the most bytes of a file that is stored as it is. */
export const maxBytesOf = ({ file }: CopyRequest): number =>
  isPlayed(file) ? VIDEO_BYTES : PICTURE_BYTES;

export const ACCEPTED = { accept: "image/*, video/*, audio/*" };

/** Throws unless the status is one of the expected ones. */
export const checkStatus = (status: number, expected: readonly number[]): void => {
  if (status >= 500 || status === 429) throw new TemporarilyUnavailable(`answered ${status}`);
  if (!expected.includes(status)) throw new UnusableFile(`answered ${status}`);
};

/** Returns the type as which the file is served; null where it cannot be, or only as a picture made from it. */
export const servedAs = (kind: FileKind | null): string | null => {
  const ending = kind && ENDINGS[kind.type];
  return ending === null || ending === undefined ? null : typeOfEnding(ending);
};

/** Returns whether only a picture made from the file can be shown. */
export const isOnlyMade = (kind: FileKind | null): boolean => kind?.type === HEIC;

type Download = Parameters<App["fetch"]["request"]>[1];

const wholeOf = (copy: CopyRequest): Download => ({
  headers: ACCEPTED,
  maxBytes: maxBytesOf(copy),
  timeoutMs: isPlayed(copy.file) ? VIDEO_MS : PICTURE_MS,
});

const BEGINNING: Download = {
  headers: { ...ACCEPTED, range: `bytes=0-${BEGINNING_BYTES - 1}` },
  maxBytes: BEGINNING_BYTES,
  cut: true,
  timeoutMs: PICTURE_MS,
};

const download = async (
  app: App,
  { file }: CopyRequest,
  path: string,
  how: Download,
): Promise<FileKind> => {
  const { status } = await app.fetch.request(file.url, { ...how, toFile: path });
  checkStatus(status, how === BEGINNING ? [200, 206] : [200]);
  const kind = await kindOfFile(path);
  if (servedAs(kind) === null && !isOnlyMade(kind)) throw new UnusableFile("no media");
  return kind!;
};

/** Returns the first picture of a video; throws where ffmpeg is missing. */
const pictureOf = async (app: App, path: string, kind: FileKind, by: string): Promise<string> => {
  if (kind.group === "picture" || kind.group === "gif") return path;
  if (!app.video) throw new UnusableFile("no ffmpeg");
  const picture = `${path}-picture.png`;
  await app.video.picture(path, kind.demuxer!, picture, by);
  return picture;
};

const shrink = async (app: App, copy: CopyRequest, path: string, kind: FileKind, shape: Shape) => {
  const by = byHost(copy.file.url);
  const source = await pictureOf(app, path, kind, by);
  const outputs = [{ path: `${path}-small`, still: true, ...shape }];
  const task = { path: source, by, maxPixels: PICTURE_PIXELS, outputs };
  const { files } = await app.pictures.work(task);
  return { path: files[0]!.path, ending: files[0]!.ending };
};

/** Returns the size of the picture, with at most `most` pixels. */
const shapeOf = ({ kind }: CopyRequest, most: number): Shape => {
  const { pixels = most, as } = MADE[kind] ?? {};
  return { pixels: Math.min(pixels, most), ...(as && { as }) };
};

const store = async (
  app: App,
  copy: CopyRequest,
  path: string,
  ending: string,
): Promise<string> => {
  const key = newKey("remote", ending);
  await app.storage.put(key, path);
  await storeCopy(app.sql, {
    hash: hashOf(copy),
    host: new URL(copy.file.url).host,
    key,
    bytes: (await stat(path)).size,
    retry_at: null,
    now: app.clock.now(),
  });
  return key;
};

/** Returns the key of the stored copy. */
const fetchInto = async (app: App, copy: CopyRequest, path: string): Promise<string> => {
  const kind = await download(app, copy, path, wholeOf(copy));
  const whole = ENDINGS[kind.type];
  const shape = MADE[copy.kind];
  if (!shape && whole) return store(app, copy, path, whole);
  // Storing it now saves fetching a video twice.
  if (isPlayed(copy.file) && whole) {
    await store(app, { ...copy, kind: "attachments" }, path, whole);
  }
  const small = await shrink(app, copy, path, kind, shapeOf(copy, STORED_PIXELS));
  return store(app, copy, small.path, small.ending);
};

/** Returns milliseconds for which the file is not requested again; null where the fault is not the file's. */
const restOf = (error: unknown): number | null => {
  if (error instanceof TemporarilyUnavailable) return FAILED_MS;
  if (error instanceof FetchFailed) return error.reason === "too_large" ? GONE_MS : FAILED_MS;
  const isRefused = error instanceof FetchRefused || error instanceof UnusableFile;
  return isRefused || error instanceof Unprocessable ? GONE_MS : null;
};

/** Remembers for a while that the file is unavailable; throws errors that are not its fault. */
export const remember = async (app: App, copy: CopyRequest, error: unknown): Promise<void> => {
  const rest = restOf(error);
  if (rest === null) throw error;
  const { url } = copy.file;
  if (error instanceof FetchFailed && rest === FAILED_MS) await addHostFailure(app, url);
  const now = app.clock.now();
  const retry_at = new Date(now.getTime() + rest);
  const { host } = new URL(url);
  await storeCopy(app.sql, { hash: hashOf(copy), host, key: null, bytes: 0, retry_at, now });
};

/**
 * Runs the work with a path that is cleaned up afterwards. Returns null where the file is unavailable, which is
 * remembered for a while.
 */
const withPath = async <T>(
  app: App,
  copy: CopyRequest,
  work: (path: string) => Promise<T>,
): Promise<T | null> => {
  const path = join(uploadFolder(app.config.dataDir), `remote-${randomUUID()}`);
  try {
    return await work(path);
  } catch (error) {
    await remember(app, copy, error);
    return null;
  } finally {
    await removeDerivedFiles(path);
    await rm(path, { force: true });
  }
};

/**
 * Downloads a file that a person uploaded to another server to this path. Returns false where it does not exist, cannot
 * be shown, or its server is blocked. Throws TemporarilyUnavailable where the server cannot send it now; a server that
 * failed lately is not asked.
 */
export const fetchTo = async (app: App, url: string, path: string): Promise<boolean> => {
  if (await isHostRefused(app, new URL(url).host)) return false;
  if (await isHostDown(app, url)) throw new TemporarilyUnavailable("it has not answered lately");
  const copy: CopyRequest = { kind: "attachments", file: { url, type: "video" } };
  try {
    await download(app, copy, path, wholeOf(copy));
    return true;
  } catch (error) {
    const rest = restOf(error);
    if (rest === null) throw error;
    if (rest === GONE_MS) return false;
    if (error instanceof FetchFailed) await addHostFailure(app, url);
    throw new TemporarilyUnavailable("it cannot be fetched now");
  }
};

/** Fetches and stores the file. */
export const fetchCopy = (app: App, copy: CopyRequest): Promise<string | null> =>
  withPath(app, copy, (path) => fetchInto(app, copy, path));

/** A file in memory. */
export type Whole = { type: string; bytes: Buffer };

/** Returns whether this kind is always a picture made from the file. */
export const isMade = ({ kind }: CopyRequest): boolean => MADE[kind] !== undefined;

/** Pixels of a picture that is not stored. */
const MOST_PIXELS = 1_000_000;

/** Makes the picture without storing it. */
export const makePicture = (app: App, copy: CopyRequest): Promise<Whole | null> =>
  withPath(app, copy, async (path) => {
    const how = isPlayed(copy.file) ? BEGINNING : wholeOf(copy);
    const kind = await download(app, copy, path, how);
    const small = await shrink(app, copy, path, kind, shapeOf(copy, MOST_PIXELS));
    return { type: typeOfEnding(small.ending)!, bytes: await readFile(small.path) };
  });

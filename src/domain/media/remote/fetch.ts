// Fetches a remote file, and stores it or a smaller picture of it.

import { createHash, randomUUID } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { App } from "../../../platform/app.ts";
import { HttpError } from "../../../platform/errors.ts";
import { FetchFailed, FetchRefused } from "../../../platform/fetch/errors.ts";
import { kindOfFile } from "../../../platform/pictures/kinds.ts";
import type { FileKind } from "../../../platform/pictures/kinds.ts";
import { newKey } from "../../../platform/storage/index.ts";
import type { EmojiKind, RemoteKind } from "../../../platform/storage/remote-url.ts";
import { uploadFolder } from "../../../platform/storage/uploads.ts";
import { removeBeside } from "../beside.ts";
import {
  PICTURE_BYTES,
  PICTURE_PIXELS,
  SMALL_PIXELS,
  STORED_PIXELS,
  VIDEO_BYTES,
} from "../limits.ts";
import { storeCopy } from "./queries.ts";
import type { RemoteFile } from "./queries.ts";

const PICTURE_MS = 15_000;
const VIDEO_MS = 120_000;
/** A host that does not answer is asked for nothing for so long. */
const AWAY_SECONDS = 300;
/** A file that is not there, or is none that can be shown. */
const GONE_MS = 24 * 3600_000;

/** What the file may be served as. */
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

/** Few browsers show it: a JPEG is stored of it. */
const HEIC = "image/heic";

/** A file that is there but cannot be shown. */
class Useless extends Error {}

/** What is wanted of a remote file. */
export type Wanted = { kind: RemoteKind | EmojiKind; file: RemoteFile };

const isSmall = ({ kind }: Wanted): boolean => kind === "previews" || kind === "stills";

export const hashOf = (wanted: Wanted): Buffer =>
  createHash("sha256")
    .update(isSmall(wanted) ? `preview ${wanted.file.url}` : wanted.file.url)
    .digest();

const awayKey = (host: string): string => `media-away:${host}`;

export const isAway = async ({ kv }: App, host: string): Promise<boolean> =>
  (await kv.get(awayKey(host))) !== null;

const isPlayed = ({ type }: RemoteFile): boolean => type !== "image";

const download = async (app: App, { file, kind }: Wanted, path: string): Promise<FileKind> => {
  const isLarge = isPlayed(file) && (kind === "attachments" || kind === "previews");
  const { status } = await app.fetch.request(file.url, {
    headers: { accept: "image/*, video/*, audio/*" },
    maxBytes: isLarge ? VIDEO_BYTES : PICTURE_BYTES,
    timeoutMs: isLarge ? VIDEO_MS : PICTURE_MS,
    toFile: path,
  });
  if (status >= 500 || status === 429) throw new FetchFailed("network", `answered ${status}`);
  if (status !== 200) throw new Useless(`answered ${status}`);
  const found = await kindOfFile(path);
  if (!found || !(found.type in ENDINGS || found.type === HEIC)) throw new Useless("no media");
  return found;
};

/** The first picture of a video, where there is an ffmpeg. */
const pictureOf = async (app: App, path: string, found: FileKind): Promise<string> => {
  if (found.group === "picture" || found.group === "gif") return path;
  if (!app.video) throw new Useless("no ffmpeg");
  const picture = `${path}-picture.png`;
  await app.video.picture(path, found.demuxer!, picture);
  return picture;
};

const shrink = async (app: App, path: string, found: FileKind, pixels: number) => {
  const source = await pictureOf(app, path, found);
  const wanted = [{ path: `${path}-small`, pixels, still: true }];
  const { made } = await app.pictures.work({ path: source, maxPixels: PICTURE_PIXELS, wanted });
  return { path: made[0]!.path, ending: made[0]!.ending };
};

const store = async (app: App, wanted: Wanted, path: string, ending: string): Promise<string> => {
  const key = newKey("remote", ending);
  await app.storage.put(key, path);
  await storeCopy(app.sql, {
    hash: hashOf(wanted),
    host: new URL(wanted.file.url).host,
    key,
    bytes: (await stat(path)).size,
    retry_at: null,
    now: app.clock.now(),
  });
  return key;
};

/** The key of the stored copy. */
const fetchInto = async (app: App, wanted: Wanted, path: string): Promise<string> => {
  const found = await download(app, wanted, path);
  const whole = ENDINGS[found.type];
  if (!isSmall(wanted) && whole) return store(app, wanted, path, whole);
  // A video is not fetched twice.
  if (isPlayed(wanted.file) && whole) {
    await store(app, { ...wanted, kind: "attachments" }, path, whole);
  }
  const small = await shrink(app, path, found, isSmall(wanted) ? SMALL_PIXELS : STORED_PIXELS);
  return store(app, wanted, small.path, small.ending);
};

const remember = async (app: App, wanted: Wanted, error: unknown): Promise<void> => {
  const { host } = new URL(wanted.file.url);
  const isRefused = error instanceof FetchRefused || error instanceof Useless;
  const isBad = isRefused || (error instanceof HttpError && error.status === 422);
  const isTooLarge = error instanceof FetchFailed && error.reason === "too_large";
  if (!isBad && !isTooLarge && !(error instanceof FetchFailed)) throw error;
  if (!isBad && !isTooLarge) return app.kv.set(awayKey(host), "1", AWAY_SECONDS);
  const now = app.clock.now();
  const retry_at = new Date(now.getTime() + GONE_MS);
  await storeCopy(app.sql, { hash: hashOf(wanted), host, key: null, bytes: 0, retry_at, now });
};

/** Fetches and stores it; null: it cannot be had, which is remembered for a while. */
export const fetchCopy = async (app: App, wanted: Wanted): Promise<string | null> => {
  const path = join(uploadFolder(app.config.dataDir), `remote-${randomUUID()}`);
  try {
    return await fetchInto(app, wanted, path);
  } catch (error) {
    await remember(app, wanted, error);
    return null;
  } finally {
    await removeBeside(path);
    await rm(path, { force: true });
  }
};

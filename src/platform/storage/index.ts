// The storage port: files that people upload and copies of remote ones, on disk or in an S3-compatible service.
// A file is written once under a key that says nothing about it and never changes, so that it may be cached for ever.

import type { Readable } from "node:stream";
import { randomBytes } from "node:crypto";
import type { Config } from "../config/config.ts";
import { FOLDERS } from "./folders.ts";
import type { Folder } from "./folders.ts";
import { partsOfOldPath } from "./old-layout.ts";

/** Bytes from `start` to `end`, both included. */
export type Range = { start: number; end: number };

export type StoredFile = { size: number; etag: string };

export type OpenFile = StoredFile & { stream: Readable };

/** A file by its key. */
export type Listed = { key: string; size: number };

/** Files in a folder or a bucket, whatever they are for. */
export type Files = {
  /** Stores a stream, or the file at this path, which stays there. All of it or nothing is there afterwards. */
  put(key: string, source: Readable | string): Promise<void>;
  /** null: no such file. The range must lie within the file; the stream must be read or destroyed. */
  open(key: string, range?: Range): Promise<OpenFile | null>;
  /** null: no such file. */
  stat(key: string): Promise<StoredFile | null>;
  /** Those that do not exist are no error. */
  delete(keys: string[]): Promise<void>;
  /** All files whose keys begin so; in the order of their bytes. */
  list(beginning?: string): AsyncIterable<Listed>;
  close(): void;
};

export type Storage = Files & {
  /** Where a reverse proxy finds the file (X-Accel-Redirect, X-Sendfile); null: it cannot. */
  internalPath(key: string): string | null;
};

/** Which keys there can be. */
export type KeyRule = (key: string) => boolean;

/** The types that are ever served, by the ending of the key. Nothing here runs in a browser. */
const TYPES: Record<string, string> = {
  jpg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  mp4: "video/mp4",
  webm: "video/webm",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  flac: "audio/flac",
  wav: "audio/wav",
  // Archives of people's posts, never served at /media.
  tgz: "application/gzip",
  // Only of files that came with a Mastodon.
  jpeg: "image/jpeg",
  m4v: "video/mp4",
  oga: "audio/ogg",
};

/** As newKey makes them. */
const KEY = /^([a-z]+)\/[0-9a-f]{2}\/[0-9a-f]+\.([a-z0-9]{2,5})$/;

/** null: not a key of ours, nor of a file that came with a Mastodon's bucket. */
const partsOfKey = (key: string): { folder: Folder; ending: string } | null => {
  const [, folder = "", ending = ""] = KEY.exec(key) ?? [];
  return Object.hasOwn(FOLDERS, folder)
    ? { folder: folder as Folder, ending }
    : partsOfOldPath(key);
};

export const folderOfKey = (key: string): Folder | null => partsOfKey(key)?.folder ?? null;

export const typeOfEnding = (ending: string): string | null =>
  Object.hasOwn(TYPES, ending) ? TYPES[ending]! : null;

/** The media type of a key; null: it is not one of ours. */
export const typeOfKey = (key: string): string | null => {
  const parts = partsOfKey(key);
  return parts && typeOfEnding(parts.ending);
};

/** Given only to whom it belongs. */
export const isPrivateKey = (key: string): boolean => {
  const folder = folderOfKey(key);
  return folder !== null && FOLDERS[folder] === "private";
};

export const isMediaKey: KeyRule = (key) => typeOfKey(key) !== null;

export const checkKey = (key: string, isKey: KeyRule = isMediaKey): void => {
  if (!isKey(key)) throw new Error(`not a key of a stored file: ${key}`);
};

/**
 * The key of a new file: `newKey("emojis", "png")` → `emojis/3f/9c…e1.png`. 120 random bits: files of
 * private posts are found by nobody who was not given the address.
 */
export const newKey = (folder: Folder, ending: string): string => {
  const id = randomBytes(16).toString("hex");
  return `${folder}/${id.slice(0, 2)}/${id.slice(2)}.${ending}`;
};

/** The public address of a stored file; private ones have none. */
export const fileUrl = (site: Config["site"], key: string): string => {
  if (isPrivateKey(key)) throw new Error(`a private file has no public address: ${key}`);
  return `${site.mediaUrl}/${key}`;
};

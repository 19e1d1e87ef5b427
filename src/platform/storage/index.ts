// The storage port: uploaded files and copies of remote ones, on disk or in an S3-compatible service. A file is written
// once under a random key and never changes, so that it may be cached for ever.

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

export type Listed = { key: string; size: number };

/** Files in a folder or a bucket, for any use. */
export type Files = {
  /** Stores a stream, or a copy of the file at this path. Afterwards the whole file exists, or none of it. */
  put(key: string, source: Readable | string): Promise<void>;
  /** Opens a file; null if there is none. The range must lie within the file; the stream must be read or destroyed. */
  open(key: string, range?: Range): Promise<OpenFile | null>;
  /** Returns null if there is no such file. */
  stat(key: string): Promise<StoredFile | null>;
  /** Deletes files; ignores keys that do not exist. */
  delete(keys: string[]): Promise<void>;
  /** Yields all files whose keys begin with `beginning`, in the byte order of keys. */
  list(beginning?: string): AsyncIterable<Listed>;
  close(): void;
};

export type Storage = Files & {
  /** Returns where a reverse proxy finds the file (X-Accel-Redirect, X-Sendfile); null where it cannot. */
  internalPath(key: string): string | null;
};

/** Whether a key is valid. */
export type KeyRule = (key: string) => boolean;

/** Media types that are ever served, by the key's extension. None of them runs in a browser. */
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
  // Archives of people's posts; they are never served at /media.
  tgz: "application/gzip",
  // Only files that were imported from a Mastodon have this extension.
  jpeg: "image/jpeg",
  m4v: "video/mp4",
  oga: "audio/ogg",
};

/** Keys as newKey makes them. */
const KEY = /^([a-z]+)\/[0-9a-f]{2}\/[0-9a-f]+\.([a-z0-9]{2,5})$/;

/** Returns the parts of a key; null if it is neither ours nor that of a file imported with a Mastodon's bucket. */
const partsOfKey = (key: string): { folder: Folder; ending: string } | null => {
  const [, folder = "", ending = ""] = KEY.exec(key) ?? [];
  return Object.hasOwn(FOLDERS, folder)
    ? { folder: folder as Folder, ending }
    : partsOfOldPath(key);
};

export const folderOfKey = (key: string): Folder | null => partsOfKey(key)?.folder ?? null;

export const typeOfEnding = (ending: string): string | null =>
  Object.hasOwn(TYPES, ending) ? TYPES[ending]! : null;

/** Returns the media type of a key; null if it is not one of ours. */
export const typeOfKey = (key: string): string | null => {
  const parts = partsOfKey(key);
  return parts && typeOfEnding(parts.ending);
};

/** Whether a file is given only to its owner. */
export const isPrivateKey = (key: string): boolean => {
  const folder = folderOfKey(key);
  return folder !== null && FOLDERS[folder] === "private";
};

export const isMediaKey: KeyRule = (key) => typeOfKey(key) !== null;

export const checkKey = (key: string, isKey: KeyRule = isMediaKey): void => {
  if (!isKey(key)) throw new Error(`not a key of a stored file: ${key}`);
};

/**
 * Makes the key of a new file: `newKey("emojis", "png")` returns `emojis/3f/9c…e1.png`. It has 128 random bits, so that
 * files of private posts are found only by those who were given the address.
 */
export const newKey = (folder: Folder, ending: string): string => {
  const id = randomBytes(16).toString("hex");
  return `${folder}/${id.slice(0, 2)}/${id.slice(2)}.${ending}`;
};

/** Returns the public address of a stored file; throws for a private one. */
export const fileUrl = (site: Config["site"], key: string): string => {
  if (isPrivateKey(key)) throw new Error(`a private file has no public address: ${key}`);
  return `${site.mediaUrl}/${key}`;
};

// The pictures of an emoji pack: a folder, a tar (also gzipped) or a zip. Paths inside a pack are only looked at for
// the name of the file: nothing is unpacked to disk.

import { createReadStream } from "node:fs";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { openPromise } from "yauzl";
import { Unprocessable } from "../../platform/errors.ts";
import { OWN_EMOJI_LIMITS, PACK_LIMITS } from "./limits.ts";

/** `bytes` null: it is larger than an emoji may be. */
export type PackFile = { name: string; bytes: Buffer | null };

const PICTURES = new Set([".png", ".apng", ".gif", ".webp", ".avif", ".jpg", ".jpeg"]);

/** Hidden files are none: macOS adds one to each. */
const isPicture = (path: string): boolean =>
  !basename(path).startsWith(".") && PICTURES.has(extname(path).toLowerCase());

/** Counts what a pack has in it: a small one can unpack to a large one. */
const countingFiles = () => {
  let [files, bytes] = [0, 0];
  return (size: number): void => {
    files += 1;
    bytes += size;
    if (files > PACK_LIMITS.files || bytes > PACK_LIMITS.bytes) {
      throw new Unprocessable("The pack is too large.");
    }
  };
};

const inFolder = async function* (path: string): AsyncGenerator<PackFile> {
  const count = countingFiles();
  const found = await readdir(path, { recursive: true, withFileTypes: true });
  for (const entry of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isFile() || !isPicture(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const { size } = await stat(file);
    count(Math.min(size, OWN_EMOJI_LIMITS.bytes));
    yield { name: entry.name, bytes: size > OWN_EMOJI_LIMITS.bytes ? null : await readFile(file) };
  }
};

const inTar = async function* (path: string, isZipped: boolean): AsyncGenerator<PackFile> {
  const count = countingFiles();
  const archive = extract();
  const read = createReadStream(path);
  const reading = isZipped ? pipeline(read, createGunzip(), archive) : pipeline(read, archive);
  // It ends with an error when the loop below is left.
  reading.catch(() => {});
  for await (const entry of archive) {
    const { name, type, size = 0 } = entry.header;
    count(size);
    const isWanted = type === "file" && isPicture(name);
    if (isWanted && size <= OWN_EMOJI_LIMITS.bytes) {
      yield { name: basename(name), bytes: await buffer(entry as unknown as Readable) };
    } else {
      entry.resume();
      if (isWanted) yield { name: basename(name), bytes: null };
    }
  }
};

const inZip = async function* (path: string): AsyncGenerator<PackFile> {
  const count = countingFiles();
  const archive = await openPromise(path);
  try {
    for await (const entry of archive.eachEntry()) {
      const { fileName, uncompressedSize } = entry;
      count(uncompressedSize);
      if (!isPicture(fileName)) continue;
      const name = basename(fileName);
      // The stream fails where it is longer than the entry says.
      if (uncompressedSize > OWN_EMOJI_LIMITS.bytes) yield { name, bytes: null };
      else yield { name, bytes: await buffer(await archive.openReadStreamPromise(entry)) };
    }
  } finally {
    archive.close();
  }
};

const beginning = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    const { buffer: bytes, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytes.subarray(0, bytesRead).toString("hex");
  } finally {
    await file.close();
  }
};

const isMissing = (error: unknown): boolean =>
  ["ENOENT", "EACCES"].includes(String((error as NodeJS.ErrnoException).code));

const filesOf = async (path: string): Promise<AsyncGenerator<PackFile>> => {
  if ((await stat(path)).isDirectory()) return inFolder(path);
  const start = await beginning(path);
  if (start.startsWith("504b")) return inZip(path);
  return inTar(path, start.startsWith("1f8b"));
};

/** The pictures in the folder or archive at this path. */
export const packFiles = async function* (path: string): AsyncGenerator<PackFile> {
  try {
    yield* await filesOf(path);
  } catch (error) {
    if (error instanceof Unprocessable) throw error;
    if (isMissing(error)) throw new Unprocessable(`Cannot read ${path}.`);
    throw new Unprocessable(
      `${path} is neither a folder nor a tar or zip archive that can be read.`,
    );
  }
};

/** The shortcode that a file's name stands for: `blob-cat.png` is blob_cat. */
export const shortcodeOfFile = (name: string): string =>
  basename(name, extname(name)).replace(/[^A-Za-z0-9_]+/g, "_");

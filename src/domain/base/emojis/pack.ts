// Reads the pictures of an emoji pack: a folder, a tar (also gzipped) or a zip. Only the last part of a path inside a
// pack is used, as the file's name: nothing is unpacked to disk.

import { readdir, readFile, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { archiveFiles, countingFiles } from "../../../platform/archives.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { OWN_EMOJI_LIMITS, PACK_LIMITS } from "./limits.ts";

/** `bytes` is null for a file that is larger than an emoji may be. */
type PackFile = { name: string; bytes: Buffer | null };

const PICTURES = new Set([".png", ".apng", ".gif", ".webp", ".avif", ".jpg", ".jpeg"]);

/** Ignores hidden files: macOS adds one to each file. */
const isPicture = (path: string): boolean =>
  !basename(path).startsWith(".") && PICTURES.has(extname(path).toLowerCase());

const LIMITS = { ...PACK_LIMITS, tooLarge: "The pack is too large." };

const inFolder = async function* (path: string): AsyncGenerator<PackFile> {
  const count = countingFiles(LIMITS);
  const files = await readdir(path, { recursive: true, withFileTypes: true });
  for (const entry of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isFile() || !isPicture(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const { size } = await stat(file);
    count(Math.min(size, OWN_EMOJI_LIMITS.bytes));
    yield { name: entry.name, bytes: size > OWN_EMOJI_LIMITS.bytes ? null : await readFile(file) };
  }
};

const inArchive = async function* (path: string): AsyncGenerator<PackFile> {
  for await (const { path: inside, size, open } of archiveFiles(path, LIMITS)) {
    if (!isPicture(inside)) continue;
    const fits = size <= OWN_EMOJI_LIMITS.bytes;
    yield { name: basename(inside), bytes: fits ? await buffer(await open()) : null };
  }
};

const isMissing = (error: unknown): boolean =>
  ["ENOENT", "EACCES"].includes(String((error as NodeJS.ErrnoException).code));

const filesOf = async (path: string): Promise<AsyncGenerator<PackFile>> =>
  (await stat(path)).isDirectory() ? inFolder(path) : inArchive(path);

/** Yields the pictures in the folder or archive at this path. */
export const packFiles = async function* (path: string): AsyncGenerator<PackFile> {
  try {
    yield* await filesOf(path);
  } catch (error) {
    if (error instanceof Unprocessable) throw error;
    if (isMissing(error)) throw new Unprocessable(`Cannot read ${path}.`);
    throw new Unprocessable(says("staff.emojis.no_pack"));
  }
};

/**
 * Returns the shortcode that a file's name stands for: blob_cat for `blob-cat.png`. A name beyond ASCII is returned as
 * it is, and refused later, since what is left of it could be another name.
 */
export const shortcodeOfFile = (name: string): string => {
  const plain = basename(name, extname(name));
  return /^[\0-\x7f]*$/.test(plain) ? plain.replace(/[^A-Za-z0-9_]+/g, "_") : plain;
};

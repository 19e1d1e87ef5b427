// The media of a backup are inside its file, or beside it in a folder that many backups share, where each file is
// stored once. A list of them (one line each, sorted) lies beside the backup and is written last.

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { ConfigError } from "./uses.ts";
import type { Files, Listed, Storage } from "./uses.ts";
import { compress, damaged, unpack } from "./archive.ts";
import type { ArchiveWriter } from "./archive.ts";
import { readFrom } from "./place.ts";
import { sealedSize } from "./sealed.ts";
import type { Bytes, Keys } from "./sealed.ts";

export type MediaFile = { key: string; size: number; sha256: string };

/**
 * Prefix of copies of other servers' files. They are not backed up, because they are fetched again when somebody looks
 * at them.
 */
const COPIES = "remote/";

async function* ownFiles(storage: Storage): AsyncGenerator<Listed> {
  for await (const file of storage.list()) if (!file.key.startsWith(COPIES)) yield file;
}

export type Copied = { files: number; copied: number; bytes: number };
/** Called after each file. */
export type OnProgress = (file: { size: number; isCopied: boolean }) => void;

/**
 * Writes all media into the archive as `media/KEY`. A file that was deleted since it was listed is skipped: no row
 * names it (holdFiles).
 */
export const packMedia = async (
  storage: Storage,
  archive: ArchiveWriter,
  onProgress: OnProgress,
): Promise<void> => {
  for await (const { key } of ownFiles(storage)) {
    const file = await storage.open(key);
    if (!file) continue;
    await archive.stream(`media/${key}`, file.size, file.stream);
    onProgress({ size: file.size, isCopied: true });
  }
};

/** Reads a sorted sequence once and finds items in it by ascending keys. */
export const inOrder = <T extends { key: string }>(source: AsyncIterable<T>) => {
  const items = source[Symbol.asyncIterator]();
  let current: IteratorResult<T> | null = null;
  const isBefore = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
  return {
    /** Returns the item with this key; callers ask in ascending order. */
    async at(key: string): Promise<T | null> {
      current ??= await items.next();
      while (!current.done && isBefore(current.value.key, key)) current = await items.next();
      return !current.done && current.value.key === key ? current.value : null;
    },
    close: async () => void (await items.return?.(undefined)),
  };
};

/** Folders of media. Encrypted and plain files have separate ones. */
export const POOLS = ["media", "media-encrypted"] as const;

export const poolOf = (keys: Keys | null): string => POOLS[keys ? 1 : 0];

export const sizeInPool = (keys: Keys | null, size: number): number =>
  keys ? sealedSize(size) : size;

const copyOne = async (
  storage: Storage,
  files: Files,
  key: string,
  keys: Keys | null,
): Promise<MediaFile | null> => {
  const file = await storage.open(key);
  if (!file) return null;
  const hash = createHash("sha256");
  let size = 0;
  const plain = (async function* () {
    for await (const chunk of file.stream as Bytes) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  })();
  const body = Readable.from(keys ? keys.seal(plain) : plain, { objectMode: false });
  await files.put(`${poolOf(keys)}/${key}`, body);
  return { key, size, sha256: hash.digest("hex") };
};

/** Copies the files that the folder lacks, and yields all media. */
export async function* syncMedia(
  storage: Storage,
  files: Files,
  {
    previous,
    keys,
    onProgress,
  }: { previous: AsyncIterable<MediaFile>; keys: Keys | null; onProgress: OnProgress },
): AsyncGenerator<MediaFile> {
  const pool = poolOf(keys);
  const [before, there] = [inOrder(previous), inOrder(files.list(`${pool}/`))];
  try {
    for await (const { key, size } of ownFiles(storage)) {
      const known = await before.at(key);
      const stored = await there.at(`${pool}/${key}`);
      const isStored = known?.size === size && stored?.size === sizeInPool(keys, size);
      const file = isStored ? known : await copyOne(storage, files, key, keys);
      if (!file) continue;
      onProgress({ size: file.size, isCopied: !isStored });
      yield file;
    }
  } finally {
    await before.close();
    await there.close();
  }
}

/** The first line of a list; `pool` names the folder with the files. */
export type Head = { domain: string; pool: string };

export const writeList = async (
  files: Files,
  name: string,
  keys: Keys | null,
  { head, media }: { head: Head; media: AsyncIterable<MediaFile> },
): Promise<void> => {
  async function* lines(): AsyncGenerator<string> {
    let count = 0;
    yield `${JSON.stringify(head)}\n`;
    for await (const { key, size, sha256 } of media) {
      count += 1;
      yield `${JSON.stringify([key, size, sha256])}\n`;
    }
    yield `${JSON.stringify({ count })}\n`;
  }
  const packed = Readable.from(lines(), { objectMode: false }).compose(compress()) as Readable;
  await files.put(name, keys ? Readable.from(keys.seal(packed), { objectMode: false }) : packed);
};

const MAX_LINE = 10_000;

async function* linesOf(source: Bytes, name: string): AsyncGenerator<string> {
  let left = "";
  for await (const chunk of source) {
    const lines = (left + chunk.toString("latin1")).split("\n");
    left = lines.pop()!;
    if (left.length > MAX_LINE) throw damaged(name);
    yield* lines;
  }
}

export type MediaList = { head: Head; media: AsyncGenerator<MediaFile> };

/** Reads a list; throws ConfigError when it is incomplete, at the latest at its end. */
export const readList = async (
  files: Files,
  name: string,
  keys: Keys | null,
): Promise<MediaList> => {
  const lines = linesOf(unpack(readFrom(files, name, name), keys, name), name);
  const first = await lines.next();
  if (first.done) throw damaged(name);
  async function* media(): AsyncGenerator<MediaFile> {
    let count = 0;
    for await (const line of lines) {
      const read = JSON.parse(line) as [string, number, string] | { count: number };
      if (!Array.isArray(read)) {
        if (read.count === count) return;
        break;
      }
      const [key, size, sha256] = read;
      count += 1;
      yield { key, size, sha256 };
    }
    throw damaged(name);
  }
  return { head: JSON.parse(first.value) as Head, media: media() };
};

/** Yields the bytes of a file of the folder; throws ConfigError when they are not those that the list describes. */
export async function* readPooled(
  files: Files,
  pool: string,
  { key, size, sha256 }: MediaFile,
  keys: Keys | null,
): AsyncGenerator<Buffer> {
  const name = `${pool}/${key}`;
  const stored = readFrom(files, name, name);
  const hash = createHash("sha256");
  let bytes = 0;
  const isSealed = keys !== null && pool === poolOf(keys);
  for await (const chunk of isSealed ? keys.unseal(stored, name) : stored) {
    hash.update(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  if (bytes !== size || hash.digest("hex") !== sha256) throw new ConfigError(`${name} is damaged.`);
}

// Reads the files in an archive, which is a tar (also gzipped) or a zip, one after the other. Nothing is ever written
// to the paths in it; entries that are not plain files are skipped.

import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Unprocessable } from "./errors.ts";

/** `open` may be called once, before the next file. */
export type ArchiveFile = { path: string; size: number; open: () => Promise<Readable> };

/** Limits for all unpacked files together; `tooLarge` is the message that refuses a larger archive. */
type ArchiveLimits = { files: number; bytes: number; tooLarge: string };

type Count = (size: number) => void;

/** Counts files and their unpacked bytes, because a small archive can unpack to a large one. */
export const countingFiles = (limits: ArchiveLimits): Count => {
  let [files, bytes] = [0, 0];
  return (size) => {
    files += 1;
    bytes += size;
    if (files > limits.files || bytes > limits.bytes) throw new Unprocessable(limits.tooLarge);
  };
};

/** Bytes that a tar adds to each file: its header, and the padding of its last block. */
const TAR_OVERHEAD = 1024;

/**
 * Limits all unpacked bytes of a tar: what belongs to no file, such as blocks of zeros, can unpack to much more than
 * the files.
 */
const boundedTar = ({ files, bytes, tooLarge }: ArchiveLimits) =>
  async function* (unpacked: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let left = bytes + files * TAR_OVERHEAD;
    for await (const piece of unpacked) {
      left -= piece.length;
      if (left < 0) throw new Unprocessable(tooLarge);
      yield piece;
    }
  };

const inTar = async function* (
  path: string,
  isZipped: boolean,
  limits: ArchiveLimits,
): AsyncGenerator<ArchiveFile> {
  const { extract } = await import("tar-stream");
  const count = countingFiles(limits);
  const archive = extract();
  const read = createReadStream(path);
  const reading = isZipped
    ? pipeline(read, createGunzip(), boundedTar(limits), archive)
    : pipeline(read, archive);
  // The promise rejects when the loop below is left early.
  reading.catch(() => {});
  for await (const entry of archive) {
    const { name, type, size = 0 } = entry.header;
    count(size);
    const stream = entry as unknown as Readable;
    if (type === "file") yield { path: name, size, open: async () => stream };
    stream.resume();
  }
};

const inZip = async function* (path: string, limits: ArchiveLimits): AsyncGenerator<ArchiveFile> {
  const { openPromise } = await import("yauzl");
  const count = countingFiles(limits);
  const archive = await openPromise(path);
  try {
    for await (const entry of archive.eachEntry()) {
      const { fileName, uncompressedSize: size } = entry;
      count(size);
      // The stream fails when the content is longer than the entry says.
      if (!fileName.endsWith("/")) {
        yield { path: fileName, size, open: () => archive.openReadStreamPromise(entry) };
      }
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

export const archiveFiles = async function* (
  path: string,
  limits: ArchiveLimits,
): AsyncGenerator<ArchiveFile> {
  const start = await beginning(path);
  if (start.startsWith("504b")) yield* inZip(path, limits);
  else yield* inTar(path, start.startsWith("1f8b"), limits);
};

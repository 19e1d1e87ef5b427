// Sinks take the files of an archive one after the other and write them, here into a tar. No file is held in memory.

import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Pack } from "tar-stream";

/** Paths are relative and made by us, with slashes. Each call waits until the file is written. */
export type Sink = {
  /** Writes a file whose length is only known when it ends. */
  text(path: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void>;
  file(path: string, size: number, stream: Readable): Promise<void>;
};

/**
 * Writes into a tar. A tar gives the length of a file before its content, so texts wait in `folder` until they are
 * complete.
 */
export const tarSink = (archive: Pack, folder: string): Sink => {
  const file: Sink["file"] = async (name, size, stream) => {
    const entry = archive.entry({ name, size, mode: 0o444 });
    await pipeline(stream, entry as unknown as NodeJS.WritableStream);
  };
  return {
    file,
    text: async (name, parts) => {
      const path = join(folder, "text");
      await pipeline(Readable.from(parts), createWriteStream(path));
      await file(name, (await stat(path)).size, createReadStream(path));
      await rm(path);
    },
  };
};

/** Returns a value as indented JSON that people can read. */
export const jsonText = (value: unknown): string[] => [`${JSON.stringify(value, null, 2)}\n`];

/** Yields a JSON array with one line for each item. */
export const jsonLines = async function* (
  items: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<string> {
  let before = "[\n";
  for await (const item of items) {
    yield before + JSON.stringify(item);
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
};

// Where the files of an archive go, one after the other: into a tar or into a folder. Nothing of them stays in memory.

import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Pack } from "tar-stream";
import { makeFolder } from "./make-folder.ts";

/** Paths are ours, relative, with slashes. Each call waits until the file is written. */
export type Sink = {
  /** A file whose length is known at its end. */
  text(path: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void>;
  file(path: string, size: number, stream: Readable): Promise<void>;
};

/** A tar says how long a file is before it begins: texts lie in `folder` until they are packed. */
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

export const folderSink = (root: string): Sink => {
  const write = async (path: string, source: Readable): Promise<void> => {
    const target = join(root, path);
    await makeFolder(dirname(target));
    await pipeline(source, createWriteStream(target, { mode: 0o600 }));
  };
  return {
    file: (path, _size, stream) => write(path, stream),
    text: (path, parts) => write(path, Readable.from(parts)),
  };
};

/** All of it in a folder of another one. */
export const sinkBelow = (sink: Sink, folder: string): Sink => ({
  text: (path, parts) => sink.text(`${folder}/${path}`, parts),
  file: (path, size, stream) => sink.file(`${folder}/${path}`, size, stream),
});

/** One value, as people can read it. */
export const jsonText = (value: unknown): string[] => [`${JSON.stringify(value, null, 2)}\n`];

/** An array with a line for each item. */
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

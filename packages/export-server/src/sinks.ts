// Sinks of an export: a folder, or one within another sink.

import { createWriteStream } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { makeFolder } from "./uses.ts";
import type { Sink } from "./uses.ts";

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

/** Returns a sink that writes all files into a folder of another sink. */
export const sinkBelow = (sink: Sink, folder: string): Sink => ({
  text: (path, parts) => sink.text(`${folder}/${path}`, parts),
  file: (path, size, stream) => sink.file(`${folder}/${path}`, size, stream),
});

// Encodes a chunk of a PNG (https://www.w3.org/TR/png-3/#5Chunk-layout).

import { crc32 } from "node:zlib";

/** `type` has four letters. */
export const pngChunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
};

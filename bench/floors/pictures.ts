// The floor of uploads: sharp alone makes from a JPEG the stored pictures of an upload and the input of its blurhash,
// with the same decoding, sizes, encodings and settings of libvips and the C library, one picture at a time, in memory,
// in a process that does nothing else.

import { encode } from "blurhash";
import sharp from "sharp";
import type { Sharp } from "sharp";
import { SMALL_PIXELS, STORED_PIXELS } from "../../src/domain/base/media/limits.ts";
import { makeNice } from "../../src/platform/pictures/limited.ts";
import { offer } from "./process.ts";

sharp.cache(false);
sharp.concurrency(1);
makeNice(process);

const HASHED = 32;

const scaled = (width: number, height: number, pixels: number) => {
  const scale = Math.min(1, Math.sqrt(pixels / (width * height)));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
};

const hash = async (image: Sharp): Promise<string> => {
  const pixels = await image
    .resize({ width: HASHED, height: HASHED, fit: "fill" })
    .ensureAlpha()
    .raw()
    .toBuffer();
  return encode(new Uint8ClampedArray(pixels), HASHED, HASHED, 4, 4);
};

const make = async (path: string): Promise<void> => {
  const { width, height } = await sharp(path).metadata();
  const stored = await sharp(path)
    .autoOrient()
    .resize(scaled(width, height, STORED_PIXELS))
    .jpeg({ quality: 88, optimiseCoding: false })
    .toBuffer();
  const small = await sharp(stored)
    .resize(scaled(width, height, SMALL_PIXELS))
    .jpeg({ quality: 88 })
    .toBuffer();
  await hash(sharp(small));
};

offer({
  make: async ({ path, count }: { path: string; count: number }) => {
    for (let n = 0; n < count; n++) await make(path);
  },
});

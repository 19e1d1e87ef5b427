// Floor of uploads: sharp alone makes of a JPEG what is stored of an upload.

import sharp from "sharp";
import { SMALL_PIXELS, STORED_PIXELS } from "../../src/domain/media/limits.ts";
import { offer } from "./process.ts";

sharp.cache(false);
sharp.concurrency(1);

const scaled = (width: number, height: number, pixels: number) => {
  const scale = Math.min(1, Math.sqrt(pixels / (width * height)));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
};

const make = async (path: string): Promise<void> => {
  const { width, height } = await sharp(path).metadata();
  const stored = await sharp(path)
    .resize(scaled(width, height, STORED_PIXELS))
    .jpeg({ quality: 88 })
    .toBuffer();
  await sharp(stored)
    .resize(scaled(width, height, SMALL_PIXELS))
    .jpeg({ quality: 88 })
    .toBuffer();
};

offer({
  make: async ({ path, count }: { path: string; count: number }) => {
    for (let n = 0; n < count; n++) await make(path);
  },
});

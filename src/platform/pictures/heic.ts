// Converts HEIC, which phones make, to a PNG that sharp reads: the libheif in sharp has no HEVC decoder. This decoder
// is WebAssembly and never frees its memory, so the process ends after one picture.

import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import type { Metadata } from "sharp";
import { pngChunk } from "./png-chunk.ts";

const require = createRequire(import.meta.url);

type Pixels = { data: Uint8ClampedArray; width: number; height: number };

type HeifImage = {
  is_primary(): number;
  get_width(): number;
  get_height(): number;
  /** Fills in RGBA pixels, rotated and assembled from tiles; null if the picture is damaged. */
  display(into: Pixels, done: (filled: Pixels | null) => void): void;
};

type LibHeif = { HeifDecoder: new () => { decode(file: Buffer): HeifImage[] } };

export const isHevc = ({ format, compression }: Metadata): boolean =>
  format === "heif" && compression === "hevc";

const decode = async (path: string, { width, height }: Metadata): Promise<Pixels> => {
  const { HeifDecoder }: LibHeif = require("libheif-js/wasm-bundle");
  const images = new HeifDecoder().decode(await readFile(path));
  const image = images.find((image) => image.is_primary());
  // The sizes that were checked before are those that sharp read.
  if (!image || image.get_width() !== width || image.get_height() !== height) {
    throw new Error("no picture");
  }
  const empty = { data: new Uint8ClampedArray(width * height * 4), width, height };
  const filled = await new Promise<Pixels | null>((resolve) => image.display(empty, resolve));
  if (!filled) throw new Error("damaged");
  return filled;
};

/** Bytes of a PNG's signature and header; the colour profile comes after them. */
const PNG_HEAD = 33;

/** Adds a colour profile, because sharp takes none with raw pixels. */
const withProfile = (png: Buffer, icc: Buffer): Buffer[] => {
  const profile = pngChunk("iCCP", Buffer.concat([Buffer.from("icc\0\0"), deflateSync(icc)]));
  return [png.subarray(0, PNG_HEAD), profile, png.subarray(PNG_HEAD)];
};

/** Frees the pixels (64 MB of 16 megapixels) before anything else takes memory: the garbage is collected late. */
export const heicAsPng = async (path: string, metadata: Metadata, to: string): Promise<void> => {
  const { data, width, height } = await decode(path, metadata);
  const image = sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false });
  await (metadata.hasAlpha ? image : image.removeAlpha()).png({ compressionLevel: 0 }).toFile(to);
  (data.buffer as ArrayBuffer).transfer(0);
  if (!metadata.icc) return;
  const png = await readFile(to);
  await writeFile(to, withProfile(png, metadata.icc));
  png.buffer.transfer(0);
};

// The process that decodes pictures, one at a time. It has no network, may write to one folder, and is killed when it
// takes too long. Only colours and shape survive: every picture is decoded and encoded again.

import { open, readFile, writeFile } from "node:fs/promises";
import { encode } from "blurhash";
import sharp from "sharp";
import type { Metadata, Sharp } from "sharp";
import { coloursOf } from "./colours.ts";
import { heicAsPng, isHevc } from "./heic.ts";
import { isSrgb } from "./profile.ts";
import type { PictureFile, PictureResult, PictureTask, PictureOutput } from "./task.ts";

sharp.cache(false);
sharp.concurrency(1);
// libvips could also read SVG, PDF and others.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].map((name) => `VipsForeignLoad${name}File`),
});

const DAMAGED = "The picture is damaged or of a kind that this server cannot read";

class Fault extends Error {}

type Format = "jpg" | "png" | "webp" | "gif";
type Size = { width: number; height: number };

/** Returns the output format. Formats that not all browsers show become JPEG, or PNG where they are transparent. */
const formatOf = ({ format, hasAlpha }: Metadata, { as }: PictureOutput): Format => {
  if (as) return as;
  if (format === "png" || format === "webp" || format === "gif") return format;
  return format === "jpeg" || !hasAlpha ? "jpg" : "png";
};

/**
 * Pixels up to which a JPEG gets Huffman tables of its own. They make a photograph 3 % smaller but need all of it in
 * memory: 48 MB and a quarter of the processor time for a stored picture of 12 megapixels. Previews get a seventh
 * smaller by it, and have few pixels.
 */
const OPTIMISED_PIXELS = 1_000_000;

const encoded = (image: Sharp, format: Format, { width, height }: Size): Sharp => {
  const optimiseCoding = width * height <= OPTIMISED_PIXELS;
  if (format === "jpg") return image.jpeg({ quality: 88, optimiseCoding });
  if (format === "webp") return image.webp({ quality: 85, effort: 2 });
  if (format === "gif") return image.gif({ effort: 3 });
  return image.png({ compressionLevel: 7 });
};

/** Returns the size as it is shown, after rotation. */
const sizeOf = (metadata: Metadata): Size => {
  const height = metadata.pageHeight ?? metadata.height;
  const isTurned = (metadata.orientation ?? 1) >= 5;
  return isTurned ? { width: height, height: metadata.width } : { width: metadata.width, height };
};

const fitted = (size: Size, { pixels, cover }: PictureOutput): Size => {
  if (cover) return cover;
  const scale = Math.min(1, Math.sqrt((pixels ?? Infinity) / (size.width * size.height)));
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
};

/** Pixels of all frames together: decoding and encoding this many takes seconds and some hundred megabytes. */
const MOVING_PIXELS = 50_000_000;

const PAGES: Metadata["format"][] = ["gif", "webp"];

const mostFrames = (metadata: Metadata): number => {
  const { width, height } = sizeOf(metadata);
  return Math.floor(MOVING_PIXELS / (width * height));
};

/**
 * Returns the number of frames: the whole animation where it is wanted and allowed; of one that is too large or too
 * long, its beginning.
 */
const pagesOf = (metadata: Metadata, task: PictureTask, { still }: PictureOutput): number =>
  still || !PAGES.includes(metadata.format)
    ? 1
    : Math.max(1, Math.min(metadata.pages ?? 1, task.maxFrames ?? 1, mostFrames(metadata)));

const make = async (
  task: PictureTask,
  metadata: Metadata,
  output: PictureOutput,
): Promise<PictureFile> => {
  const pages = pagesOf(metadata, task, output);
  const size = fitted(sizeOf(metadata), output);
  const format = formatOf(metadata, pages > 1 ? { ...output, as: undefined as never } : output);
  const limitInputPixels = task.maxPixels * pages;
  const ignoreIcc = metadata.icc !== undefined && isSrgb(metadata.icc);
  const image = sharp(task.path, { pages, limitInputPixels, ignoreIcc, failOn: "error" })
    .autoOrient()
    .resize({ ...size, fit: output.cover ? "cover" : "fill" });
  const path = `${output.path}.${format}`;
  await encoded(image, format, size).toFile(path);
  return { path, ending: format, ...size };
};

const HASHED = 32;

const pixelsOf = async (path: string, side: number) => {
  const { data, info } = await sharp(path)
    .resize({ width: side, height: side, fit: "fill" })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: new Uint8ClampedArray(data), width: info.width, height: info.height };
};

const blurhashOf = async (path: string): Promise<string> => {
  const { data, width, height } = await pixelsOf(path, HASHED);
  return encode(data, width, height, 4, 4);
};

/** Longest side in pixels, as in JPEG. Lines of millions of pixels take a decoder minutes, however few there are. */
const MAX_SIDE = 65_500;

const readHead = async (task: PictureTask): Promise<Metadata> => {
  const metadata = await sharp(task.path, { limitInputPixels: false }).metadata();
  const { width, height } = sizeOf(metadata);
  if (width * height > task.maxPixels) {
    const most = Math.floor(task.maxPixels / 1_000_000);
    throw new Fault(`The picture has ${width}×${height} pixels, more than ${most} megapixels`);
  }
  if (Math.max(width, height) > MAX_SIDE) {
    throw new Fault(`The picture has a side of more than ${MAX_SIDE} pixels`);
  }
  return metadata;
};

let isSpent = false;

/**
 * Changes the brand of an AVIF sequence to that of a picture: sharp's libheif cannot read sequences, but then reads the
 * first picture, which each of them has.
 */
const asPicture = async (task: PictureTask): Promise<PictureTask> => {
  const file = await open(task.path);
  try {
    const { buffer } = await file.read(Buffer.alloc(12), 0, 12, 0);
    if (buffer.toString("latin1", 4) !== "ftypavis") return task;
  } finally {
    await file.close();
  }
  const path = `${task.outputs[0]!.path}-first.avif`;
  const bytes = await readFile(task.path);
  bytes.write("avif", 8, "latin1");
  await writeFile(path, bytes);
  return { ...task, path };
};

/** Prepares the picture for sharp; its original format decides the output. */
const readable = async (original: PictureTask) => {
  const task = await asPicture(original);
  const metadata = await readHead(task);
  if (!isHevc(metadata)) return { task, metadata };
  isSpent = true;
  const path = `${task.outputs[0]!.path}-decoded.png`;
  await heicAsPng(task.path, metadata, path);
  return { task: { ...task, path }, metadata };
};

/** Whether an output can be made from the output before, which has the same content and less to decode. */
const isMadeOf = ({ pixels, cover, still }: PictureOutput, before: PictureOutput): boolean =>
  cover && before.cover
    ? still === before.still && cover.width < before.cover.width
    : pixels !== undefined && before.pixels !== undefined;

const work = async (original: PictureTask): Promise<PictureResult> => {
  const { task, metadata } = await readable(original);
  const files: PictureFile[] = [];
  for (const output of task.outputs) {
    const before = files.at(-1);
    const isSmaller = before && isMadeOf(output, task.outputs[files.length - 1]!);
    const source = isSmaller ? { ...task, path: before.path } : task;
    const head = isSmaller ? await sharp(before.path).metadata() : metadata;
    files.push(await make(source, head, output));
  }
  const last = files.at(-1)!.path;
  return {
    ...sizeOf(metadata),
    moves: (metadata.pages ?? 1) > 1 && PAGES.includes(metadata.format),
    files,
    blurhash: task.blurhash ? await blurhashOf(last) : null,
    colours: task.colours ? coloursOf((await pixelsOf(last, HASHED)).data) : null,
  };
};

process.on("message", async ({ id, task }: { id: number; task: PictureTask }) => {
  try {
    const result = await work(task);
    process.send?.({ id, result, isSpent });
  } catch (error) {
    const fault = error instanceof Fault ? error.message : DAMAGED;
    process.send?.({ id, fault, isSpent });
  }
});
process.on("disconnect", () => process.exit());
process.send?.({ ready: true });

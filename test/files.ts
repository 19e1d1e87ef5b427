// Makes pictures, videos and recordings for tests, by sharp and ffmpeg, and archives of files.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { createVideo } from "../src/platform/video/index.ts";

/** Value for tests' `skip`; with NEED_FFMPEG tests fail without ffmpeg. */
export const WITHOUT_FFMPEG =
  process.env["NEED_FFMPEG"] === undefined && createVideo("ffmpeg") === null
    ? "there is no ffmpeg: apt-get install ffmpeg"
    : false;

type Format = "jpeg" | "png" | "webp" | "avif" | "gif";

/** Makes a picture whose left half is red and right half blue. */
const halves = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#ff0000" } })
    .composite([
      {
        input: {
          create: {
            width: Math.ceil(width / 2),
            height,
            channels: 3 as const,
            background: "#0000ff",
          },
        },
        left: Math.floor(width / 2),
        top: 0,
      },
    ])
    .removeAlpha();

export const picture = (format: Format, width = 64, height = 48): Promise<Buffer> =>
  halves(width, height)
    .toFormat(format, format === "avif" ? { effort: 0 } : {})
    .toBuffer();

/**
 * Returns a HEIC like those of phones: four tiles (red, green, blue, yellow), cropped, rotated, in the colours of
 * Display P3. 100×120.
 */
export const heic = (): Buffer =>
  Buffer.from(
    [
      "AAAAGGZ0eXBoZWljAAAAAG1pZjFoZWljAAAEEW1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAA",
      "DnBpdG0AAAAAAAEAAABgaWxvYwEAAABEAAAFAAEAAQAAAAEAAAAAAAAACAACAAAAAAABAAAEMQAAAB4AAwAAAAAAAQAABE8A",
      "AAAdAAQAAAAAAAEAAARsAAAAHQAFAAAAAAABAAAEiQAAAB0AAAB3aWluZgAAAAAABQAAABVpbmZlAgAAAAABAABncmlkAAAA",
      "ABVpbmZlAgAAAQACAABodmMxAAAAABVpbmZlAgAAAQADAABodmMxAAAAABVpbmZlAgAAAQAEAABodmMxAAAAABVpbmZlAgAA",
      "AQAFAABodmMxAAAAACBpcmVmAAAAAAAAABRkaW1nAAEABAACAAMABAAFAAACz2lwcnAAAAKdaXBjbwAAAHhodmNDAQNwAAAA",
      "AAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoCCB",
      "BZbqSSmubgQEDAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQAAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAeAAA",
      "AGQAAAAJaXJvdAEAAAHsY29scnByb2YAAAHgbGNtcwQgAABtbnRyUkdCIFhZWiAH4gADABQACQAOAB1hY3NwTVNGVAAAAABz",
      "YXdzY3RybAAAAAAAAAAAAAAAAAAA9tYAAQAAAADTLWhhbmSC4qhyi4o/9yU+uZLuJNauAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
      "AAAAAAAAAAAAAApkZXNjAAAA/AAAACRjcHJ0AAABIAAAACJ3dHB0AAABRAAAABRjaGFkAAABWAAAACxyWFlaAAABhAAAABRn",
      "WFlaAAABmAAAABRiWFlaAAABrAAAABRyVFJDAAABwAAAACBnVFJDAAABwAAAACBiVFJDAAABwAAAACBtbHVjAAAAAAAAAAEA",
      "AAAMZW5VUwAAAAgAAAAcAHMAUAAzAENtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAYAAAAcAEMAQwAwAABYWVogAAAAAAAA9tYA",
      "AQAAAADTLXNmMzIAAAAAAAEMQgAABd7///MlAAAHkwAA/ZD///uh///+TgAAA5oAAMAUWFlaIAAAAAAAAIPfAAA9vwAAAABY",
      "WVogAAAAAAAASr8AALE3AAAKtVhZWiAAAAAAAAAoOAAAEQoAAMh4cGFyYQAAAAAAAwAAAAJmaQAA8qcAAA1ZAAAT0AAAClsA",
      "AAAqaXBtYQAAAAAAAAAFAAEDA4QFAAICgQIAAwKBAgAEAoECAAUCgQIAAAAQaWRhdAAAAQEAeABkAAAAfW1kYXQAAAAaKAGv",
      "CeAhOXVf//sJ///6q7yH57rx0HMPX4AAAAAZKAGvCeAhOXVfX/Mb///TB3//lAbnQcw9fgAAABkoAa8J4CE5dV///Ut/vf4y",
      "Ef/120dBzD1+AAAAGSgBrwngITl1X1/9S3///jIRyHXbR0HMPX4=",
    ].join(""),
    "base64",
  );

/** Makes a picture of one colour, which is fast for large ones. */
export const plainPicture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: "#00ff00" } })
    .jpeg()
    .toBuffer();

/** Makes a picture with a place, a name and an orientation that rotates it: 48 wide and 64 high as it is shown. */
export const picturedPlace = (): Promise<Buffer> =>
  halves(64, 48)
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Artist: "Secret Name" },
      IFD3: { GPSLatitude: "51/1 30/1 0/1", GPSLatitudeRef: "N" },
    })
    .toBuffer();

export const movingGif = async (frames = 5): Promise<Buffer> => {
  const colours = Array.from({ length: frames }, (_, n) => ({ r: 50 * n, g: 0, b: 99 }));
  const single = (background: object) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer();
  const pictures = await Promise.all(colours.map(single));
  return sharp(pictures, { join: { animated: true } })
    .gif({ delay: 100 })
    .toBuffer();
};

/** Makes a GIF that repeats one pixel on a canvas of this side; `delays` are hundredths of a second. */
export const longGif = (side: number, frames: number, delays: number[] = []): Buffer => {
  const head = Buffer.from("GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff", "latin1");
  head.writeUInt16LE(side, 6);
  head.writeUInt16LE(side, 8);
  const all = Array.from({ length: frames }, (_, n) => {
    const frame = Buffer.from("21f904040a0000002c0000000001000100000202440100", "hex");
    frame.writeUInt16LE(delays[n] ?? 10, 4);
    return frame;
  });
  return Buffer.concat([head, ...all, Buffer.from(";")]);
};

const filmed = new Map<string, Buffer>();

/** Returns what ffmpeg makes of these options, as a file with this extension, which is made once. */
export const byFfmpeg = (ending: string, options: string[]): Buffer => {
  const name = [ending, ...options].join(" ");
  const file = filmed.get(name) ?? runFfmpeg(ending, options);
  filmed.set(name, file);
  return Buffer.from(file);
};

const runFfmpeg = (ending: string, options: string[]): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-ffmpeg-"));
  const path = join(folder, `made.${ending}`);
  try {
    execFileSync("ffmpeg", ["-v", "error", ...options, path]);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const VIDEO = ["-f", "lavfi", "-i", "testsrc=duration=1:size=160x120:rate=10"];
const SOUND = ["-f", "lavfi", "-i", "sine=frequency=440:duration=1"];

export const silentVideo = (): Buffer => byFfmpeg("mp4", [...VIDEO, "-pix_fmt", "yuv420p"]);

export const webm = (): Buffer =>
  byFfmpeg("webm", [...VIDEO, ...SOUND, "-c:v", "libvpx", "-c:a", "libvorbis", "-shortest"]);

export const recording = (): Buffer => byFfmpeg("ogg", SOUND);

export const formOf = (
  file: Buffer | null,
  more: Record<string, string | Buffer> = {},
  name = "file.bin",
): FormData => {
  const form = new FormData();
  if (file) form.set("file", new Blob([new Uint8Array(file)]), name);
  for (const [key, value] of Object.entries(more)) {
    if (typeof value === "string") form.set(key, value);
    else form.set(key, new Blob([new Uint8Array(value)]), key);
  }
  return form;
};

/** Makes a zip with one uncompressed file. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
export const storedZip = (name: string, bytes: Buffer): Buffer => {
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt32LE(crc32(bytes), 10);
  facts.writeUInt32LE(bytes.length, 14);
  facts.writeUInt32LE(bytes.length, 18);
  facts.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), facts, Buffer.from(name), bytes]);
  const central = Buffer.concat([
    Buffer.from("PK\x01\x02"),
    Buffer.from([20, 0]),
    facts,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
};

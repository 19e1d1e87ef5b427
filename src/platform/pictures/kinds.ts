// Recognizes a file's type by its first bytes; its name and claimed type do not count.

import { open } from "node:fs/promises";

/** A `gif` may move, so it is a picture or a video; a container of `video` may hold only sound. */
export type FileKind = {
  group: "picture" | "gif" | "video" | "audio";
  /** Media type. */
  type: string;
  /** The only demuxer that ffmpeg may use for the file. */
  demuxer: string | null;
};

export const HEAD_BYTES = 64;

const kind = (group: FileKind["group"], type: string, demuxer: string | null = null): FileKind => ({
  group,
  type,
  demuxer,
});

const text = (head: Buffer, start: number, end: number): string =>
  head.toString("latin1", start, end);

/** Recognizes files of the ISO base media format by their brand. */
const isoKind = (head: Buffer): FileKind | null => {
  const brand = text(head, 8, 12);
  if (brand === "avif" || brand === "avis") return kind("picture", "image/avif");
  if (/^(?:hei[csx]|hev[cx]|heim|mif1|msf1)$/.test(brand)) {
    // The brands that mif1 is compatible with follow it.
    return /avif/.test(text(head, 16, 48))
      ? kind("picture", "image/avif")
      : kind("picture", "image/heic");
  }
  if (brand.startsWith("qt")) return kind("video", "video/quicktime", "mov");
  if (/^M4[ABP]/.test(brand)) return kind("audio", "audio/mp4", "mov");
  return kind("video", "video/mp4", "mov");
};

const riffKind = (head: Buffer): FileKind | null => {
  if (text(head, 8, 12) === "WEBP") return kind("picture", "image/webp");
  return text(head, 8, 12) === "WAVE" ? kind("audio", "audio/wav", "wav") : null;
};

/** Recognizes MPEG audio without a tag by a frame header with an existing layer, bit rate and sample rate. */
const mpegKind = (head: Buffer): FileKind | null => {
  const [a = 0, b = 0, c = 0] = head;
  if (a !== 0xff || (b & 0xe0) !== 0xe0) return null;
  if ((b & 0xf6) === 0xf0) return kind("audio", "audio/aac", "aac");
  const isFrame = (b & 0x18) !== 0x08 && (b & 0x06) !== 0 && c >> 4 !== 15 && ((c >> 2) & 3) !== 3;
  return isFrame ? kind("audio", "audio/mpeg", "mp3") : null;
};

const hex = (head: Buffer, bytes: number): string => head.toString("hex", 0, bytes);

/** Returns the kind of a file, or null for one that is not accepted. */
export const kindOfBytes = (head: Buffer): FileKind | null => {
  if (head.length < 12) return null;
  if (hex(head, 3) === "ffd8ff") return kind("picture", "image/jpeg");
  if (hex(head, 8) === "89504e470d0a1a0a") return kind("picture", "image/png");
  if (/^GIF8[79]a/.test(text(head, 0, 6))) return kind("gif", "image/gif", "gif");
  if (text(head, 0, 4) === "RIFF") return riffKind(head);
  if (text(head, 4, 8) === "ftyp") return isoKind(head);
  if (hex(head, 4) === "1a45dfa3") return kind("video", "video/webm", "matroska");
  if (text(head, 0, 4) === "OggS") return kind("video", "video/ogg", "ogg");
  if (text(head, 0, 4) === "fLaC") return kind("audio", "audio/flac", "flac");
  if (text(head, 0, 3) === "ID3") return kind("audio", "audio/mpeg", "mp3");
  if (hex(head, 8) === "3026b2758e66cf11") return kind("video", "video/x-ms-asf", "asf");
  return mpegKind(head);
};

export const kindOfFile = async (path: string): Promise<FileKind | null> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return kindOfBytes(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
};

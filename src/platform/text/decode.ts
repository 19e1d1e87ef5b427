// Decodes text files that people send: nearly all are UTF-8, some spreadsheets write UTF-16, and older files have the
// letters of Western Europe.

import { byteOrderMark, looksLikeUtf8 } from "./charset.ts";

/** Bytes examined: where most have a zero on the same side, the text is UTF-16. */
const LOOKED_AT = 4096;

const utf16Of = (bytes: Buffer): "utf-16le" | "utf-16be" | null => {
  const head = bytes.subarray(0, LOOKED_AT);
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) * 4 < head.length || Math.min(even, odd) > 0) return null;
  return odd > even ? "utf-16le" : "utf-16be";
};

/** Decodes a file and drops its byte order mark. */
export const decodeText = (bytes: Buffer): string => {
  const label = byteOrderMark(bytes) ?? utf16Of(bytes);
  return new TextDecoder(label ?? (looksLikeUtf8(bytes) ? "utf-8" : "windows-1252")).decode(bytes);
};

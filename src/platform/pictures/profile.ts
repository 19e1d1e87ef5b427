// Colour profiles, which pictures bring along. https://www.color.org/specification/ICC.1-2022-05.pdf

const TABLE = 128;
const ENTRY = 12;
const MAX_TAGS = 100;

/** Where the tag begins and how long it is; null: there is none. */
const tagOf = (icc: Buffer, name: string): Buffer | null => {
  const count = Math.min(icc.readUInt32BE(TABLE), MAX_TAGS);
  for (let n = 0; n < count; n++) {
    const at = TABLE + 4 + n * ENTRY;
    if (at + ENTRY > icc.length) return null;
    if (icc.toString("latin1", at, at + 4) !== name) continue;
    const start = icc.readUInt32BE(at + 4);
    return icc.subarray(start, start + icc.readUInt32BE(at + 8));
  }
  return null;
};

/** Of version 2 the text is ASCII, of version 4 UTF-16 after a head of 28 bytes for one language. */
const textOfTag = (tag: Buffer): string =>
  tag.toString("latin1", 0, 4) === "mluc"
    ? tag.toString("latin1", 28, 28 + 64).replaceAll("\0", "")
    : tag.toString("latin1", 12, 12 + 32);

/**
 * It says that it is sRGB, which pictures without a profile are taken for: converting each of 12 million pixels to what
 * it is already takes as long as all the rest. One that lies changes the colours of its own picture.
 */
export const isSrgb = (icc: Buffer): boolean => {
  if (icc.length < TABLE + 4) return false;
  const description = tagOf(icc, "desc");
  return description !== null && /^sRGB\b/.test(textOfTag(description));
};

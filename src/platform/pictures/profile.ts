// Reads the colour profiles embedded in pictures. https://www.color.org/specification/ICC.1-2022-05.pdf

const TABLE = 128;
const ENTRY = 12;
const MAX_TAGS = 100;

/** Returns the bytes of a tag, or null if the profile has none. */
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

/** Reads a tag's text: ASCII in version 2, in version 4 UTF-16 after a header of 28 bytes for one language. */
const textOfTag = (tag: Buffer): string =>
  tag.toString("latin1", 0, 4) === "mluc"
    ? tag.toString("latin1", 28, 28 + 64).replaceAll("\0", "")
    : tag.toString("latin1", 12, 12 + 32);

/**
 * Whether a profile names itself sRGB, which pictures without a profile are taken for: converting 12 million pixels to
 * what they already are takes as long as all the rest. A profile that lies only changes the colours of its own picture.
 */
export const isSrgb = (icc: Buffer): boolean => {
  if (icc.length < TABLE + 4) return false;
  const description = tagOf(icc, "desc");
  return description !== null && /^sRGB\b/.test(textOfTag(description));
};

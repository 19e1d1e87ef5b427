// Estimates how many bytes a value takes in memory, for the bounds of caches.

const WIDE = /[\u0100-\uffff]/;

/** Bytes of a compiled regular expression for each of its characters. */
const COMPILED = 20;

const ofString = (text: string): number => 24 + (WIDE.test(text) ? 2 * text.length : text.length);

const ofObject = (value: object): number => {
  if (ArrayBuffer.isView(value)) return 100 + value.byteLength;
  if (value instanceof Date) return 56;
  if (value instanceof RegExp) return 200 + COMPILED * value.source.length;
  let bytes = 40;
  if (value instanceof Map) {
    for (const [key, item] of value) bytes += 24 + sizeOf(key) + sizeOf(item);
  } else if (value instanceof Set) {
    for (const item of value) bytes += 16 + sizeOf(item);
  } else if (Array.isArray(value)) {
    for (const item of value) bytes += sizeOf(item);
  } else {
    for (const name in value) bytes += sizeOf((value as Record<string, unknown>)[name]);
  }
  return bytes;
};

/** Including everything that it refers to, which must not be circular. */
export const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return 8 + ofString(value);
  if (typeof value === "bigint") return 32;
  if (typeof value === "object" && value !== null) return 8 + ofObject(value);
  return 8;
};

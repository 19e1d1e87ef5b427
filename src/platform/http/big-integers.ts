// Ids that clients send as JSON numbers (Mastodon.py does): 64 bits are more than a double holds.

/** Far fewer bodies have such a number, or a text that looks like one, than have none. */
const MAYBE_BIG = /[[:,]\s*-?\d{16}/;

type Source = { source?: string };

const exact = (_key: string, value: unknown, { source = "" }: Source): unknown =>
  typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    ? source
    : value;

/** The JSON with such integers as texts; what cannot be parsed is returned unchanged. */
export const quoteBigIntegers = (text: string): string => {
  if (!MAYBE_BIG.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text, exact as (key: string, value: unknown) => unknown));
  } catch {
    return text;
  }
};

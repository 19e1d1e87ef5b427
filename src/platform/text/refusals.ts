// Translates refusals. They are thrown in English, because programs compare what the API says, often the very words of
// Mastodon; the catalogue has each of them under a key (texts/LANGUAGE/refusals.json), by which people read them.
// `thrown.json` has the words that are thrown where English people read others. A test of texts/ finds every refusal in
// the sources, and fails where one has no text.

import refusals from "../../../texts/en/refusals.json" with { type: "json" };
import thrown from "./thrown.json" with { type: "json" };
import { says } from "./texts.ts";
import type { Key, Said } from "./texts.ts";

const PREFIX = /^Validation failed: /;
const PLACE = /\\\{(\w+)\\\}/g;

const exact = new Map<string, Key>();
const patterns: [pattern: RegExp, key: Key][] = [];

for (const [key, text] of Object.entries({ ...refusals, ...thrown }) as [Key, string][]) {
  const source = RegExp.escape(text).replaceAll(PLACE, "(?<$1>.+)");
  if (text.includes("{")) patterns.push([new RegExp(`^${source}$`, "s"), key]);
  else exact.set(text, key);
}

/**
 * UTF-16 units of a message that is looked up; one that quotes people's input is short, and a longer one comes from a
 * program.
 */
const MAX_LENGTH = 2000;

/** Returns the refusal as a key and values for any language; null if it is meant for programs alone. */
export const saidOf = (message: string): Said | null => {
  const text = message.replace(PREFIX, "");
  const exactKey = exact.get(text);
  if (exactKey || text.length > MAX_LENGTH) return exactKey ? says(exactKey) : null;
  for (const [pattern, key] of patterns) {
    const match = pattern.exec(text);
    if (match) return says(key, { ...match.groups });
  }
  return null;
};

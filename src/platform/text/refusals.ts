// Translates refusals. They are thrown in English, because programs compare what the API says, often the very words of
// Mastodon; the catalogue has each of them under a key (texts/LANGUAGE/refusals.json), by which people read them.
// `thrown.json` has the words that are thrown where English people read others. A test of texts/ finds every refusal in
// the sources, and fails where one has no text.

import refusals from "../../../texts/en/refusals.json" with { type: "json" };
import thrown from "./thrown.json" with { type: "json" };
import { textsOf } from "../../../texts/catalogue.ts";
import type { Message } from "../../../texts/translate.ts";
import { says } from "./texts.ts";
import type { Key, Said, Values } from "./texts.ts";

const PREFIX = /^Validation failed: /;
const PLACE = /\\\{(\w+)\\\}/g;

/**
 * UTF-16 units of a message that is looked up; one that quotes people's input is short, and a longer one comes from a
 * program.
 */
const MAX_LENGTH = 2000;

/** Makes the count a number, which decides about the plural form, and is written as the reader's language does. */
const withNumber = (values: Record<string, string>): Values => {
  const count = Number(values["count"]);
  return Number.isNaN(count) ? { ...values } : { ...values, count };
};

/** Finds the key and the values of an English text; null for one that is none of these messages. */
export const finderOf = (messages: Record<string, Message>): ((text: string) => Said | null) => {
  const exact = new Map<string, Key>();
  const patterns: [pattern: RegExp, key: Key][] = [];
  for (const [key, message] of Object.entries(messages) as [Key, Message][]) {
    const text = textsOf(message).at(-1)!;
    const source = RegExp.escape(text).replaceAll(PLACE, "(?<$1>.+)");
    if (text.includes("{")) patterns.push([new RegExp(`^${source}$`, "s"), key]);
    else exact.set(text, key);
  }
  return (text) => {
    const exactKey = exact.get(text);
    if (exactKey || text.length > MAX_LENGTH) return exactKey ? says(exactKey) : null;
    for (const [pattern, key] of patterns) {
      const values = pattern.exec(text)?.groups;
      if (values) return says(key, withNumber(values));
    }
    return null;
  };
};

const NULL_BYTE = { "invalid.null_byte": "{field} contains a null byte" };
const find = finderOf({ ...refusals, ...thrown, ...NULL_BYTE });

/** Returns the refusal as a key and values for any language; null if it is meant for programs alone. */
export const saidOf = (message: string): Said | null => find(message.replace(PREFIX, ""));

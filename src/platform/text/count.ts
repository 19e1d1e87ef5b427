// Counts the characters of a status as clients do: grapheme clusters (an emoji family is one), every link
// as 23 characters, mentions without their host, the content warning together with the text.
// https://docs.joinmastodon.org/user/posting/#text
import { extractEntities } from "./extract.ts";

/** Characters that every link counts as (`characters_reserved_per_url` in the API). */
export const CHARACTERS_PER_URL = 23;

let segmenter: Intl.Segmenter | null = null;

/** Divides texts into characters. It is made at its first use, since that takes longer than loading most modules. */
export const graphemes = (): Intl.Segmenter =>
  (segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" }));

/** Returns the number of grapheme clusters of a text (UAX #29, extended). */
export const countGraphemes = (text: string): number => {
  // In ASCII \r\n is the only cluster of two characters.
  if (/^[\0-\x7f]*$/.test(text)) return text.length - (text.match(/\r\n/g)?.length ?? 0);
  let count = 0;
  for (const _ of graphemes().segment(text)) count++;
  return count;
};

const PLACEHOLDER = "x".repeat(CHARACTERS_PER_URL);

/** Returns the text as it is counted: links replaced by 23 characters, mentions without their hosts. */
const countable = (text: string): string => {
  let out = "";
  let at = 0;
  for (const entity of extractEntities(text)) {
    if (entity.type === "hashtag") continue;
    out += text.slice(at, entity.start);
    out += entity.type === "url" ? PLACEHOLDER : `@${entity.username}`;
    at = entity.end;
  }
  return out + text.slice(at);
};

/** Returns the length of a status, for the limit `max_characters`. */
export const countCharacters = (text: string, spoilerText = ""): number =>
  countGraphemes(spoilerText) + countGraphemes(countable(text));

const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether nothing of a text can be seen: it has spaces, controls and characters of no width at most. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);

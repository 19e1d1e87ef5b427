// Shortens a post to a line: for titles, previews, and the name that screen readers announce.

import type { Status } from "../api/entities.ts";
import { plainText } from "./parse-html.ts";
import { withoutEmojis } from "./rich-text.tsx";

/** Returns at most `length` characters of a text, with "…" at the end if it continues. */
export const beginningOf = (text: string, length: number): string => {
  // A code point has at most two UTF-16 units, so the rest of a long text is not read.
  const letters = Array.from(text.slice(0, 2 * length + 2));
  if (letters.length <= length) return text;
  const kept = letters.slice(0, length - 1).join("");
  return `${kept.replace(/\s+\S{0,15}$/, "")}…`;
};

const shorten = (text: string, length: number): string =>
  beginningOf(text.replaceAll(/\s+/g, " ").trim(), length);

/** Returns the content warning, if there is one, instead of the text. */
export const summaryOf = (
  { spoiler_text: warning, content, emojis }: Pick<Status, "spoiler_text" | "content" | "emojis">,
  length: number,
): string => shorten(withoutEmojis(warning || plainText(content ?? ""), emojis), length);

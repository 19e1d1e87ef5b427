// A post in a line: for titles, previews, and what is heard of it before it is read.

import type { Status } from "../api/entities.ts";
import { plainText } from "./parse-html.ts";
import { withoutEmojis } from "./rich-text.tsx";

/** At most so many letters of a text, which ends with "…" where it goes on. */
export const beginningOf = (text: string, length: number): string => {
  // No letter takes more than two UTF-16 units: the rest of a long text is not looked at.
  const letters = Array.from(text.slice(0, 2 * length + 2));
  if (letters.length <= length) return text;
  const kept = letters.slice(0, length - 1).join("");
  return `${kept.replace(/\s+\S{0,15}$/, "")}…`;
};

const shorten = (text: string, length: number): string =>
  beginningOf(text.replaceAll(/\s+/g, " ").trim(), length);

/** A warning stands for what it warns of. */
export const summaryOf = (
  { spoiler_text: warning, content, emojis }: Pick<Status, "spoiler_text" | "content" | "emojis">,
  length: number,
): string => shorten(withoutEmojis(warning || plainText(content ?? ""), emojis), length);

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

type Summed = Pick<
  Status,
  "spoiler_text" | "content" | "emojis" | "sensitive" | "media_attachments"
>;

/** Returns what the first described attachment shows, where that is not covered. */
const shownIn = ({ sensitive, media_attachments: media }: Summed): string =>
  (!sensitive && media.find(({ description }) => description)?.description) || "";

/** Returns the content warning, or else the text, or else what an attachment shows. */
export const summaryOf = (status: Summed, length: number): string => {
  const { spoiler_text: warning, content, emojis } = status;
  const text = withoutEmojis(warning || plainText(content ?? ""), emojis);
  return shorten(text.trim() || shownIn(status), length);
};

// A post in a line: for titles, previews, and what is heard of it before it is read.

import type { Status } from "../api/entities.ts";
import { plainText } from "./parse-html.ts";
import { withoutEmojis } from "./rich-text.tsx";

const shorten = (text: string, length: number): string => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return [...line].length <= length
    ? line
    : `${[...line]
        .slice(0, length - 1)
        .join("")
        .replace(/\s+\S{0,15}$/, "")}…`;
};

/** A warning stands for what it warns of. */
export const summaryOf = (
  { spoiler_text: warning, content, emojis }: Pick<Status, "spoiler_text" | "content" | "emojis">,
  length: number,
): string => shorten(withoutEmojis(warning || plainText(content ?? ""), emojis), length);

// Cuts texts to a number of bytes: between characters, and HTML so that it stays valid.

import { graphemes } from "./count.ts";
import { sanitiseHtml } from "./sanitise.ts";
import { tokenise } from "./tidy.ts";

/** UTF-16 units above which a character is split, since letters may have any number of marks. */
const MAX_CHARACTER = 64;

export const bytesOf = (text: string): number => Buffer.byteLength(text);

/** Returns at most `max` characters, with an ellipsis at the end if the text is cut. */
export const shorten = (text: string, max: number): string => {
  // A code point has at most two units, so the rest of a long text is not read.
  const characters = Array.from(text.slice(0, 2 * max + 2));
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join("")}…`;
};

/** Returns how many UTF-16 units have at most `max` bytes, without splitting a code point. */
const unitsWithin = (text: string, max: number): number => {
  const bytes = Buffer.from(text.slice(0, max + 1));
  let end = Math.min(max, bytes.length);
  while (end > 0 && end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end).length;
};

/** Returns the start of the character that contains a position. */
const startOfCharacter = (text: string, at: number): number => {
  const from = Math.max(0, at - MAX_CHARACTER);
  const part = text.slice(from, at + MAX_CHARACTER);
  const start =
    graphemes()
      .segment(part)
      .containing(at - from)?.index ?? at - from;
  return start === 0 && from > 0 ? at : from + start;
};

/** Returns the text, or as many of its first characters as have at most `max` bytes of UTF-8. */
export const cutBytes = (text: string, max: number): string => {
  // Three bytes is the most that a UTF-16 unit takes.
  if (text.length * 3 <= max || bytesOf(text) <= max) return text;
  const end = startOfCharacter(text, unitsWithin(text, max));
  // This copies the text, because a slice would keep all of it in memory.
  return Buffer.from(text.slice(0, end)).toString("utf8");
};

/** Cuts escaped text like cutBytes, without splitting an escape. */
const cutEscaped = (text: string, max: number): string =>
  cutBytes(text, max).replace(/&[a-z]{0,4}$/, "");

const endTag = (tag: string): string => `</${tag}>`;

/**
 * Cuts sanitised HTML to at most `max` bytes. Elements open at the cut are closed; a link is left out, since the first
 * part of its text could name another host than the whole.
 */
export const cutHtml = (html: string, max: number): string => {
  if (html.length * 3 <= max || bytesOf(html) <= max) return html;
  const kept: string[] = [];
  const open: string[] = [];
  /** Bytes of what is kept, including the end tags of open elements. */
  let bytes = 0;
  let link: { kept: number; open: number } | null = null;
  for (const { tag, closes, text } of tokenise(html)) {
    if (closes) {
      // The end tag was counted when the element was opened.
      open.pop();
      if (tag === "a") link = null;
      kept.push(text);
      continue;
    }
    const end = tag === null || tag === "br" ? "" : endTag(tag);
    const size = bytesOf(text) + end.length;
    if (bytes + size > max) {
      if (tag === null && !link) kept.push(cutEscaped(text, max - bytes));
      break;
    }
    if (tag === "a") link = { kept: kept.length, open: open.length };
    bytes += size;
    kept.push(text);
    if (end !== "") open.push(tag!);
  }
  if (link) {
    kept.length = link.kept;
    open.length = link.open;
  }
  return Buffer.from(kept.join("") + open.toReversed().map(endTag).join("")).toString("utf8");
};

/** Multiple of the kept bytes that is read at all, because sanitising takes time. */
const READ = 8;

/** Sanitises remote HTML and returns at most `max` bytes of it. */
export const boundedHtml = (html: string, max: number): string =>
  cutHtml(sanitiseHtml(html.slice(0, READ * max)), max);

/** Returns the first items that together take at most `max` bytes. */
export const firstWithin = <T>(items: T[], max: number, sizeOf: (item: T) => number): T[] => {
  let bytes = 0;
  const end = items.findIndex((item) => (bytes += sizeOf(item)) > max);
  return end < 0 ? items : items.slice(0, end);
};

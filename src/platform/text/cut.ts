// Cutting texts to a number of bytes: between characters, and HTML so that it stays valid.

import { sanitiseHtml } from "./sanitise.ts";
import { tokenise } from "./tidy.ts";

/** A character longer than this (in UTF-16 units) is split: letters may have any number of marks. */
const MAX_CHARACTER = 64;

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export const bytesOf = (text: string): number => Buffer.byteLength(text);

/** At most `max` characters, the last of them an ellipsis where it is cut. */
export const shorten = (text: string, max: number): string => {
  // No character takes more than two units: the rest of a long text is not looked at.
  const characters = Array.from(text.slice(0, 2 * max + 2));
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join("")}…`;
};

/** How many UTF-16 units have at most `max` bytes, without splitting a code point. */
const unitsWithin = (text: string, max: number): number => {
  const bytes = Buffer.from(text.slice(0, max + 1));
  let end = Math.min(max, bytes.length);
  while (end > 0 && end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end).length;
};

/** Where the character begins that the position is in. */
const startOfCharacter = (text: string, at: number): number => {
  const from = Math.max(0, at - MAX_CHARACTER);
  const part = text.slice(from, at + MAX_CHARACTER);
  const start = characters.segment(part).containing(at - from)?.index ?? at - from;
  return start === 0 && from > 0 ? at : from + start;
};

/** The text, or as many of its first characters as have at most `max` bytes of UTF-8. */
export const cutBytes = (text: string, max: number): string => {
  // Three bytes is the most that a UTF-16 unit takes.
  if (text.length * 3 <= max || bytesOf(text) <= max) return text;
  const end = startOfCharacter(text, unitsWithin(text, max));
  // A copy: a slice would keep the whole text in memory.
  return Buffer.from(text.slice(0, end)).toString("utf8");
};

/** As cutBytes, for escaped text: no escape is split. */
const cutEscaped = (text: string, max: number): string =>
  cutBytes(text, max).replace(/&[a-z]{0,4}$/, "");

const endTag = (tag: string): string => `</${tag}>`;

/**
 * At most `max` bytes of sanitised HTML. What is open at the cut is closed; a link is left out, since the
 * first part of its text could name another host than the whole.
 */
export const cutHtml = (html: string, max: number): string => {
  if (html.length * 3 <= max || bytesOf(html) <= max) return html;
  const kept: string[] = [];
  const open: string[] = [];
  /** Of what is kept, with the end tags of what is open. */
  let bytes = 0;
  let link: { kept: number; open: number } | null = null;
  for (const { tag, closes, text } of tokenise(html)) {
    if (closes) {
      // Counted when it was opened.
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

/** More than this many times of what is kept is not even read: sanitising takes its time. */
const READ = 8;

/** Remote HTML, sanitised, at most `max` bytes of it. */
export const boundedHtml = (html: string, max: number): string =>
  cutHtml(sanitiseHtml(html.slice(0, READ * max)), max);

/** The first of the items that together take at most `max` bytes. */
export const firstWithin = <T>(items: T[], max: number, sizeOf: (item: T) => number): T[] => {
  let bytes = 0;
  const end = items.findIndex((item) => (bytes += sizeOf(item)) > max);
  return end < 0 ? items : items.slice(0, end);
};

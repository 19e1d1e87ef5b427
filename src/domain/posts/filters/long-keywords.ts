// Finds long keywords: a pattern looks for their first letters, and the rest is compared only where it finds some. A
// pattern of a million letters takes seconds to compile, while comparing texts costs next to nothing. Without I/O.

import { sizeOf } from "../../../platform/caches/bounded.ts";
import { ANY, edgesOf, lettersOf, MAX_ANY, sourceOfAll, WORD } from "./pattern.ts";
import type { Edges } from "./pattern.ts";
import type { KeywordRow } from "./tables.ts";

/**
 * Letters of a keyword in the pattern: few, as each costs when it is compiled, and more than most words have, as
 * what is longer is compared besides. With a wildcard many, as the pattern tries what it may stand for faster.
 */
const HEAD_LETTERS = 12;
const HEAD_LETTERS_WITH_ANY = 32;

const headLength = (text: string): number =>
  text.includes(ANY) ? HEAD_LETTERS_WITH_ANY : HEAD_LETTERS;

export const isLong = (row: KeywordRow): boolean => {
  const text = lettersOf(row);
  return text.length > headLength(text);
};

/** Cuts between letters, never within a surrogate pair. */
const headOf = (text: string): string => {
  const length = headLength(text);
  return Array.from(text.slice(0, 2 * length))
    .slice(0, length)
    .join("");
};

/** A text that is searched; it is folded once, when that is first needed. */
export type Looked = { words: string; folded?: string };

export type Found = { index: number; words: string };

/** The part of a keyword before a wildcard or its end. */
type Part = {
  text: string;
  /** The longest other part that this one begins with. */
  shorter: Part | null;
  /** Boundaries of the keywords that end here. */
  ends: Edges[];
  /** Parts that follow a wildcard. */
  rest: Part[];
};

export type LongKeywords = {
  heads: RegExp;
  parts: Part[];
  /** Bytes of memory that it takes. */
  bytes: number;
};

const WORD_LETTER = new RegExp(WORD, "uy");
const WORD_BEFORE = new RegExp(`(?<=${WORD})`, "uy");

const isAt = (pattern: RegExp, words: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(words);
};

const sameLength = (changed: string, letter: string): string =>
  changed.length === letter.length ? changed : letter;

/** Folds letters as the flags `iu` do: by upper case, since some letters share only that, except for a dotless i. */
const foldLetter = (letter: string): string => {
  if (letter === "\u0131") return letter;
  const upper = sameLength(letter.toUpperCase(), letter);
  return sameLength(upper.toLowerCase(), upper);
};

/**
 * Keeps the length, so that places in the result are places in the text. Folds all at once where no letter becomes
 * several.
 */
const foldCase = (text: string): string => {
  const lower = text.toUpperCase().toLowerCase();
  if (lower.length === text.length && !text.includes("\u0131")) {
    return lower.replaceAll("\u03c2", "\u03c3"); // a sigma at the end of a word
  }
  return text.replaceAll(/[A-Z]|[^\0-\x7f]/gu, foldLetter);
};

const foldedOf = (looked: Looked): string => (looked.folded ??= foldCase(looked.words));

type Entry = { texts: string[]; edges: Edges };

/** Returns the parts in the order of their texts. */
const partsOf = (entries: Entry[]): Part[] => {
  const byText = [...Map.groupBy(entries, ({ texts }) => texts[0]!)];
  const parts = byText.map(([text, same]): Part => {
    const longer = same.filter(({ texts }) => texts.length > 1);
    const ends = same.filter(({ texts }) => texts.length === 1).map(({ edges }) => edges);
    const rest = longer.map(({ texts, edges }) => ({ texts: texts.slice(1), edges }));
    return { text, shorter: null, ends, rest: rest.length > 0 ? partsOf(rest) : [] };
  });
  parts.sort((a, b) => (a.text < b.text ? -1 : 1));
  for (const [n, part] of parts.entries()) {
    let shorter = parts[n - 1] ?? null;
    while (shorter && !part.text.startsWith(shorter.text)) shorter = shorter.shorter;
    part.shorter = shorter;
  }
  return parts;
};

export const makeLongKeywords = (keywords: KeywordRow[]): LongKeywords | null => {
  if (keywords.length === 0) return null;
  const texts = keywords.map(lettersOf);
  const entries = keywords.map((row, n) => ({
    texts: foldCase(texts[n]!).split(ANY),
    edges: edgesOf(row),
  }));
  const pattern = new RegExp(sourceOfAll(texts.map(headOf)), "giu");
  return { heads: pattern, parts: partsOf(entries), bytes: sizeOf([pattern, entries]) };
};

/**
 * Returns the last part that is not after this text: it, or one that it begins with, is the longest that the text
 * begins with.
 */
const lastUpTo = (parts: Part[], text: string): Part | null => {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle]!.text <= text) low = middle + 1;
    else high = middle;
  }
  return parts[low - 1] ?? null;
};

/** Returns where a wildcard that begins here may end, the longest first. */
const endsOfAny = (words: string, at: number): number[] => {
  const ends = [at];
  while (ends.length <= MAX_ANY && isAt(WORD_LETTER, words, ends[0]!)) {
    ends.unshift(WORD_LETTER.lastIndex);
  }
  return ends;
};

/** Returns where a keyword ends that began at `start` and continues at `at` with one of these parts, or null. */
const endOf = (parts: Part[], looked: Looked, start: number, at: number): number | null => {
  const text = foldedOf(looked).slice(at);
  const fits = ({ before, after }: Edges, end: number) =>
    !(before && isAt(WORD_BEFORE, looked.words, start)) &&
    !(after && isAt(WORD_LETTER, looked.words, end));
  for (let part = lastUpTo(parts, text); part; part = part.shorter) {
    if (!text.startsWith(part.text)) continue;
    const end = at + part.text.length;
    if (part.rest.length > 0) {
      for (const next of endsOfAny(looked.words, end)) {
        const last = endOf(part.rest, looked, start, next);
        if (last !== null) return last;
      }
    }
    if (part.ends.some((edges) => fits(edges, end))) return end;
  }
  return null;
};

/** Finds the first long keyword from a place on. */
export const findLong =
  ({ heads, parts }: LongKeywords) =>
  (looked: Looked, from: number): Found | null => {
    const { words } = looked;
    heads.lastIndex = from;
    for (let head = heads.exec(words); head; head = heads.exec(words)) {
      const { index } = head;
      const end = endOf(parts, looked, index, index);
      if (end !== null) return { index, words: words.slice(index, end) };
      heads.lastIndex = index + (words.codePointAt(index)! > 0xffff ? 2 : 1);
    }
    return null;
  };

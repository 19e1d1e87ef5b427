// Makes patterns of keywords: which letters make words, and one regular expression that looks for many texts at once.
// Without I/O.

import type { KeywordRow } from "./tables.ts";

/** Matches letters, marks, digits and connectors of every script (UTS #18, \w). */
export const WORD = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]`;
const STARTS_WITH_WORD = new RegExp(`^${WORD}`, "u");

/** Normalises Unicode, since letters with marks can be typed in several ways. */
export const foldWords = (text: string): string => text.normalize("NFC");

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** Stands for letters of a word, in place of a letter of a keyword; no keyword contains it. */
export const ANY = "\0";
/** Letters that one `*` stands for at most, which bounds its cost. */
export const MAX_ANY = 30;
const ANY_SOURCE = `${WORD}{0,${MAX_ANY}}`;

/**
 * Returns the letters to look for: a `*` between others stands for any letters, and one at an end only means that no
 * word ends there.
 */
export const lettersOf = ({ keyword, wildcards }: KeywordRow): string => {
  const text = foldWords(keyword);
  return wildcards ? text.replaceAll(/^\*+|\*+$/g, "").replaceAll(/\*+/g, ANY) : text;
};

const sourceOf = (letter: string): string => (letter === ANY ? ANY_SOURCE : escape(letter));

type Trie = { next: Map<string, Trie>; ends: boolean };

/** Merges common prefixes: of 2,000 keywords few are tried at each position, not all. */
const trieOf = (texts: string[]): Trie => {
  const root: Trie = { next: new Map(), ends: false };
  for (const text of texts) {
    let at = root;
    for (const written of text) {
      const lower = written.toLowerCase();
      // Where lower case has two characters, the pattern would not match any more.
      const letter = [...lower].length === 1 ? lower : written;
      const next = at.next.get(letter) ?? { next: new Map(), ends: false };
      at.next.set(letter, next);
      at = next;
    }
    at.ends = true;
  }
  return root;
};

/** Tries the longest of keywords with the same prefix first. */
const trieSource = ({ next, ends }: Trie): string => {
  if (next.size === 0) return "";
  const branches = [...next].map(([letter, rest]) => `${sourceOf(letter)}${trieSource(rest)}`);
  if (next.size === 1 && !ends) return branches[0]!;
  return `(?:${branches.join("|")})${ends ? "?" : ""}`;
};

/** Returns the source of a pattern that finds any of these texts. */
export const sourceOfAll = (texts: string[]): string => `(?:${trieSource(trieOf(texts))})`;

export type Edges = { before: boolean; after: boolean };

/**
 * Returns the word boundaries of a whole-word keyword: at an end that is a letter, no letter may follow. A wildcard is
 * no letter.
 */
export const edgesOf = ({ keyword, whole_word: whole }: KeywordRow): Edges => ({
  before: whole && STARTS_WITH_WORD.test(keyword),
  // The last letter is taken by itself: V8 does not find a surrogate pair by a pattern that ends in `$`.
  after: whole && STARTS_WITH_WORD.test(Array.from(keyword).at(-1) ?? ""),
});

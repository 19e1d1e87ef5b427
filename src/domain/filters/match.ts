// A person's filters, compiled to match many statuses at once: pure.

import { sizeOf } from "../../platform/caches/bounded.ts";
import type { FilterMatch, FilterRow, KeywordRow } from "./tables.ts";

type Hit = { filter: FilterRow; words: string };

/** What is matched: a status or the reblogged one, with the ids of both. */
type Searched = {
  /** Identifies the text: the same number is the same text. */
  number: number;
  ids: string[];
  words: () => string;
};

export type FilterSet = {
  filters: FilterRow[];
  /** Every keyword of every filter, or null. */
  any: RegExp | null;
  /** Each filter with keywords, and one pattern for all of them. */
  patterns: { filter: FilterRow; pattern: RegExp }[];
  /** Status id → the filters that name it. */
  byStatus: Map<string, FilterRow[]>;
  /** By the number of the text: its earlier matches. */
  seen: Map<number, Hit[]>;
};

/** Texts of a minute or two. */
const MAX_SEEN = 500;
const SEEN_BYTES = 60 * MAX_SEEN;
/** What a set takes in memory, with what it will have seen. */
export const sizeOfFilters = ({ filters, any, patterns, byStatus }: FilterSet): number =>
  sizeOf([filters, any, patterns.map(({ pattern }) => pattern), [...byStatus.keys()]]) +
  (filters.length > 0 ? SEEN_BYTES : 0);

const NOTHING: Hit[] = [];
export const NO_MATCHES: FilterMatch[] = [];

/** Letters, marks, digits and connectors of every script (UTS #18, \w). */
const WORD = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]`;
const STARTS_WITH_WORD = new RegExp(`^${WORD}`, "u");
const ENDS_WITH_WORD = new RegExp(`${WORD}$`, "u");

/** Unicode normalisation: letters with marks can be typed in several ways. */
export const foldWords = (text: string): string => text.normalize("NFC");

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** Stands for letters of a word, in place of a letter of a keyword; no keyword has it. */
const ANY = "\0";
/** So many at most: what a `*` costs is bounded. */
const ANY_SOURCE = `${WORD}{0,30}`;

/** The letters to look for: a `*` between others is any letters, and one at an end only ends no word. */
const lettersOf = ({ keyword, wildcards }: KeywordRow): string => {
  const text = foldWords(keyword);
  return wildcards ? text.replaceAll(/^\*+|\*+$/g, "").replaceAll(/\*+/g, ANY) : text;
};

const sourceOf = (letter: string): string => (letter === ANY ? ANY_SOURCE : escape(letter));

type Trie = { next: Map<string, Trie>; ends: boolean };

/** Common prefixes are merged: of 2,000 keywords few are tried at each position, not all. */
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

/** Of keywords with the same prefix, the longest is tried first. */
const trieSource = ({ next, ends }: Trie): string => {
  if (next.size === 0) return "";
  const branches = [...next].map(([letter, rest]) => `${sourceOf(letter)}${trieSource(rest)}`);
  if (next.size === 1 && !ends) return branches[0]!;
  return `(?:${branches.join("|")})${ends ? "?" : ""}`;
};

/**
 * The word boundaries of a whole-word keyword: at an end that is a letter, no letter may be beside it. A wildcard there
 * is no letter.
 */
const edgesOf = ({ keyword, whole_word: whole }: KeywordRow): string => {
  const before = whole && STARTS_WITH_WORD.test(keyword) ? `(?<!${WORD})` : "";
  const after = whole && ENDS_WITH_WORD.test(keyword) ? `(?!${WORD})` : "";
  return `${before} ${after}`;
};

/** One pattern for all keywords, with a branch for each kind of boundaries. */
const patternOf = (keywords: KeywordRow[], flags: string): RegExp | null => {
  if (keywords.length === 0) return null;
  const kinds = Map.groupBy(keywords, edgesOf);
  const branches = [...kinds].map(([edges, rows]) => {
    const [before, after] = edges.split(" ");
    const texts = rows.map(lettersOf);
    return `${before}(?:${trieSource(trieOf(texts))})${after}`;
  });
  return new RegExp(branches.join("|"), flags);
};

export const makeFilterSet = (filters: FilterRow[]): FilterSet => {
  const byStatus = new Map<string, FilterRow[]>();
  for (const filter of filters) {
    for (const { status_id: id } of filter.statuses) {
      const others = byStatus.get(id);
      if (others) others.push(filter);
      else byStatus.set(id, [filter]);
    }
  }
  return {
    filters,
    any: patternOf(
      filters.flatMap((filter) => filter.keywords),
      "giu",
    ),
    patterns: filters.flatMap((filter) => {
      const pattern = patternOf(filter.keywords, "iu");
      return pattern ? [{ filter, pattern }] : [];
    }),
    byStatus,
    seen: new Map(),
  };
};

const findIn = (set: FilterSet, words: string): Hit[] =>
  set.patterns.flatMap(({ filter, pattern }) => {
    const match = pattern.exec(words);
    return match ? [{ filter, words: match[0] }] : [];
  });

/** The texts that contain any keyword: one pass over all, joined by a separator that no text contains. */
const textsHit = (any: RegExp, texts: string[]): Set<number> => {
  const ends: number[] = [];
  let length = 0;
  for (const text of texts) ends.push((length += text.length + 1));
  const all = texts.join("\0");
  const hit = new Set<number>();
  let at = 0;
  any.lastIndex = 0;
  for (let match = any.exec(all); match; match = any.exec(all)) {
    while (ends[at]! <= match.index) at += 1;
    hit.add(at);
    any.lastIndex = ends[at]!; // this text is a hit: go on with the next
  }
  return hit;
};

const look = (set: FilterSet, searched: Searched[]): void => {
  if (!set.any) return;
  const fresh = searched.filter(({ number }) => !set.seen.has(number));
  if (fresh.length === 0) return;
  if (set.seen.size > MAX_SEEN) set.seen.clear();
  const texts = fresh.map(({ words }) => words());
  const hit = textsHit(set.any, texts);
  for (const [index, { number }] of fresh.entries()) {
    set.seen.set(number, hit.has(index) ? findIn(set, texts[index]!) : NOTHING);
  }
};

const isInForce = ({ expires_at: end }: FilterRow, now: Date): boolean => end === null || end > now;

/** The matches in the text and by id, filter by filter. */
const combine = (set: FilterSet, hits: Hit[], ids: string[], now: Date): FilterMatch[] => {
  if (hits.length === 0 && set.byStatus.size === 0) return NO_MATCHES;
  const named = ids.filter((id) => set.byStatus.has(id));
  if (hits.length === 0 && named.length === 0) return NO_MATCHES;
  return set.filters.flatMap((filter): FilterMatch[] => {
    const words = hits.find((hit) => hit.filter === filter)?.words ?? null;
    const statusIds = named.filter((id) => set.byStatus.get(id)!.includes(filter));
    if ((words === null && statusIds.length === 0) || !isInForce(filter, now)) return [];
    return [{ filter, words, statusIds: statusIds.length > 0 ? statusIds : null }];
  });
};

/** The matches of each, in order; one pass for all texts not matched before. */
export const matchAll = (set: FilterSet, searched: Searched[], now: Date): FilterMatch[][] => {
  if (set.filters.length === 0) return searched.map(() => NO_MATCHES);
  look(set, searched);
  return searched.map(({ number, ids }) => combine(set, set.seen.get(number) ?? NOTHING, ids, now));
};

/** The same for a single text, without a number. */
export const matchOne = (set: FilterSet, words: string, ids: string[], now: Date): FilterMatch[] =>
  set.filters.length === 0 ? NO_MATCHES : combine(set, findIn(set, words), ids, now);

// A person's filters, made ready to look through many statuses at once: pure.

import { sizeOf } from "../../platform/caches/size.ts";
import type { FilterMatch, FilterRow, KeywordRow } from "./tables.ts";

type Found = { filter: FilterRow; words: string };

/** What is looked through: a status, or the one that is reblogged, with all its ids. */
export type Searched = {
  /** Names the text: the same number is the same text. */
  number: number;
  ids: string[];
  words: () => string;
};

export type FilterSet = {
  filters: FilterRow[];
  /** Every keyword of every filter, or null. */
  any: RegExp | null;
  /** Each filter that has keywords, with the one pattern of them. */
  patterns: { filter: FilterRow; pattern: RegExp }[];
  /** Status id → the filters that name it. */
  byStatus: Map<string, FilterRow[]>;
  /** By the number of the text: what was found in it before. */
  seen: Map<number, Found[]>;
};

/** Texts of a minute or two. */
const MAX_SEEN = 500;
const SEEN_BYTES = 60 * MAX_SEEN;
/** What a set takes in memory, with what it will have seen. */
export const sizeOfFilters = ({ filters, any, patterns, byStatus }: FilterSet): number =>
  sizeOf({ filters, any, patterns, byStatus }) + (filters.length > 0 ? SEEN_BYTES : 0);

const NOTHING: Found[] = [];
export const NO_MATCHES: FilterMatch[] = [];

/** Letters, marks, digits and what joins words, of every script (UTS #18, \w). */
const WORD = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]`;
const STARTS_WITH_WORD = new RegExp(`^${WORD}`, "u");
const ENDS_WITH_WORD = new RegExp(`${WORD}$`, "u");

/** One spelling of letters with marks, however they were typed. */
export const foldWords = (text: string): string => text.normalize("NFC");

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

type Trie = { next: Map<string, Trie>; ends: boolean };

/** Beginnings in common stand once: of 2,000 keywords a few are tried at each place, not all. */
const trieOf = (texts: string[]): Trie => {
  const root: Trie = { next: new Map(), ends: false };
  for (const text of texts) {
    let at = root;
    for (const written of text) {
      const lower = written.toLowerCase();
      // Where a letter becomes two, the pattern would no longer find it.
      const letter = [...lower].length === 1 ? lower : written;
      const next = at.next.get(letter) ?? { next: new Map(), ends: false };
      at.next.set(letter, next);
      at = next;
    }
    at.ends = true;
  }
  return root;
};

/** The longest of those that begin alike is tried first. */
const trieSource = ({ next, ends }: Trie): string => {
  if (next.size === 0) return "";
  const branches = [...next].map(([letter, rest]) => `${escape(letter)}${trieSource(rest)}`);
  if (next.size === 1 && !ends) return branches[0]!;
  return `(?:${branches.join("|")})${ends ? "?" : ""}`;
};

/** Whole words only: where the keyword ends in a letter, none may follow it, and so before it. */
const edgesOf = ({ keyword, whole_word: whole }: KeywordRow): string => {
  const before = whole && STARTS_WITH_WORD.test(keyword) ? `(?<!${WORD})` : "";
  const after = whole && ENDS_WITH_WORD.test(keyword) ? `(?!${WORD})` : "";
  return `${before} ${after}`;
};

/** One pattern of all keywords: one branch for each kind of edges. */
const patternOf = (keywords: KeywordRow[], flags: string): RegExp | null => {
  if (keywords.length === 0) return null;
  const kinds = Map.groupBy(keywords, edgesOf);
  const branches = [...kinds].map(([edges, rows]) => {
    const [before, after] = edges.split(" ");
    const texts = rows.map((row) => foldWords(row.keyword));
    return `${before}(?:${trieSource(trieOf(texts))})${after}`;
  });
  return new RegExp(branches.join("|"), flags);
};

export const makeFilterSet = (filters: FilterRow[]): FilterSet => {
  const byStatus = new Map<string, FilterRow[]>();
  for (const filter of filters) {
    for (const { status_id: id } of filter.statuses) {
      byStatus.set(id, [...(byStatus.get(id) ?? []), filter]);
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

const findIn = (set: FilterSet, words: string): Found[] =>
  set.patterns.flatMap(({ filter, pattern }) => {
    const found = pattern.exec(words);
    return found ? [{ filter, words: found[0] }] : [];
  });

/** The texts in which any keyword stands: one pass over all of them, parted by what no text holds. */
const textsHit = (any: RegExp, texts: string[]): Set<number> => {
  const ends: number[] = [];
  let length = 0;
  for (const text of texts) ends.push((length += text.length + 1));
  const all = texts.join("\0");
  const hit = new Set<number>();
  let at = 0;
  any.lastIndex = 0;
  for (let found = any.exec(all); found; found = any.exec(all)) {
    while (ends[at]! <= found.index) at += 1;
    hit.add(at);
    any.lastIndex = ends[at]!; // the rest of this text changes nothing
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

/** Matches of what was found in the words and of the ids, filter by filter. */
const combine = (set: FilterSet, found: Found[], ids: string[], now: Date): FilterMatch[] => {
  if (found.length === 0 && set.byStatus.size === 0) return NO_MATCHES;
  const named = ids.filter((id) => set.byStatus.has(id));
  if (found.length === 0 && named.length === 0) return NO_MATCHES;
  return set.filters.flatMap((filter): FilterMatch[] => {
    const words = found.find((one) => one.filter === filter)?.words ?? null;
    const statusIds = named.filter((id) => set.byStatus.get(id)!.includes(filter));
    if ((words === null && statusIds.length === 0) || !isInForce(filter, now)) return [];
    return [{ filter, words, statusIds: statusIds.length > 0 ? statusIds : null }];
  });
};

/** The matches of each of them, in their order; one pass for all that were not seen before. */
export const matchAll = (set: FilterSet, searched: Searched[], now: Date): FilterMatch[][] => {
  if (set.filters.length === 0) return searched.map(() => NO_MATCHES);
  look(set, searched);
  return searched.map(({ number, ids }) => combine(set, set.seen.get(number) ?? NOTHING, ids, now));
};

/** The same for one text that has no number. */
export const matchOne = (set: FilterSet, words: string, ids: string[], now: Date): FilterMatch[] =>
  set.filters.length === 0 ? NO_MATCHES : combine(set, findIn(set, words), ids, now);

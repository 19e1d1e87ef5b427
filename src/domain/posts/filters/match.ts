// Matches a person's compiled filters with many statuses at once, without I/O.

import { sizeOf } from "../../../platform/caches/bounded.ts";
import { findLong, isLong, makeLongKeywords } from "./long-keywords.ts";
import type { Found, LongKeywords, Looked } from "./long-keywords.ts";
import { edgesOf, lettersOf, sourceOfAll, WORD } from "./pattern.ts";
import type { FilterMatch, FilterRow, KeywordRow } from "./tables.ts";

type Hit = { filter: FilterRow; words: string };

/** A text to be matched: that of a status or of the reblogged one, with the ids of both. */
type Searched = {
  /** Identifies the text: equal numbers mean equal texts. */
  number: number;
  ids: string[];
  words: () => string;
};

/** Compiled searches for short and for long keywords. */
type Keywords = { short: RegExp | null; long: LongKeywords | null };

export type FilterSet = {
  filters: FilterRow[];
  /** Searches for the keywords of all filters together; null without keywords. */
  any: Keywords | null;
  /** Filters with keywords, each with searches of its own. */
  each: { filter: FilterRow; keywords: Keywords }[];
  /** Maps status ids to the filters that name them. */
  byStatus: Map<string, FilterRow[]>;
  /** Maps numbers of texts to their earlier matches. */
  seen: Map<number, Hit[]>;
};

/** Texts whose matches are remembered, those of a minute or two, and their estimated bytes. */
const MAX_SEEN = 500;
const SEEN_BYTES = 60 * MAX_SEEN;
const sizeOfKeywords = (keywords: Keywords | null): number =>
  sizeOf(keywords?.short) + (keywords?.long?.bytes ?? 0);

/** Returns the bytes that a set takes, with the matches that it will remember. */
export const sizeOfFilters = ({ filters, any, each, byStatus }: FilterSet): number =>
  sizeOf([filters, [...byStatus.keys()]]) +
  sizeOfKeywords(any) +
  each.reduce((bytes, { keywords }) => bytes + sizeOfKeywords(keywords), 0) +
  (filters.length > 0 ? SEEN_BYTES : 0);

const NOTHING: Hit[] = [];
export const NO_MATCHES: FilterMatch[] = [];

/** Compiles short keywords into one pattern, with a branch for each kind of boundaries. */
const patternOf = (keywords: KeywordRow[]): RegExp | null => {
  if (keywords.length === 0) return null;
  const kinds = Map.groupBy(keywords, (row) => {
    const { before, after } = edgesOf(row);
    return `${before ? `(?<!${WORD})` : ""} ${after ? `(?!${WORD})` : ""}`;
  });
  const branches = [...kinds].map(([edges, rows]) =>
    edges.replace(" ", () => sourceOfAll(rows.map(lettersOf))),
  );
  return new RegExp(branches.join("|"), "giu");
};

const keywordsOf = (rows: KeywordRow[]): Keywords | null => {
  if (rows.length === 0) return null;
  const { long = [], short = [] } = Object.groupBy(rows, (row) => (isLong(row) ? "long" : "short"));
  return { short: patternOf(short), long: makeLongKeywords(long) };
};

type Find = (looked: Looked, from: number) => Found | null;

const findShort =
  (pattern: RegExp): Find =>
  ({ words }, from) => {
    pattern.lastIndex = from;
    const match = pattern.exec(words);
    return match && { index: match.index, words: match[0] };
  };

const findersOf = ({ short, long }: Keywords): Find[] => [
  ...(long ? [findLong(long)] : []),
  ...(short ? [findShort(short)] : []),
];

export const makeFilterSet = (filters: FilterRow[]): FilterSet => {
  const byStatus = new Map<string, FilterRow[]>();
  for (const filter of filters) {
    for (const { status_id: id } of filter.statuses) {
      const others = byStatus.get(id);
      if (others) others.push(filter);
      else byStatus.set(id, [filter]);
    }
  }
  const each = filters.flatMap((filter) => {
    const keywords = keywordsOf(filter.keywords);
    return keywords ? [{ filter, keywords }] : [];
  });
  // A single filter is compiled once for both, since compiling is what costs.
  const any = each.length === 1 ? each[0]!.keywords : null;
  return {
    filters,
    any: any ?? keywordsOf(filters.flatMap((filter) => filter.keywords)),
    each,
    byStatus,
    seen: new Map(),
  };
};

/** Returns the first keyword in a text, as written there; of two at the same place, the long one. */
const firstOf = (keywords: Keywords, looked: Looked): string | null => {
  const hits = findersOf(keywords).flatMap((find) => find(looked, 0) ?? []);
  return hits.toSorted((a, b) => a.index - b.index)[0]?.words ?? null;
};

const findIn = (set: FilterSet, words: string): Hit[] => {
  const looked: Looked = { words };
  return set.each.flatMap(({ filter, keywords }) => {
    const first = firstOf(keywords, looked);
    return first === null ? [] : [{ filter, words: first }];
  });
};

/**
 * Returns the texts that contain any keyword: each finder searches all texts at once, joined by a separator that no
 * text contains.
 */
const textsHit = (any: Keywords, texts: string[]): Set<number> => {
  const ends: number[] = [];
  let length = 0;
  for (const text of texts) ends.push((length += text.length + 1));
  const all: Looked = { words: texts.join("\0") };
  const hit = new Set<number>();
  for (const find of findersOf(any)) {
    let at = 0;
    for (let place = find(all, 0); place; place = find(all, ends[at]!)) {
      while (ends[at]! <= place.index) at += 1;
      hit.add(at); // go on with the next text
    }
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

/** Combines the matches in the text and by id, filter by filter. */
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

/** Returns the matches of each, in order; takes one pass for all texts not matched before. */
export const matchAll = (set: FilterSet, searched: Searched[], now: Date): FilterMatch[][] => {
  if (set.filters.length === 0) return searched.map(() => NO_MATCHES);
  look(set, searched);
  return searched.map(({ number, ids }) => combine(set, set.seen.get(number) ?? NOTHING, ids, now));
};

/** Matches a single text without a number. */
export const matchOne = (set: FilterSet, words: string, ids: string[], now: Date): FilterMatch[] =>
  set.filters.length === 0 ? NO_MATCHES : combine(set, findIn(set, words), ids, now);

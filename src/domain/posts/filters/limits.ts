// Bounds filters, and chooses the keywords that count for people with more: accounts that move in may have any number,
// and each page of theirs is matched against all of them.

import { ANY, lettersOf } from "./pattern.ts";
import type { FilterRow, KeywordRow } from "./tables.ts";

/** Filters and keywords of a person, far more than people use. */
export const MAX_FILTERS = 500;
const MAX_KEYWORDS = 2000;
/** Letters of all keywords of a person, which are read and kept in memory whenever a filter has changed. */
const MAX_LETTERS = 50_000;
/** Keywords of a person with a wildcard between letters: compiling one takes as long as compiling ten others. */
const MAX_WILDCARDS = 200;

type Count = { keywords: number; letters: number; wildcards: number };

export const isOver = ({ keywords, letters, wildcards }: Count): boolean =>
  keywords > MAX_KEYWORDS || letters > MAX_LETTERS || wildcards > MAX_WILDCARDS;

const add = (count: Count, row: KeywordRow): void => {
  count.keywords += 1;
  count.letters += [...row.keyword].length;
  if (lettersOf(row).includes(ANY)) count.wildcards += 1;
};

/** Returns the filters with as many of their first keywords as anybody may have; the others stay, and hide nothing. */
export const withinLimits = (filters: FilterRow[]): FilterRow[] => {
  const count: Count = { keywords: 0, letters: 0, wildcards: 0 };
  return filters.map((filter) => ({
    ...filter,
    keywords: filter.keywords.filter((row) => {
      const next = { ...count };
      add(next, row);
      if (isOver(next)) return false;
      Object.assign(count, next);
      return true;
    }),
  }));
};

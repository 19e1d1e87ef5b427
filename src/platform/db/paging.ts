// Keyset pagination as in the API: max_id, since_id, min_id and limit, over 64-bit ids.
// https://docs.joinmastodon.org/api/guidelines/#pagination

import { MAX_ID, parseId } from "../ids/index.ts";
import type { Db } from "./index.ts";

/** Ids are strings; anything that is not a 64-bit number counts as absent. */
export type Page = {
  maxId: string | null;
  sinceId: string | null;
  minId: string | null;
  limit: number;
};

/**
 * Parses a limit: absent → default; above the maximum → maximum; negative → absolute value; not a number → 0 (an empty
 * page).
 */
export const parseLimit = (value: unknown, fallback: number, max = fallback * 2): number => {
  if (value === undefined || value === null) return fallback;
  const number = Number.parseInt(String(value), 10);
  return Number.isNaN(number) ? 0 : Math.min(Math.abs(number), max);
};

/** Returns the page with the newest rows, or with those below this id. */
export const newestPage = (limit: number, below: string | null = null): Page => ({
  maxId: below,
  sinceId: null,
  minId: null,
  limit,
});

type PageQuery = { max_id?: unknown; since_id?: unknown; min_id?: unknown; limit?: unknown };

export const parsePage = (query: PageQuery, fallback: number, max = fallback * 2): Page => ({
  maxId: parseId(query.max_id),
  sinceId: parseId(query.since_id),
  minId: parseId(query.min_id),
  limit: parseLimit(query.limit, fallback, max),
});

/** Whether rows are read in ascending order, which is only so when paging up from min_id; `inOrder` reverses them. */
export const ascending = (page: Page): boolean => page.minId !== null;

export const lowerBound = (page: Page): string => page.minId ?? page.sinceId ?? `-${MAX_ID}`;
export const upperBound = (page: Page): string => page.maxId ?? MAX_ID;

/** Makes the condition that this column is within the bounds of the page. */
export const inBounds = (db: Db, page: Page, column = "id") =>
  db`${db(column)} > ${lowerBound(page)} AND ${db(column)} < ${upperBound(page)}`;

/** Makes the order in which the page is read. */
export const inOrderOf = (db: Db, page: Page, column = "id") =>
  db`ORDER BY ${db(column)} ${ascending(page) ? db`ASC` : db`DESC`}`;

/** Ends a statement that selects a page by this column: the last condition, the order and the limit. */
export const inPage = (db: Db, page: Page, column = "id") => db`
  ${inBounds(db, page, column)} ${inOrderOf(db, page, column)} LIMIT ${page.limit}
`;

/** Returns the rows newest first, in whichever order they were read. */
export const inOrder = <T>(page: Page, rows: T[]): T[] =>
  ascending(page) ? rows.toReversed() : rows;

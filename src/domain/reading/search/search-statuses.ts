// Searches for statuses by their words: what the viewer wrote, is mentioned in, favourited or bookmarked, and public
// posts of indexable authors.

import type { App } from "../../../platform/app.ts";
import { within } from "../../../platform/db/index.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { newestPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { MAX_ID } from "../../../platform/ids/index.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { findKnownId } from "../../people/accounts/find.ts";
import { belongsInList } from "../../posts/statuses/rules.ts";
import type { SeenStatus, StatusView } from "../../posts/statuses/tables.ts";
import { fill } from "../timelines/fill.ts";
import { parseQuery } from "./parse-query.ts";
import type { ParsedQuery, Source, Term } from "./parse-query.ts";
import {
  selectByWords,
  selectMarkedByWords,
  selectNewest,
  selectRanked,
  selectStems,
} from "./queries.ts";
import type { Criteria } from "./queries.ts";
import { stemmerOf } from "./words.ts";

type StatusSearch = {
  viewerId: string;
  q: string;
  /** Only author whose statuses are searched; null for all. */
  accountId: string | null;
  maxId: string | null;
  minId: string | null;
  limit: number;
  offset: number;
  sort: Sort;
  /** The viewer's languages, whose other forms of the words are found. */
  languages: readonly string[];
};

/** Order of results: the newest first, or the best match. */
export type Sort = "date" | "rank";

const EVERYWHERE: readonly Source[] = ["public", "own", "mentions", "favourites", "bookmarks"];

/** Returns the lowest id of that moment. */
const idAt = (ms: number): bigint => BigInt(Math.max(0, ms)) << 16n;

const least = (...ids: bigint[]): string => String(ids.reduce((a, b) => (a < b ? a : b)));
const most = (...ids: bigint[]): string => String(ids.reduce((a, b) => (a > b ? a : b)));

/** Makes the marks of people; returns null when a handle is unknown. */
const peopleMarks = async (
  app: App,
  { people }: ParsedQuery,
  viewerId: string,
): Promise<string[] | null> => {
  const ids = await Promise.all(
    people.map(({ handle }) =>
      handle.toLowerCase() === "me" ? viewerId : findKnownId(app, handle),
    ),
  );
  const marks: string[] = [];
  for (const [index, { mark, not }] of people.entries()) {
    const id = ids[index];
    if (id) marks.push(`${not ? "!" : ""}'=${mark}:${id}'`);
    else if (!not) return null;
  }
  return marks;
};

/** Languages of a person whose word forms are searched. */
const MAX_STEMMERS = 8;

/** Chooses the stemmers of the query's languages, else of those that the viewer reads. */
const stemmersFor = ({ languages }: ParsedQuery, search: StatusSearch): string[] => {
  const names = (languages.length > 0 ? languages : search.languages).map(stemmerOf);
  return [...new Set(names.filter((name) => name !== null))].slice(0, MAX_STEMMERS);
};

/** Returns stems by word. */
const stemsOf = async (
  app: App,
  parsed: ParsedQuery,
  search: StatusSearch,
): Promise<Map<string, string[]>> => {
  const words = parsed.terms.flatMap(({ word }) => word ?? []);
  const stemmers = stemmersFor(parsed, search);
  if (words.length === 0 || stemmers.length === 0) return new Map();
  const rows = await selectStems(app.sql, words, stemmers);
  const byWord = Map.groupBy(rows, ({ word }) => word);
  return new Map([...byWord].map(([word, stems]) => [word, stems.map(({ stem }) => stem)]));
};

/** Makes a query of the word itself, its stem where that is a word, and all forms that have the stem. */
const withForms = ({ query, not, word }: Term, stems: Map<string, string[]>): string => {
  const forms = (stems.get(word ?? "") ?? []).flatMap((stem) => [`'${stem}'`, `'~${stem}'`]);
  return `${not ? "!" : ""}(${[...new Set([query, ...forms])].join(" | ")})`;
};

const bound = (ms: number | null): bigint[] => (ms === null ? [] : [idAt(ms)]);

/** Returns null where nothing can match. `ranking` has the words alone, by which results can be ordered. */
const plan = async (
  app: App,
  search: StatusSearch,
): Promise<{ criteria: Omit<Criteria, "limit">; ranking: string | null } | null> => {
  const parsed = parseQuery(search.q);
  const people = await peopleMarks(app, parsed, search.viewerId);
  if (parsed.impossible || people === null) return null;
  const stems = await stemsOf(app, parsed, search);
  const words = parsed.terms.map((term) => withForms(term, stems));
  const author = search.accountId ? [`'=from:${search.accountId}'`] : [];
  const terms = [...words, ...parsed.marks, ...people, ...author];
  const isBounded = parsed.since !== null || parsed.until !== null || parsed.sources !== null;
  // Punctuation alone matches nothing.
  if (terms.length === 0 && !isBounded) return null;
  const criteria = {
    viewerId: search.viewerId,
    query: terms.length > 0 ? terms.join(" & ") : null,
    above: most(BigInt(search.minId ?? 0), ...bound(parsed.since).map((id) => id - 1n)),
    below: least(BigInt(search.maxId ?? MAX_ID), ...bound(parsed.until)),
    sources: new Set(parsed.sources ?? EVERYWHERE),
  };
  return { criteria, ranking: words.length > 0 ? words.join(" & ") : null };
};

/** Makes the marks of people who may find a post by the word index; null where none of the sources uses it. */
const audienceOf = ({ sources, query, viewerId }: Criteria): string | null => {
  const marks = [
    ...(sources.has("public") ? ["'=open'"] : []),
    ...(sources.has("own") ? [`'=from:${viewerId}'`] : []),
    ...(sources.has("mentions") ? [`'=to:${viewerId}'`, `'=for:${viewerId}'`] : []),
  ].join(" | ");
  if (marks === "") return null;
  return query === null ? `(${marks})` : `${query} & (${marks})`;
};

const newestFirst = (ids: string[], limit: number): string[] =>
  [...new Set(ids)].toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1)).slice(0, limit);

/**
 * Milliseconds for each query: a phrase of frequent words that never occur together reads every status that has them.
 */
const TIMEOUT_MS = 1000;

/** Newest results that are ordered by rank. */
const RANKED = 1000;

/** Orders the newest by rank; leaves the order where that takes too long. */
const inOrder = async (app: App, ids: string[], ranking: string): Promise<string[]> => {
  const ranked = await within(app.sql, TIMEOUT_MS, (tx) => selectRanked(tx, ids, ranking));
  return ranked ?? ids;
};

/**
 * Takes at most three queries: the word index answers what the newest statuses do not. A query over the time limit
 * finds nothing.
 */
const find = async (app: App, criteria: Criteria): Promise<string[]> => {
  const look = <T>(ask: (tx: Tx) => PromiseLike<T>) => within(app.sql, TIMEOUT_MS, ask);
  const newest = await look((tx) => selectNewest(tx, criteria));
  if (newest === null) return [];
  const { ids, edge, leftMarks } = newest;
  if (edge === null) return ids;
  const sure = ids.filter((id) => BigInt(id) >= BigInt(edge));
  if (sure.length >= criteria.limit) return sure;
  const audience = audienceOf(criteria);
  const more = await Promise.all([
    audience === null ? [] : look((tx) => selectByWords(tx, criteria, audience)),
    leftMarks && criteria.query !== null ? look((tx) => selectMarkedByWords(tx, criteria)) : [],
  ]);
  return newestFirst(
    [...ids, ...more.flatMap((rows) => rows ?? []).map(({ id }) => id)],
    criteria.limit,
  );
};

/** Limited accounts are found only by their followers. */
const isShown = (view: StatusView): view is SeenStatus =>
  belongsInList(view) &&
  (view.account.silenced_at === null ||
    view.account_id === view.viewer?.id ||
    view.viewer?.relation?.following === true);

/** Returns a function that reads the ids of a page in the order of the search, of which so many were looked at. */
const readerOf = async (app: App, search: StatusSearch) => {
  const planned = await plan(app, search);
  if (!planned) return async () => [];
  const { criteria, ranking } = planned;
  if (BigInt(criteria.above) >= BigInt(criteria.below)) return async () => [];
  const { offset, sort } = search;
  if (sort !== "rank" || ranking === null) {
    return async ({ maxId, limit }: Page) =>
      maxId === null
        ? (await find(app, { ...criteria, limit: offset + limit })).slice(offset)
        : find(app, { ...criteria, below: maxId, limit });
  }
  const newest = await find(app, { ...criteria, limit: RANKED });
  const ids = (await inOrder(app, newest, ranking)).slice(offset);
  return async ({ limit }: Page, looked = 0) => ids.slice(looked, looked + limit);
};

/** Returns the newest or best first that are shown, and how many were passed for them where there are more. */
export const searchStatuses = async (app: App, search: StatusSearch) => {
  const page = newestPage(search.limit + 1);
  const read = await readerOf(app, search);
  const request = { ids: await read(page), page, read, isShown };
  const { ids, views, isEnd } = await fill(app, asPerson(search.viewerId), request);
  const [next] = views.splice(search.limit);
  return { views, passed: next ? ids.indexOf(next.id) : isEnd ? 0 : ids.length };
};

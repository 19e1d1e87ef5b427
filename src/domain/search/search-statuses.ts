// Searching for statuses by their words: what the viewer wrote, is mentioned in, favourited or
// bookmarked, and public posts of indexable authors.

import type { App } from "../../platform/app.ts";
import { within } from "../../platform/db/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { MAX_ID } from "../../platform/ids/index.ts";
import { asPerson } from "../../platform/viewer.ts";
import { findKnownId } from "../accounts/find.ts";
import { loadStatuses } from "../statuses/load.ts";
import { belongsInList } from "../statuses/rules.ts";
import type { SeenStatus, StatusView } from "../statuses/tables.ts";
import { parseQuery } from "./parse-query.ts";
import type { ParsedQuery } from "./parse-query.ts";
import { selectByWords, selectMarkedByWords, selectNewest } from "./queries.ts";
import type { Criteria } from "./queries.ts";

export type StatusSearch = {
  viewerId: string;
  q: string;
  /** Only by this author. */
  accountId: string | null;
  maxId: string | null;
  minId: string | null;
  limit: number;
  offset: number;
};

/** The lowest id of that moment. */
const idAt = (ms: number): bigint => BigInt(Math.max(0, ms)) << 16n;

const least = (...ids: bigint[]): string => String(ids.reduce((a, b) => (a < b ? a : b)));
const most = (...ids: bigint[]): string => String(ids.reduce((a, b) => (a > b ? a : b)));

/** The marks of authors; null when the handle is unknown. */
const authorTerms = async (
  app: App,
  parsed: ParsedQuery,
  viewerId: string,
): Promise<string[] | null> => {
  const ids = await Promise.all(
    parsed.from.map(({ handle }) =>
      handle.toLowerCase() === "me" ? viewerId : findKnownId(app, handle),
    ),
  );
  const terms: string[] = [];
  for (const [index, { not }] of parsed.from.entries()) {
    const id = ids[index];
    if (id) terms.push(`${not ? "!" : ""}'=from:${id}'`);
    else if (!not) return null;
  }
  return terms;
};

const plan = async (app: App, search: StatusSearch): Promise<Criteria | null> => {
  const parsed = parseQuery(search.q);
  const authors = await authorTerms(app, parsed, search.viewerId);
  if (parsed.impossible || authors === null) return null;
  const terms = [
    ...parsed.terms,
    ...authors,
    ...(search.accountId ? [`'=from:${search.accountId}'`] : []),
  ];
  // Punctuation alone matches nothing.
  if (terms.length === 0 && parsed.since === null && parsed.until === null) return null;
  const bound = (ms: number | null) => (ms === null ? [] : [idAt(ms)]);
  return {
    viewerId: search.viewerId,
    query: terms.length > 0 ? terms.join(" & ") : null,
    above: most(BigInt(search.minId ?? 0), ...bound(parsed.since).map((id) => id - 1n)),
    below: least(BigInt(search.maxId ?? MAX_ID), ...bound(parsed.until)),
    open: parsed.scope !== "library",
    library: parsed.scope !== "public",
    limit: search.offset + search.limit,
  };
};

const audienceOf = ({ open, library, query, viewerId }: Criteria): string => {
  const marks = [
    ...(open ? ["'=open'"] : []),
    ...(library ? [`'=from:${viewerId}'`, `'=to:${viewerId}'`] : []),
  ].join(" | ");
  return query === null ? `(${marks})` : `${query} & (${marks})`;
};

const newestFirst = (ids: string[], limit: number): string[] =>
  [...new Set(ids)].toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1)).slice(0, limit);

/** For each query: a phrase of frequent words that never occur together reads every status that has them. */
const TIMEOUT_MS = 1000;

/**
 * At most three queries: what the newest statuses do not answer is left to the word index. A query over
 * the time limit finds nothing.
 */
const find = async (app: App, criteria: Criteria): Promise<string[]> => {
  const look = <T>(ask: (tx: Tx) => PromiseLike<T>) => within(app.sql, TIMEOUT_MS, ask);
  const newest = await look((tx) => selectNewest(tx, criteria));
  if (newest === null) return [];
  const { ids, edge, leftMarks } = newest;
  if (edge === null) return ids;
  const sure = ids.filter((id) => BigInt(id) >= BigInt(edge));
  if (sure.length >= criteria.limit) return sure;
  const more = await Promise.all([
    look((tx) => selectByWords(tx, criteria, audienceOf(criteria))),
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

/** Newest first; may be fewer than `limit` where some matches are hidden from the viewer. */
export const searchStatuses = async (app: App, search: StatusSearch): Promise<SeenStatus[]> => {
  if (search.limit === 0) return [];
  const criteria = await plan(app, search);
  if (!criteria || BigInt(criteria.above) >= BigInt(criteria.below)) return [];
  const ids = (await find(app, criteria)).slice(search.offset);
  return (await loadStatuses(app, ids, asPerson(search.viewerId))).filter(isShown);
};

// One feed, whatever it is stored in: what it consists of, and what pushes, removals and fillings make of it. The
// ids are stored oldest first, so that new ones are added at the end.

import { ascending, lowerBound } from "../db/paging.ts";
import type { Page } from "../db/paging.ts";
import { FEED_LENGTH, REPEAT_SPAN } from "./index.ts";
import type { FeedContent, Placed } from "./index.ts";
import { Boosts, CAPACITY, Ids, MAX_BOOSTS } from "./sorted.ts";

/** A feed in part has everything from its floor on. */
export type State = { name: "empty" | "whole" } | { name: "part"; floor: bigint };

/**
 * `boosts` includes those that are left out: they appear when what they repeat is deleted. During a
 * rebuild `filling` has the ids that were removed since it began, which it may have read before.
 */
export type Feed = {
  ids: Ids;
  boosts: Boosts;
  filling: Set<bigint> | null;
  state: State;
  /** The newest page, cached as text until the ids change. */
  newest: string[] | null;
};

/** Includes a cached page: about 50 bytes for each id. */
export const FEED_BYTES = 8 * CAPACITY + 16 * MAX_BOOSTS + 50 * 40 + 700;

export const emptyFeed = (): Feed => ({
  ids: new Ids(),
  boosts: new Boosts(),
  filling: new Set(),
  state: { name: "empty" },
  newest: null,
});

/** Whether the boost repeats what is among the newest entries before it. */
const repeats = ({ ids, boosts }: Feed, id: bigint, original: bigint): boolean => {
  if (ids.isRecent(original)) return true;
  const oldest = ids.values[Math.max(0, ids.length - REPEAT_SPAN)]!;
  for (let at = boosts.position(id) - 1; at >= 0; at--) {
    const other = boosts.ids[at]!;
    if (other < oldest) return false;
    if (boosts.originals[at] === original && ids.has(other)) return true;
  }
  return false;
};

/** Decides again which boosts are left out from `id` on, as if everything had arrived in order. */
const arrange = (feed: Feed, id: bigint): void => {
  const { ids, boosts } = feed;
  let at = boosts.position(id);
  if (at === boosts.length) return;
  const later = ids.takeFrom(id);
  const addBoostsBefore = (end: bigint | null): void => {
    for (; at < boosts.length && (end === null || boosts.ids[at]! <= end); at++) {
      const boost = boosts.ids[at]!;
      if (!repeats(feed, boost, boosts.originals[at]!)) ids.insert(boost);
    }
  };
  for (const one of later) {
    addBoostsBefore(one - 1n);
    if (boosts.ids[at] === one && at < boosts.length) addBoostsBefore(one);
    else ids.insert(one);
  }
  addBoostsBefore(null);
};

/** False when it is left out: as a repetition, or as older than everything in a full feed. */
const insert = (feed: Feed, id: bigint, original: bigint | null): boolean => {
  const { ids, boosts } = feed;
  if (ids.has(id)) return ids.isShown(id);
  feed.newest = null;
  if (original !== null) boosts.insert(id, original);
  const isLast = ids.position(id) === ids.length && boosts.position(id + 1n) === boosts.length;
  if (isLast && original !== null && repeats(feed, id, original)) return false;
  if (isLast || original === null) ids.insert(id);
  if (!isLast) arrange(feed, id);
  return ids.isShown(id);
};

const remove = (feed: Feed, gone: ReadonlySet<bigint>): void => {
  const before = feed.ids.length;
  feed.ids.remove(gone);
  feed.boosts.remove(gone);
  if (feed.ids.length === before) return;
  feed.newest = null;
  const [first] = BigUint64Array.from(gone).sort();
  arrange(feed, first!);
};

/** A page, newest first, within the length of a feed. */
const slice = (all: Ids, page: Page): bigint[] => {
  const first = Math.max(0, all.length - FEED_LENGTH);
  // The newest page, which is requested most, is found without a search.
  const isOpenBelow = page.minId === null && page.sinceId === null;
  const from = isOpenBelow ? first : Math.max(first, all.position(BigInt(lowerBound(page)) + 1n));
  const to = page.maxId === null ? all.length : Math.max(from, all.position(BigInt(page.maxId)));
  const ids = ascending(page)
    ? all.values.subarray(from, Math.min(to, from + page.limit))
    : all.values.subarray(Math.max(from, to - page.limit), to);
  return Array.from(ids.toReversed());
};

/** Whether nothing below the floor of a feed in part can be on the page. */
const isWithin = (all: Ids, floor: bigint, page: Page): boolean => {
  if (BigInt(lowerBound(page)) >= floor) return true;
  if (ascending(page)) return false;
  const to = page.maxId === null ? all.length : all.position(BigInt(page.maxId));
  return to - page.limit >= all.position(floor);
};

export const isReady = ({ ids, state }: Feed, page: Page): boolean =>
  state.name === "part" ? isWithin(ids, state.floor, page) : state.name === "whole";

/** The newest page is cached as text. Look-ups by the same string objects are faster in caches, too. */
export const pageOf = (feed: Feed, page: Page): string[] => {
  const { maxId, sinceId, minId, limit } = page;
  if (maxId !== null || sinceId !== null || minId !== null)
    return slice(feed.ids, page).map(String);
  if (feed.newest?.length !== limit) feed.newest = slice(feed.ids, page).map(String);
  return feed.newest.slice();
};

/** Merges the ids that a rebuild read with those that were pushed meanwhile. */
const merge = (feed: Feed, ids: bigint[], boosts: ReadonlyMap<string, string>): void => {
  for (const [id, original] of boosts) feed.boosts.insert(BigInt(id), BigInt(original));
  const present = feed.ids.takeFrom(0n);
  for (const id of BigUint64Array.from(new Set([...present, ...ids])).sort()) feed.ids.insert(id);
  arrange(feed, 0n);
};

/** Ends the filling, unless it was dropped meanwhile: then what was read may be out of date. */
export const refill = (
  feed: Feed,
  { ids, boosts = new Map(), floor = null }: FeedContent,
): void => {
  if (!feed.filling) return;
  const read = ids.map(BigInt).filter((id) => !feed.filling?.has(id));
  merge(feed, read, boosts);
  feed.filling = null;
  feed.newest = null;
  feed.state = floor === null ? { name: "whole" } : { name: "part", floor: BigInt(floor) };
};

/** Adds an id; false when it is left out. */
export const pushInto = (feed: Feed, id: bigint, original: bigint | null): boolean => {
  feed.filling?.delete(id);
  return insert(feed, id, original);
};

/** What goes from each feed. */
export const idsByFeed = (gone: Placed[]): Map<string, Set<bigint>> => {
  const all = new Map<string, Set<bigint>>();
  for (const { keys, id } of gone) {
    const value = BigInt(id);
    for (const key of keys) {
      const ids = all.get(key);
      if (ids) ids.add(value);
      else all.set(key, new Set([value]));
    }
  }
  return all;
};

/** Removes ids, also from what a rebuild in progress has read. Gives those that were left out. */
export const removeFrom = (feed: Feed, gone: ReadonlySet<bigint>): Set<bigint> => {
  const { ids, boosts } = feed;
  const leftOut = new Set([...gone].filter((id) => boosts.has(id) && !ids.has(id)));
  remove(feed, gone);
  for (const id of gone) feed.filling?.add(id);
  return leftOut;
};

/** For each of what goes, its feeds that left it out. */
export const leftOutOf = (
  gone: Placed[],
  leftOut: ReadonlyMap<string, ReadonlySet<bigint>>,
): string[][] =>
  gone.map(({ keys, id }) => keys.filter((key) => leftOut.get(key)?.has(BigInt(id))));

// Feeds in memory: one array of ids per feed, oldest first, so that what is new is added at the end.

import { LRUCache } from "lru-cache";
import { ascending, lowerBound } from "../db/paging.ts";
import type { Page } from "../db/paging.ts";
import { FEED_LENGTH, REPEAT_SPAN } from "./index.ts";
import type { Feeds } from "./index.ts";

type Boost = { id: bigint; of: bigint };

/**
 * ids oldest first; `boosts` has all boosts of its span, also those that are left out: they come when
 * what they repeat is deleted. While the rebuild has not delivered, `filling` holds what was removed
 * since it began: the rebuild may have read it before.
 */
type Feed = {
  ids: bigint[];
  boosts: Boost[];
  filling: Set<bigint> | null;
  /** The newest page as it was last asked for, until the ids change. */
  newest: string[] | null;
};

/** A feed grows by this much over its length before it is cut: cutting costs more than adding. */
const SLACK = 100;

/** The first index whose id is not below `id`. */
const position = (ids: bigint[], id: bigint): number => {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The first boost whose id is not below `id`: mostly one of the last. */
const boostPosition = (boosts: Boost[], id: bigint): number => {
  let at = boosts.length;
  while (at > 0 && boosts[at - 1]!.id >= id) at -= 1;
  return at;
};

const has = ({ ids }: Feed, id: bigint): boolean => ids[position(ids, id)] === id;

const isRecent = ({ ids }: Feed, id: bigint): boolean => {
  const at = position(ids, id);
  return ids[at] === id && ids.length - at <= REPEAT_SPAN;
};

/** Does it repeat what is among the newest? `feed` ends before it. */
const repeats = (feed: Feed, { id, of }: Boost): boolean => {
  if (isRecent(feed, of)) return true;
  const oldest = feed.ids.at(-REPEAT_SPAN) ?? 0n;
  for (let at = boostPosition(feed.boosts, id) - 1; at >= 0; at--) {
    const other = feed.boosts[at]!;
    if (other.id < oldest) return false;
    if (other.of === of && has(feed, other.id)) return true;
  }
  return false;
};

const sorted = (ids: Iterable<bigint>): bigint[] =>
  [...ids].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

/** Both ascending; each once. */
const merge = (ids: bigint[], others: bigint[]): bigint[] => {
  const merged: bigint[] = [];
  let [one, other] = [0, 0];
  while (one < ids.length || other < others.length) {
    const [a, b] = [ids[one], others[other]];
    const next = b === undefined || (a !== undefined && a <= b) ? a! : b;
    if (next === a) one += 1;
    if (next === b) other += 1;
    merged.push(next);
  }
  return merged;
};

/** From this id on, shows and leaves out what it would, had everything come in order. */
const arrange = (feed: Feed, from: bigint): void => {
  const boosts = feed.boosts.slice(boostPosition(feed.boosts, from));
  if (boosts.length === 0) return;
  const boostOf = new Map(boosts.map((boost) => [boost.id, boost]));
  const later = feed.ids.splice(position(feed.ids, from));
  for (const id of merge(later, [...boostOf.keys()])) {
    const boost = boostOf.get(id);
    if (!boost || !repeats(feed, boost)) feed.ids.push(id);
  }
};

const cut = ({ ids, boosts }: Feed): void => {
  if (ids.length > FEED_LENGTH + SLACK) {
    ids.splice(0, ids.length - FEED_LENGTH);
    boosts.splice(0, boostPosition(boosts, ids[0]!));
  }
  // A thousand boosts of one post are all left out but one.
  if (boosts.length > FEED_LENGTH + SLACK) boosts.splice(0, boosts.length - FEED_LENGTH);
};

const insertEarlier = (feed: Feed, id: bigint, boost: Boost | null): void => {
  if (has(feed, id)) return;
  if (boost) {
    const at = boostPosition(feed.boosts, id);
    feed.boosts.splice(at, feed.boosts[at]?.id === id ? 1 : 0, boost);
  } else {
    feed.ids.splice(position(feed.ids, id), 0, id);
  }
  arrange(feed, id);
};

/** Boosts that repeat what is among the newest before them are left out. */
const insert = (feed: Feed, id: bigint, of: bigint | null): void => {
  const boost = of === null ? null : { id, of };
  feed.newest = null;
  if (id > (feed.ids.at(-1) ?? -1n) && id > (feed.boosts.at(-1)?.id ?? -1n)) {
    if (!boost || !repeats(feed, boost)) feed.ids.push(id);
    if (boost) feed.boosts.push(boost);
  } else {
    insertEarlier(feed, id, boost);
  }
  cut(feed);
};

const removeFrom = (feed: Feed, gone: bigint[]): void => {
  const removed = new Set(gone);
  feed.newest = null;
  feed.ids = feed.ids.filter((id) => !removed.has(id));
  if (feed.boosts.length === 0) return;
  feed.boosts = feed.boosts.filter(({ id }) => !removed.has(id));
  arrange(feed, sorted(gone)[0]!);
};

/** Newest first; nothing that a feed of its length would not have. */
const slice = (all: bigint[], page: Page): bigint[] => {
  const first = Math.max(0, all.length - FEED_LENGTH);
  // The newest page is the one most asked for: it is found without a look at the ids.
  const isOpenBelow = page.minId === null && page.sinceId === null;
  const from = isOpenBelow ? first : Math.max(first, position(all, BigInt(lowerBound(page)) + 1n));
  const to = page.maxId === null ? all.length : Math.max(from, position(all, BigInt(page.maxId)));
  const ids = ascending(page)
    ? all.slice(from, Math.min(to, from + page.limit))
    : all.slice(Math.max(from, to - page.limit), to);
  return ids.toReversed();
};

/** The page most asked for is kept as text: the same texts are found faster in the caches, too. */
const pageOf = (feed: Feed, page: Page): string[] => {
  const { maxId, sinceId, minId, limit } = page;
  if (maxId !== null || sinceId !== null || minId !== null)
    return slice(feed.ids, page).map(String);
  if (feed.newest?.length !== limit) feed.newest = slice(feed.ids, page).map(String);
  return feed.newest.slice();
};

/** What was read and what came meanwhile, in the order of time. */
const refill = (feed: Feed, ids: bigint[], boosts: ReadonlyMap<string, string>): void => {
  const known = new Map(feed.boosts.map((boost) => [boost.id, boost]));
  for (const [id, of] of boosts) known.set(BigInt(id), { id: BigInt(id), of: BigInt(of) });
  const all = new Set([...feed.ids, ...ids]);
  feed.boosts = sorted(known.keys()).map((id) => known.get(id)!);
  feed.ids = sorted(all);
  arrange(feed, 0n);
  cut(feed);
};

/** At most `maxFeeds` are held; the least recently read go first and are rebuilt when wanted. */
export const memoryFeeds = (maxFeeds = 20_000): Feeds => {
  const feeds = new LRUCache<string, Feed>({ max: maxFeeds });
  return {
    async push(keys, id, of = null) {
      const value = BigInt(id);
      const boostOf = of === null ? null : BigInt(of);
      const leftOut: string[] = [];
      for (const key of keys) {
        const feed = feeds.peek(key);
        if (!feed) continue;
        feed.filling?.delete(value);
        insert(feed, value, boostOf);
        if (boostOf !== null && !has(feed, value)) leftOut.push(key);
      }
      return leftOut;
    },
    async remove(keys, ids) {
      if (ids.length === 0) return;
      const gone = ids.map(BigInt);
      for (const key of keys) {
        const feed = feeds.peek(key);
        if (!feed) continue;
        removeFrom(feed, gone);
        for (const id of gone) feed.filling?.add(id);
      }
    },
    async page(key, page) {
      const feed = feeds.get(key);
      return !feed || feed.filling ? null : pageOf(feed, page);
    },
    async open(key) {
      if (feeds.has(key)) return false;
      feeds.set(key, { ids: [], boosts: [], filling: new Set(), newest: null });
      return true;
    },
    async fill(key, ids, boosts = new Map()) {
      const feed = feeds.peek(key);
      if (!feed?.filling) return; // dropped meanwhile: what was read may be out of date
      const read = ids.map(BigInt).filter((id) => !feed.filling?.has(id));
      refill(feed, read, boosts);
      feed.filling = null;
    },
    async drop(keys) {
      for (const key of keys) feeds.delete(key);
    },
    async close() {
      feeds.clear();
    },
  };
};

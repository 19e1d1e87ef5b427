// Feeds in memory: one array of ids per feed, oldest first, so that what is new is added at the end.

import { LRUCache } from "lru-cache";
import { ascending, lowerBound } from "../db/paging.ts";
import type { Page } from "../db/paging.ts";
import { FEED_LENGTH, REPEAT_SPAN } from "./index.ts";
import type { Feeds } from "./index.ts";

type Boost = { id: bigint; of: bigint };

/**
 * ids oldest first; `boosts` has those of the newest that are boosts. While the rebuild has not
 * delivered, `filling` holds what was removed since it began: the rebuild may have read it before.
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

/** False when it is older than all that the feed keeps. */
const insert = (feed: Feed, id: bigint): boolean => {
  const { ids } = feed;
  feed.newest = null;
  const last = ids.at(-1);
  if (last === undefined || last < id) {
    ids.push(id);
  } else {
    const at = position(ids, id);
    if (ids[at] !== id) ids.splice(at, 0, id);
    if (ids.length - at > FEED_LENGTH) return false;
  }
  if (ids.length > FEED_LENGTH + SLACK) ids.splice(0, ids.length - FEED_LENGTH);
  return true;
};

const isRecent = ({ ids }: Feed, id: bigint): boolean => {
  const at = position(ids, id);
  return ids[at] === id && ids.length - at <= REPEAT_SPAN;
};

/** False when it repeats what is among the newest. */
const insertBoost = (feed: Feed, boost: Boost): boolean => {
  if (feed.ids[position(feed.ids, boost.id)] === boost.id) return insert(feed, boost.id);
  const repeats = feed.boosts.some(({ id, of }) => of === boost.of && isRecent(feed, id));
  if (repeats || isRecent(feed, boost.of) || !insert(feed, boost.id)) return false;
  feed.boosts.push(boost);
  if (feed.boosts.length > 2 * REPEAT_SPAN) {
    feed.boosts = feed.boosts.filter(({ id }) => isRecent(feed, id));
  }
  return true;
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

const sorted = (ids: Iterable<bigint>): bigint[] =>
  [...ids].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

/** What was read and what came meanwhile, in the order of time. */
const refill = (feed: Feed, ids: bigint[], boosts: ReadonlyMap<string, string>): void => {
  const known = new Map(feed.boosts.map((boost) => [boost.id, boost]));
  for (const [id, of] of boosts) known.set(BigInt(id), { id: BigInt(id), of: BigInt(of) });
  const all = sorted(new Set([...feed.ids, ...ids]));
  feed.ids = [];
  feed.boosts = [];
  for (const id of all) {
    const boost = known.get(id);
    if (boost) insertBoost(feed, boost);
    else insert(feed, id);
  }
};

/** At most `maxFeeds` are held; the least recently read go first and are rebuilt when wanted. */
export const memoryFeeds = (maxFeeds = 20_000): Feeds => {
  const feeds = new LRUCache<string, Feed>({ max: maxFeeds });
  return {
    async push(keys, id, of = null) {
      const value = BigInt(id);
      const boost = of === null ? null : { id: value, of: BigInt(of) };
      const leftOut: string[] = [];
      for (const key of keys) {
        const feed = feeds.peek(key);
        if (!feed) continue;
        feed.filling?.delete(value);
        const isIn = boost ? insertBoost(feed, boost) : insert(feed, value);
        if (!isIn) leftOut.push(key);
      }
      return leftOut;
    },
    missing: async (keys) => keys.filter((key) => feeds.peek(key)?.filling !== null),
    async remove(keys, ids) {
      const gone = new Set(ids.map(BigInt));
      for (const key of keys) {
        const feed = feeds.peek(key);
        if (!feed) continue;
        feed.ids = feed.ids.filter((id) => !gone.has(id));
        feed.newest = null;
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

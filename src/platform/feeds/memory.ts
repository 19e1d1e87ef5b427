// Feeds in memory: the ids of each oldest first, so that what is new is added at the end.

import { LRUCache } from "lru-cache";
import type { Held } from "../caches/index.ts";
import { ascending, lowerBound } from "../db/paging.ts";
import type { Page } from "../db/paging.ts";
import { FEED_LENGTH, REPEAT_SPAN } from "./index.ts";
import type { Feeds } from "./index.ts";

type Boost = { id: bigint; of: bigint };

/** A feed grows by this much over its length before it is cut: cutting costs more than adding. */
const SLACK = 100;
const CAPACITY = FEED_LENGTH + SLACK + 1;
const MAX_BOOSTS = 2 * REPEAT_SPAN;

/** Ids in order, in one piece of memory: as objects each would take four times as much. */
class Ids {
  readonly values = new BigUint64Array(CAPACITY);
  length = 0;

  /** The first index whose id is not below `id`. */
  position(id: bigint): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.values[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  has(id: bigint): boolean {
    const at = this.position(id);
    return at < this.length && this.values[at] === id;
  }

  insert(id: bigint): void {
    const { values } = this;
    if (this.length === 0 || values[this.length - 1]! < id) {
      values[this.length] = id;
    } else {
      const at = this.position(id);
      if (values[at] === id) return;
      values.copyWithin(at + 1, at, this.length);
      values[at] = id;
    }
    this.length += 1;
    if (this.length <= FEED_LENGTH + SLACK) return;
    values.copyWithin(0, this.length - FEED_LENGTH, this.length);
    this.length = FEED_LENGTH;
  }

  /** It is among those that a feed of its length has. */
  isShown(id: bigint): boolean {
    return this.length - this.position(id) <= FEED_LENGTH;
  }

  remove(gone: ReadonlySet<bigint>): void {
    const left = this.values.subarray(0, this.length).filter((id) => !gone.has(id));
    this.values.set(left);
    this.length = left.length;
  }

  isRecent(id: bigint): boolean {
    const at = this.position(id);
    return at < this.length && this.values[at] === id && this.length - at <= REPEAT_SPAN;
  }
}

/**
 * `boosts` has those of the newest that are boosts. While the rebuild has not delivered, `filling` holds
 * what was removed since it began: the rebuild may have read it before.
 */
type Feed = {
  ids: Ids;
  boosts: Boost[];
  filling: Set<bigint> | null;
  /** The newest page as it was last asked for, until the ids change. */
  newest: string[] | null;
};

/** When full; texts of a page are some 50 bytes each, a boost with its two ids 100. */
const FEED_BYTES = 8 * CAPACITY + 100 * REPEAT_SPAN + 50 * 40 + 500;

const emptyFeed = (): Feed => ({ ids: new Ids(), boosts: [], filling: new Set(), newest: null });

/** False when it is older than all that the feed keeps. */
const insert = (feed: Feed, id: bigint): boolean => {
  feed.newest = null;
  feed.ids.insert(id);
  return feed.ids.isShown(id);
};

/** False when it repeats what is among the newest. */
const insertBoost = (feed: Feed, boost: Boost): boolean => {
  if (feed.ids.has(boost.id)) return feed.ids.isShown(boost.id);
  const repeats = feed.boosts.some(({ id, of }) => of === boost.of && feed.ids.isRecent(id));
  if (repeats || feed.ids.isRecent(boost.of) || !insert(feed, boost.id)) return false;
  feed.boosts.push(boost);
  if (feed.boosts.length > MAX_BOOSTS) {
    feed.boosts = feed.boosts.filter(({ id }) => feed.ids.isRecent(id));
  }
  return true;
};

/** Newest first; nothing that a feed of its length would not have. */
const slice = (all: Ids, page: Page): bigint[] => {
  const first = Math.max(0, all.length - FEED_LENGTH);
  // The newest page is the one most asked for: it is found without a look at the ids.
  const isOpenBelow = page.minId === null && page.sinceId === null;
  const from = isOpenBelow ? first : Math.max(first, all.position(BigInt(lowerBound(page)) + 1n));
  const to = page.maxId === null ? all.length : Math.max(from, all.position(BigInt(page.maxId)));
  const ids = ascending(page)
    ? all.values.subarray(from, Math.min(to, from + page.limit))
    : all.values.subarray(Math.max(from, to - page.limit), to);
  return Array.from(ids.toReversed());
};

/** The page most asked for is cached as text: the same texts are found faster in the caches, too. */
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
  const present = feed.ids.values.subarray(0, feed.ids.length);
  const all = BigUint64Array.from(new Set([...present, ...ids])).sort();
  feed.ids = new Ids();
  feed.boosts = [];
  for (const id of all) {
    const boost = known.get(id);
    if (boost) insertBoost(feed, boost);
    else insert(feed, id);
  }
};

/** The least recently read go first and are rebuilt when wanted: they have no other end. */
export const memoryFeeds = (maxBytes = 64 * 1024 * 1024): Feeds & { held: Held } => {
  const feeds = new LRUCache<string, Feed>({ max: Math.max(1, Math.floor(maxBytes / FEED_BYTES)) });
  const held = {
    hits: 0,
    misses: 0,
    entries: () => feeds.size,
    bytes: () => feeds.size * FEED_BYTES,
  };
  return {
    held,
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
        feed.ids.remove(gone);
        feed.newest = null;
        for (const id of gone) feed.filling?.add(id);
      }
    },
    async page(key, page) {
      const feed = feeds.get(key);
      const isReady = feed !== undefined && !feed.filling;
      if (isReady) held.hits += 1;
      else held.misses += 1;
      return isReady ? pageOf(feed, page) : null;
    },
    async open(key) {
      if (feeds.has(key)) return false;
      feeds.set(key, emptyFeed());
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

// The feeds port in memory.

import { LRUCache } from "lru-cache";
import type { InMemory } from "../caches/register.ts";
import type { Page } from "../db/paging.ts";
import { CAPACITY, EMPTY, WHOLE, entriesBelow, entryOf, pageOf, stateOf } from "./feed.ts";
import { FEED_LENGTH } from "./index.ts";
import type { FeedContent, Feeds } from "./index.ts";

/**
 * `pairs` holds entries with room for more, `filling` is the call that fills the feed now, and `newest` is the newest
 * page, kept until the ids change.
 */
type KeptFeed = {
  pairs: BigUint64Array<ArrayBuffer>;
  length: number;
  floor: bigint;
  filling: symbol | null;
  newest: string[] | null;
};

/** Bytes of a feed, including a cached page at about 50 bytes for each id. */
const FEED_BYTES = 16 * CAPACITY + 50 * 40 + 700;

const emptyFeed = (): KeptFeed => ({
  pairs: new BigUint64Array(2 * CAPACITY),
  length: 0,
  floor: EMPTY,
  filling: null,
  newest: null,
});

/** Returns the index of the first entry whose id is not below `id`. */
const placeOf = ({ pairs, length }: KeptFeed, id: bigint): number => {
  if (length === 0 || pairs[length - 2]! < id) return length;
  let [low, high] = [0, length >> 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pairs[2 * middle]! < id) low = middle + 1;
    else high = middle;
  }
  return 2 * low;
};

const insert = (feed: KeptFeed, id: bigint, of: bigint): void => {
  const { pairs } = feed;
  const at = placeOf(feed, id);
  if (at < feed.length && pairs[at] === id) return;
  pairs.copyWithin(at + 2, at, feed.length);
  pairs[at] = id;
  pairs[at + 1] = of;
  feed.length += 2;
  feed.newest = null;
  if (feed.length < pairs.length) return;
  pairs.copyWithin(0, pairs.length - 2 * FEED_LENGTH);
  feed.length = 2 * FEED_LENGTH;
};

const remove = (feed: KeptFeed, id: bigint): void => {
  const at = placeOf(feed, id);
  feed.filling = null;
  if (at === feed.length || feed.pairs[at] !== id) return;
  feed.pairs.copyWithin(at, at + 2, feed.length);
  feed.length -= 2;
  feed.newest = null;
};

/** Adds older content; entries from the feed's floor on stay unchanged. */
const refill = (feed: KeptFeed, content: FeedContent): void => {
  const newer = feed.pairs.slice(0, feed.length);
  const older = entriesBelow(content, feed.floor);
  feed.pairs.set(older);
  feed.length = older.length;
  for (let at = 0; at < newer.length; at += 2) insert(feed, newer[at]!, newer[at + 1]!);
  feed.floor = BigInt(content.floor ?? WHOLE);
  feed.newest = null;
};

/** Returns the same string objects for the newest page each time, because caches find the same objects faster. */
const pageFrom = (feed: KeptFeed, page: Page): string[] | null => {
  const { maxId, sinceId, minId, limit } = page;
  const isNewest = maxId === null && sinceId === null && minId === null;
  if (isNewest && feed.newest?.length === limit) return feed.newest.slice();
  const ids = pageOf({ entries: feed.pairs.subarray(0, feed.length), floor: feed.floor }, page);
  if (isNewest) feed.newest = ids?.slice() ?? null;
  return ids;
};

export type MemoryFeeds = Feeds & { cache: InMemory; clear(): void };

/** The least recently read feeds are dropped first and rebuilt at the next read. Feeds do not expire. */
export const memoryFeeds = (maxBytes = 64 * 1024 * 1024): MemoryFeeds => {
  const feeds = new LRUCache<string, KeptFeed>({
    max: Math.max(1, Math.floor(maxBytes / FEED_BYTES)),
  });
  const cache = {
    hits: 0,
    misses: 0,
    entries: () => feeds.size,
    bytes: () => feeds.size * FEED_BYTES,
  };
  const change = (keys: string[], make: (feed: KeptFeed) => void): void => {
    for (const key of keys) {
      const feed = feeds.peek(key);
      if (feed) make(feed);
    }
  };
  const clear = (): void => feeds.clear();
  return {
    cache,
    clear,
    async push(posts) {
      for (const post of posts) {
        const [id, of] = entryOf(post);
        change(post.keys, (feed) => insert(feed, id, of));
      }
    },
    async remove(gone) {
      for (const placed of gone) change(placed.keys, (feed) => remove(feed, BigInt(placed.id)));
    },
    async page(key, page) {
      const feed = feeds.get(key);
      const ids = feed ? pageFrom(feed, page) : null;
      if (ids) cache.hits += 1;
      else cache.misses += 1;
      return ids;
    },
    state: async (key) => stateOf(feeds.peek(key)?.floor ?? EMPTY),
    async fill(key, read) {
      const feed = feeds.peek(key) ?? emptyFeed();
      if (feed.filling || feed.floor === WHOLE) return;
      if (!feeds.has(key)) feeds.set(key, feed);
      const filling = Symbol(key);
      feed.filling = filling;
      try {
        const content = await read();
        if (feed.filling === filling && feeds.peek(key) === feed) refill(feed, content);
      } finally {
        if (feed.filling === filling) feed.filling = null;
      }
    },
    async drop(keys) {
      for (const key of keys) feeds.delete(key);
    },
    async close() {
      clear();
    },
  };
};

// Feeds in memory: one sorted array of ids per feed, as BigInt64Array-like packed numbers would be
// smaller still, but plain bigints keep 2,000 feeds of 800 under 30 MB.

import { LRUCache } from "lru-cache";
import { ascending, lowerBound, upperBound } from "../db/paging.ts";
import type { Page } from "../db/paging.ts";
import { FEED_LENGTH } from "./index.ts";
import type { Feeds } from "./index.ts";

/**
 * ids newest first. While the rebuild has not delivered, `filling` holds what was removed since it
 * began: the rebuild may have read it before.
 */
type Feed = { ids: bigint[]; filling: Set<bigint> | null };

/** The first index whose id is not above `id`, in a list that falls. */
const position = (ids: bigint[], id: bigint): number => {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle]! > id) low = middle + 1;
    else high = middle;
  }
  return low;
};

const insert = (feed: Feed, id: bigint): void => {
  const at = position(feed.ids, id);
  if (feed.ids[at] === id) return;
  feed.ids.splice(at, 0, id);
  if (feed.ids.length > FEED_LENGTH) feed.ids.length = FEED_LENGTH;
};

const slice = (ids: bigint[], page: Page): bigint[] => {
  const newest = position(ids, BigInt(upperBound(page)) - 1n);
  const after = BigInt(lowerBound(page));
  const oldest = position(ids, after);
  return ascending(page)
    ? ids.slice(Math.max(newest, oldest - page.limit), Math.max(newest, oldest))
    : ids.slice(newest, Math.min(Math.max(newest, oldest), newest + page.limit));
};

/** At most `maxFeeds` are held; the least recently read go first and are rebuilt when wanted. */
export const memoryFeeds = (maxFeeds = 20_000): Feeds => {
  const feeds = new LRUCache<string, Feed>({ max: maxFeeds });
  return {
    async push(keys, id) {
      for (const key of keys) {
        const feed = feeds.peek(key);
        feed?.filling?.delete(BigInt(id));
        if (feed) insert(feed, BigInt(id));
      }
    },
    async remove(keys, ids) {
      const gone = new Set(ids.map(BigInt));
      for (const key of keys) {
        const feed = feeds.peek(key);
        if (!feed) continue;
        feed.ids = feed.ids.filter((id) => !gone.has(id));
        for (const id of gone) feed.filling?.add(id);
      }
    },
    async page(key, page) {
      const feed = feeds.get(key);
      return !feed || feed.filling ? null : slice(feed.ids, page).map(String);
    },
    async open(key) {
      if (feeds.has(key)) return false;
      feeds.set(key, { ids: [], filling: new Set() });
      return true;
    },
    async fill(key, ids) {
      const feed = feeds.peek(key);
      if (!feed) return; // dropped meanwhile: what was read may be out of date
      const read = ids.map(BigInt).filter((id) => !feed.filling?.has(id));
      const all = new Set([...feed.ids, ...read]);
      feed.ids = [...all].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)).slice(0, FEED_LENGTH);
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

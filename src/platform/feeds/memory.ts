// Feeds in memory: one array of ids per feed, oldest first, so that what is new is added at the end.

import { LRUCache } from "lru-cache";
import { ascending, lowerBound } from "../db/paging.ts";
import type { Page } from "../db/paging.ts";
import { FEED_LENGTH } from "./index.ts";
import type { Feeds } from "./index.ts";

/**
 * ids oldest first. While the rebuild has not delivered, `filling` holds what was removed since it
 * began: the rebuild may have read it before.
 */
type Feed = { ids: bigint[]; filling: Set<bigint> | null };

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

const insert = (feed: Feed, id: bigint): void => {
  const { ids } = feed;
  const last = ids.at(-1);
  if (last === undefined || last < id) {
    ids.push(id);
  } else {
    const at = position(ids, id);
    if (ids[at] === id) return;
    ids.splice(at, 0, id);
  }
  if (ids.length > FEED_LENGTH + SLACK) ids.splice(0, ids.length - FEED_LENGTH);
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
  return ids.reverse();
};

const sorted = (ids: Iterable<bigint>): bigint[] =>
  [...ids].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

/** At most `maxFeeds` are held; the least recently read go first and are rebuilt when wanted. */
export const memoryFeeds = (maxFeeds = 20_000): Feeds => {
  const feeds = new LRUCache<string, Feed>({ max: maxFeeds });
  return {
    async push(keys, id) {
      const value = BigInt(id);
      for (const key of keys) {
        const feed = feeds.peek(key);
        if (!feed) continue;
        feed.filling?.delete(value);
        insert(feed, value);
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
      if (!feed?.filling) return; // dropped meanwhile: what was read may be out of date
      const read = ids.map(BigInt).filter((id) => !feed.filling?.has(id));
      const all = new Set([...feed.ids, ...read]);
      feed.ids = sorted(all).slice(-FEED_LENGTH);
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

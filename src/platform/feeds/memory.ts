// Feeds in memory.

import { LRUCache } from "lru-cache";
import type { InMemory } from "../caches/index.ts";
import {
  FEED_BYTES,
  emptyFeed,
  idsByFeed,
  isReady,
  pageOf,
  pushInto,
  refill,
  leftOutOf,
  removeFrom,
} from "./feed.ts";
import type { Feed } from "./feed.ts";
import type { Feeds, Pushed } from "./index.ts";

export type MemoryFeeds = Feeds & { held: InMemory; clear(): void };

/** The least recently read feeds are dropped first, and rebuilt at the next read. They do not expire. */
export const memoryFeeds = (maxBytes = 64 * 1024 * 1024): MemoryFeeds => {
  const feeds = new LRUCache<string, Feed>({ max: Math.max(1, Math.floor(maxBytes / FEED_BYTES)) });
  const held = {
    hits: 0,
    misses: 0,
    entries: () => feeds.size,
    bytes: () => feeds.size * FEED_BYTES,
  };
  const clear = (): void => feeds.clear();
  const push = ({ keys, id, of = null }: Pushed): string[] => {
    const value = BigInt(id);
    const original = of === null ? null : BigInt(of);
    return keys.filter((key) => {
      const feed = feeds.peek(key);
      return feed && !pushInto(feed, value, original);
    });
  };
  return {
    held,
    clear,
    push: async (posts) => posts.map(push),
    missing: async (keys) =>
      keys.filter((key) => (feeds.peek(key)?.state.name ?? "empty") === "empty"),
    isWhole: async (key) => feeds.peek(key)?.state.name === "whole",
    async remove(gone) {
      const leftOut = new Map<string, Set<bigint>>();
      for (const [key, ids] of idsByFeed(gone)) {
        const feed = feeds.peek(key);
        if (feed) leftOut.set(key, removeFrom(feed, ids));
      }
      return leftOutOf(gone, leftOut);
    },
    async page(key, page) {
      const feed = feeds.get(key);
      const ready = feed && isReady(feed, page) ? pageOf(feed, page) : null;
      if (ready) held.hits += 1;
      else held.misses += 1;
      return ready;
    },
    async open(key) {
      const feed = feeds.peek(key);
      if (!feed) feeds.set(key, emptyFeed());
      else if (feed.filling || feed.state.name === "whole") return false;
      else feed.filling = new Set();
      return true;
    },
    async fill(key, content) {
      const feed = feeds.peek(key);
      if (feed) refill(feed, content);
    },
    async drop(keys) {
      for (const key of keys) feeds.delete(key);
    },
    async close() {
      clear();
    },
  };
};

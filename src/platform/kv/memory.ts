// Key-value store within one process, bounded: the least recently used keys go first.

import { LRUCache } from "lru-cache";
import type { Kv } from "./index.ts";

/** A counter is counted up in place: its life goes on. */
type Entry = { value: string | number };

export const memoryKv = (maxKeys = 200_000): Kv => {
  const cache = new LRUCache<string, Entry>({ max: maxKeys, ttlAutopurge: false });
  const set = (key: string, value: string | number, ttlSeconds: number) => {
    // To the cache a life of 0 is one without end.
    if (ttlSeconds <= 0) cache.delete(key);
    else cache.set(key, { value }, { ttl: Math.ceil(ttlSeconds * 1000) });
  };
  return {
    async get(key) {
      const entry = cache.get(key);
      return entry ? String(entry.value) : null;
    },
    async set(key, value, ttlSeconds) {
      set(key, value, ttlSeconds);
    },
    async add(key, value, ttlSeconds) {
      if (cache.has(key)) return false;
      set(key, value, ttlSeconds);
      return true;
    },
    async increment(key, by, ttlSeconds) {
      const entry = cache.get(key);
      if (entry) return (entry.value = Number(entry.value) + by);
      set(key, by, ttlSeconds);
      return by;
    },
    async delete(key) {
      cache.delete(key);
    },
    async close() {
      cache.clear();
    },
  };
};

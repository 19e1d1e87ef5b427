// Key-value store within one process, bounded: the least recently used keys go first.

import { LRUCache } from "lru-cache";
import type { Kv } from "./index.ts";

export const memoryKv = (maxKeys = 200_000): Kv => {
  const cache = new LRUCache<string, string>({ max: maxKeys, ttlAutopurge: false });
  const set = (key: string, value: string, ttlSeconds: number) => {
    // To the cache a life of 0 is one without end.
    if (ttlSeconds <= 0) cache.delete(key);
    else cache.set(key, value, { ttl: Math.ceil(ttlSeconds * 1000) });
  };
  return {
    async get(key) {
      return cache.get(key) ?? null;
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
      const value = Number(cache.get(key) ?? 0) + by;
      const left = cache.getRemainingTTL(key);
      set(key, String(value), left > 0 ? left / 1000 : ttlSeconds);
      return value;
    },
    async delete(key) {
      cache.delete(key);
    },
    async close() {
      cache.clear();
    },
  };
};

// Key-value store within one process, bounded: the least recently used keys are dropped first.

import { LRUCache } from "lru-cache";
import type { InMemory } from "../caches/index.ts";
import type { Kv } from "./index.ts";

/** A counter is changed in place, so its time to live does not start again. */
type Entry = { value: string | number };

/** The map's own memory for a key. */
const KEY_BYTES = 200;

const sizeCalculation = ({ value }: Entry, key: string): number =>
  KEY_BYTES + key.length + (typeof value === "string" ? value.length : 0);

export const memoryKv = (maxBytes = 16 * 1024 * 1024): Kv & { held: InMemory } => {
  const cache = new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation });
  const held = {
    hits: 0,
    misses: 0,
    entries: () => cache.size,
    bytes: () => cache.calculatedSize,
  };
  const set = (key: string, value: string | number, ttlSeconds: number) => {
    // LRUCache takes a ttl of 0 for none.
    if (ttlSeconds <= 0) cache.delete(key);
    else cache.set(key, { value }, { ttl: Math.ceil(ttlSeconds * 1000) });
  };
  return {
    held,
    async get(key) {
      const entry = cache.get(key);
      if (entry) held.hits += 1;
      else held.misses += 1;
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

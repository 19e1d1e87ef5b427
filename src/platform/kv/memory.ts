// The key-value store within one process. With a limit, the least recently used keys are dropped first; without one,
// keys stay until they expire.

import { LRUCache } from "lru-cache";
import type { InMemory } from "../caches/register.ts";
import type { CounterKind, Kv } from "./index.ts";

/** A counter is changed in place, so its time to live does not start again. */
type Entry = { value: string | number };

type MemoryKv = Kv & { cache: InMemory };

/** Bytes that the map itself uses for a key. */
const KEY_BYTES = 200;

const sizeCalculation = ({ value }: Entry, key: string): number =>
  KEY_BYTES + key.length + (typeof value === "string" ? value.length : 0);

/** `maxBytes` is Infinity only where something else limits the number of keys. */
export const memoryKv = (maxBytes = 16 * 1024 * 1024): MemoryKv => {
  const maxSize = Math.min(maxBytes, Number.MAX_SAFE_INTEGER);
  const cache = new LRUCache<string, Entry>({ maxSize, sizeCalculation });
  const usage = {
    hits: 0,
    misses: 0,
    entries: () => cache.size,
    bytes: () => cache.calculatedSize,
    age: () => void cache.purgeStale(),
  };
  const set = (key: string, value: string | number, ttlSeconds: number) => {
    // LRUCache takes a ttl of 0 as no expiry.
    if (ttlSeconds <= 0) cache.delete(key);
    else cache.set(key, { value }, { ttl: Math.ceil(ttlSeconds * 1000) });
  };
  return {
    cache: usage,
    async get(key) {
      const entry = cache.get(key);
      if (entry) usage.hits += 1;
      else usage.misses += 1;
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

type Budget = (name: string) => number;

/** Creates the counters of rate limits; `budget` gives the bytes of each kind that strangers can create. */
export const memoryCounters = (budget: Budget): Record<CounterKind, MemoryKv> => ({
  // Strangers cannot create these: there are as many as people.
  person: memoryKv(Infinity),
  login: memoryKv(budget("counters of logins")),
  address: memoryKv(budget("counters of addresses")),
  request: memoryKv(budget("counters of requests")),
});

// The register of everything that a process holds in memory: every cache, queue, batcher and
// single-flight, with its figures and its share of the memory for caches (CACHE_MB). Nothing else may hold
// what belongs to an App (docs/design/caches.md).

import { Pool } from "./pool.ts";
import type { Room } from "./pool.ts";

export type InMemory = {
  /** The number of entries; of a queue or a single-flight, of what waits or runs. */
  entries(): number;
  /** An estimate, including what is derived from the entries. */
  bytes?(): number;
  hits?: number;
  misses?: number;
  /** Removes everything that can be read again. */
  clear?(): void;
  /** Called every AGE_MS: drops entries that are older than the previous call. */
  age?(): void;
};

/** Names what is made, and is its key: `T` is what it makes. */
export type Definition<T extends InMemory> = { name: string; make: (...by: never[]) => T };

export type Figures = {
  name: string;
  entries: number;
  bytes: number;
  /** Its share, beyond which one of a pool may have what the others leave; 0: not bounded in bytes. */
  maxBytes: number;
  hits: number;
  misses: number;
};

/** Limits an entry's life to a minute, in case an invalidation is missing, without a clock in each read. */
const AGE_MS = 30_000;

export type Caches = ReturnType<typeof createCaches>;

/**
 * `shares`: percentages of the memory by name. A cache without a share is refused. `pooled`: those that lend to each
 * other.
 */
export const createCaches = (
  megabytes: number,
  shares: Readonly<Record<string, number>>,
  pooled: ReadonlySet<string> = new Set(),
) => {
  const caches = new Map<Definition<never>, InMemory>();
  const byName = new Map<string, InMemory>();
  const age = () => {
    for (const cache of byName.values()) cache.age?.();
  };
  const timer = setInterval(age, AGE_MS).unref();
  const budget = (name: string): number => {
    const share = shares[name];
    if (share === undefined) throw new Error(`The cache "${name}" has no share of the memory`);
    return Math.floor((share * megabytes * 1024 * 1024) / 100);
  };
  const pool = new Pool([...pooled].reduce((sum, name) => sum + budget(name), 0));
  const register = <T extends InMemory>(name: string, cache: T): T => {
    if (byName.has(name)) throw new Error(`Two things in memory are called "${name}"`);
    byName.set(name, cache);
    return cache;
  };
  return {
    /** The maximum size in bytes of the cache with this name. */
    budget,
    room: (name: string): Room => ({
      share: budget(name),
      pool: pooled.has(name) ? pool : null,
    }),
    register,
    /** What was made by this definition; undefined: nothing yet. */
    find: <T extends InMemory>(definition: Definition<T>): T | undefined =>
      caches.get(definition as Definition<never>) as T | undefined,
    add<T extends InMemory>(definition: Definition<T>, cache: T): T {
      caches.set(definition as Definition<never>, register(definition.name, cache));
      return cache;
    },
    figures: (): Figures[] =>
      [...byName].map(([name, cache]) => ({
        name,
        entries: cache.entries(),
        bytes: cache.bytes?.() ?? 0,
        maxBytes: shares[name] === undefined ? 0 : budget(name),
        hits: cache.hits ?? 0,
        misses: cache.misses ?? 0,
      })),
    clear(): void {
      for (const cache of byName.values()) cache.clear?.();
    },
    age,
    close: () => clearInterval(timer),
  };
};

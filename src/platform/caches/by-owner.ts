// Caches small values by owner (a viewer) and key, until something of the owner's is invalidated: as a record
// of its own each would take several times the memory.

import type { App } from "../app.ts";
import { onInvalidateKinds } from "../db/invalidate.ts";
import type { Db } from "../db/index.ts";
import { BoundedCache } from "./bounded.ts";
import { perApp } from "./index.ts";

export type ByOwnerDefinition<K, V> = {
  /** The cache's name, which also names its share of the memory. */
  name: string;
  /** The first parts of the keys that invalidate everything of an owner: `KIND:OWNER`. */
  kinds: string[];
  /** What invalidates one value: `KIND:…`. `keys` null: which is not known, so all are dropped. */
  one?: { kind: string; of(app: App, id: string): { owner: string; keys: K[] | null } };
  /** Of an entry in a map. */
  entryBytes: number;
  /** Of one owner; when there are more, all of them are dropped. */
  maxEntries: number;
  /** Whether a value may be cached; by default each may. */
  lasts?: (value: V) => boolean;
};

export type OwnedValues<K, V> = {
  get(key: K): V | undefined;
  /** Lasts as long as this object, and is cached if nothing was invalidated since it was opened. */
  put(entries: Iterable<[K, V]>): void;
};

/** A copy: a read in progress adds what it finds to the map that it began with. */
const without = <K, V>(values: Map<K, V>, keys: K[]): Map<K, V> => {
  const left = new Map(values);
  for (const key of keys) left.delete(key);
  return left;
};

export const cachedByOwner = <K, V>(definition: ByOwnerDefinition<K, V>) => {
  const { name, kinds, one, entryBytes, maxEntries, lasts = () => true } = definition;
  const cacheOf = perApp(name, (app) => {
    const cache = new BoundedCache<Map<K, V>>(
      app.caches.budget(name),
      (values) => entryBytes * (1 + values.size),
    );
    onInvalidateKinds(app.sql, kinds, (owner) => cache.delete(owner));
    if (one) {
      onInvalidateKinds(app.sql, [one.kind], (id) => {
        const { owner, keys } = one.of(app, id);
        if (keys === null) cache.delete(owner);
        else cache.replace(owner, (values) => without(values, keys));
      });
    }
    return cache;
  });

  /** Null where nothing may be cached: inside a transaction, or with caches off. */
  const cacheFor = (app: App, db: Db): BoundedCache<Map<K, V>> | null =>
    db === app.sql && app.config.caches.enabled ? cacheOf(app) : null;

  /** What is added to it after an invalidation is not cached any more. */
  const valuesOf = (cache: BoundedCache<Map<K, V>> | null, owner: string): Map<K, V> => {
    const present = cache?.get(owner);
    if (present && present.size < maxEntries) return present;
    const made = new Map<K, V>();
    cache?.set(owner, made);
    return made;
  };

  return {
    /** What is cached, without a promise; undefined: nothing is. */
    cached: (app: App, owner: string): ReadonlyMap<K, V> | undefined =>
      app.fresh ? undefined : cacheFor(app, app.sql)?.get(owner),
    /** An owner's values. A job reads none from the cache: what it follows from may have changed them. */
    open(app: App, db: Db, owner: string): OwnedValues<K, V> {
      const cache = cacheFor(app, db);
      const cached = valuesOf(cache, owner);
      const own = new Map<K, V>();
      return {
        get: (key) => own.get(key) ?? (app.fresh ? undefined : cached.get(key)),
        put(entries) {
          const before = cached.size;
          for (const [key, value] of entries) {
            own.set(key, value);
            if (lasts(value)) cached.set(key, value);
          }
          cache?.grow(owner, entryBytes * (cached.size - before));
        },
      };
    },
  };
};

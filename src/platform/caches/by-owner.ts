// Caches small values by owner (a viewer) and key, until something of the owner's is invalidated: as a record
// of its own each would take several times the memory.

import type { App } from "../app.ts";
import { onInvalidateKinds } from "../db/commits.ts";
import type { Db } from "../db/index.ts";
import { BoundedCache } from "./bounded.ts";
import { perApp } from "./index.ts";

type ByOwnerDefinition<K, V> = {
  /** The cache's name, which also names its share of the memory. */
  name: string;
  /** The first parts of the keys that invalidate everything of an owner: `KIND:OWNER`. */
  kinds: string[];
  /** What invalidates one value: `KIND:…`. `keys` null: which is not known, so all are dropped. */
  entry?: { kind: string; of(app: App, id: string): { owner: string; keys: K[] | null } };
  /** Of an entry in a map. */
  entryBytes: number;
  /** Of one owner; when there are more, all of them are dropped. */
  maxEntries: number;
  /** Whether a value may be cached; by default each may. */
  lasts?: (value: V) => boolean;
  /** Values that are known without a read, of keys that came after an owner's values were begun. */
  implied?: {
    /** When values are begun; passed to `value` later. */
    began(): number;
    value(key: K, began: number): V | undefined;
  };
};

/** Null: it was invalidated, and has to be read. */
type Values<K, V> = Map<K, V | null>;
/** `version`: another one after each invalidation of a value, never the same for other values of the owner. */
type Owned<K, V> = { values: Values<K, V>; began: number; version: number };

/** Versions of all owners' values: those of one owner that were begun anew are never taken for the ones before. */
let lastBegun = 0;
/** So many invalidations of one owner's values have versions of their own. */
const VERSIONS = 2 ** 20;

type CachedValues<K, V> = { get(key: K): V | undefined };

type OwnedValues<K, V> = CachedValues<K, V> & {
  /** Lasts as long as this object, and is cached if nothing was invalidated since it was opened. */
  put(entries: Iterable<[K, V]>): void;
};

/** A copy: a read in progress adds what it finds to the map that it began with. */
const without = <K, V>({ values, began, version }: Owned<K, V>, keys: K[]): Owned<K, V> => {
  const left: Values<K, V> = new Map(values);
  for (const key of keys) left.set(key, null);
  return { values: left, began, version: version + 1 };
};

export const cachedByOwner = <K, V>(definition: ByOwnerDefinition<K, V>) => {
  const { name, kinds, entry, entryBytes, maxEntries, lasts = () => true, implied } = definition;
  const cacheOf = perApp(name, (app) => {
    const cache = new BoundedCache<Owned<K, V>>(
      app.caches.room(name),
      ({ values }) => entryBytes * (1 + values.size),
    );
    onInvalidateKinds(app.sql, kinds, (owner) => cache.delete(owner));
    if (entry) {
      onInvalidateKinds(app.sql, [entry.kind], (id) => {
        const { owner, keys } = entry.of(app, id);
        if (keys === null) return cache.delete(owner);
        cache.replace(owner, (owned) => without(owned, keys));
        cache.grow(owner, entryBytes * keys.length);
      });
    }
    return cache;
  });

  /** Null where nothing may be cached: inside a transaction, or with caches off. */
  const cacheFor = (app: App, db: Db): BoundedCache<Owned<K, V>> | null =>
    db === app.sql && app.config.caches.enabled ? cacheOf(app) : null;

  /** What is added to it after an invalidation is not cached any more. */
  const ownedBy = (cache: BoundedCache<Owned<K, V>> | null, owner: string): Owned<K, V> => {
    const present = cache?.get(owner);
    if (present && present.values.size < maxEntries) return present;
    const version = VERSIONS * ++lastBegun;
    const owned: Owned<K, V> = { values: new Map(), began: implied?.began() ?? 0, version };
    cache?.set(owner, owned);
    return owned;
  };

  const valueOf = ({ values, began }: Owned<K, V>, key: K): V | undefined => {
    const value = values.get(key);
    return value === undefined ? implied?.value(key, began) : (value ?? undefined);
  };

  return {
    /** What is cached, without a promise; undefined: nothing is. */
    cached(app: App, owner: string): CachedValues<K, V> | undefined {
      const owned = app.fresh ? undefined : cacheFor(app, app.sql)?.get(owner);
      return owned && { get: (key) => valueOf(owned, key) };
    },
    /**
     * Called before an act that changes a value of the owner in a way that is known, and invalidates it once. What it
     * gives is called after that: it caches the changed value, unless anything else of the owner was invalidated since,
     * or the value was not cached before.
     */
    changing(app: App, owner: string, key: K): (change: (value: V) => V) => void {
      const cache = app.fresh ? null : cacheFor(app, app.sql);
      const before = cache?.get(owner);
      const value = before && valueOf(before, key);
      if (!cache || !before || value === undefined) return () => {};
      return (change) => {
        const now = cache.get(owner);
        const changed = change(value);
        if (now?.version === before.version + 1 && lasts(changed)) now.values.set(key, changed);
      };
    },
    /** An owner's values. A job reads none from the cache: what it follows from may have changed them. */
    open(app: App, db: Db, owner: string): OwnedValues<K, V> {
      const cache = cacheFor(app, db);
      const owned = ownedBy(cache, owner);
      const { values } = owned;
      const own = new Map<K, V>();
      return {
        get: (key) => own.get(key) ?? (app.fresh ? undefined : valueOf(owned, key)),
        put(entries) {
          const before = values.size;
          for (const [key, value] of entries) {
            own.set(key, value);
            if (lasts(value)) values.set(key, value);
          }
          cache?.grow(owner, entryBytes * (values.size - before));
        },
      };
    },
  };
};

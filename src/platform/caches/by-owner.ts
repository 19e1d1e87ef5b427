// Caches small values by owner (a viewer) and key, until something of the owner's is invalidated. One record for each
// value would take several times the memory.

import type { App } from "../app.ts";
import { onInvalidateKinds } from "../db/commits.ts";
import type { Db } from "../db/index.ts";
import { BoundedCache } from "./bounded.ts";
import { perApp } from "./index.ts";

type ByOwnerDefinition<K, V> = {
  /** The cache's name, which also names its share of the memory. */
  name: string;
  /** Kinds of the cache keys `KIND:OWNER` that invalidate everything of an owner. */
  kinds: string[];
  /**
   * Maps a cache key `KIND:ID` to the values that it invalidates; `keys` null means that they are not known, and all of
   * the owner's values are dropped.
   */
  entry?: { kind: string; of(app: App, id: string): { owner: string; keys: K[] | null } };
  /** Bytes of one entry in a map. */
  entryBytes: number;
  /** Values of one owner; when there are more, all of them are dropped. */
  maxEntries: number;
  /** Whether a value may be cached; by default every value may. */
  lasts?: (value: V) => boolean;
  /** Gives values without a read for keys that are newer than the owner's cached values. */
  implied?: {
    /** Returns the position at which values are begun; it is passed to `value` later. */
    began(): number;
    value(key: K, began: number): V | undefined;
  };
};

/** A null value was invalidated and has to be read. */
type Values<K, V> = Map<K, V | null>;
/** `version` changes with each invalidation of a value, and is never reused for other values of the owner. */
type Owned<K, V> = { values: Values<K, V>; began: number; version: number };

/** Counts all owners' values, so that values that were begun anew never have the version of earlier ones. */
let lastBegun = 0;
/** Invalidations of one owner's values that can have versions of their own. */
const VERSIONS = 2 ** 20;

type CachedValues<K, V> = { get(key: K): V | undefined };

type OwnedValues<K, V> = CachedValues<K, V> & {
  /** Caches values, if nothing was invalidated since this object was opened. */
  put(entries: Iterable<[K, V]>): void;
};

/** Copies without some values: a read in progress still adds to the map that it began with. */
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

  /** Returns null where nothing may be cached: inside a transaction, or with caches switched off. */
  const cacheFor = (app: App, db: Db): BoundedCache<Owned<K, V>> | null =>
    db === app.sql && app.config.caches.enabled ? cacheOf(app) : null;

  /** Values that are added to this object after an invalidation are not cached. */
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
    /** Returns the cached values without a promise, or undefined where there are none. */
    cached(app: App, owner: string): CachedValues<K, V> | undefined {
      const owned = app.fresh ? undefined : cacheFor(app, app.sql)?.get(owner);
      return owned && { get: (key) => valueOf(owned, key) };
    },
    /**
     * Called before a command that changes one value of the owner in a known way and invalidates it once. The returned
     * function is called after the command: it caches the changed value, unless anything else of the owner was
     * invalidated since, or the value was not cached before.
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
    /**
     * Opens an owner's values. A job reads none from the cache, because the commit that it follows from may have
     * changed them.
     */
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

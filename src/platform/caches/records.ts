// Caches records by id until they are invalidated as `KIND:ID` (platform/db/commits.ts).

import type { App } from "../app.ts";
import type { Db } from "../db/index.ts";
import { onInvalidateKinds } from "../db/commits.ts";
import { BoundedCache } from "./bounded.ts";
import { perApp } from "./index.ts";

export type Put<T> = (id: string, value: T) => void;

/** A read in progress, and what was invalidated since it began: it may have read that before. */
type Reading = { invalidated: Set<string>; all: boolean };

type RecordsDefinition<T> = {
  /** The cache's name, which also names its share of the memory. */
  name: string;
  /** The first parts of the keys that invalidate a record. */
  kind: string | string[];
  /** Keys of this kind invalidate all records. */
  everything?: string;
  /** Bytes of a record, including what will be derived from it. */
  size: (value: T) => number;
  /** Larger records are not cached: other servers choose the size of some. */
  maxBytes?: number;
};

class RecordCache<T extends object> extends BoundedCache<T> {
  #readings = new Set<Reading>();

  /** Runs a read. What it passes to `put` is cached, unless invalidated since the read began. */
  async fill<R>(read: (put: Put<T>) => Promise<R>): Promise<R> {
    const reading: Reading = { invalidated: new Set(), all: false };
    this.#readings.add(reading);
    try {
      return await read((id, value) => {
        if (!reading.all && !reading.invalidated.has(id)) this.set(id, value);
      });
    } finally {
      this.#readings.delete(reading);
    }
  }

  invalidate(id: string): void {
    this.delete(id);
    for (const reading of this.#readings) reading.invalidated.add(id);
  }

  override clear(): void {
    super.clear();
    for (const reading of this.#readings) reading.all = true;
  }
}

const make = <T extends object>(app: App, definition: RecordsDefinition<T>): RecordCache<T> => {
  const { name, kind, everything, size, maxBytes } = definition;
  const cache = new RecordCache<T>(app.caches.budget(name), size, maxBytes);
  onInvalidateKinds(app.sql, [kind].flat(), (id) => cache.invalidate(id));
  if (everything !== undefined) onInvalidateKinds(app.sql, [everything], () => cache.clear());
  return cache;
};

/** The cache as its readers use it. */
export type Records<T> = {
  get(id: string): T | undefined;
  fill<R>(read: (put: Put<T>) => Promise<R>): Promise<R>;
};

/** Returns nothing from the cache, and caches what is read. */
const fillingOnly = <T extends object>(cache: RecordCache<T>): Records<T> => ({
  get: () => undefined,
  fill: (read) => cache.fill(read),
});

/** Caches nothing. */
// oxlint-disable-next-line typescript/no-explicit-any
const NONE: Records<any> = {
  get: () => undefined,
  fill: (read) => read(() => {}),
};

/**
 * The cache for this handle: a transaction does not use it at all, and jobs (`app.fresh`) do not read from
 * it but fill it.
 */
export const recordCache = <T extends object>(definition: RecordsDefinition<T>) => {
  const cacheOf = perApp(definition.name, (app) => make(app, definition));
  const records = (app: App, db: Db = app.sql): Records<T> => {
    if (db !== app.sql || !app.config.caches.enabled) return NONE;
    const cache = cacheOf(app);
    return app.fresh ? fillingOnly(cache) : cache;
  };
  return Object.assign(records, { clear: (app: App) => cacheOf(app).clear() });
};

type CachedReader<T> = {
  (app: App, id: string, db?: Db): Promise<T>;
  /** The cached value, without a promise; undefined: it has to be read. */
  cached(app: App, id: string): T | undefined;
  /** The values of several ids, with one call of `readMany` for those that are not cached. */
  many(app: App, ids: string[], readMany: ReadMany<T>): Promise<Map<string, T>>;
};

/** Has to return a value for each of the ids. */
type ReadMany<T> = (db: Db, ids: string[]) => Promise<Map<string, T>>;

/** A cached function from an id to a value. */
export const cachedReader = <T extends object>(
  definition: RecordsDefinition<T>,
  read: (db: Db, id: string, app: App) => Promise<T>,
): CachedReader<T> => {
  const records = recordCache(definition);
  const reader = async (app: App, id: string, db: Db = app.sql): Promise<T> => {
    const cache = records(app, db);
    return (
      cache.get(id) ??
      cache.fill(async (put) => {
        const value = await read(db, id, app);
        put(id, value);
        return value;
      })
    );
  };
  const many = async (app: App, ids: string[], readMany: ReadMany<T>): Promise<Map<string, T>> => {
    const cache = records(app);
    const values = new Map<string, T>();
    const missing = new Set<string>();
    for (const id of ids) {
      const cached = cache.get(id);
      if (cached) values.set(id, cached);
      else missing.add(id);
    }
    if (missing.size === 0) return values;
    const read = await cache.fill(async (put) => {
      const values = await readMany(app.sql, [...missing]);
      for (const [id, value] of values) put(id, value);
      return values;
    });
    return new Map([...values, ...read]);
  };
  return Object.assign(reader, { cached: (app: App, id: string) => records(app).get(id), many });
};

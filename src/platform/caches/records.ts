// Caches records by id until they are invalidated as `KIND:ID` (platform/db/commits.ts).

import type { App } from "../app.ts";
import { workForAll } from "../db/each-asker.ts";
import type { Db } from "../db/index.ts";
import { onCommit, onInvalidateKinds } from "../db/commits.ts";
import type { CacheKey } from "../db/commits.ts";
import { BoundedCache } from "./bounded.ts";
import { perApp } from "./index.ts";

export type Put<T> = (id: string, value: T) => void;
/** Returns the record that was cached before the change. */
export type Before<T> = (id: string) => T | undefined;

/**
 * A read or change in progress, with how often each key was invalidated since it began: it may have read older rows.
 */
type Reading = { invalidated: Map<string, number>; all: boolean };

type RecordsDefinition<T> = {
  /** The cache's name, which also names its share of the memory. */
  name: string;
  /** Kinds of the cache keys `KIND:ID` that invalidate a record. */
  kind: string | string[];
  /** Kind of the keys that invalidate all records. */
  everything?: string;
  /** Returns the bytes of a record, including what will be derived from it. */
  size: (value: T) => number;
  /** Bytes above which a record is not cached, since other servers choose the size of some. */
  maxBytes?: number;
};

type ReadShared<T> = (ids: string[], put: Put<T>) => Promise<Map<string, T>>;
type Act<T, R> = (put: Put<T>, before: Before<T>) => Promise<R>;

class RecordCache<T extends object> extends BoundedCache<T> {
  #readings = new Set<Reading>();
  /** Reads in progress by id, unless the record was invalidated since. */
  #reads = new Map<string, Promise<Map<string, T>>>();

  /** Runs a read. What it passes to `put` is cached, unless invalidated since the read began. */
  fill<R>(read: (put: Put<T>) => Promise<R>): Promise<R> {
    return this.#while(0, read);
  }

  async together(ids: string[], read: ReadShared<T>): Promise<Map<string, T>> {
    const own = ids.filter((id) => !this.#reads.has(id));
    if (own.length > 0) this.#begin(own, read);
    const reads = await Promise.all(ids.map((id) => this.#reads.get(id)!));
    return new Map(
      ids.flatMap((id, n) => {
        const record = reads[n]!.get(id);
        return record ? [[id, record]] : [];
      }),
    );
  }

  #begin(ids: string[], read: ReadShared<T>): void {
    const reading = workForAll(() => this.fill((put) => read(ids, put))).finally(() => {
      for (const id of ids) if (this.#reads.get(id) === reading) this.#reads.delete(id);
    });
    for (const id of ids) this.#reads.set(id, reading);
  }

  change<R>(ids: string[], act: Act<T, R>): Promise<R> {
    const before = new Map(ids.map((id) => [id, this.young(id)]));
    return this.#while(1, (put) => act(put, (id) => before.get(id)));
  }

  /** Does the same within a transaction, which invalidates when it commits: by one act a record, as `timesOf` tells. */
  changeWithin<R>(tx: Db, keysOf: (id: string) => CacheKey[], ids: string[], act: Act<T, R>) {
    const before = new Map(ids.map((id) => [id, this.young(id)]));
    const after = new Map<string, T>();
    onCommit(tx, (timesOf) => {
      const isKept = (id: string) => keysOf(id).reduce((sum, key) => sum + timesOf(key), 0) === 1;
      const kept = [...after].filter(([id]) => isKept(id) && this.young(id) === before.get(id));
      return () => kept.forEach(([id, value]) => this.set(id, value));
    });
    const put = (id: string, value: T) => after.set(id, value);
    return act(put, (id) => before.get(id));
  }

  /** `own` is how often `work` itself invalidates the records that it puts. */
  async #while<R>(own: number, work: (put: Put<T>) => Promise<R>): Promise<R> {
    const reading: Reading = { invalidated: new Map(), all: false };
    this.#readings.add(reading);
    try {
      return await work((id, value) => {
        if (!reading.all && (reading.invalidated.get(id) ?? 0) <= own) this.set(id, value);
      });
    } finally {
      this.#readings.delete(reading);
    }
  }

  invalidate(id: string): void {
    this.delete(id);
    this.#reads.delete(id);
    for (const { invalidated } of this.#readings) {
      invalidated.set(id, (invalidated.get(id) ?? 0) + 1);
    }
  }

  override clear(): void {
    super.clear();
    this.#reads.clear();
    for (const reading of this.#readings) reading.all = true;
  }
}

const make = <T extends object>(app: App, definition: RecordsDefinition<T>): RecordCache<T> => {
  const { name, kind, everything, size, maxBytes } = definition;
  const cache = new RecordCache<T>(app.caches.room(name), size, maxBytes);
  onInvalidateKinds(app.sql, [kind].flat(), (id) => cache.invalidate(id));
  if (everything !== undefined) onInvalidateKinds(app.sql, [everything], () => cache.clear());
  return cache;
};

export type Records<T> = {
  get(id: string): T | undefined;
  fill<R>(read: (put: Put<T>) => Promise<R>): Promise<R>;
  /**
   * Like `fill` for these records. Records that another caller is already reading, and nothing has invalidated since,
   * are taken from that read.
   */
  together(ids: string[], read: ReadShared<T>): Promise<Map<string, T>>;
  /**
   * Runs a command that changes these records in a known way and invalidates each of them once. What it passes to `put`
   * after that is cached, unless something else invalidated it since the command began; the changed records keep their
   * age.
   */
  change<R>(ids: string[], act: Act<T, R>): Promise<R>;
};

/** A cache for jobs: reads find nothing in it, but what they read is cached. */
const fillingOnly = <T extends object>(cache: RecordCache<T>): Records<T> => ({
  ...NONE,
  fill: (read) => cache.fill(read),
  together: (ids, read) => cache.fill((put) => read(ids, put)),
});

/** A cache that holds nothing. */
// oxlint-disable-next-line typescript/no-explicit-any
const NONE: Records<any> = {
  get: () => undefined,
  fill: (read) => read(() => {}),
  together: (ids, read) => read(ids, () => {}),
  change: (_ids, act) =>
    act(
      () => {},
      () => undefined,
    ),
};

/**
 * Returns the cache for this handle: transactions only change what is in it, and jobs (`app.fresh`) fill it but do not
 * read from it.
 */
export const recordCache = <T extends object>(definition: RecordsDefinition<T>) => {
  const cacheOf = perApp(definition.name, (app) => make(app, definition));
  const { kind, everything } = definition;
  const keysOf = (id: string) =>
    [...[kind].flat().map((name) => `${name}:${id}`), `${everything}:`] as CacheKey[];
  const records = (app: App, db: Db = app.sql): Records<T> => {
    if (!app.config.caches.enabled || (db !== app.sql && app.fresh)) return NONE;
    const cache = cacheOf(app);
    if (db === app.sql) return app.fresh ? fillingOnly(cache) : cache;
    return { ...NONE, change: (ids, act) => cache.changeWithin(db, keysOf, ids, act) };
  };
  return Object.assign(records, {
    clear: (app: App) => cacheOf(app).clear(),
    age: (app: App) => cacheOf(app).age(),
  });
};

/** Returns cached records, and reads missing ones by one call; those that `mayKeep` accepts are cached. */
export const readMissing = async <T>(
  records: Records<T>,
  ids: string[],
  read: (missing: string[]) => Promise<[string, T][] | Map<string, T>>,
  mayKeep: (value: T) => boolean = () => true,
): Promise<Map<string, T>> => {
  const values = new Map<string, T>();
  const missing = new Set<string>();
  for (const id of ids) {
    const present = records.get(id);
    if (present) values.set(id, present);
    else missing.add(id);
  }
  if (missing.size === 0) return values;
  return records.fill(async (put) => {
    for (const [id, value] of await read([...missing])) {
      values.set(id, value);
      if (mayKeep(value)) put(id, value);
    }
    return values;
  });
};

type CachedReader<T> = {
  (app: App, id: string, db?: Db): Promise<T>;
  /** Returns the cached value without a promise, or undefined when it has to be read. */
  cached(app: App, id: string): T | undefined;
  /** Returns the values of several ids, and reads those that are not cached by one call of `readMany`. */
  many(app: App, ids: string[], readMany: ReadMany<T>): Promise<Map<string, T>>;
};

/** Has to return a value for each of the ids. */
type ReadMany<T> = (db: Db, ids: string[]) => Promise<Map<string, T>>;

/** Creates a cached function from an id to a value. With `isShared`, all who ask meanwhile wait for one read. */
export const cachedReader = <T extends object>(
  { isShared = false, ...definition }: RecordsDefinition<T> & { isShared?: boolean },
  read: (db: Db, id: string, app: App) => Promise<T>,
): CachedReader<T> => {
  const records = recordCache(definition);
  const reader = async (app: App, id: string, db: Db = app.sql): Promise<T> => {
    const cache = records(app, db);
    const cached = cache.get(id);
    if (cached) return cached;
    const readOne = async (put: Put<T>): Promise<T> => {
      const value = await read(db, id, app);
      put(id, value);
      return value;
    };
    if (!isShared) return cache.fill(readOne);
    const values = await cache.together(
      [id],
      async (_, put) => new Map([[id, await readOne(put)]]),
    );
    return values.get(id)!;
  };
  const many = (app: App, ids: string[], readMany: ReadMany<T>): Promise<Map<string, T>> =>
    readMissing(records(app), ids, (missing) => readMany(app.sql, missing));
  return Object.assign(reader, { cached: (app: App, id: string) => records(app).get(id), many });
};

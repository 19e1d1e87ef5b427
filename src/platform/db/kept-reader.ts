// One record at a time, kept as it was last read until its change is told (changes.ts).

import type { App } from "../app.ts";
import type { Db } from "./index.ts";
import { keepRecords } from "./kept.ts";
import type { KeptRecords } from "./kept.ts";

export type KeptReader<T> = {
  (app: App, id: string, db?: Db): Promise<T>;
  /** What is kept of it, without a promise; undefined: it has to be read. */
  kept(app: App, id: string): T | undefined;
  /** Of each of them: one call of `readMany` for those that are not kept. */
  many(app: App, ids: string[], readMany: ReadMany<T>): Promise<Map<string, T>>;
};

/** Gives every one of the ids. */
type ReadMany<T> = (db: Db, ids: string[]) => Promise<Map<string, T>>;

/**
 * Makes a reader of what belongs to an id: a change is told as `KIND:ID`, or as `all`. Nothing is
 * kept inside a transaction, or where the caches are switched off.
 */
export const keptReader = <T extends object>(
  kind: string,
  max: number,
  read: (db: Db, id: string) => Promise<T>,
): KeptReader<T> => {
  const caches = new WeakMap<App, KeptRecords<T>>();
  const cacheFor = (app: App, db: Db): KeptRecords<T> | null => {
    if (db !== app.sql || !app.config.caches.statuses) return null;
    const present = caches.get(app);
    if (present) return present;
    const made = keepRecords<T>(app.sql, kind, max);
    caches.set(app, made);
    return made;
  };
  const reader = async (app: App, id: string, db: Db = app.sql): Promise<T> => {
    const cache = cacheFor(app, db);
    const kept = cache?.get(id);
    if (kept) return kept;
    const readAt = cache?.now() ?? 0;
    const value = await read(db, id);
    cache?.put(id, value, readAt);
    return value;
  };
  const many = async (app: App, ids: string[], readMany: ReadMany<T>): Promise<Map<string, T>> => {
    const cache = cacheFor(app, app.sql);
    const kept = new Map(ids.map((id) => [id, cache?.get(id)]));
    const missing = [...kept.keys()].filter((id) => kept.get(id) === undefined);
    if (missing.length === 0) return kept as Map<string, T>;
    const readAt = cache?.now() ?? 0;
    const read = await readMany(app.sql, missing);
    for (const [id, value] of read) cache?.put(id, value, readAt);
    return new Map([...(kept as Map<string, T>), ...read]);
  };
  return Object.assign(reader, {
    kept: (app: App, id: string) => cacheFor(app, app.sql)?.get(id),
    many,
  });
};

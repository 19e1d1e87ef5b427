// Caches single values, such as the settings, as long as the database can notify this process of changes, which any
// process may make. Triggers NOTIFY a channel (docs/design/caches.md). Values are read by the session of the process:
// the reader may be in a transaction, and must not wait for a connection of the pool there (docs/design/database.md).

import { baseApp } from "../app.ts";
import type { App } from "../app.ts";
import type { CacheKey } from "../db/commits.ts";
import { onInvalidateKey, receiveInvalidations } from "../db/commits.ts";
import type { Db } from "../db/index.ts";
import { sessionOf } from "../db/session.ts";
import { perApp } from "./index.ts";
import { sizeOf } from "./bounded.ts";

/** Milliseconds after which a value is read again, in case the connection died without an error. */
const TTL_MS = 60_000;

type ListenedDefinition<T> = {
  name: string;
  channel: string;
  /** Cache key, invalidated by this process's own changes, and again when their notification arrives a moment later. */
  key: CacheKey;
  /** Reads the value by plain SELECTs, which wait for no row lock. */
  read: (db: Db) => Promise<T>;
};

class Listened<T> {
  hits = 0;
  misses = 0;
  isListening = false;
  #cached: { value: T; since: number } | null = null;
  /** Number of invalidations, so that a value read before one of them is not cached. */
  #count = 0;

  async get(read: () => Promise<T>): Promise<T> {
    const now = performance.now();
    if (this.#cached && now - this.#cached.since < TTL_MS) {
      this.hits += 1;
      return this.#cached.value;
    }
    this.misses += 1;
    const count = this.#count;
    const value = await read();
    if (this.isListening && this.#count === count) this.#cached = { value, since: now };
    return value;
  }

  clear(): void {
    this.#count += 1;
    this.#cached = null;
  }

  entries(): number {
    return this.#cached ? 1 : 0;
  }

  bytes(): number {
    return this.#cached ? sizeOf(this.#cached.value) : 0;
  }
}

/** Invalidates here what another process changed, because other caches depend on it, too. */
const listen = (
  app: App,
  { channel, key }: Pick<ListenedDefinition<unknown>, "channel" | "key">,
  listened: Listened<unknown>,
): void => {
  const changed = () => receiveInvalidations(app.sql, [key]);
  const onListening = () => {
    // Notifications are lost while the connection is away, so the value counts as changed when it is back.
    changed();
    listened.isListening = true;
  };
  app.sql.listen(channel, changed, onListening).catch((error: unknown) => {
    app.log.warn(
      { err: error },
      `${channel} are not cached: the database cannot notify of changes`,
    );
  });
};

/**
 * Returns the value, as the same object until it changes. Jobs get it from the cache, too: no job follows from a change
 * of one, and lists of thousands of servers or emojis would otherwise be read for each delivery.
 */
export const listenedValue = <T>({ name, channel, key, read }: ListenedDefinition<T>) => {
  const listenedOf = perApp(name, (app) => {
    const listened = new Listened<T>();
    onInvalidateKey(app.sql, key, () => listened.clear());
    listen(app, { channel, key }, listened);
    return listened;
  });
  const readNow = (app: App): Promise<T> => read(sessionOf(baseApp(app).sql).sql);
  const get = (app: App): Promise<T> =>
    app.config.caches.enabled ? listenedOf(app).get(() => readNow(app)) : readNow(app);
  /** Starts to invalidate the key on changes by other processes. */
  const watch = (app: App): void => {
    if (app.config.caches.enabled) listenedOf(app);
  };
  return Object.assign(get, { watch });
};

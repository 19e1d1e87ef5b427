// Stored keys of remote actors. Requests that arrive together read their keys with one query, and the rows are cached
// (docs/design/inbox.md). A cached key only says who signed: what the actor may do is judged by the database when the
// activity is processed.

import type { App } from "../platform/app.ts";
import { BoundedCache, sizeOf } from "../platform/caches/bounded.ts";
import { perApp } from "../platform/caches/index.ts";
import { onInvalidateKinds } from "../platform/db/commits.ts";
import { selectKeys } from "./queries.ts";
import type { AskedKey, KeyRow } from "./queries.ts";

type Waiting = {
  key: AskedKey;
  resolve: (row: KeyRow | null) => void;
  reject: (error: unknown) => void;
};

const MAX_ASKED = 200;

/**
 * Keys by the key id of the request and its actor. Invalidation is by actor, whose key may be cached under several ids.
 */
class Keys extends BoundedCache<KeyRow> {
  /** Number of invalidations: a row that was read while one came is not cached. */
  changes = 0;

  invalidate(id: string): void {
    this.changes += 1;
    for (const [key, row] of this.values()) if (row.id === id) this.delete(key);
  }
}

const keysOf = perApp("stored keys", (app) => {
  const keys = new Keys(app.caches.room("stored keys"), sizeOf);
  onInvalidateKinds(app.sql, ["key"], (id) => keys.invalidate(id));
  return keys;
});

const waitingOf = perApp("stored keys being read", () => {
  const waiting: Waiting[] = [];
  return { waiting, entries: () => waiting.length };
});

const readBatch = async (app: App, batch: Waiting[]): Promise<void> => {
  const keys = keysOf(app);
  const before = keys.changes;
  try {
    const rows = await selectKeys(
      app.sql,
      batch.map(({ key }) => key),
    );
    const byNumber = new Map(rows.map(({ n, ...row }) => [n, row]));
    const mayCache = before === keys.changes && app.config.caches.enabled;
    for (const [n, { key, resolve }] of batch.entries()) {
      const row = byNumber.get(n) ?? null;
      // Keys of other actors than the signer are not cached, since anybody may ask for any number of them.
      if (mayCache && row?.uri === key.signer) keys.set(cacheKey(key), row);
      resolve(row);
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
};

const cacheKey = ({ keyId, signer }: AskedKey): string => `${keyId} ${signer}`;

/** Returns the actor with this key; null when it is not stored. */
export const storedKey = (app: App, key: AskedKey): Promise<KeyRow | null> | KeyRow => {
  const cached = keysOf(app).get(cacheKey(key));
  if (cached) return cached;
  const { waiting } = waitingOf(app);
  const { promise, resolve, reject } = Promise.withResolvers<KeyRow | null>();
  if (waiting.push({ key, resolve, reject }) === 1) {
    // This runs after all requests that were read from their sockets in this turn.
    setImmediate(() => {
      const all = waiting.splice(0);
      while (all.length > 0) void readBatch(app, all.splice(0, MAX_ASKED));
    });
  }
  return promise;
};

// Stored keys of remote actors. Requests that arrive together read theirs with one query, and the rows
// are cached (docs/decisions/0006-inbox.md). A cached key only says who signed: what the actor may do is
// judged by the database when the activity is processed.

import type { App } from "../platform/app.ts";
import { BoundedCache } from "../platform/caches/bounded.ts";
import { perApp } from "../platform/caches/index.ts";
import { sizeOf } from "../platform/caches/size.ts";
import { onInvalidate } from "../platform/db/invalidate.ts";
import type { CacheKey } from "../platform/db/invalidate.ts";
import { selectKeys } from "./queries.ts";
import type { AskedKey, KeyRow } from "./queries.ts";

type Waiting = {
  asked: AskedKey;
  resolve: (row: KeyRow | null) => void;
  reject: (error: unknown) => void;
};

const MAX_ASKED = 200;

/** By the key id of the request. Invalidation is by actor, whose key may be cached under several ids. */
class Keys extends BoundedCache<KeyRow> {
  /** Counts invalidations: a row that was read while one came is not cached. */
  changes = 0;

  invalidate(keys: ReadonlySet<CacheKey>): void {
    const ids = new Set<string>();
    for (const key of keys) if (key.startsWith("key:")) ids.add(key.slice(4));
    if (ids.size === 0) return;
    this.changes += 1;
    for (const [keyId, row] of this.values()) if (ids.has(row.id)) this.delete(keyId);
  }
}

const keysOf = perApp("stored keys", (app) => {
  const keys = new Keys(app.caches.budget("stored keys"), sizeOf);
  onInvalidate(app.sql, (changed) => keys.invalidate(changed));
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
      batch.map(({ asked }) => asked),
    );
    const byId = new Map(rows.map((row) => [row.asked, row]));
    if (before === keys.changes && app.config.caches.enabled) {
      for (const row of rows) keys.set(row.asked, row);
    }
    for (const { asked, resolve } of batch) resolve(byId.get(asked.keyId) ?? null);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
};

/** The actor with this key; null when it is not stored. */
export const storedKey = (app: App, asked: AskedKey): Promise<KeyRow | null> | KeyRow => {
  const cached = keysOf(app).get(asked.keyId);
  if (cached) return cached;
  const { waiting } = waitingOf(app);
  const { promise, resolve, reject } = Promise.withResolvers<KeyRow | null>();
  if (waiting.push({ asked, resolve, reject }) === 1) {
    // After all requests that were read from their sockets in this turn.
    setImmediate(() => {
      const all = waiting.splice(0);
      while (all.length > 0) void readBatch(app, all.splice(0, MAX_ASKED));
    });
  }
  return promise;
};

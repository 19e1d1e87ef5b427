// The keys that are stored. Requests that arrive together ask for theirs in one query, and what was
// found is kept until it changes (docs/decisions/0006-inbox.md). Only who signed is taken from here:
// whether they may do anything is judged again, from the database, when the activity is worked on.

import { LRUCache } from "lru-cache";
import type { App } from "../platform/app.ts";
import { onInvalidate } from "../platform/db/invalidate.ts";
import { selectKeys } from "./queries.ts";
import type { AskedKey, KeyRow } from "./queries.ts";

type Waiting = {
  asked: AskedKey;
  resolve: (row: KeyRow | null) => void;
  reject: (error: unknown) => void;
};

type Keys = {
  kept: LRUCache<string, KeyRow>;
  waiting: Waiting[];
  /** What changed while a query ran is not kept: it may have been read before. */
  changes: number;
};

const MAX_ASKED = 200;
const MAX_KEPT = 10_000;
/** So that it is noticed when an actor has to be read again. */
const KEPT_MS = 10 * 60 * 1000;
const keysOf = new WeakMap<App, Keys>();

const forget = (keys: Keys, changed: ReadonlySet<string>): void => {
  const ids = new Set<string>();
  for (const key of changed) {
    if (key === "all") keys.kept.clear();
    else if (key.startsWith("key:")) ids.add(key.slice(4));
    else continue;
    keys.changes += 1;
  }
  if (ids.size === 0) return;
  for (const [keyId, row] of keys.kept.entries()) if (ids.has(row.id)) keys.kept.delete(keyId);
};

const stateOf = (app: App): Keys => {
  const present = keysOf.get(app);
  if (present) return present;
  const kept = new LRUCache<string, KeyRow>({ max: MAX_KEPT, ttl: KEPT_MS });
  const keys: Keys = { kept, waiting: [], changes: 0 };
  onInvalidate(app.sql, (changed) => forget(keys, changed));
  keysOf.set(app, keys);
  return keys;
};

const ask = async (app: App, keys: Keys, batch: Waiting[]): Promise<void> => {
  const before = keys.changes;
  try {
    const rows = await selectKeys(
      app.sql,
      batch.map(({ asked }) => asked),
    );
    const byId = new Map(rows.map((row) => [row.asked, row]));
    if (before === keys.changes && app.config.caches.statuses) {
      for (const row of rows) keys.kept.set(row.asked, row);
    }
    for (const { asked, resolve } of batch) resolve(byId.get(asked.keyId) ?? null);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
};

/** The actor with this key; null when it is not known. */
export const storedKey = (app: App, asked: AskedKey): Promise<KeyRow | null> | KeyRow => {
  const keys = stateOf(app);
  const kept = keys.kept.get(asked.keyId);
  if (kept) return kept;
  const { promise, resolve, reject } = Promise.withResolvers<KeyRow | null>();
  if (keys.waiting.push({ asked, resolve, reject }) === 1) {
    // After all requests that were read from their sockets in this turn.
    setImmediate(() => {
      const all = keys.waiting.splice(0);
      while (all.length > 0) void ask(app, keys, all.splice(0, MAX_ASKED));
    });
  }
  return promise;
};

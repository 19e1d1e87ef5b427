// Statuses and their authors as they were last read, without any viewer's part. A change forgets
// them when it is committed (platform/db/changes.ts; docs/decisions/0003-status-cache.md).

import { LRUCache } from "lru-cache";
import type { App } from "../../platform/app.ts";
import { onChange } from "../../platform/db/changes.ts";
import type { ChangeKey } from "../../platform/db/changes.ts";
import type { Db } from "../../platform/db/index.ts";
import { loadAccounts } from "../accounts/load.ts";
import type { AccountView } from "../accounts/tables.ts";
import { selectStatuses } from "./queries.ts";
import type { StatusRow } from "./tables.ts";

type Cache = {
  statuses: LRUCache<string, StatusRow>;
  accounts: LRUCache<string, AccountView>;
  /** When each record last changed, in ticks: what was read before that is not kept. */
  changedAt: LRUCache<ChangeKey, number>;
  tick: number;
};

/** About 5 KB each with the texts made of them: some 60 MB when full. */
const MAX_STATUSES = 8_000;
const MAX_ACCOUNTS = 6_000;
/** Longer than any read takes at the worst: 50,000 changes later a read is long done. */
const MAX_CHANGES = 50_000;
/** A longer one is read each time rather than pushing out many others. */
const MAX_TEXT = 20_000;

const caches = new WeakMap<App, Cache>();

const forget = (cache: Cache, keys: ReadonlySet<ChangeKey>): void => {
  cache.tick += 1;
  for (const key of keys) {
    cache.changedAt.set(key, cache.tick);
    if (key === "all") {
      cache.statuses.clear();
      cache.accounts.clear();
    } else {
      const [kind, id] = key.split(":", 2);
      (kind === "status" ? cache.statuses : cache.accounts).delete(id!);
    }
  }
};

const makeCache = (app: App): Cache => {
  const cache: Cache = {
    statuses: new LRUCache({ max: MAX_STATUSES }),
    accounts: new LRUCache({ max: MAX_ACCOUNTS }),
    changedAt: new LRUCache({ max: MAX_CHANGES }),
    tick: 0,
  };
  onChange(app.sql, (keys) => forget(cache, keys));
  caches.set(app, cache);
  return cache;
};

/** Null where nothing may be kept: inside a transaction, or switched off. */
const cacheFor = (app: App, db: Db): Cache | null =>
  db === app.sql && app.config.caches.statuses ? (caches.get(app) ?? makeCache(app)) : null;

const isFresh = (cache: Cache, key: ChangeKey, readAt: number): boolean =>
  (cache.changedAt.get(key) ?? 0) <= readAt && (cache.changedAt.get("all") ?? 0) <= readAt;

const readStatuses = async (cache: Cache | null, db: Db, ids: string[]): Promise<StatusRow[]> => {
  const readAt = cache?.tick ?? 0;
  const rows = await selectStatuses(db, ids);
  for (const row of rows) {
    const small = row.content.length + row.text.length <= MAX_TEXT;
    if (cache && small && isFresh(cache, `status:${row.id}`, readAt)) {
      cache.statuses.set(row.id, row);
    }
  }
  return rows;
};

/** Rows by id, with those that they reblog; at most two queries, none when all are kept. */
export const keptStatuses = async (
  app: App,
  db: Db,
  ids: string[],
): Promise<Map<string, StatusRow>> => {
  const cache = cacheFor(app, db);
  const found = new Map<string, StatusRow>();
  const lookUp = async (wanted: string[]) => {
    const missing: string[] = [];
    for (const id of wanted) {
      const kept = cache?.statuses.get(id);
      if (kept) found.set(id, kept);
      else missing.push(id);
    }
    if (missing.length === 0) return;
    for (const row of await readStatuses(cache, db, missing)) found.set(row.id, row);
  };
  await lookUp([...new Set(ids)]);
  const targets = [...found.values()].flatMap((row) => row.reblog_of_id ?? []);
  await lookUp([...new Set(targets)].filter((id) => !found.has(id)));
  return found;
};

/** Views by id. */
export const keptAccounts = async (
  app: App,
  db: Db,
  ids: string[],
): Promise<Map<string, AccountView>> => {
  const cache = cacheFor(app, db);
  const found = new Map<string, AccountView>();
  for (const id of ids) {
    const kept = cache?.accounts.get(id);
    if (kept) found.set(id, kept);
  }
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  const readAt = cache?.tick ?? 0;
  for (const [id, view] of await loadAccounts(app, missing, db)) {
    found.set(id, view);
    // What is kept of an account that moved would not hear of changes of the other one.
    const mayKeep = view.moved_to === null && view.note_html.length <= MAX_TEXT;
    if (cache && mayKeep && isFresh(cache, `account:${id}`, readAt)) cache.accounts.set(id, view);
  }
  return found;
};

// Pages of public timelines as ids, as nobody in particular sees them, kept until a change may
// concern them (platform/db/invalidate.ts; docs/decisions/0005-pages-and-settings.md).

import { LRUCache } from "lru-cache";
import type { App } from "../../platform/app.ts";
import { onInvalidate } from "../../platform/db/invalidate.ts";

/**
 * What the list depends on. `authors`: who wrote what, and who may be shown: each new and each
 * deleted status notes a change of its author, and so does an edit (of language and media).
 * `anything`: also what else is done with statuses.
 */
export type Dependence = "authors" | "anything";

type Pages = LRUCache<string, string[]>;
type Cache = Record<Dependence, { pages: Pages; changes: number }>;

const MAX_PAGES = 500;

const caches = new WeakMap<App, Cache>();

const makeCache = (app: App): Cache => {
  const part = () => ({ pages: new LRUCache<string, string[]>({ max: MAX_PAGES }), changes: 0 });
  const cache: Cache = { authors: part(), anything: part() };
  const forget = (dependence: Dependence) => {
    cache[dependence].changes += 1;
    cache[dependence].pages.clear();
  };
  onInvalidate(app.sql, (keys) => {
    forget("anything");
    for (const key of keys) {
      if (key === "all" || key.startsWith("account:")) return forget("authors");
    }
  });
  caches.set(app, cache);
  return cache;
};

/** The kept page, or what `read` gives; a read that a change overtook is not kept. */
export const keptPage = async (
  app: App,
  key: string,
  dependence: Dependence,
  read: () => Promise<string[]>,
): Promise<string[]> => {
  if (!app.config.caches.statuses) return read();
  const cache = (caches.get(app) ?? makeCache(app))[dependence];
  const kept = cache.pages.get(key);
  if (kept) return kept;
  const { changes } = cache;
  const ids = await read();
  if (cache.changes === changes) cache.pages.set(key, ids);
  return ids;
};

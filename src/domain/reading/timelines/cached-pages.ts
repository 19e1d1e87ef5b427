// Caches pages of public timelines as ids, without a viewer, until a change may affect them (docs/design/caches.md).

import type { App } from "../../../platform/app.ts";
import { BoundedCache, sizeOf } from "../../../platform/caches/bounded.ts";
import { perApp } from "../../../platform/caches/index.ts";
import { onInvalidate } from "../../../platform/db/commits.ts";
import type { CacheKey } from "../../../platform/db/commits.ts";
import type { Walked } from "./queries.ts";

/**
 * Invalidations that drop a page: with `authors` those of accounts (each new, deleted or edited status invalidates its
 * author), with `anything` all.
 */
export type Dependency = "authors" | "anything";

class Pages extends BoundedCache<Walked> {
  /** Number of invalidations: a page during whose reading one came is not cached. */
  changes = 0;

  invalidate(): void {
    this.changes += 1;
    this.clear();
  }
}

const pagesOf = (name: string, concerns: (key: CacheKey) => boolean) =>
  perApp(name, (app) => {
    const pages = new Pages(app.caches.room(name), sizeOf);
    onInvalidate(app.sql, (keys) => {
      for (const key of keys) if (concerns(key)) return pages.invalidate();
    });
    return pages;
  });

const PAGES = {
  authors: pagesOf("public pages", (key) => key.startsWith("account:")),
  anything: pagesOf("tag pages", () => true),
};

/** Returns the cached page, or the result of `read`. */
export const cachedPage = async (
  app: App,
  key: string,
  dependency: Dependency,
  read: () => Promise<Walked>,
): Promise<Walked> => {
  if (!app.config.caches.enabled) return read();
  const pages = PAGES[dependency](app);
  const present = pages.get(key);
  if (present) return present;
  const { changes } = pages;
  const page = await read();
  if (pages.changes === changes) pages.set(key, page);
  return page;
};

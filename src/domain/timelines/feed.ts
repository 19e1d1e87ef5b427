// Feeds are read from the feeds port, and filled from SQL when they are missing: one rebuild at a time
// for each, however many ask.

import type { App } from "../../platform/app.ts";
import { singleFlight } from "../../platform/caches/single-flight.ts";
import type { Page } from "../../platform/db/paging.ts";

/** The ids in a feed, newest first, and by id what the boosts among them are boosts of. */
export type FeedContent = { ids: string[]; boosts: Map<string, string> };

/** A feed by its key, and how to read all of it. */
export type Feed = { key: string; read: () => Promise<FeedContent> };

const once = singleFlight("feeds being rebuilt");

const fill = async (app: App, { key, read }: Feed): Promise<void> => {
  if (!(await app.feeds.open(key))) return;
  try {
    const { ids, boosts } = await read();
    await app.feeds.fill(key, ids, boosts);
  } catch (error) {
    await app.feeds.drop([key]);
    throw error;
  }
};

/** Resolves when the feed is filled, or was dropped again meanwhile. */
export const rebuildFeed = (app: App, feed: Feed): Promise<void> =>
  once(app, feed.key, () => fill(app, feed));

const waitFor = async (work: Promise<void>, timeoutMs: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
};

/** A page of ids, newest first; null when the feed is not filled after `timeoutMs`. */
export const feedPage = async (
  app: App,
  feed: Feed,
  page: Page,
  timeoutMs: number,
): Promise<string[] | null> => {
  const ready = await app.feeds.page(feed.key, page);
  if (ready) return ready;
  await waitFor(rebuildFeed(app, feed), timeoutMs);
  return app.feeds.page(feed.key, page);
};

// Reads feeds from the feeds port, and fills missing ones from SQL: one rebuild at a time for each, however many
// callers wait. The newest part of a home is read first, and the rest when somebody pages.

import type { App } from "../../../platform/app.ts";
import { perApp } from "../../../platform/caches/index.ts";
import { singleFlight } from "../../../platform/caches/single-flight.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { FeedContent } from "../../../platform/feeds/index.ts";

/** A feed: its key, and how to read all of it, and its newest part. */
export type Feed = {
  key: string;
  read: () => Promise<FeedContent>;
  readRecent?: () => Promise<FeedContent>;
};

const begun = singleFlight("feeds being begun");
const rebuilt = singleFlight("feeds being rebuilt");

const nothing = async (): Promise<void> => {};

/** Resolves when the feed is filled, or was changed meanwhile so that it may be missing again. */
export const rebuildFeed = (app: App, { key, read }: Feed): Promise<void> =>
  rebuilt(app, key, async () => {
    // Its newest part may be read at the moment: only one read runs at a time.
    await begun(app, key, nothing).catch(nothing);
    await app.feeds.fill(key, read);
  });

/** Feeds that are completed at the same time. */
const MAX_COMPLETING = 2;
/** Feeds that may wait to be completed; others are when somebody pages beyond what they have. */
const MAX_WAITING = 10_000;

const completing = perApp("feeds to be completed", () => {
  const waiting = new Map<string, Feed>();
  return { waiting, running: 0, entries: () => waiting.size };
});

const completeNext = async (app: App): Promise<void> => {
  const queue = completing(app);
  for (const [key, feed] of queue.waiting) {
    queue.waiting.delete(key);
    await rebuildFeed(app, feed).catch((error: unknown) =>
      app.log.warn({ err: error, feed: key }, "a feed could not be completed"),
    );
  }
  queue.running -= 1;
};

/** Reads the rest of a feed that is filled in part, after the response. */
const complete = (app: App, feed: Feed): void => {
  const queue = completing(app);
  if (queue.waiting.size >= MAX_WAITING) return;
  queue.waiting.set(feed.key, feed);
  if (queue.running >= MAX_COMPLETING) return;
  queue.running += 1;
  void completeNext(app);
};

/** Returns a page of what exists; null when that is not enough. */
const presentPage = async (app: App, feed: Feed, page: Page): Promise<string[] | null> => {
  const ids = await app.feeds.page(feed.key, page, !app.fresh);
  if (!ids || page.maxId === null) return ids;
  // Somebody pages down, perhaps to the end of the part that exists.
  const further = await app.feeds.page(feed.key, { ...page, limit: page.limit * 3 }, true);
  if (further === null) complete(app, feed);
  return ids;
};

const within = async (work: Promise<void>, timeoutMs: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
};

/** Returns a page of ids, newest first; null when the feed is not filled that far after `timeoutMs`. */
export const feedPage = async (
  app: App,
  feed: Feed,
  page: Page,
  timeoutMs: number,
): Promise<string[] | null> => {
  const { key, readRecent } = feed;
  const ready = await presentPage(app, feed, page);
  if (ready) return ready;
  if (readRecent && (await app.feeds.state(key)) === "missing") {
    await within(
      begun(app, key, () => app.feeds.fill(key, readRecent)),
      timeoutMs,
    );
    const recent = await presentPage(app, feed, page);
    if (recent) return recent;
  }
  await within(rebuildFeed(app, feed), timeoutMs);
  return app.feeds.page(key, page);
};

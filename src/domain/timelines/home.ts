// The home feed: read from the feeds port, rebuilt from SQL when it is missing.

import type { App } from "../../platform/app.ts";
import { parsePage } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import { selectHome } from "./queries.ts";

export const homeKey = (accountId: string): string => `home:${accountId}`;

/** How long a request waits for its feed before it answers 206. */
const PATIENCE_MS = 1000;

const rebuilds = new WeakMap<App, Map<string, Promise<void>>>();

const fillFeed = async (app: App, accountId: string): Promise<void> => {
  const key = homeKey(accountId);
  if (!(await app.feeds.open(key))) return;
  try {
    await app.feeds.fill(key, await selectHome(app.sql, accountId));
  } catch (error) {
    await app.feeds.drop([key]);
    throw error;
  }
};

/** One rebuild at a time per person, however many ask. */
export const rebuildHome = (app: App, accountId: string): Promise<void> => {
  const running = rebuilds.get(app) ?? new Map<string, Promise<void>>();
  rebuilds.set(app, running);
  const present = running.get(accountId);
  if (present) return present;
  const work = fillFeed(app, accountId).finally(() => running.delete(accountId));
  running.set(accountId, work);
  return work;
};

const waitFor = async (work: Promise<void>): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, PATIENCE_MS);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
};

/** A page of ids, newest first; null while the feed is still being made. */
export const homePage = async (
  app: App,
  accountId: string,
  page: Page = parsePage({}, 20),
): Promise<string[] | null> => {
  const key = homeKey(accountId);
  const ready = await app.feeds.page(key, page);
  if (ready) return ready;
  await waitFor(rebuildHome(app, accountId));
  return app.feeds.page(key, page);
};

/** Forgets the feed: what it holds may have changed (a follow, a block, a mute). */
export const dropHome = (app: App, ...accountIds: string[]): Promise<void> =>
  app.feeds.drop(accountIds.map(homeKey));

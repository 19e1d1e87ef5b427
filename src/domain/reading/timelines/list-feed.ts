// Reads the feed of a list: statuses of those of its members who are followed.

import type { App } from "../../../platform/app.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { listKey } from "../../people/relationships/changed.ts";
import { feedPage } from "./feed.ts";
import type { Feed } from "./feed.ts";
import { selectListFeed } from "./queries-home.ts";

/** Milliseconds that a request waits; unlike home, the API has no response for a list that is being rebuilt. */
const TIMEOUT_MS = 10_000;
/** Tries for a feed that changes drop again and again. */
const TRIES = 3;

export const listFeed = (app: App, listId: string): Feed => ({
  key: listKey(listId),
  read: () => selectListFeed(app.sql, listId),
});

/** Returns a page of ids, newest first. */
export const listPage = async (app: App, listId: string, page: Page): Promise<string[]> => {
  const feed = listFeed(app, listId);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const ids = await feedPage(app, feed, page, TIMEOUT_MS);
    if (ids) return ids;
  }
  return [];
};

// Reads the home feed: statuses of the people and with the hashtags that one follows, and one's own.

import type { App } from "../../../platform/app.ts";
import { parsePage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { beginRefresh, finishRefresh } from "../../base/refreshes/refreshes.ts";
import type { Refresh } from "../../base/refreshes/refreshes.ts";
import { homeKey } from "../../people/relationships/changed.ts";
import { feedPage, rebuildFeed } from "./feed.ts";
import type { Feed } from "./feed.ts";
import { selectHome, selectRecentHome } from "./queries-home.ts";

/** Milliseconds that a request waits for its feed before it gets 206. */
const TIMEOUT_MS = 1000;

export const homeFeed = (app: App, accountId: string): Feed => ({
  key: homeKey(accountId),
  read: () => selectHome(app.sql, accountId),
  readRecent: () => selectRecentHome(app.sql, accountId),
});

const rebuildHome = (app: App, accountId: string): Promise<void> =>
  rebuildFeed(app, homeFeed(app, accountId));

/** Returns the refresh of a feed that is being rebuilt, for the header of a response with 206. */
export const homeRefresh = async (app: App, accountId: string): Promise<Refresh> => {
  const subject = homeKey(accountId);
  const { refresh, isNew } = await beginRefresh(app, subject);
  const finish = () => finishRefresh(app, subject);
  // Finishes also when it fails, since clients would wait for nothing.
  if (isNew) void rebuildHome(app, accountId).then(finish, finish);
  return refresh;
};

/** Returns a page of ids, newest first; null while the feed is still being rebuilt. */
export const homePage = (app: App, accountId: string, page: Page = parsePage({}, 20)) =>
  feedPage(app, homeFeed(app, accountId), page, TIMEOUT_MS);

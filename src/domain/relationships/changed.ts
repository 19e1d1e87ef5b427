// What has to be forgotten at once when relations change: feeds (they are rebuilt when next read) and
// what open streams know of blocks, mutes and follows.

import type { App } from "../../platform/app.ts";
import { isoTime } from "../../platform/ids/index.ts";
import { selectListIds } from "./queries-feeds.ts";

/** Where the open streams of a person hear of it. */
export const relationsChannel = (accountId: string): string => `relations:${accountId}`;

/** Where a person's home, and one of their lists, stand among the feeds (platform/feeds). */
export const homeKey = (accountId: string): string => `home:${accountId}`;
export const listKey = (listId: string): string => `list:${listId}`;

/** The homes and lists of these people are made anew when next read. */
export const forgetFeeds = async (app: App, accountIds: string[]): Promise<void> => {
  const lists = accountIds.length > 0 ? await selectListIds(app.sql, accountIds) : [];
  await app.feeds.drop([...accountIds.map(homeKey), ...lists.map(listKey)]);
};

/** Call it after the commit, for everybody whose view changed. */
export const relationsChanged = async (app: App, ...accountIds: string[]): Promise<void> => {
  const at = isoTime(app.clock.now());
  await forgetFeeds(app, accountIds);
  await Promise.all(accountIds.map((id) => app.pubsub.publish(relationsChannel(id), { at })));
};

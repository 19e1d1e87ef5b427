// Invalidates what depends on relations: feeds (rebuilt when next read), and what open streams know of blocks, mutes
// and follows.

import type { App } from "../../../platform/app.ts";
import { invalidate } from "../../../platform/db/commits.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { selectListIds } from "./queries.ts";

/** Returns the channel on which a person's open streams are notified. */
export const relationsChannel = (accountId: string): string => `relations:${accountId}`;

/** Return the keys of a person's home and of a list among the feeds (platform/feeds). */
export const homeKey = (accountId: string): string => `home:${accountId}`;
export const listKey = (listId: string): string => `list:${listId}`;

/** Drops the homes and lists of these people, which are rebuilt when next read. */
export const invalidateFeeds = async (app: App, accountIds: string[]): Promise<void> => {
  const lists = accountIds.length > 0 ? await selectListIds(app.sql, accountIds) : [];
  await app.feeds.drop([...accountIds.map(homeKey), ...lists.map(listKey)]);
  // Requests wait for this message, and processes get it after they were told that their copies have changed.
  invalidate(app.sql, "feeds:");
};

/** Drops feeds and notifies streams; must be called after the commit, with everybody whose view changed. */
export const relationsChanged = async (app: App, ...accountIds: string[]): Promise<void> => {
  const at = isoTime(app.clock.now());
  await invalidateFeeds(app, accountIds);
  await Promise.all(accountIds.map((id) => app.pubsub.publish(relationsChannel(id), { at })));
};

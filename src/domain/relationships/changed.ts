// What has to be forgotten at once when relations change: home feeds (they are rebuilt when next
// read) and what open streams know of blocks, mutes and follows.

import type { App } from "../../platform/app.ts";
import { isoTime } from "../../platform/ids/index.ts";

/** Where the open streams of a person hear of it. */
export const relationsChannel = (accountId: string): string => `relations:${accountId}`;

/** Call it after the commit, for everybody whose view changed. */
export const relationsChanged = async (app: App, ...accountIds: string[]): Promise<void> => {
  const at = isoTime(app.clock.now());
  await app.feeds.drop(accountIds.map((id) => `home:${id}`));
  await Promise.all(accountIds.map((id) => app.pubsub.publish(relationsChannel(id), { at })));
};

// Publishing new notifications to open streams.

import type { App } from "../../platform/app.ts";
import { publishToUsers, userChannel } from "../timelines/streams.ts";
import type { NotificationCreated } from "./events.ts";
import { findNotifications } from "./load.ts";
import { notificationEntity } from "./present.ts";

/** Those whose recipients have an open stream. */
const withListeners = async (app: App, created: NotificationCreated[]) => {
  const channels = [...new Set(created.map(({ accountId }) => userChannel(accountId)))];
  const listening = new Set(await app.pubsub.withListeners(channels));
  return created.filter(({ accountId }) => listening.has(userChannel(accountId)));
};

/** Leaves out those that were retracted or are hidden by now. */
export const streamNotifications = async (
  app: App,
  created: NotificationCreated[],
): Promise<void> => {
  const ids = (await withListeners(app, created)).map(({ id }) => id);
  if (ids.length === 0) return;
  for (const view of await findNotifications(app, ids)) {
    const payload = JSON.stringify(notificationEntity(view, app.config.site));
    await publishToUsers(app, [view.account_id], { event: "notification", payload });
  }
};

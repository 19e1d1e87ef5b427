// Publishing new notifications to open streams.

import type { App } from "../../platform/app.ts";
import { withListeners } from "../timelines/own-streams.ts";
import { publishToUsers, userChannel } from "../timelines/streams.ts";
import type { NotificationCreated } from "./events.ts";
import { findNotifications } from "./load.ts";
import { notificationEntity } from "./present.ts";

/** Leaves out those that were retracted or are hidden by now. */
export const streamNotifications = async (
  app: App,
  created: NotificationCreated[],
): Promise<void> => {
  const streams = created.map(({ id, accountId }) => ({ id, channel: userChannel(accountId) }));
  const ids = (await withListeners(app, streams)).map(({ id }) => id);
  if (ids.length === 0) return;
  for (const view of await findNotifications(app, ids)) {
    const payload = JSON.stringify(notificationEntity(view, app.config.site));
    await publishToUsers(app, [view.account_id], { event: "notification", payload });
  }
};

// Handlers of the notifications slice's jobs.

import type { App } from "../../platform/app.ts";
import { publishToUsers } from "../timelines/streams.ts";
import type { NotificationCreated } from "./events.ts";
import { findNotification } from "./load.ts";
import { notificationEntity } from "./present.ts";

/** Tells the open streams of the recipient; one that was retracted or is hidden by now is not told. */
export const deliverNotification = async (app: App, { id }: NotificationCreated): Promise<void> => {
  const view = await findNotification(app, id);
  if (!view) return;
  const payload = JSON.stringify(notificationEntity(view, app.config.site));
  await publishToUsers(app, [view.account_id], { event: "notification", payload });
};

// Somebody has a new notification: it goes onto their open streams.

import type { EventFlow } from "../platform/outbox/worker.ts";
import type { NotificationCreated } from "../domain/notifications/events.ts";
import { streamNotifications } from "../domain/notifications/tasks.ts";

export const notificationCreated: EventFlow<"notification.created", NotificationCreated> = {
  key: ({ id }) => id,
  load: async (_app, created) => created,
  steps: { stream: streamNotifications },
};

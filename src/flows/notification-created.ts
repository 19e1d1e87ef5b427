// New notifications: published to the open streams of their owners.

import type { EventFlow } from "../platform/outbox/worker.ts";
import type { NotificationCreated } from "../domain/notifications/events.ts";
import { streamNotifications } from "../domain/notifications/tasks.ts";

export const notificationCreated: EventFlow<"notification.created", NotificationCreated> = {
  key: ({ id }) => id,
  load: async (_app, created) => created,
  steps: { stream: streamNotifications },
};

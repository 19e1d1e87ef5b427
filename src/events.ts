// Every event and what follows from it: the index of what is worked in batches after a commit. Payloads
// are declared where the event is written.

import type { EventTable } from "./platform/outbox/worker.ts";
import { notificationCreated } from "./flows/notification-created.ts";
import { statusCreated } from "./flows/status-created.ts";
import { statusFavourited, statusUnfavourited } from "./flows/status-favourited.ts";
import { statusRemoved } from "./flows/status-removed.ts";

export const eventTable: EventTable = {
  "status.created": statusCreated,
  "status.removed": statusRemoved,
  "status.favourited": statusFavourited,
  "status.unfavourited": statusUnfavourited,
  "notification.created": notificationCreated,
};

// Every event and its flow: the index of the work that follows a commit in batches. Payloads are declared
// where the event is written.

import type { EventTable } from "./platform/outbox/worker.ts";
import { streamNotifications } from "./domain/notifications/tasks.ts";
import { withdrawHidden } from "./domain/timelines/hidden.ts";
import { statusCreated } from "./flows/status-created.ts";
import { statusFavourited, statusUnfavourited } from "./flows/status-favourited.ts";
import { statusRemoved } from "./flows/status-removed.ts";

export const eventTable: EventTable = {
  "status.created": statusCreated,
  "status.removed": statusRemoved,
  "status.favourited": statusFavourited,
  "status.unfavourited": statusUnfavourited,
  "account.hidden": {
    key: ({ accountId }) => accountId,
    load: async (_app, hidden) => hidden,
    steps: { withdraw: withdrawHidden },
  },
  "notification.created": {
    key: ({ id }) => id,
    load: async (_app, created) => created,
    steps: { stream: streamNotifications },
  },
};

// Every event and its flow: the index of the work that follows a commit in batches. Payloads are declared
// where the event is written.

import type { EventTable } from "./platform/outbox/worker.ts";
import { retractReblogs, streamNotifications } from "./domain/notifications/notify.ts";
import { enqueueMails } from "./domain/mails/send.ts";
import { enqueuePushes } from "./domain/push/send.ts";
import { wideAuthors } from "./domain/timelines/cached-readers.ts";
import { withdraw } from "./domain/timelines/fanout.ts";
import { withdrawHidden } from "./domain/timelines/hidden.ts";
import { statusAwaiting } from "./flows/approvals.ts";
import { deliverRemoved } from "./flows/deliver-status.ts";
import { eventAnswered } from "./flows/events.ts";
import { accountFollowed } from "./flows/relations.ts";
import { statusBackfilled, statusCreated } from "./flows/status-created.ts";
import { statusFavourited, statusUnfavourited } from "./flows/status-favourited.ts";

export const eventTable: EventTable = {
  "status.created": statusCreated,
  "status.backfilled": statusBackfilled,
  "status.awaiting": statusAwaiting,
  "status.removed": {
    key: ({ id }) => id,
    load: async (_app, removed) => removed,
    steps: { withdraw, retract: retractReblogs, deliver: deliverRemoved },
    lines: {
      of: (app, removed) =>
        wideAuthors(
          app,
          removed.map(({ accountId }) => accountId),
        ),
      payload: (removed) => removed,
    },
  },
  "status.favourited": statusFavourited,
  "status.unfavourited": statusUnfavourited,
  "event.answered": eventAnswered,
  "account.followed": accountFollowed,
  "account.hidden": {
    key: ({ accountId }) => accountId,
    load: async (_app, hidden) => hidden,
    steps: { withdraw: withdrawHidden },
  },
  "notification.created": {
    key: ({ id }) => id,
    load: async (_app, created) => created,
    steps: { stream: streamNotifications, push: enqueuePushes, mail: enqueueMails },
  },
};

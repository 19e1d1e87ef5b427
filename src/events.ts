// Every event and its flow: the index of the work that follows a commit in batches. Payloads are declared
// where the event is written.

import type { EventTable } from "./platform/outbox/worker.ts";
import { retractReblogs, streamNotifications } from "./domain/reading/notifications/notify.ts";
import { enqueueMails } from "./domain/reading/mails/send.ts";
import { enqueuePushes } from "./domain/reading/push/send.ts";
import { wideAuthors } from "./domain/reading/timelines/cached-readers.ts";
import { withdraw } from "./domain/reading/timelines/fanout.ts";
import { withdrawHidden } from "./domain/reading/timelines/hidden.ts";
import { shareRemoved } from "./federation/fasp/sharing.ts";
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
    steps: { withdraw, retract: retractReblogs, deliver: deliverRemoved, providers: shareRemoved },
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

// Statuses were deleted, or reblogs undone: they leave feeds and streams, their notifications are
// deleted, other servers get a Delete or an Undo.

import type { App } from "../platform/app.ts";
import type { EventFlow } from "../platform/outbox/worker.ts";
import { retract } from "../domain/notifications/notify.ts";
import type { RemovedStatus } from "../domain/statuses/events.ts";
import { withdraw } from "../domain/timelines/fanout.ts";
import { deliverRemoved } from "./deliver-status.ts";

/** For reblogs alone: the notifications of a deleted status are deleted with its row. */
const retractReblogs = (app: App, removed: RemovedStatus[]): Promise<void> =>
  retract(
    app.sql,
    removed.flatMap(({ accountId: fromId, reblogOfId: statusId }) =>
      statusId === null ? [] : [{ fromId, type: "reblog" as const, statusId }],
    ),
  );

export const statusRemoved: EventFlow<"status.removed", RemovedStatus> = {
  key: ({ id }) => id,
  load: async (_app, removed) => removed,
  steps: { withdraw, retract: retractReblogs, deliver: deliverRemoved },
};

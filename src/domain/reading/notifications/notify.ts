// Notifies people of acts, publishes new notifications to open streams, and deletes the notification when the act is
// undone.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { addDays } from "../../../platform/ids/index.ts";
import type { DeleteSlice } from "../../../platform/jobs/retention.ts";
import { publishEvents } from "../../../platform/outbox/emit.ts";
import type { RemovedStatus } from "../../posts/statuses/removed.ts";
import { userChannel } from "../../people/accounts/own-stream.ts";
import { withListeners, publishToUsers } from "../timelines/streams.ts";
import type { NotificationCreated } from "./events.ts";
import { findNotifications } from "./load.ts";
import { notificationEntity } from "./present.ts";
import {
  deleteNotificationsBefore,
  deleteReplaced,
  deleteUndoneOfAccounts,
  deleteUndoneOfStatuses,
} from "./queries.ts";
import { invalidateOf, insertNotifications } from "./queries-notify.ts";
import type { Notice, Undone } from "./tables.ts";

export { deleteNotificationsOf } from "./queries.ts";
export { updateReacted } from "./queries-notify.ts";

/**
 * Notifies each recipient once, however often it is called, with the event `notification.created` for each new
 * notification. Recipients who may not know of the act, or do not want to, are left out (queries-notify.ts). Takes one
 * statement for any number, and one more where some replace older ones.
 */
export const notify = async (app: App, db: Db, notices: Notice[]): Promise<void> => {
  if (notices.length === 0) return;
  const replacing = notices.filter((notice) => notice.replaceBefore);
  if (replacing.length > 0) await deleteReplaced(db, replacing);
  const owner = app.outbox.owner();
  const events = await insertNotifications(db, notices, app.clock.now(), owner);
  invalidateOf(
    db,
    events.map(({ payload }) => payload.accountId),
  );
  publishEvents(app, db, [...events]);
};

/** Deletes a slice of notifications beyond the age that the administrator set. */
export const deleteOldNotifications: DeleteSlice = async (app, now) => {
  const { notificationDays } = app.config.retention;
  if (notificationDays === 0) return false;
  return deleteNotificationsBefore(app.sql, addDays(now, -notificationDays));
};

/** Publishes them to the open streams of their recipients, but not those retracted or hidden since. */
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

/** Deletes the notifications of undone acts, except for acts that were done again. */
export const retract = async (db: Db, undone: Undone[]): Promise<void> => {
  const ofStatuses = undone.filter((act) => "statusId" in act);
  const ofAccounts = undone.filter((act) => !("statusId" in act));
  if (ofStatuses.length > 0) await deleteUndoneOfStatuses(db, ofStatuses);
  if (ofAccounts.length > 0) await deleteUndoneOfAccounts(db, ofAccounts);
};

/** Handles deleted reblogs; the notifications of other deleted statuses are deleted with their rows. */
export const retractReblogs = (app: App, removed: RemovedStatus[]): Promise<void> =>
  retract(
    app.sql,
    removed.flatMap(({ accountId: fromId, reblogOfId: statusId }) =>
      statusId === null ? [] : [{ fromId, type: "reblog" as const, statusId }],
    ),
  );

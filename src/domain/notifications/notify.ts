// Notifying people of acts, and deleting the notification when the act is undone.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { addDays } from "../../platform/ids/index.ts";
import type { DeleteSlice } from "../../platform/jobs/retention.ts";
import { announce } from "../../platform/outbox/index.ts";
import {
  deleteNotificationsBefore,
  deleteReplaced,
  deleteUndoneOfAccounts,
  deleteUndoneOfStatuses,
  insertNotifications,
} from "./queries.ts";
import type { Notice, Undone } from "./tables.ts";

/**
 * Notifies each recipient, once however often it is called, with the event `notification.created` for each
 * new notification. Recipients who may not know of the act, or do not want to, are left out (queries.ts).
 * One statement for any number; one more where some replace older ones.
 */
export const notify = async (app: App, db: Db, notices: Notice[]): Promise<void> => {
  if (notices.length === 0) return;
  const replacing = notices.filter((notice) => notice.replaceBefore);
  if (replacing.length > 0) await deleteReplaced(db, replacing);
  const claimed = app.outbox.isAttached();
  const events = await insertNotifications(db, notices, app.clock.now(), claimed);
  announce(app, db, [...events]);
};

/** A slice of those that are older than the administrator wants them. */
export const deleteOldNotifications: DeleteSlice = async (app, now) => {
  const { notificationDays } = app.config.retention;
  if (notificationDays === 0) return false;
  return deleteNotificationsBefore(app.sql, addDays(now, -notificationDays));
};

/** Deletes the notifications of undone acts; those of acts that were done again stay. */
export const retract = async (db: Db, undone: Undone[]): Promise<void> => {
  const ofStatuses = undone.filter((one) => "statusId" in one);
  const ofAccounts = undone.filter((one) => !("statusId" in one));
  if (ofStatuses.length > 0) await deleteUndoneOfStatuses(db, ofStatuses);
  if (ofAccounts.length > 0) await deleteUndoneOfAccounts(db, ofAccounts);
};

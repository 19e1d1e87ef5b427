// Notifying people of acts, and deleting the notification when the act is undone.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { announce } from "../../platform/outbox/index.ts";
import {
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

/** Deletes the notifications of undone acts; those of acts that were done again stay. */
export const retract = async (db: Db, undone: Undone[]): Promise<void> => {
  const ofStatuses = undone.filter((one) => "statusId" in one);
  const ofAccounts = undone.filter((one) => !("statusId" in one));
  if (ofStatuses.length > 0) await deleteUndoneOfStatuses(db, ofStatuses);
  if (ofAccounts.length > 0) await deleteUndoneOfAccounts(db, ofAccounts);
};

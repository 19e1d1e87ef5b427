// Notifying people of what happened, and taking it back when the act is undone.

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
 * Notifies each recipient, once however often it is called, with the event `notification.created` for
 * each that is new. Left out is who may not know of it or does not want to (queries.ts). One statement,
 * however many; one more where some replace older ones.
 */
export const notify = async (app: App, db: Db, notices: Notice[]): Promise<void> => {
  if (notices.length === 0) return;
  const replacing = notices.filter((notice) => notice.replaceBefore);
  if (replacing.length > 0) await deleteReplaced(db, replacing);
  const claimed = app.outbox.isAttached();
  const events = await insertNotifications(db, notices, app.clock.now(), claimed);
  announce(app, db, [...events]);
};

/** Removes the notifications of acts that are undone; those that were done again since stay. */
export const retract = async (db: Db, undone: Undone[]): Promise<void> => {
  const ofStatuses = undone.filter((one) => "statusId" in one);
  const ofAccounts = undone.filter((one) => !("statusId" in one));
  if (ofStatuses.length > 0) await deleteUndoneOfStatuses(db, ofStatuses);
  if (ofAccounts.length > 0) await deleteUndoneOfAccounts(db, ofAccounts);
};

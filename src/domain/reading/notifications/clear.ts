// Clears all one's notifications: at once for the person, in slices in the database.

import type { App } from "../../../platform/app.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import "./events.ts";
import { deleteClearedSlice, deleteOwnSlice, forgetCleared, markCleared } from "./queries.ts";

const optionsOf = (accountId: string) => ({
  key: `notifications.cleared:${accountId}`,
  priority: 10,
});

export const clearNotifications = (app: App, accountId: string): Promise<void> =>
  app.sql.begin(async (tx) => {
    if (!(await deleteOwnSlice(tx, accountId))) return;
    await markCleared(tx, accountId);
    await app.jobs.add(tx, "notifications.cleared", { accountId }, optionsOf(accountId));
  });

/** Handles the job `notifications.cleared` slice by slice, so that other jobs run in between. */
export const onNotificationsCleared: JobHandler<"notifications.cleared"> = async (
  app,
  { accountId },
) => {
  if (!(await deleteClearedSlice(app.sql, accountId))) return forgetCleared(app.sql, accountId);
  await app.jobs.add(app.sql, "notifications.cleared", { accountId }, optionsOf(accountId));
};

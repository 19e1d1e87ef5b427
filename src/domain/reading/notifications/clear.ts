// Clears all one's notifications, at once for the person, and puts away those of whoever is hidden: in slices in the
// database.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import "./events.ts";
import { deleteClearedSlice, deleteOwnSlice, judgeSlice } from "./queries.ts";
import { forgetCleared, markCleared } from "./queries.ts";

/** Enqueues the job once, however often it is wanted. */
const wantCleared = (app: App, db: Db, accountId: string): Promise<void> => {
  const options = { priority: 10, key: `notifications.cleared:${accountId}` };
  return app.jobs.add(db, "notifications.cleared", { accountId }, options);
};

export const clearNotifications = (app: App, accountId: string): Promise<void> =>
  app.sql.begin(async (tx) => {
    if (!(await deleteOwnSlice(tx, accountId))) return;
    await markCleared(tx, accountId);
    await wantCleared(app, tx, accountId);
  });

/** Handles the job `notifications.cleared` slice by slice, so that other jobs run in between. */
export const onNotificationsCleared: JobHandler<"notifications.cleared"> = async (
  app,
  { accountId },
) => {
  if (!(await deleteClearedSlice(app.sql, accountId))) return forgetCleared(app.sql, accountId);
  await wantCleared(app, app.sql, accountId);
};

/**
 * Handles the job that triggers enqueue when somebody may be hidden from a recipient, or shown again, slice by slice:
 * until then pages leave out what is hidden, and read past it.
 */
export const onNotificationsHidden: JobHandler<"notifications.hidden"> = async (app, judged) => {
  if (!(await app.sql.begin((tx) => judgeSlice(tx, judged, app.clock.now())))) return;
  await app.jobs.add(app.sql, "notifications.hidden", judged, { priority: 10 });
};

// Clears all one's notifications, at once for the person, and those of whoever is hidden: in slices in the database.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import type { Hidden } from "../../people/relationships/events.ts";
import "./events.ts";
import { deleteClearedSlice, deleteHiddenSlice, deleteOwnSlice } from "./queries.ts";
import { forgetCleared, markCleared } from "./queries.ts";

type Job = "notifications.cleared" | "notifications.hidden";

/** Enqueues the job of each account, once however often it is wanted. */
const want = (app: App, db: Db, job: Job, accountIds: string[], runAt?: Date): Promise<void> => {
  const options = { priority: 10, ...(runAt && { runAt }) };
  const jobs = accountIds.map((accountId) => ({
    payload: { accountId },
    key: `${job}:${accountId}`,
    ...options,
  }));
  return app.jobs.addMany(db, job, jobs);
};

export const clearNotifications = (app: App, accountId: string): Promise<void> =>
  app.sql.begin(async (tx) => {
    if (!(await deleteOwnSlice(tx, accountId))) return;
    await markCleared(tx, accountId);
    await want(app, tx, "notifications.cleared", [accountId]);
  });

/** Handles the job `notifications.cleared` slice by slice, so that other jobs run in between. */
export const onNotificationsCleared: JobHandler<"notifications.cleared"> = async (
  app,
  { accountId },
) => {
  if (!(await deleteClearedSlice(app.sql, accountId))) return forgetCleared(app.sql, accountId);
  await want(app, app.sql, "notifications.cleared", [accountId]);
};

/** Time within which a block or a mute can be undone, and nothing is lost. */
const UNDONE_WITHIN_MS = 10 * 60_000;

/** Has notifications by those whom people hide deleted; until then, pages leave them out. */
export const forgetHidden = (app: App, hidden: Hidden[]): Promise<void> => {
  const accountIds = hidden.map(({ accountId }) => accountId);
  const runAt = new Date(app.clock.now().getTime() + UNDONE_WITHIN_MS);
  return want(app, app.sql, "notifications.hidden", accountIds, runAt);
};

/** Handles the job `notifications.hidden` slice by slice; one is enough, however many somebody has hidden meanwhile. */
export const onNotificationsHidden: JobHandler<"notifications.hidden"> = async (
  app,
  { accountId },
) => {
  if (!(await deleteHiddenSlice(app.sql, accountId, app.clock.now()))) return;
  await want(app, app.sql, "notifications.hidden", [accountId]);
};

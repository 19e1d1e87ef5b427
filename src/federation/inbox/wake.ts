// Wakes the workers of the inbox. Where there is no worker at all, one job for all that waits does the work (commands
// and tests).

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { isHere, wakeAll } from "../../platform/wake.ts";
import "../events.ts";

/** Whether there is a worker, in this process or another. */
const hasWorker = (app: App): boolean => isHere(app, "inbox") || !app.process.isAlone;

/** Wakes workers; returns false if there is none. Each of several has a part of the inbox. */
export const wakeWorkers = (app: App): boolean => {
  wakeAll(app, "inbox");
  return hasWorker(app);
};

/**
 * Runs `store`, which says whether something is new, and wakes the worker after its commit. A worker in this process
 * needs no job: at its start it looks for what a dead process left.
 */
export const wakeInbox = async (app: App, store: (db: Db) => Promise<boolean>): Promise<void> => {
  if (hasWorker(app)) {
    if (await store(app.sql)) wakeWorkers(app);
    return;
  }
  await app.sql.begin(async (tx) => {
    if (await store(tx)) await app.jobs.add(tx, "activity.received", {}, { key: "inbox:all" });
  });
};

// Waking the workers of the inbox: by a call in this process, those of others by a notification. Where there is no
// worker at all, one job for all that waits does the work (commands and tests).

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { notifyWorkers, wakeable } from "../../platform/wake.ts";
import "../events.ts";

const worker = wakeable("inbox worker");

/** Calls `wake` whenever activities were stored; gives the function that ends this. */
export const onIncoming = worker.attach;

/** The NOTIFY channel that workers listen to, where there are several. */
export const INBOX_CHANNEL = "inbox";

/** False: there is no worker. Of several each has a part of the inbox. */
export const wakeWorkers = (app: App): boolean => {
  const wake = worker.wakeOf(app);
  wake?.();
  if (!app.process.isAlone) notifyWorkers(app, INBOX_CHANNEL);
  return wake !== null || !app.process.isAlone;
};

/**
 * Runs `store`, which says whether there is something new, and wakes the worker after its commit. A
 * worker in this process needs no job: at its start it looks for what a dead process left.
 */
export const wakeInbox = async (app: App, store: (db: Db) => Promise<boolean>): Promise<void> => {
  if (worker.wakeOf(app) || !app.process.isAlone) {
    if (await store(app.sql)) wakeWorkers(app);
    return;
  }
  await app.sql.begin(async (tx) => {
    if (await store(tx)) await app.jobs.add(tx, "activity.received", {}, { key: "inbox:all" });
  });
};

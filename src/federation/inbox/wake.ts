// Waking the worker of the inbox: by a call in this process, otherwise by one job for all that waits.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { wakeable } from "../../platform/wake.ts";
import "../events.ts";

const worker = wakeable("inbox worker");

/** Calls `wake` whenever activities were stored; gives the function that ends this. */
export const onIncoming = worker.attach;

/** False: there is no worker in this process. */
export const wakeWorker = (app: App): boolean => {
  const wake = worker.wakeOf(app);
  wake?.();
  return wake !== null;
};

/**
 * Runs `store`, which says whether there is something new, and wakes the worker after its commit. A
 * worker in this process needs no job: at its start it looks for what a dead process left.
 */
export const wakeInbox = async (app: App, store: (db: Db) => Promise<boolean>): Promise<void> => {
  const wake = worker.wakeOf(app);
  if (wake) {
    if (await store(app.sql)) wake();
    return;
  }
  await app.sql.begin(async (tx) => {
    if (await store(tx)) await app.jobs.add(tx, "activity.received", {}, { key: "inbox:all" });
  });
};

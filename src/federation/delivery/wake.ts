// Waking the worker of deliveries: by a call in this process, otherwise by a notification.

import type { App } from "../../platform/app.ts";
import { afterCommit } from "../../platform/db/after-commit.ts";
import type { Db } from "../../platform/db/index.ts";
import { notifyWorkers, wakeable } from "../../platform/wake.ts";

/** The NOTIFY channel that workers of other processes listen to. */
export const DELIVERIES_CHANNEL = "deliveries";

const worker = wakeable("delivery worker");

/** Calls `wake` whenever deliveries were queued; gives the function that ends this. */
export const onQueued = worker.attach;

/** Deliveries were queued within `db`'s transaction. */
export const announceQueued = (app: App, db: Db): void =>
  afterCommit(db, () => {
    const wake = worker.wakeOf(app);
    if (wake) wake();
    else notifyWorkers(app, DELIVERIES_CHANNEL);
  });

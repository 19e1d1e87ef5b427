// Waking the worker of deliveries: by a call in this process, otherwise by a notification.

import type { App } from "../../platform/app.ts";
import { perApp } from "../../platform/caches/index.ts";
import { afterCommit } from "../../platform/db/after-commit.ts";
import type { Db } from "../../platform/db/index.ts";

/** The NOTIFY channel that workers of other processes listen to. */
export const DELIVERIES_CHANNEL = "deliveries";

const workerOf = perApp("delivery worker", () => {
  const worker: { wake: (() => void) | null } = { wake: null };
  return { worker, entries: () => (worker.wake ? 1 : 0) };
});

/** Calls `wake` whenever deliveries were queued; gives the function that ends this. */
export const onQueued = (app: App, wake: () => void): (() => void) => {
  const { worker } = workerOf(app);
  worker.wake = wake;
  return () => void (worker.wake = null);
};

/** Deliveries were queued within `db`'s transaction. */
export const announceQueued = (app: App, db: Db): void =>
  afterCommit(db, () => {
    const { wake } = workerOf(app).worker;
    if (wake) return wake();
    app.sql
      .notify(DELIVERIES_CHANNEL, "")
      .catch((error: unknown) => app.log.warn({ err: error }, "no worker was woken"));
  });

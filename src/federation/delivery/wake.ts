// Waking the worker of deliveries, by a call in this process, otherwise by a notification; and waking hosts that rest.

import type { App } from "../../platform/app.ts";
import { afterCommit } from "../../platform/db/after-commit.ts";
import type { Db } from "../../platform/db/index.ts";
import { notifyWorkers, wakeable } from "../../platform/wake.ts";
import { wakeHosts } from "./queries-queue.ts";

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

/** A host that never answers, but sends, is asked no more often because of that. */
const AGAIN_MS = 10 * 60_000;

/** Something came from these hosts: those that rest are tried at once. */
export const hostsAnswered = async (app: App, hosts: string[]): Promise<void> => {
  if (hosts.length === 0) return;
  const now = app.clock.now();
  const woken = await wakeHosts(app.sql, hosts, now, new Date(now.getTime() - AGAIN_MS));
  if (woken.length > 0) announceQueued(app, app.sql);
};

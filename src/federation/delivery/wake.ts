// Waking the worker of deliveries, that of this process if there is one; and waking hosts that rest.

import type { App } from "../../platform/app.ts";
import { afterCommit } from "../../platform/db/commits.ts";
import type { Db } from "../../platform/db/index.ts";
import { wakeAll, wakeHere } from "../../platform/wake.ts";
import { wakeHosts } from "./queries-queue.ts";

/** Deliveries were queued within `db`'s transaction. */
export const announceQueued = (app: App, db: Db): void =>
  afterCommit(db, () => {
    if (!wakeHere(app, "deliveries")) wakeAll(app, "deliveries");
  });

/** A host that never answers, but sends, is asked so often because of that. */
const AGAIN_MS = 30_000;
/** One that asked for a pause: what it sends does not say that it is over. */
const PAUSED_MS = 10 * 60_000;

/** Something came from these hosts: those that rest are tried at once, or half a minute after the last time. */
export const hostsAnswered = async (app: App, hosts: string[]): Promise<void> => {
  if (hosts.length === 0) return;
  const now = app.clock.now();
  const askedBefore = new Date(now.getTime() - PAUSED_MS);
  const woken = await wakeHosts(app.sql, hosts, { now, afterMs: AGAIN_MS, askedBefore });
  if (woken.length > 0) announceQueued(app, app.sql);
};

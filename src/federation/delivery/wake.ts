// Waking the worker of deliveries, that of this process if there is one; and waking hosts that rest.

import type { App } from "../../platform/app.ts";
import { afterCommit } from "../../platform/db/after-commit.ts";
import type { Db } from "../../platform/db/index.ts";
import { wakeAll, wakeHere } from "../../platform/wake.ts";
import { wakeHosts } from "./queries-queue.ts";

/** Deliveries were queued within `db`'s transaction. */
export const announceQueued = (app: App, db: Db): void =>
  afterCommit(db, () => {
    if (!wakeHere(app, "deliveries")) wakeAll(app, "deliveries");
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

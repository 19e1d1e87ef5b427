// Wakes the worker of deliveries (commands also claim hosts for the worker of their own process), and wakes resting
// hosts.

import type { App } from "../../platform/app.ts";
import { perApp } from "../../platform/caches/index.ts";
import { afterCommit, invalidate } from "../../platform/db/commits.ts";
import type { Db } from "../../platform/db/index.ts";
import { wakeAll, wakeHere } from "../../platform/wake.ts";
import { INBOXES_CHANGED } from "../../domain/people/accounts/events.ts";
import { wakeHosts } from "./queries-queue.ts";
import type { ClaimedHost, ClaimFor } from "./queries-queue.ts";

/** The worker of this process, which works on hosts that commands claim for it. */
export type Claimer = {
  /** Returns a claim for this many hosts; null if the worker has no room for them. */
  claimFor(count: number): ClaimFor | null;
  /** Takes the hosts that were claimed, after the commit. */
  take(hosts: ClaimedHost[]): void;
};

const claimersOf = perApp("workers that hosts are claimed for", () => {
  const claimers = new Set<Claimer>();
  return { claimers, entries: () => claimers.size };
});

/** Lets commands claim hosts for this worker; returns the function that ends this. */
export const attachClaimer = (app: App, claimer: Claimer): (() => void) => {
  const { claimers } = claimersOf(app);
  claimers.add(claimer);
  return () => void claimers.delete(claimer);
};

/** Returns null where this process has no worker. */
export const claimerOf = (app: App): Claimer | null =>
  claimersOf(app).claimers.values().next().value ?? null;

/** Says that deliveries may be due after the commit of `db`'s transaction. */
export const announceQueued = (app: App, db: Db): void =>
  afterCommit(db, () => {
    if (!wakeHere(app, "deliveries")) wakeAll(app, "deliveries");
  });

/** Milliseconds between attempts at a host that never answers, but sends. */
const AGAIN_MS = 30_000;
/** Milliseconds for which a pause that a host asked for holds even if the host sends something. */
const PAUSED_MS = 10 * 60_000;

/** Wakes hosts that something came from: they are tried at once, or half a minute after the last attempt. */
export const hostsAnswered = async (app: App, hosts: string[]): Promise<void> => {
  if (hosts.length === 0) return;
  const now = app.clock.now();
  const askedBefore = new Date(now.getTime() - PAUSED_MS);
  const woken = await wakeHosts(app.sql, hosts, { now, afterMs: AGAIN_MS, askedBefore });
  if (woken.length === 0) return;
  invalidate(app.sql, INBOXES_CHANGED);
  announceQueued(app, app.sql);
};

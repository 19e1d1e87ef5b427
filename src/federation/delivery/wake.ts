// Waking the worker of deliveries, that of this process if there is one, which acts claim hosts for; and waking hosts
// that rest.

import type { App } from "../../platform/app.ts";
import { perApp } from "../../platform/caches/index.ts";
import { afterCommit } from "../../platform/db/commits.ts";
import type { Db } from "../../platform/db/index.ts";
import { wakeAll, wakeHere } from "../../platform/wake.ts";
import { wakeHosts } from "./queries-queue.ts";
import type { ClaimFor, HostRow } from "./queries-queue.ts";

/** The worker of this process, which works on hosts that acts claim for it. */
export type Claimer = {
  /** What claims so many hosts; null: they are too many for the room that it has. */
  claimFor(count: number): ClaimFor | null;
  /** They were claimed, and the act is committed. */
  take(hosts: HostRow[]): void;
};

const claimersOf = perApp("workers that hosts are claimed for", () => {
  const claimers = new Set<Claimer>();
  return { claimers, entries: () => claimers.size };
});

/** From now on acts claim hosts for the worker; gives the function that ends this. */
export const attachClaimer = (app: App, claimer: Claimer): (() => void) => {
  const { claimers } = claimersOf(app);
  claimers.add(claimer);
  return () => void claimers.delete(claimer);
};

/** Null where this process has no worker. */
export const claimerOf = (app: App): Claimer | null =>
  claimersOf(app).claimers.values().next().value ?? null;

/** Deliveries were queued within `db`'s transaction; `claimed`: `claimer` works on these hosts after its commit. */
export const announceQueued = (
  app: App,
  db: Db,
  claimer: Claimer | null = null,
  claimed: HostRow[] = [],
): void =>
  afterCommit(db, () => {
    if (claimed.length > 0) claimer?.take(claimed);
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

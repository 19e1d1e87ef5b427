// The worker of deliveries: claims hosts that are due, for a time that it renews, and runs them beside each
// other. It is woken by every act that queues deliveries and when the next host is due.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { freshApp } from "../../platform/app.ts";
import type { App } from "../../platform/app.ts";
import { figure } from "../../platform/caches/figure.ts";
import type { Db } from "../../platform/db/index.ts";
import { attachWorker } from "../../platform/wake.ts";
import { ALONE } from "../../platform/workers/lease.ts";
import type { Lease } from "../../platform/workers/lease.ts";
import { HostRun } from "./host-run.ts";
import { loadOutgoing } from "./outgoing.ts";
import { Places } from "./places.ts";
import {
  claimHosts,
  releaseHosts,
  renewClaims,
  selectDeliveries,
  selectNextDue,
} from "./queries-queue.ts";
import type { DeliveryRow, HostRow } from "./queries-queue.ts";
import { oldestDelivery } from "./retention.ts";
import { createSettler } from "./settler.ts";
import type { Settler } from "./settler.ts";

/** Deliveries of a host that are read at a time; while there are more, it counts as a backlog. */
const READ = 50;
/** Of a host that failed: the probe, and those that show whether it is the host. */
const READ_FAILING = 4;
/** Hosts that are worked on at once: quick and unknown ones, and slow and failing ones. */
const MAX_QUICK = 300;
const MAX_SLOW = 200;
/** When a process dies, its hosts are taken over after this; a living one renews its claims in time. */
const LEASE_MS = 15_000;
const RENEW_MS = 5000;
/** How long a process that stops waits for answers; what is not answered then is sent again after its next start. */
const STOP_MS = 3000;

export type DeliveryPace = {
  /** What is queued so close together, in milliseconds, is claimed together. */
  gather: number;
  /** Results that come so close together are stored together. */
  settle: number;
  /** How often hosts that are due are looked for without being woken. */
  poll: number;
};

const setHosts = figure("hosts being delivered to");
const setRequests = figure("deliveries in flight");

const PACE: DeliveryPace = { gather: 5, settle: 20, poll: 10_000 };

export type DeliveryWorker = {
  stop(): Promise<void>;
  /** Nothing is due, as far as it knows, and nothing in progress. */
  isIdle(): boolean;
};

/** A host in progress; its run is null while it is read or its result is being stored. */
type Held = { isSlow: boolean; run: HostRun | null };

const byHost = (rows: DeliveryRow[]): Map<string, DeliveryRow[]> =>
  Map.groupBy(rows, ({ host }) => host);

class Deliveries {
  #app: App;
  #pace: DeliveryPace;
  #owner: string;
  #places = new Places();
  #settler: Settler;
  #held = new Map<string, Held>();
  #claiming: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #dueTimer: NodeJS.Timeout | null = null;
  #nextAt = 0;
  #again = false;
  #isStopped = false;
  #runs = new Set<Promise<void>>();
  #aborting = new AbortController();

  constructor(app: App, pace: DeliveryPace, owner: string = randomUUID()) {
    this.#app = freshApp(app);
    this.#owner = owner;
    this.#pace = pace;
    this.#settler = createSettler(app, {
      owner: this.#owner,
      gather: pace.settle,
      retry: Math.min(pace.poll, 1000),
      onSettled: (hosts, nextDue) => this.#onSettled(hosts, nextDue),
    });
    setHosts(app, () => this.#held.size);
    setRequests(app, () => this.#places.inFlight());
  }

  wake = (): void => {
    this.#again = true;
    if (this.#isStopped || this.#claiming) return;
    this.#timer ??= setTimeout(() => this.#claimAll(), this.#pace.gather);
  };

  isIdle(): boolean {
    return !this.#timer && !this.#claiming && this.#held.size === 0 && this.#settler.isIdle();
  }

  async renew(): Promise<void> {
    const hosts = [...this.#held.keys()];
    if (hosts.length === 0) return;
    const until = new Date(this.#app.clock.now().getTime() + LEASE_MS);
    await renewClaims(this.#app.sql, this.#owner, hosts, until).catch((error: unknown) =>
      this.#app.log.warn({ err: error }, "claims of hosts are not renewed"),
    );
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of [this.#timer, this.#dueTimer]) if (timer) clearTimeout(timer);
    this.#timer = null;
    for (const { run } of this.#held.values()) run?.stop();
    this.#places.close();
    const timer = setTimeout(() => this.#aborting.abort(), STOP_MS);
    await this.#claiming;
    await Promise.all(this.#runs);
    clearTimeout(timer);
    await this.#settler.stop();
  }

  #claimAll(): void {
    this.#timer = null;
    this.#again = false;
    this.#claiming = this.#claimBoth()
      .catch((error: unknown) => this.#app.log.warn({ err: error }, "no deliveries can be read"))
      .finally(() => {
        this.#claiming = null;
        if (this.#again) this.wake();
      });
  }

  async #claimBoth(): Promise<void> {
    await Promise.all([this.#claim(false), this.#claim(true)]);
    this.#planNext(await selectNextDue(this.#app.sql, this.#app.clock.now()));
  }

  /** Wakes it at that time, unless it is woken earlier. */
  #planNext(due: Date | null): void {
    const wait = due ? Math.max(0, due.getTime() - this.#app.clock.now().getTime()) : Infinity;
    if (this.#isStopped || wait >= this.#pace.poll) return;
    const at = performance.now() + wait;
    if (this.#dueTimer && this.#nextAt <= at) return;
    if (this.#dueTimer) clearTimeout(this.#dueTimer);
    this.#nextAt = at;
    this.#dueTimer = setTimeout(() => {
      this.#dueTimer = null;
      this.wake();
    }, wait).unref();
  }

  #onSettled(hosts: string[], nextDue: Date | null): void {
    const wasFull = this.#room(false) <= 0 || this.#room(true) <= 0;
    for (const host of hosts) this.#held.delete(host);
    if (wasFull || (nextDue && nextDue <= this.#app.clock.now())) this.wake();
    else this.#planNext(nextDue);
  }

  /** How many more hosts of this kind may be worked on. */
  #room(slow: boolean): number {
    let count = 0;
    for (const { isSlow } of this.#held.values()) if (isSlow === slow) count += 1;
    return (slow ? MAX_SLOW : MAX_QUICK) - count;
  }

  async #claim(slow: boolean): Promise<void> {
    const limit = this.#room(slow);
    if (limit <= 0 || this.#isStopped) return;
    const now = this.#app.clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    const claim = { owner: this.#owner, slow, now, until, limit };
    const claimed = await claimHosts(this.#app.sql, claim);
    // Its own, whose claims it renewed too late, it is still working on.
    const hosts = claimed.filter(({ host }) => !this.#held.has(host));
    for (const { host } of hosts) this.#held.set(host, { isSlow: slow, run: null });
    if (hosts.length > 0) await this.#start(hosts, now);
  }

  async #start(hosts: HostRow[], now: Date): Promise<void> {
    const { sql } = this.#app;
    try {
      const shares = hosts.map(({ host, failures }) => ({
        host,
        limit: failures > 0 ? READ_FAILING : READ,
      }));
      const rows = byHost(await selectDeliveries(sql, shares, now, oldestDelivery(now)));
      const ids = [...rows.values()].flat().map(({ activity_id }) => activity_id);
      const outgoing = await loadOutgoing(this.#app, ids);
      for (const host of hosts) {
        const deliveries = rows.get(host.host) ?? [];
        const isBacklog = deliveries.length === READ;
        this.#track(
          new HostRun(this.#app, { host, deliveries, outgoing, isBacklog }, this.#options(host)),
          host,
        );
      }
    } catch (error) {
      // They are due again when their claims end.
      for (const { host } of hosts) this.#held.delete(host);
      throw error;
    }
  }

  #options({ host }: HostRow) {
    const onSlow = () => {
      const held = this.#held.get(host);
      if (!held || held.isSlow) return;
      const wasFull = this.#room(false) <= 0;
      held.isSlow = true;
      if (wasFull) this.wake();
    };
    const { signal } = this.#aborting;
    return { places: this.#places, outcomes: this.#settler, onSlow, signal };
  }

  #track(run: HostRun, { host }: HostRow): void {
    const held = this.#held.get(host)!;
    held.run = run;
    if (this.#isStopped) run.stop();
    const ended = run.run().then((settled) => {
      held.run = null;
      this.#settler.settle(settled);
      this.#runs.delete(ended);
    });
    this.#runs.add(ended);
  }
}

/** Starts delivering what waits; `stop` waits a moment for the requests in flight. */
export const startDeliveries = async (
  app: App,
  pace: DeliveryPace = PACE,
  lease: Lease = ALONE,
): Promise<DeliveryWorker> => {
  const release = (db: Db) => releaseHosts(db, app.clock.now());
  await release(app.sql);
  const deliveries = new Deliveries(app, pace, app.process.id);
  lease.join({ release, wake: deliveries.wake });
  const detach = attachWorker(app, "deliveries", deliveries.wake);
  const polling = setInterval(deliveries.wake, pace.poll).unref();
  const renewing = setInterval(() => void deliveries.renew(), RENEW_MS).unref();
  deliveries.wake();
  return {
    isIdle: () => deliveries.isIdle(),
    async stop() {
      clearInterval(polling);
      detach();
      await deliveries.stop();
      clearInterval(renewing);
    },
  };
};

/** Delivers all that is due and returns when it is answered: for tests and commands. */
export const drainDeliveries = async (app: App): Promise<void> => {
  const deliveries = new Deliveries(app, { gather: 0, settle: 0, poll: 1000 });
  deliveries.wake();
  while (!deliveries.isIdle()) await sleep(2);
  await deliveries.stop();
};

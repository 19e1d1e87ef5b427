// The worker of deliveries: claims hosts that are due and runs them beside each other. It is woken by every act that
// queues deliveries and when the next host is due.

import { freshApp } from "../../platform/app.ts";
import type { App } from "../../platform/app.ts";
import { figure } from "../../platform/caches/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { createDayCounts } from "../../domain/measures/day-counts.ts";
import type { DayCounts } from "../../domain/measures/day-counts.ts";
import { ClaimedQueue } from "../../platform/queues/claimed-queue.ts";
import type {
  Claim,
  ClaimedWork,
  QueueLimits,
  QueuePace,
  QueueWorker,
} from "../../platform/queues/claimed-queue.ts";
import { wakeHere } from "../../platform/wake.ts";
import { ALONE } from "../../platform/workers/lease.ts";
import type { Lease } from "../../platform/workers/lease.ts";
import { learnForms } from "../signatures/forms.ts";
import type { Result as Attempted } from "./attempt.ts";
import { HostRun } from "./host-run.ts";
import type { HostWork } from "./host-run.ts";
import { loadOutgoing } from "./outgoing.ts";
import { Places } from "./places.ts";
import {
  claimHosts,
  finishDeliveries,
  releaseHosts,
  renewClaims,
  selectDeliveries,
  selectNextDue,
  settleHosts,
} from "./queries-queue.ts";
import type { HostRow, PutBack, Settled } from "./queries-queue.ts";
import { oldestDelivery } from "./retention.ts";

/** Deliveries of a host that are read at a time; while there are more, it counts as a backlog. */
const READ = 50;
/** Of a host that failed: the probe, and those that show whether it is the host. */
const READ_FAILING = 4;
/** Hosts that are worked on at once: quick and unknown ones, and slow and failing ones. */
const MAX_QUICK = 300;
const MAX_SLOW = 200;
const MAX_HOSTS = MAX_QUICK + MAX_SLOW;
/** When a process dies, its hosts are taken over after this. */
const LEASE_MS = 15_000;
/** How long a process that stops waits for answers; what is not answered then is sent again after its next start. */
const STOP_MS = 3000;

const LIMITS: QueueLimits = { batch: 1, atOnce: MAX_HOSTS, claimed: MAX_HOSTS, renewMs: 5000 };
const PACE: QueuePace = { gather: 5, settle: 20, poll: 10_000 };
const AT_ONCE: QueuePace = { gather: 0, settle: 0, poll: 1000 };

const setHosts = figure("hosts being delivered to");
const setRequests = figure("deliveries in flight");

/** What becomes of a delivery, or of a host whose run has ended. */
type Result = { done: string } | { back: PutBack } | { host: Settled };

class Deliveries implements ClaimedWork<HostWork, Result> {
  #app: App;
  #places = new Places();
  /** The hosts that are claimed, and whether they are slow. */
  #hosts = new Map<string, { isSlow: boolean }>();
  #runs = new Set<HostRun>();
  #isStopped = false;
  #aborting = new AbortController();
  #counts: DayCounts;

  constructor(app: App) {
    this.#app = freshApp(app);
    this.#counts = createDayCounts(this.#app);
    setHosts(app, () => this.#hosts.size);
    setRequests(app, () => this.#places.inFlight());
  }

  keyOf = ({ host }: HostWork): string => host.host;

  async claim(): Promise<Claim<HostWork>> {
    const now = this.#app.clock.now();
    const claimed = await Promise.all([this.#claimHosts(false, now), this.#claimHosts(true, now)]);
    const items = await this.#read(claimed.flat(), now);
    return { items, dueAt: await selectNextDue(this.#app.sql, now) };
  }

  async run([work]: HostWork[], report: (result: Result) => void): Promise<void> {
    const run = new HostRun(this.#app, work!, {
      places: this.#places,
      outcomes: {
        done: (done) => report({ done }),
        putBack: (back) => report({ back }),
        attempted: (kind) => this.#count(kind),
      },
      onSlow: () => this.#onSlow(work!.host.host),
      signal: this.#aborting.signal,
    });
    this.#runs.add(run);
    if (this.#isStopped) run.stop();
    const host = await run.run();
    this.#runs.delete(run);
    report({ host });
  }

  /** Deliveries before their hosts: a host that is free again must not have them any more. */
  async settle(results: Result[]): Promise<Date | null> {
    const { sql, clock, process } = this.#app;
    const now = clock.now();
    const done = results.flatMap((result) => ("done" in result ? [result.done] : []));
    const back = results.flatMap((result) => ("back" in result ? [result.back] : []));
    const hosts = results.flatMap((result) => ("host" in result ? [result.host] : []));
    if (done.length + back.length > 0) await finishDeliveries(sql, done, back);
    await this.#counts.flush(this.#isStopped);
    if (hosts.length === 0) return null;
    const rows = await settleHosts(sql, process.id, hosts, now, oldestDelivery(now));
    const isFull = this.#isFull();
    for (const { host } of hosts) this.#hosts.delete(host);
    const times = rows.flatMap(({ due_at }) => due_at?.getTime() ?? []);
    if (isFull) return now;
    return times.length > 0 ? new Date(Math.min(...times)) : null;
  }

  async renew(hosts: string[]): Promise<void> {
    const until = new Date(this.#app.clock.now().getTime() + LEASE_MS);
    await renewClaims(this.#app.sql, this.#app.process.id, hosts, until);
  }

  release = (db: Db) => releaseHosts(db, this.#app.clock.now());

  /** Waits for the requests in flight, a moment. */
  close(): Promise<void> {
    this.#isStopped = true;
    for (const run of this.#runs) run.stop();
    this.#places.close();
    setTimeout(() => this.#aborting.abort(), STOP_MS).unref();
    return this.#counts.flush(true);
  }

  #count(kind: Attempted["kind"]): void {
    if (kind === "done") this.#counts.count("deliveries");
    if (kind === "down" || kind === "refused") this.#counts.count("failed_deliveries");
  }

  /** How many more hosts of this kind may be worked on. */
  #room(slow: boolean): number {
    const count = this.#hosts.values().reduce((n, { isSlow }) => n + (isSlow === slow ? 1 : 0), 0);
    return (slow ? MAX_SLOW : MAX_QUICK) - count;
  }

  /** More of one kind may be due than could be claimed. */
  #isFull(): boolean {
    return this.#room(false) <= 0 || this.#room(true) <= 0;
  }

  async #claimHosts(slow: boolean, now: Date): Promise<HostRow[]> {
    const limit = this.#room(slow);
    if (limit <= 0) return [];
    const until = new Date(now.getTime() + LEASE_MS);
    const claim = { owner: this.#app.process.id, slow, now, until, limit };
    const claimed = await claimHosts(this.#app.sql, claim);
    // Its own, whose claims it renewed too late, it is still working on.
    const hosts = claimed.filter(({ host }) => !this.#hosts.has(host));
    for (const { host } of hosts) this.#hosts.set(host, { isSlow: slow });
    return hosts;
  }

  /** Where they cannot be read they are due again when their claims end. */
  async #read(hosts: HostRow[], now: Date): Promise<HostWork[]> {
    if (hosts.length === 0) return [];
    try {
      const shares = hosts.map(({ host, failures }) => ({
        host,
        limit: failures > 0 ? READ_FAILING : READ,
      }));
      const rows = await selectDeliveries(this.#app.sql, shares, now, oldestDelivery(now));
      const ids = rows.map(({ activity_id }) => activity_id);
      const outgoing = await loadOutgoing(this.#app, ids);
      await learnForms(
        this.#app,
        hosts.map(({ host }) => host),
      );
      const byHost = Map.groupBy(rows, ({ host }) => host);
      return hosts.map((host) => {
        const deliveries = byHost.get(host.host) ?? [];
        return { host, deliveries, outgoing, isBacklog: deliveries.length === READ };
      });
    } catch (error) {
      for (const { host } of hosts) this.#hosts.delete(host);
      throw error;
    }
  }

  #onSlow(host: string): void {
    const claimed = this.#hosts.get(host);
    if (!claimed || claimed.isSlow) return;
    const wasFull = this.#room(false) <= 0;
    claimed.isSlow = true;
    if (wasFull) wakeHere(this.#app, "deliveries");
  }
}

const deliveryQueue = (app: App, pace: QueuePace, lease: Lease) =>
  new ClaimedQueue(app, new Deliveries(app), { name: "deliveries", limits: LIMITS, pace, lease });

/** Starts delivering what waits; `stop` waits a moment for the requests in flight. */
export const startDeliveries = async (
  app: App,
  pace: QueuePace = PACE,
  lease: Lease = ALONE,
): Promise<QueueWorker> => {
  const queue = deliveryQueue(app, pace, lease);
  await queue.start();
  return queue;
};

/** Delivers all that is due and returns when it is answered: for tests and commands. */
export const drainDeliveries = async (app: App): Promise<void> => {
  const queue = deliveryQueue(app, AT_ONCE, ALONE);
  await queue.drain();
  await queue.stop();
};

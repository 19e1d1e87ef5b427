// The worker of deliveries claims hosts that are due and runs them concurrently. It is woken by every command that
// queues deliveries, and when the next host is due.

import { freshApp } from "../../platform/app.ts";
import type { App } from "../../platform/app.ts";
import { figure } from "../../platform/caches/index.ts";
import { invalidate } from "../../platform/db/commits.ts";
import type { Db } from "../../platform/db/index.ts";
import { INBOXES_CHANGED } from "../../domain/people/accounts/events.ts";
import { createDayCounts } from "../../domain/staff/measures/day-counts.ts";
import type { DayCounts } from "../../domain/staff/measures/day-counts.ts";
import { ClaimedQueue } from "../../platform/queues/claimed-queue.ts";
import type {
  Claim,
  ClaimedWork,
  QueueLimits,
  QueuePace,
  QueueWorker,
} from "../../platform/queues/claimed-work.ts";
import { wakeHere } from "../../platform/wake.ts";
import { ALONE } from "../../platform/workers/lease.ts";
import type { Lease } from "../../platform/workers/lease.ts";
import { learnForms } from "../signatures/forms.ts";
import type { Result as Attempted } from "./attempt.ts";
import { HostRun, READ } from "./host-run.ts";
import type { HostWork, Outgoing } from "./host-run.ts";
import { loadOutgoing } from "./outgoing.ts";
import { Places } from "./places.ts";
import {
  claimHosts,
  finishDeliveries,
  releaseHosts,
  renewClaims,
  returnHosts,
  selectDeliveries,
  selectNextDue,
  settleHosts,
} from "./queries-queue.ts";
import type { ClaimedHost, ClaimFor, HostRow, PutBack, Settled } from "./queries-queue.ts";
import { goneSince, oldestDelivery } from "./retention.ts";
import { attachClaimer } from "./wake.ts";

/** Deliveries read of a host that failed: one as a test, and some that show whether the host is at fault. */
const READ_FAILING = 4;
/** Finished deliveries of a quick host that are stored together, at the latest when its run ends. */
const DONE_TOGETHER = 20;
/** Hosts worked on at once: quick and unknown ones, and slow and failing ones. */
const MAX_QUICK = 300;
const MAX_SLOW = 200;
const MAX_HOSTS = MAX_QUICK + MAX_SLOW;
/** Milliseconds after which the hosts of a dead process are taken over. */
const LEASE_MS = 15_000;
/** Milliseconds that a stopping process waits for answers; requests without one are sent again after the next start. */
const STOP_MS = 3000;

const LIMITS: QueueLimits = { batch: 1, atOnce: MAX_HOSTS, claimed: MAX_HOSTS, renewMs: 5000 };
const PACE: QueuePace = { gather: 5, settle: 20, poll: 10_000 };
const AT_ONCE: QueuePace = { gather: 0, settle: 0, poll: 1000 };

const setHosts = figure("hosts being delivered to");
const setRequests = figure("deliveries in flight");

/** The outcome of deliveries, or of a host whose run has ended. */
type Result = { done: string[] } | { back: PutBack } | { host: Settled };

class Deliveries implements ClaimedWork<HostWork, Result> {
  #app: App;
  #places = new Places();
  /** Hosts that are worked on, and whether they are slow. */
  #hosts = new Map<string, { isSlow: boolean }>();
  #runs = new Set<HostRun>();
  #lastUntil = 0;
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

  /** Gives claims to commands, as far as there is room for quick hosts. */
  claimFor = (count: number): ClaimFor | null =>
    this.#isStopped || count > this.#room(false)
      ? null
      : { owner: this.#app.process.id, until: this.#until(this.#app.clock.now()) };

  /** Returns the work on hosts that a command has claimed. */
  worksOn(claimed: ClaimedHost[]): HostWork[] {
    const outgoing = this.#prepare(claimed.flatMap(({ deliveries }) => deliveries));
    outgoing.catch(() => {}); // each run gets the error
    return claimed.map((work) => ({ ...work, outgoing }));
  }

  async claim(room: number): Promise<Claim<HostWork>> {
    const now = this.#app.clock.now();
    const quick = Math.max(0, Math.min(room, this.#room(false)));
    const slow = Math.max(0, Math.min(room - quick, this.#room(true)));
    const claim = { owner: this.#app.process.id, now, until: this.#until(now), quick, slow };
    const hosts = quick + slow > 0 ? await claimHosts(this.#app.sql, claim) : [];
    return { items: await this.#read(hosts, now), dueAt: await selectNextDue(this.#app.sql, now) };
  }

  /** If the activities cannot be read, the host is due again when its claim ends. */
  async run([work]: HostWork[], report: (result: Result) => void): Promise<void> {
    const outgoing = await work!.outgoing;
    const claimed = { isSlow: work!.host.slow };
    this.#hosts.set(work!.host.host, claimed);
    const done: string[] = [];
    const reportDone = () => report({ done: done.splice(0) });
    const run = new HostRun(this.#app, work!, {
      outgoing,
      places: this.#places,
      outcomes: {
        done: (id) => void ((done.push(id) >= DONE_TOGETHER || claimed.isSlow) && reportDone()),
        putBack: (back) => report({ back }),
        attempted: (kind) => this.#count(kind),
      },
      onSlow: () => this.#onSlow(claimed),
      signal: this.#aborting.signal,
    });
    this.#runs.add(run);
    if (this.#isStopped) run.stop();
    const host = await run.run();
    this.#runs.delete(run);
    reportDone();
    report({ host });
  }

  /** Stores deliveries before hosts, or with them: a host that is free again must not have finished deliveries. */
  async settle(results: Result[]): Promise<Date | null> {
    const { sql, clock, process } = this.#app;
    const now = clock.now();
    const done = results.flatMap((result) => ("done" in result ? result.done : []));
    const back = results.flatMap((result) => ("back" in result ? [result.back] : []));
    const hosts = results.flatMap((result) => ("host" in result ? [result.host] : []));
    // Where all of them are done, the statement that frees the hosts deletes them, too.
    const isOnlyDone = back.length === 0 && hosts.length > 0;
    if (!isOnlyDone && done.length + back.length > 0) await finishDeliveries(sql, done, back);
    await this.#counts.flush(this.#isStopped);
    if (hosts.length === 0) return null;
    // More hosts of one kind may be due than could be claimed.
    const isFull = this.#room(false) <= 0 || this.#room(true) <= 0;
    // A host that is settled can be claimed again before the statement's answer arrives.
    for (const { host } of hosts) this.#hosts.delete(host);
    const rows = await settleHosts(sql, process.id, hosts, {
      now,
      after: oldestDelivery(now),
      goneSince: goneSince(now),
      done: isOnlyDone ? done : [],
    });
    if (rows.some(({ is_back: isBack }) => isBack)) invalidate(sql, INBOXES_CHANGED);
    const times = rows.flatMap(({ due_at }) => due_at?.getTime() ?? []);
    if (isFull) return now;
    return times.length > 0 ? new Date(Math.min(...times)) : null;
  }

  async renewClaims(hosts: string[]): Promise<void> {
    const until = this.#until(this.#app.clock.now());
    await renewClaims(this.#app.sql, this.#app.process.id, hosts, until);
  }

  release = (db: Db) => releaseHosts(db, this.#app.clock.now());

  /** Waits a moment for the requests in flight; deliveries that were not sent are due again. */
  async close(): Promise<void> {
    this.#isStopped = true;
    for (const run of this.#runs) run.stop();
    this.#places.close();
    setTimeout(() => this.#aborting.abort(), STOP_MS).unref();
    await this.#counts.flush(true);
  }

  /** Returns when a claim ends: later than all before it, so that a command can recognise what it claimed. */
  #until(now: Date): Date {
    this.#lastUntil = Math.max(this.#lastUntil + 1, now.getTime() + LEASE_MS);
    return new Date(this.#lastUntil);
  }

  #count(kind: Attempted["kind"]): void {
    if (kind === "done") this.#counts.count("deliveries");
    if (kind === "down" || kind === "refused") this.#counts.count("failed_deliveries");
  }

  /** Returns how many more hosts of this kind may be worked on. */
  #room(slow: boolean): number {
    const count = this.#hosts.values().reduce((n, { isSlow }) => n + (isSlow === slow ? 1 : 0), 0);
    return (slow ? MAX_SLOW : MAX_QUICK) - count;
  }

  /** Makes hosts due again; if that fails, their claims end by themselves. */
  async giveBack(works: HostWork[]): Promise<void> {
    const { sql, clock, process, log } = this.#app;
    const names = works.map(({ host }) => host.host);
    await returnHosts(sql, process.id, names, clock.now()).catch((error: unknown) =>
      log.warn({ err: error }, "hosts are not given back yet"),
    );
  }

  /** Reads the deliveries of hosts; if that fails, the hosts are due again when their claims end. */
  async #read(hosts: HostRow[], now: Date): Promise<HostWork[]> {
    if (hosts.length === 0) return [];
    const shares = hosts.map(({ host, failures }) => ({
      host,
      limit: failures > 0 ? READ_FAILING : READ,
    }));
    const rows = await selectDeliveries(this.#app.sql, shares, now, oldestDelivery(now));
    const outgoing = this.#prepare(rows);
    await outgoing;
    const byHost = Map.groupBy(rows, ({ host }) => host);
    return hosts.map((host) => ({ host, deliveries: byHost.get(host.host) ?? [], outgoing }));
  }

  /** Reads what is needed to send these deliveries, other than bodies that they have. */
  async #prepare(deliveries: Parameters<typeof loadOutgoing>[1]): Promise<Outgoing> {
    await learnForms(this.#app, new Set(deliveries.map(({ host }) => host)));
    return loadOutgoing(this.#app, deliveries);
  }

  #onSlow(claimed: { isSlow: boolean }): void {
    if (claimed.isSlow) return;
    const wasFull = this.#room(false) <= 0;
    claimed.isSlow = true;
    if (wasFull) wakeHere(this.#app, "deliveries");
  }
}

const deliveryQueue = (app: App, work: Deliveries, pace: QueuePace, lease: Lease) =>
  new ClaimedQueue(app, work, { name: "deliveries", limits: LIMITS, pace, lease });

/** Starts to deliver; `stop` waits a moment for the requests in flight. */
export const startDeliveries = async (
  app: App,
  pace: QueuePace = PACE,
  lease: Lease = ALONE,
): Promise<QueueWorker> => {
  const work = new Deliveries(app);
  const queue = deliveryQueue(app, work, pace, lease);
  const take = (claimed: ClaimedHost[]): void => {
    const left = queue.offer(work.worksOn(claimed));
    if (left.length > 0) void work.giveBack(left).then(queue.wake);
  };
  await queue.start(() => attachClaimer(app, { claimFor: work.claimFor, take }));
  return queue;
};

/** Delivers everything that is due and returns when it is answered; for tests and commands. */
export const drainDeliveries = async (app: App): Promise<void> => {
  const queue = deliveryQueue(app, new Deliveries(app), AT_ONCE, ALONE);
  await queue.drain();
  await queue.stop();
};

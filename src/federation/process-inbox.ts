// Works on incoming activities, batch by batch. Those that need a fetch first wait in a lane and are then
// judged again on the same path; commands that are not done in batches run one by one. Each request wakes
// the worker of its process; where there is none, the job `activity.received` does the work. An activity
// in progress has a claim on its row, which expires by itself, so that no connection is held while
// another server is asked.

import type { App } from "../platform/app.ts";
import { perApp } from "../platform/caches/index.ts";
import { hostIn } from "../platform/json/read.ts";
import "./events.ts";
import { workBatch } from "./inbox/batch.ts";
import type { Attempt, Batch, ToFetch, ToRun } from "./inbox/batch.ts";
import type { Fetched } from "./inbox/facts.ts";
import { isDatabaseUnavailable, settleDone, settleFailed } from "./inbox/failures.ts";
import { fetchDependencies } from "./inbox/fetch-dependencies.ts";
import { LaneFull, createLane } from "./inbox/lane.ts";
import type { Lane } from "./inbox/lane.ts";
import { newPass } from "./inbox/order.ts";
import { hasWaited, selectLastClaim, shardsOf } from "./inbox/queries.ts";
import { wakeWorkers } from "./inbox/wake.ts";
import { ALONE } from "../platform/workers/lease.ts";
import type { Lease } from "../platform/workers/lease.ts";

/** Requests to other servers. `waiting`: how many activities may be claimed to wait for them. */
const FETCHES = { total: 48, perTarget: 4, perSender: 16, waiting: 2000 };
/** Commands send no requests and are quick. */
const RUNS = { total: 10, perTarget: 10, perSender: 5, waiting: 1000 };

const fetchesOf = perApp("inbox fetches", () => createLane(FETCHES));
const runsOf = perApp("inbox commands", () => createLane(RUNS));

/** How long what was fetched is used: the claims have expired then. */
const READY_MS = 120_000;

/** What the first of several workers has not begun for so long, the others help with. */
export const HELP_MS = 300;

type Ready = { fetched: Fetched; until: number };

type Work = (only: string[] | undefined, attempt: Attempt) => Promise<Batch>;

/** One process's work on the inbox. */
export class Inbox {
  /** Activities to judge again, with what was fetched for them. */
  private ready = new Map<string, Ready>();
  private inProgress = new Set<Promise<void>>();
  private pass = newPass();
  private closed = false;
  private app: App;
  private onEnded: () => unknown;
  private fetches: Lane;
  private runs: Lane;
  private lease: Lease;

  /** `onEnded` is called when a fetch or command ended for which other activities may wait. */
  constructor(app: App, onEnded: () => unknown, lease: Lease = ALONE) {
    this.app = app;
    this.onEnded = onEnded;
    this.lease = lease;
    this.fetches = fetchesOf(app);
    this.runs = runsOf(app);
  }

  isBusy(): boolean {
    return this.inProgress.size > 0;
  }

  /** Others may work on what it holds. */
  forget(): void {
    this.ready.clear();
  }

  /** Resolves when a fetch or a command ends; at once if none is in progress. */
  async progress(): Promise<void> {
    if (this.isBusy()) await Promise.race(this.inProgress);
  }

  /**
   * Works on what is due, until a pass over all of it finds fewer than `least`: then it is better to
   * let the next ones gather.
   */
  async drain(least: number): Promise<void> {
    let worked = 0;
    while (!this.closed) {
      const { count, last } = await this.next();
      worked += count;
      this.pass.after = last ?? "0";
      if (last !== null) continue;
      const wasAll = this.pass.skipped.isEmpty();
      this.pass = newPass();
      if (worked === 0 || (wasAll && worked < least)) return;
      worked = 0;
    }
  }

  /** Finishes what is in progress; what waits for a place in the lane is left to the next start. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([this.fetches.close(), this.runs.close()]);
    await Promise.all(this.inProgress);
  }

  private async next(): Promise<{ count: number; last: string | null }> {
    const now = this.app.clock.now().getTime();
    for (const [id, { until }] of this.ready) if (until < now) this.ready.delete(id);
    const fetched = new Map([...this.ready].map(([id, one]) => [id, one.fetched]));
    const shards = await this.shards(new Date(now));
    const batches = await this.workInHalves((only, attempt) => {
      const places = { run: this.runs.room(), fetch: this.fetches.room() };
      const input = { pass: this.pass, places, fetched, shards, ...(only && { only }) };
      return workBatch(this.app, input, attempt);
    });
    return {
      count: batches.reduce((sum, batch) => sum + this.start(batch), 0),
      last: batches.length === 1 ? batches[0]!.last : null,
    };
  }

  /**
   * Of several workers the first takes all, in large batches, until something has waited for long: then each takes its
   * share. null: there is one worker.
   */
  private async shards(now: Date): Promise<number[] | null> {
    const share = this.lease.share();
    if (!share || share.of === 1) return shardsOf(share);
    const isLate = await hasWaited(this.app.sql, now, new Date(now.getTime() - HELP_MS));
    if (isLate || share.at < 0) return shardsOf(share);
    return share.at === 0 ? shardsOf({ at: 0, of: 1 }) : [];
  }

  /** A batch that fails is repeated in halves, down to the activity that fails, which is tried later. */
  private async workInHalves(work: Work, only?: string[], isRepeat = false): Promise<Batch[]> {
    const attempt: Attempt = { rows: [] };
    try {
      return [await work(only, attempt)];
    } catch (error) {
      const { rows } = attempt;
      if (rows.length === 0 || isDatabaseUnavailable(error)) throw error;
      this.app.log.debug({ err: error, count: rows.length }, "a batch of activities failed");
      const ids = rows.map(({ id }) => id);
      if (rows.length > 1) {
        const middle = rows.length >> 1;
        const first = await this.workInHalves(work, ids.slice(0, middle));
        return [...first, ...(await this.workInHalves(work, ids.slice(middle)))];
      }
      if (!isRepeat) return this.workInHalves(work, ids, true);
      const { id, actor_uri: actorUri, attempts } = rows[0]!;
      await settleFailed(this.app, { id, actorUri, attempts }, error);
      return [{ settled: [id], toFetch: [], toRun: [], failed: [], last: null }];
    }
  }

  /** Starts the fetches and commands of a batch; gives the number of its activities. */
  private start({ settled, toFetch, toRun, failed }: Batch): number {
    for (const id of settled) this.ready.delete(id);
    for (const one of toFetch) this.track(this.fetchFor(one));
    for (const one of toRun) this.track(this.runOne(one));
    for (const one of failed) {
      this.ready.delete(one.id);
      this.track(settleFailed(this.app, one, one.error));
    }
    return settled.length + toFetch.length + toRun.length + failed.length;
  }

  private track(work: Promise<void>): void {
    const tracked = work.finally(() => {
      this.inProgress.delete(tracked);
      this.onEnded();
    });
    this.inProgress.add(tracked);
  }

  private async fetchFor(one: ToFetch): Promise<void> {
    const before = this.ready.get(one.id)?.fetched ?? new Map();
    this.ready.delete(one.id);
    if (this.closed) return;
    try {
      if (one.dependencies.every(({ uri }) => before.has(uri))) throw new Error("fetched already");
      const found = await fetchDependencies(this.app, this.fetches, one);
      const until = this.app.clock.now().getTime() + READY_MS;
      this.ready.set(one.id, { fetched: new Map([...before, ...found]), until });
    } catch (error) {
      if (!(error instanceof LaneFull)) await settleFailed(this.app, one, error);
    }
  }

  private async runOne(one: ToRun): Promise<void> {
    this.ready.delete(one.id);
    if (this.closed) return;
    const work = async (): Promise<void> => {
      try {
        await one.run(this.app);
      } catch (error) {
        return settleFailed(this.app, one, error);
      }
      await settleDone(this.app, one);
    };
    const sender = hostIn(one.actorUri) ?? "";
    try {
      await this.runs.run({ target: "", sender, work });
    } catch (error) {
      if (!(error instanceof LaneFull)) throw error;
    }
  }
}

/** Another process may have claims: should it die, a job works on them when they have expired. */
const scheduleAfterClaims = async (app: App): Promise<void> => {
  const runAt = await selectLastClaim(app.sql, app.clock.now());
  if (runAt) await app.jobs.add(app.sql, "activity.received", {}, { runAt, key: "inbox:watch" });
};

/** Works until nothing is due any more. */
export const processInbox = async (app: App): Promise<void> => {
  let finished = false;
  const inbox = new Inbox(app, () => (finished = true));
  do {
    await inbox.progress();
    finished = false;
    await inbox.drain(1);
    // What ended meanwhile may have made others wait, which the last pass left out.
  } while (finished || inbox.isBusy());
  await scheduleAfterClaims(app);
};

/** The handler of `activity.received`: workers do the work, where there are any. */
export const onActivityReceived = async (app: App): Promise<void> => {
  if (!wakeWorkers(app)) await processInbox(app);
};

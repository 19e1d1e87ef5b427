// Working through what came in, batch by batch. What has to be fetched first waits in a lane of its
// own and is judged again on the same path; what is not done in batches is run by itself. A worker in
// the same process is woken by each request; the job `activity.received` does the same where there is
// none. What is in progress has a claim on its row that ends by itself, so that no connection is held
// while a stranger's server is asked.

import type { App } from "../platform/app.ts";
import { perApp } from "../platform/caches/index.ts";
import { hostIn } from "../platform/json/read.ts";
import "./events.ts";
import { workBatch } from "./inbox/batch.ts";
import type { Attempt, Batch, ToFetch, ToRun } from "./inbox/batch.ts";
import type { Fetched } from "./inbox/facts.ts";
import { isDatabaseAway, settleDone, settleFailed } from "./inbox/failures.ts";
import { fetchWanted } from "./inbox/fetch-wanted.ts";
import { LaneFull, createLane } from "./inbox/lane.ts";
import type { Lane } from "./inbox/lane.ts";
import { newPass } from "./inbox/order.ts";
import { selectLastClaim } from "./inbox/queries.ts";
import { wakeWorker } from "./inbox/wake.ts";

/** Requests to other servers; so many activities may be claimed to wait for them. */
const FETCHES = { total: 48, perTarget: 4, perSender: 16, waiting: 2000 };
/** What is run by itself asks nobody, and is quick. */
const RUNS = { total: 10, perTarget: 10, perSender: 5, waiting: 1000 };

const fetchesOf = perApp("inbox fetches", () => createLane(FETCHES));
const runsOf = perApp("inbox commands", () => createLane(RUNS));

/** As long as what was fetched is of use: the claims have ended then. */
const READY_MS = 120_000;

type Ready = { fetched: Fetched; until: number };

type Work = (only: string[] | undefined, attempt: Attempt) => Promise<Batch>;

/** The work on what came in, by one process. */
export class Inbox {
  /** To be judged again, with what was fetched for them. */
  private ready = new Map<string, Ready>();
  private inProgress = new Set<Promise<void>>();
  private pass = newPass();
  private closed = false;
  private app: App;
  private done: () => unknown;
  private fetches: Lane;
  private runs: Lane;

  /** `done`: something has ended for which others may wait. */
  constructor(app: App, done: () => unknown) {
    this.app = app;
    this.done = done;
    this.fetches = fetchesOf(app);
    this.runs = runsOf(app);
  }

  isBusy(): boolean {
    return this.inProgress.size > 0;
  }

  /** Done when something ends that waits for other servers or is being run; at once if nothing is. */
  async progress(): Promise<void> {
    if (this.isBusy()) await Promise.race(this.inProgress);
  }

  /**
   * Works on what is due until a look at all of it brings less than `least`: the next ones had
   * better gather.
   */
  async drain(least: number): Promise<void> {
    let worked = 0;
    while (!this.closed) {
      const { count, last } = await this.next();
      worked += count;
      this.pass.after = last ?? "0";
      if (last !== null) continue;
      const wasAll = this.pass.passedOver.isEmpty();
      this.pass = newPass();
      if (worked === 0 || (wasAll && worked < least)) return;
      worked = 0;
    }
  }

  /** Finishes what is in progress; what waits for other servers is left to the next start. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([this.fetches.empty(), this.runs.empty()]);
    await Promise.all(this.inProgress);
  }

  private async next(): Promise<{ count: number; last: string | null }> {
    const now = this.app.clock.now().getTime();
    for (const [id, { until }] of this.ready) if (until < now) this.ready.delete(id);
    const fetched = new Map([...this.ready].map(([id, one]) => [id, one.fetched]));
    const batches = await this.workApart((only, attempt) => {
      const places = { run: this.runs.room(), fetch: this.fetches.room() };
      const input = { pass: this.pass, places, fetched, ...(only && { only }) };
      return workBatch(this.app, input, attempt);
    });
    return {
      count: batches.reduce((sum, batch) => sum + this.take(batch), 0),
      last: batches.length === 1 ? batches[0]!.last : null,
    };
  }

  /** A batch that fails is done again in halves, down to what spoils it, which is set aside. */
  private async workApart(work: Work, only?: string[], isRepeat = false): Promise<Batch[]> {
    const attempt: Attempt = { rows: [] };
    try {
      return [await work(only, attempt)];
    } catch (error) {
      const { rows } = attempt;
      if (rows.length === 0 || isDatabaseAway(error)) throw error;
      this.app.log.warn({ err: error, count: rows.length }, "a batch of activities failed");
      const ids = rows.map(({ id }) => id);
      if (rows.length > 1) {
        const middle = rows.length >> 1;
        const first = await this.workApart(work, ids.slice(0, middle));
        return [...first, ...(await this.workApart(work, ids.slice(middle)))];
      }
      if (!isRepeat) return this.workApart(work, ids, true);
      const { id, actor_uri: actorUri, attempts } = rows[0]!;
      await settleFailed(this.app, { id, actorUri, attempts }, error);
      return [{ settled: [id], toFetch: [], toRun: [], last: null }];
    }
  }

  /** Starts what the batch leaves to be done; gives how many it was about. */
  private take({ settled, toFetch, toRun }: Batch): number {
    for (const id of settled) this.ready.delete(id);
    for (const one of toFetch) this.track(this.fetchFor(one));
    for (const one of toRun) this.track(this.runOne(one));
    return settled.length + toFetch.length + toRun.length;
  }

  private track(work: Promise<void>): void {
    const tracked = work.finally(() => {
      this.inProgress.delete(tracked);
      this.done();
    });
    this.inProgress.add(tracked);
  }

  private async fetchFor(one: ToFetch): Promise<void> {
    const before = this.ready.get(one.id)?.fetched ?? new Map();
    this.ready.delete(one.id);
    if (this.closed) return;
    try {
      if (one.wants.every(({ uri }) => before.has(uri))) throw new Error("fetched already");
      const had = await fetchWanted(this.app, this.fetches, one);
      const until = this.app.clock.now().getTime() + READY_MS;
      this.ready.set(one.id, { fetched: new Map([...before, ...had]), until });
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

/** Somebody else has something in progress; should they die, this wakes us when their claim ends. */
const watchOthers = async (app: App): Promise<void> => {
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
    // What ended meanwhile may have kept others waiting that the last look did not find.
  } while (finished || inbox.isBusy());
  await watchOthers(app);
};

/** The handler of `activity.received`: the worker of this process does it, where there is one. */
export const onActivityReceived = async (app: App): Promise<void> => {
  if (!wakeWorker(app)) await processInbox(app);
};

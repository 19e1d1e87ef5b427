// Processes incoming activities, batch by batch. Those that need a fetch first wait in a lane (lane.ts) and are then
// judged again on the same path; commands that do not run in batches run one by one. Each request wakes the worker of
// its process; where there is none, the job `activity.received` does the work. An activity in progress has a claim on
// its row, which expires by itself, so that no connection is held while another server is asked.

import type { App } from "../platform/app.ts";
import { perApp } from "../platform/caches/index.ts";
import type { Db } from "../platform/db/index.ts";
import { hostIn } from "../platform/json/read.ts";
import { ClaimedQueue } from "../platform/queues/claimed-queue.ts";
import type {
  Claim,
  ClaimedWork,
  QueueLimits,
  QueuePace,
  QueueWorker,
} from "../platform/queues/claimed-work.ts";
import { ALONE } from "../platform/workers/lease.ts";
import type { Lease } from "../platform/workers/lease.ts";
import { nullOn } from "../platform/errors.ts";
import "./events.ts";
import { CLAIM_MS, workBatch } from "./inbox/batch.ts";
import type { Attempt, Batch, ToFetch, ToRun } from "./inbox/batch.ts";
import type { Fetched } from "./inbox/facts.ts";
import { isDatabaseUnavailable, resultOf } from "./inbox/failures.ts";
import type { Result } from "./inbox/failures.ts";
import { fetchDependencies } from "./inbox/fetch-dependencies.ts";
import { LaneFull, createLane } from "./inbox/lane.ts";
import type { Lane } from "./inbox/lane.ts";
import { newPass } from "./inbox/order.ts";
import type { Pass } from "./inbox/order.ts";
import {
  claimMany,
  finishMany,
  releaseClaims,
  renewMany,
  retryMany,
  selectFloor,
  selectLastClaim,
  selectOldestWaiting,
  shardsOf,
} from "./inbox/queries.ts";
import type { WaitingRow } from "./inbox/queries.ts";
import { wakeWorkers } from "./inbox/wake.ts";

/** Requests to other servers. `waiting` limits the activities that may be claimed to wait for them. */
const FETCHES = { total: 48, perTarget: 4, perSender: 16, waiting: 2000 };
/** Commands, which send no requests and are quick. */
const RUNS = { total: 10, perTarget: 10, perSender: 5, waiting: 1000 };

const fetchesOf = perApp("inbox fetches", () => createLane(FETCHES));
const runsOf = perApp("inbox commands", () => createLane(RUNS));

/** Claimed activities; the lanes have lower limits of their own. */
const HELD = 4000;
const LIMITS: QueueLimits = { batch: 1, atOnce: HELD, claimed: HELD, renewMs: CLAIM_MS / 3 };
const PACE: QueuePace = { gather: 60, settle: 5, poll: 10_000 };
const AT_ONCE: QueuePace = { gather: 0, settle: 0, poll: 10_000 };

/** Milliseconds after which other workers help with what the first has not begun. */
const HELP_MS = 300;
/** Rows of a pass from which the next one follows at once. */
const MANY = 200;

/**
 * Milliseconds between searches for the oldest waiting id, and between searches from the beginning: a commit may have
 * taken longer than expected.
 */
const FLOOR_MS = 2000;
const WHOLE_MS = 60_000;

/** Fetched documents of an activity, used until its claim expires. */
type Ready = { fetched: Fetched; until: number };

/** A claimed activity. Fetching for it returns no result: it is judged again. */
type Item = { id: string; work: () => Promise<Result | null> };

type Work = (only: string[] | undefined, attempt: Attempt) => Promise<Batch>;

const isFull = (error: unknown): boolean => error instanceof LaneFull;

/** Processes the inbox for one process. */
export class Inbox implements ClaimedWork<Item, Result> {
  #app: App;
  #lease: Lease;
  #fetches: Lane;
  #runs: Lane;
  /** Rows of a pass below which it is the last one, so that more can gather. */
  #least: number;
  /** Activities to judge again, with what was fetched for them. */
  #ready = new Map<string, Ready>();
  #floor = { id: "0", at: -Infinity, wholeAt: -Infinity };
  #pass: Pass | null = null;
  #worked = 0;
  #isClosed = false;

  constructor(app: App, lease: Lease = ALONE, least = MANY) {
    this.#app = app;
    this.#lease = lease;
    this.#least = least;
    this.#fetches = fetchesOf(app);
    this.#runs = runsOf(app);
  }

  keyOf = ({ id }: Item): string => id;

  /** Processes the next batch of a pass over everything that is due; claims what takes longer. */
  async claim(): Promise<Claim<Item>> {
    const now = this.#app.clock.now();
    const floor = await this.#raiseFloor();
    const shards = await this.#shards(now, floor);
    if (shards === "later") return { items: [], againMs: HELP_MS };
    for (const [id, { until }] of this.#ready) if (until < now.getTime()) this.#ready.delete(id);
    const pass = (this.#pass ??= newPass(floor));
    const batches = await this.#workBatches(shards, pass);
    const last = batches.length === 1 ? batches[0]!.last : null;
    const items = batches.flatMap((batch) => this.#itemsOf(batch));
    this.#worked += items.length + batches.reduce((n, { settled }) => n + settled.length, 0);
    return { items, isMore: this.#goOn(pass, last) };
  }

  async run([item]: Item[], report: (result: Result) => void): Promise<void> {
    if (this.#isClosed) return;
    const result = await item!.work();
    if (result) report(result);
  }

  /** Activities may have waited for the finished ones, so the inbox is due now. */
  async settle(results: Result[]): Promise<Date> {
    const done = results.flatMap((result) => ("done" in result ? [result.done] : []));
    const retries = results.flatMap((result) => ("retry" in result ? [result.retry] : []));
    const { sql, jobs, clock } = this.#app;
    if (done.length > 0) await finishMany(sql, done);
    if (retries.length > 0) {
      await sql.begin(async (tx) => {
        await retryMany(tx, retries);
        const wakes = retries.map(({ id, retryAt: runAt }) => ({ runAt, key: `inbox:${id}` }));
        await jobs.addMany(
          tx,
          "activity.received",
          wakes.map((wake) => ({ payload: {}, ...wake })),
        );
      });
    }
    return clock.now();
  }

  renewClaims = (ids: string[]) =>
    renewMany(this.#app.sql, this.#app.process.id, ids, this.#claimedUntil());

  release = (db: Db) => releaseClaims(db);

  forget(): void {
    this.#ready.clear();
  }

  /** Finishes what is in progress; what waits for a place in a lane is left to the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#fetches.close(), this.#runs.close()]);
  }

  #claimedUntil(): Date {
    return new Date(this.#app.clock.now().getTime() + CLAIM_MS);
  }

  #goOn(pass: Pass, last: string | null): boolean {
    if (last !== null) {
      pass.after = last;
      return true;
    }
    const wasAll = pass.skipped.isEmpty();
    const isMore = this.#worked > 0 && (!wasAll || this.#worked >= this.#least);
    this.#pass = null;
    this.#worked = 0;
    return isMore;
  }

  async #raiseFloor(): Promise<string> {
    const at = performance.now();
    if (at - this.#floor.at >= FLOOR_MS) {
      const isWhole = at - this.#floor.wholeAt >= WHOLE_MS;
      const id = await selectFloor(this.#app.sql, isWhole ? "0" : this.#floor.id);
      this.#floor = { id, at, wholeAt: isWhole ? at : this.#floor.wholeAt };
    }
    return this.#floor.id;
  }

  /**
   * Returns the shards to work on. The first of several workers takes all, in large batches, until something has waited
   * for long; then each takes its share. Null for a single worker.
   */
  async #shards(now: Date, floor: string): Promise<number[] | null | "later"> {
    const share = this.#lease.share();
    if (!share || share.of === 1) return shardsOf(share);
    const oldest = await selectOldestWaiting(this.#app.sql, now, floor);
    if (oldest && now.getTime() - oldest.getTime() > HELP_MS) return shardsOf(share);
    if (share.at === 0) return shardsOf({ at: 0, of: 1 });
    return oldest ? "later" : [];
  }

  /** Processes batches. If one fails in part, what was claimed is still worked on. */
  async #workBatches(shards: number[] | null, pass: Pass): Promise<Batch[]> {
    const batches: Batch[] = [];
    if (shards?.length === 0) return batches;
    const fetched = new Map([...this.#ready].map(([id, ready]) => [id, ready.fetched]));
    const work = (only: string[] | undefined, attempt: Attempt) => {
      const places = { run: this.#runs.room(), fetch: this.#fetches.room() };
      const input = { pass, places, fetched, shards, ...(only && { only }) };
      return workBatch(this.#app, input, attempt);
    };
    try {
      await this.#workInHalves(work, batches);
    } catch (error) {
      if (batches.length === 0) throw error;
      this.#app.log.warn({ err: error }, "a part of a batch was not worked on");
    }
    return batches;
  }

  /** Repeats a failed batch in halves, down to the activity that fails, which is retried later. */
  async #workInHalves(work: Work, into: Batch[], only?: string[], isRepeat = false): Promise<void> {
    const attempt: Attempt = { rows: [] };
    try {
      into.push(await work(only, attempt));
    } catch (error) {
      const { rows } = attempt;
      if (rows.length === 0 || isDatabaseUnavailable(error)) throw error;
      this.#app.log.debug({ err: error, count: rows.length }, "a batch of activities failed");
      const ids = rows.map(({ id }) => id);
      if (rows.length > 1) {
        const middle = rows.length >> 1;
        await this.#workInHalves(work, into, ids.slice(0, middle));
        return this.#workInHalves(work, into, ids.slice(middle));
      }
      if (!isRepeat) return this.#workInHalves(work, into, ids, true);
      into.push(await this.#claimFailed(rows[0]!, error));
    }
  }

  /** Claims a failed activity in such a way that nothing waits for it. */
  async #claimFailed(row: WaitingRow, error: unknown): Promise<Batch> {
    const { id, actor_uri: actorUri, attempts } = row;
    const { sql, process } = this.#app;
    await claimMany(sql, process.id, [{ id, subjects: [] }], this.#claimedUntil());
    const failed = [{ id, actorUri, attempts, error }];
    return { settled: [], toFetch: [], toRun: [], failed, last: null };
  }

  #itemsOf({ settled, toFetch, toRun, failed }: Batch): Item[] {
    for (const id of settled) this.#ready.delete(id);
    const fetches = toFetch.map((claimed) => ({
      id: claimed.id,
      work: () => this.#fetchFor(claimed),
    }));
    const runs = toRun.map((claimed) => ({ id: claimed.id, work: () => this.#runOne(claimed) }));
    const failures = failed.map((claimed) => {
      const work = async () => resultOf(this.#app, claimed, claimed.error);
      return { id: claimed.id, work };
    });
    for (const { id } of [...runs, ...failures]) this.#ready.delete(id);
    return [...fetches, ...runs, ...failures];
  }

  async #fetchFor(claimed: ToFetch): Promise<Result | null> {
    const before = this.#ready.get(claimed.id)?.fetched ?? new Map();
    this.#ready.delete(claimed.id);
    try {
      if (claimed.dependencies.every(({ uri }) => before.has(uri)))
        throw new Error("fetched already");
      const fetched = await fetchDependencies(this.#app, this.#fetches, claimed);
      const until = this.#claimedUntil().getTime();
      this.#ready.set(claimed.id, { fetched: new Map([...before, ...fetched]), until });
      return null;
    } catch (error) {
      return isFull(error) ? null : resultOf(this.#app, claimed, error);
    }
  }

  async #runOne(claimed: ToRun): Promise<Result | null> {
    const work = async (): Promise<Result> => {
      try {
        await claimed.run(this.#app);
        return { done: claimed.id };
      } catch (error) {
        return resultOf(this.#app, claimed, error);
      }
    };
    const sender = hostIn(claimed.actorUri) ?? "";
    return nullOn(isFull, this.#runs.run({ target: "", sender, work }));
  }
}

/** Starts to process the inbox; `stop` finishes what is in progress. */
export const startInbox = async (
  app: App,
  pace: QueuePace = PACE,
  lease: Lease = ALONE,
): Promise<QueueWorker> => {
  const work = new Inbox(app, lease);
  const queue = new ClaimedQueue(app, work, { name: "inbox", limits: LIMITS, pace, lease });
  await queue.start();
  return queue;
};

/** Schedules a job for the time when other processes' claims have expired, in case their owners die. */
const scheduleAfterClaims = async (app: App): Promise<void> => {
  const runAt = await selectLastClaim(app.sql, app.clock.now());
  if (runAt) await app.jobs.add(app.sql, "activity.received", {}, { runAt, key: "inbox:watch" });
};

/** Processes until nothing is due any more. */
export const processInbox = async (app: App): Promise<void> => {
  const work = new Inbox(app, ALONE, 1);
  await new ClaimedQueue(app, work, { name: "inbox", limits: LIMITS, pace: AT_ONCE }).drain();
  await scheduleAfterClaims(app);
};

/** Handles the job `activity.received`; where there are workers, they do the work. */
export const onActivityReceived = async (app: App): Promise<void> => {
  if (!wakeWorkers(app)) await processInbox(app);
};

// A claimed queue: the rows of a table that say what has to be done at once. A process claims rows, works on them,
// stores the results and looks for more; several processes share a table, and one that dies leaves nothing but claims,
// which others take over (docs/design/write-path.md). Work with a time of its own is a job (platform/jobs).

import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../app.ts";
import type { Db } from "../db/index.ts";
import { attachWorker } from "../wake.ts";
import type { Work } from "../wake.ts";
import { ALONE } from "../workers/lease.ts";
import type { Lease } from "../workers/lease.ts";
import { Results } from "./results.ts";

export type QueueState = "idle" | "gathering" | "running" | "draining" | "stopped";
export type QueueEvent = "wake" | "gathered" | "finished" | "stop" | "drained";

/** The states of the claiming; what it has claimed is worked on beside it. Other events change nothing. */
export const TRANSITIONS: Record<QueueState, Partial<Record<QueueEvent, QueueState>>> = {
  /** Nothing is known to be due. */
  idle: { wake: "gathering", stop: "draining" },
  /** Something is; what comes close together is claimed together. */
  gathering: { gathered: "running", stop: "draining" },
  /** Claims and begins, when there is room, until there is no more. What wakes it meanwhile is gathered next. */
  running: { finished: "idle", stop: "draining" },
  /** Claims nothing; what was claimed ends and is stored. */
  draining: { drained: "stopped" },
  stopped: {},
};

export type Claim<T> = {
  /** In the order in which they are begun. */
  items: T[];
  /** There may be more: it claims again as soon as there is room. */
  isMore?: boolean;
  /** It looks again after so many milliseconds, however often it is woken before. */
  againMs?: number;
  /** It looks again at this time, unless it is woken before. */
  dueAt?: Date | null;
};

/** What goes on when the rest of its batch has ended: the next batch does not wait for it. */
export type Behind = { keys: string[]; ended: Promise<unknown> };

/** What is done with the rows of one table. */
export type ClaimedWork<T, R> = {
  /** Its key is kept from its claim until its result is stored: meanwhile it is not begun again. */
  keyOf(item: T): string;
  /** Claims what is due, in this process's name and for a time. `room`: how many may be begun. */
  claim(room: number): Promise<Claim<T>>;
  /**
   * Works on items that are begun together; must be idempotent. Where it reports nothing, or fails before it does,
   * the items are let go, and it looks again: their rows say what becomes of them. What it gives reports before it
   * ends.
   */
  run(items: T[], report: (result: R) => void): Promise<Behind[] | void>;
  /** Stores results, which ends claims; tried until it succeeds. Gives when something is due because of them. */
  settle(results: R[]): Promise<Date | null>;
  /** Extends claims, at the latest after two thirds of their time. */
  renew(keys: string[]): Promise<unknown>;
  /** Ends the claims of dead processes. */
  release(db: Db): Promise<unknown>;
  /** Others may have claimed what this process holds. */
  forget?(): void;
  /** It stops: what runs may end early. */
  close?(): unknown;
};

export type QueuePace = {
  /** What comes so close together, in milliseconds, is claimed together. */
  gather: number;
  /** Results that come so close together are stored together. */
  settle: number;
  /** How often it looks without being woken. */
  poll: number;
};

export type QueueLimits = {
  /** Items that are begun together, and how many such batches run at once. */
  batch: number;
  atOnce: number;
  /** Items that are claimed and not stored. */
  claimed: number;
  /** How often claims are extended, in milliseconds: three times in the time of a claim. */
  renewMs: number;
};

type QueueOptions = {
  name: Work;
  limits: QueueLimits;
  pace: QueuePace;
  lease?: Lease;
};

/** Results that could not be stored are tried again after this. */
const RETRY_MS = 1000;

/** What others see of a queue that was started. */
export type QueueWorker = {
  stop(): Promise<void>;
  /** Nothing is due, as far as it knows, and nothing in progress. */
  isIdle(): boolean;
};

export class ClaimedQueue<T, R> implements QueueWorker {
  #app: App;
  #work: ClaimedWork<T, R>;
  #options: QueueOptions;
  #results: Results<R>;
  #state: QueueState = "idle";
  /** The table has to be looked at. */
  #isDue = false;
  /** Claimed and not stored; of these, what has not begun. */
  #keys = new Set<string>();
  #waiting = new Map<string, T>();
  #runs = new Set<Promise<void>>();
  #behind = new Set<Promise<void>>();
  #claimed = 0;
  /** Why nothing could be claimed at the last look. */
  #fault: unknown = null;
  #passing: Promise<void> = Promise.resolve();
  #room: PromiseWithResolvers<void> | null = null;
  #gathering: NodeJS.Timeout | undefined;
  #due: NodeJS.Timeout | undefined;
  #dueAt = Infinity;
  #renewable: string[] = [];
  #ends: (() => void)[] = [];

  constructor(app: App, work: ClaimedWork<T, R>, options: QueueOptions) {
    this.#app = app;
    this.#work = work;
    this.#options = options;
    const { pace } = options;
    this.#results = new Results<R>({
      gatherMs: pace.settle,
      retryMs: Math.min(RETRY_MS, pace.poll),
      store: async (results, keys) => {
        const due = results.length > 0 ? await work.settle(results) : null;
        this.#free(keys);
        this.#wakeAt(due);
      },
      onFailed: (error) => this.#warn(error, "results are not stored yet"),
    });
  }

  get state(): QueueState {
    return this.#state;
  }

  isIdle(): boolean {
    return this.#state !== "gathering" && this.#state !== "running" && this.#keys.size === 0;
  }

  /** Frees what dead processes claimed, and works from now on; `attach` gives the function that ends offers. */
  async start(attach?: () => () => void): Promise<void> {
    const { name, pace, limits, lease = ALONE } = this.#options;
    const { release } = this.#work;
    await release(this.#app.sql);
    const forget = () => this.#forget();
    lease.join({ release, wake: this.wake, forget });
    const unsubscribe = attachWorker(this.#app, name, this.wake);
    const detach = attach?.() ?? (() => {});
    const polling = setInterval(this.wake, pace.poll).unref();
    const renewing = setInterval(() => void this.#renew(), limits.renewMs).unref();
    const stopTimers = () => [polling, renewing].forEach(clearInterval);
    this.#ends = [unsubscribe, detach, stopTimers];
    this.wake();
  }

  /** Something may be due. */
  wake = (): void => {
    this.#isDue = true;
    this.#gather(this.#options.pace.gather);
  };

  /** Takes what this process has claimed already; beyond the limit it is left to the end of the claim. */
  offer(items: T[]): void {
    this.#hold(items);
    const { limits, pace } = this.#options;
    // What was offered while it had no room has been gathered by then.
    const isFull = this.#runs.size >= limits.atOnce;
    if (this.#waiting.size > 0) this.#gather(isFull ? 0 : pace.gather);
  }

  /**
   * Works until nothing is due, without having been started: for jobs, commands and tests. Gives how many were claimed;
   * throws where the table cannot be read.
   */
  async drain(): Promise<number> {
    const before = this.#claimed;
    for (let last = -1; last < this.#claimed;) {
      last = this.#claimed;
      this.wake();
      while (!this.isIdle()) await sleep(1);
    }
    if (this.#fault) throw this.#fault;
    return this.#claimed - before;
  }

  /** Ends what was claimed or offered, and stores it. */
  async stop(): Promise<void> {
    if (!this.#enter("stop")) return;
    clearTimeout(this.#gathering);
    clearTimeout(this.#due);
    const closed = this.#work.close?.();
    await this.#passing;
    while (this.#waiting.size + this.#runs.size > 0) {
      await this.#pass();
      await Promise.all(this.#runs);
    }
    await Promise.all(this.#behind);
    for (const end of this.#ends) end();
    await closed;
    await this.#results.stop();
    this.#enter("drained");
  }

  #enter(event: QueueEvent): boolean {
    const next = TRANSITIONS[this.#state][event];
    if (next) this.#state = next;
    return next !== undefined;
  }

  #gather(ms: number): void {
    if (!this.#enter("wake")) return;
    this.#gathering = setTimeout(() => {
      if (this.#enter("gathered")) this.#passing = this.#run();
    }, ms);
  }

  async #run(): Promise<void> {
    const againMs = await this.#pass();
    if (!this.#enter("finished")) return;
    if (againMs !== undefined) this.#isDue = true;
    if (this.#isDue || this.#waiting.size > 0) this.#gather(againMs ?? this.#options.pace.gather);
  }

  /** Claims and begins until there is no more; stopping, it only begins. */
  async #pass(): Promise<number | undefined> {
    let last: Claim<T> = { items: [] };
    do {
      await this.#untilRoom();
      if (this.#state !== "running") last = { items: [] };
      else if (this.#isDue || last.isMore) last = await this.#claim(last);
      this.#begin();
    } while (last.isMore || this.#waiting.size > 0);
    return last.againMs;
  }

  /** Of the batches that may be begun, what no waiting item takes. */
  #roomLeft(): number {
    const { batch, atOnce, claimed } = this.#options.limits;
    const room = batch * (atOnce - this.#runs.size) - this.#waiting.size;
    return Math.min(room, claimed - this.#keys.size);
  }

  async #claim(last: Claim<T>): Promise<Claim<T>> {
    const room = this.#roomLeft();
    if (room <= 0) return last;
    this.#isDue = false;
    try {
      const claim = await this.#work.claim(room);
      this.#fault = null;
      this.#claimed += claim.items.length;
      this.#hold(claim.items);
      this.#wakeAt(claim.dueAt ?? null);
      return claim;
    } catch (error) {
      this.#fault = error;
      this.#warn(error, "nothing can be claimed");
      return { items: [] };
    }
  }

  #hold(items: T[]): void {
    for (const item of items) {
      if (this.#keys.size >= this.#options.limits.claimed) return;
      const key = this.#work.keyOf(item);
      if (this.#keys.has(key)) continue;
      this.#keys.add(key);
      this.#waiting.set(key, item);
    }
  }

  #begin(): void {
    const { batch, atOnce } = this.#options.limits;
    while (this.#waiting.size > 0 && this.#runs.size < atOnce) {
      const items = new Map(this.#waiting.entries().take(batch));
      for (const key of items.keys()) this.#waiting.delete(key);
      const ended = this.#runBatch(items).then(() => {
        this.#runs.delete(ended);
        this.#roomMade();
      });
      this.#runs.add(ended);
    }
  }

  async #runBatch(items: Map<string, T>): Promise<void> {
    let isReported = false;
    const report = (result: R): void => {
      isReported = true;
      this.#results.add(result);
    };
    const behind = await this.#work
      .run([...items.values()], report)
      .catch((error: unknown) => this.#warn(error, "not done yet"));
    for (const { keys, ended } of behind ?? []) {
      for (const key of keys) items.delete(key);
      this.#follow(keys, ended);
    }
    const keys = [...items.keys()];
    if (isReported || keys.length === 0) return this.#results.end(keys);
    this.#free(keys);
    this.wake();
  }

  #follow(keys: string[], ended: Promise<unknown>): void {
    const following = ended
      .then(
        () => this.#results.end(keys),
        (error: unknown) => {
          this.#warn(error, "not done yet");
          this.#free(keys);
          this.wake();
        },
      )
      .finally(() => this.#behind.delete(following));
    this.#behind.add(following);
  }

  #free(keys: string[]): void {
    for (const key of keys) this.#keys.delete(key);
    this.#roomMade();
  }

  async #untilRoom(): Promise<void> {
    const { atOnce, claimed } = this.#options.limits;
    const isFull = () =>
      this.#runs.size >= atOnce || (this.#waiting.size === 0 && this.#keys.size >= claimed);
    while (isFull()) await (this.#room ??= Promise.withResolvers()).promise;
  }

  #roomMade(): void {
    this.#room?.resolve();
    this.#room = null;
  }

  #wakeAt(due: Date | null): void {
    const wait = due ? Math.max(0, due.getTime() - this.#app.clock.now().getTime()) : Infinity;
    if (wait === 0) return this.wake();
    const isStopped = this.#state === "draining" || this.#state === "stopped";
    if (isStopped || wait >= this.#options.pace.poll || this.#dueAt <= due!.getTime()) return;
    clearTimeout(this.#due);
    this.#dueAt = due!.getTime();
    const onDue = () => {
      this.#dueAt = Infinity;
      this.wake();
    };
    this.#due = setTimeout(onDue, wait).unref();
  }

  /** Of what was held already at the last look: most items are not held for that long. */
  async #renew(): Promise<void> {
    const keys = this.#renewable.filter((key) => this.#keys.has(key));
    this.#renewable = [...this.#keys];
    if (keys.length === 0) return;
    await Promise.resolve(this.#work.renew(keys)).catch((error: unknown) =>
      this.#warn(error, "claims are not renewed"),
    );
  }

  #forget(): void {
    for (const key of this.#waiting.keys()) this.#keys.delete(key);
    this.#waiting.clear();
    this.#work.forget?.();
  }

  #warn(error: unknown, message: string): void {
    this.#app.log.warn({ err: error, queue: this.#options.name }, message);
  }
}

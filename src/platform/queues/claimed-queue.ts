// A claimed queue works on the rows of a table that say what has to be done at once. A process claims rows, works on
// them, stores the results and looks for more. Several processes share a table, and a process that dies leaves only
// claims, which others take over (docs/design/write-path.md). Work that is due later is a job (platform/jobs).

import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../app.ts";
import { attachWorker } from "../wake.ts";
import { ALONE } from "../workers/lease.ts";
import { Results } from "./results.ts";
import type { Claim, ClaimedWork, QueueOptions, QueueWorker } from "./claimed-work.ts";

export type QueueState = "idle" | "gathering" | "running" | "draining" | "stopped";
export type QueueEvent = "wake" | "gathered" | "finished" | "stop" | "drained";

/**
 * The states of claiming. Claimed items are worked on independently of them. Events that are not listed change nothing.
 */
export const TRANSITIONS: Record<QueueState, Partial<Record<QueueEvent, QueueState>>> = {
  /** No row is known to be due. */
  idle: { wake: "gathering", stop: "draining" },
  /** A row is due; the queue waits a moment, so that rows that come close together are claimed together. */
  gathering: { gathered: "running", stop: "draining" },
  /** Claims and begins while there is room and there are more rows. What wakes it meanwhile is gathered next. */
  running: { finished: "idle", stop: "draining" },
  /** Claims nothing more; claimed items are finished and stored. */
  draining: { drained: "stopped" },
  stopped: {},
};

/** Milliseconds after which storing results is tried again. */
const RETRY_MS = 1000;

export class ClaimedQueue<T, R> implements QueueWorker {
  #app: App;
  #work: ClaimedWork<T, R>;
  #options: QueueOptions;
  #results: Results<R>;
  #state: QueueState = "idle";
  /** True when the table has to be looked at. */
  #isDue = false;
  /** Keys of items that are claimed and have not ended; then those of them that have not begun. */
  #keys = new Set<string>();
  /** Keys of items whose results are being stored. */
  #storing = new Set<string>();
  #waiting = new Map<string, T>();
  #runs = new Set<Promise<void>>();
  #behind = new Set<Promise<void>>();
  #claimed = 0;
  /** The error of the last attempt to claim, or null. */
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
      store: (results, keys) => this.#store(results, keys),
      onFailed: (error) => this.#warn(error, "results are not stored yet"),
    });
  }

  get state(): QueueState {
    return this.#state;
  }

  isIdle(): boolean {
    return this.#state !== "gathering" && this.#state !== "running" && this.#heldCount() === 0;
  }

  /** Frees what dead processes claimed, and starts to work; `attach` returns the function that ends offers. */
  async start(attach?: () => () => void): Promise<void> {
    const { name, pace, limits, lease = ALONE } = this.#options;
    const { release } = this.#work;
    await release(this.#app.sql);
    const forget = () => this.#forget();
    lease.join({ release, wake: this.wake, forget });
    const unsubscribe = attachWorker(this.#app, name, this.wake);
    const detach = attach?.() ?? (() => {});
    const polling = setInterval(this.wake, pace.poll).unref();
    const renewing = setInterval(() => void this.#renewClaims(), limits.renewMs).unref();
    const stopTimers = () => [polling, renewing].forEach(clearInterval);
    this.#ends = [unsubscribe, detach, stopTimers];
    this.wake();
  }

  /** Says that a row may be due. */
  wake = (): void => {
    this.#isDue = true;
    this.#gather(this.#options.pace.gather);
  };

  /** Takes items that this process has already claimed; returns those that it does not take. */
  offer(items: T[]): T[] {
    const left = this.#hold(items);
    const { limits, pace } = this.#options;
    // Items offered while the queue had no room have been gathered by then.
    const isFull = this.#runs.size >= limits.atOnce;
    if (this.#waiting.size > 0) this.#gather(isFull ? 0 : pace.gather);
    return left;
  }

  /**
   * Works until no row is due, without having been started; for jobs, commands and tests. Returns the number of claimed
   * items; throws where the table cannot be read.
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

  /** Finishes and stores what was claimed or offered. */
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

  /** Claims and begins until there is no more; while stopping, it only begins. */
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

  /** Returns the items that may still be begun, less those that wait. */
  #roomLeft(): number {
    const { batch, atOnce, claimed } = this.#options.limits;
    const room = batch * (atOnce - this.#runs.size) - this.#waiting.size;
    return Math.min(room, claimed - this.#heldCount());
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

  /** Returns the items that are held already, or beyond the limit. */
  #hold(items: T[]): T[] {
    return items.filter((item) => {
      const key = this.#work.keyOf(item);
      if (this.#keys.has(key) || this.#heldCount() >= this.#options.limits.claimed) return true;
      this.#keys.add(key);
      this.#waiting.set(key, item);
      return false;
    });
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

  #heldCount(): number {
    return this.#keys.size + this.#storing.size;
  }

  async #store(results: R[], keys: string[]): Promise<void> {
    for (const key of keys) {
      this.#keys.delete(key);
      this.#storing.add(key);
    }
    try {
      const due = results.length > 0 ? await this.#work.settle(results) : null;
      this.#wakeAt(due);
    } catch (error) {
      for (const key of keys) this.#keys.add(key);
      throw error;
    } finally {
      for (const key of keys) this.#storing.delete(key);
      this.#roomMade();
    }
  }

  #free(keys: string[]): void {
    for (const key of keys) this.#keys.delete(key);
    this.#roomMade();
  }

  async #untilRoom(): Promise<void> {
    const { atOnce, claimed } = this.#options.limits;
    const isFull = () =>
      this.#runs.size >= atOnce || (this.#waiting.size === 0 && this.#heldCount() >= claimed);
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

  /** Extends the claims of items that were already held at the last look; most are not held for that long. */
  async #renewClaims(): Promise<void> {
    const current = this.#keys.union(this.#storing);
    const keys = this.#renewable.filter((key) => current.has(key));
    this.#renewable = [...current];
    if (keys.length === 0) return;
    await Promise.resolve(this.#work.renewClaims(keys)).catch((error: unknown) =>
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

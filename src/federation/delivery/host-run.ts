// Sends what waits for one host, in order, and decides by the responses what becomes of the deliveries and of the host.
// A host that does not respond gets nothing for a while, however many deliveries wait. A delivery that fails while
// others succeed is moved behind them, so that it delays none.

import type { App } from "../../platform/app.ts";
import { attempt } from "./attempt.ts";
import type { Result } from "./attempt.ts";
import { createHostQueue } from "./order.ts";
import type { PreparedActivity } from "./outgoing.ts";
import type { Pace, Places } from "./places.ts";
import type { DeliveryRow, HostRow, PutBack, Settled } from "./queries-queue.ts";

const MINUTE_MS = 60_000;
/** Deliveries of a host read at a time; this many count as a backlog. */
export const READ = 50;
/**
 * Minutes until the next attempt, by the number of failures before; the last value repeats. The first is a few seconds,
 * enough for a server that restarts.
 */
const BACKOFF_MINUTES = [1 / 12, 1 / 2, 2, 5, 15, 30, 60, 120, 180];
/** Requests at once to a host that answers quickly or slowly; a host that failed last gets one as a test. */
const AT_ONCE = 4;
const AT_ONCE_SLOW = 2;
/** Average milliseconds of an answer from which a host counts as slow. */
const SLOW_MS = 1000;
const TIMEOUT_MS = 10_000;
/** Milliseconds before a request to a host that failed last times out, unless it is known to take longer. */
const SHORT_TIMEOUT_MS = 5000;
/** Number of failures after which a host gets the full timeout again, since it may only be slow. */
const FULL_TIMEOUT_EVERY = 4;
/** Failures of a delivery after which another one is tried, to see whether the host is at fault. */
const SUSPECT_AFTER = 2;
/** Deliveries of a host that may be suspected at the same time. */
const MAX_SUSPECTS = 2;
/** Failures of a delivery after which it is moved behind the others in any case. */
const RETRY_APART_AFTER = 12;

/** Takes the results, which are stored many at once. */
type Outcomes = {
  done(id: string): void;
  putBack(back: PutBack): void;
  /** Reports whether a request was answered. */
  attempted(kind: Result["kind"]): void;
};

/** Activities by id; deleted ones are missing. */
export type Outgoing = Map<string, PreparedActivity>;

export type HostWork = {
  host: HostRow;
  deliveries: DeliveryRow[];
  outgoing: Promise<Outgoing>;
};

export type RunOptions = {
  outgoing: Outgoing;
  places: Places;
  outcomes: Outcomes;
  /** Called when a request of this host takes long. */
  onSlow: () => void;
  /** Aborts the requests in flight, which then count as never sent. */
  signal: AbortSignal;
};

const backoffMs = (failures: number): number => {
  const minutes = BACKOFF_MINUTES[Math.min(failures, BACKOFF_MINUTES.length - 1)]!;
  return minutes * MINUTE_MS * (0.9 + Math.random() * 0.2);
};

export class HostRun {
  #app: App;
  #work: HostWork;
  #options: RunOptions;
  #queue;
  #failures: number;
  #latencyMs: number | null;
  #pausedUntil = 0;
  #inFlight = 0;
  /** Number of answers, which orders events in time. */
  #answers = 0;
  #lastUp = 0;
  #failed: { delivery: DeliveryRow; at: number }[] = [];
  /** Failures since the host's last answer, and the number of failures that ends the run. */
  #streak = 0;
  #patience = 1;
  #isStopped = false;
  #end = Promise.withResolvers<Settled>();

  constructor(app: App, work: HostWork, options: RunOptions) {
    this.#app = app;
    this.#work = work;
    this.#options = options;
    this.#failures = work.host.failures;
    this.#latencyMs = work.host.latency_ms;
    // Strictly in order, a host 100 ms away would get ten activities a second, so in a backlog only each sender's
    // activities are in order.
    const isBacklog = work.deliveries.length >= READ;
    const lineOf = ({ account_id }: DeliveryRow) => (isBacklog ? (account_id ?? "") : "");
    this.#queue = createHostQueue(work.deliveries, lineOf);
  }

  /** Resolves when nothing is in flight and nothing more is to be sent now. */
  run(): Promise<Settled> {
    this.#pump();
    return this.#end.promise;
  }

  /** Finishes what is in flight, and begins nothing more. */
  stop(): void {
    this.#isStopped = true;
  }

  #now(): number {
    return this.#app.clock.now().getTime();
  }

  #mayGoOn(): boolean {
    return !this.#isStopped && this.#pausedUntil === 0 && this.#streak < this.#patience;
  }

  #isSlow(): boolean {
    return this.#failures > 0 || (this.#latencyMs ?? 0) >= SLOW_MS;
  }

  #pace(): Pace {
    if (this.#isSlow()) return "slow";
    return this.#latencyMs === null ? "unknown" : "quick";
  }

  #atOnce(): number {
    if (this.#failures > 0 || this.#streak > 0) return 1;
    return this.#isSlow() ? AT_ONCE_SLOW : AT_ONCE;
  }

  #timeoutMs(): number {
    const isShort = this.#failures % FULL_TIMEOUT_EVERY > 0;
    const isQuick = (this.#latencyMs ?? 0) < SHORT_TIMEOUT_MS / 2;
    return isShort && isQuick ? SHORT_TIMEOUT_MS : TIMEOUT_MS;
  }

  #pump(): void {
    while (this.#mayGoOn() && this.#inFlight < this.#atOnce()) {
      const delivery = this.#queue.take();
      if (!delivery) break;
      this.#inFlight += 1;
      void this.#send(delivery).then(() => {
        this.#inFlight -= 1;
        this.#queue.finish(delivery);
        this.#pump();
      });
    }
    if (this.#inFlight === 0) this.#end.resolve(this.#settle());
  }

  async #send(delivery: DeliveryRow): Promise<void> {
    const outgoing = this.#options.outgoing.get(delivery.activity_id);
    if (!outgoing) return this.#giveUp(delivery, "gone");
    const place = await this.#options.places.enter(this.#pace(), this.#options.onSlow);
    if (!place) return this.stop();
    try {
      // Another delivery may have failed meanwhile.
      if (this.#mayGoOn()) await this.#attempt(delivery, outgoing);
      else this.stop();
    } finally {
      place.leave();
    }
  }

  async #attempt(delivery: DeliveryRow, outgoing: PreparedActivity): Promise<void> {
    const { inbox, tries } = delivery;
    const began = performance.now();
    try {
      const timeoutMs = this.#timeoutMs();
      const result = await attempt(this.#app, outgoing, {
        inbox,
        tries,
        isUnsure: this.#pace() !== "quick",
        timeoutMs,
        signal: this.#options.signal,
      });
      this.#app.meters.deliveries.count(result.kind);
      this.#options.outcomes.attempted(result.kind);
      if (result.kind === "aborted") return this.stop();
      this.#measure(performance.now() - began, result);
      this.#judge(delivery, result);
    } catch (error) {
      this.#app.log.warn({ err: error, delivery: delivery.id }, "a delivery failed");
      this.#retryLater(delivery);
    }
  }

  /** Measures answers alone: missing ones count as failures. */
  #measure(ms: number, { kind }: Result): void {
    if (kind === "down") return;
    const before = this.#latencyMs ?? ms;
    this.#latencyMs = before + (ms - before) / 4;
  }

  #judge(delivery: DeliveryRow, result: Result): void {
    this.#answers += 1;
    if (result.kind === "down") return this.#onDown(delivery, result);
    if (result.kind === "pause") {
      this.#pausedUntil = this.#now() + result.ms;
      return;
    }
    this.#lastUp = this.#answers;
    this.#failures = 0;
    this.#streak = 0;
    this.#patience = 1;
    if (result.kind === "done") this.#options.outcomes.done(delivery.id);
    else if (result.kind === "refused") this.#giveUp(delivery, result.why);
    else this.#retryLater(delivery);
  }

  #onDown(delivery: DeliveryRow, { why, pauseMs }: Result & { kind: "down" }): void {
    this.#failed.push({ delivery, at: this.#answers });
    this.#streak += 1;
    const isSuspect = delivery.tries >= SUSPECT_AFTER && this.#streak <= MAX_SUSPECTS;
    this.#patience = isSuspect ? this.#streak + 1 : 1;
    if (pauseMs > 0) this.#pausedUntil = this.#now() + pauseMs;
    const { host } = delivery;
    this.#app.log.debug({ activity: delivery.activity_id, host, why }, "delivery put off");
  }

  #giveUp({ id, activity_id: activity, host }: DeliveryRow, why: string | number): void {
    this.#app.log.info({ activity, host, why }, "delivery given up");
    this.#options.outcomes.done(id);
  }

  #retryLater({ id, tries }: DeliveryRow): void {
    const retryAt = new Date(this.#now() + backoffMs(tries));
    this.#options.outcomes.putBack({ id, tries: tries + 1, retryAt });
  }

  /**
   * Moves deliveries that failed before the host answered another one behind the rest; if it answered none, the host is
   * at fault.
   */
  #putBackFailed(): void {
    for (const { delivery, at } of this.#failed) {
      const { id, tries } = delivery;
      if (at < this.#lastUp || tries >= RETRY_APART_AFTER) this.#retryLater(delivery);
      else this.#options.outcomes.putBack({ id, tries: tries + 1, retryAt: null });
    }
  }

  #settle(): Settled {
    const { host, added } = this.#work.host;
    this.#putBackFailed();
    let retryAt = this.#pausedUntil;
    if (this.#streak > 0) {
      retryAt = Math.max(retryAt, this.#now() + backoffMs(this.#failures));
      this.#failures += 1;
      if (this.#failures === 5) this.#app.log.warn({ host }, "a host has failed five times");
    }
    return {
      host,
      added,
      failures: this.#failures,
      latencyMs: this.#latencyMs === null ? null : Math.round(this.#latencyMs),
      slow: this.#isSlow(),
      retryAt: retryAt > 0 ? new Date(retryAt) : null,
      pausedUntil: this.#pausedUntil > 0 ? new Date(this.#pausedUntil) : null,
    };
  }
}

// The worker of the outbox: processes events in batches, by the steps of each event's type. A step that
// fails for a batch becomes one job per event, which is retried alone; if these jobs cannot be written
// either, the events stay and are processed again.

import { setTimeout as sleep } from "node:timers/promises";
import { freshApp } from "../app.ts";
import type { App } from "../app.ts";
import type { EventType, OutboxEvents, StoredEvent } from "./index.ts";
import { inOrder } from "./order.ts";
import { traced } from "../tracing/index.ts";
import { attachWorker } from "../wake.ts";
import { ALONE } from "../workers/lease.ts";
import type { Lease } from "../workers/lease.ts";
import {
  claimEvents,
  deleteEvents,
  releaseEvents,
  renewEvents,
  selectLastUnclaimed,
} from "./queries.ts";

/** What an event is about, as loaded for the steps. */
type Subject = unknown;

/** One piece of follow-up work for many events. It must be idempotent, and correct when it runs late. */
export type Step<S> = (app: App, subjects: S[]) => Promise<void>;

export type EventFlow<T extends EventType, S = Subject> = {
  /** Identifies what the event is about: events with the same key keep their order. */
  key: (payload: OutboxEvents[T]) => string;
  /** Loads what the steps need, once for all steps; what has been deleted is left out. */
  load: (app: App, payloads: OutboxEvents[T][]) => Promise<S[]>;
  /** By name, in the order in which they run. */
  steps: Record<string, Step<S>>;
};

// oxlint-disable-next-line typescript/no-explicit-any
export type EventTable = { [T in EventType]: EventFlow<T, any> };

export type StepOf = { type: EventType; step: string; payload: unknown };

declare module "../jobs/index.ts" {
  interface JobPayloads {
    /** A step for one event of a batch in which it failed. */
    "event.step": StepOf;
  }
}

type AnyFlow = EventFlow<EventType>;
type AnyPayload = OutboxEvents[EventType];

const flowOf = (table: EventTable, type: EventType): AnyFlow => table[type] as unknown as AnyFlow;

/** Enqueues a job for each step of each event. */
const enqueueSteps = async (
  app: App,
  type: EventType,
  steps: string[],
  payloads: AnyPayload[],
  error: unknown,
): Promise<void> => {
  app.log.warn({ err: error, type, steps, count: payloads.length }, "enqueued as jobs");
  const jobs = steps.flatMap((step) =>
    payloads.map((payload) => ({ payload: { type, step, payload } })),
  );
  await app.jobs.addMany(app.sql, "event.step", jobs);
};

const runGroup = async (app: App, table: EventTable, group: StoredEvent[]): Promise<void> => {
  const { type } = group[0]!;
  const { load, steps } = flowOf(table, type);
  const payloads = group.map((event) => event.payload);
  let subjects: Subject[];
  try {
    subjects = await load(app, payloads);
  } catch (error) {
    return enqueueSteps(app, type, Object.keys(steps), payloads, error);
  }
  if (subjects.length === 0) return;
  for (const [name, step] of Object.entries(steps)) {
    await step(app, subjects).catch((error: unknown) =>
      enqueueSteps(app, type, [name], payloads, error),
    );
  }
};

const runEvents = async (app: App, table: EventTable, events: StoredEvent[]): Promise<void> => {
  const keyOf = ({ type, payload }: StoredEvent) => flowOf(table, type).key(payload);
  for (const group of inOrder(events, keyOf)) {
    const attributes = { "messaging.batch.message_count": group.length };
    await traced(app.tracing, `event ${group[0]!.type}`, { kind: "consumer", attributes }, () =>
      runGroup(app, table, group),
    );
  }
};

/** The handler of the job `event.step`. */
export const runEventStep =
  (table: EventTable) =>
  async (app: App, { type, step, payload }: StepOf): Promise<void> => {
    const { load, steps } = flowOf(table, type);
    const subjects = await load(app, [payload as AnyPayload]);
    if (subjects.length > 0) await steps[step]?.(app, subjects);
  };

const idsOf = (events: StoredEvent[]): string[] => events.map(({ id }) => id);

/** Processes all unclaimed events and returns their number: for tests and commands. */
export const drainOutbox = async (app: App, table: EventTable): Promise<number> => {
  let count = 0;
  for (;;) {
    const events = await claimEvents(app.sql, app.process.id, BATCH);
    if (events.length === 0) return count;
    count += events.length;
    await runEvents(freshApp(app), table, events);
    await deleteEvents(app.sql, idsOf(events));
  }
};

const BATCH = 200;

export type OutboxPace = {
  /** What is committed so close together, in milliseconds, shares a batch. */
  gather: number;
  /** Rows of finished events are deleted so many milliseconds later, many at once. */
  finish: number;
  /** Events that nobody offered are looked for so often, in milliseconds. */
  poll: number;
  /**
   * Of several workers the first takes what comes, in large batches; the others what it leaves for so many
   * milliseconds, because it is busy or dead.
   */
  help: number;
};

/** Events beyond this number stay in the database until the worker polls again. */
const MAX_WAITING = 5_000;

export type OutboxWorker = {
  stop(): Promise<void>;
  /** Whether nothing is waiting or in progress. */
  isIdle(): boolean;
};

/** Deletes the rows of finished events, many at once; until then it knows them, so that none runs twice. */
const createFinisher = (app: App, pace: OutboxPace) => {
  const done = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  const finish = async (): Promise<void> => {
    const ids = [...done];
    if (ids.length === 0) return;
    await deleteEvents(app.sql, ids);
    for (const id of ids) done.delete(id);
  };
  const onFailed = (error: unknown): void => {
    app.log.warn({ err: error }, "finished events are not deleted yet");
    timer ??= setTimeout(start, pace.poll).unref();
  };
  const start = (): void => {
    timer = null;
    running = running.then(finish).catch(onFailed);
  };
  return {
    has: (id: string): boolean => done.has(id),
    isIdle: (): boolean => done.size === 0,
    add(events: StoredEvent[]): void {
      for (const { id } of events) done.add(id);
      timer ??= setTimeout(start, pace.finish);
    },
    stop(): Promise<void> {
      if (timer) clearTimeout(timer);
      start();
      return running;
    },
  };
};

/** Starts taking events; `stop` finishes those in progress. */
export const startOutbox = async (
  app: App,
  table: EventTable,
  pace: OutboxPace = { gather: 25, finish: 250, poll: 10_000, help: 200 },
  lease: Lease = ALONE,
): Promise<OutboxWorker> => {
  /** In order of arrival; an event stays here until it is done. */
  const waiting = new Map<string, StoredEvent>();
  /** Of these, what another process may have written: it is worked without this one's caches. */
  const foreign = new Set<string>();
  const finisher = createFinisher(app, pace);
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let polling: Promise<void> | null = null;
  let pollAgain = false;
  /** There may be more to claim than was claimed. */
  let isMore = false;
  /** While a batch is worked nothing is claimed: what comes meanwhile is one claim, and those who help may take it. */
  let isWorking = false;
  /** The newest event that a worker which is not the first may claim. */
  let left: string | null = null;
  let helping: Promise<void> | null = null;
  const stopping = new AbortController();
  /** What waited at the last look: its claims are renewed at the next one. */
  let renewed: string[] = [];

  const drain = async (): Promise<void> => {
    while (waiting.size > 0) {
      const events = [...waiting.values()].slice(0, BATCH);
      // Where not even the jobs could be written the rows stay, and are found when their claim ends.
      const isOwn = events.every(({ id }) => !foreign.has(id));
      isWorking = true;
      await runEvents(isOwn ? app : freshApp(app), table, events).then(
        () => finisher.add(events),
        (error: unknown) => app.log.warn({ err: error }, "events could not be processed yet"),
      );
      isWorking = false;
      for (const { id } of events) {
        waiting.delete(id);
        foreign.delete(id);
      }
      if (isMore) pollSafely();
    }
  };
  const start = (): void => {
    timer = null;
    running = drain().finally(() => {
      running = null;
      if (waiting.size > 0) plan();
    });
  };
  const plan = (): void => {
    if (!running) timer ??= setTimeout(start, pace.gather);
  };
  const add = (events: StoredEvent[]): void => {
    for (const event of events) {
      if (waiting.size >= MAX_WAITING) break;
      if (!finisher.has(event.id)) waiting.set(event.id, event);
    }
  };
  const take = (events: StoredEvent[]): void => {
    add(events);
    if (waiting.size > 0) plan();
  };
  /** They have waited already. */
  const takeNow = (events: StoredEvent[]): void => {
    add(events);
    if (waiting.size === 0 || running) return;
    if (timer) clearTimeout(timer);
    start();
  };
  const isHelper = (): boolean => (lease.share()?.at ?? 0) > 0;
  /** Not more than a batch: what is beyond is left to the workers that help. */
  const poll = async (): Promise<void> => {
    const room = BATCH - waiting.size;
    isMore = room <= 0 || isWorking;
    if (isMore || (isHelper() && left === null)) return;
    const events = await claimEvents(app.sql, app.process.id, room, isHelper() ? left : null);
    isMore = events.length === room;
    for (const { id } of events) foreign.add(id);
    takeNow(events);
  };
  const onFailed = (error: unknown): void =>
    app.log.warn({ err: error }, "the outbox cannot be read");
  /** One at a time; what wakes it meanwhile is looked for afterwards. */
  const pollSafely = (): void => {
    pollAgain = true;
    polling ??= (async () => {
      while (pollAgain) {
        pollAgain = false;
        await poll().catch(onFailed);
      }
      polling = null;
    })();
  };
  /** Claims what was waiting when it looked, and is still. */
  const help = async (): Promise<void> => {
    while (!stopping.signal.aborted && isHelper()) {
      left = await selectLastUnclaimed(app.sql);
      if (left === null) return;
      await sleep(pace.help);
      pollSafely();
      await polling;
    }
  };
  const pollOrHelp = (): void => {
    if (!isHelper()) return pollSafely();
    helping ??= help()
      .catch(onFailed)
      .finally(() => (helping = null));
  };
  const look = async (): Promise<void> => {
    const still = renewed.filter((id) => waiting.has(id));
    renewed = [...waiting.keys()];
    if (still.length > 0) await renewEvents(app.sql, app.process.id, still).catch(onFailed);
    pollOrHelp();
  };

  const detach = app.outbox.attach(take);
  await releaseEvents(app.sql);
  lease.join({ release: releaseEvents, wake: pollOrHelp, forget: () => waiting.clear() });
  pollOrHelp();
  await polling;
  /** What others commit close together is claimed together. */
  let waking: NodeJS.Timeout | null = null;
  const wake = (): void => {
    waking ??= setTimeout(() => {
      waking = null;
      if (isWorking) wake();
      else pollOrHelp();
    }, pace.gather);
  };
  const unsubscribe = attachWorker(app, "outbox", wake);
  const looking = setInterval(() => void look(), pace.poll).unref();
  return {
    isIdle: () => waiting.size === 0 && running === null && finisher.isIdle(),
    async stop() {
      clearInterval(looking);
      unsubscribe();
      if (waking) clearTimeout(waking);
      stopping.abort();
      await helping;
      [pollAgain, isMore] = [false, false];
      await polling;
      if (timer) clearTimeout(timer);
      await running;
      // Including events that were emitted by others.
      await drain();
      detach();
      await finisher.stop();
    },
  };
};

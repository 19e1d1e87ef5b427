// The worker of the outbox processes events in batches, by the steps of each event's type. A step that fails for a
// batch becomes one job per event, which is retried alone; if these jobs cannot be written either, the events stay and
// are processed again.

import { freshApp } from "../app.ts";
import type { App } from "../app.ts";
import { ClaimedQueue } from "../queues/claimed-queue.ts";
import type {
  Behind,
  ClaimedWork,
  QueueLimits,
  QueuePace,
  QueueWorker,
} from "../queues/claimed-work.ts";
import { Lines } from "../queues/lines.ts";
import type { EventType, OutboxEvents, StoredEvent } from "./index.ts";
import { traced } from "../tracing/index.ts";
import { ALONE } from "../workers/lease.ts";
import type { Lease } from "../workers/lease.ts";
import { claimEvents, deleteEvents, hasUnclaimed, releaseEvents, renewEvents } from "./queries.ts";

/**
 * Returns groups of one type each, in an order that is right for every subject: an event joins the first group of its
 * type that does not come before an earlier event about the same subject.
 */
export const inOrder = <T extends { type: string }>(
  events: T[],
  subjectOf: (event: T) => string,
): T[][] => {
  const groups: T[][] = [];
  /** The last group that has an event about each subject. */
  const lastOf = new Map<string, number>();
  /** The groups of each type. */
  const ofType = new Map<string, number[]>();
  for (const event of events) {
    const subject = subjectOf(event);
    const earliest = lastOf.get(subject) ?? 0;
    const own = ofType.get(event.type) ?? [];
    let place = own.find((group) => group >= earliest);
    if (place === undefined) {
      place = groups.push([]) - 1;
      own.push(place);
      ofType.set(event.type, own);
    }
    groups[place]!.push(event);
    lastOf.set(subject, place);
  }
  return groups;
};

/** What an event is about, as loaded for the steps. */
type Subject = unknown;

/** One piece of follow-up work for many events. It must be idempotent, and correct when it runs late. */
export type Step<S> = (app: App, subjects: S[]) => Promise<void>;

export type EventFlow<T extends EventType, S = Subject> = {
  /** Identifies what the event is about: events with the same key keep their order. */
  key: (payload: OutboxEvents[T]) => string;
  /** Loads what the steps need, once for all steps; subjects that were deleted are left out. */
  load: (app: App, payloads: OutboxEvents[T][]) => Promise<S[]>;
  /** Steps by name, in the order in which they run. */
  steps: Record<string, Step<S>>;
  /** Steps that have been renamed, by their old names: jobs that an older version enqueued still have those. */
  formerSteps?: Record<string, string>;
  /**
   * Declares which subjects take long: those with the same line follow each other while other batches continue; null
   * for a subject that takes no longer than others. `payload` returns the payload of a subject's event.
   */
  lines?: {
    of: (app: App, subjects: S[]) => Promise<(string | null)[]>;
    payload: (subject: S) => OutboxEvents[T];
  };
};

// oxlint-disable-next-line typescript/no-explicit-any
export type EventTable = { [T in EventType]: EventFlow<T, any> };

type StepOf = { type: EventType; step: string; payload: unknown };

declare module "../jobs/index.ts" {
  interface JobPayloads {
    /** A step for one event of a batch in which the step failed. */
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

type Group = { type: EventType; subjects: Subject[]; payloads: AnyPayload[] };

const runSteps = async (app: App, flow: AnyFlow, group: Group): Promise<void> => {
  const { type, subjects, payloads } = group;
  if (subjects.length === 0) return;
  for (const [name, step] of Object.entries(flow.steps)) {
    await step(app, subjects).catch((error: unknown) =>
      enqueueSteps(app, type, [name], payloads, error),
    );
  }
};

/** Groups subjects by line; null for those that take no longer than others. */
const byLine = async (
  app: App,
  { lines }: AnyFlow,
  subjects: Subject[],
): Promise<Map<string | null, Subject[]>> => {
  const of = (await lines?.of(app, subjects)) ?? [];
  return Map.groupBy(subjects, (_subject, n) => of[n] ?? null);
};

const payloadsOf = (events: StoredEvent[]): AnyPayload[] => events.map(({ payload }) => payload);

/** Runs a group and returns the work that continues after it. */
const runGroup = async (
  app: App,
  table: EventTable,
  group: StoredEvent[],
  lines: Lines,
): Promise<Behind[]> => {
  const { type } = group[0]!;
  const flow = flowOf(table, type);
  let all: Map<string | null, Subject[]>;
  try {
    all = await byLine(app, flow, await flow.load(app, payloadsOf(group)));
  } catch (error) {
    await enqueueSteps(app, type, Object.keys(flow.steps), payloadsOf(group), error);
    return [];
  }
  const behind: Behind[] = [];
  let events = group;
  for (const [line, subjects] of all) {
    if (line === null) continue;
    const keys = new Set(subjects.map((subject) => flow.key(flow.lines!.payload(subject))));
    const isOfLine = ({ payload }: StoredEvent) => keys.has(flow.key(payload));
    const slow = events.filter(isOfLine);
    events = events.filter((event) => !isOfLine(event));
    const part = { type, subjects, payloads: payloadsOf(slow) };
    const ended = lines.add(line, slow.length, () => runSteps(app, flow, part));
    behind.push({ keys: slow.map(({ id }) => id), ended });
  }
  await runSteps(app, flow, { type, subjects: all.get(null) ?? [], payloads: payloadsOf(events) });
  await lines.room();
  return behind;
};

const runEvents = async (
  app: App,
  table: EventTable,
  events: StoredEvent[],
  lines: Lines,
): Promise<Behind[]> => {
  const keyOf = ({ type, payload }: StoredEvent) => flowOf(table, type).key(payload);
  const behind: Behind[] = [];
  for (const group of inOrder(events, keyOf)) {
    const attributes = { "messaging.batch.message_count": group.length };
    await traced(
      app.tracing,
      `event ${group[0]!.type}`,
      { kind: "consumer", attributes },
      async () => behind.push(...(await runGroup(app, table, group, lines))),
    );
  }
  return behind;
};

/** Handles the job `event.step`. */
export const runEventStep =
  (table: EventTable) =>
  async (app: App, { type, step, payload }: StepOf): Promise<void> => {
    const { load, steps, formerSteps } = flowOf(table, type);
    const subjects = await load(app, [payload as AnyPayload]);
    if (subjects.length > 0) await steps[formerSteps?.[step] ?? step]?.(app, subjects);
  };

export type OutboxPace = QueuePace & {
  /**
   * Milliseconds that events wait before another worker helps. The first worker takes new events in large batches;
   * others take those that it leaves because it is busy or dead.
   */
  help: number;
};

const PACE: OutboxPace = { gather: 25, settle: 250, poll: 10_000, help: 200 };
/** Events from other processes have to be claimed, read and put into Valkey, so batches are fewer and larger. */
const SHARED_PACE: OutboxPace = { ...PACE, gather: 60 };
const AT_ONCE: OutboxPace = { gather: 0, settle: 0, poll: 10_000, help: 0 };

/** One batch runs at a time; events that come meanwhile form the next batch, or that of a worker that helps. */
const LIMITS: QueueLimits = { batch: 200, atOnce: 1, claimed: 10_000, renewMs: 10_000 };

/** `isOwn`: this process wrote the event and knows what the commit invalidated. */
type Event = StoredEvent & { isOwn: boolean };

/**
 * Returns the App with caches where this process has dropped what the commits of these events changed, and everything
 * else that was invalidated by now; otherwise one that reads rows from the database.
 */
const appFor = async (app: App, events: Event[]): Promise<App> => {
  const foreign = events.flatMap(({ id, isOwn }) => (isOwn ? [] : id));
  if (foreign.length === 0) return app;
  const { cacheSync } = app;
  const isKnown = cacheSync?.hasReceived(foreign) === true && (await cacheSync.caughtUp());
  return isKnown ? app : freshApp(app);
};

const outboxQueue = (app: App, table: EventTable, pace: OutboxPace, lease: Lease) => {
  const isHelper = (): boolean => (lease.share()?.at ?? 0) > 0;
  const claim = async (room: number, waitedMs: number) => {
    const events = await claimEvents(app.sql, app.process.id, room, waitedMs);
    const isMore = events.length === room;
    return { items: events.map((event) => ({ ...event, isOwn: false })), isMore };
  };
  const lines = new Lines();
  const work: ClaimedWork<Event, string> = {
    keyOf: ({ id }) => id,
    async claim(room) {
      if (!isHelper()) return claim(room, 0);
      if (!(await hasUnclaimed(app.sql))) return { items: [] };
      return { ...(await claim(room, pace.help)), againMs: pace.help };
    },
    // Where not even the jobs could be written the rows stay, and are found when their claims end.
    async run(events, report) {
      const behind = await runEvents(await appFor(app, events), table, events, lines);
      const later = new Set(behind.flatMap(({ keys }) => keys));
      for (const { id } of events) if (!later.has(id)) report(id);
      return behind.map(({ keys, ended }) => ({
        keys,
        ended: ended.then(() => keys.forEach(report)),
      }));
    },
    async settle(ids) {
      await deleteEvents(app.sql, ids);
      return null;
    },
    renewClaims: (ids) => renewEvents(app.sql, app.process.id, ids),
    release: releaseEvents,
  };
  return new ClaimedQueue(app, work, { name: "outbox", limits: LIMITS, pace, lease });
};

/** Processes all unclaimed events and returns their number; for tests and commands. */
export const drainOutbox = async (app: App, table: EventTable): Promise<number> => {
  const queue = outboxQueue(app, table, AT_ONCE, ALONE);
  const count = await queue.drain();
  await queue.stop();
  return count;
};

/** Starts to take events; `stop` finishes those in progress and those emitted meanwhile. */
export const startOutbox = async (
  app: App,
  table: EventTable,
  pace: OutboxPace = app.process.isAlone ? PACE : SHARED_PACE,
  lease: Lease = ALONE,
): Promise<QueueWorker> => {
  const queue = outboxQueue(app, table, pace, lease);
  const offer = (events: StoredEvent[]) =>
    queue.offer(events.map((event) => ({ ...event, isOwn: true })));
  await queue.start(() => app.outbox.attach(offer));
  return queue;
};

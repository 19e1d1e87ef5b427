// What follows from posts, worked from memory in batches as they are committed. At its start, and
// every few seconds, the worker looks for what a dead process, or a lost answer of the database, left
// unfinished (docs/decisions/0007-posting.md).

import type { App } from "../platform/app.ts";
import {
  attendPosts,
  finish,
  leaveToJobs,
  unfinishedBefore,
} from "../domain/statuses/hand-over.ts";
import { onPosted, onSettled } from "./status-created.ts";

/** What is posted so close together shares a batch. */
const GATHER_MS = 25;
const BATCH = 100;
const LOOK_MS = 10_000;
/** The rest is done so much later, for many at once, and the rows go. */
const FINISH_MS = 250;

export type Attendant = { stop(): Promise<void> };

const work = async (app: App, ids: string[]): Promise<void> => {
  try {
    await onPosted(app, ids);
  } catch (error) {
    app.log.warn({ err: error, ids }, "what follows from these posts is left to jobs");
    await leaveToJobs(app, ids);
  }
};

/** The last of what follows, and the end of the rows: a while after the first, at once when it stops. */
const startFinishing = (app: App) => {
  const done = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let sweeping = Promise.resolve();
  const sweep = async (): Promise<void> => {
    const ids = [...done];
    if (ids.length === 0) return;
    await onSettled(app, ids);
    await finish(app, ids);
    for (const id of ids) done.delete(id);
  };
  const onFailed = (error: unknown): void => {
    app.log.warn({ err: error }, "done posts stay for now");
    timer ??= setTimeout(start, LOOK_MS).unref();
  };
  const start = (): void => {
    timer = null;
    sweeping = sweeping.then(sweep).catch(onFailed);
  };
  return {
    has: (id: string): boolean => done.has(id),
    add(ids: string[]): void {
      for (const id of ids) done.add(id);
      timer ??= setTimeout(start, FINISH_MS);
    },
    stop(): Promise<void> {
      if (timer) clearTimeout(timer);
      start();
      return sweeping;
    },
  };
};

/** Starts taking posts over; `stop` finishes those in hand. */
export const startPosted = async (app: App): Promise<Attendant> => {
  /** In the order in which they came; one in hand stays until it is done. */
  const waiting = new Set<string>();
  const finishing = startFinishing(app);
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;

  const drain = async (): Promise<void> => {
    while (waiting.size > 0) {
      const ids = [...waiting].slice(0, BATCH);
      // Where not even the jobs could be written the rows stay, and are found at a later look.
      await work(app, ids).then(
        () => finishing.add(ids),
        (error: unknown) => app.log.warn({ err: error }, "posts wait"),
      );
      for (const id of ids) waiting.delete(id);
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
    if (!running) timer ??= setTimeout(start, GATHER_MS);
  };
  const take = (ids: string[]): void => {
    for (const id of ids) if (!finishing.has(id)) waiting.add(id);
    if (waiting.size > 0) plan();
  };
  const look = (age: number) =>
    unfinishedBefore(app, new Date(app.clock.now().getTime() - age)).then(take);

  const leave = attendPosts(app, take);
  // Only one process works on a database (platform/jobs/worker.ts): all that is there is left over.
  await look(0);
  const onLookFailed = (error: unknown) => app.log.warn({ err: error }, "unfinished posts unread");
  const looking = setInterval(() => void look(LOOK_MS).catch(onLookFailed), LOOK_MS).unref();
  return {
    async stop() {
      leave();
      clearInterval(looking);
      if (timer) clearTimeout(timer);
      await running;
      await drain();
      await finishing.stop();
    },
  };
};

// Wakes workers when there is something to do: by a call in this process, and in others by the messages that invalidate
// caches (db/commits.ts). Whatever creates work nearly always invalidates something as well, so that waking takes no
// message and no statement of its own.

import type { App } from "./app.ts";
import { perApp } from "./caches/index.ts";
import { invalidate, onInvalidateKinds } from "./db/commits.ts";

export type Work = "deliveries" | "inbox" | "outbox";
type Wake = () => void;

type Waiting = { work: string; wake: Wake };

const KIND = "wake";

const workersOf = perApp("workers to wake", (app) => {
  const workers = new Set<Waiting>();
  /** Wakes the workers of one kind, or all for null; returns false if there is none. */
  const wakeThem = (only: string | null): boolean => {
    const woken = [...workers].filter(({ work }) => only === null || work === only);
    for (const { wake } of woken) wake();
    return woken.length > 0;
  };
  onInvalidateKinds(app.sql, [KIND], wakeThem);
  return { workers, wakeThem, entries: () => workers.size };
});

/** Registers a worker of this process; returns the function that ends this. */
export const attachWorker = (app: App, work: Work, wake: Wake): (() => void) => {
  const { workers } = workersOf(app);
  const waiting = { work, wake };
  workers.add(waiting);
  return () => void workers.delete(waiting);
};

export const isHere = (app: App, kind: Work): boolean =>
  workersOf(app)
    .workers.values()
    .some(({ work }) => work === kind);

/** Wakes the worker of this process; returns false if there is none. */
export const wakeHere = (app: App, work: Work): boolean => workersOf(app).wakeThem(work);

/** Wakes the workers of all processes. They also look by themselves, a little later. */
export const wakeAll = (app: App, work: Work): void => invalidate(app.sql, `${KIND}:${work}`);

/** Wakes each worker of this process after messages of others were missed. */
export const wakeAfterMissing = (app: App): void => void workersOf(app).wakeThem(null);

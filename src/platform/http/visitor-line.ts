// Limits the requests of visitors (people who are not signed in) that are worked on at once. Further ones wait a moment
// and are then refused. Otherwise a crowd of visitors would share the event loop and the database with members, and new
// connections would wait for all of it.

import { perApp } from "../caches/index.ts";

type LineLimits = {
  /** Requests worked on at once; more than the database runs at once, so that it never waits for visitors. */
  atOnce: number;
  waiting: number;
  waitMs: number;
};

export const VISITOR_LINE: LineLimits = { atOnce: 12, waiting: 500, waitMs: 1000 };

type Waiting = { begin: () => void; refuse: () => void; until: number; isGone: boolean };

export type Line = {
  /** Number of waiting requests. */
  entries(): number;
  /** True when the next request has to wait. */
  isFull(): boolean;
  /** Calls `begin` or `refuse`, now or later. Returns the function that ends the request, which may be called twice. */
  enter(begin: () => void, refuse: () => void): () => void;
};

export const createLine = ({ atOnce, waiting, waitMs }: LineLimits = VISITOR_LINE): Line => {
  const line = new Set<Waiting>();
  let inProgress = 0;
  let timer: NodeJS.Timeout | null = null;

  const first = (): Waiting | undefined => line.values().next().value;

  const expire = (): void => {
    timer = null;
    const now = performance.now();
    for (let waiter = first(); waiter && waiter.until <= now; waiter = first()) {
      line.delete(waiter);
      waiter.isGone = true;
      waiter.refuse();
    }
    arm();
  };
  const arm = (): void => {
    const waiter = first();
    if (waiter) timer ??= setTimeout(expire, Math.max(1, waiter.until - performance.now())).unref();
  };
  const next = (): void => {
    for (let waiter = first(); waiter && inProgress < atOnce; waiter = first()) {
      line.delete(waiter);
      inProgress += 1;
      waiter.begin();
    }
  };

  return {
    entries: () => line.size,
    isFull: () => inProgress >= atOnce,
    enter(begin, refuse) {
      const waiter: Waiting = { begin, refuse, until: performance.now() + waitMs, isGone: false };
      const end = (): void => {
        if (waiter.isGone) return;
        waiter.isGone = true;
        if (line.delete(waiter)) return;
        inProgress -= 1;
        next();
      };
      if (inProgress < atOnce) {
        inProgress += 1;
        begin();
      } else if (line.size >= waiting) {
        waiter.isGone = true;
        refuse();
      } else {
        line.add(waiter);
        arm();
      }
      return end;
    },
  };
};

export const visitorLineOf = perApp("visitors in line", () => createLine());

// Knows for whom this process works at the moment: whose request or stream message led to the current work. Limits the
// statements and transactions that each asker has in progress in a pool; further ones wait for the asker's own.
// Otherwise one person's slow reads would take every connection, and everybody else would get 503. Reads are cancelled
// after a time limit.

import { Unavailable } from "../errors.ts";
import type { Sql } from "./types.ts";
import { AsyncLocalStorage } from "node:async_hooks";

export type Asker = {
  /** An account of this server or another server; null for a stranger, or while it is not known yet. */
  who: string | null;
  /**
   * Milliseconds, waiting included, after which a statement is cancelled; null for work that writes, which is never
   * cancelled.
   */
  limitMs: number | null;
  /** True once the request is answered: work that continues after that counts for nobody. */
  isAnswered: boolean;
};

const askers = new AsyncLocalStorage<Asker | null>();

/** Returns the current asker, or null where nobody waits or several do. */
const currentAsker = (): Asker | null => {
  const asker = askers.getStore() ?? null;
  return asker?.isAnswered ? null : asker;
};

export const workFor = <T>(asker: Asker, work: () => T): T => askers.run(asker, work);

/**
 * Runs work whose result several wait for, or that outlives a request, so that it does not count for whoever happened
 * to start it.
 */
export const workForAll = <T>(work: () => T): T => askers.run(null, work);

/** Waiting statements of one asker; further ones get 503. */
const MAX_WAITING = 1000;
/** Milliseconds between checks for statements that take too long. */
const LOOK_MS = 250;
const RETRY_AFTER_SECONDS = 10;

/**
 * Returns the statements of one asker at a time: two of five connections, so that two people with many requests leave
 * one to the others.
 */
export const statementsOfEach = (connections: number): number =>
  Math.max(1, Math.min(4, Math.floor(connections * 0.4)));

/** Members of a postgres.js query that are used here. */
type Query = Promise<unknown> & {
  canceller: ((query: Query) => Promise<unknown>) | null;
  reject(error: unknown): void;
};
type Give = (query: Query) => void;

type Waiting = { begin: () => void; refuse: () => void; asker: Asker };
type Line = { running: number; waiting: Set<Waiting> };

export const late = (): Unavailable =>
  new Unavailable(
    "This takes too long at the moment. Please try again in a few seconds",
    RETRY_AFTER_SECONDS,
  );

/** Cancels a query. `query.cancel()` would leave an error unhandled if the database cannot be reached. */
const cancel = (query: Query): void => {
  void query.canceller?.(query).catch(() => {});
};

/** Calls `giveUp` of each registered statement when its time is over. */
const createWatch = () => {
  const watched = new Map<object, { until: number; giveUp: () => void }>();
  let timer: NodeJS.Timeout | null = null;
  const look = (): void => {
    const now = performance.now();
    for (const [key, { until, giveUp }] of watched) {
      if (until > now) continue;
      watched.delete(key);
      giveUp();
    }
    if (watched.size > 0) return;
    clearInterval(timer!);
    timer = null;
  };
  return {
    add(key: object, { limitMs }: Asker, giveUp: () => void): void {
      if (limitMs === null) return;
      watched.set(key, { until: performance.now() + limitMs, giveUp });
      timer ??= workForAll(() => setInterval(look, LOOK_MS).unref());
    },
    remove: (key: object) => void watched.delete(key),
  };
};

const createLines = (most: number) => {
  const lines = new Map<string, Line>();
  const watch = createWatch();
  const lineOf = (who: string): Line => {
    const line = lines.get(who) ?? { running: 0, waiting: new Set() };
    lines.set(who, line);
    return line;
  };
  const leave = (who: string, line: Line): void => {
    line.running -= 1;
    const [next] = line.waiting;
    if (next) {
      line.waiting.delete(next);
      watch.remove(next);
      next.begin();
    } else if (line.running === 0) lines.delete(who);
  };
  /** Calls `begin`, which gets the function to call at the end, or `refuse`. */
  const enter = (asker: Asker, begin: (end: () => void) => void, refuse: () => void): void => {
    const { who } = asker;
    if (who === null) return begin(() => {});
    const line = lineOf(who);
    const run = (): void => {
      line.running += 1;
      begin(() => leave(who, line));
    };
    if (line.running < most) return run();
    if (line.waiting.size >= MAX_WAITING) return refuse();
    const waiter = { begin: run, refuse, asker };
    line.waiting.add(waiter);
    watch.add(waiter, asker, () => {
      if (line.waiting.delete(waiter)) refuse();
    });
  };
  return { enter, watch };
};

/** Applies the limits to a pool. The driver calls `admit` with each statement outside of a transaction (driver.ts). */
export const boundEachAsker = (sql: Sql, connections: number): Sql => {
  const { enter, watch } = createLines(statementsOfEach(connections));
  const run = (asker: Asker, query: Query, give: Give, end: () => void): void => {
    watch.add(query, asker, () => cancel(query));
    const ended = (): void => {
      watch.remove(query);
      end();
    };
    give(query);
    // Calling the query's own `then` would send it again, so the one of Promise is used.
    Promise.prototype.then.call(query, ended, ended);
  };
  const admit = (query: Query, give: Give): void => {
    const asker = currentAsker();
    if (asker === null) return give(query);
    enter(
      asker,
      (end) => run(asker, query, give, end),
      () => query.reject(late()),
    );
  };
  const begin = sql.begin.bind(sql) as (...args: unknown[]) => Promise<unknown>;
  const inLine = async (...args: unknown[]): Promise<unknown> => {
    const asker = currentAsker();
    if (asker === null) return begin(...args);
    const end = await new Promise<() => void>((resolve, reject) => {
      enter(asker, resolve, () => reject(late()));
    });
    try {
      // What a transaction waits for must not wait for the transaction's own asker.
      return await workForAll(() => begin(...args));
    } finally {
      end();
    }
  };
  return Object.assign(sql, { admit, begin: inLine as typeof sql.begin });
};

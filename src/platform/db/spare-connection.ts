// Keeps one connection of a pool for statements outside of transactions. A transaction may wait for such a statement,
// for example one that reads a value for all. If transactions had every connection, and each waited in this way, none
// of them would ever end (docs/design/database.md). Where such a statement waits for a row of a transaction that waits
// for it, its wait is limited.

import { late } from "./each-asker.ts";
import type { Sql } from "./types.ts";

/** Milliseconds that servers wait for a lock: long for a row, and short for whoever waits for the answer. */
export const LOCK_TIMEOUT_MS = 10_000;

type Turn = <T>(work: () => Promise<T>) => Promise<T>;

const turns = new WeakMap<Sql, Turn>();

/** Runs `work` when a transaction of this pool could begin, in its place, which measures how long transactions wait. */
export const inPlaceOfTransaction = <T>(sql: Sql, work: () => Promise<T>): Promise<T> =>
  (turns.get(sql) ?? ((now) => now()))(work);

/** `mostMs` is how long a turn is waited for, 0 for ever. */
const placesOf = (places: number, mostMs = 0): Turn => {
  const waiting = new Set<() => void>();
  let free = places;
  const wait = (): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.add(resolve);
      const giveUp = (): void => void (waiting.delete(resolve) && reject(late()));
      if (mostMs > 0) setTimeout(giveUp, mostMs).unref();
    });
  /** The place goes to the next in line. */
  const leave = (): void => {
    const [next] = waiting;
    if (!next) free += 1;
    else if (waiting.delete(next)) next();
  };
  return async (work) => {
    if (free > 0) free -= 1;
    else await wait();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};

const SLOW_TURN_MS = 10_000;

/**
 * Begins a transaction when fewer than `max` less one are open; the others wait in order of arrival. Those that only
 * read are slow reads (`within`): they have half of these places, so that however many search, others begin at once.
 */
export const spareConnection = (sql: Sql, max: number): Sql => {
  const begin = sql.begin.bind(sql) as (...args: unknown[]) => Promise<unknown>;
  const inTurn = placesOf(Math.max(1, max - 1));
  const inSlowTurn = placesOf(Math.max(1, Math.floor((max - 1) / 2)), SLOW_TURN_MS);
  const bounded = (...args: unknown[]): Promise<unknown> => {
    const run = (): Promise<unknown> => inTurn(() => begin(...args));
    return args[0] === "read only" ? inSlowTurn(run) : run();
  };
  sql.begin = bounded as typeof sql.begin;
  turns.set(sql, inTurn);
  return sql;
};

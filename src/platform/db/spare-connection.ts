// Keeps one connection of a pool for statements outside of transactions. A transaction may wait for such a statement,
// for example one that reads a value for all. If transactions had every connection, and each waited in this way, none
// of them would ever end (docs/design/database.md). Where such a statement waits for a row of a transaction that waits
// for it, its wait is limited.

import type { Sql } from "./types.ts";

/** Milliseconds that servers wait for a lock: long for a row, and short for whoever waits for the answer. */
export const LOCK_TIMEOUT_MS = 10_000;

type Turn = <T>(work: () => Promise<T>) => Promise<T>;

const turns = new WeakMap<Sql, Turn>();

/** Runs `work` when a transaction of this pool could begin, in its place, which measures how long transactions wait. */
export const inPlaceOfTransaction = <T>(sql: Sql, work: () => Promise<T>): Promise<T> =>
  (turns.get(sql) ?? ((now) => now()))(work);

const placesOf = (places: number): Turn => {
  const waiting: (() => void)[] = [];
  let free = places;
  const enter = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  /** The place goes to the next in line. */
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};

/** Begins a transaction when fewer than `max` less one are open; the others wait in order of arrival. */
export const spareConnection = (sql: Sql, max: number): Sql => {
  const begin = sql.begin.bind(sql) as (...args: unknown[]) => Promise<unknown>;
  const inTurn = placesOf(Math.max(1, max - 1));
  const bounded = (...args: unknown[]): Promise<unknown> => inTurn(() => begin(...args));
  sql.begin = bounded as typeof sql.begin;
  turns.set(sql, inTurn);
  return sql;
};

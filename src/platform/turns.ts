// Long work in parts: the event loop goes on in between.

import { setImmediate as endOfTurn } from "node:timers/promises";

/** So many bytes are parsed in one turn of the event loop: some hundred posts, or one that takes its time. */
const TURN_BYTES = 64 * 1024;

/** The results of `work` on each item; other work of the process goes on after each `TURN_BYTES` of them. */
export const inTurns = async <T, R>(
  items: readonly T[],
  bytesOf: (item: T) => number,
  work: (item: T) => R,
): Promise<R[]> => {
  const results: R[] = [];
  let bytes = 0;
  for (const item of items) {
    if (bytes >= TURN_BYTES) {
      await endOfTurn();
      bytes = 0;
    }
    results.push(work(item));
    bytes += bytesOf(item);
  }
  return results;
};

/** `work` on one slice of so many after the other; other work of the process goes on in between. */
export const eachSlice = async <T>(
  items: T[],
  size: number,
  work: (slice: T[]) => unknown,
): Promise<void> => {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await endOfTurn();
    await work(items.slice(from, from + size));
  }
};

/** Goes on in the next turn of the event loop, where so much was done that others wait. */
export const afterTurn = async (isLong: boolean): Promise<void> => {
  if (isLong) await endOfTurn();
};

/** One caller of the result goes on in each turn of the event loop, in their order. */
export const oneEachTurn = (): (() => Promise<void>) => {
  let last: Promise<void> = Promise.resolve();
  return () => (last = last.then(() => endOfTurn()));
};

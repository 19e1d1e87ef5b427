// Divides long work over turns of the event loop, so that other work runs in between.

import { setImmediate as endOfTurn } from "node:timers/promises";

/** Bytes parsed in one turn of the event loop: some hundred posts, or one that takes its time. */
const TURN_BYTES = 64 * 1024;

/** Returns the results of `work` on each item; other work runs after each `TURN_BYTES`. */
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

/** Runs `work` on one slice of `size` items after the other; other work runs in between. */
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

/** Waits for the next turn of the event loop after a long piece of work, because others wait. */
export const afterTurn = async (isLong: boolean): Promise<void> => {
  if (isLong) await endOfTurn();
};

/** Lets one caller continue in each turn of the event loop, in their order. */
export const oneEachTurn = (): (() => Promise<void>) => {
  let last: Promise<void> = Promise.resolve();
  return () => (last = last.then(() => endOfTurn()));
};

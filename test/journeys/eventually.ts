// Waiting for what other processes do. The limits are generous: a slow machine fails nothing.

import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 30_000;

/**
 * Asks again and again until `check` gives something truthy, and returns that. After `limitMs` it
 * fails with what was waited for and the last error of `check`.
 */
export const eventually = async <T>(
  what: string,
  check: () => T | Promise<T>,
  limitMs = PATIENCE_MS,
): Promise<NonNullable<T>> => {
  const deadline = Date.now() + limitMs;
  let last: unknown = null;
  for (;;) {
    try {
      const found = await check();
      if (found) return found as NonNullable<T>;
      last = null;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`, { cause: last });
    await sleep(50);
  }
};

// Waits for other processes. The limits are generous, so that no test fails on a slow machine.

import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 30_000;
/** Milliseconds between the first two looks, and at most: each costs the server a request. */
const PAUSE_MS = 20;
const MAX_PAUSE_MS = 200;

/**
 * Polls until `check` returns something truthy, and returns that. After `limitMs` it fails and names what was expected
 * and the last error of `check`.
 */
export const eventually = async <T>(
  what: string,
  check: () => T | Promise<T>,
  limitMs = PATIENCE_MS,
): Promise<NonNullable<T>> => {
  const deadline = Date.now() + limitMs;
  let last: unknown = null;
  for (let pause = PAUSE_MS; ; pause = Math.min(pause * 1.5, MAX_PAUSE_MS)) {
    try {
      const value = await check();
      if (value) return value as NonNullable<T>;
      last = null;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`, { cause: last });
    await sleep(pause);
  }
};

// Says for whom this process works at the moment: whose request or stream message led to the current work. What each of
// them has under way is bounded (db/each-asker.ts), so that nobody delays the others.

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
export const currentAsker = (): Asker | null => {
  const asker = askers.getStore() ?? null;
  return asker?.isAnswered ? null : asker;
};

export const workFor = <T>(asker: Asker, work: () => T): T => askers.run(asker, work);

/**
 * Runs work whose result several wait for, or that outlives a request, so that it does not count for whoever happened
 * to start it.
 */
export const workForAll = <T>(work: () => T): T => askers.run(null, work);

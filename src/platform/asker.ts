// For whom this process works at the moment: whose request, or message on a stream, led to it. What is under way for
// each of them is bounded (db/each-asker.ts), so that it delays nobody else.

import { AsyncLocalStorage } from "node:async_hooks";

export type Asker = {
  /** Who it is: an account here, or another server; null: a stranger, or not known yet. */
  who: string | null;
  /** Milliseconds after which a statement is given up, with the time that it waited; null: none is, since it writes. */
  limitMs: number | null;
  /** It was answered: what goes on is for everybody. */
  isAnswered: boolean;
};

const askers = new AsyncLocalStorage<Asker | null>();

/** Null: nobody waits, or several do. */
export const currentAsker = (): Asker | null => {
  const asker = askers.getStore() ?? null;
  return asker?.isAnswered ? null : asker;
};

export const workFor = <T>(asker: Asker, work: () => T): T => askers.run(asker, work);

/** Work whose result several wait for, or that stays: not in the turn of who happened to begin it. */
export const workForAll = <T>(work: () => T): T => askers.run(null, work);

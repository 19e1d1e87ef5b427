// Items that come at the same moment, each from a caller of its own, are worked together: what a
// statement or a commit costs is shared.

import { setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "./errors.ts";

export type BatcherOptions<I, O> = {
  /** Gives the results by place. When it fails for several, each is tried alone. */
  run: (items: I[]) => Promise<O[]>;
  /** What arrives so close together shares a batch. */
  gatherMs: number;
  maxBatch: number;
  /** More do not wait: they are refused with 503. */
  maxWaiting: number;
};

export type Batcher<I, O> = {
  add(item: I): Promise<O>;
  /** How many wait. */
  size(): number;
};

type Waiting<I, O> = { item: I; resolve: (result: O) => void; reject: (error: unknown) => void };

export const createBatcher = <I, O>(options: BatcherOptions<I, O>): Batcher<I, O> => {
  const { run, gatherMs, maxBatch, maxWaiting } = options;
  const waiting: Waiting<I, O>[] = [];
  let isBusy = false;

  /** One that fails does not take the others with it. */
  const work = async (batch: Waiting<I, O>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, n) => resolve(results[n]!));
    } catch (error) {
      if (batch.length === 1) return batch[0]!.reject(error);
      for (const one of batch) await work([one]);
    }
  };

  /** It waits between batches, too: those who were just answered come again together. */
  const drain = async (): Promise<void> => {
    isBusy = true;
    while (waiting.length > 0) {
      await sleep(gatherMs);
      await work(waiting.splice(0, maxBatch));
    }
    isBusy = false;
  };

  return {
    size: () => waiting.length,
    add(item) {
      if (waiting.length >= maxWaiting)
        return Promise.reject(
          new Unavailable("The server is too busy at the moment, please try again"),
        );
      const { promise, resolve, reject } = Promise.withResolvers<O>();
      waiting.push({ item, resolve, reject });
      if (!isBusy) void drain();
      return promise;
    },
  };
};

// A batcher: items that several callers add at about the same time are processed as one batch, so that
// they share the cost of a statement or a commit.

import { setTimeout as sleep } from "node:timers/promises";
import type { Process } from "./app.ts";
import { workForAll } from "./db/each-asker.ts";
import { Unavailable } from "./errors.ts";

type BatcherOptions<I, O> = {
  /** Returns results in the order of the items. When a batch of several fails, each item is tried alone. */
  run: (items: I[]) => Promise<O[]>;
  /** Milliseconds; items that arrive within this time share a batch. */
  gatherMs: number;
  maxBatch: number;
  /** Number of waiting items beyond which more are refused with 503. */
  maxWaiting: number;
  /**
   * Limits in bytes besides those in number: `maxBatch` for a batch (a single item may be larger), `maxWaiting` for all
   * waiting items.
   */
  bytes?: { of: (item: I) => number; maxBatch: number; maxWaiting: number };
};

/**
 * Milliseconds for which requests are gathered. Each of several processes gets only some of the requests, and waits
 * longer to reach batches of the same size.
 */
export const gatherRequests = ({ isAlone }: Process): number => (isAlone ? 2 : 6);

type Batcher<I, O> = {
  add(item: I): Promise<O>;
  /** Number of items that wait or are being processed. */
  entries(): number;
};

type Waiting<I, O> = { item: I; resolve: (result: O) => void; reject: (error: unknown) => void };

export const createBatcher = <I, O>(options: BatcherOptions<I, O>): Batcher<I, O> => {
  const { run, gatherMs, maxBatch, maxWaiting, bytes } = options;
  let bytesWaiting = 0;
  const waiting: Waiting<I, O>[] = [];
  let isBusy = false;
  let working = 0;

  /** Runs a batch. An item that fails does not make the others of its batch fail. */
  const work = async (batch: Waiting<I, O>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, n) => resolve(results[n]!));
    } catch (error) {
      if (batch.length === 1) return batch[0]!.reject(error);
      for (const input of batch) await work([input]);
    }
  };

  /** Takes as many of the waiting items as one batch may have, oldest first. */
  const take = (): Waiting<I, O>[] => {
    if (!bytes) return waiting.splice(0, maxBatch);
    const most = Math.min(maxBatch, waiting.length);
    let count = 0;
    for (let size = 0; count < most; count++) {
      size += bytes.of(waiting[count]!.item);
      if (size > bytes.maxBatch && count > 0) break;
    }
    const batch = waiting.splice(0, count);
    for (const { item } of batch) bytesWaiting -= bytes.of(item);
    return batch;
  };

  /** Waits between batches too: callers that were just answered tend to come back together. */
  const drain = async (): Promise<void> => {
    isBusy = true;
    while (waiting.length > 0) {
      await sleep(gatherMs);
      const batch = take();
      working = batch.length;
      await work(batch);
      working = 0;
    }
    isBusy = false;
  };

  return {
    entries: () => waiting.length + working,
    add(item) {
      const size = bytes?.of(item) ?? 0;
      const isFull = bytes !== undefined && bytesWaiting + size > bytes.maxWaiting;
      if (waiting.length >= maxWaiting || isFull)
        return Promise.reject(
          new Unavailable("The server is too busy at the moment, please try again"),
        );
      const { promise, resolve, reject } = Promise.withResolvers<O>();
      bytesWaiting += size;
      waiting.push({ item, resolve, reject });
      if (!isBusy) void workForAll(drain);
      return promise;
    },
  };
};

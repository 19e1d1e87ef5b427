// A batcher: items that several callers add at about the same time are processed as one batch, so that
// they share the cost of a statement or a commit.

import { setTimeout as sleep } from "node:timers/promises";
import type { Process } from "./app.ts";
import { workForAll } from "./asker.ts";
import { Unavailable } from "./errors.ts";

type BatcherOptions<I, O> = {
  /** Results in the order of the items. When a batch of several fails, each item is tried alone. */
  run: (items: I[]) => Promise<O[]>;
  /** Items that arrive within this time share a batch. */
  gatherMs: number;
  maxBatch: number;
  /** Items beyond this number are refused with 503. */
  maxWaiting: number;
  /** Bounds in bytes besides those in number: of a batch (one item may be larger), and of what waits. */
  bytes?: { of: (item: I) => number; maxBatch: number; maxWaiting: number };
};

/**
 * How long requests are gathered, in milliseconds. Each of several processes gets a part of them, and waits longer for
 * batches as large.
 */
export const gatherRequests = ({ isAlone }: Process): number => (isAlone ? 2 : 6);

type Batcher<I, O> = {
  add(item: I): Promise<O>;
  /** How many wait, or are being worked on. */
  entries(): number;
};

type Waiting<I, O> = { item: I; resolve: (result: O) => void; reject: (error: unknown) => void };

export const createBatcher = <I, O>(options: BatcherOptions<I, O>): Batcher<I, O> => {
  const { run, gatherMs, maxBatch, maxWaiting, bytes } = options;
  let bytesWaiting = 0;
  const waiting: Waiting<I, O>[] = [];
  let isBusy = false;
  let working = 0;

  /** An item that fails does not make the others of its batch fail. */
  const work = async (batch: Waiting<I, O>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, n) => resolve(results[n]!));
    } catch (error) {
      if (batch.length === 1) return batch[0]!.reject(error);
      for (const input of batch) await work([input]);
    }
  };

  /** The first of those that wait, as many as one batch may have. */
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

// Queues of waiting work that take turns by whom the work is for: what one member, host or page has waiting delays only
// itself.

export type FairQueue<T> = {
  /** Returns false when `by` has as many items waiting as it may. */
  add(by: string, item: T): boolean;
  /** Takes an item of whoever has waited longest for a turn. */
  take(): T | undefined;
  /** Removes and returns all waiting items. */
  drain(): T[];
  size(): number;
};

/** `most` limits the waiting items of each. */
export const createFairQueue = <T>(most: number): FairQueue<T> => {
  /** Waiting items by whom they are for, in the order of turns. */
  const waiting = new Map<string, T[]>();
  let size = 0;
  return {
    add(by, item) {
      const own = waiting.get(by);
      if (own && own.length >= most) return false;
      if (own) own.push(item);
      else waiting.set(by, [item]);
      size += 1;
      return true;
    },
    take() {
      const first = waiting.entries().next().value;
      if (!first) return undefined;
      const [by, own] = first;
      const item = own.shift();
      waiting.delete(by);
      if (own.length > 0) waiting.set(by, own);
      size -= 1;
      return item;
    },
    drain() {
      const all = [...waiting.values()].flat();
      waiting.clear();
      size = 0;
      return all;
    },
    size: () => size,
  };
};

/** Runs `places` works at a time, in turns. `refused` makes the error for whoever has too much waiting. */
export const createTurns = (places: number, most: number, refused: () => Error) => {
  const waiting = createFairQueue<() => void>(most);
  let running = 0;
  const enter = (by: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (!waiting.add(by, resolve)) throw refused();
    begin();
    return promise;
  };
  const begin = (): void => {
    if (running >= places) return;
    const next = waiting.take();
    if (!next) return;
    running += 1;
    next();
  };
  return async <T>(by: string, work: () => Promise<T>): Promise<T> => {
    await enter(by);
    try {
      return await work();
    } finally {
      running -= 1;
      begin();
    }
  };
};

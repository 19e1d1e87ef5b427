// A lane for slow work: it limits what runs at once in all, per target host and per sending host, so that no single
// host can fill it.

type LaneLimits = {
  /** Tasks running at once, in all. */
  total: number;
  perTarget: number;
  perSender: number;
  /** Tasks that may wait for a place. */
  waiting: number;
};

export type Task<T> = {
  target: string;
  sender: string;
  work: () => Promise<T>;
  /** When aborted, waiting work is not started; running work continues. */
  signal?: AbortSignal;
};

export type Lane = {
  /** Does the work when there is a place for it. Throws LaneFull when too many wait. */
  run<T>(task: Task<T>): Promise<T>;
  /** Returns how many more may wait. */
  room(): number;
  /** Returns how many wait or run. */
  entries(): number;
  /** Rejects waiting work (LaneFull); resolves when running work has ended. */
  close(): Promise<void>;
};

/** Thrown when there is no place to run, and none to wait. */
export class LaneFull extends Error {}

type Waiting = { target: string; sender: string; start: () => void; refuse: () => void };

type Hosts = Pick<Waiting, "target" | "sender">;

const count = (counts: Map<string, number>, key: string, by: 1 | -1): void => {
  const next = (counts.get(key) ?? 0) + by;
  if (next === 0) counts.delete(key);
  else counts.set(key, next);
};

/** Counts the places that each host has taken. */
const createPlaces = (limits: LaneLimits) => {
  const targets = new Map<string, number>();
  const senders = new Map<string, number>();
  let total = 0;
  const take = ({ target, sender }: Hosts, by: 1 | -1): void => {
    total += by;
    count(targets, target, by);
    count(senders, sender, by);
  };
  return {
    take,
    areAllTaken: () => total >= limits.total,
    hasOne: ({ target, sender }: Hosts): boolean =>
      (targets.get(target) ?? 0) < limits.perTarget &&
      (senders.get(sender) ?? 0) < limits.perSender,
  };
};

export const createLane = (limits: LaneLimits): Lane => {
  const places = createPlaces(limits);
  const running = new Set<Promise<unknown>>();
  const waiting: Waiting[] = [];

  /** Starts the oldest work for which there is a place, until there is none. */
  const advance = (): void => {
    for (let at = 0; at < waiting.length && !places.areAllTaken();) {
      if (places.hasOne(waiting[at]!)) waiting.splice(at, 1)[0]!.start();
      else at++;
    }
  };

  const occupy = async <T>(task: Task<T>): Promise<T> => {
    places.take(task, 1);
    const working = task.work();
    const ended = working.then(
      () => undefined,
      () => undefined,
    );
    running.add(ended);
    try {
      return await working;
    } finally {
      running.delete(ended);
      places.take(task, -1);
      advance();
    }
  };

  const enqueue = <T>(task: Task<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const { target, sender, signal } = task;
    const start = (): void => resolve(occupy(task));
    const refuse = (): void => reject(new LaneFull());
    const entry = { target, sender, start, refuse };
    waiting.push(entry);
    signal?.addEventListener("abort", () => {
      const at = waiting.indexOf(entry);
      if (at >= 0) waiting.splice(at, 1);
      reject(signal.reason as Error);
    });
    advance();
    return promise;
  };

  return {
    room: () => limits.waiting - waiting.length,
    async run(task) {
      if (waiting.length >= limits.waiting) throw new LaneFull();
      return enqueue(task);
    },
    entries: () => waiting.length + running.size,
    async close() {
      for (const { refuse } of waiting.splice(0)) refuse();
      await Promise.all(running);
    },
  };
};

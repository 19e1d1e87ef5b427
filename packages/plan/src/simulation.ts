// Simulates queues: events in the order of their times, workers that process waiting work in order, and random numbers
// that are the same in each run. It knows nothing of the server (model.ts).

type Event = { at: number; act: () => void };

/** Events in the order of their times, in milliseconds. */
export class Timeline {
  now = 0;
  /** A heap in which each event comes before the two below it. */
  #events: Event[] = [];

  after(ms: number, act: () => void): void {
    const event = { at: this.now + ms, act };
    let place = this.#events.push(event) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (this.#events[above]!.at <= event.at) break;
      this.#events[place] = this.#events[above]!;
      place = above;
    }
    this.#events[place] = event;
  }

  #removeFirst(): void {
    const last = this.#events.pop();
    if (!last || this.#events.length === 0) return;
    const { length } = this.#events;
    let place = 0;
    for (let below = 1; below < length; below = 2 * place + 1) {
      if (below + 1 < length && this.#events[below + 1]!.at < this.#events[below]!.at) below += 1;
      if (this.#events[below]!.at >= last.at) break;
      this.#events[place] = this.#events[below]!;
      place = below;
    }
    this.#events[place] = last;
  }

  /** Runs all events until that time. */
  run(until: number): void {
    for (let first = this.#events[0]; first && first.at <= until; first = this.#events[0]) {
      this.#removeFirst();
      this.now = first.at;
      first.act();
    }
    this.now = until;
  }
}

/** A number of workers, each with one task at a time; a task that finds none free waits in line. */
export class Workers {
  busyMs = 0;
  /** Lengths of the line as each task came. */
  readonly waiting: number[] = [];
  #free: number;
  #line: (() => void)[] = [];
  #begun = 0;
  readonly #timeline: Timeline;

  constructor(timeline: Timeline, count: number) {
    this.#timeline = timeline;
    this.#free = count;
  }

  /** Calls `begin` when a worker is free, with the function that frees it. */
  take(begin: (release: () => void) => void): void {
    this.waiting.push(this.#line.length - this.#begun);
    const start = () => {
      const since = this.#timeline.now;
      begin(() => {
        this.busyMs += this.#timeline.now - since;
        this.#release();
      });
    };
    if (this.#free > 0) {
      this.#free -= 1;
      start();
    } else this.#line.push(start);
  }

  #release(): void {
    const next = this.#line[this.#begun];
    if (next) {
      this.#begun += 1;
      // The line is cut from time to time, because each cut copies what is left.
      if (this.#begun > 1024 && this.#begun * 2 > this.#line.length) {
        this.#line = this.#line.slice(this.#begun);
        this.#begun = 0;
      }
      next();
    } else this.#free += 1;
  }
}

/** Returns random numbers from 0 to 1, the same in each run (mulberry32). */
export const randomNumbers = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

/** Returns the time to the next of random events, at a rate per millisecond. */
export const exponential = (random: () => number, perMs: number): number =>
  -Math.log(1 - random()) / perMs;

/** Returns times with this mean, of which few are long: `sigma` is the deviation of their logarithm. */
export const lognormal = (random: () => number, mean: number, sigma: number): number => {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return mean * Math.exp(sigma * normal - (sigma * sigma) / 2);
};

/** Share of the times given to `unevenness` that contain a pause. */
export const PAUSED_SHARE = 0.01;

/** Returns a factor with mean 1, by which a time differs from the mean of its kind. */
export type Spread = (random: () => number) => number;

export const lognormalSpread =
  (sigma: number): Spread =>
  (random) =>
    lognormal(random, 1, sigma);

export const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);

/**
 * Measures how these times vary: the longest percent count as long as the longest of the others, and the excess as
 * `pauses`, in which a process stands still whatever it does (the garbage collector's).
 */
export const unevenness = (times: readonly number[]): { spread: Spread; pauses: number[] } => {
  const most = quantile(times, 1 - PAUSED_SHARE);
  const pauses = times.filter((time) => time > most).map((time) => time - most);
  const others = times.map((time) => Math.min(most, time));
  const mean = meanOf(others);
  const spread: Spread = (random) => others[Math.floor(random() * others.length)]! / mean;
  return { spread, pauses };
};

/** The 99th percentile of a normal distribution, in deviations from its middle. */
const P99_DEVIATIONS = 2.326;

/** The deviation of the logarithm of times with this median and 99th percentile, for `lognormal`. */
export const sigmaOf = (p50: number, p99: number): number => Math.log(p99 / p50) / P99_DEVIATIONS;

/** Shape of Pareto's distribution: a fifth has four fifths of all. */
const SHAPE = 1.16;

/** Returns long-tailed numbers, at most `most`, with this mean. */
export const longTailed = (random: () => number, mean: number, most: number): number => {
  // The lower bound is raised to make up for what is cut off above.
  const least = leastOf(mean, most);
  return Math.min(most, least / (1 - random()) ** (1 / SHAPE));
};

/** Solves E[min(X, most)] = least × (SHAPE − (least / most)^(SHAPE − 1)) / (SHAPE − 1) for `least` in a few steps. */
const leastOf = (mean: number, most: number): number => {
  let least = mean / 4;
  for (let step = 0; step < 30; step += 1)
    least = (mean * (SHAPE - 1)) / (SHAPE - (least / most) ** (SHAPE - 1));
  return least;
};

/** Returns the value below which this share (0 to 1) of the numbers lies; 0 for no numbers. */
export const quantile = (numbers: readonly number[], share: number): number => {
  const sorted = Float64Array.from(numbers).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
};

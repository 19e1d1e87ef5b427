// Models the server: its processes, PostgreSQL and the machine's cores are workers of a simulation, with measured times
// (figures.ts). A request takes a web process, PostgreSQL, and the web process again; what follows from a write takes a
// worker in turns, between which requests are answered, as the server's own work yields to them.

import {
  exponential,
  longTailed,
  meanOf,
  quantile,
  randomNumbers,
  Timeline,
  Workers,
} from "./simulation.ts";
import type { Spread } from "./simulation.ts";

/** Milliseconds of CPU in node and in PostgreSQL. `threads`: in node's other threads, for which it does not wait. */
export type Cost = { node: number; postgres: number; threads?: number };

export type Work = {
  /** Costs of a request that reads, and of one that writes until it is answered. */
  read: Cost;
  write: Cost;
  /** Cost of what follows from a write. */
  follow: Cost;
  /** Costs of an incoming activity: until it is stored, and until it is visible. */
  accept: Cost;
  activity: Cost;
  delivery: Cost;
  /** Cost of a message to one socket. */
  event: Cost;
  /** How much requests vary: a long one is long in node and in PostgreSQL. */
  spread: Spread;
  /** Returns the milliseconds for which a process pauses before work of this cost: mostly 0. */
  pause?: (random: () => number, cost: Cost) => number;
  /** Milliseconds of a request in which nobody works on it: a process is woken, a disk writes. */
  delay?: Record<"read" | "write", number>;
};

/** Events per second. */
export type Rates = Record<"read" | "write" | "activity" | "delivery" | "event", number>;

export type Layout = {
  web: number;
  workers: number;
  streaming: number;
  /** True when one process does everything. */
  together: boolean;
  /** Cores of PostgreSQL. */
  postgres: number;
  /** Cores that everything shares, if it is on one machine. */
  cores: number | null;
};

export type Part = "web" | "worker" | "streaming" | "postgres" | "sending";

type Length = { mean: number; p99: number };
type PartState = { busy: number; waiting: Length };

export type Outcome = {
  /** Milliseconds from a request to its answer. */
  p50: number;
  p99: number;
  requests: number;
  /** Number of requests in progress when another comes. */
  present: Length;
  /** 99th percentiles of milliseconds until a post is in feeds and notifications, and until it is at other servers. */
  followed_p99: number;
  delivered_p99: number;
  parts: Record<Part, PartState>;
};

/** Returns the milliseconds that a write waits for others of its batch (platform/batcher.ts). */
export const gatherMs = ({ together }: Pick<Layout, "together">): number => (together ? 2 : 6);
/** Milliseconds of a turn: longer work queries the database, and yields to others, after each. */
const TURN_MS = 1;
/** Deliveries of a worker in progress at a time (federation/delivery/places.ts). */
const SENDING = 150;
/** Milliseconds that a host takes to answer, and the share of deliveries that is sent once more. */
const HOST_MS = 150;
const FAILING_SHARE = 0.03;
/** Share of the time that is not measured, because the queues begin empty. */
const WARM_SHARE = 0.2;

export const lengthOf = (lengths: readonly number[]): Length => ({
  mean: meanOf(lengths),
  p99: quantile(lengths, 0.99),
});

export class Model {
  readonly timeline = new Timeline();
  readonly random: () => number;
  readonly #parts: Record<Part, Workers>;
  readonly #cores: Workers | null;
  readonly #layout: Layout;
  readonly #work: Work;
  #answered: number[] = [];
  #followed: number[] = [];
  #delivered: number[] = [];
  #under = 0;
  #present: number[] = [];
  #since = 0;

  constructor(layout: Layout, work: Work, seed = 1) {
    this.#layout = layout;
    this.#work = work;
    this.random = randomNumbers(seed);
    const { timeline } = this;
    const web = new Workers(timeline, layout.web);
    this.#parts = {
      web,
      worker: layout.together ? web : new Workers(timeline, layout.workers),
      streaming: layout.together ? web : new Workers(timeline, layout.streaming),
      postgres: new Workers(timeline, layout.postgres),
      sending: new Workers(timeline, (layout.together ? 1 : layout.workers) * SENDING),
    };
    this.#cores = layout.cores === null ? null : new Workers(timeline, layout.cores);
  }

  /** Uses a core of a part for some milliseconds, when one is free. */
  #use(part: Workers | null, ms: number, done: () => void): void {
    if (ms <= 0) return done();
    const onCore = (begin: (release: () => void) => void) =>
      this.#cores ? this.#cores.take(begin) : begin(() => undefined);
    const inPart = (begin: (release: () => void) => void) =>
      part ? part.take(begin) : begin(() => undefined);
    inPart((release) =>
      onCore((releaseCore) =>
        this.timeline.after(ms, () => {
          releaseCore();
          release();
          done();
        }),
      ),
    );
  }

  /** Adds other work that takes a core of the machine. */
  beside(ms: number): void {
    this.#use(null, ms, () => undefined);
  }

  #pass(part: Part, cost: Cost, done: () => void): void {
    const factor = this.#work.spread(this.random);
    const half = (cost.node * factor) / 2;
    const pause = this.#work.pause?.(this.random, cost) ?? 0;
    this.beside((cost.threads ?? 0) * factor);
    this.#use(this.#parts[part], half + pause, () =>
      this.#use(this.#parts.postgres, cost.postgres * factor, () =>
        this.#use(this.#parts[part], half, done),
      ),
    );
  }

  /** Works in turns; other work comes between them. */
  #inTurns(part: Part, { node, postgres, threads = 0 }: Cost, done: () => void): void {
    const turns = Math.max(1, Math.ceil(node / TURN_MS));
    const cost = { node: node / turns, postgres: postgres / turns, threads: threads / turns };
    const turn = (left: number): void => {
      if (left === 0) return done();
      this.#pass(part, cost, () => turn(left - 1));
    };
    turn(turns);
  }

  request(kind: "read" | "write"): void {
    const since = this.timeline.now;
    this.#present.push(this.#under);
    this.#under += 1;
    const pass = () =>
      this.#inTurns("web", this.#work[kind], () => {
        this.#under -= 1;
        this.#answered.push(this.timeline.now - since);
        if (kind === "write") this.#follow(since, this.#work.follow);
      });
    const gathered = kind === "read" ? 0 : gatherMs(this.#layout);
    this.timeline.after((this.#work.delay?.[kind] ?? 0) + gathered, pass);
  }

  #follow(since: number, cost: Cost): void {
    this.#inTurns("worker", cost, () => this.#followed.push(this.timeline.now - since));
  }

  activity(): void {
    const since = this.timeline.now;
    this.#inTurns("web", this.#work.accept, () => this.#follow(since, this.#work.activity));
  }

  /** Delivers to several hosts: the deliveries of a post come at once. */
  deliver(hosts: number): void {
    const since = this.timeline.now;
    const deliver = () => this.#parts.sending.take((release) => this.#send(release, since));
    for (let host = 0; host < hosts; host += 1) deliver();
  }

  #send(release: () => void, since: number): void {
    this.#pass("worker", this.#work.delivery, () => {
      const isTaken = this.random() >= FAILING_SHARE;
      this.timeline.after(exponential(this.random, 1 / HOST_MS), () => {
        release();
        if (isTaken) this.#delivered.push(this.timeline.now - since);
        else this.deliver(1);
      });
    });
  }

  /** Sends to several sockets. */
  stream(sockets: number): void {
    const { node, postgres } = this.#work.event;
    const cost = { node: node * sockets, postgres: postgres * sockets };
    this.#inTurns("streaming", cost, () => undefined);
  }

  /** Runs for a time, and returns the results of the last four fifths. */
  run(seconds: number): Outcome {
    const end = seconds * 1000;
    this.#since = end * WARM_SHARE;
    this.timeline.run(this.#since);
    this.#answered = [];
    this.#followed = [];
    this.#delivered = [];
    this.#present = [];
    for (const part of Object.values(this.#parts)) {
      part.busyMs = 0;
      part.waiting.length = 0;
    }
    this.timeline.run(end);
    return this.#outcome(end);
  }

  #outcome(end: number): Outcome {
    const { web, workers, streaming, together, postgres } = this.#layout;
    const senders = (together ? 1 : workers) * SENDING;
    const count = { web, worker: workers, streaming, postgres, sending: senders };
    const stateOf = (part: Part): PartState => {
      const { busyMs, waiting } = this.#parts[part];
      const busy = busyMs / (end - this.#since) / Math.max(1, count[part]);
      return { busy, waiting: lengthOf(waiting) };
    };
    return {
      p50: quantile(this.#answered, 0.5),
      p99: quantile(this.#answered, 0.99),
      requests: this.#answered.length,
      present: lengthOf(this.#present),
      followed_p99: quantile(this.#followed, 0.99),
      delivered_p99: quantile(this.#delivered, 0.99),
      parts: {
        web: stateOf("web"),
        worker: stateOf("worker"),
        streaming: stateOf("streaming"),
        postgres: stateOf("postgres"),
        sending: stateOf("sending"),
      },
    };
  }
}

/** Average numbers of hosts and sockets to which a post goes: a few go to a hundred times as many. */
export type Audience = { hosts: number; sockets: number };

const MOST_TIMES = 300;

/** Makes random arrivals at the given rates, whatever still waits, as they come from the internet. */
export const comeByChance = (model: Model, rates: Rates, audience: Audience): void => {
  const { random, timeline } = model;
  const many = (mean: number): number => Math.round(longTailed(random, mean, mean * MOST_TIMES));
  const hosts = Math.max(1, audience.hosts);
  const sockets = Math.max(1, audience.sockets);
  const streams: [perSecond: number, act: () => void][] = [
    [rates.read, () => model.request("read")],
    [rates.write, () => model.request("write")],
    [rates.activity, () => model.activity()],
    [rates.delivery / hosts, () => model.deliver(many(hosts))],
    [rates.event / sockets, () => model.stream(many(sockets))],
  ];
  for (const [perSecond, act] of streams) {
    if (perSecond <= 0) continue;
    const next = (): void =>
      timeline.after(exponential(random, perSecond / 1000), () => {
        act();
        next();
      });
    next();
  }
};

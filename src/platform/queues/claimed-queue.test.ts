// A claimed queue against a simple model: random adds, wakes, faults, kills and stops, at a virtual clock. Nothing is
// lost, nothing runs beside itself in one process, and all bounds hold.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { TestContext } from "node:test";
import { seeded } from "../../../test/seeded.ts";
import type { App } from "../app.ts";
import { createLogger } from "../log/index.ts";
import { ALONE } from "../workers/lease.ts";
import { ClaimedQueue, TRANSITIONS } from "./claimed-queue.ts";
import type { QueueEvent, QueueState } from "./claimed-queue.ts";
import type { ClaimedWork } from "./claimed-work.ts";

const LIMITS = { batch: 3, atOnce: 2, claimed: 12, renewMs: 1000 };
const PACE = { gather: 20, settle: 30, poll: 5000 };
const CLAIM_MS = 3 * LIMITS.renewMs;
const HELP_MS = 200;

/** A row of the table that all processes share. */
type Row = { id: number; owner: Process | null; until: number; retryAt: number; runs: number };
type Result = { id: number; retryAt: number | null };

/** The table, and what happens in it: the model. */
let rows = new Map<number, Row>();
let nextId = 1;
let random = seeded(1);
/** Of claims, runs and results that could go wrong, this part does. */
let faults = 0;
/** How long a run takes. */
let runMs: () => number;
let claimMs: () => number;
/** How long the answer takes to what is stored. */
let answerMs: () => number;
/** When it is tried again; null: it is done. */
let retryAt: () => number | null;
/** What must not happen: an error would only be one more that the queue bears. */
let wrong: string[] = [];

const check = (isRight: boolean, what: string): void => {
  if (!isRight) wrong.push(what);
};

const chance = (probability: number): boolean => random() < probability;
const between = (least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

/** Timers are mocked; what they lead to happens in turns of the event loop, which are not. */
const turns = async (): Promise<void> => {
  for (let n = 0; n < 12; n++) await new Promise((resolve) => setImmediate(resolve));
};
const pass = async (ms: number, step = 10): Promise<void> => {
  for (let left = ms; left > 0; left -= step) {
    mock.timers.tick(Math.min(step, left));
    await turns();
  }
};
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const log = createLogger({ level: "silent", pretty: false });
const clock = { now: () => new Date() };
/** One process has what wakes it by itself: nothing of this needs the rest of an App. */
const appOf = (): App => {
  const waking = { workers: new Set(), wakeThem: () => true, entries: () => 0 };
  return { sql: null, log, clock, caches: { find: () => waking } } as unknown as App;
};

const isDue = ({ owner, until, retryAt }: Row): boolean =>
  retryAt <= Date.now() && (owner === null || until <= Date.now());

class Process {
  /** What it holds, and of this what has not begun, in its order. */
  claimed = new Set<number>();
  storing = new Set<number>();
  waiting: number[] = [];
  running = new Set<number>();
  batches = 0;
  claims = 0;
  /** Killed: nothing of what it does has any effect. */
  isDead = false;
  isStopped = false;
  isHelper = false;
  queue: ClaimedQueue<Row, Result>;

  constructor() {
    this.queue = new ClaimedQueue(appOf(), this.#work(), {
      name: "outbox",
      limits: LIMITS,
      pace: PACE,
      lease: ALONE,
    });
  }

  #fail(): void {
    check(!this.isStopped, "it works after it has stopped");
    if (this.isDead || chance(faults)) throw new Error("unavailable");
  }

  /** Writes rows that are claimed for itself, as a process with a worker does. */
  offer(count: number): void {
    const items = Array.from({ length: count }, () => add(this));
    this.#hold(items);
    const taken = items.filter(({ id }) => this.claimed.has(id));
    check(this.queue.offer(items).length === count - taken.length, "it says what it took");
  }

  #held(): number {
    return this.claimed.size + this.storing.size;
  }

  #hold(items: Row[]): void {
    for (const { id } of items) {
      if (this.claimed.has(id) || this.#held() >= LIMITS.claimed) continue;
      this.claimed.add(id);
      this.waiting.push(id);
    }
  }

  #claim(room: number): { items: Row[]; isMore: boolean } {
    const due = [...rows.values()].filter(isDue);
    const items = due.slice(0, room);
    for (const row of items) Object.assign(row, { owner: this, until: Date.now() + CLAIM_MS });
    return { items, isMore: items.length === room };
  }

  async #run(items: Row[]): Promise<void> {
    check(items.length > 0 && items.length <= LIMITS.batch, `a batch of ${items.length}`);
    const ids = items.map(({ id }) => id);
    const next = this.waiting.splice(0, items.length);
    check(String(ids) === String(next), `it begins ${ids} in place of ${next}`);
    this.batches += 1;
    check(this.batches <= LIMITS.atOnce, `${this.batches} at once`);
    for (const row of items) {
      check(!this.running.has(row.id), `${row.id} runs beside itself`);
      this.running.add(row.id);
      if (!this.isDead) row.runs += 1;
    }
    await later(runMs());
    this.batches -= 1;
    for (const { id } of items) this.running.delete(id);
  }

  #settle(results: Result[]): Date | null {
    const times: number[] = [];
    for (const { id, retryAt } of results) {
      const row = rows.get(id);
      if (retryAt === null) rows.delete(id);
      else if (row?.owner === this) Object.assign(row, { owner: null, retryAt });
      if (retryAt !== null) times.push(retryAt);
    }
    return times.length > 0 ? new Date(Math.min(...times)) : null;
  }

  #work(): ClaimedWork<Row, Result> {
    return {
      keyOf: ({ id }) => String(id),
      claim: async (room) => {
        check(this.queue.state === "running", `it claims while it is ${this.queue.state}`);
        const most = Math.min(LIMITS.batch * LIMITS.atOnce, LIMITS.claimed - this.#held());
        check(room > 0 && room <= most, `room for ${room} where there is room for ${most}`);
        this.claims += 1;
        // Where the answer is lost, the rows are claimed all the same.
        const claim = this.isDead ? { items: [], isMore: false } : this.#claim(room);
        await later(claimMs());
        this.#fail();
        this.#hold(claim.items);
        return this.isHelper && claim.items.length > 0 ? { ...claim, againMs: HELP_MS } : claim;
      },
      run: async (items, report) => {
        await this.#run(items);
        try {
          this.#fail();
        } catch (error) {
          for (const { id } of items) this.claimed.delete(id);
          throw error;
        }
        for (const { id } of items) report({ id, retryAt: retryAt() });
        if (chance(faults)) throw new Error("after it had reported");
      },
      settle: async (results) => {
        const move = (from: Set<number>, to?: Set<number>) => {
          for (const { id } of results) if (from.delete(id)) to?.add(id);
        };
        move(this.claimed, this.storing);
        try {
          await later(between(0, 20));
          this.#fail();
          const due = this.#settle(results);
          // Others see what was stored before its answer arrives.
          await later(answerMs());
          return due;
        } catch (error) {
          move(this.storing, this.claimed);
          throw error;
        } finally {
          move(this.storing);
        }
      },
      renewClaims: async (keys) => {
        this.#fail();
        const mine = keys.map((key) => rows.get(Number(key))).filter((row) => row?.owner === this);
        for (const row of mine) row!.until = Date.now() + CLAIM_MS;
      },
      release: async () => {
        for (const row of rows.values()) if (row.owner?.isDead) row.owner = null;
      },
    };
  }

  async stop(): Promise<void> {
    const stopped = this.queue.stop().then(() => {
      check(this.queue.state === "stopped" && this.running.size === 0, "it goes on after its stop");
      this.isStopped = true;
    });
    await pass(2000);
    await stopped;
    // What could not be stored is claimed until its time ends; its lease would end these claims at once.
    for (const row of rows.values()) if (row.owner === this) row.owner = null;
  }
}

const add = (owner: Process | null): Row => {
  const until = owner ? Date.now() + CLAIM_MS : 0;
  const row = { id: nextId++, owner, until, retryAt: 0, runs: 0 };
  rows.set(row.id, row);
  return row;
};

const begin = async (isHelper = false): Promise<Process> => {
  const process = new Process();
  process.isHelper = isHelper;
  await process.queue.start();
  return process;
};

const withClock = async (context: TestContext, seed: number, work: () => Promise<void>) => {
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_700_000_000_000 });
  [rows, random, faults, wrong] = [new Map(), seeded(seed), 0, []];
  runMs = () => between(0, 400);
  claimMs = () => between(0, 20);
  answerMs = () => between(0, 20);
  retryAt = () => (chance(faults) ? Date.now() + between(1, 3000) : null);
  context.diagnostic(`seed ${seed}`);
  try {
    await work();
    assert.deepEqual(wrong, []);
  } finally {
    mock.timers.reset();
  }
};

/** What happens at random; the processes that live are changed in place. */
const EVENTS: [weight: number, (living: Process[]) => Promise<void> | void][] = [
  [6, () => void Array.from({ length: between(1, 8) }, () => add(null))],
  [6, (living) => living.forEach(({ queue }) => queue.wake())],
  [5, (living) => living[0]?.offer(between(1, 6))],
  [10, () => pass(between(10, 300))],
  [1, () => pass(PACE.poll)],
  [1, () => void (faults = chance(0.5) ? 0 : 0.3)],
  // The database was away: all claims have ended.
  [1, () => rows.forEach((row) => void (row.until = 0))],
  [1, async (living) => void living.push(await begin(living.length > 0))],
  [1, (living) => void (living.length > 0 && (living.pop()!.isDead = true))],
  [1, (living) => (living.length > 1 ? living.pop()!.stop() : undefined)],
];
const TOTAL = EVENTS.reduce((sum, [weight]) => sum + weight, 0);

const happen = async (living: Process[]): Promise<void> => {
  let left = random() * TOTAL;
  for (const [weight, event] of EVENTS) {
    left -= weight;
    if (left < 0) return event(living);
  }
};

for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
  test(`nothing is lost, whatever happens (${seed})`, async (context) => {
    await withClock(context, seed, async () => {
      const living = [await begin()];
      for (let n = 0; n < 150; n++) await happen(living);
      faults = 0;
      if (living.length === 0) living.push(await begin());
      await pass(CLAIM_MS + 3 * PACE.poll, 50);
      assert.deepEqual([...rows.keys()], []);
      for (const process of living) {
        // Just now it may look by itself.
        for (let n = 0; n < 10 && !process.queue.isIdle(); n++) await pass(100);
        assert.ok(process.queue.isIdle());
        await process.stop();
      }
    });
  });
}

test("without faults each is done once, also by several processes", async (context) => {
  await withClock(context, 9, async () => {
    const living = [await begin(), await begin(true)];
    const all: Row[] = [];
    for (let n = 0; n < 60; n++) {
      for (let left = between(0, 5); left > 0; left--) all.push(add(null));
      for (const { queue } of living) queue.wake();
      await pass(between(10, 100));
    }
    await pass(PACE.poll, 50);
    assert.ok(all.length > 100);
    assert.deepEqual(
      all.filter(({ runs }) => runs !== 1),
      [],
    );
    for (const process of living) await process.stop();
  });
});

test("a claim lasts as long as its work and what is stored of it", async (context) => {
  await withClock(context, 10, async () => {
    const [first, second] = [await begin(), await begin()];
    runMs = () => 4 * CLAIM_MS;
    const row = add(null);
    first.queue.wake();
    await pass(100);
    for (let n = 0; n < 30 && rows.has(row.id); n++) {
      if (n === 20) faults = 1;
      second.queue.wake();
      await pass(CLAIM_MS / 5, 50);
      faults = 0;
    }
    assert.deepEqual([row.runs, rows.size], [1, 0]);
    await first.stop();
    await second.stop();
  });
});

test("what is due again is begun, although the answer to what was stored of it is late", async (context) => {
  await withClock(context, 14, async () => {
    const process = await begin();
    await pass(100);
    [runMs, claimMs, answerMs] = [() => 0, () => 0, () => 200];
    retryAt = () => (row.runs === 1 ? Date.now() : null);
    const row = add(null);
    process.queue.wake();
    for (let n = 0; n < 5; n++) {
      await pass(50);
      process.queue.wake();
    }
    assert.equal(row.runs, 2);
    await pass(500);
    assert.deepEqual([rows.size, process.queue.isIdle()], [0, true]);
    await process.stop();
  });
});

test("what is offered while it stops is done, and nothing more is claimed", async (context) => {
  await withClock(context, 11, async () => {
    const process = await begin();
    await pass(100);
    process.offer(2);
    const stopped = process.queue.stop().then(() => [...rows.keys()]);
    process.offer(4);
    const other = add(null);
    const { claims } = process;
    await pass(3000);
    assert.deepEqual(await stopped, [other.id]);
    assert.equal(process.claims, claims);
  });
});

test("what wakes it while it claims is looked for afterwards", async (context) => {
  await withClock(context, 13, async () => {
    const process = await begin();
    await pass(100);
    [runMs, claimMs] = [() => 0, () => 50];
    process.queue.wake();
    await pass(PACE.gather + 10);
    add(null);
    process.queue.wake();
    await pass(500);
    assert.equal(rows.size, 0);
    await process.stop();
  });
});

test("what is offered while it has no room begins when there is room", async (context) => {
  await withClock(context, 15, async () => {
    const process = await begin();
    await pass(100);
    runMs = () => 100;
    process.offer(LIMITS.batch * LIMITS.atOnce);
    await pass(PACE.gather + 95, 5);
    process.offer(1);
    await pass(10, 5);
    assert.equal(process.running.size, 1);
    await process.stop();
  });
});

test("what is due again at a time of its own is done then, and not at the next look", async (context) => {
  await withClock(context, 12, async () => {
    const process = await begin();
    runMs = () => 0;
    await pass(100);
    retryAt = () => Date.now() + 1000;
    const row = add(null);
    process.queue.wake();
    await pass(500);
    retryAt = () => null;
    await pass(1000);
    assert.deepEqual([row.runs, rows.size], [2, 0]);
    await process.stop();
  });
});

test("a command works on all that is due, and fails where that cannot be read", async () => {
  [rows, retryAt, runMs, claimMs] = [new Map(), () => null, () => 0, () => 0];
  [random, faults] = [seeded(14), 0];
  const process = new Process();
  for (let n = 0; n < 20; n++) add(null);
  assert.equal(await process.queue.drain(), 20);
  assert.equal(rows.size, 0);
  faults = 1;
  await assert.rejects(process.queue.drain(), /unavailable/);
});

test("the table of transitions: each state is reached, and ends in stopped", () => {
  const reached = new Set<QueueState>(["idle"]);
  for (const state of reached) {
    for (const next of Object.values(TRANSITIONS[state])) reached.add(next);
  }
  assert.deepEqual([...reached].sort(), Object.keys(TRANSITIONS).sort());
  const stop = (state: QueueState): QueueEvent => (state === "draining" ? "drained" : "stop");
  for (const state of Object.keys(TRANSITIONS) as QueueState[]) {
    let last = state;
    for (let n = 0; n < 2; n++) last = TRANSITIONS[last][stop(last)] ?? last;
    assert.equal(last, "stopped");
  }
});

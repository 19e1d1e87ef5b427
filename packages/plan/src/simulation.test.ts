// Queues of which the theory gives the figures.

import assert from "node:assert/strict";
import { test } from "node:test";
import { exponential, lognormal, longTailed, quantile, randomNumbers } from "./simulation.ts";
import { Timeline, unevenness, Workers } from "./simulation.ts";

const isNear = (actual: number, expected: number, share: number): void =>
  assert.ok(
    Math.abs(actual - expected) <= share * expected,
    `${actual} is not within ${share * 100} % of ${expected}`,
  );

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Milliseconds that each waits and is served; arrivals and times by chance, both of a mean. */
const simulate = (workers: number, every: number, served: number) => {
  const timeline = new Timeline();
  const random = randomNumbers(7);
  const line = new Workers(timeline, workers);
  const took: number[] = [];
  const come = (): void =>
    timeline.after(exponential(random, 1 / every), () => {
      const since = timeline.now;
      line.take((release) =>
        timeline.after(exponential(random, 1 / served), () => {
          took.push(timeline.now - since);
          release();
        }),
      );
      come();
    });
  come();
  // In two parts: what was planned for the second is not lost with the first.
  timeline.run(500_000);
  timeline.run(2_000_000);
  return { took, busy: line.busyMs / 2_000_000 / workers, waiting: mean(line.waiting) };
};

test("one worker: M/M/1", () => {
  const { took, busy, waiting } = simulate(1, 10, 7);
  isNear(busy, 0.7, 0.03);
  isNear(mean(took), 7 / (1 - 0.7), 0.08);
  // Times of such a queue are exponential: its 99th percentile is 4.6 times the mean.
  isNear(quantile(took, 0.99), (7 / 0.3) * Math.log(100), 0.15);
  isNear(waiting, 0.7 ** 2 / 0.3, 0.12);
});

test("three workers: M/M/3", () => {
  const { took, busy } = simulate(3, 10, 24);
  isNear(busy, 0.8, 0.03);
  // Erlang's C of a load of 2.4 on three is 0.6472.
  isNear(mean(took), 24 + (0.6472 * 24) / (3 - 2.4), 0.08);
});

test("events come by their time, also those of the same", () => {
  const timeline = new Timeline();
  const seen: string[] = [];
  for (const [at, name] of [
    [5, "c"],
    [1, "a"],
    [3, "b"],
    [9, "d"],
  ] as const)
    timeline.after(at, () => seen.push(name));
  timeline.run(5);
  assert.deepEqual(seen, ["a", "b", "c"]);
  assert.equal(timeline.now, 5);
  timeline.run(20);
  assert.deepEqual(seen, ["a", "b", "c", "d"]);
});

test("the longest in a hundred are pauses, and the others differ as they did", () => {
  const times = Array.from({ length: 2000 }, (_, n) => (n < 1990 ? 1 + (n % 2) : 50));
  const { spread, pauses } = unevenness(times);
  assert.deepEqual(pauses, Array(10).fill(48));
  const random = randomNumbers(5);
  const factors = Array.from({ length: 100_000 }, () => spread(random));
  isNear(mean(factors), 1, 0.02);
  isNear(Math.max(...factors), 2 / 1.5, 0.02);
});

test("times by chance have the mean that they are to have", () => {
  const random = randomNumbers(3);
  const many = (make: () => number): number[] => Array.from({ length: 200_000 }, make);
  isNear(mean(many(() => lognormal(random, 5, 0.7))), 5, 0.02);
  const audience = many(() => longTailed(random, 23, 6900));
  isNear(mean(audience), 23, 0.1);
  assert.ok(quantile(audience, 0.5) < 12, "half of the authors have a few");
  assert.equal(quantile([], 0.5), 0);
});

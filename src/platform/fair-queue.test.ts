// Who has much waiting delays only itself.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { Unavailable } from "./errors.ts";
import { createFairQueue, createTurns } from "./fair-queue.ts";

test("each has a turn, whoever came first with much", () => {
  const queue = createFairQueue<string>(3);
  for (const item of ["a1", "a2", "a3"]) assert.equal(queue.add("alice", item), true);
  assert.equal(queue.add("alice", "a4"), false);
  assert.equal(queue.add("bob", "b1"), true);
  assert.equal(queue.take(), "a1");
  queue.add("alice", "a5");
  assert.equal(queue.add("carol", "c1"), true);
  assert.equal(queue.size(), 5);
  const rest = Array.from({ length: 5 }, () => queue.take());
  assert.deepEqual(rest, ["b1", "a2", "c1", "a3", "a5"]);
  assert.equal(queue.take(), undefined);
  queue.add("alice", "a6");
  assert.deepEqual(queue.drain(), ["a6"]);
  assert.equal(queue.size(), 0);
});

test("so many run at a time, and what fails gives its place away", async () => {
  const inTurn = createTurns(1, 2, () => new Unavailable("too many"));
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  const run = (by: string, name: string) =>
    inTurn(by, async () => {
      await gate.promise;
      done.push(name);
      throw new Error(name);
    });
  const all = [run("alice", "a1"), run("alice", "a2"), run("alice", "a3"), run("bob", "b1")];
  await assert.rejects(run("alice", "a4"), Unavailable);
  await endOfTurn();
  assert.deepEqual(done, []);
  gate.resolve();
  await Promise.allSettled(all);
  assert.deepEqual(done, ["a1", "a2", "b1", "a3"]);
});

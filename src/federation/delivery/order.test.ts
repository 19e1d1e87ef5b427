// The order in which deliveries of a host are taken.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createHostQueue } from "./order.ts";

type Item = { activity_id: string; account_id: string };

const item = (text: string): Item => ({ activity_id: text.slice(1), account_id: text[0]! });
const queueOf = (lineOf: (item: Item) => string, ...texts: string[]) =>
  createHostQueue(texts.map(item), lineOf);
const textOf = (taken: Item | null) => taken && taken.account_id + taken.activity_id;

test("an activity goes to its inboxes at once, and the next one when all are answered", () => {
  const queue = queueOf(() => "", "a1", "a1", "b2", "a3");
  const [first, second] = [queue.take()!, queue.take()!];
  assert.deepEqual([textOf(first), textOf(second)], ["a1", "a1"]);
  assert.equal(queue.take(), null);
  queue.finish(first);
  assert.equal(queue.take(), null);
  queue.finish(second);
  const third = queue.take()!;
  assert.equal(textOf(third), "b2");
  assert.equal(queue.take(), null);
  queue.finish(third);
  assert.equal(textOf(queue.take()), "a3");
  assert.equal(queue.take(), null);
});

test("lines do not wait for each other, and are in order each", () => {
  const queue = queueOf(({ account_id }) => account_id, "a1", "a2", "b3", "b4");
  const [first, second] = [queue.take()!, queue.take()!];
  assert.deepEqual([textOf(first), textOf(second)], ["a1", "b3"]);
  assert.equal(queue.take(), null);
  queue.finish(second);
  assert.equal(textOf(queue.take()), "b4");
  assert.equal(queue.take(), null);
  queue.finish(first);
  assert.equal(textOf(queue.take()), "a2");
});

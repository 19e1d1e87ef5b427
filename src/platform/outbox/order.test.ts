// Events are grouped by type, and keep the order of their subject.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrder } from "./worker.ts";

const event = (text: string) => ({ type: text[0]!, subject: text[1]!, text });

const groups = (...texts: string[]) =>
  inOrder(texts.map(event), ({ subject }) => subject).map((group) =>
    group.map(({ text }) => text).join(" "),
  );

test("events of one type form a group, also with others between them", () => {
  assert.deepEqual(groups("a1", "b2", "a3", "b4"), ["a1 a3", "b2 b4"]);
});

test("events about the same subject keep their order", () => {
  assert.deepEqual(groups("a1", "b1", "a1", "b1"), ["a1", "b1", "a1", "b1"]);
  assert.deepEqual(groups("a1", "b1", "a1", "a2"), ["a1 a2", "b1", "a1"]);
  assert.deepEqual(groups("a1", "b2", "a2"), ["a1", "b2", "a2"]);
  assert.deepEqual(groups("a1", "a1"), ["a1 a1"]);
});

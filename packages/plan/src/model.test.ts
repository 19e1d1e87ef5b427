// What a request waits for in the model, where that can be told without it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Model } from "./model.ts";
import type { Cost, Layout, Work } from "./model.ts";

const NOTHING: Cost = { node: 0, postgres: 0 };
const WORK: Work = {
  read: { node: 2, postgres: 3 },
  write: { node: 40, postgres: 4 },
  follow: NOTHING,
  accept: NOTHING,
  activity: NOTHING,
  delivery: NOTHING,
  event: NOTHING,
  spread: () => 1,
};
const LAYOUT: Layout = {
  web: 1,
  workers: 0,
  streaming: 0,
  together: true,
  postgres: 2,
  cores: 2,
};

/** Milliseconds until a read at the second second is answered; `before` comes at the same moment. */
const readOf = (work: Partial<Work>, before = (_model: Model): void => undefined): number => {
  const model = new Model(LAYOUT, { ...WORK, ...work });
  model.timeline.after(2000, () => {
    before(model);
    model.request("read");
  });
  // The first fifth is not counted.
  return model.run(5).p50;
};

test("alone it takes its work, what it is delayed by, and the pause that comes upon it", () => {
  assert.equal(readOf({}), 5);
  assert.equal(readOf({ delay: { read: 7, write: 100 } }), 12);
  assert.equal(readOf({ pause: (_random, { node }) => (node > 0 ? 30 : 0) }), 65);
});

test("longer work yields to it; what takes every core does not", () => {
  const model = new Model(LAYOUT, WORK);
  const reads = [5, 15];
  model.timeline.after(2000, () => {
    model.request("write");
    for (const ms of reads) model.timeline.after(ms, () => model.request("read"));
  });
  const { requests, p50, p99 } = model.run(5);
  assert.equal(requests, 3);
  assert.ok(p50 < 12, `a read took ${p50}`);
  assert.ok(p99 > 44, `the write took ${p99}`);
  const beside = (each: Model) => [30, 30].forEach((ms) => each.beside(ms));
  assert.equal(readOf({}, beside), 35);
});

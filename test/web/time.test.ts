// How far away a time is, in words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ago } from "../../web/src/text/time.ts";

const NOW = new Date("2030-05-01T12:00:00Z");
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
const at = (seconds: number): string =>
  ago("en", new Date(NOW.getTime() + seconds * 1000).toISOString(), NOW);

test("what was set a moment ago to end in three days ends in three days", () => {
  assert.equal(at(3 * DAY - 1), "in 3d");
  assert.equal(at(DAY - 2), "tomorrow");
  assert.equal(at(6 * HOUR - 20), "in 6h");
  assert.equal(at(HOUR - 2), "in 1h");
  assert.equal(at(30 * MINUTE - 2), "in 30m");
  assert.equal(at(20), "now");
});

test("what is past is as old as it has whole days, hours and minutes", () => {
  assert.equal(at(-3 * DAY + 1), "2d ago");
  assert.equal(at(-HOUR + 1), "59m ago");
  assert.equal(at(-20), "now");
});

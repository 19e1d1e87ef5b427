// Places for requests: who takes long gives the place to others, and the quick ones go first.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { Places } from "./places.ts";
import type { Pace, Place } from "./places.ts";

/** Asks for places; those that were given so far. */
const ask = (places: Places, pace: Pace, count: number, onSlow = () => {}) => {
  const handed: (Place | null)[] = [];
  for (let n = 0; n < count; n++) {
    void places.enter(pace, onSlow).then((place) => handed.push(place));
  }
  return handed;
};

const until = async (check: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 1000 && !check(); tries++) await sleep(10);
  assert.ok(check());
};

test("unknown hosts that take long leave room for others, and for quick ones there always is", async () => {
  const places = new Places();
  let slow = 0;
  const unknown = ask(places, "unknown", 300, () => void slow++);
  await until(() => unknown.length > 0);
  assert.ok(unknown.length <= 120);
  const quick = ask(places, "quick", 10);
  await until(() => quick.length === 10);
  await until(() => unknown.length === 300);
  assert.ok(slow >= 180, String(slow));
  assert.equal(places.inFlight(), 310);
  for (const place of [...unknown, ...quick]) place!.leave();
  assert.equal(places.inFlight(), 0);
});

test("hosts known to be slow have places of their own, and wait for each other", async () => {
  const places = new Places();
  const slow = ask(places, "slow", 200);
  await until(() => slow.length === 150);
  const unknown = ask(places, "unknown", 5);
  await until(() => unknown.length === 5);
  assert.equal(slow.length, 150);
  slow[0]!.leave();
  await until(() => slow.length === 151);
});

test("where even the slow places are taken, the next free one gets a slow request out of the way", async () => {
  const places = new Places();
  const unknown = ask(places, "unknown", 700);
  await until(() => unknown.length === 620);
  await sleep(300);
  assert.equal(unknown.length, 620);
  unknown[0]!.leave();
  await until(() => unknown.length === 621);
});

test("once closed, there are none", async () => {
  const places = new Places();
  const slow = ask(places, "slow", 160);
  await until(() => slow.length === 150);
  places.close();
  await until(() => slow.length === 160);
  assert.deepEqual(slow.slice(150), Array(10).fill(null));
  assert.equal(await places.enter("quick", () => {}), null);
});

// Tests what every adapter of the key-value port must do. An adapter's test file calls `kvContract`.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Kv } from "./index.ts";

/** `make` creates an adapter; each key is new, so that the tests can use a shared store. */
export const kvContract = (name: string, make: () => Promise<Kv> | Kv): void => {
  let kv: Kv;
  let number = 0;
  const run = `${Date.now()}`;
  const newKey = () => `contract:${run}:${number++}`;

  before(async () => {
    kv = await make();
  });
  after(() => kv.close());

  test(`${name}: values are stored as text, replaced and deleted`, async () => {
    const key = newKey();
    assert.equal(await kv.get(key), null);
    await kv.set(key, "ünï\u{1f426}\n\0", 60);
    assert.equal(await kv.get(key), "ünï\u{1f426}\n\0");
    await kv.set(key, "", 60);
    assert.equal(await kv.get(key), "");
    await kv.delete(key);
    await kv.delete(key);
    assert.equal(await kv.get(key), null);
  });

  test(`${name}: a value lives as long as it was set to, setting it again renews its life`, async () => {
    const [short, renewed] = [newKey(), newKey()];
    await kv.set(short, "1", 0.05);
    await kv.set(renewed, "1", 0.05);
    await kv.set(renewed, "2", 60);
    await sleep(80);
    assert.equal(await kv.get(short), null);
    assert.equal(await kv.get(renewed), "2");
  });

  test(`${name}: a ttl of 0 stores nothing, and deletes what was stored`, async () => {
    const key = newKey();
    await kv.set(key, "1", 60);
    await kv.set(key, "2", 0);
    assert.equal(await kv.get(key), null);
    await kv.set(key, "3", -5);
    assert.equal(await kv.get(key), null);
    assert.equal(await kv.add(key, "4", 0), true);
    assert.equal(await kv.get(key), null);
    assert.equal(await kv.increment(key, 1, 0), 1);
    assert.equal(await kv.get(key), null);
  });

  test(`${name}: add sets only what is absent, also an empty text is there`, async () => {
    const key = newKey();
    assert.equal(await kv.add(key, "", 0.2), true);
    assert.equal(await kv.add(key, "b", 60), false);
    assert.equal(await kv.get(key), "");
    await sleep(250);
    assert.equal(await kv.add(key, "c", 60), true);
    assert.equal(await kv.get(key), "c");
  });

  test(`${name}: of many adds at once one wins`, async () => {
    const key = newKey();
    const won = await Promise.all(Array.from({ length: 20 }, (_, n) => kv.add(key, String(n), 60)));
    assert.equal(won.filter(Boolean).length, 1);
    assert.equal(await kv.get(key), String(won.indexOf(true)));
  });

  test(`${name}: counters count, at once too, up and down`, async () => {
    const key = newKey();
    const seen = await Promise.all(Array.from({ length: 20 }, () => kv.increment(key, 2, 60)));
    assert.deepEqual(
      seen.toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, n) => 2 * n + 2),
    );
    assert.equal(await kv.increment(key, -15, 60), 25);
    assert.equal(await kv.get(key), "25");
  });

  test(`${name}: a counter's life starts with its first use and is not renewed`, async () => {
    const key = newKey();
    await kv.increment(key, 1, 0.5);
    await sleep(100);
    assert.equal(await kv.increment(key, 1, 0.5), 2);
    await sleep(450);
    assert.equal(await kv.increment(key, 1, 0.5), 1);
  });

  test(`${name}: a counter goes on from a value that was set, within its life`, async () => {
    const key = newKey();
    await kv.set(key, "41", 0.2);
    assert.equal(await kv.increment(key, 1, 60), 42);
    await sleep(250);
    assert.equal(await kv.get(key), null);
  });
};

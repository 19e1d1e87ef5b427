// A cache that is bounded in bytes and in time, and the estimates that it rests on.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { BoundedCache, sizeOf } from "./bounded.ts";
import { Pool } from "./register.ts";

const KILOBYTE = 1024;
const alone = (kilobytes: number) => ({ share: kilobytes * KILOBYTE, pool: null });

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

test("it never takes more than it may, and the oldest go first", () => {
  const cache = new BoundedCache<string>(alone(10), () => 900);
  for (let i = 0; i < 1000; i++) {
    cache.set(`n${i}`, "x");
    assert.ok(cache.bytes() <= 10 * KILOBYTE);
    assert.equal(cache.get(`n${i}`), "x");
  }
  assert.equal(cache.get("n0"), undefined);
  assert.ok(cache.entries() >= 5);
  assert.equal([...cache.values()].length, cache.entries());
});

test("one that is too large for it is not cached, nor what it replaces", () => {
  const cache = new BoundedCache<number>(alone(8), (bytes) => bytes);
  cache.set("a", 10);
  cache.set("a", 2 * KILOBYTE);
  assert.equal(cache.get("a"), undefined);
  assert.equal(cache.bytes(), 0);
  const strict = new BoundedCache<number>(alone(8), (bytes) => bytes, 200);
  strict.set("a", 300);
  assert.equal(strict.get("a"), undefined);
  const pool = new Pool(64 * KILOBYTE);
  const lent = new BoundedCache<number>({ share: 8 * KILOBYTE, pool }, (bytes) => bytes);
  lent.set("a", 1.5 * KILOBYTE);
  lent.set("b", 2 * KILOBYTE);
  assert.deepEqual([lent.get("a"), lent.get("b")], [1.5 * KILOBYTE, undefined]);
});

test("an entry ends with the second age, also when it is used", () => {
  const cache = new BoundedCache<string>(alone(10), () => 100);
  cache.set("a", "x");
  cache.age();
  assert.equal(cache.get("a"), "x");
  cache.age();
  assert.equal(cache.get("a"), undefined);
  assert.equal(cache.bytes(), 0);
});

test("bytes are counted once, whatever is set again, deleted or grows", () => {
  const cache = new BoundedCache<string>(alone(10), () => 100);
  cache.set("a", "x");
  const before = cache.bytes();
  cache.set("a", "y");
  cache.age();
  cache.set("a", "z");
  assert.equal(cache.bytes(), before);
  cache.grow("a", 50);
  assert.equal(cache.bytes(), before + 50);
  cache.age();
  cache.grow("a", 50);
  assert.equal(cache.bytes(), before + 100);
  cache.delete("a");
  assert.equal(cache.bytes(), 0);
  assert.equal(cache.entries(), 0);
  cache.grow("a", 50);
  assert.equal(cache.bytes(), 0);
});

test("hits and misses are counted", () => {
  const cache = new BoundedCache<string>(alone(10), () => 100);
  cache.get("a");
  cache.set("a", "x");
  cache.get("a");
  cache.get("a");
  assert.deepEqual([cache.hits, cache.misses], [2, 1]);
});

test("what was used since it was looked at last goes after what was not", () => {
  const cache = new BoundedCache<string>(alone(10), () => 900);
  for (let i = 0; i < 11; i++) cache.set(`n${i}`, "x");
  assert.equal(cache.evictions, 1, "n0 went, and the hand has passed the others");
  cache.get("n1");
  cache.set("n11", "x");
  assert.deepEqual(
    ["n1", "n2"].map((id) => cache.get(id)),
    ["x", undefined],
  );
});

test("of those that have more than their part, the one whose entries nobody uses goes first", () => {
  const pool = new Pool(30 * KILOBYTE);
  const [used, unused, third] = [1, 2, 3].map(
    () => new BoundedCache<string>({ share: 10 * KILOBYTE, pool }, () => 900),
  ) as BoundedCache<string>[];
  const look = () => Array.from({ length: 15 }, (_, i) => used!.get(`n${i}`));
  for (let i = 0; i < 15; i++) for (const cache of [used!, unused!]) cache.set(`n${i}`, "x");
  for (let i = 0; i < 10; i++) {
    look();
    third!.set(`n${i}`, "x");
  }
  assert.ok(used!.entries() > unused!.entries(), `${used!.entries()} and ${unused!.entries()}`);
});

test("one of a pool may have what the others leave, and gives it back when they need it", () => {
  const pool = new Pool(20 * KILOBYTE);
  const [pages, people] = [1, 2].map(
    () => new BoundedCache<string>({ share: 10 * KILOBYTE, pool }, () => 900),
  ) as [BoundedCache<string>, BoundedCache<string>];
  for (let i = 0; i < 100; i++) pages.set(`n${i}`, "x");
  assert.ok(pages.bytes() > 19 * KILOBYTE && pages.bytes() <= 20 * KILOBYTE);
  const kept = pages.evictions;
  for (let i = 0; i < 10; i++) people.set(`n${i}`, "x");
  assert.equal(people.evictions, 0);
  assert.equal(people.entries(), 10);
  assert.ok(pages.evictions > kept);
  for (let i = 0; i < 100; i++) people.set(`m${i}`, "x");
  assert.ok(pages.bytes() >= 9 * KILOBYTE, "its own share nobody takes");
  assert.ok(pages.bytes() + people.bytes() <= 20 * KILOBYTE);
  pages.clear();
  people.age();
  people.age();
  for (let i = 0; i < 100; i++) people.set(`n${i}`, "x");
  assert.ok(people.bytes() > 19 * KILOBYTE, "what was cleared or has ended is free again");
});

/** What the heap grew by, for each of many values. */
const measured = (make: () => unknown): number => {
  const garbage: unknown[] = Array.from({ length: 20_000 }, () => null);
  gc();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < garbage.length; i++) garbage[i] = make();
  gc();
  return (process.memoryUsage().heapUsed - before) / garbage.length;
};

test("the estimate is near what values take", () => {
  let n = 1;
  const text = (length: number) => Buffer.alloc(length, `${n++} `).toString();
  const shapes: Record<string, () => unknown> = {
    text: () => text(500),
    row: () => ({ id: text(18), content: text(300), at: new Date(n++), count: "0", flag: true }),
    list: () => [text(18), text(18), text(18)],
    map: () => new Map([[text(8), { id: text(18) }]]),
  };
  for (const [name, make] of Object.entries(shapes)) {
    const ratio = sizeOf(make()) / measured(make);
    assert.ok(ratio > 0.7 && ratio < 1.7, `${name}: ${ratio}`);
  }
});

test("wide texts take two bytes a character, buffers what they hold", () => {
  assert.equal(sizeOf("ž".repeat(100)) - sizeOf("é".repeat(100)), 100);
  assert.ok(sizeOf(Buffer.alloc(5000)) > 5000);
  assert.ok(sizeOf({ a: [1n, new Set(["x"]), null, undefined, 1.5] }) < 300);
});

// The key-value store in memory: the port's contract, its bound, and values made once (cached.ts).

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../app.ts";
import { createCaches } from "../caches/register.ts";
import { cached } from "./cached.ts";
import { kvContract } from "./kv.contract.ts";
import { memoryCounters, memoryKv } from "./memory.ts";

kvContract("memory", () => memoryKv());
kvContract("memory without a bound", () => memoryKv(Infinity));

test("the least recently used keys go first", async () => {
  const kv = memoryKv(500);
  await kv.set("a", "1", 60);
  await kv.set("b", "1", 60);
  await kv.get("a");
  await kv.set("c", "1", 60);
  assert.deepEqual([await kv.get("a"), await kv.get("b"), await kv.get("c")], ["1", null, "1"]);
});

test("a store without a bound keeps every key until it expires, then none of them", async () => {
  const kv = memoryKv(Infinity);
  await kv.increment("a", 1, 60);
  for (let n = 0; n < 20_000; n++) await kv.increment(`b${n}`, 1, 0.02);
  assert.equal(await kv.get("a"), "1");
  await sleep(40);
  kv.cache.age?.();
  assert.equal(kv.cache.entries(), 1);
});

test("counters of one kind do not push out those of another, nor people one another", async () => {
  const counters = memoryCounters(() => 50_000);
  const kinds = ["person", "login", "address", "request"] as const;
  for (const kind of kinds) await counters[kind].increment("first", 1, 60);
  const fill = async (kind: (typeof kinds)[number]) => {
    for (let n = 0; n < 2000; n++) await counters[kind].increment(`${n}`, 1, 60);
  };
  for (const kind of ["login", "address", "request"] as const) {
    await fill(kind);
    assert.equal(await counters[kind].get("first"), null, `${kind} is bounded`);
    await counters[kind].increment("first", 1, 60);
    for (const other of kinds) assert.equal(await counters[other].get("first"), "1", other);
  }
  await fill("person");
  for (const kind of kinds) assert.equal(await counters[kind].get("first"), "1", kind);
});

/** All of the app that `cached` looks at. */
const appWithKv = (): App => ({ kv: memoryKv(), caches: createCaches(8, {}) }) as unknown as App;

test("a cached value is made once, also for those who ask at the same time", async () => {
  const app = appWithKv();
  let number = 0;
  const make = async () => {
    number += 1;
    return { n: number, list: [null, "ü"] };
  };
  const both = await Promise.all([cached(app, "k", 60, make), cached(app, "k", 60, make)]);
  assert.deepEqual(both, [
    { n: 1, list: [null, "ü"] },
    { n: 1, list: [null, "ü"] },
  ]);
  assert.deepEqual(await cached(app, "k", 60, make), { n: 1, list: [null, "ü"] });
  await app.kv.delete("k");
  assert.equal((await cached(app, "k", 60, make)).n, 2);
  assert.equal((await cached(appWithKv(), "k", 60, make)).n, 3);
});

test("a value that could not be made is tried again", async () => {
  const app = appWithKv();
  const fail = async () => {
    throw new Error("away");
  };
  const both = [cached(app, "k", 60, fail), cached(app, "k", 60, fail)];
  for (const attempt of both) await assert.rejects(attempt, /away/);
  assert.equal(await cached(app, "k", 60, async () => "here"), "here");
});

// The key-value store in memory: the port's contract, its bound, and values made once (cached.ts).

import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "../app.ts";
import { createCaches } from "../caches/index.ts";
import { cached } from "./cached.ts";
import { kvContract } from "./kv.contract.ts";
import { memoryKv } from "./memory.ts";

kvContract("memory", () => memoryKv());

test("the least recently used keys go first", async () => {
  const kv = memoryKv(500);
  await kv.set("a", "1", 60);
  await kv.set("b", "1", 60);
  await kv.get("a");
  await kv.set("c", "1", 60);
  assert.deepEqual([await kv.get("a"), await kv.get("b"), await kv.get("c")], ["1", null, "1"]);
});

/** All of the app that `cached` looks at. */
const appWithKv = (): App => ({ kv: memoryKv(), caches: createCaches(8, {}) }) as unknown as App;

test("a cached value is made once, also for those who ask at the same time", async () => {
  const app = appWithKv();
  let made = 0;
  const make = async () => {
    made += 1;
    return { n: made, list: [null, "ü"] };
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
  for (const one of both) await assert.rejects(one, /away/);
  assert.equal(await cached(app, "k", 60, async () => "here"), "here");
});

// The feeds in memory: the port's contract, and the bound on how many there are.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePage } from "../db/paging.ts";
import { feedsContract } from "./feeds.contract.ts";
import { memoryFeeds } from "./memory.ts";
import { randomFeedsContract } from "./random.contract.ts";

feedsContract("memory", () => memoryFeeds());
randomFeedsContract("memory", () => memoryFeeds());

test("the least recently read feeds are dropped first, also when they are pushed to", async () => {
  const feeds = memoryFeeds(2 * 17_000);
  const page = parsePage({}, 20);
  for (const key of ["a", "b"]) {
    await feeds.fill(key, async () => ({ ids: ["1"] }));
  }
  await feeds.page("a", page);
  await feeds.push([{ keys: ["b"], id: "2" }]);
  await feeds.fill("c", async () => ({ ids: ["1"] }));
  assert.deepEqual(await feeds.page("a", page), ["1"]);
  assert.equal(await feeds.page("b", page), null);
  await feeds.close();
  assert.equal(await feeds.page("a", page), null);
});

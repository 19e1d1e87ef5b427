// The pubsub in memory: the port's contract, and what happens when a listener throws.

import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryPubSub } from "./memory.ts";
import { pubSubContract } from "./pubsub.contract.ts";

pubSubContract("memory", () => memoryPubSub());

test("what a listener throws is passed to onFault", async () => {
  const faults: unknown[] = [];
  const pubsub = memoryPubSub((error) => faults.push(error));
  const fault = new Error("bad listener");
  pubsub.subscribe("c", () => {
    throw fault;
  });
  await pubsub.publish("c", 1);
  assert.deepEqual(faults, [fault]);
  await pubsub.close();
  await pubsub.publish("c", 2);
  assert.equal(faults.length, 1);
});

// The queue's statements read by index also when they first ran while the queue was empty.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openPlans } from "../../../test/plans.ts";
import type { Plans } from "../../../test/plans.ts";
import { claimHosts, insertDeliveries, selectDeliveries } from "./queries-queue.ts";

let plans: Plans;

before(async () => {
  plans = await openPlans();
});
after(() => plans.close());

const hosts = Array.from({ length: 300 }, (_, n) => `h${n}.example`);

const read = async (now: Date): Promise<number> => {
  const { sql } = plans;
  const until = new Date(now.getTime() + 1000);
  await claimHosts(sql, { owner: crypto.randomUUID(), now, until, quick: 20, slow: 20 });
  const shares = hosts.slice(0, 20).map((host) => ({ host, limit: 50 }));
  return (await selectDeliveries(sql, shares, now, "0")).length;
};

test("a queue that was empty at first is not read from one end to the other", async () => {
  const now = new Date();
  await plans.empty("deliveries");
  assert.equal(await read(now), 0);
  const inboxes = hosts.map((host) => ({ host, inbox: `https://${host}/inbox` }));
  const how = { now, goneSince: now, claim: null };
  for (let n = 0; n < 10; n++) {
    await insertDeliveries(plans.sql, [{ accountId: null, body: "{}", inboxes }], how);
  }
  const before = await plans.scanned("deliveries");
  assert.equal(await read(now), 200);
  assert.equal((await plans.scanned("deliveries")) - before, 0);
});

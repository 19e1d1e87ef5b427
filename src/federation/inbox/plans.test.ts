// The inbox's statements read by index also when they first ran while nothing waited.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { openPlans } from "../../../test/plans.ts";
import type { Plans } from "../../../test/plans.ts";
import { claimMany, finishMany, selectBodies, selectInProgress, selectWaiting } from "./queries.ts";

let plans: Plans;

before(async () => {
  plans = await openPlans();
});
after(() => plans.close());

const BATCH = 10;

const work = async (): Promise<number> => {
  const { sql } = plans;
  const now = new Date();
  const rows = await selectWaiting(sql, { now, after: "0", ready: [], shards: null, limit: BATCH });
  const ids = rows.map(({ id }) => id);
  await selectInProgress(sql, [...new Set(rows.map(({ actor_uri }) => actor_uri))], [], now);
  await claimMany(
    sql,
    randomUUID(),
    ids.map((id) => ({ id, subjects: ["one"] })),
    now,
  );
  const bodies = await selectBodies(sql, ids);
  await finishMany(sql, ids);
  return bodies.length;
};

test("a backlog is not read from one end to the other for each batch", async () => {
  await plans.empty("incoming_activities");
  assert.equal(await work(), 0);
  await plans.sql`
    INSERT INTO incoming_activities (uri, actor_uri, body)
    SELECT 'https://x.example/' || n, 'https://x.example/u' || n % 50, repeat('x', 1500)
    FROM generate_series(1, 5000) AS n
  `;
  const before = await plans.scanned("incoming_activities");
  assert.equal(await work(), BATCH);
  assert.equal((await plans.scanned("incoming_activities")) - before, 0);
});

// The inbox's statements read by index also when they first ran while nothing waited.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { openPlans } from "../../../test/plans.ts";
import type { Plans } from "../../../test/plans.ts";
import {
  claimMany,
  finishMany,
  selectBodies,
  selectFloor,
  selectInProgress,
  selectWaiting,
} from "./queries.ts";

let plans: Plans;

before(async () => {
  plans = await openPlans();
});
after(() => plans.close());

const BATCH = 10;

const work = async (): Promise<number> => {
  const { sql } = plans;
  const now = new Date();
  const rows = await selectWaiting(sql, {
    now,
    floor: "0",
    after: "0",
    ready: [],
    shards: null,
    limit: BATCH,
  });
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

const store = (count: number, at: string) => plans.sql`
  INSERT INTO incoming_activities (id, uri, actor_uri, body)
  SELECT snowflake(now() - ${at}::interval), 'https://x.example/' || ${at}::text || n, 'https://x.example/u', 'x'
  FROM generate_series(1, ${count}::int) AS n
`;

test("what was worked on during a backup is gone through once", async () => {
  const { sql } = plans;
  await sql`DELETE FROM incoming_activities`;
  await plans.empty("incoming_activities");
  const [row] = await sql<{ name: string }[]>`
    SELECT indexrelid::regclass::text AS name FROM pg_index
    WHERE indrelid = 'incoming_activities'::regclass AND indisprimary
  `;
  const end = await plans.holdSnapshot();
  await store(2000, "1 hour");
  await sql`DELETE FROM incoming_activities`;
  await store(3, "1 minute");
  const read = async (floor: string): Promise<number> => {
    const before = await plans.read(row!.name);
    const query = { now: new Date(), floor, after: floor, ready: [], shards: null, limit: BATCH };
    assert.equal((await selectWaiting(sql, query)).length, 3);
    return (await plans.read(row!.name)) - before;
  };
  assert.ok((await read("0")) >= 2000);
  const floor = await selectFloor(sql, "0");
  assert.ok((await read(floor)) < 10);
  await end();
});

test("what waits, and what is stored at this moment, is above the floor", async () => {
  const { sql } = plans;
  await sql`DELETE FROM incoming_activities`;
  await store(1, "1 second");
  const [row] = await sql<{ id: string }[]>`SELECT id FROM incoming_activities`;
  await sql`DELETE FROM incoming_activities`;
  const floor = await selectFloor(sql, "0");
  assert.ok(BigInt(floor) < BigInt(row!.id));
  await store(1, "1 hour");
  const [oldest] = await sql<{ id: string }[]>`SELECT id FROM incoming_activities`;
  assert.equal(await selectFloor(sql, "0"), String(BigInt(oldest!.id) - 1n));
});

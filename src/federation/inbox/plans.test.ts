// The inbox's statements read by index also when they first ran while nothing waited.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { connect } from "../../platform/db/index.ts";
import type { Sql } from "../../platform/db/index.ts";
import { claimMany, finishMany, selectBodies, selectInProgress, selectWaiting } from "./queries.ts";

let t: TestApp;
/** One connection, so that all statements are prepared on it. */
let sql: Sql;

before(async () => {
  t = await startTestApp({ worker: false });
  sql = connect(t.databaseUrl, { max: 1, application: "plans" });
});
after(async () => {
  await sql.end();
  await t.close();
});

const BATCH = 10;

const work = async (): Promise<number> => {
  const now = new Date();
  const rows = await selectWaiting(sql, { now, after: "0", ready: [], limit: BATCH });
  const ids = rows.map(({ id }) => id);
  await selectInProgress(sql, [...new Set(rows.map(({ actor_uri }) => actor_uri))], [], now);
  await claimMany(
    sql,
    ids.map((id) => ({ id, subjects: ["one"] })),
    now,
  );
  const bodies = await selectBodies(sql, ids);
  await finishMany(sql, ids);
  return bodies.length;
};

/** Rows that were read by going through the whole table. */
const scanned = async (): Promise<number> => {
  await sql`SELECT pg_stat_force_next_flush()`;
  const [row] = await sql<{ rows: string }[]>`
    SELECT pg_stat_get_tuples_returned('incoming_activities'::regclass) AS rows
  `;
  return Number(row!.rows);
};

test("a backlog is not read from one end to the other for each batch", async () => {
  // Now PostgreSQL knows that nothing waits, and need not guess.
  await sql`VACUUM ANALYZE incoming_activities`;
  assert.equal(await work(), 0);
  await sql`
    INSERT INTO incoming_activities (uri, actor_uri, body)
    SELECT 'https://x.example/' || n, 'https://x.example/u' || n % 50, repeat('x', 1500)
    FROM generate_series(1, 5000) AS n
  `;
  const before = await scanned();
  assert.equal(await work(), BATCH);
  assert.equal((await scanned()) - before, 0);
});

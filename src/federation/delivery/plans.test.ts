// The queue's statements read by index also when they first ran while the queue was empty.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { connect } from "../../platform/db/index.ts";
import type { Sql } from "../../platform/db/index.ts";
import { claimHosts, insertDeliveries, selectDeliveries } from "./queries-queue.ts";

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

const hosts = Array.from({ length: 300 }, (_, n) => `h${n}.example`);

const read = async (now: Date): Promise<number> => {
  const until = new Date(now.getTime() + 1000);
  await claimHosts(sql, { owner: crypto.randomUUID(), slow: false, now, until, limit: 20 });
  const shares = hosts.slice(0, 20).map((host) => ({ host, limit: 50 }));
  return (await selectDeliveries(sql, shares, now, "0")).length;
};

/** Rows that were read by going through the whole table. */
const scanned = async (): Promise<number> => {
  await sql`SELECT pg_stat_force_next_flush()`;
  const [row] = await sql<{ rows: string }[]>`
    SELECT pg_stat_get_tuples_returned('deliveries'::regclass) AS rows
  `;
  return Number(row!.rows);
};

test("a queue that was empty at first is not read from one end to the other", async () => {
  const now = new Date();
  // Now PostgreSQL knows that it is empty, and need not guess.
  await sql`VACUUM ANALYZE deliveries`;
  assert.equal(await read(now), 0);
  const inboxes = hosts.map((host) => ({ host, inbox: `https://${host}/inbox` }));
  for (let n = 0; n < 10; n++) {
    await insertDeliveries(sql, [{ accountId: null, body: "{}", inboxes }], now);
  }
  const before = await scanned();
  assert.equal(await read(now), 200);
  assert.equal((await scanned()) - before, 0);
});

// A ring that PostgreSQL cannot see: a transaction waits for a statement outside of itself, and the connection that is
// left to such statements waits for a row of the transaction (docs/design/database.md).

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { unwatched } from "../../../test/outside.ts";
import { allSettings } from "../../domain/base/settings/settings.ts";
import { translated } from "../http/error-handler.ts";
import { statusOf } from "../http/http-error.ts";
import type { KnownError } from "../http/http-error.ts";
import { connect, isLockTimeout } from "./index.ts";
import type { Sql, Tx } from "./index.ts";

let t: TestApp;
let beside: Sql;
const pools: Sql[] = [];

before(async () => {
  t = await startTestApp({ env: { DB_POOL: "2" }, worker: false });
  beside = open(1, 0);
  await t.app.sql`CREATE TABLE rings (n int)`;
  await t.app.sql`INSERT INTO rings VALUES (1), (2)`;
});
after(async () => {
  await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
  await t.close();
});

/** A ring that does not end would hold up the run. */
const LIMIT = { timeout: 60_000 };

const open = (max: number, lockTimeout: number): Sql => {
  const pool = connect(t.databaseUrl, { max, application: "ring", lockTimeout });
  pools.push(pool);
  return pool;
};

const touch = (db: Sql | Tx, n: number) => db`UPDATE rings SET n = n WHERE n = ${n}`;

const untilWaiting = async (): Promise<void> => {
  for (;;) {
    const rows = await beside`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
    `;
    if (rows.length === 1) return;
    await sleep(5);
  }
};

test(
  "a ring of one transaction ends: the statement outside of it waits for a bounded time",
  LIMIT,
  async () => {
    const pool = open(2, 1500);
    let waiting: Promise<unknown> | undefined;
    const read = await pool.begin(async (tx) => {
      await touch(tx, 1);
      waiting = touch(pool, 1).then(
        () => "done",
        (error: unknown) => error,
      );
      await untilWaiting();
      // Asked of the pool, whose other connection waits for this transaction.
      return pool`SELECT 'read' AS value`;
    });
    assert.equal(read[0]!.value, "read");
    const error = await waiting;
    assert.ok(isLockTimeout(error), String(error));
    const answer = translated(t.app, error as KnownError) as KnownError;
    assert.equal(statusOf(answer), 503);
  },
);

test("so does one of two transactions", LIMIT, async () => {
  const pool = open(3, 1500);
  const { promise: bothLocked, resolve } = Promise.withResolvers<void>();
  let locked = 0;
  let waiting: Promise<unknown> | undefined;
  const takePart = (own: number): Promise<unknown> =>
    pool.begin(async (tx) => {
      await touch(tx, own);
      if (++locked === 2) {
        waiting = touch(pool, 1).catch((error: unknown) => error);
        await untilWaiting();
        resolve();
      }
      await bothLocked;
      return pool`SELECT ${own} AS value`;
    });
  await Promise.all([takePart(1), takePart(2)]);
  assert.ok(isLockTimeout(await waiting));
});

test("a transaction waits for longer than that, of whatever kind it is", LIMIT, async () => {
  const pool = open(2, 100);
  const shown = async (tx: Tx) => (await tx`SHOW lock_timeout`)[0]!["lock_timeout"];
  assert.equal(await pool.begin(shown), "0");
  assert.equal(await pool.begin("read only", shown), "0");
  assert.equal((await pool`SHOW lock_timeout`)[0]!["lock_timeout"], "100ms");
});

test("what is cached of the settings is read while such a statement waits", LIMIT, async () => {
  const { app } = t;
  let waiting: Promise<unknown> | undefined;
  await app.sql.begin(async (tx) => {
    await touch(tx, 1);
    waiting = unwatched(() => touch(app.sql, 1).then(() => "done"));
    await untilWaiting();
    app.caches.clear();
    assert.ok(await allSettings(app));
  });
  assert.equal(await waiting, "done");
});

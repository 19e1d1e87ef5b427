// What one asker has under way delays only who asks, and what reads ends in time.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { workFor, workForAll, statementsOfEach } from "./each-asker.ts";
import type { Asker } from "./each-asker.ts";
import { Unavailable } from "../errors.ts";
import { connect, isCancelled, within } from "./index.ts";
import type { Sql } from "./index.ts";

const CONNECTIONS = 5;

let t: TestApp;
let sql: Sql;
before(async () => {
  t = await startTestApp({ worker: false });
  sql = connect(t.databaseUrl, { max: CONNECTIONS, application: "askers" });
});
after(async () => {
  await sql.end();
  await t.close();
});

const asker = (who: string | null, more: Partial<Asker> = {}): Asker => ({
  who,
  limitMs: null,
  isAnswered: false,
  ...more,
});

/** A lock that makes statements take as long as the test wants. */
const holdLock = async (key: number) => {
  const holder = connect(t.databaseUrl, { max: 1, application: "holder" });
  await holder`SELECT pg_advisory_lock(${key})`;
  return () => holder.end();
};

/** How many statements of the pool wait for that lock. */
const underWay = async (): Promise<number> => {
  const [row] = await t.write<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE application_name = 'askers' AND wait_event = 'advisory'
  `;
  return row!.count;
};

const until = async (what: () => Promise<boolean>): Promise<void> => {
  while (!(await what())) await sleep(5);
};

const slow = (key: number) => sql`SELECT pg_advisory_xact_lock_shared(${key})`.then(() => "done");
const slowInTransaction = (key: number) =>
  sql.begin(async (tx) => {
    // The same asker reads outside of its transaction.
    await sql`SELECT 1`;
    await tx`SELECT pg_advisory_xact_lock_shared(${key})`;
    return "done";
  });

for (const [name, work] of Object.entries({ statements: slow, transactions: slowInTransaction })) {
  test(`30 slow ${name} of one: two are under way, and everybody else has the other connections`, async () => {
    const release = await holdLock(7);
    const one = asker("account:1");
    const all = Array.from({ length: 30 }, () => workFor(one, async () => work(7)));
    await until(async () => (await underWay()) === statementsOfEach(CONNECTIONS));
    const [row] = await workFor(asker("account:2"), async () => sql`SELECT 2 AS two`);
    assert.equal(row!["two"], 2);
    assert.equal((await sql`SELECT 3 AS three`)[0]!["three"], 3);
    assert.equal(await underWay(), statementsOfEach(CONNECTIONS));
    await release();
    assert.deepEqual(new Set(await Promise.all(all)), new Set(["done"]));
  });
}

test("what a reader waits for ends in time, also where it waits for its own; another's goes on", async () => {
  const release = await holdLock(8);
  const reader = asker("account:1", { limitMs: 100 });
  const writing = workFor(asker("account:2"), async () => slow(8));
  const failed = await Promise.allSettled(
    Array.from({ length: 4 }, () => workFor(reader, async () => slow(8))),
  );
  const errors = failed.map((result) => (result as PromiseRejectedResult).reason);
  assert.equal(errors.length, 4);
  for (const error of errors) {
    assert.ok(isCancelled(error) || error instanceof Unavailable, String(error));
  }
  // A stranger's as well.
  const stranger = asker(null, { limitMs: 100 });
  await assert.rejects(
    workFor(stranger, async () => slow(8)),
    isCancelled,
  );
  await release();
  assert.equal(await writing, "done");
});

test("what several wait for, or goes on after the answer, is in nobody's turn", async () => {
  const release = await holdLock(9);
  const one = asker("account:1");
  const held = Array.from({ length: 2 }, () => workFor(one, async () => slow(9)));
  await until(async () => (await underWay()) === 2);
  assert.equal(
    (await workFor(one, () => workForAll(async () => sql`SELECT 1 AS one`)))[0]!["one"],
    1,
  );
  const answered = { ...one, isAnswered: true };
  assert.equal((await workFor(answered, async () => sql`SELECT 1 AS one`))[0]!["one"], 1);
  await release();
  await Promise.all(held);
});

const slowRead = (who: string, key: number) =>
  workFor(asker(who), () =>
    within(sql, 60_000, async (tx) => {
      await tx`SELECT pg_advisory_xact_lock_shared(${key})`;
      return who;
    }),
  );

test("slow reads of many have half of the places of transactions, and who writes begins at once", async () => {
  const release = await holdLock(10);
  const reading = Array.from({ length: 12 }, (_, n) => slowRead(`account:${n}`, 10));
  await until(async () => (await underWay()) >= 2);
  const writes = Array.from({ length: 4 }, () => sql.begin((tx) => tx`SELECT 1`));
  await Promise.all(writes);
  assert.equal(await underWay(), 2);
  await release();
  assert.equal(new Set(await Promise.all(reading)).size, 12);
});

test("who has many slow reads lets others read between them", async () => {
  const [release, releaseOthers] = [await holdLock(11), await holdLock(12)];
  const many = Array.from({ length: 10 }, (_, n) => slowRead("account:1", n < 2 ? 11 : 12));
  await until(async () => (await underWay()) === 2);
  const other = slowRead("account:2", 11);
  await release();
  // Those that the first one goes on with do not end yet.
  assert.equal(await other, "account:2");
  await releaseOthers();
  assert.equal((await Promise.all(many)).length, 10);
});

// Leases of worker processes on a real database: nothing of the living is freed, everything of the dead is.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { cloneDatabase } from "../../../test/database.ts";
import type { App } from "../app.ts";
import { connect } from "../db/index.ts";
import type { Sql } from "../db/index.ts";
import { createLogger } from "../log/index.ts";
import { claimEvents, insertEvents, releaseEvents } from "../outbox/queries.ts";
import { holdLease } from "./lease.ts";
import type { Lease } from "./lease.ts";

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let sql: Sql;

before(async () => {
  database = await cloneDatabase();
  sql = connect(database.url, { max: 4, application: "tests" });
});
after(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(async () => {
  await sql`DELETE FROM workers`;
  await sql`DELETE FROM outbox`;
});

const log = createLogger({ level: "silent", pretty: false });
const processOf = (isAlone: boolean): App =>
  ({
    sql,
    log,
    process: { id: randomUUID(), isAlone, takeovers: 0, isStopping: false },
  }) as unknown as App;

/** Longer than the test takes, and shorter. */
const CALM = { leaseMs: 60_000, renewMs: 600_000 };
const QUICK = { leaseMs: 60, renewMs: 15 };

const until = async (what: () => Promise<boolean> | boolean): Promise<void> => {
  for (let n = 0; n < 1000 && !(await what()); n++) await sleep(10);
  assert.ok(await what());
};

const claimedBy = async (owner: string): Promise<number> => {
  const [row] = await sql<{ n: number }[]>`
    SELECT count(*)::int AS n FROM outbox WHERE owner = ${owner} AND claimed_until > now()`;
  return row!.n;
};

const claimant = () => {
  const woken = { count: 0, forgot: 0 };
  return {
    woken,
    release: releaseEvents,
    wake: () => void (woken.count += 1),
    forget: () => void (woken.forgot += 1),
  };
};

const emitFor = (owner: string) =>
  insertEvents(sql, owner, "status.removed" as never, [{ id: "1" }, { id: "2" }]);

test("what a living process claimed stays its own when another one starts", async () => {
  const [holder, other] = [processOf(false), processOf(false)];
  const first = await holdLease(holder, CALM);
  await emitFor(holder.process.id);
  const second = await holdLease(other, CALM);
  await releaseEvents(sql);
  assert.equal(await claimedBy(holder.process.id), 2);
  assert.deepEqual(await claimEvents(sql, other.process.id, 10), []);
  // It ends in order: what it still had is free at once.
  first.join(claimant());
  await first.end();
  assert.equal((await claimEvents(sql, other.process.id, 10)).length, 2);
  await second.end();
});

test("what a dead process claimed is freed when its lease has ended, and workers are woken", async () => {
  const dead = randomUUID();
  await sql`INSERT INTO workers (id, expires_at) VALUES (${dead}, now() - interval '1 second')`;
  await emitFor(dead);
  const app = processOf(false);
  const lease = await holdLease(app, QUICK);
  const mine = claimant();
  lease.join(mine);
  // Not by the start: after a failure of the database the leases of all have ended.
  await releaseEvents(sql);
  await until(async () => (await claimedBy(dead)) === 0);
  await until(() => mine.woken.count > 0);
  assert.equal(app.process.takeovers, 1);
  await lease.end();
});

test("a process that others took for dead forgets what it held and goes on", async () => {
  const app = processOf(false);
  const lease = await holdLease(app, QUICK);
  const mine = claimant();
  lease.join(mine);
  await sql`DELETE FROM workers`;
  await until(() => mine.woken.forgot > 0);
  const rows = await sql`SELECT id FROM workers`;
  assert.deepEqual(
    rows.map(({ id }) => id),
    [app.process.id],
  );
  await lease.end();
});

test("the living share the work by number, each in its own place", async () => {
  const apps = [processOf(false), processOf(false), processOf(false)];
  const leases: Lease[] = [];
  for (const app of apps) leases.push(await holdLease(app, { leaseMs: 60_000, renewMs: 15 }));
  await until(() => leases.every((lease) => lease.share()!.of === 3));
  assert.deepEqual(leases.map((lease) => lease.share()!.at).sort(), [0, 1, 2]);
  await leases[0]!.end();
  await until(() => leases.slice(1).every((lease) => lease.share()!.of === 2));
  for (const lease of leases.slice(1)) await lease.end();
});

test("the only process has everything, and frees what any other one claimed", async () => {
  const other = randomUUID();
  await sql`INSERT INTO workers (id, expires_at) VALUES (${other}, now() + interval '1 hour')`;
  await emitFor(other);
  const lease = await holdLease(processOf(true));
  await releaseEvents(sql);
  assert.equal(lease.share(), null);
  assert.equal(await claimedBy(other), 0);
  assert.deepEqual([...(await sql`SELECT id FROM workers`)], []);
});

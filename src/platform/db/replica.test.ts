// Reads from a real streaming replica: one that is up to date, one that is behind, one that is gone, and one that is
// none.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startReplicated } from "../../../test/replicated.ts";
import type { Replicated } from "../../../test/replicated.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { homeKey } from "../../domain/people/relationships/changed.ts";
import { loadAsServer, wordsOf } from "../../domain/posts/statuses/load.ts";
import { examine } from "../../../packages/doctor/src/examine.ts";
import { readingApp } from "../app.ts";
import { createLogger } from "../log/index.ts";
import { connect, within } from "./index.ts";
import type { Sql } from "./index.ts";
import { createReplica } from "./replica.ts";
import type { Fault, Replica } from "./replica.ts";

let servers: Replicated;
let world: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  servers = await startReplicated();
  const env = { DATABASE_URL: servers.url, DATABASE_REPLICA_URL: servers.replicaUrl };
  world = await startTestApp({ databaseUrl: servers.url, env: { ...env, METRICS_TOKEN: "m" } });
  [alice, bob] = [await world.person("alice"), await world.person("bob")];
});
after(async () => {
  await world?.close();
  await servers?.close();
});

const replica = (): Replica => world.app.replica!;

/** Looks until it is as expected. */
const until = async (fault: Fault | null): Promise<void> => {
  for (let n = 0; n < 500; n++) {
    if ((await replica().look()) === fault) return;
    await sleep(20);
  }
  assert.equal(await replica().look(), fault);
};

/** How many statements of `work` the replica answered. */
const answered = async (work: () => Promise<unknown>): Promise<number> => {
  const before = replica().figures().statements.replica;
  await work();
  return replica().figures().statements.replica - before;
};

const post = async (person: Person, status: string): Promise<string> => {
  const { json } = await person.post("/api/v1/statuses", { status });
  return json.id;
};

const idsOf = async (path: string, person: Person | null = null): Promise<string[]> => {
  const json = await (person ?? world.visitor).get(path).ok();
  return json.map(({ id }: { id: string }) => id);
};

const PUBLIC = "/api/v1/timelines/public?local=true";
const HOME = "/api/v1/timelines/home";

const checkReads = async (id: string): Promise<void> => {
  world.app.caches.clear();
  assert.equal((await idsOf(PUBLIC))[0], id);
  assert.equal((await idsOf(PUBLIC, alice))[0], id);
  assert.equal((await idsOf(`/api/v1/accounts/${alice.accountId}/statuses`, bob))[0], id);
  const context = await world.visitor.get(`/api/v1/statuses/${id}/context`);
  assert.deepEqual(context.json, { ancestors: [], descendants: [] });
};

test("what was just written is read, from the replica", async () => {
  await until(null);
  const statements = await answered(async () => {
    for (const text of ["one", "two", "three"]) await checkReads(await post(alice, text));
    await world.runJobs();
    // Filled from the database, whatever came before.
    await world.app.feeds.drop([homeKey(alice.accountId)]);
    assert.equal((await idsOf(HOME, alice)).length, 3);
  });
  assert.ok(statements > 10, String(statements));
});

test("one that is behind is left alone until it has caught up, and nothing is missing meanwhile", async () => {
  await until(null);
  await servers.pause();
  try {
    const { behind } = replica().figures().statements;
    const statements = await answered(async () => checkReads(await post(alice, "unseen")));
    assert.equal(statements, 0);
    assert.equal(await replica().look(), "behind");
    const figures = replica().figures();
    assert.ok(figures.statements.behind > behind);
    assert.ok(figures.behindBytes! > 0);
    assert.equal(figures.isUsed, false);
    const { text } = await world.visitor.get("/metrics", { authorization: "Bearer m" });
    assert.match(text, /\nrookery_replica_used 0\n/);
    assert.match(text, /\nrookery_replica_behind_bytes [1-9]/);
    assert.match(text, /\nrookery_replica_reads_total\{place="behind"\} [1-9]/);
    const lookup = async () => ["127.0.0.1"];
    const results = await examine({ app: world.app, databaseUrl: servers.url, lookup });
    const [finding] = results.filter(({ check }) => check === "replica");
    assert.equal(finding!.text, "doctor.replica.behind");
    assert.ok(Number(finding!.values["bytes"]) > 0);
  } finally {
    await servers.resume();
  }
  await until(null);
  assert.ok((await answered(async () => checkReads(await post(alice, "seen")))) > 0);
});

test("what is committed while somebody reads is in what they read next, and in what is cached of it", async () => {
  await until(null);
  const id = await post(alice, "before");
  await until(null);
  const reading = readingApp(world.app);
  assert.equal(await answered(async () => void (await reading.sql`SELECT 1`)), 1);
  await servers.pause();
  try {
    const json = { status: "after" };
    await alice.put(`/api/v1/statuses/${id}`, json);
    world.app.caches.clear();
    // The second time it comes from the cache.
    for (const app of [reading, world.app]) {
      const [view] = await loadAsServer(app, [id]);
      assert.match(wordsOf(view!.row), /after/);
    }
  } finally {
    await servers.resume();
  }
});

test("one that is gone costs nobody an answer, and is used again when it is back", async () => {
  await until(null);
  await servers.kill();
  await checkReads(await post(alice, "alone"));
  await until("away");
  await checkReads(await post(alice, "still alone"));
  await servers.start();
  await until(null);
  assert.ok((await answered(async () => checkReads(await post(alice, "together")))) > 0);
});

test("statements that write, transactions and what takes too long", async () => {
  await until(null);
  const { sql } = replica();
  const name = "replica.test";
  // It says SELECT, and writes.
  await sql`SELECT pg_notify('news', 'nothing')`;
  await sql`INSERT INTO tags (name, display_name) VALUES (${name}, ${name})`;
  await sql.begin((tx) => tx`UPDATE tags SET name = ${`${name}2`} WHERE name = ${name}`);
  const [row] = await sql<{ id: string }[]>`SELECT id FROM tags WHERE name = ${`${name}2`}`;
  assert.ok(row);
  await assert.rejects(async () => sql`SELECT 1 / ${0}::int`, /division by zero/);
  assert.equal(await within(sql, 30, (tx) => tx`SELECT pg_sleep(5)`), null);
  const place = async (of: Sql) =>
    (await within(of, 1000, (tx) => tx`SELECT pg_is_in_recovery() AS there`))![0]!["there"];
  assert.deepEqual([await place(sql), await place(world.app.sql)], [true, false]);
});

test("a database that is no replica, or that of another, is refused", async () => {
  const look = async (url: string, primary: Sql): Promise<Fault | null> => {
    const log = createLogger({ level: "silent", pretty: false });
    const replica = createReplica({ url, primary, log, max: 1, application: "x", isPooled: false });
    return replica.look().finally(() => replica.end());
  };
  assert.equal(await look(servers.url, world.app.sql), "writable");
  const other = connect(process.env["TEST_DATABASE_URL"] ?? servers.replicaUrl, {
    max: 1,
    application: "tests",
  });
  if (process.env["TEST_DATABASE_URL"])
    assert.equal(await look(servers.replicaUrl, other), "foreign");
  await other.end();
  await until(null);
  await servers.promote();
  await until("writable");
  await checkReads(await post(alice, "the last one"));
});

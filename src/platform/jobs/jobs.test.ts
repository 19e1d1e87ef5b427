// The job queue on a real PostgreSQL: jobs commit with their transaction, are retried, and are never lost.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { after, afterEach, before, test } from "node:test";
import { cloneDatabase, withDatabase } from "../../../test/database.ts";
import type { App } from "../app.ts";
import { readConfig } from "../config/config.ts";
import { connect } from "../db/index.ts";
import { Unavailable } from "../errors.ts";
import { FetchFailed } from "../fetch/errors.ts";
import type { Db, Sql } from "../db/index.ts";
import { createMeters } from "../metrics/index.ts";
import { createLogger } from "../log/index.ts";
import type { Crontab, JobName, JobOptions, JobRun, Lane } from "./index.ts";
import type { JobTable } from "./table.ts";
import { createJobs } from "./queue.ts";
import { holdLease } from "../workers/lease.ts";
import type { Lease } from "../workers/lease.ts";
import { runDueJobs, startWorker } from "./worker.ts";
import type { Worker } from "./worker.ts";

type Payloads = {
  "test.note": { text: string };
  "test.fail": { text: string };
  "test.slow": object;
  "test.renamed": object;
  "test.network": object;
  "test.chain": { left: number };
};

/** The types of the port and the table, for the job names above instead of the project's. */
type TestJobs = {
  add<N extends keyof Payloads>(
    db: Db,
    name: N,
    payload: Payloads[N],
    options?: JobOptions,
  ): Promise<void>;
  addMany<N extends keyof Payloads>(
    db: Db,
    name: N,
    jobs: ({ payload: Payloads[N] } & JobOptions)[],
  ): Promise<void>;
};
type TestTable = {
  [N in keyof Payloads]: {
    lane?: Lane;
    formerName?: string;
    run(app: App, payload: Payloads[N], job: JobRun): Promise<void>;
  };
};

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let sql: Sql;
let app: App;
let worker: Worker | null = null;
/** What the handlers did, in order. */
let done: string[] = [];
let runs: JobRun[] = [];
/** How often test.fail still fails. */
let failures = 0;
let fault: Error = new Error("not yet");
/** What slow jobs wait for. */
let gate = Promise.withResolvers<void>();
const lines: Record<string, any>[] = [];

const retries = (name: string): number => (name === "test.fail" ? 3 : 25);
const jobs = createJobs(retries as (name: JobName) => number) as unknown as TestJobs;

const testTable: TestTable = {
  "test.note": {
    run: async (_app, { text }, job) => {
      runs.push(job);
      done.push(text);
    },
  },
  "test.fail": {
    run: async (_app, { text }, job) => {
      runs.push(job);
      if (failures-- > 0) throw fault;
      done.push(text);
    },
  },
  "test.slow": {
    run: async () => {
      done.push("slow begins");
      await gate.promise;
      if (failures-- > 0) throw fault;
      done.push("slow ends");
    },
  },
  "test.renamed": {
    lane: "network",
    formerName: "test.old_name",
    run: async () => {
      done.push("renamed");
    },
  },
  "test.network": {
    lane: "network",
    run: async () => {
      await gate.promise;
      done.push("network");
    },
  },
  "test.chain": {
    run: async (_app, { left }) => {
      done.push(`chain ${left}`);
      if (left > 0) await jobs.add(sql, "test.chain", { left: left - 1 });
    },
  },
};
const table = testTable as unknown as JobTable;

before(async () => {
  database = await cloneDatabase();
  sql = connect(database.url, { max: 4, application: "tests" });
  const log = createLogger(
    { level: "debug", pretty: false },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  const config = readConfig({ JOB_CONCURRENCY: "2" });
  app = { config, sql, log, meters: createMeters(), tracing: null } as unknown as App;
});
after(async () => {
  await sql.end();
  await database.drop();
});
afterEach(async () => {
  gate.resolve();
  await worker?.stop();
  worker = null;
  gate = Promise.withResolvers();
  await sql`DELETE FROM graphile_worker._private_jobs`;
  done = [];
  runs = [];
  failures = 0;
  fault = new Error("not yet");
  lines.length = 0;
});

const runDue = () => runDueJobs(app, table, database.url);

const start = async (lease?: Lease): Promise<void> => {
  worker = await startWorker(app, table, database.url, lease && { lease });
};

const loseConnections = () =>
  sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
  `.catch(() => {});

const until = async (count: number, milliseconds = 10_000): Promise<void> => {
  const deadline = Date.now() + milliseconds;
  while (done.length < count && Date.now() < deadline) await sleep(10);
  assert.ok(done.length >= count, `only ${JSON.stringify(done.slice(0, 20))}`);
};

type Row = { task: string; attempts: number; max: number; priority: number; due: boolean };

const waiting = () => sql<Row[]>`
  SELECT task_identifier AS task, attempts::int, max_attempts::int AS max, priority::int,
         run_at <= now() AS due
  FROM graphile_worker.jobs ORDER BY id
`;

test("a job exists exactly when its transaction commits", async () => {
  await assert.rejects(
    sql.begin(async (tx) => {
      await jobs.add(tx, "test.note", { text: "never" });
      throw new Error("rolled back");
    }),
    /rolled back/,
  );
  assert.deepEqual([...(await waiting())], []);
  await sql.begin(async (tx) => {
    await jobs.add(tx, "test.note", { text: "once" });
    const seen = await waiting();
    assert.equal(seen.length, 0);
  });
  assert.equal((await waiting()).length, 1);
  await runDue();
  assert.deepEqual(done, ["once"]);
  assert.deepEqual([...(await waiting())], []);
});

test("payloads come back as they were", async () => {
  const texts = ["ü\u{1f426}\n\"'\\ $1 {} %s", "", "\u2028", "x".repeat(200_000)];
  for (const text of texts) await jobs.add(sql, "test.note", { text });
  await runDue();
  assert.deepEqual(done.toSorted(), texts.toSorted());
});

test("many at once, each with options of its own; none is fine", async () => {
  await jobs.addMany(sql, "test.note", []);
  assert.equal((await waiting()).length, 0);
  await jobs.addMany(
    sql,
    "test.note",
    Array.from({ length: 1000 }, (_, n) => ({ payload: { text: String(n) } })),
  );
  assert.equal((await waiting()).length, 1000);
  await runDue();
  assert.equal(new Set(done).size, 1000);
  await jobs.addMany(sql, "test.note", [
    { payload: { text: "a" }, maxAttempts: 2, priority: 5 },
    { payload: { text: "b" }, runAt: new Date(Date.now() + 60_000) },
  ]);
  assert.deepEqual(
    (await waiting()).map((row) => ({ ...row })),
    [
      { task: "test.note", attempts: 0, max: 2, priority: 5, due: true },
      { task: "test.note", attempts: 0, max: 25, priority: 0, due: false },
    ],
  );
});

test("each job has the attempts of its name, and the handler gets the attempt's number", async () => {
  await jobs.add(sql, "test.fail", { text: "ok" });
  await runDue();
  assert.deepEqual(runs, [{ attempts: 1, maxAttempts: 3 }]);
});

test("a job replaces a waiting one with the same key", async () => {
  const runAt = new Date(Date.now() + 60_000);
  await jobs.add(sql, "test.note", { text: "first" }, { key: "k", runAt });
  await jobs.add(sql, "test.note", { text: "other" }, { key: "other" });
  await jobs.add(sql, "test.note", { text: "second" }, { key: "k" });
  await runDue();
  assert.deepEqual(done.toSorted(), ["other", "second"]);
  await jobs.add(sql, "test.note", { text: "third" }, { key: "k" });
  await runDue();
  assert.equal(done.at(-1), "third");
});

test("of equal keys in one call the last counts", async () => {
  await jobs.addMany(sql, "test.note", [
    { payload: { text: "a1" }, key: "a" },
    { payload: { text: "b" }, key: "b" },
    { payload: { text: "none" } },
    { payload: { text: "none" } },
    { payload: { text: "a2" }, key: "a" },
  ]);
  await runDue();
  assert.deepEqual(done.toSorted(), ["a2", "b", "none", "none"]);
});

test("a job for later waits, also for a running worker", async () => {
  await jobs.add(sql, "test.note", { text: "later" }, { runAt: new Date(Date.now() + 1200) });
  await jobs.add(sql, "test.note", { text: "now" });
  await runDue();
  assert.deepEqual(done, ["now"]);
  await start();
  await until(2);
  assert.deepEqual(done, ["now", "later"]);
});

test("what is in the crontab is enqueued by a running worker, each under its key", async () => {
  const crontab = [
    { job: "test.note", match: "1 2 * * *", payload: { text: "a" }, key: "note:a" },
    { job: "test.note", match: "3 4 * * *", payload: { text: "b" }, key: "note:b" },
  ] as unknown as Crontab;
  worker = await startWorker(app, table, database.url, { crontab });
  const known = () => sql<{ identifier: string }[]>`
    SELECT identifier FROM graphile_worker._private_known_crontabs ORDER BY 1`;
  for (let tries = 0; tries < 500 && (await known()).length === 0; tries++) await sleep(10);
  assert.deepEqual(
    (await known()).map(({ identifier }) => identifier),
    ["note:a", "note:b"],
  );
});

test("lower priorities are fetched first", async () => {
  await jobs.addMany(
    sql,
    "test.note",
    Array.from({ length: 1200 }, () => ({ payload: { text: "low" }, priority: 5 })),
  );
  await jobs.add(sql, "test.note", { text: "high" }, { priority: -5 });
  await start();
  await until(1201);
  assert.ok(done.indexOf("high") < 600, `after ${done.indexOf("high")}`);
});

test("a job that fails is tried again later, is logged without its payload, and ends", async () => {
  failures = 2;
  await jobs.add(sql, "test.fail", { text: "s3cret" });
  await runDue();
  assert.deepEqual(done, []);
  const [row] = await waiting();
  assert.deepEqual({ ...row }, { task: "test.fail", attempts: 1, max: 3, priority: 0, due: false });
  const warning = lines.find((line) => line["level"] === 40)!;
  assert.match(warning["msg"], /test\.fail/);
  assert.match(warning["err"].stack, /not yet/);
  for (const _ of [2, 3]) {
    await sql`UPDATE graphile_worker._private_jobs SET run_at = now()`;
    await runDue();
  }
  assert.deepEqual(done, ["s3cret"]);
  assert.deepEqual(
    runs.map(({ attempts }) => attempts),
    [1, 2, 3],
  );
  assert.doesNotMatch(JSON.stringify(lines), /s3cret/);
  assert.equal((await waiting()).length, 0);
});

test("an unreachable server is one line in the log; a bug has its stack", async () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  for (fault of [new Unavailable("no answer"), new FetchFailed("timeout", "too slow"), refused]) {
    lines.length = 0;
    failures = 1;
    await jobs.add(sql, "test.fail", { text: "x" });
    await runDue();
    const warnings = lines.filter((line) => line["level"] >= 40);
    assert.equal(warnings.length, 1);
    const { attempt, why, msg } = warnings[0]!;
    assert.deepEqual([attempt, why], [1, fault.message]);
    assert.match(msg, /test\.fail failed for now/);
    assert.doesNotMatch(JSON.stringify(warnings), /stack|\.ts:/);
    assert.doesNotMatch(msg, /\n/);
    await sql`DELETE FROM graphile_worker._private_jobs`;
  }
  [fault, failures] = [new TypeError("oops"), 1];
  await jobs.add(sql, "test.fail", { text: "x" });
  await runDue();
  assert.match(lines.at(-1)!["err"].stack, /jobs\.test\.ts/);
});

test("a job that used up its attempts stays in the queue and is not run again", async () => {
  failures = 99;
  await jobs.add(sql, "test.fail", { text: "x" }, { maxAttempts: 1 });
  await runDue();
  await sql`UPDATE graphile_worker._private_jobs SET run_at = now()`;
  await runDue();
  assert.equal(runs.length, 1);
  assert.equal((await waiting()).length, 1);
});

test("a running worker tries again by itself", async () => {
  failures = 1;
  await start();
  await jobs.add(sql, "test.fail", { text: "at last" });
  await until(1);
  assert.deepEqual(
    runs.map(({ attempts }) => attempts),
    [1, 2],
  );
});

test("jobs that follow from jobs run too", async () => {
  await jobs.add(sql, "test.chain", { left: 3 });
  await runDue();
  assert.deepEqual(done, ["chain 3", "chain 2", "chain 1", "chain 0"]);
});

test("a job that was enqueued under the name that it had before runs, also by a running worker", async () => {
  const enqueue = () => sql`SELECT graphile_worker.add_job('test.old_name', '{}')`;
  await enqueue();
  await runDue();
  assert.deepEqual(done, ["renamed"]);
  await start();
  await enqueue();
  await until(2);
  await worker?.stop();
  worker = null;
  assert.equal((await waiting()).length, 0);
});

test("jobs that wait for other servers do not delay the others", async () => {
  await start();
  await jobs.addMany(
    sql,
    "test.network",
    Array.from({ length: 8 }, () => ({ payload: {} })),
  );
  await sleep(100); // the network lane is full now: 6 at a time
  await jobs.add(sql, "test.note", { text: "quick" });
  await until(1);
  assert.deepEqual(done, ["quick"]);
  gate.resolve();
  await until(9);
});

test("stop finishes the running jobs and leaves the others to the next start", async () => {
  await start();
  await jobs.addMany(sql, "test.slow", [{ payload: {} }, { payload: {} }]);
  await until(2);
  await jobs.addMany(
    sql,
    "test.note",
    Array.from({ length: 20 }, (_, n) => ({ payload: { text: `note ${n}` } })),
  );
  await sleep(100); // they may be in the local queue now, but no slot is free
  const stopped = worker!.stop();
  worker = null;
  await sleep(100);
  assert.deepEqual(done, ["slow begins", "slow begins"]);
  gate.resolve();
  await stopped;
  assert.deepEqual(done, ["slow begins", "slow begins", "slow ends", "slow ends"]);
  const [locked] = await sql`
    SELECT count(*)::int AS all, count(locked_by)::int AS locked FROM graphile_worker.jobs
  `;
  assert.deepEqual({ ...locked }, { all: 20, locked: 0 });
  await start();
  await until(24);
});

test("a job locked by a dead worker runs after the next start", async () => {
  await jobs.add(sql, "test.note", { text: "left behind" });
  await sql`
    UPDATE graphile_worker._private_jobs
    SET locked_by = 'worker-dead', locked_at = now(), attempts = 1
  `;
  await runDue();
  assert.deepEqual(done, []);
  await start();
  await until(1);
  assert.deepEqual(done, ["left behind"]);
  assert.deepEqual(runs, [{ attempts: 2, maxAttempts: 25 }]);
});

test("a worker whose connections are lost goes on when the database is back", async () => {
  await start();
  await jobs.add(sql, "test.note", { text: "before" });
  await until(1);
  // A job whose end is not stored when its connection is lost runs once more.
  for (let tries = 0; tries < 500 && (await waiting()).length > 0; tries++) await sleep(10);
  await loseConnections();
  await sleep(300);
  await jobs.add(sql, "test.note", { text: "after" });
  await jobs.add(sql, "test.network", {});
  gate.resolve();
  const all = ["after", "before", "network"];
  for (let tries = 0; tries < 2000 && !all.every((job) => done.includes(job)); tries++)
    await sleep(10);
  assert.deepEqual([...new Set(done)].toSorted(), all);
  assert.equal(done.filter((text) => text === "before").length, 1);
});

test("of several processes, one whose connections are lost takes up again what it had begun", async () => {
  const process = { id: randomUUID(), isAlone: false, takeovers: 0, isStopping: false };
  const one = { ...app, process } as unknown as App;
  const lease = await holdLease(one, { leaseMs: 60_000, renewMs: 50 });
  await start(lease);
  await jobs.add(sql, "test.slow", {});
  await until(1);
  // That the job failed cannot be stored, so that the worker ends and is started again.
  failures = 1;
  const [{ name }] = await sql<[{ name: string }]>`SELECT current_database() AS name`;
  const other = connect(withDatabase(database.url, "postgres"), { max: 1, application: "tests" });
  const allow = (isAllowed: boolean) =>
    other.unsafe(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isAllowed}`);
  await allow(false);
  await loseConnections();
  gate.resolve();
  const isGivenUp = () => lines.some(({ msg }) => (msg ?? "").startsWith("Failed to fail jobs"));
  for (let tries = 0; tries < 3000 && !isGivenUp(); tries++) await sleep(10);
  assert.ok(isGivenUp());
  await allow(true);
  await other.end();
  for (let tries = 0; tries < 1000 && (await waiting()).length > 0; tries++) await sleep(10);
  assert.equal((await waiting()).length, 0);
  assert.deepEqual(done, ["slow begins", "slow begins", "slow ends"]);
  await worker?.stop();
  worker = null;
  await lease.end();
});

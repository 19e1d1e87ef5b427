// What follows from events: in the process that wrote them, after a crash, and by jobs.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startTestApp } from "../../test/harness.ts";
import { eventually } from "../../test/journeys/eventually.ts";
import type { Person, TestApp } from "../../test/harness.ts";
import { eventTable } from "../events.ts";
import { runEventStep, startOutbox } from "../platform/outbox/worker.ts";
import { ALONE } from "../platform/workers/lease.ts";

let t: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp({ worker: false });
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
  // Each mail would be a job.
  const settings = { mails: { mention: false } } as never;
  await t.write`UPDATE users SET settings = ${settings} WHERE id = ${bob.userId}`;
  await bob.post(`/api/v1/accounts/${alice.accountId}/follow`);
  await t.runJobs();
});
after(() => t.close());

const post = async (status: string): Promise<string> =>
  (await alice.post("/api/v1/statuses", { status }).ok()).id;

const homeOf = async (who: Person): Promise<string[]> => {
  const answer = await who.get("/api/v1/timelines/home");
  return answer.json.map((status: { id: string }) => status.id);
};

const count = async (table: "outbox" | "graphile_worker._private_jobs") => {
  const [row] = await t.app.sql`SELECT count(*)::int AS n FROM ${t.app.sql(table)}`;
  return Number(row!["n"]);
};

const mentionsOfBob = async (statusId: string): Promise<number> => {
  const answer = await bob.get("/api/v1/notifications");
  return answer.json.filter(
    (notification: { status?: { id: string } }) => notification.status?.id === statusId,
  ).length;
};

const untilFinished = async (): Promise<void> => {
  await eventually("all events to be done", async () => (await count("outbox")) === 0);
};

test("posts come into the feeds and to those named, without a job", async () => {
  await homeOf(bob); // so that the feed is there, and fan-out is what fills it
  await homeOf(alice);
  const posted = await startOutbox(t.app, eventTable);
  try {
    const ids = await Promise.all([post("one"), post("two @bob"), post("three")]);
    assert.equal(await count("graphile_worker._private_jobs"), 0);
    await untilFinished();
    const [hers, his] = [await homeOf(alice), await homeOf(bob)];
    for (const id of ids) assert.ok(hers.includes(id) && his.includes(id));
    assert.equal(await mentionsOfBob(ids[1]!), 1);
  } finally {
    await posted.stop();
  }
});

test("what a dead process left is done at the next start, once", async () => {
  const posted = await startOutbox(t.app, eventTable);
  const id = await post("late @bob");
  await posted.stop();
  // As after kill -9: before any step, and after all of them but the last write.
  await t.app.sql`
    INSERT INTO outbox (type, payload, claimed_until)
    SELECT 'status.created', jsonb_build_object('id', id), now() + interval '1 minute'
    FROM unnest(${[id, "1"]}::text[]) AS t (id)
  `;
  const again = await startOutbox(t.app, eventTable);
  await untilFinished();
  await again.stop();
  assert.equal(await mentionsOfBob(id), 1);
  assert.equal((await homeOf(bob)).filter((other) => other === id).length, 1);
});

test("stopping finishes what is in progress", async () => {
  const posted = await startOutbox(t.app, eventTable);
  const id = await post("last words @bob");
  await posted.stop();
  assert.equal(await count("outbox"), 0);
  assert.equal(await mentionsOfBob(id), 1);
});

test("a step that fails becomes a job of its own", async () => {
  const { push } = t.app.feeds;
  const posted = await startOutbox(t.app, eventTable);
  t.app.feeds.push = () => Promise.reject(new Error("no memory"));
  const id = await post("unlucky @bob").finally(() => posted.stop());
  t.app.feeds.push = push;
  assert.equal(await count("outbox"), 0);
  assert.equal(await mentionsOfBob(id), 1);
  assert.equal(await count("graphile_worker._private_jobs"), 1);
  await t.runJobs();
  assert.ok((await homeOf(bob)).includes(id));
});

test("the jobs of steps that were enqueued before the steps were renamed are done", async () => {
  const created = eventTable["status.created"];
  const done: string[] = [];
  const record = async (name: string) => void done.push(name);
  const steps = Object.fromEntries(
    Object.keys(created.steps).map((name) => [name, () => record(name)]),
  );
  const run = runEventStep({ ...eventTable, "status.created": { ...created, steps } });
  const worker = await startOutbox(t.app, eventTable);
  const id = await post("named before").finally(() => worker.stop());
  for (const step of ["converse", "share", "thread", "tell", "index"]) {
    await run(t.app, { type: "status.created", step, payload: { id } });
  }
  assert.deepEqual(done, [
    "conversations",
    "shareInGroups",
    "announceInGroups",
    "webhooks",
    "index",
  ]);
});

/** A worker that counts what it does, and waits at each batch for `held`; `at`: its place among two. */
const counting = async (at: number, help: number, held?: Promise<void>) => {
  const done = { count: 0, batches: [] as number[], fresh: [] as boolean[] };
  const step = async ({ fresh }: { fresh: boolean }, subjects: unknown[]) => {
    done.fresh.push(fresh);
    done.count += subjects.length;
    done.batches.push(subjects.length);
    await held;
  };
  const flow = {
    key: () => "",
    load: async (_app: unknown, all: unknown[]) => all,
    steps: { step },
  };
  const table = { "status.created": flow } as unknown as typeof eventTable;
  const { attach } = t.app.outbox;
  t.app.outbox.attach = () => () => {};
  const pace = { gather: 2, settle: 2, poll: 600_000, help };
  const lease = { ...ALONE, share: () => ({ at, of: 2 }) };
  const worker = await startOutbox(t.app, table, pace, lease).finally(
    () => (t.app.outbox.attach = attach),
  );
  return { done, stop: () => worker.stop() };
};

test("of two workers the first takes what comes, the other what is left for a while", async () => {
  const [helper, first] = [await counting(1, 600), await counting(0, 600)];
  for (let n = 0; n < 5; n++) await post("for the first");
  await untilFinished();
  assert.deepEqual([first.done.count, helper.done.count], [5, 0]);
  await first.stop();
  for (let n = 0; n < 5; n++) await post("while the first does nothing");
  await untilFinished();
  assert.equal(helper.done.count, 5);
  await helper.stop();
});

test("events of other processes are worked with the caches once what they changed is dropped here", async () => {
  const answers = { hasReceived: false, caughtUp: true };
  const asked: string[][] = [];
  const sync = {
    hasReceived: (ids: string[]) => asked.push(ids) > 0 && answers.hasReceived,
    caughtUp: async () => answers.caughtUp,
    wrote: () => {},
  };
  Object.assign(t.app, { cacheSync: sync });
  const worker = await counting(0, 60_000);
  try {
    for (const [hasReceived, caughtUp] of [
      [true, true],
      [false, true],
      [true, false],
    ] as const) {
      Object.assign(answers, { hasReceived, caughtUp });
      await post("by another process");
      await untilFinished();
    }
  } finally {
    await worker.stop();
    Object.assign(t.app, { cacheSync: null });
  }
  assert.deepEqual(worker.done.fresh, [false, true, true]);
  assert.deepEqual(
    asked.map((ids) => ids.length),
    [1, 1, 1],
  );
});

test("what comes while a worker is at a batch is the next one", async () => {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  const worker = await counting(0, 60_000, held);
  await post("the first");
  await eventually("the first batch", () => worker.done.count > 0);
  for (let n = 0; n < 5; n++) await post("meanwhile");
  goOn();
  await untilFinished();
  await worker.stop();
  assert.deepEqual(worker.done.batches, [1, 5]);
});

test("what takes long goes on in its line, in order, while other batches are done", async () => {
  const [first, second, small] = [await post("long"), await post("longer"), await post("small")];
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  const done: string[] = [];
  const flow: (typeof eventTable)["status.created"] = {
    key: ({ id }) => id,
    load: async (_app, all) => all,
    steps: {
      async step(_app, subjects) {
        if (subjects.some(({ id }) => id === first)) await goesOn;
        done.push(...subjects.map(({ id }) => id));
      },
    },
    lines: {
      of: async (_app, subjects) => subjects.map(({ id }) => (id === small ? null : "a line")),
      payload: ({ id }) => ({ id }),
    },
  };
  const unclaimed = (ids: string[]) => t.app.sql`
    INSERT INTO outbox (type, payload)
    SELECT 'status.created', jsonb_build_object('id', id) FROM unnest(${ids}::text[]) AS t (id)
  `;
  await t.app.sql`DELETE FROM outbox`;
  await unclaimed([first]);
  const pace = { gather: 2, settle: 2, poll: 50, help: 0 };
  const worker = await startOutbox(t.app, { ...eventTable, "status.created": flow }, pace);
  await unclaimed([second, small]);
  for (let n = 0; n < 1200 && done.length === 0; n++) await sleep(10);
  assert.deepEqual(done, [small]);
  for (let n = 0; n < 400 && (await count("outbox")) > 2; n++) await sleep(10);
  assert.equal(await count("outbox"), 2, "their rows stay until they are done");
  goOn();
  await worker.stop();
  assert.deepEqual(done, [small, first, second]);
  assert.equal(await count("outbox"), 0);
});

test("without a worker in the process the worker of another one is woken", async () => {
  const id = await post("for another");
  assert.equal(await count("outbox"), 1);
  await t.runJobs();
  const { attach } = t.app.outbox;
  t.app.outbox.attach = () => () => {};
  const worker = await startOutbox(t.app, eventTable);
  t.app.outbox.attach = attach;
  const late = await post("a second one");
  await untilFinished();
  await worker.stop();
  const home = await homeOf(bob);
  assert.ok(home.includes(id) && home.includes(late));
});

// Mutes that end: by the clock for readers, by a job for caches and feeds; and muting again.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
/** null: the real time. */
let now: Date | null = null;

before(async () => {
  t = await startTestApp({
    clock: { now: () => now ?? new Date() },
  });
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});

after(() => t.close());

beforeEach(async () => {
  now = null;
  await alice.post(`/api/v1/accounts/${bob.accountId}/unmute`);
});

const mute = async (json: object) => {
  const path = `/api/v1/accounts/${bob.accountId}/mute`;
  const answer = await alice.post(path, json).ok();
  assertEntity("Relationship", answer);
  return answer;
};

const muted = async () => {
  const { json } = await alice.get("/api/v1/mutes");
  for (const account of json) assertEntity("MutedAccount", account);
  return json.map(
    (account: { id: string; mute_expires_at: string | null }) => account.mute_expires_at,
  );
};

const sees = async (id: string): Promise<boolean> => {
  const { json } = await alice.get("/api/v1/timelines/public");
  return json.some((account: { id: string }) => account.id === id);
};

const rows = async (): Promise<number> =>
  (await t.app.sql`SELECT 1 FROM mutes WHERE account_id = ${alice.accountId}`).length;

test("a mute says when it ends, and ends by the clock on every path", async () => {
  const { id } = (await bob.post("/api/v1/statuses", { status: "loud" })).json;
  assert.ok(await sees(id));
  await mute({ duration: 600 });
  const [end] = await muted();
  assert.ok(Math.abs(Date.parse(end) - Date.now() - 600_000) < 30_000);
  assert.equal(await sees(id), false);
  now = new Date(Date.now() + 601_000);
  assert.deepEqual(await muted(), []);
  assert.ok(await sees(id));
  assert.equal(await rows(), 1);
});

test("the job clears away what has ended, and leaves what goes on", async () => {
  await mute({ duration: 1 });
  await mute({ duration: 3600 });
  const expire = () =>
    t.app.jobs.add(t.app.sql, "mute.expired", {
      accountId: alice.accountId,
      targetId: bob.accountId,
    });
  await expire();
  await t.runJobs();
  assert.equal(await rows(), 1);
  now = new Date(Date.now() + 3601_000);
  await expire();
  await t.runJobs();
  assert.equal(await rows(), 0);
});

test("an ended mute that is renewed is new: it comes first in the list", async () => {
  const carol = await t.person("carol");
  const list = async () =>
    (await alice.get("/api/v1/mutes")).json.map((account: any) => account.id);
  await mute({ duration: 60 });
  await alice.post(`/api/v1/accounts/${carol.accountId}/mute`);
  await mute({ duration: 90 });
  assert.deepEqual(await list(), [carol.accountId, bob.accountId], "going on, in its place");
  now = new Date(Date.now() + 91_000);
  await mute({ duration: 60 });
  assert.deepEqual(await list(), [bob.accountId, carol.accountId]);
  await alice.post(`/api/v1/accounts/${carol.accountId}/unmute`);
});

test("the job is planned for the end, once for each mute", async () => {
  await t.runJobs();
  const planned = () => t.app.sql<{ run_at: Date }[]>`
    SELECT run_at FROM graphile_worker.jobs WHERE task_identifier = 'mute.expired'
  `;
  await t.app.sql`DELETE FROM graphile_worker._private_jobs`;
  await mute({});
  assert.equal((await planned()).length, 0);
  await mute({ duration: 60 });
  await mute({ duration: 7200 });
  const jobs = await planned();
  assert.equal(jobs.length, 1);
  assert.ok(jobs[0]!.run_at.getTime() > Date.now() + 7000_000);
});

test("muting again changes whether notifications are hidden, and the end", async () => {
  assert.equal((await mute({ duration: 60 })).muting_notifications, true);
  const again = await mute({ notifications: false });
  assert.deepEqual([again.muting, again.muting_notifications], [true, false]);
  assert.deepEqual(await muted(), [null]);
});

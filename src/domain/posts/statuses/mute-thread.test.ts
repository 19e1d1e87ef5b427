// Muting a conversation: its statuses are `muted`, and the person gets no more notifications of it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

let t: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});
after(() => t.close());

const post = async (who: Person, status: string, more = {}) =>
  (await who.post("/api/v1/statuses", { status, ...more })).json;

const notified = async (who: Person): Promise<string[]> =>
  (await who.get("/api/v1/notifications")).json.map(
    (notification: { type: string }) => notification.type,
  );

test("a muted thread notifies no more, and its statuses are muted", async () => {
  const root = await post(alice, "a thread");
  const reply = await post(bob, "@alice one", { in_reply_to_id: root.id });
  await t.runJobs();
  assert.deepEqual(await notified(alice), ["mention"]);
  assert.equal((await alice.get(`/api/v1/statuses/${root.id}`)).json.muted, false);

  const muted = await alice.post(`/api/v1/statuses/${root.id}/mute`).ok();
  assertEntity("Status", muted);
  assert.equal(muted.muted, true);
  assert.equal((await alice.get(`/api/v1/statuses/${reply.id}`)).json.muted, true);
  assert.equal((await bob.get(`/api/v1/statuses/${reply.id}`)).json.muted, false);
  await post(bob, "@alice two", { in_reply_to_id: reply.id });
  await bob.post(`/api/v1/statuses/${root.id}/favourite`);
  await bob.post(`/api/v1/statuses/${root.id}/reblog`);
  await t.runJobs();
  assert.deepEqual(await notified(alice), ["mention"]);
  await post(bob, "@alice another thread");
  await t.runJobs();
  assert.deepEqual(await notified(alice), ["mention", "mention"]);

  const unmuted = await alice.post(`/api/v1/statuses/${root.id}/unmute`);
  assert.equal(unmuted.json.muted, false);
  await post(bob, "@alice three", { in_reply_to_id: reply.id });
  await t.runJobs();
  assert.equal((await notified(alice)).length, 3);
});

test("muting twice, and unmuting what is not muted, is no error; what is hidden is a 404", async () => {
  const root = await post(alice, "again");
  for (const verb of ["mute", "mute", "unmute", "unmute"]) {
    await bob.post(`/api/v1/statuses/${root.id}/${verb}`).ok();
  }
  const hidden = await post(alice, "hidden", { visibility: "private" });
  assert.equal((await bob.post(`/api/v1/statuses/${hidden.id}/mute`)).status, 404);
  assert.equal((await t.visitor.post(`/api/v1/statuses/${root.id}/mute`)).status, 401);
});

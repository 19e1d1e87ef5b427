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

const ask = (who: Person, method: string, path: string, json?: unknown) =>
  t.request(method, path, { token: who.token, ...(json !== undefined && { json }) });

const post = async (who: Person, status: string, more = {}) =>
  (await ask(who, "POST", "/api/v1/statuses", { status, ...more })).json;

const notified = async (who: Person): Promise<string[]> =>
  (await ask(who, "GET", "/api/v1/notifications")).json.map(
    (notification: { type: string }) => notification.type,
  );

test("a muted thread notifies no more, and its statuses are muted", async () => {
  const root = await post(alice, "a thread");
  const reply = await post(bob, "@alice one", { in_reply_to_id: root.id });
  await t.runJobs();
  assert.deepEqual(await notified(alice), ["mention"]);
  assert.equal((await ask(alice, "GET", `/api/v1/statuses/${root.id}`)).json.muted, false);

  const muted = await ask(alice, "POST", `/api/v1/statuses/${root.id}/mute`);
  assert.equal(muted.status, 200);
  assertEntity("Status", muted.json);
  assert.equal(muted.json.muted, true);
  assert.equal((await ask(alice, "GET", `/api/v1/statuses/${reply.id}`)).json.muted, true);
  assert.equal((await ask(bob, "GET", `/api/v1/statuses/${reply.id}`)).json.muted, false);
  await post(bob, "@alice two", { in_reply_to_id: reply.id });
  await ask(bob, "POST", `/api/v1/statuses/${root.id}/favourite`);
  await ask(bob, "POST", `/api/v1/statuses/${root.id}/reblog`);
  await t.runJobs();
  assert.deepEqual(await notified(alice), ["mention"]);
  await post(bob, "@alice another thread");
  await t.runJobs();
  assert.deepEqual(await notified(alice), ["mention", "mention"]);

  const unmuted = await ask(alice, "POST", `/api/v1/statuses/${root.id}/unmute`);
  assert.equal(unmuted.json.muted, false);
  await post(bob, "@alice three", { in_reply_to_id: reply.id });
  await t.runJobs();
  assert.equal((await notified(alice)).length, 3);
});

test("muting twice, and unmuting what is not muted, is no error; what is hidden is a 404", async () => {
  const root = await post(alice, "again");
  for (const verb of ["mute", "mute", "unmute", "unmute"]) {
    assert.equal((await ask(bob, "POST", `/api/v1/statuses/${root.id}/${verb}`)).status, 200);
  }
  const hidden = await post(alice, "hidden", { visibility: "private" });
  assert.equal((await ask(bob, "POST", `/api/v1/statuses/${hidden.id}/mute`)).status, 404);
  assert.equal((await t.request("POST", `/api/v1/statuses/${root.id}/mute`)).status, 401);
});

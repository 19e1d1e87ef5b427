// The number of unread notifications.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
});
after(() => t.close());

const unread = async (query = ""): Promise<number> => {
  const answer = await alice.get(`/api/v1/notifications/unread_count${query}`).ok();
  assertEntity("CountResponse", answer);
  return answer.count;
};

const read = async (id: string): Promise<void> => {
  const json = { notifications: { last_read_id: id } };
  await alice.post("/api/v1/markers", json);
};

test("what is newer than the marker counts as unread, up to a limit", async () => {
  assert.equal(await unread(), 0);
  for (const by of [bob, carol, bob]) {
    await by.post("/api/v1/statuses", { status: "hello @alice" });
  }
  await bob.post(`/api/v1/accounts/${alice.accountId}/follow`);
  await t.runJobs();
  assert.equal(await unread(), 4);
  assert.equal(await unread("?limit=3"), 3);
  assert.equal(await unread("?limit=-2"), 2);
  assert.equal(await unread("?limit=0"), 0);
  assert.equal(await unread("?limit=5000"), 4);
  assert.equal(await unread("?types[]=follow"), 1);
  assert.equal(await unread("?exclude_types[]=follow"), 3);
  assert.equal(await unread(`?account_id=${carol.accountId}`), 1);
  assert.equal(await unread("?account_id=nobody"), 0);
  const list = (await alice.get("/api/v1/notifications")).json;
  await read(list[1].id);
  assert.equal(await unread(), 1);
  await read(list[0].id);
  assert.equal(await unread(), 0);
  await read("0");
  await alice.post(`/api/v1/accounts/${carol.accountId}/mute`);
  assert.equal(await unread(), 3, "as many as the list shows");
});

test("the count of groups that pages show is kept until something changes it", async () => {
  const dora = await t.person("dora");
  const groups = async (): Promise<number> =>
    (await dora.get("/api/v2/notifications/unread_count").ok()).count;
  const kept = async (expected: number, why: string): Promise<void> => {
    assert.equal(await groups(), expected, why);
    const { queries } = await t.countQueries(groups, { warm: true });
    assert.equal(queries, 0, why);
  };
  await kept(0, "nothing yet");
  for (const by of [bob, carol]) await by.post("/api/v1/statuses", { status: "hello @dora" });
  await t.runJobs();
  await kept(2, "two mentions");
  const [newest, older] = await dora.get("/api/v1/notifications").ok();
  await dora.post("/api/v1/markers", { notifications: { last_read_id: older.id } });
  await kept(1, "one is read");
  await dora.post("/api/v1/markers", { notifications: { last_read_id: "0" } });
  await dora.post(`/api/v1/accounts/${carol.accountId}/mute`);
  await t.runJobs();
  await kept(1, "somebody is muted");
  await dora.post(`/api/v1/accounts/${carol.accountId}/unmute`);
  await t.runJobs();
  await dora.post(`/api/v1/notifications/${newest.id}/dismiss`);
  await kept(1, "one is dismissed");
  await dora.post("/api/v1/notifications/clear");
  await kept(0, "all are cleared");
});

test("they want a token with the scope", async () => {
  const token = await t.token(alice.userId, ["read:statuses"]);
  for (const end of ["unread_count", "policy", "requests", "requests/merged", "requests/1"]) {
    const path = `/api/v1/notifications/${end}`;
    assert.equal((await t.visitor.get(path)).status, 401, path);
    assert.equal((await t.as(token).get(path)).status, 403, path);
  }
});

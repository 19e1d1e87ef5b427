// Conversations over real HTTP: one for each thread and set of people; read, unread, removed.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { emit } from "../../../platform/outbox/emit.ts";

type Json = Record<string, any>;

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
  // They are strangers, whose messages would wait (notifications/policy.test.ts).
  for (const { token } of [alice, bob, carol]) {
    const json = { for_private_mentions: "accept" };
    await t.as(token).patch("/api/v2/notifications/policy", json);
  }
});

after(() => t.close());

beforeEach(async () => {
  await t.write`TRUNCATE statuses, account_conversations, blocks, mutes CASCADE`;
});

const direct = async (by: Person, status: string, replyTo?: string): Promise<string> => {
  const json = { status, visibility: "direct", ...(replyTo && { in_reply_to_id: replyTo }) };
  return (await by.post("/api/v1/statuses", json).done()).id;
};

const list = async (by: Person, query = ""): Promise<Json[]> => {
  const json = await by.get(`/api/v1/conversations${query}`).ok();
  for (const conversation of json) assertEntity("Conversation", conversation);
  return json;
};

/** Last status, unread, names. */
const brief = (list: Json[]) =>
  list.map((conversation) => [
    conversation["last_status"]?.id,
    conversation["unread"],
    conversation["accounts"].map((account: Json) => account["username"]),
  ]);

test("a thread is one conversation for each participant, unread for recipients", async () => {
  const first = await direct(alice, "@bob hello");
  assert.deepEqual(brief(await list(alice)), [[first, false, ["bob"]]]);
  assert.deepEqual(brief(await list(bob)), [[first, true, ["alice"]]]);
  assert.deepEqual(await list(carol), []);
  const second = await direct(bob, "@alice hi", first);
  assert.deepEqual(brief(await list(alice)), [[second, true, ["bob"]]]);
  assert.deepEqual(brief(await list(bob)), [[second, false, ["alice"]]]);
});

test("other people in the thread, or another thread, are another conversation", async () => {
  const first = await direct(alice, "@bob hello");
  const wider = await direct(bob, "@alice @carol join us", first);
  const apart = await direct(alice, "@bob something else");
  assert.deepEqual(brief(await list(alice)), [
    [apart, false, ["bob"]],
    [wider, true, ["bob", "carol"]],
    [first, false, ["bob"]],
  ]);
  assert.deepEqual(brief(await list(carol)), [[wider, true, ["alice", "bob"]]]);
});

test("a post without recipients is a conversation with oneself; other visibilities are none", async () => {
  const note = await direct(alice, "a note to myself");
  await alice.post("/api/v1/statuses", { status: "@bob in public" });
  await alice.post("/api/v1/statuses", { status: "@bob", visibility: "private" });
  await t.runJobs();
  assert.deepEqual(brief(await list(alice)), [[note, false, ["alice"]]]);
  assert.deepEqual(await list(bob), []);
});

test("read, unread, removed; a new message brings it back", async () => {
  const first = await direct(alice, "@bob hello");
  const [{ id } = {}] = await list(bob);
  const mark = (verb: string) => bob.post(`/api/v1/conversations/${id}/${verb}`);
  const read = await mark("read");
  assertEntity("Conversation", read.json);
  assert.equal(read.json.unread, false);
  assert.equal((await list(bob))[0]!["unread"], false);
  assert.equal((await mark("unread")).json.unread, true);
  assert.deepEqual((await bob.delete(`/api/v1/conversations/${id}`)).json, {});
  assert.deepEqual(await list(bob), []);
  assert.equal((await list(alice)).length, 1);
  assert.equal((await mark("read")).status, 404);
  const second = await direct(alice, "@bob still there?", first);
  assert.deepEqual(brief(await list(bob)), [[second, true, ["alice"]]]);
});

test("a deleted status gives way to the one before; with the last one it all goes", async () => {
  const first = await direct(alice, "@bob one");
  const second = await direct(alice, "@bob two", first);
  await alice.delete(`/api/v1/statuses/${second}`);
  assert.deepEqual(brief(await list(bob)), [[first, true, ["alice"]]]);
  await alice.delete(`/api/v1/statuses/${first}`);
  assert.deepEqual(await list(bob), []);
  const [row] = await t.app.sql`SELECT count(*)::int AS count FROM account_conversations`;
  assert.equal(row!["count"], 0);
});

test("blocked and muted accounts start no conversation", async () => {
  await bob.post(`/api/v1/accounts/${alice.accountId}/block`);
  await carol.post(`/api/v1/accounts/${alice.accountId}/mute`);
  await direct(alice, "@bob @carol hello");
  assert.deepEqual(await list(bob), []);
  assert.deepEqual(await list(carol), []);
  assert.equal((await list(alice)).length, 1);
});

test("who is blocked or muted later has no conversation as long as they are", async () => {
  const first = await direct(alice, "@bob @carol hello");
  for (const [who, end] of [
    [bob, "block"],
    [carol, "mute"],
  ] as const) {
    const path = `/api/v1/accounts/${alice.accountId}`;
    await who.post(`${path}/${end}`).ok();
    assert.deepEqual(await list(who), [], end);
    await who.post(`${path}/un${end}`).ok();
    assert.equal((await list(who))[0]!["last_status"].id, first, end);
  }
  await carol.post(`/api/v1/accounts/${alice.accountId}/mute`, { notifications: false }).ok();
  assert.equal((await list(carol)).length, 1, "whose mentions are still wanted");
});

test("in a muted thread nothing is unread", async () => {
  const first = await direct(alice, "@bob hello");
  await bob.post(`/api/v1/statuses/${first}/mute`).ok();
  const second = await direct(alice, "@bob hello?", first);
  assert.deepEqual(brief(await list(bob)), [[second, false, ["alice"]]]);
});

test("the job again changes nothing", async () => {
  const id = await direct(alice, "@bob hello");
  const [{ id: conversation } = {}] = await list(bob);
  await bob.post(`/api/v1/conversations/${conversation}/read`);
  await emit(t.app, t.app.sql, "status.created", [{ id }]);
  await t.runJobs();
  assert.deepEqual(brief(await list(bob)), [[id, false, ["alice"]]]);
});

test("pages by the last status, with links, in a fixed number of queries", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.unshift(await direct(alice, `@bob thread ${n}`));
  const first = await bob.get("/api/v1/conversations?limit=2");
  assert.deepEqual(
    first.json.map((conversation: Json) => conversation["last_status"].id),
    ids.slice(0, 2),
  );
  const link = first.headers.get("link")!;
  assert.match(link, new RegExp(`limit=2&max_id=${ids[1]}>; rel="next"`));
  assert.match(link, new RegExp(`min_id=${ids[0]}>; rel="prev"`));
  const next = await list(bob, `?limit=2&max_id=${ids[1]}`);
  assert.deepEqual(
    next.map((conversation) => conversation["last_status"].id),
    ids.slice(2, 4),
  );
  const up = await list(bob, `?limit=2&min_id=${ids[4]}`);
  assert.deepEqual(
    up.map((conversation) => conversation["last_status"].id),
    ids.slice(2, 4),
  );
  const count = async (limit: number) =>
    (await t.countQueries(() => list(bob, `?limit=${limit}`))).queries;
  assert.equal(await count(1), await count(5));
});

test("only one's own, with a person's token of the right scope", async () => {
  await direct(alice, "@bob hello");
  const [{ id } = {}] = await list(alice);
  for (const [method, path] of [
    ["POST", `/api/v1/conversations/${id}/read`],
    ["POST", `/api/v1/conversations/${id}/unread`],
    ["DELETE", `/api/v1/conversations/${id}`],
  ] as const) {
    assert.equal((await bob.send(method, path)).status, 404, path);
    assert.equal((await t.visitor.send(method, path)).status, 401);
    const reader = await t.token(alice.userId, ["read"]);
    assert.equal((await t.as(reader).send(method, path)).status, 403);
  }
  assert.equal((await t.visitor.get("/api/v1/conversations")).status, 401);
  const writer = await t.token(alice.userId, ["write"]);
  assert.equal((await t.as(writer).get("/api/v1/conversations")).status, 403);
  assert.equal((await list(alice)).length, 1);
});

// Threads that are posted as one: all of their posts or none, each a reply to the one before, once for a key;
// scheduled, counted, judged by every rule for posts.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer } from "../../../../test/fake-peer.ts";
import { formOf, picture } from "../../../../test/files.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

type Json = Record<string, any>;

const PATH = "/api/v1/statuses/thread";
const HOUR = 3600_000;

let t: TestApp;
let peer: FakePeer;
let alice: Person;
let bob: Person;
let mod: Person;
let now = new Date();

before(async () => {
  t = await startTestApp({ clock: { now: () => now }, env: { RATE_LIMITS: "true" } });
  peer = await startPeer("127.0.0.1");
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
  const scopes = ["read", "write", "admin:read", "admin:write"];
  mod = await t.person("mod", { role: "Owner", scopes });
});
after(async () => {
  await peer?.close();
  await t?.close();
});

const thread = (statuses: Json[], more: Json = {}, headers = {}) =>
  alice.post(PATH, { statuses, ...more }, headers);

const posted = (statuses: Json[]): Promise<Json[]> => thread(statuses).ok();

const texts = (...all: string[]): Json[] => all.map((status) => ({ status }));

const count = async (): Promise<number> => (await t.app.sql`SELECT FROM statuses`).length;

const upload = async (): Promise<string> => {
  const multipart = formOf(await picture("png"), {});
  const { json } = await alice.post("/api/v2/media", multipart);
  await t.runJobs();
  return json.id;
};

test("each answers the one before, in one conversation, in their order", async () => {
  const remote = peer.actor("remote");
  await remote.deliver(t, {
    id: `${remote.uri}/follow`,
    type: "Follow",
    object: `${t.url}/users/alice`,
  });
  const posts = await posted([
    { status: "one @bob", visibility: "unlisted" },
    { status: "two", poll: { options: ["a", "b"], expires_in: 600 } },
    { status: "three", spoiler_text: "long", language: "de" },
  ]);
  for (const post of posts) assertEntity("Status", post);
  const ids = posts.map(({ id }) => id);
  assert.deepEqual(
    posts.map((post) => post["in_reply_to_id"]),
    [null, ids[0], ids[1]],
  );
  assert.ok(
    posts.every(({ visibility }) => visibility === "unlisted"),
    "as the one before",
  );
  assert.ok(BigInt(ids[0]) < BigInt(ids[1]) && BigInt(ids[1]) < BigInt(ids[2]));
  await t.runJobs();
  const { descendants } = await bob.get(`/api/v1/statuses/${ids[0]}/context`).ok();
  assert.deepEqual(
    descendants.map(({ id }: Json) => id),
    ids.slice(1),
  );
  assert.equal((await alice.get(`/api/v1/statuses/${ids[0]}`).ok()).replies_count, 1);
  const [notified] = await bob.get("/api/v1/notifications").ok();
  assert.equal(notified.status.id, ids[0]);
  const sent = (peer.inbox() as Json[]).filter(({ type }) => type === "Create");
  assert.deepEqual(
    sent.map(({ object }) => object.inReplyTo),
    [null, posts[0]!["uri"], posts[1]!["uri"]],
  );
  assert.equal(new Set(sent.map(({ object }) => object.conversation)).size, 1);
});

test("the first may answer a post, and only that one", async () => {
  const other = await bob.post("/api/v1/statuses", { status: "hm", visibility: "local" }).ok();
  const posts = await posted([{ status: "one", in_reply_to_id: other.id }, { status: "two" }]);
  assert.deepEqual(
    posts.map((post) => [post["in_reply_to_id"], post["local_only"]]),
    [
      [other.id, true],
      [posts[0]!["id"], true],
    ],
  );
  const refused = await thread([{ status: "one" }, { status: "two", in_reply_to_id: other.id }]);
  assert.equal(refused.status, 422);
});

test("for a circle it is for the same people from its first post to its last", async () => {
  const stranger = await t.person("stranger");
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
  const list = await alice.post("/api/v1/lists", { title: "close" }).ok();
  await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] }).ok();
  const first = { status: "among us", visibility: "circle", list_ids: [list.id] };
  for (const post of await posted([first, { status: "more" }])) {
    assert.equal(post["circle"], true);
    const states = [alice, bob, stranger].map(
      async (who) => (await who.get(`/api/v1/statuses/${post["id"]}`)).status,
    );
    assert.deepEqual(await Promise.all(states), [200, 200, 404]);
  }
  const wider = await posted([first, { status: "and you", visibility: "public" }]);
  assert.ok(wider.every((post) => post["circle"]));
  const listed = await thread([first, { status: "more", list_ids: [list.id] }]);
  assert.equal(listed.status, 422);
});

test("all or none: whatever is refused, nothing is posted", async () => {
  const media = await upload();
  const before = await count();
  const refused: [Json, number, index?: number][] = [
    [{ statuses: [] }, 422],
    [{}, 422],
    [{ statuses: texts("one", "") }, 422, 1],
    [{ statuses: texts("x".repeat(10_000), "two") }, 422, 0],
    [{ statuses: [{ status: "one" }, { status: "two", quoted_status_id: "1" }] }, 404, 1],
    [{ statuses: [{ status: "one" }, { status: "two", media_ids: ["1"] }] }, 422, 1],
    [{ statuses: [{ media_ids: [media] }, { media_ids: [media] }] }, 422, 1],
    [{ statuses: [{ status: "one" }, { status: "two", expires_in: 1 }] }, 422, 1],
    [{ statuses: Array.from({ length: 21 }, (_, n) => ({ status: `${n}` })) }, 422],
  ];
  for (const [json, status, index] of refused) {
    const answer = await alice.post(PATH, json);
    const found = [answer.status, answer.json.index];
    assert.deepEqual(found, [status, index], JSON.stringify(json).slice(0, 80));
  }
  const { json: unknown } = await alice.post(PATH, {
    statuses: [{ status: "one" }, { status: "two", visibility: "nobody" }],
  });
  const [[name, [fault]]] = Object.entries<any>(unknown.details) as [[string, any[]]];
  assert.deepEqual([name, fault.error], ["statuses[1][visibility]", "ERR_INCLUSION"]);
  assert.match(fault.description, /^is not included in the list \(public, unlisted, .*direct\)$/);
  assert.equal(await count(), before);
  const reader = await t.token(alice.userId, ["read"]);
  const json = { statuses: texts("one") };
  assert.equal((await t.as(reader).post(PATH, json)).status, 403);
  assert.equal((await t.visitor.post(PATH, json)).status, 401);
});

test("the same Idempotency-Key is the same thread, also at the same moment and with files", async () => {
  const statuses = [{ status: "one", media_ids: [await upload()] }, { status: "two" }];
  const key = { "idempotency-key": "thread" };
  const both = await Promise.all([thread(statuses, {}, key), thread(statuses, {}, key)]);
  const again = await thread(statuses, {}, key);
  const ids = again.json.map(({ id }: Json) => id);
  assert.equal(ids.length, 2);
  for (const answer of both.filter(({ status }) => status === 200))
    assert.deepEqual(
      answer.json.map(({ id }: Json) => id),
      ids,
    );
  assert.ok(both.some(({ status }) => status === 200));
});

test("a post of it that a rule against spam stops holds all of it back, for moderators to see", async () => {
  const conditions = { words: ["casino"] };
  const { id } = await mod
    .post("/api/v1/admin/spam_rules", {
      name: "casino",
      conditions,
      actions: ["hold"],
    })
    .ok();
  await mod.post(`/api/v1/admin/spam_rules/${id}/dry_run`).ok();
  await mod.post(`/api/v1/admin/spam_rules/${id}/enable`).ok();
  const before = await count();
  const answer = await thread(texts("one", "come to my casino", "three"));
  assert.equal(answer.status, 422);
  assert.match(answer.json.error, /moderator/);
  assert.equal(await count(), before);
  const matches = await t.app.sql<{ state: string }[]>`SELECT state FROM spam_matches`;
  assert.deepEqual(
    matches.map(({ state }) => state),
    ["held"],
  );
  await mod.delete(`/api/v1/admin/spam_rules/${id}`).ok();
});

test("it is scheduled as one, with its files, counted as its posts, and posted as one", async () => {
  const [first, second] = [await upload(), await upload()];
  const scheduled_at = new Date(now.getTime() + HOUR).toISOString();
  const statuses = [
    { status: "one", media_ids: [first] },
    { status: "two", media_ids: [second] },
  ];
  const answer = await thread(statuses, { scheduled_at });
  assertEntity("ScheduledStatus", answer.json);
  const { id, params, media_attachments } = answer.json;
  assert.deepEqual([params.text, params.thread], ["one", [statuses[1]]]);
  assert.deepEqual(
    media_attachments.map((media: Json) => media["id"]).toSorted(),
    [first, second].toSorted(),
  );
  const many = Array.from({ length: 20 }, (_, n) => ({ status: `${n}` }));
  await thread(many, { scheduled_at }).ok();
  assert.equal((await thread(many, { scheduled_at })).status, 422, "22 of 25 for that day");
  now = new Date(now.getTime() + HOUR);
  await t.app.jobs.add(t.app.sql, "status.scheduled", { id });
  await t.runJobs();
  const [two, one] = await alice.get(`/api/v1/accounts/${alice.accountId}/statuses`).ok();
  assert.deepEqual([two.in_reply_to_id, two.content], [one.id, "<p>two</p>"]);
  assert.deepEqual([one.media_attachments[0].id, two.media_attachments[0].id], [first, second]);
  assert.equal((await alice.get(`/api/v1/scheduled_statuses/${id}`)).status, 404);
});

test("what is refused at its time leaves the whole thread where it was", async () => {
  const other = await bob.post("/api/v1/statuses", { status: "soon gone" }).ok();
  const scheduled_at = new Date(now.getTime() + 30 * HOUR).toISOString();
  const statuses = [{ status: "one" }, { status: "two", quoted_status_id: other.id }];
  const { id } = (await thread(statuses, { scheduled_at })).json;
  await bob.delete(`/api/v1/statuses/${other.id}`).ok();
  now = new Date(now.getTime() + 30 * HOUR);
  const before = await count();
  await t.app.jobs.add(t.app.sql, "status.scheduled", { id });
  await t.runJobs();
  assert.equal(await count(), before);
  await alice.get(`/api/v1/scheduled_statuses/${id}`).ok();
});

test("it counts as its posts against the limit of posts", async () => {
  const fresh = await t.person("fresh");
  const remaining = async () => {
    const answer = await fresh.post(PATH, { statuses: texts("a", "b", "c", "d") });
    return Number(answer.headers.get("x-ratelimit-remaining"));
  };
  assert.equal((await remaining()) - (await remaining()), 4);
});

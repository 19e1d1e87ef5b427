// Threads that are posted as one: all of their posts or none, each answering the one before, once for a key; scheduled,
// counted, judged by every rule for posts.

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

const send = (by: Person, method: string, path: string, json?: unknown, headers = {}) =>
  t.request(method, path, { token: by.token, headers, ...(json ? { json } : {}) });

const call = async (by: Person, method: string, path: string, json?: unknown): Promise<any> => {
  const answer = await send(by, method, path, json);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

const thread = (statuses: Json[], more: Json = {}, headers = {}) =>
  send(alice, "POST", PATH, { statuses, ...more }, headers);

const posted = async (statuses: Json[]): Promise<Json[]> => {
  const answer = await thread(statuses);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

const texts = (...all: string[]): Json[] => all.map((status) => ({ status }));

const count = async (): Promise<number> => (await t.app.sql`SELECT FROM statuses`).length;

const upload = async (): Promise<string> => {
  const multipart = formOf(await picture("png"), {});
  const { json } = await t.request("POST", "/api/v2/media", { token: alice.token, multipart });
  await t.runJobs();
  return json.id;
};

test("each answers the one before, in one conversation, in their order", async () => {
  const remote = peer.actor("remote");
  await peer.post(`${t.url}/inbox`, remote, {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: `${remote.uri}/follow`,
    type: "Follow",
    actor: remote.uri,
    object: `${t.url}/users/alice`,
  });
  await t.runJobs();
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
  const { descendants } = await call(bob, "GET", `/api/v1/statuses/${ids[0]}/context`);
  assert.deepEqual(
    descendants.map(({ id }: Json) => id),
    ids.slice(1),
  );
  assert.equal((await call(alice, "GET", `/api/v1/statuses/${ids[0]}`)).replies_count, 1);
  const [notified] = await call(bob, "GET", "/api/v1/notifications");
  assert.equal(notified.status.id, ids[0]);
  const sent = (peer.inbox() as Json[]).filter(({ type }) => type === "Create");
  assert.deepEqual(
    sent.map(({ object }) => object.inReplyTo),
    [null, posts[0]!["uri"], posts[1]!["uri"]],
  );
  assert.equal(new Set(sent.map(({ object }) => object.conversation)).size, 1);
});

test("the first may answer a post, and only that one", async () => {
  const other = await call(bob, "POST", "/api/v1/statuses", { status: "hm", visibility: "local" });
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
  await call(alice, "POST", `/api/v1/accounts/${bob.accountId}/follow`);
  const list = await call(alice, "POST", "/api/v1/lists", { title: "close" });
  await call(alice, "POST", `/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] });
  const first = { status: "among us", visibility: "circle", list_ids: [list.id] };
  for (const post of await posted([first, { status: "more" }])) {
    assert.equal(post["circle"], true);
    const states = [alice, bob, stranger].map(
      async (who) => (await send(who, "GET", `/api/v1/statuses/${post["id"]}`)).status,
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
  const refused: [Json, number][] = [
    [{ statuses: [] }, 422],
    [{}, 422],
    [{ statuses: texts("one", "") }, 422],
    [{ statuses: texts("one", "x".repeat(10_000)) }, 422],
    [{ statuses: [{ status: "one" }, { status: "two", quoted_status_id: "1" }] }, 404],
    [{ statuses: [{ status: "one" }, { status: "two", media_ids: ["1"] }] }, 422],
    [{ statuses: [{ media_ids: [media] }, { media_ids: [media] }] }, 422],
    [{ statuses: [{ status: "one" }, { status: "two", expires_in: 1 }] }, 422],
    [{ statuses: Array.from({ length: 21 }, (_, n) => ({ status: `${n}` })) }, 422],
  ];
  for (const [json, status] of refused) {
    const answer = await send(alice, "POST", PATH, json);
    assert.equal(answer.status, status, JSON.stringify(json).slice(0, 80));
  }
  assert.equal(await count(), before);
  const reader = await t.token(alice.userId, ["read"]);
  const json = { statuses: texts("one") };
  assert.equal((await t.request("POST", PATH, { token: reader, json })).status, 403);
  assert.equal((await t.request("POST", PATH, { json })).status, 401);
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
  const { id } = await call(mod, "POST", "/api/v1/admin/spam_rules", {
    name: "casino",
    conditions,
    actions: ["hold"],
  });
  await call(mod, "POST", `/api/v1/admin/spam_rules/${id}/dry_run`);
  await call(mod, "POST", `/api/v1/admin/spam_rules/${id}/enable`);
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
  await call(mod, "DELETE", `/api/v1/admin/spam_rules/${id}`);
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
  assert.equal((await thread(many, { scheduled_at })).status, 200);
  assert.equal((await thread(many, { scheduled_at })).status, 422, "22 of 25 for that day");
  now = new Date(now.getTime() + HOUR);
  await t.app.jobs.add(t.app.sql, "status.scheduled", { id });
  await t.runJobs();
  const [two, one] = await call(alice, "GET", `/api/v1/accounts/${alice.accountId}/statuses`);
  assert.deepEqual([two.in_reply_to_id, two.content], [one.id, "<p>two</p>"]);
  assert.deepEqual([one.media_attachments[0].id, two.media_attachments[0].id], [first, second]);
  assert.equal((await send(alice, "GET", `/api/v1/scheduled_statuses/${id}`)).status, 404);
});

test("what is refused at its time leaves the whole thread where it was", async () => {
  const other = await call(bob, "POST", "/api/v1/statuses", { status: "soon gone" });
  const scheduled_at = new Date(now.getTime() + 30 * HOUR).toISOString();
  const statuses = [{ status: "one" }, { status: "two", quoted_status_id: other.id }];
  const { id } = (await thread(statuses, { scheduled_at })).json;
  await call(bob, "DELETE", `/api/v1/statuses/${other.id}`);
  now = new Date(now.getTime() + 30 * HOUR);
  const before = await count();
  await t.app.jobs.add(t.app.sql, "status.scheduled", { id });
  await t.runJobs();
  assert.equal(await count(), before);
  assert.equal((await send(alice, "GET", `/api/v1/scheduled_statuses/${id}`)).status, 200);
});

test("it counts as its posts against the limit of posts", async () => {
  const fresh = await t.person("fresh");
  const remaining = async () => {
    const answer = await send(fresh, "POST", PATH, { statuses: texts("a", "b", "c", "d") });
    return Number(answer.headers.get("x-ratelimit-remaining"));
  };
  assert.equal((await remaining()) - (await remaining()), 4);
});

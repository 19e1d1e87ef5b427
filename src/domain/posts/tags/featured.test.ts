// Featured tags: by their owner, and as they are exchanged with other servers.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { oneDayClock } from "../../../../test/clocks/one-day.ts";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../../test/fake-peer.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { MAX_FEATURED_TAGS } from "./rules.ts";

let t: TestApp;
let peer: FakePeer;
let stranger: PeerActor;
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp({ clock: oneDayClock() });
  peer = await startPeer();
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
  stranger = peer.actor("stranger", 0);
  stranger.document["featured"] = `${stranger.uri}/featured`;
  stranger.document["featuredTags"] = `${stranger.uri}/tags`;
});
after(async () => {
  await peer.close();
  await t.close();
});

const post = async (status: string, by = alice, more: object = {}): Promise<string> =>
  (await by.post("/api/v1/statuses", { status, ...more })).json.id;

const feature = (name: unknown, by = alice) => by.post("/api/v1/featured_tags", { name });
const featured = async (by = alice) => (await by.get("/api/v1/featured_tags")).json;

const clear = async () => {
  for (const { id } of await featured()) await alice.delete(`/api/v1/featured_tags/${id}`);
};

test("a featured tag shows how often and when it was last used in public", async () => {
  const first = await post("#Dogs");
  await post("#dogs", alice, { visibility: "unlisted" });
  await post("#dogs", alice, { visibility: "private" });
  await post("#dogs", bob);
  const answer = await feature("#Dogs").ok();
  assertEntity("FeaturedTag", answer);
  const today = t.app.clock.now().toISOString().slice(0, 10);
  const { id, ...rest } = answer;
  assert.deepEqual(rest, {
    name: "Dogs",
    url: `${t.url}/@alice/tagged/dogs`,
    statuses_count: "2",
    last_status_at: today,
  });
  assert.deepEqual(await featured(), [answer]);
  const shown = await t.visitor.get(`/api/v1/accounts/${alice.accountId}/featured_tags`);
  assert.deepEqual(shown.json, [answer]);
  await alice.delete(`/api/v1/statuses/${first}`);
  assert.equal((await featured())[0].statuses_count, "1");
  const edited = await post("no tag");
  await alice.put(`/api/v1/statuses/${edited}`, { status: "#dogs now" });
  assert.equal((await featured())[0].statuses_count, "2");
  assert.deepEqual((await alice.delete(`/api/v1/featured_tags/${id}`)).json, {});
  assert.equal((await alice.delete(`/api/v1/featured_tags/${id}`)).status, 404);
  const unused = await feature("unused");
  assert.deepEqual([unused.json.statuses_count, unused.json.last_status_at], ["0", null]);
});

test("bad names, repeats and the eleventh are refused; another's is missing", async () => {
  await clear();
  for (const name of [undefined, "", "  ", null]) assert.equal((await feature(name)).status, 400);
  for (const name of [
    "!!",
    "a b",
    "123",
    "x".repeat(300),
    "a\0b",
    ["a"],
    { a: 1 },
    "x".repeat(1e5),
  ]) {
    assert.equal((await feature(name)).status, 422, String(name).slice(0, 20));
  }
  const { id } = (await feature("tag0")).json;
  assert.match((await feature("TAG0")).json.error, /already been taken/);
  for (let i = 1; i < MAX_FEATURED_TAGS; i++) assert.equal((await feature(`tag${i}`)).status, 200);
  const over = await feature("eleven");
  assert.deepEqual([over.status, /maximum/.test(over.json.error)], [422, true]);
  assert.equal((await alice.post("/api/v1/tags/eleven/feature")).status, 422);
  assert.equal((await featured()).length, MAX_FEATURED_TAGS);
  const { configuration } = (await t.visitor.get("/api/v2/instance")).json;
  assert.equal(configuration.accounts.max_featured_tags, MAX_FEATURED_TAGS);
  assert.equal((await bob.delete(`/api/v1/featured_tags/${id}`)).status, 404);
  assert.equal((await alice.delete("/api/v1/featured_tags/x")).status, 404);
});

test("the same by the tag's own routes, twice is once", async () => {
  await clear();
  for (let i = 0; i < 2; i++) {
    const { json } = await alice.post("/api/v1/tags/Birds/feature");
    assertEntity("Tag", json);
    assert.equal(json.featuring, true);
  }
  assert.deepEqual(
    (await featured()).map((tag: any) => tag.name),
    ["Birds"],
  );
  for (let i = 0; i < 2; i++) {
    assert.equal((await alice.post("/api/v1/tags/birds/unfeature")).json.featuring, false);
  }
  assert.deepEqual(await featured(), []);
});

test("suggestions are the tags that one uses most and does not show", async () => {
  const carol = await t.person("carol");
  for (const text of ["#often #seldom", "#often #shown", "#often", "#shown", "#shown", "#shown"]) {
    await post(text, carol);
  }
  await post("#secret", carol, { visibility: "private" });
  await post("#foreign #foreign2", bob);
  await feature("shown", carol);
  const { json } = await carol.get("/api/v1/featured_tags/suggestions");
  for (const tag of json) assertEntity("Tag", tag);
  assert.deepEqual(
    json.map((tag: any) => tag.name),
    ["often", "seldom"],
  );
});

test("featured tags want a person with a scope; suspended accounts show none", async () => {
  const paths = ["/api/v1/featured_tags", "/api/v1/featured_tags/suggestions"];
  for (const path of paths) assert.equal((await t.visitor.get(path)).status, 401);
  const token = await t.token(alice.userId, ["read"]);
  const json = { name: "x" };
  assert.equal((await t.as(token).post(paths[0]!, json)).status, 403);
  const dora = await t.person("dora");
  await feature("hidden", dora);
  const path = `/api/v1/accounts/${dora.accountId}/featured_tags`;
  assert.equal((await alice.get(path)).json.length, 1);
  await t.write`UPDATE accounts SET suspended_at = now() WHERE id = ${dora.accountId}`;
  assert.deepEqual((await alice.get(path)).json, []);
  assert.equal((await alice.get("/api/v1/accounts/1/featured_tags")).status, 404);
});

const deliver = (activity: Record<string, unknown>) =>
  stranger.deliver(t, { id: `${stranger.uri}#${Math.random()}`, ...activity });

const strangerId = async (): Promise<string> => {
  const [row] = await t.app.sql<
    { id: string }[]
  >`SELECT id FROM accounts WHERE uri = ${stranger.uri}`;
  return row!.id;
};

test("remote followers get activities, and the actor's collection has the tags", async () => {
  await clear();
  await deliver({ type: "Follow", object: `${t.url}/users/alice` });
  await feature("Trees");
  await t.runJobs();
  const [{ id }] = await featured();
  const headers = { accept: "application/activity+json" };
  const path = "/users/alice/collections/tags";
  const document = (await t.visitor.get(path, headers)).json;
  const tag = { type: "Hashtag", href: `${t.url}/@alice/tagged/trees`, name: "#Trees" };
  assert.equal(document.id, `${t.url}${path}`);
  assert.deepEqual([document.type, document.totalItems, document.items], ["Collection", 1, [tag]]);
  await alice.delete(`/api/v1/featured_tags/${id}`);
  await t.runJobs();
  const sent = peer.inbox().filter(({ type }) => type === "Add" || type === "Remove");
  const target = `${t.url}/users/alice/collections/featured`;
  assert.deepEqual(
    sent.map(({ type, target: of, object }) => [type, of, object]),
    [
      ["Add", target, tag],
      ["Remove", target, tag],
    ],
  );
});

test("what others add and remove is shown, from their own collections alone", async () => {
  const path = `/api/v1/accounts/${await strangerId()}/featured_tags`;
  const names = async () => (await alice.get(path)).json.map((tag: any) => tag.name);
  const hashtag = (name: string) => ({ type: "Hashtag", name, href: `${stranger.uri}/t` });
  await deliver({ type: "Add", target: `${stranger.uri}/featured`, object: hashtag("#Sea") });
  await deliver({ type: "Add", target: `${stranger.uri}/tags`, object: hashtag("#Sky") });
  await deliver({
    type: "Add",
    target: `${t.url}/users/alice/collections/featured`,
    object: hashtag("#no"),
  });
  await deliver({ type: "Add", target: `${stranger.uri}/featured`, object: hashtag("#not a tag") });
  assert.deepEqual(await names(), ["Sea", "Sky"]);
  for (const tag of (await alice.get(path)).json) assertEntity("FeaturedTag", tag);
  await deliver({ type: "Remove", target: `${stranger.uri}/featured`, object: hashtag("#sea") });
  assert.deepEqual(await names(), ["Sky"]);
});

test("their collection is read when somebody looks, once a day", async () => {
  const page = `${new URL(stranger.uri).pathname}/tags`;
  const items = ["#Sun", "Moon", "#sun", "no tag"].map((name) => ({ type: "Hashtag", name }));
  peer.documents.set(page, {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: `${stranger.uri}/tags`,
    type: "Collection",
    items: [...items, { type: "Note", name: "#note" }, "text"],
  });
  const requests = () => peer.received.filter((request) => request.path === page).length;
  const before = requests();
  await t.app.kv.delete(`featured-tags:${await strangerId()}`);
  // There was none a moment ago, when the account was first looked at.
  await t.app.kv.delete(`fetch-refused:${stranger.uri}/tags`);
  const path = `/api/v1/accounts/${await strangerId()}/featured_tags`;
  await alice.get(path);
  await t.runJobs();
  const names = (await alice.get(path)).json.map((tag: any) => tag.name);
  assert.deepEqual(names.toSorted(), ["Moon", "Sun"]);
  await t.runJobs();
  assert.equal(requests() - before, 1);
});

// Recommendations, notes, familiar followers; following by handle and the older shape of relations.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer } from "../../../../test/fake-peer.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { removeAccount } from "../accounts/remove.ts";

let server: TestApp;
let peer: FakePeer;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;

before(async () => {
  [server, peer] = await Promise.all([startTestApp(), startPeer("127.0.0.3")]);
  alice = await server.person("alice");
  bob = await server.person("bob");
  carol = await server.person("carol");
  dave = await server.person("dave");
});

after(async () => {
  await peer?.close();
  await server?.close();
});

beforeEach(async () => {
  await server.write`DELETE FROM follows`;
  await server.write`TRUNCATE follow_requests, blocks, mutes, endorsements, account_notes`;
  await server.write`UPDATE accounts SET locked = false, suspended_at = NULL, hide_collections = NULL`;
});

const act = (by: Person, on: Person, verb: string, json?: unknown) =>
  by.post(`/api/v1/accounts/${on.accountId}/${verb}`, json);
const names = (answer: { json: { username: string }[] }) => answer.json.map((a) => a.username);

test("endorse: only who is followed; twice is once; pin is the older name", async () => {
  const refused = await act(alice, bob, "endorse");
  assert.equal(refused.status, 422);
  assert.equal(
    refused.json.error,
    "Validation failed: You must be already following the person you want to endorse",
  );
  await act(alice, bob, "follow");
  for (const verb of ["endorse", "pin", "endorse"]) {
    const answer = await act(alice, bob, verb).ok();
    assertEntity("Relationship", answer);
    assert.equal(answer.endorsed, true);
  }
  assert.equal((await act(alice, bob, "unendorse")).json.endorsed, false);
  assert.equal((await act(alice, bob, "unpin")).json.endorsed, false);
});

test("an endorsement ends with the follow, however that ends", async () => {
  const ends = [
    () => act(alice, bob, "unfollow"),
    () => act(alice, bob, "block"),
    () => act(bob, alice, "block"),
    () => act(bob, alice, "remove_from_followers"),
  ];
  for (const end of ends) {
    await server.write`TRUNCATE blocks`;
    await act(alice, bob, "follow");
    await act(alice, bob, "endorse").ok();
    await end();
    await server.write`TRUNCATE blocks`;
    assert.deepEqual((await alice.get("/api/v1/endorsements")).json, []);
    assert.equal((await act(alice, bob, "follow")).json.endorsed, false);
  }
});

test("lists of the endorsed: one's own and anybody's, with links", async () => {
  for (const other of [bob, carol, dave]) {
    await act(alice, other, "follow");
    await act(alice, other, "endorse");
  }
  const path = `/api/v1/accounts/${alice.accountId}/endorsements`;
  for (const [address, by] of [
    ["/api/v1/endorsements", alice],
    [path, alice],
    [path, null],
  ] as const) {
    const first = await (by ?? server.visitor).get(`${address}?limit=2`);
    assert.deepEqual(names(first), ["dave", "carol"]);
    for (const account of first.json) assertEntity("Account", account);
    const link = first.headers.get("link")!;
    assert.ok(link.includes(`since_id=${dave.accountId}>; rel="prev"`), link);
    const next = /<([^>]+)>; rel="next"/.exec(link)![1]!;
    assert.deepEqual(names(await (by ?? server.visitor).get(next)), ["bob"]);
    assert.deepEqual(
      (await (by ?? server.visitor).get(`${address}?since_id=${carol.accountId}`)).json.length,
      1,
    );
    assert.deepEqual((await (by ?? server.visitor).get(`${address}?limit=0`)).json, []);
  }
  await act(dave, bob, "block");
  assert.deepEqual(names(await bob.get(path)), ["carol", "bob"]);
  await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${carol.accountId}`;
  assert.deepEqual(names(await server.visitor.get(path)), ["dave", "bob"]);
  await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${alice.accountId}`;
  assert.deepEqual((await server.visitor.get(path)).json, []);
  assert.equal((await server.visitor.get("/api/v1/accounts/1/endorsements")).status, 404);
});

test("notes: written, shown in relationships to the writer alone, deleted", async () => {
  const written = await act(alice, bob, "note", { comment: "met at the fair" }).ok();
  assertEntity("Relationship", written);
  assert.equal(written.note, "met at the fair");
  const relations = `/api/v1/accounts/relationships?id[]=${bob.accountId}&id[]=${carol.accountId}`;
  assert.deepEqual(
    (await alice.get(relations)).json.map((r: { note: string }) => r.note),
    ["met at the fair", ""],
  );
  assert.equal((await carol.get(relations)).json[0].note, "");
  await act(alice, bob, "note", { comment: "x".repeat(2000) }).ok();
  const long = await act(alice, bob, "note", { comment: "x".repeat(2001) });
  assert.equal(long.status, 422);
  assert.equal(
    long.json.error,
    "Validation failed: Comment is too long (maximum is 2000 characters)",
  );
  assert.equal((await act(alice, bob, "note")).json.note, "");
  assert.equal((await alice.get(relations)).json[0].note, "");
});

test("notes: garbage, unknown accounts, tokens", async () => {
  for (const comment of ["a\0b", ["a"], { a: 1 }, "\ud800", "x".repeat(100_000)]) {
    const { status } = await act(alice, bob, "note", { comment });
    assert.ok([200, 422].includes(status), `${status}`);
  }
  assert.equal((await alice.post("/api/v1/accounts/1/note", { comment: "x" })).status, 404);
  assert.equal((await alice.post("/api/v1/accounts/abc/endorse")).status, 404);
  for (const verb of ["note", "endorse", "unendorse", "pin", "unpin"]) {
    const path = `/api/v1/accounts/${bob.accountId}/${verb}`;
    assert.equal((await server.visitor.post(path)).status, 401);
    const token = await server.token(alice.userId, ["read", "follow", "write:follows"]);
    assert.equal((await server.as(token).post(path)).status, 403);
  }
});

test("familiar followers: followed accounts that follow them, without those that hide their follows", async () => {
  await act(alice, bob, "follow");
  await act(alice, carol, "follow");
  await act(bob, dave, "follow");
  await act(carol, dave, "follow");
  const path = `/api/v1/accounts/familiar_followers?id[]=${dave.accountId}&id[]=${bob.accountId}&id[]=1&id[]=x`;
  const answer = await alice.get(path);
  for (const entry of answer.json) assertEntity("FamiliarFollowers", entry);
  assert.deepEqual(
    answer.json.map((entry: { id: string }) => entry.id),
    [dave.accountId, bob.accountId],
  );
  assert.deepEqual(names({ json: answer.json[0].accounts }), ["carol", "bob"]);
  assert.deepEqual(answer.json[1].accounts, []);
  await server.write`UPDATE accounts SET hide_collections = true WHERE id = ${carol.accountId}`;
  assert.deepEqual(names({ json: (await alice.get(path)).json[0].accounts }), ["bob"]);
  await server.write`UPDATE accounts SET hide_collections = true WHERE id = ${dave.accountId}`;
  assert.deepEqual((await alice.get(path)).json[0].accounts, [], "who hides their followers");
  await act(dave, bob, "follow");
  const own = `/api/v1/accounts/familiar_followers?id[]=${dave.accountId}`;
  assert.deepEqual(names({ json: (await dave.get(own)).json[0].accounts }), ["bob"]);
  await act(dave, bob, "unfollow");
  await server.write`UPDATE accounts SET hide_collections = false WHERE id = ${dave.accountId}`;
  assert.deepEqual((await alice.get("/api/v1/accounts/familiar_followers")).json, []);
  assert.equal((await server.visitor.get(path)).status, 401);
});

test("familiar followers and lists take the same number of queries for one and for many", async () => {
  const many = [alice, bob, carol, dave];
  for (const by of many) for (const on of many) if (by !== on) await act(by, on, "follow");
  for (const on of [bob, carol, dave]) await act(alice, on, "endorse");
  const count = async (path: string) => (await server.countQueries(() => alice.get(path))).queries;
  const familiar = (people: Person[]) =>
    `/api/v1/accounts/familiar_followers?${people.map((p) => `id[]=${p.accountId}`).join("&")}`;
  await count(familiar([bob]));
  assert.equal(await count(familiar([bob])), await count(familiar(many)));
  assert.equal(
    await count("/api/v1/endorsements?limit=1"),
    await count("/api/v1/endorsements?limit=40"),
  );
});

test("POST /api/v1/follows: by handle; followed already and locked are no errors", async () => {
  const first = await alice.post("/api/v1/follows", { uri: "bob", reblogs: false }).ok();
  assertEntity("Account", first);
  assert.equal(first.username, "bob");
  const relation = async (on: Person) =>
    (await alice.get(`/api/v1/accounts/relationships?id[]=${on.accountId}`)).json[0];
  assert.deepEqual(
    [(await relation(bob)).following, (await relation(bob)).showing_reblogs],
    [true, false],
  );
  const host = new URL(server.url).host;
  await alice.post("/api/v1/follows", { uri: `@bob@${host}` }).ok();
  assert.equal((await relation(bob)).showing_reblogs, false);
  await alice.post("/api/v1/follows", { uri: "bob", reblogs: true });
  assert.equal((await relation(bob)).showing_reblogs, true);
  await server.write`UPDATE accounts SET locked = true WHERE id = ${carol.accountId}`;
  for (let time = 0; time < 2; time += 1) {
    await alice.post("/api/v1/follows", new URLSearchParams({ uri: "carol" })).ok();
  }
  assert.deepEqual(
    [(await relation(carol)).following, (await relation(carol)).requested],
    [false, true],
  );
});

test("POST /api/v1/follows: an unknown account is looked up, and gets the Follow", async () => {
  const stranger = peer.actor("zoe");
  const answer = await alice.post("/api/v1/follows", { uri: `zoe@${peer.host}` }).ok();
  assert.equal(answer.acct, `zoe@${peer.host}`);
  await server.runJobs();
  const follow = peer.inbox().find((activity) => activity["type"] === "Follow");
  assert.equal(follow?.["object"], stranger.uri);
});

test("POST /api/v1/follows: errors", async () => {
  const status = async (json: unknown, by: Person | null = alice) =>
    (await (by ?? server.visitor).post("/api/v1/follows", json)).status;
  assert.equal(await status({}), 400);
  assert.equal(await status({ uri: " " }), 400);
  for (const uri of ["nobody", "a@b@c", "@", `nobody@${peer.host}`, "http://x/"]) {
    assert.equal(await status({ uri }), 404, uri);
  }
  for (const uri of ["a\0b", ["x"], { a: 1 }, "x".repeat(100_000)]) {
    assert.equal(await status({ uri }), 422);
  }
  assert.equal(await status({ uri: "alice" }), 403);
  await act(bob, alice, "block");
  assert.equal(await status({ uri: "bob" }), 403);
  assert.equal(await status({ uri: "bob" }, null), 401);
  const token = await server.token(alice.userId, ["read"]);
  const denied = await server.as(token).post("/api/v1/follows", { uri: "bob" });
  assert.equal(denied.status, 403);
});

test("the older shape of relations: options in the place of true", async () => {
  await act(alice, bob, "follow", { reblogs: false });
  await act(alice, carol, "mute", { notifications: false });
  const query = [bob, carol, dave].map((p) => `id[]=${p.accountId}`).join("&");
  const answer = await alice.get(`/api/v1/relationships?${query}&id[]=1&id[]=x`);
  assert.deepEqual(
    answer.json.map((r: Record<string, unknown>) => [r["id"], r["following"], r["muting"]]),
    [
      [bob.accountId, { reblogs: false }, false],
      [carol.accountId, false, { notifications: false }],
      [dave.accountId, false, false],
    ],
  );
  const newer = await alice.get(`/api/v1/accounts/relationships?${query}`);
  for (const relation of newer.json) assertEntity("Relationship", relation);
  assert.deepEqual(
    newer.json.map((r: Record<string, unknown>) => [
      r["following"],
      r["showing_reblogs"],
      r["muting"],
      r["muting_notifications"],
    ]),
    [
      [true, false, false, false],
      [false, false, true, false],
      [false, false, false, false],
    ],
  );
});

test("suspended people are in relations when asked for; one id need not be a list", async () => {
  await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${bob.accountId}`;
  for (const path of ["/api/v1/relationships", "/api/v1/accounts/relationships"]) {
    assert.deepEqual((await alice.get(`${path}?id=${bob.accountId}`)).json, []);
    const all = await alice.get(`${path}?id=${bob.accountId}&with_suspended=true`);
    assert.equal(all.json[0].id, bob.accountId);
    assert.equal((await server.visitor.get(path)).status, 401);
    assert.deepEqual((await alice.get(path)).json, []);
  }
});

test("notes and recommendations are deleted with the account", async () => {
  const gone = await server.person("gone");
  await act(alice, gone, "follow");
  await act(alice, gone, "endorse");
  await act(alice, gone, "note", { comment: "x" });
  await removeAccount(server.app, gone.accountId);
  await server.runJobs();
  const [row] = await server.app.sql`
    SELECT (SELECT count(*)::int FROM endorsements) AS endorsements,
           (SELECT count(*)::int FROM account_notes) AS notes
  `;
  assert.deepEqual({ ...row }, { endorsements: 0, notes: 0 });
});

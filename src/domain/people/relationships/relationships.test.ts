// What people do with each other, over real HTTP: the answers, the counts, who may.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { nextNoon } from "../../../../test/clocks/noon.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { upsertRemoteAccount } from "../accounts/upsert-remote.ts";
import { acceptFollow } from "./accept-follow.ts";
import { follow } from "./follow.ts";

let server: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;
let remoteId: string;
let now = nextNoon();

before(async () => {
  server = await startTestApp({ clock: { now: () => now } });
  [alice, bob, carol] = [
    await server.person("alice"),
    await server.person("bob"),
    await server.person("carol"),
  ];
  remoteId = await upsertRemoteAccount(server.app.sql, {
    username: "remy",
    domain: "there.example",
    uri: "https://there.example/users/remy",
    url: "https://there.example/@remy",
    inbox_url: "https://there.example/users/remy/inbox",
    public_key: "none",
    key_id: null,
    fetched_at: new Date(),
  });
});

after(() => server.close());

beforeEach(async () => {
  await server.runJobs();
  server.enqueued.length = 0;
  await server.write`TRUNCATE follows, follow_requests, blocks, mutes`;
  await server.write`UPDATE account_stats SET followers_count = 0, following_count = 0`;
  await server.write`UPDATE accounts SET locked = false, suspended_at = NULL, hide_collections = NULL`;
});

const act = (by: Person, id: string, name: string, json?: unknown) =>
  by.post(`/api/v1/accounts/${id}/${name}`, json);

const set = (person: Person, values: object) =>
  server.write`UPDATE accounts SET ${server.app.sql(values as never)} WHERE id = ${person.accountId}`;

const counts = async (person: { accountId: string }) => {
  const [row] = await server.app.sql`
    SELECT followers_count::int AS followers, following_count::int AS following
    FROM account_stats WHERE account_id = ${person.accountId}
  `;
  return { followers: row!["followers"], following: row!["following"] };
};

/** Without the mails: they follow from notifications. */
const jobs = (): string[] =>
  server.enqueued.map(({ name }) => name).filter((name) => !name.startsWith("mail."));

test("follow, follow again with options, unfollow: the recorded answers", async () => {
  const first = await act(bob, alice.accountId, "follow").ok();
  assertEntity("Relationship", first);
  assert.deepEqual(
    [first.following, first.showing_reblogs, first.notifying, first.languages],
    [true, true, false, null],
  );
  const options = { reblogs: false, notify: true, languages: ["en", "de"] };
  const { json: again } = await act(bob, alice.accountId, "follow", options);
  assert.deepEqual(
    [again.showing_reblogs, again.notifying, again.languages],
    [false, true, ["en", "de"]],
  );
  const { json: unchanged } = await act(bob, alice.accountId, "follow");
  assert.deepEqual([unchanged.showing_reblogs, unchanged.notifying], [false, true]);
  assert.deepEqual(await counts(alice), { followers: 1, following: 0 });
  assert.deepEqual(await counts(bob), { followers: 0, following: 1 });
  const gone = await act(bob, alice.accountId, "unfollow");
  assertEntity("Relationship", gone.json);
  assert.equal(gone.json.following, false);
  await act(bob, alice.accountId, "unfollow").ok();
  assert.deepEqual(await counts(alice), { followers: 0, following: 0 });
  assert.deepEqual(jobs(), ["account.unfollowed"]);
});

test("twenty follows and unfollows at once leave counts that agree with the rows", async () => {
  const people = [alice, bob, carol];
  const tries = Array.from({ length: 24 }, (_, index) => {
    const by = people[index % 3]!;
    const on = people[(index + 1 + (index % 2)) % 3]!;
    const name = ["follow", "follow", "unfollow", "block", "unblock"][index % 5]!;
    return act(by, on.accountId, name);
  });
  for (const answer of await Promise.all(tries)) assert.ok([200, 403].includes(answer.status));
  for (const person of people) {
    const [row] = await server.app.sql`
      SELECT count(*) FILTER (WHERE target_account_id = ${person.accountId})::int AS followers,
             count(*) FILTER (WHERE account_id = ${person.accountId})::int AS following
      FROM follows
    `;
    assert.deepEqual(await counts(person), { ...row });
  }
});

test("who cannot be followed", async () => {
  const self = await act(bob, bob.accountId, "follow");
  assert.equal(self.status, 403);
  assert.equal(self.json.error, "Following your own account is not allowed");
  assert.equal((await act(bob, "1", "follow")).status, 404);
  assert.equal((await act(bob, "x", "follow")).status, 404);
  const bad = await act(bob, alice.accountId, "follow", { languages: ["klingonese"] });
  assert.equal(bad.status, 422);
  assert.match(bad.json.error, /Languages is invalid/);
  await set(alice, { suspended_at: new Date() });
  assert.equal((await act(bob, alice.accountId, "follow")).status, 404);
  await set(alice, { suspended_at: null, moved_to_account_id: carol.accountId });
  assert.equal((await act(bob, alice.accountId, "follow")).status, 403);
  await set(alice, { moved_to_account_id: null });
  await act(alice, bob.accountId, "block");
  assert.equal((await act(bob, alice.accountId, "follow")).status, 403);
  assert.equal((await act(alice, bob.accountId, "follow")).status, 403);
  assert.deepEqual(await counts(alice), { followers: 0, following: 0 });
});

test("every act wants its scope, and follow covers them all", async () => {
  const scopes: Record<string, string> = {
    follow: "write:follows",
    unfollow: "write:follows",
    remove_from_followers: "write:follows",
    block: "write:blocks",
    unblock: "write:blocks",
    mute: "write:mutes",
    unmute: "write:mutes",
  };
  const wrong = await server.token(bob.userId, ["read", "write:statuses"]);
  const broad = await server.token(bob.userId, ["follow"]);
  const app = await server.token(null, ["write"]);
  for (const [name, scope] of Object.entries(scopes)) {
    const path = `/api/v1/accounts/${alice.accountId}/${name}`;
    const status = async (token: string | null) => (await server.as(token).post(path)).status;
    assert.equal(await status(null), 401, name);
    assert.equal(await status(wrong), 403, name);
    assert.equal(await status(app), 422, name);
    assert.equal(await status(broad), 200, name);
    assert.equal(await status(await server.token(bob.userId, [scope])), 200, name);
    const missing = `/api/v1/accounts/12/${name}`;
    assert.equal((await server.as(broad).post(missing)).status, 404, name);
  }
});

test("a locked account is asked, and answers", async () => {
  await set(carol, { locked: true });
  const requested = await act(bob, carol.accountId, "follow");
  assertEntity("Relationship", requested.json);
  assert.deepEqual([requested.json.following, requested.json.requested], [false, true]);
  await act(bob, carol.accountId, "follow", { notify: true });
  await act(alice, carol.accountId, "follow");
  const list = await carol.get("/api/v1/follow_requests?limit=1");
  assertEntity("Account", list.json[0]);
  assert.equal(list.json[0].id, alice.accountId);
  const next = /<([^>]+)>; rel="next", <[^>]+since_id=\d+>; rel="prev"/.exec(
    list.headers.get("link")!,
  )![1]!;
  assert.equal((await carol.get(next)).json[0].id, bob.accountId);
  const me = await carol.get("/api/v1/accounts/verify_credentials");
  assert.equal(me.json.source.follow_requests_count, 2);
  const answer = (id: string, word: string, by = carol) =>
    by.post(`/api/v1/follow_requests/${id}/${word}`);
  const yes = await answer(bob.accountId, "authorize");
  assertEntity("Relationship", yes.json);
  assert.deepEqual([yes.json.followed_by, yes.json.following], [true, false]);
  const no = await answer(alice.accountId, "reject");
  assert.deepEqual([no.status, no.json.followed_by, no.json.requested_by], [200, false, false]);
  for (const word of ["authorize", "reject"]) {
    assert.equal((await answer(alice.accountId, word)).status, 404);
    assert.equal((await answer(bob.accountId, word)).status, 404);
    assert.equal((await answer("no", word)).status, 404);
  }
  assert.deepEqual(await counts(carol), { followers: 1, following: 0 });
  const { json } = await bob.get(`/api/v1/accounts/relationships?id=${carol.accountId}`);
  assert.deepEqual([json[0].following, json[0].notifying], [true, true]);
  assert.deepEqual(jobs(), [
    "account.follow_requested",
    "account.follow_requested",
    "follow.accepted",
    "follow.rejected",
  ]);
});

test("taking a request back counts nothing, a real unfollow exactly one", async () => {
  await set(carol, { locked: true });
  await act(bob, alice.accountId, "follow");
  await act(bob, carol.accountId, "follow");
  const back = await act(bob, carol.accountId, "unfollow");
  assert.equal(back.json.requested, false);
  assert.deepEqual(await counts(bob), { followers: 0, following: 1 });
  await act(bob, alice.accountId, "unfollow");
  assert.deepEqual(await counts(bob), { followers: 0, following: 0 });
});

test("a block takes exactly the two follows out of the counts", async () => {
  await act(alice, bob.accountId, "follow");
  await act(bob, alice.accountId, "follow");
  await act(carol, alice.accountId, "follow");
  await act(bob, carol.accountId, "follow");
  await act(alice, bob.accountId, "block");
  await act(alice, bob.accountId, "block");
  assert.deepEqual(await counts(alice), { followers: 1, following: 0 });
  assert.deepEqual(await counts(bob), { followers: 0, following: 1 });
});

test("a remote account gets a request; an Accept without a request changes nothing", async () => {
  const answer = await act(bob, remoteId, "follow");
  assert.deepEqual([answer.json.following, answer.json.requested], [false, true]);
  const [row] = await server.app.sql`SELECT uri FROM follow_requests`;
  assert.match(row!["uri"], new RegExp(`^${server.url}/[0-9a-f-]{36}$`));
  const pair = { accountId: bob.accountId, targetId: remoteId };
  assert.equal(await acceptFollow(server.app, { ...pair, accountId: alice.accountId }), false);
  assert.equal(await acceptFollow(server.app, pair), true);
  assert.equal(await acceptFollow(server.app, pair), false);
  const [unchanged] = await server.app.sql`SELECT uri FROM follows`;
  assert.equal(unchanged!["uri"], row!["uri"]);
  assert.deepEqual(await counts(bob), { followers: 0, following: 1 });
  assert.deepEqual(await counts(alice), { followers: 0, following: 0 });
});

test("a remote follower: at once, once, refused when blocked", async () => {
  const input = {
    accountId: remoteId,
    targetId: alice.accountId,
    uri: "https://there.example/f/1",
  };
  await follow(server.app, input);
  await follow(server.app, { ...input, uri: "https://there.example/f/2" });
  assert.deepEqual(await counts(alice), { followers: 1, following: 0 });
  const [row] = await server.app.sql`SELECT uri FROM follows`;
  assert.equal(row!["uri"], "https://there.example/f/2");
  const removed = await act(alice, remoteId, "remove_from_followers");
  assert.deepEqual([removed.status, removed.json.followed_by], [200, false]);
  assert.deepEqual(await counts(alice), { followers: 0, following: 0 });
  await act(alice, remoteId, "block");
  await follow(server.app, input);
  assert.deepEqual(await counts(alice), { followers: 0, following: 0 });
  assert.ok(jobs().includes("follow.rejected"));
});

test("a block ends follows and requests both ways", async () => {
  await set(alice, { locked: true });
  await act(bob, alice.accountId, "follow");
  await act(alice, bob.accountId, "follow");
  await act(carol, alice.accountId, "follow");
  const blocked = await act(alice, bob.accountId, "block");
  assertEntity("Relationship", blocked.json);
  const { blocking, following, requested_by: requested } = blocked.json;
  assert.deepEqual(
    { blocking, following, requested },
    { blocking: true, following: false, requested: false },
  );
  assert.deepEqual(await counts(alice), { followers: 0, following: 0 });
  assert.deepEqual(await counts(bob), { followers: 0, following: 0 });
  const seen = await bob.get(`/api/v1/accounts/relationships?id[]=${alice.accountId}`);
  assert.equal(seen.json[0].blocked_by, true);
  assert.equal((await act(alice, alice.accountId, "block")).status, 403);
  const list = await alice.get("/api/v1/blocks");
  assertEntity("Account", list.json[0]);
  assert.equal(list.json.length, 1);
  assert.match(list.headers.get("link")!, /since_id=\d+>; rel="prev"/);
  const back = await act(alice, bob.accountId, "unblock");
  assert.equal(back.json.blocking, false);
  assert.deepEqual((await alice.get("/api/v1/blocks")).json, []);
});

test("a mute has options and ends by the clock", async () => {
  const [start, end] = [now, new Date(now.getTime() + 3_600_000)];
  const muted = await act(alice, bob.accountId, "mute", { duration: 3600 });
  assertEntity("Relationship", muted.json);
  assert.equal(muted.json.muting_notifications, true);
  assert.equal(muted.json.muting_expires_at, end.toISOString());
  const list = await alice.get("/api/v1/mutes");
  assertEntity("MutedAccount", list.json[0]);
  assert.equal(list.json[0].mute_expires_at, end.toISOString());
  now = new Date(end.getTime() + 1000);
  assert.deepEqual((await alice.get("/api/v1/mutes")).json, []);
  const [relation] = (await alice.get(`/api/v1/accounts/relationships?id[]=${bob.accountId}`)).json;
  assert.deepEqual([relation.muting, relation.muting_expires_at], [false, null]);
  now = start;
  const updated = await act(alice, bob.accountId, "mute", { notifications: "false" });
  assert.deepEqual(
    [updated.json.muting, updated.json.muting_notifications, updated.json.muting_expires_at],
    [true, false, null],
  );
  assert.equal((await act(alice, alice.accountId, "mute")).status, 403);
  assert.equal((await act(alice, bob.accountId, "mute", { duration: "soon" })).status, 422);
  await act(alice, bob.accountId, "mute", { duration: 1e15 }).ok();
  assert.equal((await act(alice, bob.accountId, "unmute")).json.muting, false);
});

test("relationships: in the order asked, unknown and suspended left out", async () => {
  const path = "/api/v1/accounts/relationships";
  const ids = `id[]=${carol.accountId}&id[]=1&id[]=${alice.accountId}&id[]=no&id[]=${carol.accountId}`;
  const order = async (query: string) => {
    const { json } = await bob.get(`${path}?${query}`);
    for (const entity of json) assertEntity("Relationship", entity);
    return json.map((entity: { id: string }) => entity.id);
  };
  assert.deepEqual(await order(ids), [carol.accountId, alice.accountId]);
  await set(carol, { suspended_at: new Date() });
  assert.deepEqual(await order(ids), [alice.accountId]);
  assert.deepEqual(await order(`${ids}&with_suspended=true`), [carol.accountId, alice.accountId]);
  assert.deepEqual(await order(""), []);
  assert.equal((await server.visitor.get(path)).status, 401);
});

test("a change of relations drops the home feed at once", async () => {
  const key = `home:${bob.accountId}`;
  for (const name of ["follow", "unfollow", "mute", "unmute", "block", "unblock"]) {
    await server.app.feeds.fill(key, async () => ({ ids: [] }));
    await act(bob, alice.accountId, name);
    const page = { maxId: null, sinceId: null, minId: null, limit: 1 };
    assert.equal(await server.app.feeds.page(key, page), null, name);
  }
});

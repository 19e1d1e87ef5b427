// What follows from acts between accounts: notifications here, activities to other servers with the
// members of the recordings, and what is deleted with an account.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";
import { upsertRemoteAccount } from "../domain/people/accounts/upsert-remote.ts";
import { SLICE } from "../platform/db/delete-older.ts";
import { removeAccount } from "../domain/people/accounts/remove.ts";
import { acceptFollow } from "../domain/people/relationships/accept-follow.ts";
import { block } from "../domain/people/relationships/block.ts";
import { follow } from "../domain/people/relationships/follow.ts";

type Activity = Record<string, any>;
type Step = { name: string; received: { method: string; json?: Activity }[] };

const golden = JSON.parse(
  readFileSync(new URL("../../test/golden/activitypub-sent.json", import.meta.url), "utf8"),
).steps as Step[];

let server: TestApp;
let alice: Person;
let bob: Person;
let remoteId: string;

const REMOTE = "https://there.example/users/remy";

before(async () => {
  server = await startTestApp();
  [alice, bob] = [await server.person("alice"), await server.person("bob")];
});

after(() => server.close());

const sql = () => server.app.sql;

beforeEach(async () => {
  await server.runJobs();
  await server.write`TRUNCATE follows, follow_requests, blocks, mutes, notifications, outgoing_activities`;
  await server.write`UPDATE account_stats SET followers_count = 0, following_count = 0`;
  await server.write`UPDATE accounts SET locked = false`;
  await sql()`DELETE FROM graphile_worker._private_jobs`;
  remoteId = await upsertRemoteAccount(sql(), {
    username: "remy",
    domain: "there.example",
    uri: REMOTE,
    url: "https://there.example/@remy",
    // Nothing listens on this port: deliveries are inspected, not made.
    inbox_url: "http://127.0.0.1:9/users/remy/inbox",
    shared_inbox_url: "http://127.0.0.1:9/inbox",
    public_key: "none",
    key_id: null,
    fetched_at: new Date(),
  });
});

/** Runs the jobs until only deliveries are left; returns the new activities, in order. */
const sent = async (): Promise<Activity[]> => {
  await server.runJobs();
  const rows = await sql()`SELECT body FROM outgoing_activities ORDER BY id`;
  await sql()`TRUNCATE outgoing_activities`;
  await sql()`DELETE FROM graphile_worker._private_jobs`;
  return rows.map((row) => JSON.parse(row["body"]));
};

const recorded = (step: string, type: string): Activity =>
  golden
    .find((entry) => entry.name === step)!
    .received.flatMap((request) => request.json ?? [])
    .find((activity) => activity["type"] === type)!;

const members = (activity: Activity): string[] =>
  Object.keys(activity)
    .filter((name) => name !== "signature")
    .toSorted();

const assertLike = (activity: Activity | undefined, step: string, type: string): void => {
  assert.ok(activity, `nothing was sent for ${step}`);
  const expected = recorded(step, type);
  assert.equal(activity["type"], type);
  assert.deepEqual(members(activity), members(expected), step);
  if (typeof expected["object"] === "object") {
    assert.deepEqual(members(activity["object"]), members(expected["object"]), step);
  } else {
    assert.equal(typeof activity["object"], "string");
  }
};

const act = (by: Person, id: string, name: string) => by.post(`/api/v1/accounts/${id}/${name}`);

const notified = async () => {
  const rows = await sql()`SELECT type, account_id FROM notifications ORDER BY id`;
  return rows.map((row) => [row["type"], row["account_id"]]);
};

const uriOf = (person: Person) => `${server.url}/users/${person.username}`;

const remoteFollows = (uri = "https://there.example/follows/1") =>
  follow(server.app, { accountId: remoteId, targetId: alice.accountId, uri });

test("between local accounts nothing is sent, and the followed one is notified once", async () => {
  await act(bob, alice.accountId, "follow");
  assert.deepEqual(await sent(), []);
  assert.deepEqual(await notified(), [["follow", alice.accountId]]);
  await act(bob, alice.accountId, "unfollow");
  assert.deepEqual(await sent(), []);
  assert.deepEqual(await notified(), []);
});

test("following a remote account sends a Follow; leaving it undoes that very one", async () => {
  await act(alice, remoteId, "follow");
  const [activity] = await sent();
  assertLike(activity, "follow", "Follow");
  assert.deepEqual([activity!["actor"], activity!["object"]], [uriOf(alice), REMOTE]);
  await acceptFollow(server.app, { accountId: alice.accountId, targetId: remoteId });
  assert.deepEqual(await sent(), []);
  await act(alice, remoteId, "unfollow");
  const [undone] = await sent();
  assertLike(undone, "unfollow", "Undo");
  const { "@context": _context, ...inner } = activity!;
  assert.deepEqual(undone!["object"], inner);
});

test("a remote follower gets an Accept at once, and again when it asks again", async () => {
  await remoteFollows();
  const [accepted] = await sent();
  assertLike(accepted, "accept of a follow", "Accept");
  assert.equal(accepted!["object"]["id"], "https://there.example/follows/1");
  assert.deepEqual(await notified(), [["follow", alice.accountId]]);
  await remoteFollows("https://there.example/follows/2");
  const [again] = await sent();
  assert.equal(again!["object"]["id"], "https://there.example/follows/2");
  assert.notEqual(again!["id"], accepted!["id"]);
  assert.equal((await notified()).length, 1);
});

test("a locked account: request, Accept, Reject of a follower, Reject of a request", async () => {
  await server.write`UPDATE accounts SET locked = true WHERE id = ${alice.accountId}`;
  await remoteFollows();
  assert.deepEqual(await sent(), []);
  assert.deepEqual(await notified(), [["follow_request", alice.accountId]]);
  const path = `/api/v1/follow_requests/${remoteId}`;
  await alice.post(`${path}/authorize`);
  assertLike((await sent())[0], "authorize", "Accept");
  assert.deepEqual(await notified(), []);
  await act(alice, remoteId, "remove_from_followers");
  assertLike((await sent())[0], "remove from followers", "Reject");
  await remoteFollows("https://there.example/follows/3");
  await alice.post(`${path}/reject`);
  const [rejected] = await sent();
  assertLike(rejected, "reject", "Reject");
  assert.equal(rejected!["object"]["id"], "https://there.example/follows/3");
});

test("unlocking lets everybody in who waits", async () => {
  await server.write`UPDATE accounts SET locked = true WHERE id = ${alice.accountId}`;
  await remoteFollows();
  await act(bob, alice.accountId, "follow");
  await sent();
  await alice.patch("/api/v1/accounts/update_credentials", { locked: false });
  const types = (await sent()).map((activity) => activity["type"]);
  assert.deepEqual(types.toSorted(), ["Accept", "Update"]);
  const [row] = await sql()`SELECT count(*)::int AS count FROM follows`;
  assert.equal(row!["count"], 2);
});

test("a block of a remote account is delivered, with the end of the follows; so is its end", async () => {
  await remoteFollows();
  await act(alice, remoteId, "follow");
  await sent();
  await act(alice, remoteId, "block");
  const activities = await sent();
  const of = (type: string) => activities.find((activity) => activity["type"] === type);
  assertLike(of("Block"), "block", "Block");
  assert.ok(of("Undo"));
  assert.ok(of("Reject"));
  await act(alice, remoteId, "unblock");
  const [undone] = await sent();
  assertLike(undone, "unblock", "Undo");
  assert.equal(undone!["object"]["id"], of("Block")!["id"]);
});

test("what a remote account does is not sent back to it", async () => {
  await remoteFollows();
  await sent();
  const uri = "https://there.example/blocks/1";
  await block(server.app, { accountId: remoteId, targetId: alice.accountId, uri });
  assert.deepEqual(await sent(), []);
});

test("a changed profile goes to the servers of followers, with the recorded members", async () => {
  await remoteFollows();
  await sent();
  await alice.patch("/api/v1/accounts/update_credentials", {
    display_name: "Alice :)",
    note: "About #me",
    bot: true,
    discoverable: true,
    fields_attributes: [{ name: "Site", value: "https://example.org" }],
  });
  const [update] = await sent();
  const expected = golden
    .flatMap((step) => step.received)
    .flatMap((request) => request.json ?? [])
    .find((activity) => activity["id"]?.includes("/users/alice#updates/"))!;
  const { proof, ...sentMembers } = update!;
  assert.ok(proof);
  assert.deepEqual(members(sentMembers), members(expected));
  // Newer than the recording: collections of accounts (FEP-7aa9).
  const {
    featuredCollections,
    interactionPolicy,
    assertionMethod: _keys,
    webfinger: _handle,
    ...object
  } = update!["object"];
  assert.match(featuredCollections, /featured_collections$/);
  assert.ok(interactionPolicy.canFeature);
  const expectedObject = expected["object"];
  assert.deepEqual(members(object), members(expectedObject));
  const level = JSON.parse(
    JSON.stringify(expectedObject).replaceAll("https://mast.test", server.url),
  );
  for (const name of [
    "type",
    "name",
    "summary",
    "tag",
    "attachment",
    "endpoints",
    "discoverable",
  ]) {
    assert.deepEqual(object[name], level[name], name);
  }
  assert.match(object["published"], /T00:00:00Z$/);
  assert.deepEqual(members(object["publicKey"]), members(expectedObject["publicKey"]));
  const [first, second, terms] = update!["@context"];
  const [, , recorded] = expected["@context"];
  const known = Object.entries(terms).filter(([term]) => Object.hasOwn(recorded, term));
  assert.deepEqual([first, second, Object.fromEntries(known)], expected["@context"]);
});

test("an account that is removed takes everything with it and leaves right counts", async () => {
  const dora = await server.person("dora");
  const post = async (by: Person, json: object) =>
    (await by.post("/api/v1/statuses", json)).json.id as string;
  const hers = await post(dora, { status: "mine" });
  const his = await post(bob, { status: "his" });
  await post(dora, { status: "answer", in_reply_to_id: his });
  for (const name of ["favourite", "reblog"]) {
    await dora.post(`/api/v1/statuses/${his}/${name}`);
  }
  await bob.post(`/api/v1/statuses/${hers}/reblog`);
  await act(bob, dora.accountId, "follow");
  await act(dora, bob.accountId, "follow");
  await follow(server.app, {
    accountId: remoteId,
    targetId: dora.accountId,
    uri: "https://there.example/follows/9",
  });
  await sent();
  await removeAccount(server.app, dora.accountId);
  const path = `/api/v1/accounts/${dora.accountId}`;
  assert.equal((await server.visitor.get(path)).status, 410);
  assert.equal((await dora.get("/api/v1/accounts/verify_credentials")).status, 401);
  const [deletion] = await sent();
  assert.deepEqual([deletion!["type"], deletion!["object"]], ["Delete", uriOf(dora)]);
  assert.equal((await server.visitor.get(path)).status, 410);
  const status = (await server.visitor.get(`/api/v1/statuses/${his}`)).json;
  assert.deepEqual(
    [status.replies_count, status.reblogs_count, status.favourites_count],
    [0, 0, 0],
  );
  assert.equal((await server.visitor.get(`/api/v1/statuses/${hers}`)).status, 404);
  const left = (await server.visitor.get(`/api/v1/accounts/${bob.accountId}`)).json;
  assert.deepEqual([left.followers_count, left.following_count, left.statuses_count], [0, 0, 1]);
  await assert.rejects(server.person("dora"), "the name stays taken");
});

test("the Delete also reaches servers that know an account without any follow", async () => {
  const edda = await server.person("edda");
  const status = "@remy@there.example hello";
  await edda.post("/api/v1/statuses", { status });
  await sent();
  await removeAccount(server.app, edda.accountId);
  const [deletion] = await sent();
  assert.deepEqual([deletion!["type"], deletion!["object"]], ["Delete", uriOf(edda)]);
});

test("an account with many followers and notifications goes slice by slice; its Delete is sent once", async () => {
  const erin = await server.person("erin");
  const many = 2 * SLICE + 10;
  await server.fixture(async (db) => {
    await db`
      INSERT INTO accounts (id, username, domain, uri, url, inbox_url)
      SELECT 1000 + n, 'fan' || n, 'fans.example', 'https://fans.example/' || n, '',
        'http://127.0.0.1:9/fans/' || n % 3
      FROM generate_series(1, ${many}::int) AS n`;
    await db`
      INSERT INTO account_stats (account_id, following_count)
      SELECT 1000 + n, 1 FROM generate_series(1, ${many}::int) AS n`;
    await db`
      INSERT INTO follows (account_id, target_account_id)
      SELECT 1000 + n, ${erin.accountId} FROM generate_series(1, ${many}::int) AS n`;
    await db`
      INSERT INTO notifications (account_id, from_account_id, type, group_key)
      SELECT ${erin.accountId}, 1000 + n, 'follow', 'follow-1' FROM generate_series(1, ${many}::int) AS n`;
  });
  await erin.post("/api/v1/statuses", { status: "hello" });
  await server.runJobs();
  server.enqueued.length = 0;
  await removeAccount(server.app, erin.accountId);
  const activities = (await sent()).filter(({ actor }) => actor === uriOf(erin));
  // What was still to be sent is not sent any more.
  assert.deepEqual(
    activities.map(({ type }) => type),
    ["Delete"],
  );
  const jobs = server.enqueued.filter(({ name }) => name === "account.removed");
  assert.ok(jobs.length > 3, String(jobs.length));
  // Nobody listens there, so they still wait.
  const inboxes = await sql()<{ inbox: string }[]>`
    SELECT DISTINCT inbox FROM deliveries WHERE activity_id = (
      SELECT max(activity_id) FROM deliveries WHERE inbox LIKE '%/fans/%')`;
  assert.equal(inboxes.length, 3);
  const [left] = await sql()<{ count: number; following: number; keys: number }[]>`
    SELECT (SELECT count(*) FROM follows WHERE target_account_id = ${erin.accountId})::int
        + (SELECT count(*) FROM notifications WHERE account_id = ${erin.accountId})::int AS count,
      (SELECT sum(following_count) FROM account_stats WHERE account_id > 1000
        AND account_id <= ${1000 + many}::int)::int AS following,
      (SELECT count(*) FROM account_keys WHERE account_id = ${erin.accountId})::int AS keys`;
  assert.deepEqual({ ...left }, { count: 0, following: 0, keys: 1 });
});

test("a removed remote account is gone, and nothing is sent", async () => {
  await remoteFollows();
  await sent();
  await removeAccount(server.app, remoteId);
  assert.deepEqual(await sent(), []);
  const rows = await sql()`SELECT 1 FROM accounts WHERE id = ${remoteId}`;
  assert.equal(rows.length, 0);
  const left = (await server.visitor.get(`/api/v1/accounts/${alice.accountId}`)).json;
  assert.equal(left.followers_count, 0);
  await removeAccount(server.app, remoteId);
});

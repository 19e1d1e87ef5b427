// Posts for a circle: who gets them, what the API takes and tells, that replies to them stay inside and nobody learns
// who else is there, and what other servers send and are sent (test/security/audiences.test.ts asks every route).

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../../test/fake-peer.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { homeKey, listKey } from "../../people/relationships/changed.ts";
import { ownActivities, receivedActivities } from "../../about/transfers/archive/posts.ts";
import { readNote } from "../../about/transfers/posts/read-post.ts";
import { MAX_PEOPLE } from "./circle.ts";

type Json = Record<string, any>;

let t: TestApp;
let peer: FakePeer;
/** Another server, on which nobody is in the circle. */
let outside: FakePeer;
/** Alice has bob, who follows her, carol, who does not, and remote in her list; dave follows her. */
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
let remote: PeerActor;
let remoteId: string;
let friends: Json;

const post = (by: Person, json: Json): Promise<any> =>
  by.post("/api/v1/statuses", { status: "words", ...json }).ok();

const toFriends = (json: Json = {}): Promise<any> =>
  post(alice, { visibility: "circle", list_ids: [friends["id"]], ...json });

const stateOf = async (by: Person, id: string): Promise<number> =>
  (await by.get(`/api/v1/statuses/${id}`)).status;

const has = async (by: Person, path: string, id: string): Promise<boolean> =>
  (await by.get(path).ok()).some((status: Json) => status["id"] === id);

const refusalOf = async (by: Person, json: Json): Promise<string> => {
  const answer = await by.post("/api/v1/statuses", { status: "words", ...json });
  assert.equal(answer.status, 422, answer.text);
  return answer.json.error;
};

const makeList = async (by: Person, title: string, ids: string[]): Promise<Json> => {
  const list = await by.post("/api/v1/lists", { title }).ok();
  for (const id of ids) await by.post(`/api/v1/accounts/${id}/follow`).ok();
  await by.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: ids }).ok();
  return list;
};

const from = async (actor: PeerActor, activity: Json): Promise<void> => {
  const whole = { "@context": "https://www.w3.org/ns/activitystreams", actor: actor.uri };
  await actor.deliver(t, { ...whole, ...activity });
};

/** The activities that the peer got with this type. */
const sent = (to: FakePeer, type: string): Json[] =>
  to.inbox().filter((activity) => activity["type"] === type);

const uriOf = (name: string): string => `${t.url}/users/${name}`;

before(async () => {
  t = await startTestApp({ env: { ALLOWED_PRIVATE_ADDRESSES: "127.0.0.0/8" } });
  [peer, outside] = await Promise.all([startPeer("127.0.0.1"), startPeer("127.0.0.2")]);
  [alice, bob, carol, dave] = [
    await t.person("alice"),
    await t.person("bob"),
    await t.person("carol"),
    await t.person("dave"),
  ];
  remote = peer.actor("remote");
  const follower = outside.actor("follower", 1);
  await from(remote, { type: "Follow", id: `${remote.uri}#f`, object: uriOf("bob") });
  await follower.deliver(t, { id: `${follower.uri}#f`, type: "Follow", object: uriOf("alice") });
  const [row] = await t.app.sql<
    { id: string }[]
  >`SELECT id FROM accounts WHERE uri = ${remote.uri}`;
  remoteId = row!.id;
  for (const who of [bob, dave]) await who.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
  friends = await makeList(alice, "Friends", [bob.accountId, carol.accountId, remoteId]);
  await t.runJobs();
});
after(async () => {
  await Promise.all([peer?.close(), outside?.close()]);
  await t?.close();
});

test("it is seen by those in the list, and apps are told by what they know", async () => {
  const status = await toFriends();
  assertEntity("Status", status);
  assert.deepEqual([status.visibility, status.circle, status.mentions], ["private", true, []]);
  assert.deepEqual(
    await Promise.all([alice, bob, carol, dave].map((by) => stateOf(by, status.id))),
    [200, 200, 200, 404],
  );
  assert.equal((await t.visitor.get(`/api/v1/statuses/${status.id}`)).status, 404);
  const seen = await bob.get(`/api/v1/statuses/${status.id}`).ok();
  assert.deepEqual([seen.circle, seen.mentions, seen.circle_lists], [true, [], undefined]);
  assert.equal((await post(alice, {})).circle, undefined);
  const instance = await alice.get("/api/v2/instance").ok();
  assert.equal(instance.configuration.rookery.circles, true);
});

test("who follows the author finds it at home and in lists, also when these are rebuilt; others on the profile", async () => {
  const own = await makeList(bob, "Hers", [alice.accountId]);
  const other = await makeList(dave, "Hers", [alice.accountId]);
  const list = `/api/v1/timelines/list/${own["id"]}`;
  const lists = [list, `/api/v1/timelines/list/${other["id"]}`] as const;
  for (const [who, path] of [
    [bob, lists[0]],
    [dave, lists[1]],
  ] as const) {
    await who.get("/api/v1/timelines/home").ok();
    await who.get(path).ok();
  }
  const { id } = await toFriends();
  await t.runJobs();
  const places = async () => [
    await has(alice, "/api/v1/timelines/home", id),
    await has(bob, "/api/v1/timelines/home", id),
    await has(bob, lists[0], id),
    await has(carol, "/api/v1/timelines/home", id),
    await has(dave, "/api/v1/timelines/home", id),
    await has(dave, lists[1], id),
  ];
  assert.deepEqual(await places(), [true, true, true, false, false, false]);
  await t.app.feeds.drop([
    ...[alice, bob, carol, dave].map(({ accountId }) => homeKey(accountId)),
    ...[own, other].map((each) => listKey(each["id"])),
  ]);
  assert.deepEqual(await places(), [true, true, true, false, false, false]);
  const profile = `/api/v1/accounts/${alice.accountId}/statuses`;
  assert.deepEqual(
    [await has(carol, profile, id), await has(bob, profile, id), await has(dave, profile, id)],
    [true, true, false],
  );
  assert.equal(await has(carol, "/api/v1/conversations", id), false);
});

test("who is told of new posts of the author is told of those that they may see", async () => {
  const path = `/api/v1/accounts/${alice.accountId}/follow`;
  for (const who of [bob, dave]) await who.post(path, { notify: true }).ok();
  const { id } = await toFriends();
  await t.runJobs();
  const told = async (who: Person) =>
    (await who.get("/api/v1/notifications?types[]=status").ok()).some(
      ({ status }: Json) => status["id"] === id,
    );
  assert.deepEqual([await told(bob), await told(dave)], [true, false]);
  const others = await carol.get("/api/v1/notifications?exclude_types[]=follow").ok();
  assert.deepEqual(others, []);
});

test("lists have to be one's own, with somebody in them, and are for this visibility alone", async () => {
  const circle = { visibility: "circle" };
  assert.match(await refusalOf(alice, circle), /one list or more/);
  assert.match(await refusalOf(alice, { ...circle, list_ids: [] }), /one list or more/);
  assert.match(await refusalOf(dave, { ...circle, list_ids: [friends["id"]] }), /not yours/);
  assert.match(await refusalOf(alice, { ...circle, list_ids: ["x"] }), /not yours/);
  const empty = await makeList(alice, "Empty", []);
  assert.match(await refusalOf(alice, { ...circle, list_ids: [empty["id"]] }), /Nobody/);
  for (const visibility of ["private", "direct", "public"])
    assert.match(await refusalOf(alice, { visibility, list_ids: [friends["id"]] }), /has another/);
  assert.match(await refusalOf(alice, { list_ids: [friends["id"]] }), /has another/);
  const many = Array.from({ length: 51 }, () => friends["id"]);
  assert.match(await refusalOf(alice, { ...circle, list_ids: many }), /50 lists at most/);
  // One's own name in it, and the same person in two lists.
  const both = await makeList(alice, "Both", [bob.accountId]);
  await alice
    .post(`/api/v1/lists/${both["id"]}/accounts`, {
      account_ids: [alice.accountId],
    })
    .ok();
  const { id } = await toFriends({ list_ids: [both["id"], friends["id"], both["id"]] });
  const { lists, accounts } = await alice.get(`/api/v1/statuses/${id}/circle`).ok();
  assert.deepEqual(
    lists.map(({ title }: Json) => title),
    ["Friends", "Both"],
  );
  assert.equal(accounts.length, 3);
});

test(`${MAX_PEOPLE} people keep it when it is edited, and more are refused`, async () => {
  const big = await makeList(dave, "Big", []);
  await t.write`
    WITH new_accounts AS (
      INSERT INTO accounts (username, domain, uri, url)
      SELECT 'many' || n, 'many.example', 'https://many.example/' || n, 'https://many.example/' || n
      FROM generate_series(1, ${MAX_PEOPLE + 1}) AS n RETURNING id
    )
    INSERT INTO list_accounts (list_id, account_id, owner_id, exclusive)
    SELECT ${big["id"]}, id, ${dave.accountId}, false FROM new_accounts`;
  const json = { visibility: "circle", list_ids: [big["id"]] };
  assert.match(await refusalOf(dave, json), /200 people at most/);
  await t.write`DELETE FROM list_accounts WHERE account_id = (
    SELECT max(account_id) FROM list_accounts WHERE list_id = ${big["id"]})`;
  const { id } = await post(dave, json);
  await dave.put(`/api/v1/statuses/${id}`, { status: "changed" }).ok();
  const { accounts } = await dave.get(`/api/v1/statuses/${id}/circle`).ok();
  assert.equal(accounts.length, MAX_PEOPLE);
});

test("its author alone is told of the lists and of who is in them", async () => {
  const { id } = await toFriends();
  const path = `/api/v1/statuses/${id}/circle`;
  const circle = await alice.get(path).ok();
  assert.deepEqual(circle.lists, [{ id: friends["id"], title: "Friends" }]);
  assert.deepEqual(
    circle.accounts.map((account: Json) => account["id"]),
    [bob.accountId, carol.accountId, remoteId].toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)),
  );
  for (const by of [bob, dave]) assert.equal((await by.get(path)).status, 404);
  assert.equal((await t.visitor.get(path)).status, 401);
  const plain = await post(alice, { visibility: "private" });
  assert.equal((await alice.get(`/api/v1/statuses/${plain.id}/circle`)).status, 404);
});

test("answers are for the same people, whatever is chosen; who else they are for nobody finds out", async () => {
  const { id } = await toFriends();
  const answer = (by: Person, json: Json) => post(by, { in_reply_to_id: id, ...json });
  for (const json of [
    {},
    { visibility: "public" },
    { visibility: "local" },
    { visibility: "circle" },
  ]) {
    const status = await answer(bob, { status: "@alice I think so", ...json });
    assert.deepEqual([status.visibility, status.circle], ["private", true]);
    assert.deepEqual(
      await Promise.all([alice, bob, carol, dave].map((by) => stateOf(by, status.id))),
      [200, 200, 200, 404],
    );
    assert.deepEqual(
      status.mentions.map(({ acct }: Json) => acct),
      ["alice"],
    );
    assert.equal((await bob.get(`/api/v1/statuses/${status.id}/circle`)).status, 404);
    const again = await post(carol, { in_reply_to_id: status.id, status: "and I" });
    assert.deepEqual(
      await Promise.all([alice, bob, dave].map((by) => stateOf(by, again.id))),
      [200, 200, 404],
    );
  }
  const direct = await answer(bob, { status: "@alice psst", visibility: "direct" });
  assert.deepEqual([direct.visibility, await stateOf(carol, direct.id)], ["direct", 404]);
  const own = await makeList(bob, "Mine", [dave.accountId]);
  const json = { in_reply_to_id: id, visibility: "circle", list_ids: [own["id"]] };
  assert.match(await refusalOf(bob, json), /of that circle/);
  const { descendants } = await carol.get(`/api/v1/statuses/${id}/context`).ok();
  assert.equal(descendants.length, 8);
  await t.runJobs();
  const search = (by: Person, q: string) =>
    by.get(`/api/v2/search?type=statuses&q=${encodeURIComponent(q)}`).ok();
  assert.equal((await search(bob, "from:me to:carol")).statuses.length, 0);
  assert.equal((await search(bob, "from:me to:alice think")).statuses.length, 4);
  assert.ok((await search(carol, "think")).statuses.length > 0);
  assert.equal((await search(dave, "think")).statuses.length, 0);
});

test("a thread is for the people of its first post, which alone names lists", async () => {
  const first = { status: "one", visibility: "circle", list_ids: [friends["id"]] };
  const thread = (statuses: Json[]) => alice.post("/api/v1/statuses/thread", { statuses });
  const json = await thread([first, { status: "two", visibility: "circle" }]).ok();
  for (const { id, circle } of json)
    assert.deepEqual(
      [circle, ...(await Promise.all([bob, carol, dave].map((by) => stateOf(by, id))))],
      [true, 200, 200, 404],
    );
  assert.equal((await thread([first, first])).status, 422);
});

test("nobody boosts, quotes or pins it; favourites, bookmarks and votes are as ever", async () => {
  const poll = { options: ["a", "b"], expires_in: 600 };
  const status = await toFriends({ poll });
  const at = `/api/v1/statuses/${status.id}`;
  for (const by of [alice, bob]) {
    assert.ok((await by.post(`${at}/reblog`)).status >= 400);
    const quote = { status: "look", quoted_status_id: status.id };
    assert.equal((await by.post("/api/v1/statuses", quote)).status, 403);
  }
  assert.equal((await alice.post(`${at}/pin`)).status, 422);
  assert.equal((await bob.post(`${at}/favourite`).ok()).favourited, true);
  assert.equal((await carol.post(`${at}/bookmark`).ok()).bookmarked, true);
  const votes = await bob.post(`/api/v1/polls/${status.poll.id}/votes`, { choices: [0] }).ok();
  assert.equal(votes.votes_count, 1);
  assert.equal((await dave.post(`${at}/favourite`)).status, 404);
  assert.equal((await bob.get(at).ok()).quote_approval.current_user, "denied");
});

test("it keeps its people when the list changes; who is blocked sees nothing", async () => {
  const eve = await t.person("eve");
  const list = await makeList(alice, "Some", [carol.accountId, eve.accountId]);
  const before = await toFriends({ list_ids: [list["id"]] });
  const members = `/api/v1/lists/${list["id"]}/accounts`;
  await alice.delete(members, { account_ids: [carol.accountId] }).ok();
  const later = await toFriends({ list_ids: [list["id"]] });
  assert.deepEqual([await stateOf(carol, before.id), await stateOf(carol, later.id)], [200, 404]);
  await alice.put(`/api/v1/statuses/${before.id}`, { status: "changed" }).ok();
  assert.deepEqual([await stateOf(carol, before.id), await stateOf(eve, before.id)], [200, 200]);
  await alice.delete(`/api/v1/lists/${list["id"]}`).ok();
  const circle = await alice.get(`/api/v1/statuses/${before.id}/circle`).ok();
  assert.deepEqual([circle.lists, circle.accounts.length], [[], 2]);
  await alice.post(`/api/v1/accounts/${eve.accountId}/block`).ok();
  assert.equal(await stateOf(eve, later.id), 404);
  const answer = await post(carol, { in_reply_to_id: before.id, status: "who is left" });
  await carol.post(`/api/v1/accounts/${eve.accountId}/block`).ok();
  assert.equal(await stateOf(eve, answer.id), 404);
});

test("sent twice it is one; later it is judged again; counts are as of posts for followers", async () => {
  const count = async () =>
    (await alice.get(`/api/v1/accounts/${alice.accountId}`).ok()).statuses_count;
  const start = await count();
  const json = { status: "once", visibility: "circle", list_ids: [friends["id"]] };
  const headers = { "idempotency-key": "circle" };
  const once = () => alice.post("/api/v1/statuses", json, headers);
  const [first, second] = [await once(), await once()];
  assert.equal(first.json.id, second.json.id);
  assert.equal(await count(), start + 1);
  await post(bob, { in_reply_to_id: first.json.id });
  assert.equal((await alice.get(`/api/v1/statuses/${first.json.id}`).ok()).replies_count, 1);
  const list = await makeList(alice, "Short", [bob.accountId]);
  const scheduled_at = new Date(t.app.clock.now().getTime() + 3_600_000).toISOString();
  const later = await toFriends({ scheduled_at, list_ids: [list["id"]] });
  assertEntity("ScheduledStatus", later);
  const { visibility, circle, list_ids } = later.params;
  assert.deepEqual([visibility, circle, list_ids], ["private", true, [list["id"]]]);
  await alice.delete(`/api/v1/lists/${list["id"]}`).ok();
  await t.write`UPDATE scheduled_statuses SET scheduled_at = now() WHERE id = ${later.id}`;
  await t.app.jobs.add(t.app.sql, "status.scheduled", { id: later.id });
  await t.runJobs();
  const [row] = await t.app.sql<{ fault: string }[]>`
    SELECT fault FROM scheduled_statuses WHERE id = ${later.id}`;
  assert.match(row!.fault, /not yours/);
});

test("each server gets what is for its people, and learns of no others; edits and deletions follow", async () => {
  await t.runJobs();
  for (const each of [peer, outside]) each.received.length = 0;
  const status = await toFriends({ status: "far and near" });
  await alice.put(`/api/v1/statuses/${status.id}`, { status: "nearer" }).ok();
  await t.runJobs();
  for (const type of ["Create", "Update"]) {
    const [activity, ...more] = sent(peer, type);
    assert.equal(more.length, 0);
    const note = activity!["object"];
    assert.deepEqual([activity!["to"], activity!["cc"]], [[remote.uri], []]);
    assert.deepEqual([note.to, note.cc, note.tag], [[remote.uri], [], []]);
    assert.equal(note.limitedScope, "Circle");
  }
  await alice.delete(`/api/v1/statuses/${status.id}`).ok();
  await t.runJobs();
  assert.equal(sent(peer, "Delete").length, 1);
  assert.doesNotMatch(peer.received.map(({ body }) => body).join(), /users\/(?:bob|carol)|Friends/);
  assert.deepEqual(outside.inbox(), []);
});

test("answers from here go to members of other servers; theirs stay inside, whatever they say", async () => {
  await t.runJobs();
  for (const each of [peer, outside]) each.received.length = 0;
  const status = await toFriends();
  const answer = await post(bob, { in_reply_to_id: status.id, status: "@alice yes" });
  await t.runJobs();
  const got = sent(peer, "Create").map(({ object }) => object);
  assert.deepEqual(
    got.map(({ id }) => id),
    [status.uri, answer.uri],
  );
  assert.deepEqual(got[1].to.toSorted(), [uriOf("alice"), remote.uri].toSorted());
  const mastodons = peer.note(remote, "/notes/1", {
    inReplyTo: status.uri,
    to: [`${remote.uri}/followers`],
    cc: [uriOf("alice")],
    tag: [{ type: "Mention", href: uriOf("alice"), name: "@alice" }],
  });
  const open = peer.note(remote, "/notes/2", { inReplyTo: answer.uri, updated: undefined });
  const few = peer.note(remote, "/notes/3", {
    inReplyTo: status.uri,
    to: [uriOf("alice")],
    cc: [],
    limitedScope: "Circle",
  });
  for (const [n, object] of [mastodons, open, few].entries()) {
    await from(remote, { type: "Create", id: `${remote.uri}#c${n}`, object });
    const [row] = await t.app.sql<{ id: string }[]>`
      SELECT id FROM statuses WHERE uri = ${object["id"] as string}`;
    // bob, whom remote follows, sees it because he is in the circle, and dave does not.
    const states = () => Promise.all([alice, bob, carol, dave].map((by) => stateOf(by, row!.id)));
    assert.deepEqual(await states(), [200, 200, 200, 404]);
    const updated = new Date(t.app.clock.now().getTime() - 1000).toISOString();
    const changed = { ...object, content: "<p>other words</p>", updated };
    await from(remote, { type: "Update", id: `${remote.uri}#u${n}`, object: changed });
    const seen = await carol.get(`/api/v1/statuses/${row!.id}`).ok();
    assert.deepEqual([seen.content, seen.circle], ["<p>other words</p>", true]);
    assert.deepEqual(await states(), [200, 200, 200, 404]);
  }
  assert.deepEqual(outside.inbox(), []);
});

test("a circle of another server is one here; what names nobody otherwise is a private mention", async () => {
  const circle = peer.note(remote, "/notes/circle", {
    to: [uriOf("bob"), uriOf("carol")],
    cc: [],
    limitedScope: "Circle",
  });
  await from(remote, { type: "Create", id: `${remote.uri}#circle`, object: circle });
  const idOf = async (note: Json) =>
    (await t.app.sql<{ id: string }[]>`SELECT id FROM statuses WHERE uri = ${note["id"]}`)[0]!.id;
  const seen = await bob.get(`/api/v1/statuses/${await idOf(circle)}`).ok();
  assert.deepEqual([seen.visibility, seen.circle, seen.mentions], ["private", true, []]);
  assert.equal(await stateOf(dave, seen.id), 404);
  peer.received.length = 0;
  const answer = await post(bob, { in_reply_to_id: seen.id, status: "hello there" });
  assert.deepEqual([answer.circle, await stateOf(carol, answer.id)], [true, 200]);
  assert.equal(await stateOf(dave, answer.id), 404);
  await t.runJobs();
  const [created] = sent(peer, "Create");
  assert.deepEqual(created!["to"], [remote.uri]);
  const message = peer.note(remote, "/notes/chat", { to: [uriOf("bob")], cc: [] });
  await from(remote, { type: "Create", id: `${remote.uri}#chat`, object: message });
  const chat = await bob.get(`/api/v1/statuses/${await idOf(message)}`).ok();
  assert.deepEqual([chat.visibility, chat.circle], ["direct", undefined]);
});

test("archives have one's own, as what they are and with whom they were for, and none of others", async () => {
  const fresh = await t.person("archivist");
  const list = await makeList(fresh, "Readers", [bob.accountId, alice.accountId]);
  await fresh
    .post("/api/v1/statuses", {
      status: "kept",
      visibility: "circle",
      list_ids: [list["id"]],
    })
    .ok();
  const { id } = await toFriends();
  await post(bob, { in_reply_to_id: id, status: "in hers" });
  const notes = async (of: Person, read: typeof ownActivities): Promise<Json[]> => {
    const all: Json[] = [];
    for await (const { object } of read(t.app, of.accountId)) all.push(object as Json);
    return all;
  };
  const [kept] = await notes(fresh, ownActivities);
  assert.equal(kept!["visibility"], "circle");
  assert.deepEqual(kept!["to"].toSorted(), [uriOf("alice"), uriOf("bob")]);
  const actorUri = uriOf("archivist");
  const context = { actorUri, followersUrl: `${actorUri}/followers`, origin: t.url, host: t.url };
  const note = { note: kept!, context, lostFiles: 0 } as never;
  const read = readNote(note, t.app.clock.now());
  assert.equal("post" in read && read.post.visibility, "circle", "and is not imported as another");
  const answers = (await notes(bob, ownActivities)).filter(({ content }) =>
    /in hers/.test(content),
  );
  assert.deepEqual(
    answers.map(({ to }) => to),
    [[]],
  );
  const received = await notes(carol, receivedActivities);
  assert.ok(!received.some(({ visibility, limitedScope }) => visibility || limitedScope));
});

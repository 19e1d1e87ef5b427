// Two servers: who may reply to a post is told with it, replies that it refuses do not get into the thread, and those
// that it allows carry the proof that third servers ask for. And what a GoToSocial sends.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";
import { startPeer } from "../../test/fake-peer.ts";
import type { FakePeer } from "../../test/fake-peer.ts";
import { untilQuiet } from "../../test/until-quiet.ts";

type Json = Record<string, any>;

let here: TestApp;
let there: TestApp;
let peer: FakePeer;
let alice: Person;
let friend: Person;
let bob: Person;
let fan: Person;

const find = async (server: TestApp, by: Person, uri: string): Promise<Json> => {
  const path = `/api/v2/search?resolve=true&q=${encodeURIComponent(uri)}`;
  const { statuses, accounts } = await server.as(by).get(path).ok();
  return statuses[0] ?? accounts[0];
};

const settle = () => untilQuiet(here, there);

const answersOf = async (server: TestApp, by: Person, id: string): Promise<Json[]> =>
  (await server.as(by).get(`/api/v1/statuses/${id}/context`).ok()).descendants;

before(async () => {
  [here, there] = await Promise.all([startTestApp(), startTestApp()]);
  peer = await startPeer("127.0.0.1");
  [alice, friend] = [await here.person("alice"), await here.person("friend")];
  [bob, fan] = [await there.person("bob"), await there.person("fan")];
  const aliceThere = await find(there, fan, `${here.url}/users/alice`);
  await fan.post(`/api/v1/accounts/${aliceThere["id"]}/follow`).ok();
  await settle();
});
after(() => Promise.all([here?.close(), there?.close(), peer?.close()]));

const post = async (json: Json): Promise<Json> => {
  const status = await alice.post("/api/v1/statuses", { status: "words", ...json }).ok();
  await settle();
  return status;
};

const reply = (by: Person, id: string) =>
  there.as(by).post("/api/v1/statuses", {
    status: `@alice@${new URL(here.url).host} hello`,
    in_reply_to_id: id,
  });

test("followers may answer: the other server knows, refuses who may not, and proves what it sends", async () => {
  const own = await post({ reply_approval_policy: "followers" });
  const seenByFan = await find(there, fan, own["uri"]);
  assert.deepEqual(seenByFan["reply_approval"].automatic, ["followers", "mentioned"]);
  const seenByBob = await find(there, bob, own["uri"]);
  assert.equal(seenByBob["reply_approval"].current_user, "denied");
  assert.equal((await reply(bob, seenByBob["id"])).status, 403);
  const answer = await reply(fan, seenByFan["id"]).ok();
  await settle();
  const [stored, ...more] = await answersOf(here, alice, own["id"]);
  assert.equal(stored?.["uri"], answer.uri);
  assert.equal(more.length, 0);
  const document = await there.visitor.get(new URL(answer.uri).pathname, {
    accept: "application/activity+json",
  });
  const proof = document.json.replyAuthorization;
  assert.match(proof, /\/users\/alice\/reply_authorizations\/\d+$/);
  const { json } = await here.visitor.get(new URL(proof).pathname, {
    accept: "application/activity+json",
  });
  assert.equal(json.interactingObject, answer.uri);
});

test("an answer by a neighbour of the author has the same proof, and third servers take it", async () => {
  await friend.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
  const own = await post({ reply_approval_policy: "followers" });
  const answer = await friend
    .post("/api/v1/statuses", {
      status: "from next door",
      in_reply_to_id: own["id"],
    })
    .ok();
  await settle();
  const found = await find(there, fan, answer.uri);
  const parent = await find(there, fan, own["uri"]);
  assert.equal(found["in_reply_to_id"], parent["id"]);
});

test("who may answer is changed later, and the other server is told", async () => {
  const own = await post({});
  const seen = await find(there, bob, own["uri"]);
  assert.equal(seen["reply_approval"], undefined);
  await find(there, fan, own["uri"]);
  await alice
    .put(`/api/v1/statuses/${own["id"]}/interaction_policy`, {
      reply_approval_policy: "mentioned",
    })
    .ok();
  await settle();
  const later = await bob.get(`/api/v1/statuses/${seen["id"]}`).ok();
  assert.equal(later.reply_approval.current_user, "denied");
  assert.equal((await reply(bob, seen["id"])).status, 403);
});

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

/** A note by a server that does not know of policies. */
const noteTo = (actor: string, n: number, parent: string, to: string): Json => ({
  id: `${actor}/notes/${n}`,
  type: "Note",
  attributedTo: actor,
  content: "<p>uninvited</p>",
  published: new Date().toISOString(),
  inReplyTo: parent,
  to: [PUBLIC],
  cc: [to],
  tag: [{ type: "Mention", href: to, name: "@alice" }],
});

const deliver = async (actor: { uri: string }, activity: Json): Promise<void> => {
  const whole = {
    "@context": "https://www.w3.org/ns/activitystreams",
    actor: actor.uri,
    ...activity,
  };
  const sent = await peer.post(`${here.url}/inbox`, actor as never, whole);
  assert.equal(sent.status, 202, sent.text);
  await settle();
};

test("what a server sends that does not know of it is not in the thread, nor told to the author", async () => {
  const actor = await peer.actor("uninvited");
  const uri = `${here.url}/users/alice`;
  for (const [n, policy, count] of [
    [1, "public", 1],
    [2, "followers", 0],
    [3, "following", 0],
    [4, "mentioned", 0],
    [5, "nobody", 0],
  ] as const) {
    const own = await post({ reply_approval_policy: policy });
    const note = noteTo(actor.uri, n, own["uri"], uri);
    await deliver(actor, { id: `${note["id"]}/create`, type: "Create", object: note });
    assert.equal((await answersOf(here, alice, own["id"])).length, count, policy);
  }
  const told = await alice.get("/api/v1/notifications?types[]=mention").ok();
  assert.equal(told.filter((n: Json) => n["account"].username === "uninvited").length, 1);
});

test("whom the author follows may answer from elsewhere, and whom the post mentions", async () => {
  const actor = await peer.actor("invited");
  const found = await find(here, alice, actor.uri);
  const mention = `@invited@${peer.host}`;
  const uri = `${here.url}/users/alice`;
  const named = await post({ status: `for ${mention}`, reply_approval_policy: "mentioned" });
  const closed = await post({ status: `of ${mention}`, reply_approval_policy: "nobody" });
  await alice.post(`/api/v1/accounts/${found["id"]}/follow`).ok();
  const [followId] = peer.inbox().filter(({ type }) => type === "Follow");
  await settle();
  await deliver(actor, {
    id: `${actor.uri}/accept`,
    type: "Accept",
    object: followId ?? peer.inbox().find(({ type }) => type === "Follow"),
  });
  const followed = await post({ reply_approval_policy: "following" });
  for (const [n, own, count] of [
    [1, named, 1],
    [2, closed, 0],
    [3, followed, 1],
  ] as const) {
    const note = noteTo(actor.uri, n, own["uri"], uri);
    await deliver(actor, { id: `${note["id"]}/create`, type: "Create", object: note });
    assert.equal((await answersOf(here, alice, own["id"])).length, count, own["uri"]);
  }
});

test("GoToSocial asks by a ReplyRequest: refused it gets a Reject, allowed an authorization", async () => {
  const actor = await peer.actor("sloth");
  const uri = `${here.url}/users/alice`;
  const ask = async (n: number, own: Json): Promise<Json | undefined> => {
    peer.received.length = 0;
    await deliver(actor, {
      "@context": ["https://www.w3.org/ns/activitystreams", "https://gotosocial.org/ns"],
      id: `${actor.uri}/requests/${n}`,
      type: "ReplyRequest",
      object: own["uri"],
      to: uri,
      instrument: noteTo(actor.uri, n, own["uri"], uri),
    });
    return peer.inbox().find(({ type }) => type === "Accept" || type === "Reject");
  };
  const closed = await post({ reply_approval_policy: "nobody" });
  assert.equal((await ask(1, closed))?.["type"], "Reject");
  assert.equal((await answersOf(here, alice, closed["id"])).length, 0);
  const open = await post({
    status: `for @sloth@${peer.host}`,
    reply_approval_policy: "mentioned",
  });
  const accept = await ask(2, open);
  assert.equal(accept?.["type"], "Accept");
  assert.match(accept?.["result"], /reply_authorizations/);
  assert.equal((await answersOf(here, alice, open["id"])).length, 1);
});

test("what is said with a post: nothing where everybody may, else the groups or the author alone", async () => {
  const said = async (policy: string) => {
    const { uri } = await post({ reply_approval_policy: policy });
    const { json } = await here.visitor.get(new URL(uri).pathname, {
      accept: "application/activity+json",
    });
    return json.interactionPolicy.canReply.automaticApproval;
  };
  const author = `${here.url}/users/alice`;
  assert.deepEqual(await said("public"), [PUBLIC]);
  assert.deepEqual(await said("followers"), [`${author}/followers`]);
  assert.deepEqual(await said("following"), [`${author}/following`]);
  assert.deepEqual(await said("mentioned"), [author]);
  assert.deepEqual(await said("nobody"), [author]);
});

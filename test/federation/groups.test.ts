// A group of this server and other servers: members of Mastodon's kind and of Lemmy (shapes from its documentation,
// https://join-lemmy.org/docs/contributors/05-federation.html), what they send and what they get.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startPeer } from "../fake-peer.ts";
import type { FakePeer, PeerActor } from "../fake-peer.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { untilQuiet } from "../until-quiet.ts";

type Json = Record<string, any>;

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
const CONTEXT = "https://www.w3.org/ns/activitystreams";

let t: TestApp;
let peer: FakePeer;
let lemmy: FakePeer;
let member: PeerActor;
let stranger: PeerActor;
let picard: PeerActor;
let alice: Person;
let group: Json;
let groupUri: string;

let serial = 0;

const send = async (from: FakePeer, actor: PeerActor, activity: Json): Promise<void> => {
  const id = `${actor.uri}#activities/${++serial}`;
  const whole = { "@context": CONTEXT, id, actor: actor.uri, ...activity };
  const { status, text } = await from.post(`${groupUri}/inbox`, actor, whole);
  assert.equal(status, 202, text);
  await t.runJobs();
};

const document = async (uri: string): Promise<Json> => {
  const headers = { accept: "application/activity+json" };
  return t.visitor.get(uri.slice(t.url.length), headers).ok();
};

const noteTo = (actor: PeerActor, members: Json = {}): Json =>
  peer.note(actor, `/notes/${++serial}`, {
    to: [PUBLIC],
    cc: [groupUri],
    tag: [{ type: "Mention", href: groupUri, name: "@moss" }],
    ...members,
  });

const create = async (actor: PeerActor, object: Json): Promise<Json> => {
  const { to, cc } = object;
  await send(peer, actor, { type: "Create", object, to, cc });
  return object;
};

/** The addresses of the posts that the group boosts, the newest first. */
const boosted = async (): Promise<string[]> =>
  (await alice.get(`/api/v1/accounts/${group["id"]}/statuses`).ok()).map(
    ({ reblog }: Json) => reblog.uri,
  );

const ofType = (from: FakePeer, type: string): Json[] =>
  from.inbox().filter((activity) => activity["type"] === type);

before(async () => {
  t = await startTestApp();
  [peer, lemmy] = await Promise.all([startPeer(), startPeer("127.0.0.2")]);
  alice = await t.person("alice");
  group = await alice.post("/api/v1/groups", { name: "moss", rules: ["Be kind."] }).ok();
  groupUri = `${t.url}/users/moss`;
  member = peer.actor("member", 0);
  stranger = peer.actor("stranger", 1);
  picard = lemmy.actor("picard", 2);
  await send(peer, member, { type: "Follow", object: groupUri });
  await send(lemmy, picard, { type: "Follow", object: groupUri });
});
after(async () => {
  await Promise.all([peer?.close(), lemmy?.close()]);
  await t?.close();
});

test("its actor is a Group that names its moderators, and who follows it is accepted", async () => {
  const actor = await document(groupUri);
  assert.equal(actor["type"], "Group");
  assert.equal(actor["attributedTo"], `${groupUri}/moderators`);
  const moderators = await document(`${groupUri}/moderators`);
  assert.deepEqual(moderators["orderedItems"], [`${t.url}/users/alice`]);
  const person = await document(`${t.url}/users/alice`);
  assert.equal(person["attributedTo"], undefined);
  const none = await t.visitor.get("/users/alice/moderators", {
    accept: "application/activity+json",
  });
  assert.equal(none.status, 404);
  assert.equal(ofType(peer, "Accept").length, 1);
  assert.equal(ofType(lemmy, "Accept").length, 1);
});

test("a post of a member elsewhere is boosted to all followers, as Mastodon knows boosts", async () => {
  const note = await create(member, noteTo(member));
  assert.deepEqual(await boosted(), [note["id"]]);
  for (const from of [peer, lemmy]) {
    const [announce] = ofType(from, "Announce").filter(({ object }) => object === note["id"]);
    assert.equal(announce?.["actor"], groupUri);
    assert.deepEqual(announce["to"], [PUBLIC]);
    assert.ok(announce["cc"].includes(`${groupUri}/followers`));
  }
  await send(peer, member, { type: "Create", object: note, to: note["to"], cc: note["cc"] });
  assert.equal((await boosted()).length, 1, "once");
});

test("strangers, answers and what is not for everybody are not boosted", async () => {
  const before = await boosted();
  const elsewhere = peer.note(stranger, `/notes/${++serial}`, { to: [PUBLIC] });
  await create(stranger, noteTo(stranger));
  await create(member, noteTo(member, { inReplyTo: elsewhere["id"] }));
  await create(member, noteTo(member, { to: [`${member.uri}/followers`] }));
  await create(member, noteTo(member, { to: [groupUri], cc: [] }));
  assert.deepEqual(await boosted(), before);
});

test("a page that Lemmy addresses to the group is in it", async () => {
  const uri = `${lemmy.origin}/post/1`;
  const page = {
    id: uri,
    type: "Page",
    attributedTo: picard.uri,
    to: [groupUri, PUBLIC],
    audience: groupUri,
    name: "Which moss is this?",
    content: "<p>Found under a fern.</p>",
    mediaType: "text/html",
    sensitive: false,
    published: new Date().toISOString(),
  };
  const audience = { to: [PUBLIC], cc: [groupUri], audience: groupUri };
  await send(lemmy, picard, { type: "Create", object: page, ...audience });
  assert.equal((await boosted())[0], uri);
});

/** Of activities that the group announces, with one of that type, about the post. */
const announced = (from: FakePeer, type: string, uri: unknown): Json[] =>
  ofType(from, "Announce").filter(({ object }) => {
    const about = object.object?.id ?? object.object;
    return object.type === type && about === uri;
  });

const isLemmy = () => t.write`
  INSERT INTO peers (host, software, checked_at) VALUES (${lemmy.host}, 'lemmy', now())
  ON CONFLICT (host) DO UPDATE SET software = excluded.software`;

test("Lemmy's kind gets what is in the group and what answers it as announced activities, as their origins say", async () => {
  await isLemmy();
  const note = await create(member, noteTo(member));
  const [wrapper, ...more] = announced(lemmy, "Create", note["id"]);
  assert.equal(more.length, 0);
  assert.equal(wrapper?.["actor"], groupUri);
  assert.deepEqual([wrapper["to"], wrapper["cc"]], [[PUBLIC], [`${groupUri}/followers`]]);
  assert.equal(wrapper["object"].actor, member.uri);
  assert.equal(wrapper["object"].audience, groupUri);
  assert.equal(wrapper["object"].object.content, note["content"]);
  assert.deepEqual(announced(peer, "Create", note["id"]), [], "others know boosts");

  const own = await alice.post("/api/v1/statuses", { status: "@moss a fern" }).ok();
  await t.runJobs();
  const [ofOwn] = announced(lemmy, "Create", own.uri);
  assert.equal(ofOwn?.["object"].actor, `${t.url}/users/alice`);
  assert.equal(ofOwn["object"].object.content, own.content);

  const answer = await create(member, noteTo(member, { inReplyTo: own.uri, cc: [], tag: [] }));
  assert.equal(announced(lemmy, "Create", answer["id"]).length, 1);
  const others = await create(stranger, noteTo(stranger, { inReplyTo: own.uri, cc: [], tag: [] }));
  assert.equal(announced(lemmy, "Create", others["id"]).length, 0, "members alone");
  const hidden = { inReplyTo: own.uri, to: [`${t.url}/users/alice`], cc: [] };
  const secret = await create(member, noteTo(member, hidden));
  assert.equal(announced(lemmy, "Create", secret["id"]).length, 0);
});

test("what its origin says otherwise by now is not announced", async () => {
  const note = noteTo(member);
  const { to, cc } = note;
  peer.documents.set(new URL(note["id"]).pathname, { ...note, attributedTo: stranger.uri });
  await send(peer, member, { type: "Create", object: note, to, cc });
  assert.equal((await boosted())[0], note["id"]);
  assert.equal(announced(lemmy, "Create", note["id"]).length, 0);
});

test("a moderator's removal undoes the boost everywhere, and a ban is a Block", async () => {
  const note = await create(member, noteTo(member));
  const [{ reblog }] = await alice.get(`/api/v1/accounts/${group["id"]}/statuses`).ok();
  assert.equal(reblog.uri, note["id"]);
  await alice.post(`/api/v1/groups/${group["id"]}/statuses/${reblog.id}/remove`).ok();
  await t.runJobs();
  assert.ok(!(await boosted()).includes(note["id"]));
  const undone = ofType(lemmy, "Undo").filter(({ object }) => object.object === note["id"]);
  assert.equal(undone.length, 1);
  const [removal] = announced(lemmy, "Delete", note["id"]);
  assert.equal(removal?.["object"].actor, `${t.url}/users/alice`);
  assert.equal(removal["object"].audience, groupUri);
  await alice.post(`/api/v1/groups/${group["id"]}/accounts/${reblog.account.id}/ban`).ok();
  await t.runJobs();
  assert.equal(ofType(peer, "Block")[0]?.["object"], member.uri);
  await create(member, noteTo(member));
  await send(peer, member, { type: "Follow", object: groupUri });
  assert.ok(ofType(peer, "Reject").length > 0);
  const later = await create(member, noteTo(member));
  assert.ok(!(await boosted()).includes(later["id"]));
});

test("two servers of ours: members there send to the group, and get what it boosts", async () => {
  const there = await startTestApp();
  try {
    const [bob, carol] = [await there.person("bob"), await there.person("carol")];
    const search = `/api/v2/search?resolve=true&q=${encodeURIComponent(groupUri)}`;
    const [copy] = (await bob.get(search).ok()).accounts;
    assert.equal(copy.group, true);
    for (const who of [bob, carol])
      await there.as(who).post(`/api/v1/accounts/${copy.id}/follow`).ok();
    await untilQuiet(t, there);
    const status = `@${copy.acct} lichen on stone`;
    const post = await bob.post("/api/v1/statuses", { status }).ok();
    await untilQuiet(t, there);
    assert.equal((await boosted())[0], post.uri);
    const home = await carol.get("/api/v1/timelines/home").ok();
    assert.deepEqual([home[0].account.id, home[0].reblog.id], [copy.id, post.id]);
    const joined = await bob.get("/api/v1/groups/joined").ok();
    assert.deepEqual(
      joined.map(({ id }: Json) => id),
      [copy.id],
    );
    const [{ reblog }] = await alice.get(`/api/v1/accounts/${group["id"]}/statuses`).ok();
    await alice.post(`/api/v1/groups/${group["id"]}/statuses/${reblog.id}/remove`).ok();
    await untilQuiet(t, there);
    const after = await carol.get("/api/v1/timelines/home").ok();
    assert.ok(!after.some(({ id }: Json) => id === home[0].id));
    await bob.get(`/api/v1/statuses/${post.id}`).ok();
  } finally {
    await there.close();
  }
});

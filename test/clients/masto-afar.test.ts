// Posts of another server with the client library masto: what comes by the inbox reaches lists, tags,
// conversations, filters, polls and streams just as what is posted here does.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { mastodon } from "masto";
import { startPeer } from "../fake-peer.ts";
import type { FakePeer, PeerActor } from "../fake-peer.ts";
import { eventually, idsOf, someone, startLife } from "./life.ts";
import type { Life, Listener, Someone } from "./life.ts";

type Json = Record<string, unknown>;

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

let server: Life;
let peer: FakePeer;
let eve: PeerActor;
let eveId: string;
let alice: Someone;
let bob: Someone;
let ear: Listener;
let serial = 0;

const send = async (activity: Json): Promise<void> => {
  const id = `${eve.uri}#activities/${++serial}`;
  const whole = { "@context": "https://www.w3.org/ns/activitystreams", id, actor: eve.uri };
  const { status, text } = await peer.post(`${server.url}/inbox`, eve, { ...whole, ...activity });
  assert.equal(status, 202, text);
};

const make = (members: Json = {}): Json =>
  peer.note(eve, `/notes/${++serial}`, { published: new Date().toISOString(), ...members });

const create = async (members: Json = {}): Promise<Json> => {
  const object = make(members);
  await send({ type: "Create", to: object["to"], cc: object["cc"], object });
  return object;
};

/** The post here, once it has arrived: as its reader finds it by its address. */
const arrived = (object: Json, who = alice) =>
  eventually("the post", async () => {
    const { statuses } = await who.rest.v2.search.list({
      q: object["id"] as string,
      type: "statuses",
      resolve: true,
    });
    return statuses[0];
  });

const naming = (who: Someone) => ({
  tag: [{ type: "Mention", href: `${server.url}/users/${who.username}`, name: who.username }],
});

before(async () => {
  [server, peer] = await Promise.all([startLife(), startPeer()]);
  eve = peer.actor("eve");
  alice = await someone(server, "alice");
  bob = await someone(server, "bob");
  const q = `@eve@${peer.host}`;
  const { accounts } = await alice.rest.v2.search.list({ q, resolve: true });
  eveId = accounts[0]!.id;
  await alice.rest.v1.accounts.$select(eveId).follow({ notify: true });
  const follow = await eventually("the Follow", () =>
    peer.inbox().find(({ type }) => type === "Follow"),
  );
  await send({ type: "Accept", object: follow });
  await eventually("the follow", async () => {
    const [one] = await alice.rest.v1.accounts.relationships.fetch({ id: [eveId] });
    return one!.following || undefined;
  });
  ear = await alice.listen((streaming) => streaming.user.subscribe());
});
after(async () => {
  ear?.close();
  await server?.close();
  await peer?.close();
});

describe("a post from afar", () => {
  it("comes home, live, with a notification where one is wanted, and filtered", async () => {
    await alice.rest.v2.filters.create({
      title: "Weather",
      context: ["home"],
      keywordsAttributes: [{ keyword: "rain" }],
    });
    const object = await create({ content: "<p>More rain</p>" });
    const heard = await ear.heard("update", ({ uri }) => uri === object["id"]);
    assert.equal(heard.filtered[0].filter.title, "Weather");
    const told = await ear.heard("notification", ({ status }) => status?.id === heard.id);
    assert.equal(told.type, "status");
    const home = await alice.rest.v1.timelines.home.list();
    assert.equal(home[0]!.id, heard.id);
    assert.equal(home[0]!.filtered![0]!.keywordMatches![0], "rain");
  });

  it("is edited and deleted live; its versions are kept", async () => {
    const object = await create({ content: "<p>first words</p>" });
    const { id } = await ear.heard("update", ({ uri }) => uri === object["id"]);
    const updated = new Date(Date.now() + 1000).toISOString();
    const next = { ...object, content: "<p>second words</p>", updated };
    await send({ type: "Update", object: next });
    const edited = await ear.heard("status.update", (status) => status.id === id);
    assert.equal(edited.content, "<p>second words</p>");
    const history = await alice.rest.v1.statuses.$select(id).history.list();
    assert.deepEqual(
      history.map(({ content }) => content),
      ["<p>first words</p>", "<p>second words</p>"],
    );
    await send({ type: "Delete", object: { id: object["id"], type: "Tombstone" } });
    await ear.heard("delete", (payload) => String(payload) === id);
    assert.ok(!idsOf(await alice.rest.v1.timelines.home.list()).includes(id));
  });

  it("goes to a list instead of home, and with a followed tag to strangers", async () => {
    const { id } = await alice.rest.v1.lists.create({ title: "Afar", exclusive: true });
    await alice.rest.v1.lists.$select(id).accounts.create({ accountIds: [eveId] });
    await bob.rest.v1.tags.$select("meteors").follow();
    const list = await alice.listen((streaming) => streaming.list.subscribe({ list: id }));
    const strange = await bob.listen((streaming) => streaming.user.subscribe());
    const object = await create({
      content: "<p>#meteors</p>",
      tag: [{ type: "Hashtag", name: "#Meteors", href: `${peer.origin}/tags/meteors` }],
    });
    const heard = await list.heard("update", ({ uri }) => uri === object["id"]);
    await strange.heard("update", (status) => status.id === heard.id);
    await server.runJobs();
    const listed = await alice.rest.v1.timelines.list.$select(id).list();
    assert.equal(listed[0]!.id, heard.id);
    assert.ok(!idsOf(await alice.rest.v1.timelines.home.list()).includes(heard.id));
    assert.ok(idsOf(await bob.rest.v1.timelines.home.list()).includes(heard.id));
    const tagged = await bob.rest.v1.timelines.tag.$select("meteors").list();
    assert.equal(tagged[0]!.id, heard.id);
    await alice.rest.v1.lists.$select(id).remove();
    for (const one of [list, strange]) one.close();
  });

  it("that is direct makes a conversation, heard and answered", async () => {
    const direct = await alice.listen((streaming) => streaming.direct.subscribe());
    const to = [`${server.url}/users/alice`];
    const object = await create({ content: "<p>psst</p>", to, cc: [], ...naming(alice) });
    const told = await direct.heard("conversation");
    assert.equal(told.lastStatus.uri, object["id"]);
    assert.deepEqual(idsOf(told.accounts), [eveId]);
    const answer = await alice.rest.v1.statuses.create({
      status: `@eve@${peer.host} what?`,
      inReplyToId: told.lastStatus.id,
      visibility: "direct",
    });
    await eventually("the answer there", () =>
      peer.inbox().find((activity) => (activity["object"] as Json)?.["id"] === answer.uri),
    );
    await server.runJobs();
    const conversations = await alice.rest.v1.conversations.list();
    assert.deepEqual(
      conversations.map((one) => [one.id, one.lastStatus?.id]),
      [[told.id, answer.id]],
    );
    direct.close();
  });

  it("in a silenced thread is told to nobody", async () => {
    const root = await alice.rest.v1.statuses.create({ status: "a thread of mine" });
    await alice.rest.v1.statuses.$select(root.id).mute();
    const answering = { inReplyTo: root.uri, to: [PUBLIC], ...naming(alice) };
    const quiet = await create(answering);
    const here = await arrived(quiet);
    assert.equal(here.inReplyToId, root.id);
    await server.runJobs();
    const notes = await alice.rest.v1.notifications.list({ types: ["mention"] });
    assert.ok(!notes.some(({ status }) => status?.id === here.id));
  });
});

describe("a poll from afar", () => {
  let poll: mastodon.v1.Poll;
  let question: Json;

  const options = (first: number, second: number) =>
    [
      ["yes", first],
      ["no", second],
    ].map(([name, totalItems]) => ({
      type: "Note",
      name,
      replies: { type: "Collection", totalItems },
    }));

  it("is voted on, and the vote travels", async () => {
    const endTime = new Date(Date.now() + 600_000).toISOString();
    const members = { type: "Question", oneOf: options(2, 1), endTime, votersCount: 3 };
    question = await create({ content: "<p>agreed?</p>", ...members });
    const heard = await ear.heard("update", ({ uri }) => uri === question["id"]);
    assert.equal(heard.poll.votesCount, 3);
    const voted = await alice.rest.v1.polls.$select(heard.poll.id).votes.create({ choices: [0] });
    poll = voted;
    assert.deepEqual([voted.ownVotes, voted.votesCount], [[0], 4]);
    const sent = await eventually("the vote there", () =>
      peer.inbox().find((one) => (one["object"] as Json)?.["name"] === "yes"),
    );
    assert.equal((sent["object"] as Json)["inReplyTo"], question["id"]);
  });

  it("has the figures of its origin, which are no edit", async () => {
    const object = { ...question, oneOf: options(9, 4), votersCount: 13 };
    // Who reads the poll may have it fetched: its origin says the same.
    peer.documents.set(new URL(String(question["id"])).pathname, object);
    await send({ type: "Update", object });
    const now = await eventually("the new figures", async () => {
      const seen = await alice.rest.v1.polls.$select(poll.id).fetch();
      return seen.votesCount === 13 ? seen : undefined;
    });
    assert.deepEqual(
      [now.ownVotes, now.options.map(({ votesCount }) => votesCount)],
      [[0], [9, 4]],
    );
    const here = await arrived(question);
    assert.equal(here.editedAt, null);
  });

  it("ends for who voted here", async () => {
    await server.pass(601);
    const heard = await ear.heard("notification", ({ type }) => type === "poll");
    assert.equal(heard.status.poll.id, poll.id);
    assert.equal(heard.status.poll.expired, true);
  });
});

// Remote posts with the client library masto: what comes by the inbox reaches lists, tags, conversations,
// filters, polls and streams as local posts do.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { mastodon } from "masto";
import { startPeer } from "../fake-peer.ts";
import type { FakePeer, PeerActor } from "../fake-peer.ts";
import { eventually, idsOf, someone, startLiveServer } from "./live-server.ts";
import type { LiveServer, Listener, Someone } from "./live-server.ts";

type Json = Record<string, unknown>;

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

let server: LiveServer;
let peer: FakePeer;
let eve: PeerActor;
let eveId: string;
let alice: Someone;
let bob: Someone;
let stream: Listener;
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

/** The stored post, once it has arrived, as its reader finds it by its URI. */
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
  [server, peer] = await Promise.all([startLiveServer(), startPeer()]);
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
    const [relation] = await alice.rest.v1.accounts.relationships.fetch({ id: [eveId] });
    return relation!.following || undefined;
  });
  stream = await alice.listen((streaming) => streaming.user.subscribe());
});
after(async () => {
  stream?.close();
  await server?.close();
  await peer?.close();
});

describe("a remote post", () => {
  it("reaches home and stream, with a notification where one is wanted, and filtered", async () => {
    await alice.rest.v2.filters.create({
      title: "Weather",
      context: ["home"],
      keywordsAttributes: [{ keyword: "rain" }],
    });
    const remote = await alice.listen((streaming) => streaming.public.remote.subscribe());
    const object = await create({ content: "<p>More rain</p>" });
    await remote.received("update", ({ uri }) => uri === object["id"]);
    remote.close();
    const received = await stream.received("update", ({ uri }) => uri === object["id"]);
    assert.equal(received.filtered[0].filter.title, "Weather");
    const notification = await stream.received(
      "notification",
      ({ status }) => status?.id === received.id,
    );
    assert.equal(notification.type, "status");
    const home = await alice.rest.v1.timelines.home.list();
    assert.equal(home[0]!.id, received.id);
    assert.equal(home[0]!.filtered![0]!.keywordMatches![0], "rain");
  });

  it("is edited and deleted live; its versions are stored", async () => {
    const object = await create({ content: "<p>first words</p>" });
    const { id } = await stream.received("update", ({ uri }) => uri === object["id"]);
    const updated = new Date(Date.now() + 1000).toISOString();
    const next = { ...object, content: "<p>second words</p>", updated };
    await send({ type: "Update", object: next });
    const edited = await stream.received("status.update", (status) => status.id === id);
    assert.equal(edited.content, "<p>second words</p>");
    const history = await alice.rest.v1.statuses.$select(id).history.list();
    assert.deepEqual(
      history.map(({ content }) => content),
      ["<p>first words</p>", "<p>second words</p>"],
    );
    await send({ type: "Delete", object: { id: object["id"], type: "Tombstone" } });
    await stream.received("delete", (payload) => String(payload) === id);
    assert.ok(!idsOf(await alice.rest.v1.timelines.home.list()).includes(id));
  });

  it("goes to a list instead of home, and by a followed tag to non-followers", async () => {
    const { id } = await alice.rest.v1.lists.create({ title: "Afar", exclusive: true });
    await alice.rest.v1.lists.$select(id).accounts.create({ accountIds: [eveId] });
    await bob.rest.v1.tags.$select("meteors").follow();
    const list = await alice.listen((streaming) => streaming.list.subscribe({ list: id }));
    const bobs = await bob.listen((streaming) => streaming.user.subscribe());
    const object = await create({
      content: "<p>#meteors</p>",
      tag: [{ type: "Hashtag", name: "#Meteors", href: `${peer.origin}/tags/meteors` }],
    });
    const received = await list.received("update", ({ uri }) => uri === object["id"]);
    await bobs.received("update", (status) => status.id === received.id);
    await server.runJobs();
    const listed = await alice.rest.v1.timelines.list.$select(id).list();
    assert.equal(listed[0]!.id, received.id);
    assert.ok(!idsOf(await alice.rest.v1.timelines.home.list()).includes(received.id));
    assert.ok(idsOf(await bob.rest.v1.timelines.home.list()).includes(received.id));
    const tagged = await bob.rest.v1.timelines.tag.$select("meteors").list();
    assert.equal(tagged[0]!.id, received.id);
    await alice.rest.v1.lists.$select(id).remove();
    for (const listener of [list, bobs]) listener.close();
  });

  it("that is direct makes a conversation, which is streamed and answered", async () => {
    const direct = await alice.listen((streaming) => streaming.direct.subscribe());
    const to = [`${server.url}/users/alice`];
    const object = await create({ content: "<p>psst</p>", to, cc: [], ...naming(alice) });
    const conversation = await direct.received("conversation");
    assert.equal(conversation.lastStatus.uri, object["id"]);
    assert.deepEqual(idsOf(conversation.accounts), [eveId]);
    const answer = await alice.rest.v1.statuses.create({
      status: `@eve@${peer.host} what?`,
      inReplyToId: conversation.lastStatus.id,
      visibility: "direct",
    });
    await eventually("the answer there", () =>
      peer.inbox().find((activity) => (activity["object"] as Json)?.["id"] === answer.uri),
    );
    await server.runJobs();
    const conversations = await alice.rest.v1.conversations.list();
    assert.deepEqual(
      conversations.map((conversation) => [conversation.id, conversation.lastStatus?.id]),
      [[conversation.id, answer.id]],
    );
    direct.close();
  });

  it("in a muted thread notifies nobody", async () => {
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

describe("a remote poll", () => {
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

  it("can be voted on, and the vote is sent", async () => {
    const endTime = new Date(Date.now() + 600_000).toISOString();
    const members = { type: "Question", oneOf: options(2, 1), endTime, votersCount: 3 };
    question = await create({ content: "<p>agreed?</p>", ...members });
    const received = await stream.received("update", ({ uri }) => uri === question["id"]);
    assert.equal(received.poll.votesCount, 3);
    const voted = await alice.rest.v1.polls
      .$select(received.poll.id)
      .votes.create({ choices: [0] });
    poll = voted;
    assert.deepEqual([voted.ownVotes, voted.votesCount], [[0], 4]);
    const sent = await eventually("the vote there", () =>
      peer.inbox().find((activity) => (activity["object"] as Json)?.["name"] === "yes"),
    );
    assert.equal((sent["object"] as Json)["inReplyTo"], question["id"]);
  });

  it("gets the figures of its origin without an edit", async () => {
    const object = { ...question, oneOf: options(9, 4), votersCount: 13 };
    // Reading the poll may fetch it again, so its origin serves the same.
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

  it("notifies local voters of its end", async () => {
    await server.advanceClock(601);
    const received = await stream.received("notification", ({ type }) => type === "poll");
    assert.equal(received.status.poll.id, poll.id);
    assert.equal(received.status.poll.expired, true);
  });
});

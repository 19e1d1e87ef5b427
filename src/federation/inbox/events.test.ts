// Events between servers: ours go out and are answered, and people here answer those of others, in the form that their
// server reads. The shapes of other software are in test/federation/shapes.

import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  alice,
  bob,
  calmWorld,
  carol,
  closeWorld,
  count,
  create,
  eve,
  followed,
  idOfActor,
  mallory,
  nextId,
  openWorld,
  otherPeer,
  peer,
  post,
  PUBLIC,
  send,
  statusByUri,
  test as t,
  uriOf,
} from "../../../test/inbox-world.ts";
import * as world from "../../../test/inbox-world.ts";
import type { FakePeer, PeerActor } from "../../../test/fake-peer.ts";
import { provedActivity } from "../linked-data/signature.ts";
import { relayedByMastodon } from "../../../test/relayed-by-mastodon.ts";
import { claimCheck, storePeer } from "../../domain/base/peers/peers.ts";

type Json = Record<string, any>;

const START = "2060-12-11T19:00:00Z";
const END = "2060-12-11T21:30:00Z";
const PARTY = { name: "Party", starts_at: START, ends_at: END, place: "The barn" };

before(async () => {
  await openWorld();
  await send(bob, { type: "Follow", object: uriOf(alice) });
});
after(closeWorld);
beforeEach(calmWorld);

const party = (more: Json = {}, event: Json = {}) =>
  post(alice, "Bring cake", { event: { ...PARTY, ...event }, ...more });

const countsOf = ({ event }: Json): number[] => [
  event["yes_count"],
  event["maybe_count"],
  event["no_count"],
];

const counts = async ({ id }: { id: string }) =>
  countsOf(await alice.get(`/api/v1/statuses/${id}`).done());

/** What the peer got since the last time, of these types. */
const taken = (from: FakePeer, ...types: string[]): Json[] => {
  const all = from.inbox() as Json[];
  from.received.length = 0;
  return all.filter(({ type }) => types.includes(type));
};

const document = async (uri: string): Promise<Json> => {
  const headers = { accept: "application/activity+json" };
  return (await t.visitor.get(new URL(uri).pathname, headers)).json;
};

/** That readers of its Linked Data Signature believe the activity. */
const assertSigned = async (activity: Json): Promise<void> => {
  const { publicKey } = await document(uriOf(alice));
  assert.ok(await provedActivity(activity, createPublicKey(publicKey.publicKeyPem)));
};

describe("an event of ours", () => {
  test("goes out as an Event, which says when and where in its summary, and is at its address", async () => {
    taken(peer);
    const { id, uri } = await party();
    const [activity] = taken(peer, "Create");
    const object = activity!["object"];
    await assertSigned(activity!);
    const expected = {
      id: uri,
      type: "Event",
      name: "Party",
      content: "<p>Bring cake</p>",
      startTime: START,
      endTime: END,
      location: { type: "Place", name: "The barn", content: "The barn" },
      joinMode: "free",
      summary: "2060-12-11 19:00 – 21:30 (UTC), The barn",
      sensitive: false,
      attributedTo: uriOf(alice),
      to: [PUBLIC],
    };
    const members = (from: Json) =>
      Object.fromEntries(Object.keys(expected).map((name) => [name, from[name]]));
    assert.deepEqual(members(object), expected);
    const served = await document(uri);
    assert.deepEqual(members(served), expected);
    const { lost } = await relayedByMastodon(activity!);
    assert.deepEqual(lost, [".object.joinMode"], "of what Mastodon does not know");
    const terms = Object.assign(
      {},
      ...served["@context"].filter((c: unknown) => typeof c === "object"),
    );
    assert.equal(terms.joinMode, "mz:joinMode");
    assert.equal("dcterms:subject" in object, false);

    await alice
      .put(`/api/v1/statuses/${id}`, {
        status: "No cake",
        event: { ...PARTY, ends_at: null, place: null },
      })
      .done();
    const [update] = taken(peer, "Update");
    const { type, content, summary, endTime, location } = update!["object"];
    assert.deepEqual(
      [type, content, summary, endTime, location],
      ["Event", "<p>No cake</p>", "2060-12-11 19:00 (UTC)", undefined, undefined],
    );
    await alice.delete(`/api/v1/statuses/${id}`).done();
    assert.equal(taken(peer, "Delete")[0]?.["object"].id, uri);
  });

  test("with a content warning says that in place of when and where", async () => {
    taken(peer);
    await party({ spoiler_text: "Fire & works" });
    const [activity] = taken(peer, "Create");
    await assertSigned(activity!);
    const { summary, sensitive, ...rest } = activity!["object"];
    assert.deepEqual(
      [summary, sensitive, rest["dcterms:subject"]],
      ["Fire &amp; works", true, "Fire & works"],
    );
  });

  test("a Join is a yes and accepted, once for each account; Leave takes it back", async () => {
    const event = await party();
    taken(peer);
    const id = nextId(eve);
    await send(eve, { id, type: "Join", object: event.uri, participationMessage: "me too" });
    assert.deepEqual(await counts(event), [1, 0, 0]);
    const [accept, ...others] = taken(peer, "Accept");
    assert.deepEqual(others, []);
    assert.deepEqual([accept!["actor"], accept!["to"]], [uriOf(alice), [eve.uri]]);
    const join = { type: "Join", id, actor: eve.uri, object: event.uri };
    assert.deepEqual(accept!["object"], join);

    await send(eve, { type: "Join", object: event.uri });
    await send(eve, { type: "Join", object: { type: "Event", id: event.uri } });
    assert.deepEqual(await counts(event), [1, 0, 0]);
    assert.equal(taken(peer, "Accept").length, 2, "again, as the first may be lost");
    await send(bob, { type: "Join", object: event.uri });
    assert.deepEqual(await counts(event), [2, 0, 0]);

    await send(eve, { type: "Leave", object: event.uri });
    await send(eve, { type: "Leave", object: event.uri });
    assert.deepEqual(await counts(event), [1, 0, 0]);
  });

  test("Accept, TentativeAccept and Reject are answers, of which the last one counts", async () => {
    const event = await party();
    taken(peer);
    const said = async (type: string, object: unknown = event.uri) => {
      await send(eve, { type, object, to: [uriOf(alice)] });
      return counts(event);
    };
    assert.deepEqual(await said("Accept"), [1, 0, 0]);
    assert.deepEqual(await said("TentativeAccept"), [0, 1, 0]);
    assert.deepEqual(await said("Reject"), [0, 0, 1]);
    const embedded = { type: "Event", id: event.uri, name: "Party" };
    assert.deepEqual(await said("Accept", embedded), [1, 0, 0]);
    assert.deepEqual(await said("Reject", { ...embedded, type: ["Event"] }), [0, 0, 1]);
    assert.deepEqual(await said("Leave"), [0, 0, 0]);
    assert.deepEqual(taken(peer, "Accept", "Reject"), [], "only a Join is answered");
  });

  test("an Undo takes back the answer that it names, and no later one", async () => {
    const event = await party();
    const say = async (type: string, more: Json = {}) => {
      const id = nextId(eve);
      await send(eve, { id, type, object: event.uri, ...more });
      return id;
    };
    const undo = (object: unknown) => send(eve, { type: "Undo", object });
    for (const type of ["Join", "Accept", "TentativeAccept", "Reject"]) {
      await undo(await say(type));
      assert.deepEqual(await counts(event), [0, 0, 0], `${type} by its id`);
      const id = await say(type);
      await undo({ id, type, actor: eve.uri, object: event.uri });
      assert.deepEqual(await counts(event), [0, 0, 0], `${type} embedded`);
      await say(type);
      await undo({ type, actor: eve.uri, object: event.uri });
      assert.deepEqual(await counts(event), [0, 0, 0], `${type} without its id`);
    }
    const first = await say("TentativeAccept");
    await say("Reject");
    await undo({ id: first, type: "TentativeAccept", actor: eve.uri, object: event.uri });
    assert.deepEqual(await counts(event), [0, 0, 1]);
    await send(bob, {
      type: "Undo",
      object: { type: "Reject", actor: eve.uri, object: event.uri },
    });
    await send(bob, {
      type: "Undo",
      object: { type: "Reject", actor: bob.uri, object: event.uri },
    });
    assert.deepEqual(await counts(event), [0, 0, 1], "by somebody else");

    const late = nextId(bob);
    const join = { id: late, type: "Join", actor: bob.uri, object: event.uri };
    await send(bob, { type: "Undo", object: join });
    await send(bob, join);
    assert.deepEqual(await counts(event), [0, 0, 1], "it was undone before it came");
  });

  test("is not answered by who may not see it, is blocked or suspended, or says to be another", async () => {
    const secret = await party({ visibility: "direct" });
    const event = await party();
    taken(peer);
    taken(otherPeer);
    const answers = await count("event_answers");
    const all = ["Join", "Accept", "TentativeAccept", "Reject"];
    for (const type of all) await send(eve, { type, object: secret.uri });
    await alice.post(`/api/v1/accounts/${await idOfActor(eve)}/block`);
    for (const type of all) await send(eve, { type, object: event.uri });
    await alice.post(`/api/v1/accounts/${await idOfActor(eve)}/unblock`);
    await otherPeer.post(world.inbox(), mallory, {
      id: nextId(bob),
      type: "Join",
      actor: bob.uri,
      object: event.uri,
    });
    await t.runJobs();
    await send(bob, { type: "Join", object: `${event.uri}0` });
    await send(bob, { type: "Join", object: uriOf(alice) });
    await send(bob, { type: "Join", object: { type: "Group", id: event.uri } });
    await send(bob, { type: "Join", object: 5 });
    await t.write`UPDATE accounts SET suspended_at = now() WHERE uri = ${bob.uri}`;
    for (const type of all) await send(bob, { type, object: event.uri });
    await t.write`UPDATE accounts SET suspended_at = NULL WHERE uri = ${bob.uri}`;
    assert.equal(await count("event_answers"), answers);
    assert.deepEqual(taken(peer, "Accept", "Reject"), []);
    assert.deepEqual(taken(otherPeer, "Accept", "Reject"), []);
  });

  test("is left by who is suspended, too", async () => {
    const event = await party();
    await send(bob, { type: "Join", object: event.uri });
    assert.deepEqual(await counts(event), [1, 0, 0]);
    await t.write`UPDATE accounts SET suspended_at = now() WHERE uri = ${bob.uri}`;
    await send(bob, { type: "Leave", object: event.uri });
    await t.write`UPDATE accounts SET suspended_at = NULL WHERE uri = ${bob.uri}`;
    const [row] = await t.app.sql`SELECT FROM event_answers WHERE status_id = ${event.id}`;
    assert.equal(row, undefined);
  });

  test("is not answered when it is over, and a Join is told so; what is no event has no answers", async () => {
    const past = await party({}, { starts_at: "2020-01-01T10:00:00Z", ends_at: null });
    const plain = await post(alice, "no event");
    taken(peer);
    await send(eve, { type: "Join", object: past.uri });
    await send(eve, { type: "Accept", object: past.uri });
    const [reject, ...others] = taken(peer, "Accept", "Reject");
    assert.deepEqual([reject!["type"], reject!["object"].type, others], ["Reject", "Join", []]);
    for (const type of ["Join", "Accept", "TentativeAccept", "Reject", "Leave"])
      await send(eve, { type, object: plain.uri });
    assert.deepEqual(taken(peer, "Accept", "Reject"), []);
    assert.deepEqual(await counts(past), [0, 0, 0]);
  });

  test("has one answer of an account that sends many", async () => {
    const event = await party();
    const answers = await count("event_answers");
    const types = ["Join", "Reject", "TentativeAccept", "Accept"];
    for (let n = 0; n < 20; n++) {
      const activity = { id: nextId(eve), type: types[n % 4], actor: eve.uri, object: event.uri };
      assert.equal((await peer.post(world.inbox(), eve, activity)).status, 202);
    }
    await t.runJobs();
    assert.deepEqual(await counts(event), [1, 0, 0]);
    assert.equal(await count("event_answers"), answers + 1);
  });

  test("its edits and its end reach who answered it, followers or not", async () => {
    const event = await party();
    await send(mallory, { type: "Join", object: event.uri });
    taken(otherPeer);
    await alice
      .put(`/api/v1/statuses/${event.id}`, {
        status: "Bring tea",
        event: { ...PARTY, name: "Tea" },
      })
      .done();
    assert.equal(taken(otherPeer, "Update")[0]?.["object"].name, "Tea");
    assert.deepEqual(await counts(event), [1, 0, 0], "the answers stay");
    await alice.delete(`/api/v1/statuses/${event.id}`).done();
    assert.equal(taken(otherPeer, "Delete").length, 1);
  });
});

const REMOTE = {
  type: "Event",
  name: "Ball",
  content: "<p>Dance</p>",
  startTime: START,
  endTime: END,
  location: { type: "Place", name: "The hall", address: "1 Road" },
};

/** With the id that it has here. */
const ball = async (members: Json = {}): Promise<Json & { here: string }> => {
  const object = await create(bob, { ...REMOTE, ...members });
  return { ...object, here: (await statusByUri(object["id"]))!.id };
};

const answer = async (id: string, said: string | null, who = alice) =>
  said === null
    ? who.delete(`/api/v1/statuses/${id}/event/answer`).done()
    : who.post(`/api/v1/statuses/${id}/event/answer`, { answer: said }).done();

/** What differs between the documents of actors. */
const ofActor = (id: string): Json => ({
  id,
  inbox: `${id}/inbox`,
  followers: `${id}/followers`,
  publicKey: { ...(bob.document["publicKey"] as Json), id: `${id}#main-key`, owner: id },
});

/** The peer's software is known to be this. */
const runs = async (software: string): Promise<void> => {
  await claimCheck(t.app, peer.host);
  await storePeer(t.app, peer.host, { software, version: "1" });
};

const ANSWERS = ["Join", "Leave", "Accept", "TentativeAccept", "Reject", "Undo"];

/** What the author's server gets of these answers, in order. */
const told = async (id: string, ...said: (string | null)[]): Promise<string[]> => {
  taken(peer);
  for (const now of said) await answer(id, now);
  return taken(peer, ...ANSWERS).map(({ type, object }) =>
    typeof object === "string" ? type : `${type} ${object["type"]}`,
  );
};

describe("an event of another server", () => {
  test("is one here, with its text as before, and changes with its Update", async () => {
    const object = await ball();
    const { event, content } = await alice.get(`/api/v1/statuses/${object.here}`).done();
    const { name, starts_at: start, ends_at: end, place, answer: own } = event;
    assert.deepEqual(
      [name, Date.parse(start), Date.parse(end), place, own],
      ["Ball", Date.parse(START), Date.parse(END), "The hall, 1 Road", null],
    );
    assert.match(
      content,
      /^<p[^>]*><strong>Ball<\/strong><\/p><p class="event-inline">2060-12-11 19:00 – 21:30 \(UTC\)/,
    );

    await answer(object.here, "yes");
    const { here: _here, ...changed } = { ...object, name: "Late ball", endTime: undefined };
    const updated = (n: number) => new Date(Date.now() + n).toISOString();
    await send(bob, { type: "Update", object: { ...changed, updated: updated(1) } });
    const after = (await alice.get(`/api/v1/statuses/${object.here}`).done())["event"];
    assert.deepEqual([after.name, after.ends_at, after.answer], ["Late ball", null, "yes"]);
    await send(bob, { type: "Update", object: { ...changed, name: "", updated: updated(2) } });
    assert.equal(
      (await alice.get(`/api/v1/statuses/${object.here}`).done())["event"].name,
      "Late ball",
      "it stays an event",
    );
  });

  test("is none where it lacks a time, and hostile values are cut", async () => {
    const none = await ball({ startTime: "soon" });
    assert.equal((await alice.get(`/api/v1/statuses/${none.here}`).done())["event"], undefined);
    const hostile = await ball({
      name: `<b>${"x".repeat(50_000)}</b>`,
      startTime: "9999-12-31T23:59:59Z",
      endTime: "0001-01-01T00:00:00Z",
      location: Array.from({ length: 5000 }, () => ({ name: "y".repeat(100) })),
    });
    const { event } = await alice.get(`/api/v1/statuses/${hostile.here}`).done();
    assert.equal(event.name, "x".repeat(500));
    assert.deepEqual([event.ends_at, event.place], [null, "y".repeat(100)]);
    assert.equal(new Date(event.starts_at).getUTCFullYear(), 9999);
  });

  test("of somebody else's name is not stored", async () => {
    const object = peer.note(bob, "/notes/forged", { ...REMOTE, attributedTo: eve.uri });
    await send(bob, { type: "Create", object });
    assert.equal(await statusByUri(object["id"]), undefined);
    const own = await ball();
    const { here: _here, ...stolen } = {
      ...own,
      name: "Stolen",
      updated: new Date().toISOString(),
    };
    await send(eve, { type: "Update", object: { ...stolen, attributedTo: eve.uri } });
    assert.equal((await alice.get(`/api/v1/statuses/${own.here}`).done())["event"].name, "Ball");
  });

  test("a yes is a Join to its author's inbox, with an id of its own each time", async () => {
    const { here, id: uri } = await ball();
    taken(peer);
    await answer(here, "yes");
    await answer(here, "yes");
    const received = peer.received.filter(({ method }) => method === "POST");
    assert.deepEqual(
      received.map(({ path }) => path),
      [new URL(`${bob.uri}/inbox`).pathname],
    );
    const [join] = taken(peer, ...ANSWERS);
    const { type, actor, to, object } = join!;
    assert.deepEqual([type, actor, to, object], ["Join", uriOf(alice), [bob.uri], uri]);
    assert.ok(join!["id"].startsWith(`${t.url}/`));
    await answer(here, null);
    const [leave] = taken(peer, ...ANSWERS);
    assert.deepEqual([leave!["type"], leave!["object"]], ["Leave", uri]);
    await answer(here, "yes");
    const [again] = taken(peer, ...ANSWERS);
    assert.notEqual(again!["id"], join!["id"]);
  });

  test("each server is told what it reads", async () => {
    const events = [await ball(), await ball(), await ball(), await ball()];
    const life = ["maybe", "yes", "no", null];
    assert.deepEqual(await told(events[0]!.here, ...life), [
      "TentativeAccept",
      "Undo TentativeAccept",
      "Join",
      "Leave",
      "Reject",
      "Undo Reject",
    ]);
    await runs("mobilizon");
    assert.deepEqual(await told(events[1]!.here, ...life), ["Join", "Leave"]);
    await runs("friendica");
    assert.deepEqual(await told(events[2]!.here, ...life), [
      "TentativeAccept",
      "Undo TentativeAccept",
      "Accept",
      "Undo Accept",
      "Reject",
      "Undo Reject",
    ]);
    await runs("rookery");
    assert.deepEqual(await told(events[3]!.here, "yes", null), ["Join", "Leave"]);
  });

  test("answers that follow each other at once are told in their order", async () => {
    const { here } = await ball();
    taken(peer);
    for (const said of ["yes", "no", "maybe", "yes"]) {
      await alice.post(`/api/v1/statuses/${here}/event/answer`, { answer: said });
    }
    await t.runJobs();
    assert.deepEqual(
      taken(peer, ...ANSWERS).map(({ type }) => type),
      ["Join", "Leave", "Reject", "Undo", "TentativeAccept", "Undo", "Join"],
    );
  });

  test("a Reject by its author takes the answer back, and nobody is told; an Accept changes nothing", async () => {
    const { here, id: uri } = await ball();
    const own = async () => (await alice.get(`/api/v1/statuses/${here}`).done())["event"].answer;
    const joined = async () => {
      taken(peer);
      await answer(here, "yes");
      return taken(peer, "Join")[0]!;
    };
    const join = await joined();
    const { "@context": _context, to: _to, ...embedded } = join;
    await send(bob, { type: "Accept", object: embedded });
    await send(bob, { type: "Accept", object: join["id"] });
    await send(eve, { type: "Reject", object: embedded });
    await send(mallory, { type: "Reject", object: join["id"] });
    assert.equal(await own(), "yes");
    await send(bob, { type: "Reject", object: embedded });
    assert.equal(await own(), null);
    assert.deepEqual(taken(peer, ...ANSWERS), []);
    await send(bob, { type: "Reject", object: (await joined())["id"] });
    assert.equal(await own(), null);
    await joined();
    await send(bob, { type: "Reject", object: embedded });
    assert.equal(await own(), "yes", "of one that was taken back before");
    assert.equal(countsOf(await alice.get(`/api/v1/statuses/${here}`).done())[0], 1);
    assert.equal((await statusByUri(uri))?.id, here);
  });

  test("of a group may be decided on by whoever its server lets, and by nobody elsewhere", async () => {
    const group = peer.adopt({
      ...bob.document,
      ...ofActor(`${peer.origin}/users/dancers`),
      type: "Group",
      preferredUsername: "dancers",
    });
    await followed(alice, group);
    const object = await create(group, REMOTE);
    const { id } = (await statusByUri(object["id"]))!;
    taken(peer);
    await answer(id, "yes");
    const [join] = taken(peer, "Join");
    const own = async () => (await alice.get(`/api/v1/statuses/${id}`).done())["event"].answer;
    await send(mallory, { type: "Reject", object: join!["id"] });
    assert.equal(await own(), "yes");
    await send(eve, { type: "Reject", object: join!["id"] });
    assert.equal(await own(), null);
  });

  test("answers from elsewhere to it are not ours to count", async () => {
    const { here, id: uri } = await ball();
    await answer(here, "maybe", carol);
    const actors: PeerActor[] = [eve, mallory];
    for (const actor of actors) await send(actor, { type: "Join", object: uri });
    assert.deepEqual(countsOf(await alice.get(`/api/v1/statuses/${here}`).done()), [0, 1, 0]);
  });
});

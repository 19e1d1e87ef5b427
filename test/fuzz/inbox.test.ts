// Activities that were valid before something in them was changed, signed by a real actor: none makes the server
// fail, and the worker goes on.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fuzz, mutate, mutateText } from "../fuzz.ts";
import type { Json, Random } from "../fuzz.ts";
import * as world from "../inbox-world.ts";

before(() => world.openWorld());
after(() => world.closeWorld());

type Crafted = { [name: string]: Json };

let own: { id: string; uri: string };

/** Ordinary activities of bob, of every kind. */
const activities = (): Crafted[] => {
  const { bob, alice, carol } = world;
  const tag = [
    { type: "Mention", href: world.uriOf(alice), name: "@alice" },
    { type: "Hashtag", name: "#tag", href: `${world.peer.origin}/tags/tag` },
    { type: "Emoji", name: ":a:", icon: { type: "Image", url: `${world.peer.origin}/a.png` } },
  ];
  const attachment = [
    { type: "Document", mediaType: "image/png", url: `${world.peer.origin}/x.png`, name: "x" },
  ];
  const object = world.note(bob, { tag, attachment, summary: "s", inReplyTo: own.uri }) as Crafted;
  const poll = world.note(bob, {
    type: "Question",
    oneOf: [{ type: "Note", name: "a", replies: { type: "Collection", totalItems: 3 } }],
    endTime: "2027-01-01T00:00:00Z",
    votersCount: 3,
  }) as Crafted;
  const event = world.note(bob, {
    type: "Event",
    name: "Ball",
    startTime: "2027-01-01T00:00:00Z",
    endTime: "2027-01-01T05:00:00Z",
    timezone: "Europe/Berlin",
    location: { type: "Place", name: "Hall", address: { streetAddress: "1 Road" } },
  }) as Crafted;
  const join = { type: "Join", actor: bob.uri, object: own.uri };
  const follow = { type: "Follow", actor: bob.uri, object: world.uriOf(carol) };
  const featured = `${bob.uri}/collections/featured`;
  return [
    { type: "Create", object, to: object["to"]!, cc: object["cc"]! },
    { type: "Create", object: poll },
    { type: "Create", object: event },
    { ...join, id: `${bob.uri}#joins/1` },
    { type: "TentativeAccept", object: { type: "Event", id: own.uri } },
    { type: "Reject", object: { ...join, id: `${bob.uri}#joins/1` } },
    { type: "Leave", object: own.uri },
    { type: "Undo", object: join },
    { type: "Update", object: { ...object, content: "<p>changed</p>" } },
    { type: "Update", object: bob.document as Crafted },
    { type: "Delete", object: { type: "Tombstone", id: object["id"]! } },
    { type: "Follow", object: world.uriOf(carol) },
    { type: "Undo", object: { ...follow, id: `${bob.uri}#follows/1` } },
    { type: "Accept", object: { ...follow, actor: world.uriOf(alice), object: bob.uri } },
    { type: "Like", object: own.uri },
    { type: "Announce", object: own.uri, to: [world.PUBLIC] },
    { type: "Add", object: object["id"]!, target: featured },
    { type: "Remove", object: object["id"]!, target: featured },
    { type: "Flag", object: [world.uriOf(alice), own.uri], content: "spam" },
    { type: "Block", object: world.uriOf(carol) },
    { type: "Move", object: bob.uri, target: world.eve.uri },
    { type: "QuoteRequest", object: own.uri, instrument: object },
  ];
};

const bodyOf = (random: Random): string => {
  const base: Crafted = {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: world.nextId(world.bob),
    actor: world.bob.uri,
    ...random.pick(activities()),
  };
  let changed: Json = base;
  for (let count = 1 + random.below(4); count > 0; count--) changed = mutate(random, changed);
  const text = JSON.stringify(changed);
  return random.chance(0.15) ? mutateText(random, text, '{}[]",:\\\u0000é0') : text;
};

test("mutated activities never cause a 5xx, and an ordinary one still arrives", async () => {
  const starts_at = new Date(Date.now() + 86_400_000).toISOString();
  own = await world.post(world.alice, "something to answer", {
    event: { name: "Party", starts_at },
  });
  let sent = 0;
  await fuzz(250, async (random) => {
    const rawBody = bodyOf(random);
    const { status, text } = await world.peer.post(
      world.inbox(),
      world.bob,
      {},
      { rawBody, signedBody: rawBody },
    );
    assert.ok(status < 500, `${status} ${text} for ${rawBody.slice(0, 2000)}`);
    sent += 1;
    if (sent % 50 === 0) await arrives();
  });
  await arrives();
  for (const path of [
    "/api/v1/timelines/home",
    "/api/v1/notifications",
    "/api/v1/timelines/public",
  ]) {
    await world.alice.get(`${path}?limit=40`).ok();
  }
});

/** A post of another actor, as the mutated ones may have deleted bob. */
const arrives = async (): Promise<void> => {
  const tag = [{ type: "Mention", href: world.uriOf(world.alice), name: "@alice" }];
  const object = await world.create(world.eve, {
    tag,
    to: [world.PUBLIC, world.uriOf(world.alice)],
  });
  assert.ok(await world.statusByUri(object["id"]), "an ordinary post did not arrive");
};

// Relays: subscribed to, answered, fed, read, and ended; both kinds.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { PeerActor } from "../../test/fake-peer.ts";
import * as w from "../../test/inbox-world.ts";
import { COMMAND_LINE } from "../domain/base/roles/permissions.ts";
import { NotFound } from "../platform/errors.ts";
import { signActivity } from "./linked-data/signature.ts";
import { addRelay, followRelaysAgain, listRelays, removeRelay } from "./relays.ts";
import { parsePrivateKey } from "./signatures/keys.ts";

type Json = Record<string, any>;

let relay: PeerActor;
let writer: PeerActor;

before(async () => {
  await w.openWorld();
  relay = w.otherPeer.actor("relay", 1);
  writer = w.peer.actor("writer", 2);
});
after(w.closeWorld);
beforeEach(() => {
  w.calmWorld();
  w.otherPeer.received.length = 0;
});

const server = () => `${w.test.url}/actor`;
const sent = (type: string): Json[] =>
  w.otherPeer.inbox().filter((activity) => activity["type"] === type);

const subscribe = async (address: string): Promise<{ id: string; follow: Json }> => {
  const { id } = await addRelay(w.test.app, COMMAND_LINE, address);
  await w.test.runJobs();
  return { id, follow: sent("Follow").at(-1)! };
};

const state = async (id: string) =>
  (await listRelays(w.test.app)).find((relay) => relay.id === id)?.state;

const answer = (actor: PeerActor, type: string, { "@context": _context, ...object }: Json) =>
  w.send(actor, { type, object });

const create = (object: Json): Promise<Json> => {
  const key = { keyId: writer.keyId, privateKey: parsePrivateKey(writer.privateKeyPem) };
  const activity = {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: w.nextId(writer),
    type: "Create",
    actor: writer.uri,
    to: [w.PUBLIC],
    object,
  };
  return signActivity(activity, key, new Date(w.time));
};

/** A post of somebody whom nobody here follows, in the hands of the relay. */
const relayed = async (
  content = "<p>from afar</p>",
  change: (activity: Json) => void = () => {},
): Promise<Json> => {
  const object = w.note(writer, { content });
  const activity = structuredClone(await create(object));
  change(activity);
  await relay.deliver(w.test, activity);
  return object;
};

describe("after the server has moved to another domain", () => {
  it("relays are asked anew, and left under the former name once they accept", async () => {
    const { id, follow } = await subscribe(`${w.otherPeer.origin}/inbox`);
    await answer(relay, "Accept", follow);
    const origin = "http://old.example";
    const names = { localDomain: "old.example", webDomain: "old.example", https: false, origin };
    const { app } = w.test;
    app.config.site.former = [{ ...names, until: new Date() }];
    w.otherPeer.received.length = 0;
    assert.equal(await app.sql.begin((tx) => followRelaysAgain(app, tx)), 1);
    await w.test.runJobs();
    assert.equal(await state(id), "pending");
    const again = sent("Follow").at(-1)!;
    assert.equal(again["actor"], server());
    assert.equal(sent("Undo").length, 0);
    await answer(relay, "Accept", again);
    const [undone] = w.otherPeer.received.filter(({ body }) => body.includes('"Undo"'));
    const { actor, object } = JSON.parse(undone!.body) as Json;
    assert.deepEqual([actor, object.actor], [`${origin}/actor`, `${origin}/actor`]);
    assert.match(
      String(undone!.headers.signature),
      /keyId="http:\/\/old\.example\/actor#main-key"/,
    );
    assert.equal(await state(id), "accepted");
    app.config.site.former = [];
    await removeRelay(app, COMMAND_LINE, id);
    await w.test.runJobs();
  });
});

describe("a relay of Mastodon's kind", () => {
  it("is followed by its inbox, and counts once it has accepted", async () => {
    assert.equal(await w.statusByUri((await relayed())["id"]), undefined);
    const { id, follow } = await subscribe(`${w.otherPeer.origin}/inbox`);
    assert.deepEqual([follow["actor"], follow["object"]], [server(), w.PUBLIC]);
    assert.equal(await state(id), "pending");
    await w.post(w.alice, "too early");
    assert.equal(sent("Create").length, 0);
    // Nobody else can answer for it.
    await answer(w.bob, "Accept", follow);
    assert.equal(await state(id), "pending");
    await answer(relay, "Accept", follow);
    assert.equal(await state(id), "accepted");
    await assert.rejects(
      addRelay(w.test.app, COMMAND_LINE, `${w.otherPeer.origin}/inbox`),
      /already/,
    );
  });

  it("gets public posts and their end, signed, and no others", async () => {
    const open = await w.post(w.alice, "for all");
    await w.post(w.alice, "less so", { visibility: "unlisted" });
    await w.post(w.alice, "for some", { visibility: "private" });
    assert.deepEqual(
      sent("Create").map((activity) => [activity["object"].id, typeof activity["signature"]]),
      [[open.uri, "object"]],
    );
    await w.alice.delete(`/api/v1/statuses/${open.id}`);
    await w.test.runJobs();
    assert.equal(sent("Delete").length, 1);
  });

  it("brings posts of strangers, as their own server has them, without boosts", async () => {
    const object = await relayed();
    assert.equal((await w.statusByUri(object["id"]))?.content, "<p>from afar</p>");
    // Its author signed it: its server is not asked for it.
    assert.ok(!w.peer.received.some(({ path }) => String(object["id"]).endsWith(path)));
    const forged = await relayed("<p>true</p>", (activity) => {
      activity["object"].content = "<p>forged</p>";
    });
    assert.equal((await w.statusByUri(forged["id"]))?.content, "<p>true</p>");
    // Who says so without a relay is nobody.
    const alone = { type: "Relayed", object: await create(w.note(writer)) };
    await w.send(writer, alone, 400);
    const announced = w.note(writer, { content: "<p>another</p>" });
    await w.send(relay, { type: "Announce", object: announced["id"], to: [w.PUBLIC] });
    assert.ok(await w.statusByUri(announced["id"]));
    const boosts = await w.test.app.sql`SELECT 1 FROM statuses WHERE reblog_of_id IS NOT NULL`;
    assert.equal(boosts.length, 0);
    const { json } = await w.test.visitor.get("/api/v1/timelines/public?remote=true");
    assert.ok(json.some((status: Json) => status["uri"] === object["id"]));
  });

  it("ends with an Undo", async () => {
    const { id } = (await listRelays(w.test.app))[0]!;
    await removeRelay(w.test.app, COMMAND_LINE, id);
    await assert.rejects(removeRelay(w.test.app, COMMAND_LINE, id), NotFound);
    await w.test.runJobs();
    assert.equal(sent("Undo")[0]?.["object"].type, "Follow");
    assert.equal(await w.statusByUri((await relayed())["id"]), undefined);
  });
});

describe("a LitePub relay", () => {
  it("is an actor that is followed, follows back and announces, as we do to it", async () => {
    const { id, follow } = await subscribe(relay.uri);
    assert.equal(follow["object"], relay.uri);
    await answer(relay, "Accept", follow);
    assert.equal(await state(id), "accepted");
    await w.send(relay, { type: "Follow", object: server() });
    assert.equal(sent("Accept")[0]?.["object"].actor, relay.uri);
    const open = await w.post(w.alice, "for all");
    await w.post(w.alice, "for some", { visibility: "private" });
    assert.deepEqual(
      sent("Announce").map((activity) => [activity["actor"], activity["object"]]),
      [[server(), open.uri]],
    );
    assert.equal(sent("Create").length, 0);
    const announced = w.note(writer);
    await w.send(relay, { type: "Announce", object: announced["id"], to: [w.PUBLIC] });
    assert.ok(await w.statusByUri(announced["id"]));
    await answer(relay, "Reject", follow);
    assert.equal(await state(id), "rejected");
    // Of others the server's actor accepts no Follow.
    await w.send(w.mallory, { type: "Follow", object: server() });
    assert.equal(sent("Accept").length, 1);
  });

  it("addresses that are none are refused", async () => {
    for (const address of ["nonsense", `${w.test.url}/inbox`]) {
      await assert.rejects(addRelay(w.test.app, COMMAND_LINE, address), /isn’t a relay address/);
    }
  });
});

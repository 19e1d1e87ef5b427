// Activities that others forward, and those that we do: replies to a post reach those who have that post.

import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { after, before, beforeEach, describe, it } from "node:test";
import { addEd25519 } from "../../../test/fake-peer.ts";
import type { PeerActor } from "../../../test/fake-peer.ts";
import * as w from "../../../test/inbox-world.ts";
import { TEST_KEYS } from "../../../test/keys.ts";
import { rotateKey } from "../../domain/people/accounts/rotate-key.ts";
import { invalidate } from "../../platform/db/commits.ts";
import { FETCH_BUDGETS, refund, takeFetch } from "../../platform/fetch/budget.ts";
import { fromMultikey } from "../../platform/text/multibase.ts";
import { addProof, isVerified, proofOf } from "../integrity/proof.ts";
import { knowsProofs } from "../integrity/readers.ts";
import { provedActivity, signActivity } from "../linked-data/signature.ts";
import { parsePrivateKey } from "../signatures/keys.ts";
import { parseSignature } from "../signatures/parse.ts";
import { verifySignature } from "../signatures/verify.ts";

type Json = Record<string, any>;

let dora: PeerActor;
let unknown = 0;

before(async () => {
  await w.openWorld();
  dora = w.otherPeer.actor("dora", 1);
});
after(w.closeWorld);
beforeEach(w.calmWorld);

/** Actors of the other host whom nobody here knows yet. */
const stranger = (): PeerActor => w.otherPeer.actor(`stranger${++unknown}`, 1);

const signedBy = (actor: PeerActor, activity: Json, at = new Date(w.time)): Promise<Json> => {
  const whole = {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: w.nextId(actor),
    actor: actor.uri,
    ...activity,
  };
  const key = { keyId: actor.keyId, privateKey: parsePrivateKey(actor.privateKeyPem) };
  return signActivity(whole, key, at);
};

const answer = (actor: PeerActor, inReplyTo: unknown, members: Json = {}): Json =>
  w.otherPeer.note(actor, `/notes/${actor.name}/${++unknown}`, { inReplyTo, ...members });

const createOf = (object: Json): Json => ({
  type: "Create",
  object,
  to: object["to"],
  cc: object["cc"],
});

const askedFor = (uri: string): number =>
  w.otherPeer.received.filter(({ method, path }) => method === "GET" && uri.endsWith(path)).length;

describe("what others forward", () => {
  it("is believed with its author's signature, and its origin not asked for the post", async () => {
    const parent = await w.create(w.bob);
    const author = stranger();
    const object = answer(author, parent["id"], { content: "<p>signed</p>" });
    await w.bob.deliver(w.test, await signedBy(author, createOf(object)));
    assert.equal((await w.statusByUri(object["id"]))?.content, "<p>signed</p>");
    assert.equal(askedFor(object["id"]), 0);
    const updated = new Date(w.time - 1000).toISOString();
    const changed = { ...object, content: "<p>changed</p>", updated };
    await w.bob.deliver(
      w.test,
      await signedBy(author, { type: "Update", object: changed, to: [w.PUBLIC] }),
    );
    assert.equal((await w.statusByUri(object["id"]))?.content, "<p>changed</p>");
    assert.equal(askedFor(object["id"]), 0);
    await w.bob.deliver(
      w.test,
      await signedBy(author, { type: "Delete", object: object["id"], to: [w.PUBLIC] }),
    );
    assert.equal(await w.statusByUri(object["id"]), undefined);
  });

  it("is believed with its author's proof of Ed25519 too, and with no other", async () => {
    const parent = await w.create(w.bob);
    const author = stranger();
    const key = addEd25519(author);
    const object = answer(author, parent["id"], { content: "<p>proved</p>" });
    const whole = {
      "@context": "https://www.w3.org/ns/activitystreams",
      id: w.nextId(author),
      actor: author.uri,
      ...createOf(object),
    };
    await w.bob.deliver(w.test, addProof(whole, key, new Date(w.time)));
    assert.equal((await w.statusByUri(object["id"]))?.content, "<p>proved</p>");
    assert.equal(askedFor(object["id"]), 0);
    // A change, proved by somebody else of the same host, and one that is changed again.
    const updated = new Date(w.time - 1000).toISOString();
    const other = stranger();
    const change = {
      ...whole,
      type: "Update",
      object: { ...object, content: "<p>forged</p>", updated },
    };
    const otherKey = addEd25519(other);
    await w.bob.deliver(
      w.test,
      addProof({ ...change, id: w.nextId(author) }, otherKey, new Date(w.time)),
    );
    const proof = addProof({ ...change, id: w.nextId(author) }, key, new Date(w.time));
    await w.bob.deliver(w.test, {
      ...proof,
      object: { ...change.object, content: "<p>worse</p>" },
    });
    const old = new Date(w.time - 8 * 86_400_000);
    await w.bob.deliver(w.test, addProof({ ...change, id: w.nextId(author) }, key, old));
    assert.equal((await w.statusByUri(object["id"]))?.content, "<p>proved</p>");
    await w.bob.deliver(
      w.test,
      addProof({ ...change, id: w.nextId(author) }, key, new Date(w.time)),
    );
    assert.equal((await w.statusByUri(object["id"]))?.content, "<p>forged</p>");
  });

  it("is fetched from its origin without one, also of somebody unknown", async () => {
    const parent = await w.create(w.bob);
    const author = stranger();
    const object = answer(author, parent["id"], { content: "<p>real</p>" });
    const id = w.nextId(author);
    await w.bob.deliver(w.test, {
      id,
      actor: author.uri,
      ...createOf({ ...object, content: "<p>forged</p>" }),
    });
    assert.equal((await w.statusByUri(object["id"]))?.content, "<p>real</p>");
  });

  const unverified: [string, (activity: Json) => Json][] = [
    ["a changed text", (a) => ({ ...a, object: { ...a["object"], content: "<p>forged</p>" } })],
    ["another's key", (a) => ({ ...a, signature: { ...a["signature"], creator: w.bob.keyId } })],
    [
      "a context from elsewhere",
      (a) => ({ ...a, "@context": [a["@context"], "https://x.example/c"] }).valueOf() as Json,
    ],
  ];
  for (const [name, change] of unverified) {
    it(`${name} does not count, but what the origin says`, async () => {
      const parent = await w.create(w.bob);
      const author = stranger();
      const object = answer(author, parent["id"], { content: "<p>real</p>" });
      const activity = await signedBy(author, createOf(object));
      await w.bob.deliver(w.test, change(activity));
      assert.equal((await w.statusByUri(object["id"]))?.content, "<p>real</p>");
      assert.ok(askedFor(object["id"]) > 0);
    });
  }

  it("an old signature proves nothing", async () => {
    const parent = await w.create(w.bob);
    const author = stranger();
    const object = answer(author, parent["id"], { content: "<p>old</p>" });
    const activity = await signedBy(author, createOf(object), new Date(w.time - 8 * 86_400_000));
    w.otherPeer.documents.set(new URL(object["id"]).pathname, { ...object, content: "<p>new</p>" });
    await w.bob.deliver(w.test, activity);
    assert.equal((await w.statusByUri(object["id"]))?.content, "<p>new</p>");
  });

  it("a deletion without proof counts when the origin has no such post", async () => {
    const parent = await w.create(w.bob);
    const author = stranger();
    const object = answer(author, parent["id"]);
    await w.bob.deliver(w.test, await signedBy(author, createOf(object)));
    const removal = () => ({
      id: w.nextId(author),
      actor: author.uri,
      type: "Delete",
      object: { id: object["id"], type: "Tombstone" },
    });
    await w.bob.deliver(w.test, removal());
    assert.ok(await w.statusByUri(object["id"]));
    w.otherPeer.documents.set(new URL(object["id"]).pathname, 410);
    await w.bob.deliver(w.test, removal());
    assert.equal(await w.statusByUri(object["id"]), undefined);
  });

  it("costs nothing where nobody here would see it", async () => {
    const author = stranger();
    const elsewhere = `${w.otherPeer.origin}/notes/unknown`;
    const activity = await signedBy(author, createOf(answer(author, elsewhere)));
    const before = await w.world();
    await w.bob.deliver(w.test, activity);
    assert.deepEqual(await w.world(), before);
  });

  it("cannot be made up: what we write of it ourselves is refused from others", async () => {
    const object = answer(stranger(), "https://nowhere.example/1");
    const stub = { type: ["Forwarded"], author: object["attributedTo"], object: object["id"] };
    const before = await w.world();
    await w.send(w.bob, stub, 400);
    assert.deepEqual(await w.world(), before);
  });

  it("ends no follow: such an activity could be kept and sent again", async () => {
    await w.send(dora, { type: "Follow", object: w.uriOf(w.alice) });
    const follows = await w.count("follows");
    const object = { type: "Follow", actor: dora.uri, object: w.uriOf(w.alice) };
    await w.bob.deliver(w.test, await signedBy(dora, { type: "Undo", object }));
    await w.bob.deliver(w.test, await signedBy(dora, { type: "Delete", object: dora.uri }));
    assert.equal(await w.count("follows"), follows);
  });
});

describe("what we forward", () => {
  const forwardedTo = (actor: PeerActor, type: string) =>
    (actor.uri.startsWith(w.peer.origin) ? w.peer : w.otherPeer).received
      .filter(({ method }) => method === "POST")
      .map(({ headers, body }) => ({ headers, activity: JSON.parse(body) as Json }))
      .filter(({ activity }) => activity["type"] === type && activity["actor"] === w.eve.uri);

  it("an answer to a post here, its change and its end go to the other followers as they came", async () => {
    await w.send(w.mallory, { type: "Follow", object: w.uriOf(w.carol) });
    const parent = await w.post(w.carol, "what do you think?");
    const object = w.note(w.eve, { inReplyTo: parent.uri });
    const key = { keyId: w.eve.keyId, privateKey: parsePrivateKey(w.eve.privateKeyPem) };
    const sent = await signActivity(
      {
        "@context": "https://www.w3.org/ns/activitystreams",
        id: w.nextId(w.eve),
        actor: w.eve.uri,
        ...createOf(object),
      },
      key,
      new Date(w.time),
    );
    await w.eve.deliver(w.test, sent);
    const [got, ...more] = forwardedTo(w.mallory, "Create");
    assert.deepEqual([got?.activity, more.length], [sent, 0]);
    assert.match(String(got?.headers["signature"]), /users\/carol#main-key/);
    // Its own server has it.
    assert.equal(forwardedTo(w.eve, "Create").length, 0);
    const updated = new Date(w.time - 1000).toISOString();
    await w.send(w.eve, { type: "Update", object: { ...object, content: "<p>new</p>", updated } });
    assert.equal(forwardedTo(w.mallory, "Update").length, 1);
    await w.send(w.eve, { type: "Delete", object: object["id"] });
    assert.equal(forwardedTo(w.mallory, "Delete").length, 1);
  });

  it("but not of somebody whom the author blocks, nor of a blocked server; only the end of what went before", async () => {
    const parent = await w.post(w.carol, "what do you say?");
    const before = await w.create(w.eve, { inReplyTo: parent.uri });
    const eveId = await w.idOfActor(w.eve);
    const told = () =>
      w.otherPeer.inbox().filter((activity) => activity["actor"] === w.eve.uri).length;
    const act = async (path: string, json: Json = {}) => {
      const method = path.startsWith("-") ? "DELETE" : "POST";
      await w.carol.send(method, path.replace(/^-/, ""), json).ok();
    };
    const first = told();
    await act(`/api/v1/accounts/${eveId}/block`);
    await w.create(w.eve, { inReplyTo: parent.uri });
    await w.send(w.eve, { type: "Update", object: { ...before, content: "<p>worse</p>" } });
    assert.equal(told(), first);
    await w.send(w.eve, { type: "Delete", object: before["id"] });
    assert.equal(told(), first + 1);
    await act(`/api/v1/accounts/${eveId}/unblock`);
    await act("/api/v1/domain_blocks", { domain: w.peer.host });
    await w.create(w.eve, { inReplyTo: parent.uri });
    assert.equal(told(), first + 1);
    await act("-/api/v1/domain_blocks", { domain: w.peer.host });
    await w.create(w.eve, { inReplyTo: parent.uri });
    assert.equal(told(), first + 2);
  });

  it("but nothing that not everybody may see, and nothing that is not stored", async () => {
    const parent = await w.post(w.carol, "and you?");
    const before = w.otherPeer.received.length;
    await w.create(w.eve, {
      inReplyTo: parent.uri,
      to: [`${w.eve.uri}/followers`, w.uriOf(w.carol)],
      cc: [],
    });
    await w.send(w.eve, { type: "Delete", object: `${w.eve.uri}/unknown` });
    assert.equal(w.otherPeer.received.length, before);
  });

  it("nor more than the budget of the host that it comes from", async (t) => {
    const parent = await w.post(w.carol, "and so on?");
    t.mock.property(FETCH_BUDGETS.forward, "perMinute", 0);
    t.after(() => refund(w.test.app, "forward", w.eve.uri, FETCH_BUDGETS.forward.burst));
    while (takeFetch(w.test.app, "forward", w.eve.uri));
    const before = w.otherPeer.received.length;
    const object = await w.create(w.eve, { inReplyTo: parent.uri });
    assert.ok(await w.statusByUri(object["id"]));
    assert.equal(w.otherPeer.received.length, before);
  });

  it("the end of what people here boosted goes to their followers", async () => {
    const object = await w.create(w.bob);
    const { id } = (await w.statusByUri(object["id"]))!;
    await w.carol.post(`/api/v1/statuses/${id}/reblog`);
    await w.send(w.bob, { type: "Delete", object: object["id"] });
    const got = w.otherPeer
      .inbox()
      .filter((activity) => activity["type"] === "Delete" && activity["object"] === object["id"]);
    assert.equal(got.length, 1);
  });
});

describe("what we send", () => {
  const key = createPublicKey(TEST_KEYS[0]!.publicKeyPem);
  const sent = (uri: string) =>
    w.otherPeer.inbox().find((activity) => (activity["object"] as Json)?.["id"] === uri) as Json;

  before(() => knowsProofs(w.test.app, w.otherPeer.host));

  it("has both proofs where everybody may see it, and none otherwise", async () => {
    await w.send(w.mallory, { type: "Follow", object: w.uriOf(w.alice) });
    const { json: actor } = await w.test.visitor.get("/users/alice", {
      accept: "application/activity+json",
    });
    const [{ id, publicKeyMultibase, controller, type }] = actor.assertionMethod;
    assert.deepEqual([type, controller], ["Multikey", actor.id]);
    const open = sent((await w.post(w.alice, "for all")).uri);
    assert.equal(proofOf(open)?.keyId, id);
    assert.equal(isVerified(open, fromMultikey(publicKeyMultibase)!), true);
    const { proof: _, ...signed } = open;
    assert.ok(await provedActivity(signed, key));
    const closed = sent((await w.post(w.alice, "for some", { visibility: "private" })).uri);
    assert.deepEqual([closed["signature"], closed["proof"]], [undefined, undefined]);
  });

  it("has new keys after they were replaced, and an Update says so", async () => {
    const keysOf = async () =>
      (await w.test.visitor.get("/users/alice", { accept: "application/activity+json" }))
        .json as Json;
    const before = await keysOf();
    await rotateKey(w.test.app, w.alice.accountId);
    await w.test.runJobs();
    const now = await keysOf();
    const multikey = (actor: Json) => fromMultikey(actor["assertionMethod"][0].publicKeyMultibase)!;
    assert.notEqual(now["publicKey"].publicKeyPem, before["publicKey"].publicKeyPem);
    const update = w.otherPeer.inbox().findLast(({ type }) => type === "Update") as Json;
    assert.equal(update["object"].publicKey.publicKeyPem, now["publicKey"].publicKeyPem);
    const activity = sent((await w.post(w.alice, "with new keys")).uri);
    assert.deepEqual(
      [isVerified(activity, multikey(now)), isVerified(activity, multikey(before))],
      [true, false],
    );
    const request = w.otherPeer.received.findLast(({ body }) => body.includes("with new keys"))!;
    const parsed = parseSignature(request.headers);
    const target = { ...request, target: request.path, body: Buffer.from(request.body) };
    assert.equal(
      verifySignature(parsed, target, createPublicKey(now["publicKey"].publicKeyPem)),
      true,
    );
    await w.test
      .write`UPDATE accounts SET public_key = ${TEST_KEYS[0]!.publicKeyPem} WHERE id = ${w.alice.accountId}`;
    await w.test
      .write`UPDATE account_keys SET private_key = ${TEST_KEYS[0]!.privateKeyPem} WHERE account_id = ${w.alice.accountId}`;
    invalidate(w.test.app.sql, `key:${w.alice.accountId}`);
  });

  it("has a Linked Data Signature besides where others forward it: answers, changes, ends", async () => {
    const parent = await w.create(w.bob);
    const { id } = (await w.statusByUri(parent["id"]))!;
    const reply = await w.post(w.alice, "I think so", { in_reply_to_id: id });
    const { json: actor } = await w.test.visitor.get("/users/alice", {
      accept: "application/activity+json",
    });
    const created = sent(reply.uri);
    const proved = (await provedActivity(created, key)) as Json;
    assert.equal(proved["object"].content, "<p>I think so</p>");
    assert.equal(proved["proof"], undefined);
    const ed25519 = fromMultikey(actor.assertionMethod[0].publicKeyMultibase)!;
    assert.equal(isVerified(created, ed25519), true);
    await w.alice.delete(`/api/v1/statuses/${reply.id}`);
    await w.test.runJobs();
    const removal = w.otherPeer.inbox().findLast(({ type }) => type === "Delete") as Json;
    assert.ok(await provedActivity(removal, key));
    assert.equal(isVerified(removal, ed25519), true);
  });
});

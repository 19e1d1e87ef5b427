// Collections between servers: asking people elsewhere, being asked, reading others' collections, and what strangers
// try (FEP-7aa9).

import assert from "node:assert/strict";
import { after, before, beforeEach, test as it } from "node:test";
import type { PeerActor } from "../../../test/fake-peer.ts";
import {
  PUBLIC,
  alice,
  bob,
  calmWorld,
  carol,
  closeWorld,
  create,
  eve,
  idOfActor,
  mallory,
  nextId,
  openWorld,
  otherPeer,
  peer,
  send,
  statusByUri,
  test,
  uriOf,
} from "../../../test/inbox-world.ts";
import type { Json } from "../../../test/inbox-world.ts";
import type { Person } from "../../../test/harness.ts";
import { assertEntity } from "../../../test/schema.ts";
import { removeAccount } from "../../domain/people/accounts/remove.ts";

let serial = 0;

/** The activities that the peer received since the last call. */
const taken = (type: string, from = peer): any[] => {
  const activities = from.inbox().filter((activity) => activity["type"] === type);
  from.received.length = 0;
  return activities;
};

/** The actor says who may feature it. */
const allows = async (actor: PeerActor, whom: unknown): Promise<void> => {
  actor.document["interactionPolicy"] = { canFeature: { automaticApproval: whom } };
  actor.document["featuredCollections"] = `${actor.uri}/featured_collections`;
  await send(actor, { type: "Update", object: actor.document });
};

const discoverable = (person: Person) =>
  person.patch("/api/v1/accounts/update_credentials", { discoverable: true }).done();

const make = async (who: Person, more: Json = {}): Promise<any> => {
  const json = { name: "People", discoverable: true, ...more };
  return (await who.post("/api/v1/collections", json).done()).collection;
};

const shown = async (id: string, who: Person | null = null): Promise<any> => {
  const { json, status } = await (who ?? test.visitor).get(`/api/v1/collections/${id}`);
  await test.runJobs();
  if (status === 200) assertEntity("CollectionWithAccounts", json);
  return status === 200 ? json.collection : status;
};

const accountsIn = (collection: any): string[] =>
  collection.items.map((item: { account_id: string }) => item.account_id);

const document = (uri: string) =>
  test.visitor.get(new URL(uri).pathname, { accept: "application/activity+json" });

/** Serves a collection of the actor; items: [featured, consent]. */
const collectionOf = (owner: PeerActor, items: [string, string][] = [], more: Json = {}): Json => {
  serial += 1;
  const uri = `${owner.uri}/featured/${serial}`;
  const collection: Json = {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: uri,
    type: "FeaturedCollection",
    attributedTo: owner.uri,
    name: `Fine <b>people</b> ${serial}`,
    summary: "<p>whom I <b>read</b></p>",
    url: `${new URL(owner.uri).origin}/collections/${serial}`,
    discoverable: true,
    topic: { type: "Hashtag", name: "#birds" },
    totalItems: items.length,
    orderedItems: items.map(([featuredObject, featureAuthorization], n) => ({
      id: `${uri}/items/${n}`,
      type: "FeaturedItem",
      featuredObject,
      featureAuthorization,
    })),
    ...more,
  };
  const server = owner === mallory ? otherPeer : peer;
  server.documents.set(new URL(uri).pathname, collection);
  return collection;
};

/** Serves the consent of an actor to be in a collection. */
const consent = (actor: PeerActor, collectionUri: unknown, more: Json = {}): string => {
  serial += 1;
  const id = `${actor.uri}/stamps/${serial}`;
  const server = actor === mallory ? otherPeer : peer;
  server.documents.set(new URL(id).pathname, {
    "@context": "https://www.w3.org/ns/activitystreams",
    id,
    type: "FeatureAuthorization",
    interactingObject: collectionUri,
    interactionTarget: actor.uri,
    ...more,
  });
  return id;
};

const adds = (owner: PeerActor, object: unknown, target = `${owner.uri}/featured_collections`) =>
  send(owner, { type: "Add", object, target });

/** The id here of a collection of another server; null: it is not stored. */
const stored = async (uri: unknown): Promise<string | null> => {
  const [row] = await test.app.sql<{ id: string }[]>`
    SELECT id FROM collections WHERE uri = ${String(uri)}`;
  return row?.id ?? null;
};

before(async () => {
  await openWorld();
  await Promise.all([discoverable(alice), discoverable(carol)]);
});
after(closeWorld);
beforeEach(async () => {
  calmWorld();
  await test.write`DELETE FROM collections`;
});

it("an account says truthfully who may feature it", async () => {
  const approval = async (actor: PeerActor) => {
    const json = await carol.get(`/api/v1/accounts/${await idOfActor(actor)}`).done();
    assertEntity("Account", json);
    return json.feature_approval;
  };
  assert.deepEqual(await approval(bob), { automatic: [], manual: [], current_user: "missing" });
  await allows(bob, PUBLIC);
  assert.deepEqual(await approval(bob), {
    automatic: ["public"],
    manual: [],
    current_user: "automatic",
  });
  await allows(bob, [bob.uri]);
  assert.deepEqual(await approval(bob), { automatic: [], manual: [], current_user: "denied" });
  await allows(bob, `${bob.uri}/followers`);
  const followers = await approval(bob);
  assert.deepEqual(followers.automatic, ["followers"]);
  assert.equal(followers.current_user, "denied");
  // alice follows bob, and is told so wherever she looks for accounts.
  const id = await idOfActor(bob);
  const rights = async (path: string) => {
    const { json } = await alice.get(path);
    const [account] = [json.accounts ?? json].flat();
    return account.feature_approval.current_user;
  };
  for (const path of [
    `/api/v1/accounts/${id}`,
    `/api/v1/accounts?id[]=${id}`,
    `/api/v1/accounts/lookup?acct=bob@${peer.host}`,
    `/api/v1/accounts/search?q=bob@${peer.host}`,
    `/api/v2/search?q=bob@${peer.host}&type=accounts`,
  ]) {
    assert.equal(await rights(path), "automatic", path);
  }
});

it("somebody elsewhere is asked, and is in the collection once their server agrees", async () => {
  await allows(bob, [PUBLIC]);
  const { id, uri } = await make(alice);
  taken("");
  const bobId = await idOfActor(bob);
  const added = await alice.post(`/api/v1/collections/${id}/items`, { account_id: bobId }).done();
  assert.equal(added.collection_item.state, "pending");
  const [request] = taken("FeatureRequest");
  assert.deepEqual(
    [request.actor, request.object, request.instrument],
    [uriOf(alice), bob.uri, uri],
  );
  assert.deepEqual(accountsIn(await shown(id)), []);
  assert.deepEqual(accountsIn(await shown(id, alice)), [bobId]);
  const stamp = consent(bob, uri);
  await send(bob, { type: "Accept", object: request.id, result: stamp });
  assert.deepEqual(accountsIn(await shown(id)), [bobId]);
  // Those in it are told, and the document names what others can check.
  const [add] = taken("Add");
  assert.deepEqual([add.target, add.object.featureAuthorization], [uri, stamp]);
  const { json } = await document(uri);
  assert.deepEqual(
    json.orderedItems.map((item: any) => [item.featuredObject, item.featureAuthorization]),
    [[bob.uri, stamp]],
  );
  await send(bob, { type: "Delete", object: { id: stamp, type: "FeatureAuthorization" } });
  assert.deepEqual(accountsIn(await shown(id)), []);
  assert.equal(taken("Remove")[0].target, uri);
  const again = await alice.post(`/api/v1/collections/${id}/items`, { account_id: bobId });
  assert.equal(again.status, 422);
});

it("who does not allow it is not asked; who refuses is not shown", async () => {
  const { id } = await make(alice);
  const item = async (actor: PeerActor) => {
    const json = { account_id: await idOfActor(actor) };
    const answer = await alice.post(`/api/v1/collections/${id}/items`, json);
    await test.runJobs();
    return answer;
  };
  await allows(bob, [bob.uri]);
  taken("");
  assert.equal((await item(bob)).status, 422);
  assert.equal((await item(eve)).status, 422);
  await allows(bob, `${bob.uri}/followers`);
  // alice follows bob.
  assert.equal((await item(bob)).status, 200);
  const [request] = taken("FeatureRequest");
  await send(bob, { type: "Reject", object: { id: request.id, type: "FeatureRequest" } });
  assert.deepEqual(accountsIn(await shown(id, alice)), []);
});

it("an answer of somebody who was not asked, or with another's consent, counts for nothing", async () => {
  await allows(bob, PUBLIC);
  const { id, uri } = await make(alice, { account_ids: [await idOfActor(bob)] });
  const [request] = taken("FeatureRequest");
  await send(eve, { type: "Accept", object: request.id, result: consent(eve, uri) });
  await send(bob, { type: "Accept", object: request.id, result: consent(mallory, uri) });
  await send(bob, { type: "Accept", object: request.id });
  await send(eve, { type: "Reject", object: request.id });
  assert.deepEqual(accountsIn(await shown(id)), []);
  assert.equal((await shown(id, alice)).items.length, 1);
});

it("somebody here is put in a collection elsewhere, if they allow it, and can leave", async () => {
  const collection = collectionOf(eve);
  const id = nextId(eve);
  const request = {
    id,
    type: "FeatureRequest",
    object: uriOf(alice),
    instrument: collection["id"],
  };
  taken("");
  await send(eve, request);
  const [accept] = taken("Accept");
  assert.deepEqual([accept.actor, accept.object.id], [uriOf(alice), id]);
  const proof = await document(accept.result).ok();
  const { "@context": _, ...members } = proof;
  assert.deepEqual(members, {
    id: accept.result,
    type: "FeatureAuthorization",
    attributedTo: uriOf(alice),
    interactingObject: collection["id"],
    interactionTarget: uriOf(alice),
  });
  const known = (await stored(collection["id"]))!;
  const entity = await shown(known);
  assert.deepEqual(
    [entity.local, entity.uri, entity.url, entity.name, entity.description, entity.tag.name],
    [false, collection["id"], collection["url"], collection["name"], "whom I read", "birds"],
  );
  assert.deepEqual(accountsIn(entity), [alice.accountId]);
  const notices = await alice.get("/api/v1/notifications?types[]=added_to_collection").done();
  assert.equal(notices[0].collection.id, known);
  assertEntity("Notification", notices[0]);
  const mine = await alice.get(`/api/v1/accounts/${alice.accountId}/in_collections`).done();
  assert.equal(mine.collections[0].id, known);
  // The item that follows names it; a list without others changes nothing.
  const item = {
    id: `${String(collection["id"])}/items/9`,
    type: "FeaturedItem",
    featuredObject: uriOf(alice),
    featureAuthorization: accept.result,
  };
  await send(eve, { type: "Update", object: collection });
  await adds(eve, item, String(collection["id"]));
  assert.deepEqual(accountsIn(await shown(known)), [alice.accountId]);
  await send(eve, { type: "Update", object: { ...collection, orderedItems: [item] } });
  assert.deepEqual(accountsIn(await shown(known)), [alice.accountId]);
  await document(accept.result).ok();

  const [listed] = (await shown(known)).items;
  taken("");
  await alice.post(`/api/v1/collections/${known}/items/${listed.id}/revoke`).done();
  const [gone] = taken("Delete");
  assert.deepEqual([gone.actor, gone.object.id], [uriOf(alice), accept.result]);
  assert.equal((await document(accept.result)).status, 404);
  assert.deepEqual(accountsIn(await shown(known)), []);
  await send(eve, { ...request, id: nextId(eve) });
  assert.equal(taken("Reject").length, 1);
  await adds(eve, item, String(collection["id"]));
  assert.deepEqual(accountsIn(await shown(known)), []);
});

it("a request is refused for who does not want it, and for another's collection", async () => {
  const collection = collectionOf(eve);
  const refused = async (actor: PeerActor, object: string): Promise<void> => {
    taken("");
    await send(actor, { type: "FeatureRequest", object, instrument: collection["id"] });
    assert.deepEqual([taken("Reject", actor === mallory ? otherPeer : peer).length], [1]);
  };
  await carol.patch("/api/v1/accounts/update_credentials", { discoverable: false }).done();
  await refused(eve, uriOf(carol));
  await discoverable(carol);
  await carol.patch("/api/v1/accounts/update_credentials", { locked: true }).done();
  await carol.post(`/api/v1/accounts/${await idOfActor(eve)}/remove_from_followers`).done();
  await refused(eve, uriOf(carol));
  await carol.patch("/api/v1/accounts/update_credentials", { locked: false }).done();
  await refused(bob, uriOf(alice));
  await alice.post(`/api/v1/accounts/${await idOfActor(eve)}/block`).done();
  await refused(eve, uriOf(alice));
  await alice.post(`/api/v1/accounts/${await idOfActor(eve)}/unblock`).done();
});

it("a collection of somebody who is followed here is read, with those who agreed", async () => {
  const uri = `${bob.uri}/featured/${serial + 1}`;
  const collection = collectionOf(bob, []);
  assert.equal(collection["id"], uri);
  const people: [string, string][] = [
    [eve.uri, consent(eve, uri)],
    // Of another collection, of another server, of none.
    [mallory.uri, consent(mallory, `${uri}0`)],
    [bob.uri, consent(mallory, uri, { interactionTarget: bob.uri })],
    [uriOf(carol), `${test.url}/ap/1/feature_authorizations/1`],
  ];
  collection["orderedItems"] = people.map(([featuredObject, featureAuthorization], n) => ({
    id: `${uri}/items/${n}`,
    type: "FeaturedItem",
    featuredObject,
    featureAuthorization,
  }));
  await adds(bob, collection);
  const id = (await stored(uri))!;
  assert.deepEqual(accountsIn(await shown(id)), [await idOfActor(eve)]);
  const list = await test.visitor
    .get(`/api/v1/accounts/${await idOfActor(bob)}/collections`)
    .done();
  assert.deepEqual(
    list.collections.map((collection: any) => collection.id),
    [id],
  );
  // Changed, emptied, deleted by its owner, and by nobody else.
  await send(bob, { type: "Update", object: { ...collection, name: "Others" } });
  assert.equal((await shown(id)).name, "Others");
  await send(eve, { type: "Update", object: { ...collection, name: "Hers" } });
  await send(eve, { type: "Remove", object: `${uri}/items/0`, target: uri });
  await send(eve, { type: "Remove", object: uri, target: `${bob.uri}/featured_collections` });
  await send(eve, { type: "Delete", object: uri });
  assert.equal((await shown(id)).name, "Others");
  assert.equal((await shown(id)).item_count, 1);
  await send(bob, { type: "Remove", object: `${uri}/items/0`, target: uri });
  assert.equal((await shown(id)).item_count, 0);
  await send(bob, { type: "Remove", object: uri, target: `${bob.uri}/featured_collections` });
  assert.equal(await stored(uri), null);
});

it("who is in it takes the consent back", async () => {
  const uri = `${bob.uri}/featured/${serial + 1}`;
  const collection = collectionOf(bob);
  const stamp = consent(eve, uri);
  await adds(bob, collection);
  const id = (await stored(uri))!;
  const item = { id: `${uri}/items/1`, type: "FeaturedItem", featuredObject: eve.uri };
  await adds(bob, { ...item, featureAuthorization: stamp }, uri);
  assert.equal((await shown(id)).item_count, 1);
  await send(mallory, { type: "Delete", object: stamp });
  assert.equal((await shown(id)).item_count, 1);
  await send(eve, { type: "Delete", object: { id: stamp, type: "FeatureAuthorization" } });
  assert.equal((await shown(id)).item_count, 0);
});

it("nothing is stored of strangers, of others' collections and of what is too much", async () => {
  await allows(eve, PUBLIC);
  const strange = collectionOf(eve);
  await adds(eve, strange);
  assert.equal(await stored(strange["id"]), null);
  const others = collectionOf(mallory);
  await adds(bob, others);
  await adds(bob, { ...others, attributedTo: bob.uri });
  assert.equal(await stored(others["id"]), null);
  await adds(bob, { ...collectionOf(bob), id: `${test.url}/ap/1/collections/1` });
  const many = collectionOf(bob);
  many["orderedItems"] = Array.from({ length: 400 }, (_, n) => ({
    id: `${String(many["id"])}/items/${n}`,
    type: "FeaturedItem",
    featuredObject: `${otherPeer.origin}/users/u${n}`,
    featureAuthorization: `${peer.origin}/stamps/${n}`,
  }));
  otherPeer.received.length = 0;
  await adds(bob, many);
  const { item_count: count } = await shown((await stored(many["id"]))!);
  assert.equal(count, 0);
  // The consent is on another host than the person: nobody is asked.
  assert.equal(otherPeer.received.length, 0);
});

it("a search finds a collection by its address, here and elsewhere", async () => {
  const search = async (q: string, who: Person | null = carol) => {
    const query = new URLSearchParams({ q, ...(who && { resolve: "true" }) });
    const json = await (who ?? test.visitor).get(`/api/v2/search?${query}`).done();
    assertEntity("Search", json);
    return json.collections;
  };
  const own = await make(alice, { discoverable: false });
  for (const address of [own.uri, own.url]) {
    for (const who of [carol, null]) assert.equal((await search(address, who))[0].id, own.id);
  }
  const far = collectionOf(eve);
  assert.deepEqual(await search(String(far["id"]), null), []);
  const [collection] = await search(String(far["id"]));
  assert.deepEqual([collection.uri, collection.local], [far["id"], false]);
  assert.equal((await search(String(far["url"])))[0].id, collection.id);
  // A post from elsewhere that links to it shows it.
  const note = await create(bob, { content: `<p><a href="${String(far["url"])}">it</a></p>` });
  const { id } = (await statusByUri(note["id"]))!;
  const json = await test.visitor.get(`/api/v1/statuses/${id}`).done();
  assertEntity("Status", json);
  assert.deepEqual(
    json.tagged_collections.map((collection: any) => collection.id),
    [collection.id],
  );
});

it("a block ends what is between two; suspended people are not shown", async () => {
  await allows(bob, PUBLIC);
  const bobId = await idOfActor(bob);
  const { id, uri } = await make(alice, { account_ids: [bobId, carol.accountId] });
  const [request] = taken("FeatureRequest");
  await send(bob, { type: "Accept", object: request.id, result: consent(bob, uri) });
  assert.equal((await shown(id)).item_count, 2);
  await test.write`UPDATE accounts SET suspended_at = now() WHERE id = ${bobId}`;
  assert.deepEqual(accountsIn(await shown(id)), [carol.accountId]);
  await test.write`UPDATE accounts SET suspended_at = NULL WHERE id = ${bobId}`;
  await carol.post(`/api/v1/accounts/${alice.accountId}/block`).done();
  assert.deepEqual(accountsIn(await shown(id)), [bobId]);
  await carol.post(`/api/v1/accounts/${alice.accountId}/unblock`).done();
  assert.deepEqual(accountsIn(await shown(id)), [bobId]);
});

it("reports name collections, both ways", async () => {
  const far = collectionOf(bob);
  await adds(bob, far);
  const id = (await stored(far["id"]))!;
  taken("");
  const report = { account_id: await idOfActor(bob), collection_ids: [id], forward: true };
  await carol.post("/api/v1/reports", report).done();
  assert.deepEqual(taken("Flag")[0].object, [bob.uri, far["id"]]);
  const own = await make(alice);
  await send(eve, { type: "Flag", object: [own.uri], content: "look" });
  const [row] = await test.app.sql<{ target_account_id: string; collection_ids: string[] }[]>`
    SELECT target_account_id, collection_ids::text[] AS collection_ids FROM reports
    ORDER BY id DESC LIMIT 1`;
  assert.deepEqual(row, { target_account_id: alice.accountId, collection_ids: [own.id] });
});

it("those in its collections hear of an account that is deleted", async () => {
  await allows(bob, PUBLIC);
  const owner = await test.person("leaver");
  const { uri } = await make(owner, { account_ids: [await idOfActor(bob)] });
  const [request] = taken("FeatureRequest");
  await send(bob, { type: "Accept", object: request.id, result: consent(bob, uri) });
  taken("");
  await removeAccount(test.app, owner.accountId);
  await test.runJobs();
  assert.deepEqual(
    taken("Delete").map((activity) => activity.object),
    [uriOf(owner)],
  );
});

it("followers elsewhere hear of listed collections, and of unlisted ones nobody but those in it", async () => {
  await send(bob, { type: "Follow", object: uriOf(alice) });
  taken("");
  const hidden = await make(alice, { discoverable: false });
  await alice.patch(`/api/v1/collections/${hidden.id}`, { name: "Still hidden" }).done();
  assert.deepEqual(
    peer.inbox().map((activity) => activity["type"]),
    [],
  );
  await alice.patch(`/api/v1/collections/${hidden.id}`, { discoverable: true }).done();
  const [add] = taken("Add");
  assert.deepEqual([add.object.id, add.object.name], [hidden.uri, "Still hidden"]);
  assert.equal(add.target, `${test.url}/ap/${alice.accountId}/featured_collections`);
  await alice.patch(`/api/v1/collections/${hidden.id}`, { name: "Shown" }).done();
  assert.equal(taken("Update")[0].object.name, "Shown");
  await alice.patch(`/api/v1/collections/${hidden.id}`, { discoverable: false }).done();
  assert.equal(taken("Update")[0].object.discoverable, false);
  await alice.patch(`/api/v1/collections/${hidden.id}`, { discoverable: true }).done();
  taken("");
  await alice.delete(`/api/v1/collections/${hidden.id}`).done();
  assert.deepEqual(
    taken("Remove").map((activity) => activity.object),
    [hidden.uri],
  );
});

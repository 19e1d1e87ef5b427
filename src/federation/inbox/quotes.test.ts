// Quotes between servers: requests, approval, verification by others, and revocation (FEP-044f).

import assert from "node:assert/strict";
import { after, before, beforeEach, test as it } from "node:test";
import type { PeerActor } from "../../../test/fake-peer.ts";
import {
  alice,
  bob,
  calmWorld,
  carol,
  closeWorld,
  create,
  otherPeer,
  eve,
  followed,
  mallory,
  nextId,
  note,
  openWorld,
  peer,
  post,
  send,
  statusByUri,
  test,
  uriOf,
} from "../../../test/inbox-world.ts";
import type { Json } from "../../../test/inbox-world.ts";
import { assertEntity } from "../../../test/schema.ts";

before(openWorld);
after(closeWorld);
beforeEach(calmWorld);

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
const quotable = { interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } } };
const mine = (policy = "public") => post(alice, "mine", { quote_approval_policy: policy });

const show = async (id: string, token: string | null = null): Promise<any> => {
  const { json } = await test.as(token).get(`/api/v1/statuses/${id}`);
  assertEntity("Status", json);
  return json;
};
const quoteOf = async (uri: unknown) => {
  const row = await statusByUri(uri);
  return row ? (await show(row.id)).quote : undefined;
};
const stateOf = async (uri: unknown): Promise<string> => {
  const [row] = await test.app.sql<{ state: string }[]>`
    SELECT q.state FROM quotes q JOIN statuses s ON s.id = q.status_id WHERE s.uri = ${String(uri)}`;
  return row?.state ?? "none";
};
/** The activities that the peer received since the last call. */
const taken = (type: string): any[] => {
  const activities = peer.inbox().filter((activity) => activity["type"] === type);
  peer.received.length = 0;
  return activities;
};

const asks = async (actor: PeerActor, instrument: unknown, object: string): Promise<string> => {
  const id = nextId(actor);
  await send(actor, { id, type: "QuoteRequest", object, instrument });
  return id;
};

it("a request is accepted by the policy, with an authorization that anybody can check", async () => {
  const quoted = await mine();
  const quoting = note(bob, { quote: quoted.uri });
  taken("");
  const request = await asks(bob, quoting, quoted.uri);
  const [accept] = taken("Accept");
  assert.deepEqual(accept.object, {
    type: "QuoteRequest",
    id: request,
    actor: bob.uri,
    object: quoted.uri,
    instrument: quoting["id"],
  });
  const document = await test.visitor.get(new URL(accept.result).pathname, {
    accept: "application/activity+json",
  });
  assert.equal(document.status, 200, document.text);
  assert.match(document.headers.get("content-type")!, /activity\+json/);
  const { "@context": _, ...members } = JSON.parse(document.text);
  assert.deepEqual(members, {
    id: accept.result,
    type: "QuoteAuthorization",
    attributedTo: uriOf(alice),
    interactingObject: quoting["id"],
    interactionTarget: quoted.uri,
  });
  assert.equal((await quoteOf(quoting["id"])).quoted_status.id, quoted.id);
  assert.equal((await show(quoted.id)).quotes_count, 1);
  const { json } = await alice.get("/api/v1/notifications?types[]=quote");
  assert.equal(json[0].status.uri, quoting["id"]);
  assertEntity("Notification", json[0]);

  const { id } = (await statusByUri(quoting["id"]))!;
  await alice.post(`/api/v1/statuses/${quoted.id}/quotes/${id}/revoke`);
  await test.runJobs();
  const [gone] = taken("Delete");
  assert.equal(gone.object.id, accept.result);
  assert.equal(gone.actor, uriOf(alice));
  assert.equal((await test.visitor.get(new URL(accept.result).pathname)).status, 404);
  assert.equal((await quoteOf(quoting["id"])).state, "revoked");
  await asks(bob, quoting, quoted.uri);
  assert.equal(taken("Reject").length, 1);
  assert.equal(await stateOf(quoting["id"]), "revoked");
});

it("the post that asks may be known, or have to be fetched", async () => {
  const quoted = await mine();
  const known = await create(bob, { quote: quoted.uri });
  assert.deepEqual(await quoteOf(known["id"]), { state: "pending", quoted_status: null });
  await asks(bob, known["id"], quoted.uri);
  assert.equal(await stateOf(known["id"]), "accepted");
  const fetched = note(bob, { quote: quoted.uri });
  await asks(bob, fetched["id"], quoted.uri);
  assert.equal(await stateOf(fetched["id"]), "accepted");
});

it("who may not quote is refused: the policy, the blocked, what does not quote, other authors' posts", async () => {
  const refused = async (actor: PeerActor, instrument: Json, quotedUri: string) => {
    taken("");
    await asks(actor, instrument, quotedUri);
    assert.equal(taken("Accept").length, 0);
    assert.notEqual(await stateOf(instrument["id"]), "accepted");
  };
  const closed = await mine("nobody");
  const quoting = await create(bob, { quote: closed.uri });
  await refused(bob, quoting, closed.uri);
  assert.equal(await stateOf(quoting["id"]), "rejected");
  const forFollowers = await mine("followers");
  await refused(bob, note(bob, { quote: forFollowers.uri }), forFollowers.uri);
  const open = await mine();
  await refused(bob, note(bob), open.uri);
  await refused(bob, note(eve, { quote: open.uri }), open.uri);
  const secret = await post(alice, "psst", { visibility: "private" });
  await refused(bob, note(bob, { quote: secret.uri }), secret.uri);
  const [row] = await test.app.sql<
    { id: string }[]
  >`SELECT id FROM accounts WHERE uri = ${eve.uri}`;
  await alice.post(`/api/v1/accounts/${row!.id}/block`);
  await test.runJobs();
  await refused(eve, note(eve, { quote: open.uri }), open.uri);
  await alice.post(`/api/v1/accounts/${row!.id}/unblock`);
  await test.runJobs();
});

/** Alice quotes a post of Bob's; gives hers, and the request that went out. */
const quotesBob = async () => {
  const remote = await create(bob, quotable);
  const { id } = (await statusByUri(remote["id"]))!;
  assert.equal((await show(id, alice.token)).quote_approval.current_user, "automatic");
  taken("");
  const local = await post(alice, "look at this", { quoted_status_id: id });
  const requests = taken("QuoteRequest");
  assert.equal(requests.length, 1);
  return { local, remote, request: requests[0] };
};

const accepts = (actor: PeerActor, request: any, result: string) =>
  send(actor, {
    type: "Accept",
    object: { ...request, instrument: request.instrument.id },
    result,
  });

it("a local post is shown with its quote when the quoted author approves", async () => {
  const { local, remote, request } = await quotesBob();
  assert.equal(request.object, remote["id"]);
  assert.equal(request.instrument.id, local.uri);
  for (const name of ["quote", "quoteUri", "quoteUrl", "_misskey_quote"]) {
    assert.equal(request.instrument[name], remote["id"], name);
  }
  assert.equal((await show(local.id)).quote.state, "pending");

  const authorization = `${bob.uri}/authorizations/1`;
  await accepts(eve, request, authorization);
  await accepts(mallory, request, `${mallory.uri}/authorizations/1`);
  await accepts(bob, request, `${mallory.uri}/authorizations/1`);
  assert.equal((await show(local.id)).quote.state, "pending");

  taken("");
  await accepts(bob, request, authorization);
  assert.equal((await show(local.id)).quote.state, "accepted");
  await followed(carol, bob);
  await send(bob, { type: "Follow", object: uriOf(alice) });
  taken("");
  await alice.put(`/api/v1/statuses/${local.id}`, { status: "edited" });
  await test.runJobs();
  const [update] = taken("Update");
  assert.equal(update.object.quoteAuthorization, authorization);
  assert.match(update.object.content, /class="quote-inline"/);

  // Another server that has the post cannot end it, its author can.
  await send(eve, { type: "Delete", object: authorization });
  assert.equal((await show(local.id)).quote.state, "accepted");
  await send(bob, { type: "Delete", object: { id: authorization, type: "QuoteAuthorization" } });
  assert.equal((await show(local.id)).quote.state, "revoked");
  assert.equal(taken("Update").at(-1).object.quote, undefined);
});

it("a change of who may quote is sent to the servers that have the post", async () => {
  await send(bob, { type: "Follow", object: uriOf(alice) });
  const { id, uri } = await mine();
  taken("");
  await alice.put(`/api/v1/statuses/${id}/interaction_policy`, {
    quote_approval_policy: "followers",
  });
  await test.runJobs();
  const policies = taken("Update")
    .filter((update) => update.object.id === uri)
    .map((update) => update.object.interactionPolicy.canQuote);
  assert.deepEqual(policies, [{ automaticApproval: [`${uriOf(alice)}/followers`] }]);
});

it("what its author refuses is not shown", async () => {
  const { local, request } = await quotesBob();
  await send(eve, { type: "Reject", object: request.id });
  assert.equal((await show(local.id)).quote.state, "pending");
  await send(bob, { type: "Reject", object: request.id });
  assert.equal((await show(local.id)).quote.state, "rejected");
});

it("who has no policy, or names others, is not quoted; who decides by hand is asked", async () => {
  const rightTo = async (canQuote: unknown) => {
    const theirs = await create(bob, canQuote ? { interactionPolicy: { canQuote } } : {});
    const { id } = (await statusByUri(theirs["id"]))!;
    const { quote_approval } = await show(id, alice.token);
    const { status } = await alice.post("/api/v1/statuses", { status: "x", quoted_status_id: id });
    return [quote_approval.automatic, quote_approval.manual, quote_approval.current_user, status];
  };
  const followers = `${bob.uri}/followers`;
  assert.deepEqual(await rightTo(null), [[], [], "denied", 403]);
  assert.deepEqual(await rightTo({ automaticApproval: bob.uri }), [[], [], "denied", 403]);
  assert.deepEqual(await rightTo({ manualApproval: [PUBLIC] }), [[], ["public"], "manual", 200]);
  assert.deepEqual(await rightTo({ automaticApproval: followers, manualApproval: PUBLIC }), [
    ["followers"],
    ["public"],
    "automatic",
    200,
  ]);
  assert.deepEqual(await rightTo({ automaticApproval: [mallory.uri] }), [
    ["unsupported_policy"],
    [],
    "unknown",
    200,
  ]);
});

const authorizationFor = (quoting: string, target: string, members: Json = {}): string => {
  const path = `/authorizations/${Math.random()}`;
  otherPeer.documents.set(path, {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: `${otherPeer.origin}${path}`,
    type: "QuoteAuthorization",
    attributedTo: mallory.uri,
    interactingObject: quoting,
    interactionTarget: target,
    ...members,
  });
  return `${otherPeer.origin}${path}`;
};

it("a quote of a third server's post needs an authorization that its author's server confirms", async () => {
  const target = otherPeer.note(mallory, "/notes/quoted");
  const uri = String(target["id"]);
  const withAuthorization = async (make: (quoting: string) => string) => {
    const object = note(bob, { quote: uri });
    const whole = { ...object, quoteAuthorization: make(String(object["id"])) };
    peer.documents.set(new URL(String(object["id"])).pathname, whole);
    await send(bob, { type: "Create", object: whole });
    return object["id"];
  };
  const good = await withAuthorization((id) => authorizationFor(id, uri));
  const { quoted_status, state } = await quoteOf(good);
  assert.deepEqual([state, quoted_status.uri], ["accepted", uri]);
  for (const make of [
    (id: string) => authorizationFor(id, `${uri}-other`),
    () => authorizationFor(`${peer.origin}/notes/other`, uri),
    (id: string) => authorizationFor(id, uri, { attributedTo: bob.uri }),
    (id: string) => authorizationFor(id, uri, { type: "Note" }),
    () => `${peer.origin}/notes/1`,
    () => `${otherPeer.origin}/authorizations/none`,
  ]) {
    assert.deepEqual(await quoteOf(await withAuthorization(make)), {
      state: "pending",
      quoted_status: null,
    });
  }
  const [row] = await test.app.sql<{ approval_uri: string }[]>`
    SELECT q.approval_uri FROM quotes q JOIN statuses s ON s.id = q.status_id WHERE s.uri = ${String(good)}`;
  await send(eve, { type: "Delete", object: row!.approval_uri });
  assert.equal(await stateOf(good), "accepted");
  await send(mallory, { type: "Delete", object: row!.approval_uri });
  assert.equal(await stateOf(good), "revoked");
});

it("the authorization may come later, by an update, and go the same way", async () => {
  const target = otherPeer.note(mallory, "/notes/later");
  const object = await create(bob, { quote: target["id"] });
  assert.equal(await stateOf(object["id"]), "pending");
  const update = (members: Json) =>
    send(bob, { type: "Update", object: { ...object, ...members }, to: [PUBLIC] });
  const quoteAuthorization = authorizationFor(String(object["id"]), String(target["id"]));
  await update({ quoteAuthorization });
  assert.equal(await stateOf(object["id"]), "accepted");
  await update({});
  assert.equal(await stateOf(object["id"]), "revoked");
});

it("an authorization is served to those who may see the quoting post, under its author's name", async () => {
  const { json: open } = await alice.post("/api/v1/statuses", { status: "quoted" });
  const own = await post(alice, "mine", { quoted_status_id: open.id, visibility: "private" });
  const [row] = await test.app.sql<{ approval_uri: string }[]>`
    SELECT approval_uri FROM quotes WHERE status_id = ${own.id}`;
  const path = new URL(row!.approval_uri).pathname;
  assert.equal((await test.visitor.get(path)).status, 404);
  await test.write`UPDATE statuses SET visibility = 'public' WHERE id = ${own.id}`;
  await test.visitor.get(path).ok();
  assert.equal((await test.visitor.get(path.replace("alice", "carol"))).status, 404);
  for (const id of ["1", "x", "9".repeat(30)]) {
    const { status } = await test.visitor.get(`/users/alice/quote_authorizations/${id}`);
    assert.equal(status, 404, id);
  }
});

it("one's own posts, and posts that mention one, need no approval", async () => {
  const own = await create(bob);
  const quoting = await create(bob, { quote: own["id"] });
  assert.equal((await quoteOf(quoting["id"])).quoted_status.uri, own["id"]);
  const naming = await post(alice, `hello @bob@${peer.host}`);
  const named = await create(bob, { quote: naming.uri });
  assert.equal(await stateOf(named["id"]), "accepted");
});

it("quotes without a request are shown where everybody may quote, and only there", async () => {
  const [open, closed] = [await mine(), await mine("nobody")];
  for (const name of ["quoteUrl", "quoteUri", "_misskey_quote"]) {
    assert.equal(await stateOf((await create(bob, { [name]: open.uri }))["id"]), "accepted", name);
    const refused = await create(bob, { [name]: closed.uri });
    assert.equal(await stateOf(refused["id"]), "pending", name);
    assert.equal(await quoteOf(refused["id"]), null);
  }
});

it("an update that quotes something else is judged again; one without takes the quote away", async () => {
  const [first, second] = [await mine(), await mine("nobody")];
  const object = await create(bob, { quoteUrl: first.uri });
  assert.equal((await show(first.id)).quotes_count, 1);
  const update = (members: Json) =>
    send(bob, { type: "Update", object: { ...object, ...members }, to: [PUBLIC] });
  await update({ quoteUrl: second.uri });
  assert.equal(await stateOf(object["id"]), "pending");
  assert.equal((await show(first.id)).quotes_count, 0);
  await update({ quoteUrl: undefined });
  assert.equal(await stateOf(object["id"]), "none");
});

it("a chain of quotes is followed two steps, however long it is", async () => {
  const last = 9;
  for (let n = 0; n < last; n++) {
    const quote = `${otherPeer.origin}/chain/${n + 1}`;
    otherPeer.note(mallory, `/chain/${n}`, { quote });
  }
  otherPeer.note(mallory, `/chain/${last}`);
  await create(bob, { quote: `${otherPeer.origin}/chain/0` });
  const requests = otherPeer.received.filter(({ path }) => path.startsWith("/chain/"));
  assert.deepEqual(
    requests.map(({ path }) => path),
    ["/chain/0", "/chain/1"],
  );
});

it("a deleted post takes its quotes' counts and contents with it", async () => {
  const quoted = await mine();
  const quoting = await create(bob, { quoteUrl: quoted.uri });
  assert.equal((await show(quoted.id)).quotes_count, 1);
  await send(bob, { type: "Delete", object: quoting["id"] });
  assert.equal((await show(quoted.id)).quotes_count, 0);
  const theirs = await create(bob);
  const again = await create(bob, { quote: theirs["id"] });
  await send(bob, { type: "Delete", object: theirs["id"] });
  assert.deepEqual(await quoteOf(again["id"]), { state: "deleted", quoted_status: null });
});

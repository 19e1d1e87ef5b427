// A server that had another name: what others know under it is answered, what they say of it is understood, and nobody
// can claim it.

import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import * as w from "../../test/inbox-world.ts";
import { signRequest } from "./signatures/sign.ts";

const HOUR_MS = 3_600_000;
const ACTIVITY = { accept: "application/activity+json" };
let old = "";
let oldPost: { id: string; uri: string };

before(async () => {
  await w.openMovedWorld((port) => {
    const name = `localhost:${port}`;
    old = `http://${name}`;
    const names = { localDomain: name, webDomain: name, https: false, origin: old };
    return [{ ...names, until: new Date(Date.now() + HOUR_MS) }];
  });
  oldPost = await w.post(w.alice, "before");
  w.test.app.config.site.former[0]!.until = new Date(Date.now() + 1);
});
after(w.closeWorld);
beforeEach(w.calmWorld);

const get = (path: string, headers: Record<string, string> = {}) =>
  w.test.visitor.get(`${old}${path}`, headers);

const formerOf = (uri: string) => uri.replace(w.test.url, old);
const oldAlice = () => `${old}/users/alice`;

test("an actor is at its old address with its old ids and the same key, and says where it is now", async () => {
  const { json: before, headers } = await get("/users/alice", ACTIVITY);
  const { json: now } = await w.test.visitor.get("/users/alice", ACTIVITY);
  assert.match(headers.get("content-type")!, /activity\+json/);
  assert.deepEqual(
    [before.id, before.inbox, before.endpoints.sharedInbox, before.movedTo, before.alsoKnownAs],
    [oldAlice(), `${oldAlice()}/inbox`, `${old}/inbox`, w.uriOf(w.alice), undefined],
  );
  const { id: keyId, owner } = before.publicKey;
  assert.deepEqual([keyId, owner], [`${oldAlice()}#main-key`, oldAlice()]);
  assert.equal(before.publicKey.publicKeyPem, now.publicKey.publicKeyPem);
  assert.equal(before.webfinger, `alice@${new URL(old).host}`);
  assert.deepEqual(
    [now.id, now.alsoKnownAs, now.movedTo],
    [w.uriOf(w.alice), [oldAlice()], undefined],
  );
});

test("both handles are found by WebFinger, each with its own actor, at either name", async () => {
  for (const [origin, self] of [
    [old, oldAlice()],
    [w.test.url, w.uriOf(w.alice)],
  ] as const) {
    const { host } = new URL(origin);
    for (const at of [old, w.test.url]) {
      for (const resource of [`acct:alice@${host}`, self]) {
        const path = `${at}/.well-known/webfinger?resource=${encodeURIComponent(resource)}`;
        const { json } = await w.test.visitor.get(path);
        assert.equal(json.subject, `acct:alice@${host}`, resource);
        assert.equal(json.links.find((link: w.Json) => link["rel"] === "self").href, self);
      }
    }
  }
});

test("a handle that stays, where only the addresses moved, is that of the present actor alone", async () => {
  const [names] = w.test.app.config.site.former;
  const before = names!.localDomain;
  names!.localDomain = new URL(w.test.url).host;
  for (const resource of [`acct:alice@${names!.localDomain}`, oldAlice()]) {
    const { json } = await get(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`);
    assert.equal(json.subject, `acct:alice@${names!.localDomain}`, resource);
    assert.equal(json.links.find((link: w.Json) => link["rel"] === "self").href, w.uriOf(w.alice));
  }
  const { json: actor } = await get("/users/alice", ACTIVITY);
  assert.deepEqual([actor.id, actor.movedTo], [oldAlice(), w.uriOf(w.alice)]);
  names!.localDomain = before;
});

test("a post of then is answered as it is known; a later one, collections and pages lead to the present name", async () => {
  const path = new URL(oldPost.uri).pathname;
  const { json } = await get(path, ACTIVITY);
  assert.deepEqual([json.id, json.attributedTo], [formerOf(oldPost.uri), oldAlice()]);
  assert.deepEqual(json.cc, [`${oldAlice()}/followers`]);
  w.test.app.config.site.former[0]!.until = new Date(0);
  for (const [asked, headers] of [
    [path, ACTIVITY],
    ["/users/alice/outbox", ACTIVITY],
    ["/@alice?x=1", {}],
    ["/media/none.png", {}],
  ] as const) {
    const { status, headers: answer } = await get(asked, headers);
    assert.deepEqual([status, answer.get("location")], [301, `${w.test.url}${asked}`], asked);
  }
  w.test.app.config.site.former[0]!.until = new Date(Date.now() + HOUR_MS);
});

test("apps go on with the old name, and what is sent there is taken", async () => {
  const path = `${old}/api/v1/accounts/verify_credentials`;
  const { status, json } = await w.alice.get(path);
  assert.deepEqual([status, json.url], [200, `${w.test.url}/@alice`]);
  const posted = await w.alice.post(`${old}/api/v1/statuses`, {
    status: `to @carol@${new URL(old).host}`,
  });
  assert.deepEqual(
    [posted.status, posted.json.mentions.map((mention: w.Json) => mention["url"])],
    [200, [`${w.test.url}/@carol`]],
  );
});

test("the inbox at the old name takes what is said of old addresses", async () => {
  const activity = {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: w.nextId(w.bob),
    actor: w.bob.uri,
    type: "Like",
    object: formerOf(oldPost.uri),
  };
  const { status, text } = await w.peer.post(`${oldAlice()}/inbox`, w.bob, activity);
  assert.equal(status, 202, text);
  const answer = await w.create(w.bob, {
    inReplyTo: formerOf(oldPost.uri),
    tag: [{ type: "Mention", href: oldAlice() }],
    cc: [oldAlice()],
  });
  const { json } = await w.test.visitor.get(`/api/v1/statuses/${oldPost.id}`);
  assert.deepEqual([json.favourites_count, json.replies_count], [1, 1]);
  const row = await w.statusByUri(answer["id"]);
  assert.equal(row?.in_reply_to_id, oldPost.id);
  const notifications = await w.alice.get("/api/v1/notifications?types[]=mention");
  assert.equal(notifications.json[0]?.status.id, row?.id);
});

test("an answer whose actor is an odd object is forwarded as it came", async () => {
  await w.send(w.mallory, { type: "Follow", object: w.uriOf(w.carol) });
  const parent = await w.post(w.carol, "what do you think?");
  const object = w.note(w.eve, { inReplyTo: parent.uri });
  const activity = {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: w.nextId(w.eve),
    type: "Create",
    actor: { id: w.eve.uri, toString: 1, valueOf: 1 },
    object,
  };
  await w.eve.deliver(w.test, activity);
  assert.ok(await w.statusByUri(object["id"]));
  const bodies = w.otherPeer.inbox().filter(({ id }) => id === activity.id);
  assert.deepEqual(bodies, [activity]);
});

test("old addresses and handles are found by search", async () => {
  for (const q of [oldAlice(), `${old}/@alice`, `@alice@${new URL(old).host}`]) {
    const path = `/api/v2/search?resolve=true&q=${encodeURIComponent(q)}`;
    const { json } = await w.carol.get(path);
    assert.deepEqual(
      json.accounts.map((account: w.Json) => account["id"]),
      [w.alice.accountId],
      q,
    );
  }
});

test("nobody acts in the old name: neither with a key from there, nor as an actor of it, nor with an id of it", async () => {
  const before = await w.world();
  const note = { id: `${old}/users/alice/statuses/1`, type: "Note", content: "x" };
  const activity = { type: "Create", object: { ...note, attributedTo: w.bob.uri } };
  await w.send(w.bob, activity);
  await w.send(w.bob, { type: "Create", object: { ...note, attributedTo: oldAlice() } });
  await w.send(w.bob, { type: "Delete", object: formerOf(oldPost.uri) });
  await w.send({ ...w.bob, uri: oldAlice() }, activity, 403);
  const body = JSON.stringify({ type: "Like", actor: w.bob.uri, object: oldPost.uri });
  const { host: _host, ...headers } = signRequest({
    method: "POST",
    url: w.inbox(),
    body,
    keyId: `${oldAlice()}#main-key`,
    privateKey: createPrivateKey(w.bob.privateKeyPem),
    contentType: "application/activity+json",
  });
  assert.equal((await fetch(w.inbox(), { method: "POST", headers, body })).status, 403);
  const { counts, texts, ...rest } = await w.world();
  assert.deepEqual(
    { counts: counts.slice(0, 7), texts, requests: rest.requests },
    { counts: before.counts.slice(0, 7), texts: before.texts, requests: before.requests },
  );
});

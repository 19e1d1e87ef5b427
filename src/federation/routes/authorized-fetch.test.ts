// AUTHORIZED_FETCH: documents are for signed requests alone.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { parsePrivateKey } from "../signatures/keys.ts";
import { signRequest } from "../signatures/sign.ts";

const accept = "application/activity+json";

let server: TestApp;
let peer: FakePeer;
let bob: PeerActor;
let alice: Person;
let status: string;

before(async () => {
  [server, peer] = await Promise.all([
    startTestApp({ env: { AUTHORIZED_FETCH: "true" } }),
    startPeer(),
  ]);
  bob = peer.actor("bob");
  alice = await server.person("alice");
  const json = { status: "hello" };
  const posted = await alice.post("/api/v1/statuses", json);
  status = `/users/alice/statuses/${posted.json.id}`;
});
after(async () => {
  await peer.close();
  await server.close();
});

const signed = (path: string, actor = bob, method = "GET") => {
  const { host: _host, ...headers } = signRequest({
    method,
    url: server.url + path,
    keyId: actor.keyId,
    privateKey: parsePrivateKey(actor.privateKeyPem),
    accept,
  });
  return server.visitor.send(method, path, undefined, headers);
};

const paths = () => [
  "/users/alice",
  "/users/alice/outbox?page=true",
  "/users/alice/followers",
  "/users/alice/collections/featured",
  status,
  `${status}/activity`,
  `${status}/replies`,
];

describe("documents", () => {
  it("are served to a signed request, and not shared by caches", async () => {
    for (const path of paths()) {
      const answer = await signed(path);
      assert.equal(answer.status, 200, path);
      assert.match(answer.headers.get("cache-control") ?? "", /private/);
      assert.match(answer.headers.get("vary") ?? "", /Signature/);
      const head = await signed(path, bob, "HEAD");
      const length = String(Buffer.byteLength(answer.text));
      assert.deepEqual([head.status, head.headers.get("content-length")], [200, length], path);
    }
  });

  it("but not to one without a signature, with another's, or of an actor that is not there", async () => {
    const gone = { ...bob, keyId: `${peer.origin}/users/gone#main-key` };
    const forged = { ...bob, privateKeyPem: peer.actor("eve", 1).privateKeyPem };
    for (const path of paths()) {
      const bare = await server.visitor.get(path, { accept });
      assert.equal(bare.status, 401, path);
      assert.match(bare.json.error, /signed/);
    }
    assert.equal((await signed(status, gone)).status, 401);
    assert.equal((await signed(status, forged)).status, 401);
    assert.equal((await signed("/users/nobody")).status, 404);
  });

  it("the server's own actor and people's pages stay open", async () => {
    await server.visitor.get("/actor", { accept }).ok();
    const headers = { accept: "text/html" };
    assert.equal((await server.visitor.get("/users/alice", headers)).status, 302);
    await server.visitor.get("/@alice", headers).ok();
    const finger = `/.well-known/webfinger?resource=acct:alice@${new URL(server.url).host}`;
    await server.visitor.get(finger).ok();
  });
});

it("no delivery has a signature that several servers share", async () => {
  const follow = { type: "Follow", actor: bob.uri, object: `${server.url}/users/alice` };
  await peer.post(`${server.url}/inbox`, bob, { id: `${bob.uri}#follow`, ...follow });
  await server.app.sql`
    INSERT INTO peers (host, software, version, checked_at)
    VALUES (${peer.host}, 'mastodon', '4.5.1', now())`;
  await server.runJobs();
  const json = { status: "to everybody" };
  await alice.post("/api/v1/statuses", json);
  await server.runJobs();
  const create = peer.received.findLast(({ path }) => path === "/inbox");
  assert.match(create!.body, /to everybody/);
  assert.match(
    String(create!.headers["signature"]),
    /headers="\(request-target\) host date digest/,
  );
});

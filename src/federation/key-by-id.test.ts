// Keys behind signatures: key and owner have to name each other.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TEST_KEYS } from "../../test/keys.ts";
import { accountRow, requestsFor, fresh, readingWorld } from "../../test/reading-world.ts";
import type { Json } from "../../test/reading-world.ts";
import { keyById } from "./key-by-id.ts";

const world = readingWorld();

describe("keys", () => {
  const keyDocument = (id: string, owner: string, pem = TEST_KEYS[0]!.publicKeyPem): Json => ({
    id,
    type: "CryptographicKey",
    owner,
    publicKeyPem: pem,
  });
  const apart = (name: string, keyPath: string) => {
    const actor = world.peer.actor(name);
    const id = `${world.peer.origin}${keyPath}`;
    actor.document["publicKey"] = { ...(actor.document["publicKey"] as Json), id };
    world.peer.documents.set(keyPath, keyDocument(id, actor.uri));
    return { actor, id };
  };
  const refused = { meaning: "unauthorized" };

  it("by actor#main-key, and by the actor alone", async () => {
    const actor = world.peer.actor(fresh());
    const key = await keyById(world.test.app, actor.keyId);
    assert.equal(key.uri, actor.uri);
    assert.equal(key.cached, false);
    assert.equal((await keyById(world.test.app, actor.uri)).accountId, key.accountId);
    assert.equal((await keyById(world.test.app, actor.keyId)).cached, true);
    assert.equal(requestsFor(world.peer, `/users/${actor.name}`), 1);
  });

  it("in a document of its own, where owner and key name each other", async () => {
    const { actor, id } = apart(fresh(), "/keys/good");
    assert.equal((await keyById(world.test.app, id)).uri, actor.uri);
    assert.equal((await keyById(world.test.app, id)).cached, true);
    await assert.rejects(keyById(world.test.app, `${actor.uri}#main-key`), refused);
  });

  it("whose owner names another key is refused", async () => {
    const actor = world.peer.actor(fresh());
    const id = `${world.peer.origin}/keys/orphan`;
    world.peer.documents.set("/keys/orphan", keyDocument(id, actor.uri));
    await assert.rejects(keyById(world.test.app, id), refused);
    assert.equal(await accountRow(world, actor.uri), null);
  });

  it("whose owner shows another key under its id is refused", async () => {
    const { actor, id } = apart(fresh(), "/keys/swapped");
    const pem = TEST_KEYS[1]!.publicKeyPem;
    world.peer.documents.set("/keys/swapped", keyDocument(id, actor.uri, pem));
    await assert.rejects(keyById(world.test.app, id), refused);
  });

  it("whose owner is on another host is refused", async () => {
    const victim = world.other.actor(fresh());
    const id = `${world.peer.origin}/keys/foreign`;
    victim.document["publicKey"] = { ...(victim.document["publicKey"] as Json), id };
    world.peer.documents.set("/keys/foreign", keyDocument(id, victim.uri));
    await assert.rejects(keyById(world.test.app, id), refused);
    assert.equal(await accountRow(world, victim.uri), null);
  });

  it("answered with another id than the requested one is not stored under that", async () => {
    const { actor, id } = apart(fresh(), "/keys/real");
    const alias = `${world.peer.origin}/keys/alias`;
    world.peer.documents.set("/keys/alias", keyDocument(id, actor.uri));
    await assert.rejects(keyById(world.test.app, alias), refused);
    const victim = world.peer.actor(fresh());
    world.peer.documents.set("/keys/actor-alias", victim.document);
    await assert.rejects(keyById(world.test.app, `${world.peer.origin}/keys/actor-alias`), refused);
    assert.equal((await keyById(world.test.app, id)).uri, actor.uri);
  });

  it("of a server that does not answer: 503, cached for a minute", async () => {
    const keyId = `${world.peer.origin}/users/away#main-key`;
    world.peer.documents.set("/users/away", 500);
    await assert.rejects(keyById(world.test.app, keyId), { meaning: "unavailable" });
    await assert.rejects(keyById(world.test.app, keyId), { meaning: "unavailable" });
    assert.equal(requestsFor(world.peer, "/users/away"), 1);
  });

  it("of a host where key after key fails is not asked for", async () => {
    for (let at = 0; at < 8; at++) {
      const path = `/users/storm${at}`;
      world.other.documents.set(path, 502);
      await assert.rejects(keyById(world.test.app, `${world.other.origin}${path}#main-key`), {
        meaning: "unavailable",
      });
    }
    assert.equal(world.other.received.filter((r) => r.path.startsWith("/users/storm")).length, 5);
  });

  it("of this server is refused in a request from outside", async () => {
    await assert.rejects(keyById(world.test.app, `${world.test.url}/actor#main-key`), refused);
  });
});

// Handles: WebFinger and the actor have to confirm each other.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PeerActor } from "../../test/fake-peer.ts";
import {
  accountRow,
  fault,
  finger,
  fingerPath,
  fresh,
  readingWorld,
} from "../../test/reading-world.ts";
import type { Json } from "../../test/reading-world.ts";
import { fetchActor } from "./actors.ts";

const world = readingWorld();

describe("handles", () => {
  it("is found whatever its case and spelling", async () => {
    const actor = world.peer.actor("Dora");
    world.peer.documents.set(
      fingerPath(world.peer.host, "dora"),
      finger(`Dora@${world.peer.host}`, actor.uri),
    );
    const id = await world.test.app.remote.account(`@dora@${world.peer.host}`);
    assert.deepEqual(await accountRow(world, actor.uri), {
      id,
      username: "Dora",
      domain: world.peer.host,
    });
    assert.equal(await world.test.app.remote.account(`DORA@${world.peer.host.toUpperCase()}`), id);
  });

  it("on another host than its actor counts when both hosts say so", async () => {
    const name = fresh();
    const actor = world.peer.actor(name);
    const jrd = finger(`${name}@${world.other.host}`, actor.uri);
    world.peer.documents.set(fingerPath(world.peer.host, name), jrd);
    world.other.documents.set(fingerPath(world.other.host, name), jrd);
    const id = await world.test.app.remote.account(`${name}@${world.other.host}`);
    assert.deepEqual(await accountRow(world, actor.uri), {
      id,
      username: name,
      domain: world.other.host,
    });
    // By the actor's own host it is the same person.
    assert.equal(await world.test.app.remote.account(`${name}@${world.peer.host}`), id);
  });

  it("over a redirect to the actor's host is the handle that was asked for", async () => {
    const name = fresh();
    const actor = world.peer.actor(name);
    const jrd = finger(`${name}@${world.other.host}`, actor.uri);
    world.peer.documents.set(fingerPath(world.peer.host, name), jrd);
    world.peer.documents.set(fingerPath(world.other.host, name), jrd);
    const path = `/.well-known/webfinger?resource=${encodeURIComponent(`acct:${name}@${world.other.host}`)}`;
    world.other.pages.set(path, {
      status: 301,
      headers: { location: `${world.peer.origin}${path}` },
    });
    await world.test.app.remote.account(`${name}@${world.other.host}`);
    assert.equal((await accountRow(world, actor.uri))?.domain, world.other.host);
  });

  it("of a host that does not know the actor cannot be claimed", async () => {
    const name = fresh();
    const actor = world.peer.actor(name);
    world.peer.documents.set(
      fingerPath(world.peer.host, name),
      finger(`boss@${world.other.host}`, actor.uri),
    );
    assert.equal(await world.test.app.remote.account(`${name}@${world.peer.host}`), null);
    const victim = world.other.actor("boss");
    assert.equal(await world.test.app.remote.account(`${name}@${world.peer.host}`), null);
    assert.equal(await accountRow(world, actor.uri), null);
    assert.equal((await fetchActor(world.test.app, victim.uri, "person")).domain, world.other.host);
  });

  it("that names another's actor is refused, and the other handle stays", async () => {
    const victim = world.other.actor(fresh());
    const name = fresh();
    world.peer.documents.set(
      fingerPath(world.peer.host, name),
      finger(`${name}@${world.peer.host}`, victim.uri),
    );
    assert.equal(await world.test.app.remote.account(`${name}@${world.peer.host}`), null);
    const row = await accountRow(world, victim.uri);
    assert.deepEqual([row?.username, row?.domain], [victim.name, world.other.host]);
  });

  const JRDS: [string, (actor: PeerActor) => unknown][] = [
    ["no subject", (a) => ({ ...finger("x@y", a.uri), subject: undefined })],
    ["no self link", (a) => ({ ...finger(`${a.name}@${world.peer.host}`, a.uri), links: [] })],
    [
      "a self link of another type",
      (a) => ({
        subject: `acct:${a.name}@${world.peer.host}`,
        links: [{ rel: "self", type: "text/html", href: a.uri }],
      }),
    ],
    ["a local actor", (a) => finger(`${a.name}@${world.peer.host}`, `${world.test.url}/actor`)],
    ["an odd scheme", (a) => finger(`${a.name}@${world.peer.host}`, "javascript:alert(1)")],
    ["an array", () => []],
  ];
  for (const [what, jrd] of JRDS) {
    it(`with ${what} is not found`, async () => {
      const actor = world.peer.actor(fresh());
      world.peer.documents.set(fingerPath(world.peer.host, actor.name), jrd(actor) as Json);
      assert.equal(await world.test.app.remote.account(`${actor.name}@${world.peer.host}`), null);
      assert.equal(await accountRow(world, actor.uri), null);
    });
  }

  it("answered as a page is not found", async () => {
    const actor = world.peer.actor(fresh());
    const body = JSON.stringify(finger(`${actor.name}@${world.peer.host}`, actor.uri));
    const path = fingerPath(world.peer.host, actor.name);
    world.peer.pages.set(path, { headers: { "content-type": "text/html" }, body });
    assert.equal(await world.test.app.remote.account(`${actor.name}@${world.peer.host}`), null);
  });

  it("that is invalid or local causes no request", async () => {
    const count = world.peer.received.length;
    const { localDomain } = world.test.app.config.site;
    const odd = [
      "",
      "@",
      "a@",
      "@b",
      "a@b@c",
      "a b@c",
      "a@[::1]",
      "a@b/c",
      "a@u:p@c",
      `x@${localDomain}`,
    ];
    for (const handle of odd)
      assert.equal(await world.test.app.remote.account(handle), null, handle);
    assert.equal(world.peer.received.length, count);
  });

  it("of another actor on the same server cannot be claimed", async () => {
    const victim = world.peer.actor(fresh());
    const uri = `${world.peer.origin}/evil/${victim.name}`;
    const key = { ...(victim.document["publicKey"] as Json), id: `${uri}#main-key`, owner: uri };
    const inbox = `${uri}/inbox`;
    const evil = { ...victim.document, id: uri, inbox, publicKey: key };
    world.peer.documents.set(`/evil/${victim.name}`, evil);
    await assert.rejects(fetchActor(world.test.app, uri, "person"), fault("unacceptable"));
    assert.equal(await accountRow(world, uri), null);
  });

  it("that moved to another domain is known by the new one, if both agree", async () => {
    const name = fresh();
    const actor = world.peer.actor(name);
    const id = await world.test.app.remote.account(`${name}@${world.peer.host}`);
    const jrd = finger(`${name}@${world.other.host}`, actor.uri);
    world.other.documents.set(fingerPath(world.other.host, name), jrd);
    assert.equal(await world.test.app.remote.account(`${name}@${world.other.host}`), null);
    world.peer.documents.set(fingerPath(world.peer.host, name), jrd);
    assert.equal(await world.test.app.remote.account(`${name}@${world.other.host}`), id);
    assert.equal((await accountRow(world, actor.uri))?.domain, world.other.host);
  });

  it("that goes to another actor on its server is theirs from now on", async () => {
    const name = fresh();
    const old = world.peer.actor(name);
    const id = await world.test.app.remote.account(`${name}@${world.peer.host}`);
    const uri = `${world.peer.origin}/ap/${name}`;
    const key = { ...(old.document["publicKey"] as Json), id: `${uri}#main-key`, owner: uri };
    world.peer.documents.set(`/ap/${name}`, { ...old.document, id: uri, publicKey: key });
    world.peer.documents.set(
      fingerPath(world.peer.host, name),
      finger(`${name}@${world.peer.host}`, uri),
    );
    assert.equal((await fetchActor(world.test.app, uri, "person")).id, id);
  });
});

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

  it("that goes to another actor on its server is theirs from now on, and nothing else", async () => {
    const name = fresh();
    const old = world.peer.actor(name);
    const handle = `${name}@${world.peer.host}`;
    const id = await world.test.app.remote.account(handle);
    const uri = `${world.peer.origin}/ap/${name}`;
    const key = { ...(old.document["publicKey"] as Json), id: `${uri}#main-key`, owner: uri };
    world.peer.documents.set(`/ap/${name}`, { ...old.document, id: uri, publicKey: key });
    world.peer.documents.set(fingerPath(world.peer.host, name), finger(handle, uri));
    const next = await fetchActor(world.test.app, uri, "person");
    assert.notEqual(next.id, id);
    assert.equal(await world.test.app.remote.account(handle), next.id);
    assert.equal((await accountRow(world, old.uri))?.id, id);
  });

  const TYPES: [string, Record<string, string>][] = [
    ["jrd+json", { "content-type": "application/jrd+json; charset=utf-8" }],
    ["json", { "content-type": "application/json" }],
    ["octet-stream", { "content-type": "application/octet-stream" }],
    ["plain text", { "content-type": "text/plain; charset=utf-8" }],
    ["no type", {}],
  ];
  for (const [what, headers] of TYPES) {
    it(`is read as ${what}`, async () => {
      const actor = world.peer.actor(fresh());
      const body = JSON.stringify(finger(`${actor.name}@${world.peer.host}`, actor.uri));
      world.peer.pages.set(fingerPath(world.peer.host, actor.name), { headers, body });
      const id = await world.test.app.remote.account(`${actor.name}@${world.peer.host}`);
      assert.equal((await accountRow(world, actor.uri))?.id, id);
    });
  }
});

describe("handles of a host that names its WebFinger in host-meta", () => {
  const link = (rest: string) => `<Link rel="lrdd" ${rest} />`;
  const PLACES: [string, (template: string) => string][] = [
    ["alone", (t) => link(`type="application/xrd+xml" template="${t}"`)],
    ["in single quotes, the template first", (t) => `<Link template='${t}' rel='lrdd'></Link>`],
    [
      "beside one in XML",
      (t) =>
        link(`type="application/xrd+xml" template="http://127.0.0.9/{uri}"`) +
        link(`type="application/jrd+json" template="${t}"`),
    ],
    ["with a parameter more", (t) => link(`template="${t}&amp;format=json"`)],
  ];
  for (const [what, write] of PLACES) {
    it(`are found and confirmed, the link ${what}`, async () => {
      const name = fresh();
      const handle = `${name}@${world.other.host}`;
      const actor = world.peer.actor(name);
      actor.document["webfinger"] = handle;
      const path = `/finger?resource=acct:${handle}`;
      const template = `${world.peer.origin}/finger?resource={uri}`;
      for (const end of ["", "&format=json"]) {
        world.peer.pages.set(`${path}${end}`, { body: JSON.stringify(finger(handle, actor.uri)) });
      }
      world.other.pages.set("/.well-known/host-meta", {
        headers: { "content-type": "application/xrd+xml" },
        body: `<?xml version="1.0"?><XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">${write(template)}</XRD>`,
      });
      // A page for whatever is asked, as a bare domain with a website has it.
      if (what === "alone") {
        const page = { headers: { "content-type": "text/html" }, body: "<p>home</p>" };
        world.other.pages.set(fingerPath(world.other.host, name), page);
      }
      const id = await world.test.app.remote.account(handle);
      assert.deepEqual(await accountRow(world, actor.uri), {
        id,
        username: name,
        domain: world.other.host,
      });
    });
  }

  const NOT: [string, (actor: PeerActor) => string][] = [
    ["this server", () => `${world.test.url}/.well-known/webfinger?resource={uri}`],
    ["no template", () => `${world.peer.origin}/finger`],
    ["an odd scheme", () => "javascript:{uri}"],
    ["a private file", () => "file:///etc/passwd?{uri}"],
  ];
  for (const [what, template] of NOT) {
    it(`are not found where that names ${what}`, async () => {
      const actor = world.peer.actor(fresh());
      const body = `<XRD>${link(`template="${template(actor)}"`)}</XRD>`;
      world.other.pages.set("/.well-known/host-meta", { body });
      assert.equal(await world.test.app.remote.account(`${actor.name}@${world.other.host}`), null);
      assert.equal(await accountRow(world, actor.uri), null);
    });
  }

  it("are not another host's: what it says of them is confirmed there", async () => {
    const actor = world.peer.actor(fresh());
    const body = `<XRD>${link(`template="${world.peer.origin}/finger?resource={uri}"`)}</XRD>`;
    world.other.pages.set("/.well-known/host-meta", { body });
    const claimed = finger(`chief@127.0.0.3`, actor.uri);
    const path = `/finger?resource=acct:chief@${world.other.host}`;
    world.peer.pages.set(path, { body: JSON.stringify(claimed) });
    assert.equal(await world.test.app.remote.account(`chief@${world.other.host}`), null);
  });
});

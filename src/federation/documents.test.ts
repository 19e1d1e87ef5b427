// Documents of other servers: those that are accepted, and the ways in which one may be invalid.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { requestsFor, fault, readingWorld } from "../../test/reading-world.ts";
import type { Json } from "../../test/reading-world.ts";
import { fetchDocument } from "./documents.ts";
import type { RemoteFaultKind } from "./faults.ts";

const ACTIVITY = { "content-type": "application/activity+json" };

const world = readingWorld();

describe("documents", () => {
  const serve = (path: string, document: Json, headers: Record<string, string> = ACTIVITY) => {
    world.peer.pages.set(path, { headers, body: JSON.stringify(document) });
    return `${world.peer.origin}${path}`;
  };
  const note = (id: string): Json => ({ id, type: "Note", content: "x" });

  it("is taken with an ActivityPub type, and asked for with a signature", async () => {
    const types = [
      "application/activity+json",
      "Application/Activity+JSON; charset=utf-8",
      'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    ];
    for (const [index, type] of types.entries()) {
      const url = serve(`/typed/${index}`, note(`${world.peer.origin}/typed/${index}`), {
        "content-type": type,
      });
      assert.equal((await fetchDocument(world.test.app, url, { cause: "person" })).id, url);
    }
    const { headers } = world.peer.received.at(-1)!;
    assert.match(String(headers["signature"]), /keyId="[^"]+\/actor#main-key"/);
  });

  it("is refused with another type, whatever the body looks like", async () => {
    const types = [
      "application/json",
      "application/ld+json",
      "text/html",
      "text/plain",
      "image/png",
    ];
    for (const [index, type] of types.entries()) {
      const path = `/untyped/${index}`;
      const url = serve(path, note(`${world.peer.origin}${path}`), { "content-type": type });
      await assert.rejects(
        fetchDocument(world.test.app, url, { cause: "person" }),
        fault("unacceptable"),
        type,
      );
    }
  });

  it("is fetched again from its own id, and only that answer counts", async () => {
    const url = serve("/alias", note(`${world.peer.origin}/real`));
    serve("/real", { ...note(`${world.peer.origin}/real`), content: "the real one" });
    const { id, document } = await fetchDocument(world.test.app, url, { cause: "person" });
    assert.deepEqual([id, document["content"]], [`${world.peer.origin}/real`, "the real one"]);
  });

  it("of another host's id counts as that host has it, or not at all", async () => {
    const forged = { ...note(`${world.other.origin}/victim`), content: "forged" };
    const url = serve("/forged", forged);
    await assert.rejects(fetchDocument(world.test.app, url, { cause: "person" }), fault("gone"));
    world.other.documents.set("/victim", {
      ...note(`${world.other.origin}/victim`),
      content: "true",
    });
    assert.equal(
      (await fetchDocument(world.test.app, url, { cause: "person" })).document["content"],
      "true",
    );
  });

  it("that has another id at its own id is refused without a third request", async () => {
    serve("/chain/1", note(`${world.peer.origin}/chain/2`));
    serve("/chain/2", note(`${world.peer.origin}/chain/3`));
    serve("/chain/3", note(`${world.peer.origin}/chain/3`));
    await assert.rejects(
      fetchDocument(world.test.app, `${world.peer.origin}/chain/1`, { cause: "person" }),
      fault("unacceptable"),
    );
    assert.equal(requestsFor(world.peer, "/chain/3"), 0);
  });

  it("whose id is redirected to another host is refused", async () => {
    const id = `${world.peer.origin}/moved`;
    world.peer.pages.set("/moved", {
      status: 302,
      headers: { location: `${world.other.origin}/copy` },
    });
    world.other.documents.set("/copy", note(id));
    await assert.rejects(
      fetchDocument(world.test.app, id, { cause: "person" }),
      fault("unacceptable"),
    );
  });

  it("that claims a local id is refused, and local addresses are not fetched", async () => {
    const url = serve("/ours", note(`${world.test.url}/users/alice`));
    await assert.rejects(
      fetchDocument(world.test.app, url, { cause: "person" }),
      fault("unacceptable"),
    );
    await assert.rejects(
      fetchDocument(world.test.app, `${world.test.url}/actor`, { cause: "person" }),
      fault("unacceptable"),
    );
    world.peer.pages.set("/to-us", {
      status: 302,
      headers: { location: `${world.test.url}/actor` },
    });
    await assert.rejects(
      fetchDocument(world.test.app, `${world.peer.origin}/to-us`, { cause: "person" }),
      fault("unacceptable"),
    );
  });

  it("faults have their kind", async () => {
    const expected: [number, RemoteFaultKind][] = [
      [404, "gone"],
      [410, "gone"],
      [403, "unacceptable"],
      [429, "unreachable"],
      [500, "unreachable"],
      [503, "unreachable"],
    ];
    for (const [status, kind] of expected) {
      world.peer.documents.set("/fault", status);
      await assert.rejects(
        fetchDocument(world.test.app, `${world.peer.origin}/fault`, { cause: "person" }),
        fault(kind),
        `${status}`,
      );
    }
    await assert.rejects(
      fetchDocument(world.test.app, "http://127.0.0.1:9/x", { cause: "person" }),
      fault("unreachable"),
    );
  });

  it("too large, too deep or no object is refused", async () => {
    const bodies = [
      JSON.stringify({ ...note(`${world.peer.origin}/odd`), content: "x".repeat(1024 * 1024) }),
      `{"id":"${world.peer.origin}/odd","a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
      `["${world.peer.origin}/odd"]`,
      "null",
      "{",
      '{"id":5}',
      '{"id":"javascript:alert(1)"}',
    ];
    for (const body of bodies) {
      world.peer.pages.set("/odd", { headers: ACTIVITY, body });
      const label = body.slice(0, 40);
      await assert.rejects(
        fetchDocument(world.test.app, `${world.peer.origin}/odd`, { cause: "person" }),
        fault("unacceptable"),
        label,
      );
    }
  });

  it("is found from its page, by header or link, when that is asked for", async () => {
    const html = { "content-type": "text/html; charset=utf-8" };
    const target = serve("/paged", note(`${world.peer.origin}/paged`));
    const link = `<link href='/paged' rel="alternate" type="application/activity+json">`;
    const header = `</x>; rel="next", <${target}>; rel="alternate"; type="application/activity+json"`;
    world.peer.pages.set("/page/link", {
      headers: html,
      body: `<html><head><link rel=icon href=/i>${link}`,
    });
    world.peer.pages.set("/page/header", { headers: { ...html, link: header }, body: "<p>" });
    world.peer.pages.set("/page/none", { headers: html, body: "<link ".repeat(40_000) });
    for (const path of ["/page/link", "/page/header"]) {
      const document = await fetchDocument(world.test.app, `${world.peer.origin}${path}`, {
        cause: "person",
        fromPage: true,
      });
      assert.equal(document.id, target, path);
      await assert.rejects(
        fetchDocument(world.test.app, `${world.peer.origin}${path}`, { cause: "person" }),
        fault("unacceptable"),
      );
    }
    const none = fetchDocument(world.test.app, `${world.peer.origin}/page/none`, {
      cause: "person",
      fromPage: true,
    });
    await assert.rejects(none, fault("unacceptable"));
  });
});

// The server's NodeInfo: valid, correct and cacheable; and what those of others say.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startPeer } from "../../test/fake-peer.ts";
import type { FakePeer, Page } from "../../test/fake-peer.ts";
import { startTestApp } from "../../test/harness.ts";
import type { TestApp } from "../../test/harness.ts";
import { assertEntity } from "../../test/schema.ts";
import { setSetting } from "../domain/base/settings/settings.ts";
import { VERSION } from "../platform/version.ts";
import { addDays } from "../platform/ids/index.ts";
import { peersOf } from "../domain/base/peers/peers.ts";
import { fetchActor } from "./actors.ts";
import { checkPeer } from "./peers.ts";
import { validateNodeInfo } from "../../packages/nodeinfo-validator/src/validator.ts";

let server: TestApp;
let peer: FakePeer;

before(async () => {
  server = await startTestApp({ env: { INSTANCE_TITLE: "Nest", INSTANCE_DESCRIPTION: "Birds" } });
  peer = await startPeer();
});

after(async () => {
  await peer.close();
  await server.close();
});

test("the discovery document leads to the document", async () => {
  const discovery = await server.visitor.get("/.well-known/nodeinfo");
  assertEntity("NodeInfoDiscovery", discovery.json);
  assert.deepEqual(discovery.json, {
    links: [
      {
        rel: "http://nodeinfo.diaspora.software/ns/schema/2.0",
        href: `${server.url}/nodeinfo/2.0`,
      },
    ],
  });
  assert.equal(discovery.headers.get("cache-control"), "max-age=259200, public");
  assert.equal(discovery.headers.get("access-control-allow-origin"), "*");
});

test("the document is valid and correct", async () => {
  const alice = await server.person("alice");
  await server.person("bob");
  await setSetting(server.app, "registrations", "open");
  for (const visibility of ["public", "private"]) {
    const json = { status: "hello", visibility };
    await alice.post("/api/v1/statuses", json);
  }
  await server.write`UPDATE users SET last_active_at = now() WHERE id = ${alice.userId}`;
  const { json, headers } = await server.visitor.get("/nodeinfo/2.0");
  assert.deepEqual(validateNodeInfo(json), []);
  assertEntity("NodeInfo", json);
  assert.deepEqual(json, {
    version: "2.0",
    software: { name: "rookery", version: VERSION },
    protocols: ["activitypub"],
    services: { outbound: [], inbound: [] },
    usage: { users: { total: 2, activeMonth: 1, activeHalfyear: 1 }, localPosts: 2 },
    openRegistrations: true,
    metadata: {
      nodeName: "Nest",
      nodeDescription: "Birds",
      upstream: { name: "mastodon" },
      faspBaseUrl: `${server.url}/fasp`,
    },
  });
  assert.equal(headers.get("cache-control"), "max-age=1800, public");
});

describe("of other servers", () => {
  const rel = "http://nodeinfo.diaspora.software/ns/schema/";
  const serve = (path: string, body: unknown, more: Partial<Page> = {}) =>
    peer.pages.set(path, {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      ...more,
    });
  const says = (software: unknown) => {
    const links = ["1.0", "2.1"].map((version) => ({
      rel: rel + version,
      href: `${peer.origin}/nodeinfo/${version}`,
    }));
    serve("/.well-known/nodeinfo", { links });
    serve("/nodeinfo/2.1", { version: "2.1", software });
  };
  const paths = (): string[] =>
    peer.received.map(({ path }) => path).filter((path) => /nodeinfo/.test(path));
  const known = async () => {
    const [row] = await peersOf(server.app, peer.host);
    return [row!.software, row!.version];
  };
  /** As if the last time were long ago. */
  const check = async () => {
    await server.app.sql`UPDATE peers SET checked_at = ${addDays(server.app.clock.now(), -8)}`;
    await checkPeer(server.app, { host: peer.host });
  };

  test("a server is asked once, later, when somebody of there is met", async () => {
    const [bob, eve] = [peer.actor("bob"), peer.actor("eve")];
    says({ name: "Mastodon", version: "4.5.1" });
    for (const { uri } of [bob, eve]) await fetchActor(server.app, uri, "person");
    const jobs = await server.app.sql<{ payload: { host: string } }[]>`
      SELECT j.payload FROM graphile_worker._private_jobs j
      JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'peer.wanted'`;
    assert.deepEqual(
      jobs.map(({ payload }) => payload),
      [{ host: peer.host }],
    );
    await checkPeer(server.app, jobs[0]!.payload);
    assert.deepEqual(await known(), ["mastodon", "4.5.1"]);
    assert.deepEqual(paths(), ["/.well-known/nodeinfo", "/nodeinfo/2.1"]);
    await checkPeer(server.app, { host: peer.host });
    assert.equal(paths().length, 2);
    says({ name: "mastodon", version: "4.6.0" });
    await check();
    assert.deepEqual(await known(), ["mastodon", "4.6.0"]);
  });

  test("what is no answer changes nothing; one that names no software is remembered as such", async () => {
    const before = await known();
    const elsewhere = { links: [{ rel: `${rel}2.0`, href: "http://127.0.0.9:1/nodeinfo" }] };
    for (const links of [
      () => serve("/.well-known/nodeinfo", {}, { status: 500 }),
      () => serve("/.well-known/nodeinfo", {}, { body: "<html>" }),
      () => serve("/.well-known/nodeinfo", {}, { body: "x".repeat(70_000) }),
      () =>
        serve(
          "/.well-known/nodeinfo",
          {},
          { status: 302, headers: { location: "http://10.0.0.1/" } },
        ),
      () => {
        says({ name: "x" });
        serve("/nodeinfo/2.1", [], {});
      },
    ]) {
      links();
      await check();
      assert.deepEqual(await known(), before);
    }
    for (const document of [
      () => serve("/.well-known/nodeinfo", elsewhere),
      () => serve("/.well-known/nodeinfo", { links: "none" }),
      () => says("mastodon"),
      () => says({ name: { a: 1 }, version: 4 }),
    ]) {
      document();
      await check();
      assert.deepEqual(await known(), [null, null]);
    }
    says({ name: "<b>\u202e".repeat(500), version: "1\n2\u0000" });
    await check();
    const [name = "", version] = (await known()) as string[];
    assert.ok(name.length <= 60 && !/[\u202e\n]/.test(name + version), name + version);
  });

  test("one that did not answer is asked again on the next day", async (context) => {
    // Another server: the requests to one within a minute are limited.
    const usual = peer;
    peer = await startPeer();
    context.after(async () => {
      await peer.close();
      peer = usual;
    });
    serve("/.well-known/nodeinfo", {}, { status: 500 });
    await checkPeer(server.app, { host: peer.host });
    says({ name: "lemmy", version: "0.19.5" });
    await checkPeer(server.app, { host: peer.host });
    assert.deepEqual(await known(), [null, null], "at once it is not");
    const dayAgo = addDays(server.app.clock.now(), -1);
    await server.app.sql`UPDATE peers SET checked_at = ${dayAgo} WHERE host = ${peer.host}`;
    await checkPeer(server.app, { host: peer.host });
    assert.deepEqual(await known(), ["lemmy", "0.19.5"]);
    says({ name: "mbin", version: "1" });
    await server.app.sql`UPDATE peers SET checked_at = ${dayAgo} WHERE host = ${peer.host}`;
    await checkPeer(server.app, { host: peer.host });
    assert.deepEqual(await known(), ["lemmy", "0.19.5"], "what is known holds for a week");
  });

  test("one that takes Ed25519 in every version gets it", async () => {
    const form = () => server.app.kv.get(`signature-form:${peer.host}`);
    assert.equal(await form(), null);
    says({ name: "rookery", version: "1.0" });
    await check();
    assert.equal(await form(), "ed25519");
  });

  test("is found by its domain, with those below it", async () => {
    await server.app.sql`
      INSERT INTO peers (host, software, checked_at)
      SELECT host, 'x', now() FROM unnest(ARRAY['a.example', 'b.a.example', 'ba.example', 'a_example']) AS g (host)`;
    const mailServers = async (domain: string) =>
      (await peersOf(server.app, domain)).map(({ host }) => host);
    assert.deepEqual(await mailServers("a.example"), ["a.example", "b.a.example"]);
    assert.deepEqual(await mailServers("example"), ["a.example", "b.a.example", "ba.example"]);
    assert.deepEqual(await mailServers("a%"), []);
  });
});

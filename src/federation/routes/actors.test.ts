// Actors, their collections and WebFinger as peers get them: as recorded, and what is hidden.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { agrees, get, golden, post, servingWorld } from "../../../test/serving-world.ts";
import type { Json } from "../../../test/serving-world.ts";
import { removeAccount } from "../../domain/people/accounts/remove.ts";
import { fetchActor } from "../actors.ts";

const world = servingWorld();

describe("actors", () => {
  it("is as recorded", async () => {
    const { status, headers, json } = await get(world, "/users/alice");
    assert.equal(status, 200);
    assert.equal(headers.get("content-type"), "application/activity+json; charset=utf-8");
    assert.match(headers.get("vary") ?? "", /Accept/);
    // Newer than the recording: collections of accounts (FEP-7aa9), a key of Ed25519 (FEP-521a).
    const { featuredCollections, interactionPolicy, assertionMethod, webfinger, ...older } = json;
    assert.equal(webfinger, `alice@${new URL(world.test.url).host}`);
    assert.equal(assertionMethod[0].id, `${world.uri}#ed25519-key`);
    assert.match(featuredCollections, /\/ap\/\d+\/featured_collections$/);
    assert.deepEqual(interactionPolicy, { canFeature: { automaticApproval: world.uri } });
    agrees(older, golden("activitypub/actor"));
    const [first, second, terms] = json["@context"];
    const recorded = golden("activitypub/actor")["@context"];
    const known = Object.entries(terms).filter(([term]) => Object.hasOwn(recorded[2], term));
    assert.deepEqual([first, second, Object.fromEntries(known)], recorded);
    assert.equal(json.id, world.uri);
    assert.equal((await get(world, "/users/ALICE")).json.id, world.uri);
  });

  it("is a page for who wants one", async () => {
    const { status, headers } = await get(world, "/users/alice", { accept: "text/html,*/*;q=0.8" });
    assert.deepEqual([status, headers.get("location")], [302, `${world.test.url}/@alice`]);
    assert.equal((await get(world, "/users/alice", { accept: "*/*" })).json.id, world.uri);
  });

  it("of the server is as recorded", async () => {
    const { json } = await get(world, "/actor");
    agrees(json, golden("activitypub/instance-actor"));
    assert.equal(json.publicKey.id, `${world.test.url}/actor#main-key`);
    assert.equal((await get(world, "/actor/outbox")).json.totalItems, 0);
    assert.deepEqual((await get(world, "/actor")).json, json);
  });

  it("unknown and odd names are 404", async () => {
    for (const name of ["nobody", "a%00b", "x".repeat(400), "a@b", "%F0%9F%A6%9C"]) {
      assert.equal((await get(world, `/users/${name}`)).status, 404, name);
      assert.equal((await get(world, `/users/${name}/outbox`)).status, 404, name);
    }
  });

  it("who has not confirmed is not found yet", async () => {
    await world.test.person("pending", { confirmed: false });
    assert.equal((await get(world, "/users/pending")).status, 404);
  });

  it("of a suspended person says no more than that; a deleted one is gone", async () => {
    const dave = await world.test.person("dave");
    await world.test.write`UPDATE accounts SET suspended_at = now() WHERE id = ${dave.accountId}`;
    assert.equal((await get(world, "/users/dave")).json.suspended, true);
    assert.equal((await get(world, "/users/dave/outbox")).status, 410);
    const finger = `/.well-known/webfinger?resource=acct:dave@${world.test.app.config.site.localDomain}`;
    assert.equal((await get(world, finger)).status, 410);
    await removeAccount(world.test.app, dave.accountId);
    await world.test.runJobs();
    assert.equal((await get(world, "/users/dave")).status, 410);
  });
});

describe("collections", () => {
  it("outbox and its pages are as recorded, and walk through all that is public", async () => {
    const erin = await world.test.person("erin");
    const write = async (text: string, visibility: string) =>
      (await erin.post("/api/v1/statuses", { status: text, visibility })).json.id;
    const shown: string[] = [];
    for (let at = 0; at < 23; at++)
      shown.push(await write(`post ${at}`, at % 2 ? "public" : "unlisted"));
    await write("hidden", "private");
    const outbox = (await get(world, "/users/erin/outbox")).json;
    agrees(outbox, golden("activitypub/outbox"));
    assert.equal(outbox.totalItems, 24);
    const first = (await get(world, "/users/erin/outbox?page=true")).json;
    agrees(first, golden("activitypub/outbox-page"), ["next"]);
    const second = (await get(world, first.next.slice(world.test.url.length))).json;
    const ids = [...first.orderedItems, ...second.orderedItems].map((item: Json) =>
      item["object"].url.split("/").at(-1),
    );
    assert.deepEqual(ids, shown.toReversed());
    assert.equal(second.next, undefined);
    const oldest = (await get(world, outbox.last.slice(world.test.url.length))).json;
    assert.equal(oldest.orderedItems.at(-1).object.url.split("/").at(-1), shown[0]);
    assert.equal(oldest.orderedItems[0]["@context"], undefined);
  });

  it("followers and following are as recorded, paged, and can be hidden", async () => {
    const frank = await world.test.person("frank");
    const { id } = await fetchActor(world.test.app, world.bob.uri, "person");
    await world.test
      .write`INSERT INTO follows (account_id, target_account_id) VALUES (${id}, ${frank.accountId})`;
    await world.test
      .write`UPDATE account_stats SET followers_count = 1 WHERE account_id = ${frank.accountId}`;
    const summary = (await get(world, "/users/frank/followers")).json;
    agrees(summary, golden("activitypub/followers"));
    assert.equal(summary.totalItems, 1);
    const page = (await get(world, "/users/frank/followers?page=1")).json;
    agrees(page, golden("activitypub/followers-page"));
    assert.deepEqual(page.orderedItems, [world.bob.uri]);
    assert.deepEqual((await get(world, "/users/frank/following?page=1")).json.orderedItems, []);
    for (const odd of ["-5", "x", "99999999999", "1e9"]) {
      assert.equal((await get(world, `/users/frank/followers?page=${odd}`)).status, 200, odd);
    }
    await world.test
      .write`UPDATE accounts SET hide_collections = true WHERE id = ${frank.accountId}`;
    const hidden = (await get(world, "/users/frank/followers")).json;
    assert.deepEqual([hidden.totalItems, hidden.first], [1, undefined]);
    assert.equal((await get(world, "/users/frank/followers?page=1")).status, 403);
  });

  it("featured and tags are as recorded", async () => {
    const { id } = await post(world, "pinned");
    await world.alice.post(`/api/v1/statuses/${id}/pin`);
    const featured = (await get(world, "/users/alice/collections/featured")).json;
    agrees(featured, golden("activitypub/featured"));
    // Newer than the recording: who may quote it (FEP-044f), its conversation (FEP-7888).
    const { interactionPolicy, context: _context, ...older } = featured.orderedItems[0];
    assert.ok(interactionPolicy.canQuote);
    agrees(older, golden("activitypub/featured")["orderedItems"][0]);
    assert.equal(featured.totalItems, 1);
    agrees((await get(world, "/users/alice/collections/tags")).json, golden("activitypub/tags"));
  });
});

describe("webfinger", () => {
  const finger = (resource: string) =>
    get(world, `/.well-known/webfinger?resource=${encodeURIComponent(resource)}`);

  it("is as recorded, by handle and by every address", async () => {
    const { localDomain } = world.test.app.config.site;
    const { status, headers, json } = await finger(`acct:alice@${localDomain}`);
    assert.equal(status, 200);
    assert.equal(headers.get("content-type"), "application/jrd+json; charset=utf-8");
    assert.equal(headers.get("cache-control"), "max-age=259200, public");
    agrees(json, golden("instance/webfinger"));
    // FEP-3b86 is newer than the recording.
    const intents = ["Object", "Create"].map((each) => `https://w3id.org/fep/3b86/${each}`);
    assert.deepEqual(
      json.links.map((link: Json) => link["rel"]),
      [...golden("instance/webfinger")["links"].map((link: Json) => link["rel"]), ...intents],
    );
    assert.deepEqual(json.aliases, [`${world.test.url}/@alice`, world.uri]);
    const same = [
      `ACCT:ALICE@${localDomain}`,
      `alice@${localDomain}`,
      `@alice@${localDomain}`,
      world.uri,
      `${world.test.url}/@alice`,
      `${world.uri}/`,
    ];
    for (const resource of same) assert.deepEqual((await finger(resource)).json, json, resource);
  });

  it("names the avatar where there is one", async () => {
    const grace = await world.test.person("grace");
    await world.test
      .write`UPDATE accounts SET avatar_key = 'avatars/1a/2b.png' WHERE id = ${grace.accountId}`;
    const { json } = await finger(`acct:grace@${world.test.app.config.site.localDomain}`);
    assert.deepEqual(json.links.at(-1), {
      rel: "http://webfinger.net/rel/avatar",
      href: `${world.test.url}/media/avatars/1a/2b.png`,
    });
  });

  it("knows the server's own actor, whose handle leads to it and back", async () => {
    const { localDomain } = world.test.app.config.site;
    const { preferredUsername, id } = (await get(world, "/actor")).json;
    for (const resource of [`acct:${preferredUsername}@${localDomain}`, id]) {
      assert.equal((await finger(resource)).json.links[1].href, id, resource);
    }
  });

  it("errors have a status and no body", async () => {
    const { localDomain } = world.test.app.config.site;
    const expected: [string, number][] = [
      [`acct:nobody@${localDomain}`, 404],
      ["acct:alice@elsewhere.example", 404],
      ["https://elsewhere.example/@alice", 404],
      [`${world.test.url}/about`, 404],
      [`acct:a\0@${localDomain}`, 404],
      ["nonsense", 400],
      ["", 400],
      ["acct:", 400],
    ];
    for (const [resource, status] of expected) {
      const answer = await finger(resource);
      assert.deepEqual([answer.status, answer.text], [status, ""], resource);
    }
    assert.equal((await get(world, "/.well-known/webfinger")).status, 400);
    assert.equal(
      (await get(world, "/.well-known/webfinger?resource[]=a&resource[]=b")).status,
      400,
    );
  });

  it("host-meta is XML, or JSON for who asks for it", async () => {
    const xml = await get(world, "/.well-known/host-meta", { accept: "*/*" });
    assert.equal(xml.headers.get("content-type"), "application/xrd+xml; charset=utf-8");
    assert.match(
      xml.text,
      /<Link rel="lrdd" template="[^"]+\/\.well-known\/webfinger\?resource=\{uri\}"\/>/,
    );
    const json = await get(world, "/.well-known/host-meta", { accept: "application/json" });
    agrees(json.json, golden("instance/host-meta"));
    assert.deepEqual((await get(world, "/.well-known/host-meta.json")).json, json.json);
  });
});

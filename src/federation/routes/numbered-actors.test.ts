// An actor whose address is `/ap/users/ID`, as a Mastodon of 4.5 or newer made it: everything of it is there, and at the
// address with the name as well; what it makes has addresses below its own.

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { get, getSigned, post, servingWorld } from "../../../test/serving-world.ts";

const world = servingWorld();

before(async () => {
  const { test, alice } = world;
  world.uri = `${test.url}/ap/users/${alice.accountId}`;
  const of = (rest: string) => world.uri + rest;
  await test.fixture(
    (sql) => sql`
      UPDATE accounts SET uri = ${world.uri}, inbox_url = ${of("/inbox")}, outbox_url = ${of("/outbox")},
        followers_url = ${of("/followers")}, following_url = ${of("/following")},
        featured_url = ${of("/collections/featured")}
      WHERE id = ${alice.accountId}`,
  );
});

const pathOf = (uri: string): string => new URL(uri).pathname + new URL(uri).search;
const named = (path: string): string => path.replace(/^\/ap\/users\/\d+/, "/users/alice");

describe("numbered actors", () => {
  it("have their number as address at both addresses", async () => {
    const actor = (await get(world, pathOf(world.uri))).json;
    assert.equal(actor.id, world.uri);
    assert.equal(actor.publicKey.id, `${world.uri}#main-key`);
    assert.equal(actor.publicKey.owner, world.uri);
    for (const name of ["inbox", "outbox", "followers", "following", "featured"])
      assert.ok(actor[name].startsWith(`${world.uri}/`), name);
    assert.deepEqual((await get(world, "/users/alice")).json, actor);
    assert.equal((await get(world, "/ap/users/1")).status, 404);
    assert.equal((await get(world, "/ap/users/alice")).status, 404);
    const page = await get(world, pathOf(world.uri), { accept: "text/html" });
    assert.equal(page.headers.get("location"), `${world.test.url}/@alice`);
  });

  it("have their collections at both addresses", async () => {
    await post(world, "pinned later");
    for (const rest of [
      "/outbox",
      "/outbox?page=true",
      "/followers",
      "/following",
      "/collections/featured",
      "/collections/tags",
    ]) {
      const { status, json } = await get(world, pathOf(world.uri) + rest);
      assert.equal(status, 200, rest);
      assert.equal(json.id, world.uri + rest);
      assert.deepEqual((await get(world, `/users/alice${rest}`)).json, json);
    }
    const synced = await getSigned(world, `${pathOf(world.uri)}/followers_synchronization`);
    assert.deepEqual([synced.status, synced.json.orderedItems], [200, []]);
  });

  it("post below their address", async () => {
    const { test, alice } = world;
    const { id } = await post(world, "Hello");
    const path = `${pathOf(world.uri)}/statuses/${id}`;
    const { json } = await get(world, path);
    assert.equal(json.id, test.url + path);
    assert.equal(json.attributedTo, world.uri);
    assert.deepEqual((await get(world, named(path))).json, json);
    for (const rest of ["/activity", "/replies", "/likes", "/shares"]) {
      const part = await get(world, path + rest);
      assert.equal(part.json.id, test.url + path + rest);
      assert.deepEqual((await get(world, named(path) + rest)).json, part.json);
    }
    const page = await get(world, path, { accept: "text/html" });
    assert.equal(page.headers.get("location"), `${test.url}/@alice/${id}`);
    assert.equal((await get(world, path.replace(/\d+$/, "1"))).status, 404);
    const boost = await alice.post(`/api/v1/statuses/${id}/reblog`);
    assert.equal(boost.json.uri, `${world.uri}/statuses/${boost.json.id}/activity`);
    assert.equal((await get(world, pathOf(boost.json.uri))).json.type, "Announce");
  });

  it("are found by their handle and by each of their addresses", async () => {
    const { test, alice } = world;
    const host = new URL(test.url).host;
    const { id } = await post(world, "to be found");
    for (const resource of [`acct:alice@${host}`, world.uri, `${test.url}/users/alice`]) {
      const path = `/.well-known/webfinger?resource=${encodeURIComponent(resource)}`;
      const { json } = await get(world, path);
      assert.equal(json.links.find(({ rel }: any) => rel === "self").href, world.uri);
    }
    const found = async (q: string) =>
      (await alice.get(`/api/v2/search?resolve=true&q=${encodeURIComponent(q)}`)).json;
    for (const address of [world.uri, `${test.url}/users/alice`])
      assert.equal((await found(address)).accounts[0]?.id, alice.accountId, address);
    for (const address of [`${world.uri}/statuses/${id}`, `${test.url}/users/alice/statuses/${id}`])
      assert.equal((await found(address)).statuses[0]?.id, id, address);
  });

  it("take in their inbox what is for them, and sign what they send with their key", async () => {
    const { test, peer, alice, bob } = world;
    const send = async (activity: object) => {
      const whole = { actor: bob.uri, ...activity };
      const { status, text } = await peer.post(`${world.uri}/inbox`, bob, whole);
      assert.equal(status, 202, text);
      await test.runJobs();
    };
    await send({ id: `${bob.uri}#follow`, type: "Follow", object: world.uri });
    const { json } = await alice.get(`/api/v1/accounts/${alice.accountId}/followers`);
    assert.equal(json[0]?.username, "bob");
    // One that names nobody is for the owner of the inbox.
    const silent = peer.note(bob, "/notes/silent", { to: [], cc: [] });
    await send({ id: `${bob.uri}#silent`, type: "Create", object: silent });
    const { id } = await post(world, "to bob");
    await test.runJobs();
    const received = peer.received.find(({ body }) => body.includes(`/statuses/${id}`));
    assert.match(String(received?.headers.signature), new RegExp(`keyId="${world.uri}#main-key"`));
    const [row] = await test.app
      .sql`SELECT id, visibility FROM statuses WHERE uri = ${silent["id"] as string}`;
    assert.equal(row?.["visibility"], "direct");
    const seen = await alice.get(`/api/v1/statuses/${row!["id"]}`);
    assert.equal(seen.json.content, "<p>hello</p>");
  });
});

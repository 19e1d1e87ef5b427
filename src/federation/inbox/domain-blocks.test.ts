// A person blocks a whole domain: follows end on both sides, and nothing of it is seen any more.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import {
  PUBLIC,
  alice,
  bob,
  calmWorld,
  carol,
  closeWorld,
  create,
  eve,
  followed,
  idOfActor,
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
import type { Person } from "../../../test/harness.ts";

before(openWorld);
after(closeWorld);
beforeEach(async () => {
  calmWorld();
  await test.write`TRUNCATE account_domain_blocks`;
});

const block = (domain: string, by: Person = alice) => by.post("/api/v1/domain_blocks", { domain });
const unblock = (domain: string) => alice.delete("/api/v1/domain_blocks", { domain });

const relation = async (id: string) => {
  const { json } = await alice.get(`/api/v1/accounts/relationships?id[]=${id}`);
  assertEntity("Relationship", json[0]);
  return json[0];
};

const received = (type: string): Json[] =>
  peer.inbox().filter((activity) => activity["type"] === type);

describe("blocking a domain", () => {
  it("ends follows and requests both ways, and notifies the other server", async () => {
    await send(eve, { type: "Follow", object: uriOf(alice) });
    const [bobId, eveId] = [await idOfActor(bob), await idOfActor(eve)];
    assert.deepEqual((await relation(bobId)).following, true);
    assert.deepEqual((await relation(eveId)).followed_by, true);
    const preview = await alice.get(`/api/v1/domain_blocks/preview?domain=${peer.host}`);
    assertEntity("DomainBlockPreview", preview.json);
    assert.deepEqual(preview.json, { following_count: 1, followers_count: 1 });
    const [rejects, undos] = [received("Reject").length, received("Undo").length];

    assert.deepEqual((await block(peer.host.toUpperCase())).json, {});
    await block(peer.host).done();
    const [withBob, withEve] = [await relation(bobId), await relation(eveId)];
    assert.deepEqual([withBob.following, withBob.domain_blocking], [false, true]);
    assert.deepEqual([withEve.followed_by, withEve.domain_blocking], [false, true]);
    assert.equal(received("Reject").length, rejects + 1);
    assert.equal(received("Undo").length, undos + 1);
    assert.deepEqual((await alice.get("/api/v1/domain_blocks")).json, [peer.host]);
    const { json: notices } = await alice.get(
      "/api/v1/notifications?types[]=severed_relationships",
    );
    assertEntity("Notification", notices[0]);
    const { id: _id, created_at: _at, ...severed } = notices[0].event;
    assert.deepEqual(severed, {
      type: "user_domain_block",
      purged: false,
      target_name: peer.host,
      followers_count: 1,
      following_count: 1,
    });
    assert.equal(notices.length, 1);
    const { json: me } = await alice.get(`/api/v1/accounts/${alice.accountId}`);
    assert.deepEqual([me.followers_count, me.following_count], [0, 0]);

    // Who asks again is refused, and alice cannot follow while it lasts.
    await send(eve, { type: "Follow", object: uriOf(alice) });
    assert.equal(received("Reject").length, rejects + 2);
    assert.equal((await relation(eveId)).followed_by, false);
    assert.equal((await alice.post(`/api/v1/accounts/${bobId}/follow`)).status, 403);

    assert.deepEqual((await unblock(peer.host)).json, {});
    assert.deepEqual((await unblock(peer.host)).json, {});
    assert.equal((await relation(bobId)).domain_blocking, false);
    await followed(alice, bob);
    assert.equal((await relation(bobId)).following, true);
  });

  it("hides statuses and notifications, for the one who blocks alone", async () => {
    const own = await post(alice, "mine #domains");
    const object = await create(bob, {
      to: [PUBLIC],
      inReplyTo: own.uri,
      content: "<p>hello @alice #domains</p>",
      tag: [
        { type: "Mention", href: uriOf(alice) },
        { type: "Hashtag", name: "#domains" },
      ],
    });
    const root = await create(bob, { to: [PUBLIC], content: "<p>root</p>" });
    const { id } = (await statusByUri(object["id"]))!;
    const { id: rootId } = (await statusByUri(root["id"]))!;
    await carol.post(`/api/v1/statuses/${rootId}/reblog`);
    await alice.post(`/api/v1/accounts/${carol.accountId}/follow`);
    await test.runJobs();

    const where: [string, (json: any) => unknown[]][] = [
      ["/api/v1/timelines/public", (list) => list.map((status: Json) => status["id"])],
      ["/api/v1/timelines/tag/domains", (list) => list.map((status: Json) => status["id"])],
      [
        "/api/v1/timelines/home",
        (list) => list.flatMap((status: any) => [status.id, status.reblog?.id ?? []]).flat(),
      ],
      [
        `/api/v1/statuses/${own.id}/context`,
        (json) => json.descendants.map((status: Json) => status["id"]),
      ],
      [
        "/api/v1/notifications?types[]=mention",
        (list) => list.map((notification: any) => notification.status.id),
      ],
    ];
    const seen = async (by: Person, path: string, ids: (json: any) => unknown[]) => {
      const { json } = await by.get(path);
      return ids(json).some((shown) => shown === id || shown === rootId);
    };
    for (const [path, ids] of where) assert.ok(await seen(alice, path, ids), `before: ${path}`);
    await block(peer.host);
    for (const [path, ids] of where) {
      assert.equal(await seen(alice, path, ids), false, `while blocked: ${path}`);
      if (path.includes("public")) assert.ok(await seen(carol, path, ids));
    }
    // A new mention is no notification either.
    const before = (await alice.get("/api/v1/notifications")).json.length;
    await create(bob, {
      to: [PUBLIC, uriOf(alice)],
      content: "<p>again @alice</p>",
      tag: [{ type: "Mention", href: uriOf(alice) }],
    });
    await unblock(peer.host);
    const { json: after } = await alice.get("/api/v1/notifications");
    assert.ok(after.length >= before);
    assert.ok(after.every((notification: any) => !notification.status?.content.includes("again")));
    assert.ok(await seen(alice, where[0]![0], where[0]![1]));
  });

  it("takes one spelling of a domain, and refuses what is none", async () => {
    const good = ["BÜCHER.example.", "https://there.example/about", "@somebody@handle.example"];
    for (const domain of good) assert.equal((await block(domain)).status, 200, domain);
    const { json, headers } = await alice.get("/api/v1/domain_blocks?limit=2");
    assert.deepEqual(json, ["handle.example", "there.example"]);
    assert.match(headers.get("link")!, /max_id=\d+>; rel="next".*since_id=\d+>; rel="prev"/);
    const [, maxId] = /max_id=(\d+)/.exec(headers.get("link")!)!;
    const { json: rest } = await alice.get(`/api/v1/domain_blocks?max_id=${maxId}`);
    assert.deepEqual(rest, ["xn--bcher-kva.example"]);
    const bad = [
      "",
      "not a domain",
      "a..b",
      "x".repeat(300),
      "<script>",
      "ex ample.org",
      "-x.example",
    ];
    for (const domain of [...bad, test.app.config.site.localDomain]) {
      assert.equal((await block(domain)).status, 422, domain);
    }
    assert.equal((await alice.post("/api/v1/domain_blocks", {})).status, 422);
    for (const domain of bad) assert.deepEqual((await unblock(domain)).json, {});
    const { json: nothing } = await alice.get("/api/v1/domain_blocks/preview");
    assert.deepEqual(nothing, { following_count: 0, followers_count: 0 });
  });

  it("wants a person's token of the right scope", async () => {
    const token = await test.token(alice.userId, ["read:lists"]);
    for (const [method, path] of [
      ["GET", "/api/v1/domain_blocks"],
      ["GET", "/api/v1/domain_blocks/preview"],
      ["POST", "/api/v1/domain_blocks"],
      ["DELETE", "/api/v1/domain_blocks"],
    ] as const) {
      assert.equal((await test.visitor.send(method, path)).status, 401, path);
      assert.equal((await test.as(token).send(method, path)).status, 403, path);
    }
  });
});

// Statuses as peers get them: as recorded, and who may see which.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  PUBLIC,
  agrees,
  get,
  getSigned,
  golden,
  post,
  servingWorld,
} from "../../../test/serving-world.ts";
import { POLICY_TERMS } from "../../domain/posts/statuses/activitypub-terms.ts";
import { fetchActor } from "../actors.ts";

const world = servingWorld();

/** Not in the recordings, which are older than FEP-044f. */
const NEWER = ["interactionPolicy", "context"];
const olderContext = ({ "@context": [streams, terms] }: Record<string, any>) => [
  streams,
  Object.fromEntries(Object.entries(terms).filter(([name]) => !Object.hasOwn(POLICY_TERMS, name))),
];

describe("statuses", () => {
  it("is as recorded, plain and rich", async () => {
    const plain = await post(world, "Hello world");
    const { status, headers, json } = await get(world, plain.path);
    assert.equal(status, 200);
    agrees(json, golden("activitypub/note"), NEWER);
    assert.deepEqual(olderContext(json), golden("activitypub/note")["@context"]);
    assert.equal(
      headers.get("link"),
      `<${json.id}>; rel="alternate"; type="application/activity+json"`,
    );
    assert.deepEqual([json.to, json.cc], [[PUBLIC], [`${world.uri}/followers`]]);
    assert.match(json.published, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.match(
      json.conversation,
      /^tag:127\.0\.0\.1:\d+,\d{4}-\d\d-\d\d:objectId=\d+:objectType=Conversation$/,
    );

    await fetchActor(world.test.app, world.bob.uri, "person");
    const rich = await post(world, `Edited @bob@${world.peer.host} #Dogs`, { spoiler_text: "cw" });
    await world.alice.put(`/api/v1/statuses/${rich.id}`, {
      status: `Edited again @bob@${world.peer.host} #Dogs`,
      spoiler_text: "cw",
    });
    const note = (await get(world, rich.path)).json;
    agrees(note, golden("activitypub/note-rich"), NEWER);
    assert.deepEqual(olderContext(note), golden("activitypub/note-rich")["@context"]);
    assert.deepEqual(note.cc, [`${world.uri}/followers`, world.bob.uri]);
    assert.deepEqual(note.tag, [
      { type: "Mention", href: world.bob.uri, name: `@bob@${world.peer.host}` },
      { type: "Hashtag", href: `${world.test.url}/tags/dogs`, name: "#dogs" },
    ]);
    assert.deepEqual(
      [note.summary, note.sensitive, note.contentMap.en],
      ["cw", true, note.content],
    );
  });

  it("unlisted is addressed to followers first", async () => {
    const { path } = await post(world, "quiet", { visibility: "unlisted" });
    const { json } = await get(world, path);
    assert.deepEqual([json.to, json.cc], [[`${world.uri}/followers`], [PUBLIC]]);
  });

  it("has an activity, replies, likes and shares", async () => {
    const { id, path } = await post(world, "thread");
    const mine = await post(world, "more", { in_reply_to_id: id });
    const activity = (await get(world, `${path}/activity`)).json;
    agrees(activity, golden("activitypub/activity"));
    agrees(activity.object, golden("activitypub/activity")["object"], NEWER);
    const replies = (await get(world, `${path}/replies`)).json;
    agrees(replies, golden("activitypub/replies"));
    agrees(replies.first, golden("activitypub/replies")["first"]);
    assert.deepEqual(replies.first.items, [`${world.test.url}${mine.path}`]);
    assert.deepEqual((await get(world, path)).json.replies.first.items, [
      `${world.test.url}${mine.path}`,
    ]);
    const others = (await get(world, `${path}/replies?only_other_accounts=true&page=true`)).json;
    assert.deepEqual([others.type, others.items], ["CollectionPage", []]);
    for (const name of ["likes", "shares"]) {
      const { json } = await get(world, `${path}/${name}`);
      assert.deepEqual(
        [json.id, json.type, json.totalItems],
        [`${world.test.url}${path}/${name}`, "Collection", 0],
      );
    }
  });

  it("pages replies by their number", async () => {
    const { id, path } = await post(world, "long thread");
    for (let at = 0; at < 7; at++) await post(world, `answer ${at}`, { in_reply_to_id: id });
    const first = (await get(world, `${path}/replies?page=true`)).json;
    assert.equal(first.items.length, 5);
    const second = (await get(world, first.next.slice(world.test.url.length))).json;
    assert.equal(second.items.length, 2);
    assert.equal(new Set([...first.items, ...second.items]).size, 7);
    assert.match(second.next, /only_other_accounts=true/);
  });

  it("names its conversation, a collection of what everybody may see of it", async () => {
    const root = await post(world, "first");
    const { json } = await get(world, root.path);
    assert.equal(json.context, `${world.test.url}/contexts/${root.id}`);
    const second = await post(world, "second", { in_reply_to_id: root.id });
    const third = await post(world, "third", { in_reply_to_id: second.id });
    await post(world, "hidden", { in_reply_to_id: second.id, visibility: "private" });
    assert.equal((await get(world, third.path)).json.context, json.context);
    const { json: collection, headers } = await get(world, `/contexts/${root.id}`);
    assert.match(headers.get("content-type") ?? "", /activity\+json/);
    assert.deepEqual(
      [collection.id, collection.type, collection.attributedTo],
      [json.context, "OrderedCollection", world.uri],
    );
    assert.deepEqual(
      collection.orderedItems,
      [root, second, third].map(({ path }) => `${world.test.url}${path}`),
    );
    const secret = await post(world, "secret", { visibility: "private" });
    for (const id of [secret.id, second.id, "1", "nonsense"]) {
      assert.equal((await get(world, `/contexts/${id}`)).status, 404, id);
    }
  });

  it("a reblog is its Announce", async () => {
    const { id } = await post(world, "worth it");
    const boost = await world.alice.post(`/api/v1/statuses/${id}/reblog`);
    const path = `/users/alice/statuses/${boost.json.id}`;
    const { json } = await get(world, `${path}/activity`);
    assert.deepEqual(json, {
      "@context": "https://www.w3.org/ns/activitystreams",
      id: `${world.test.url}${path}/activity`,
      type: "Announce",
      actor: world.uri,
      published: json.published,
      to: [PUBLIC],
      cc: [world.uri, `${world.uri}/followers`],
      object: `${world.uri}/statuses/${id}`,
    });
    assert.equal((await get(world, path)).status, 404);
  });

  it("is a page for who wants one", async () => {
    const { id, path } = await post(world, "look");
    const { status, headers } = await get(world, path, { accept: "text/html" });
    assert.deepEqual([status, headers.get("location")], [302, `${world.test.url}/@alice/${id}`]);
  });

  it("sends browsers to the page of what it hides, too: the page knows who is signed in", async () => {
    const accept = "text/html";
    for (const { id, path } of [
      await post(world, "mine", { visibility: "private" }),
      { id: "1", path: "/users/alice/statuses/1" },
    ]) {
      const { status, headers } = await get(world, path, { accept });
      assert.deepEqual([status, headers.get("location")], [302, `${world.test.url}/@alice/${id}`]);
    }
    assert.equal((await get(world, "/users/alice/statuses/x", { accept })).status, 404);
  });

  it("is 404 when it is another's, hidden, deleted or nonsense", async () => {
    const { id, path } = await post(world, "here");
    await world.test.person("carol");
    const hidden = await post(world, "secret", { visibility: "private" });
    const gone = await post(world, "gone");
    await world.alice.delete(`/api/v1/statuses/${gone.id}`);
    const paths = [
      `/users/carol/statuses/${id}`,
      hidden.path,
      gone.path,
      "/users/alice/statuses/x",
      `${path}0`,
      "/users/alice/statuses/99999999999999999999",
    ];
    for (const path of paths) {
      for (const part of ["", "/activity", "/replies", "/likes", "/shares"]) {
        assert.equal((await get(world, `${path}${part}`)).status, 404, `${path}${part}`);
      }
    }
  });
});

describe("what not everybody may see", () => {
  it("private is for followers who sign, and for nobody's cache", async () => {
    const { path } = await post(world, "for friends", { visibility: "private" });
    assert.equal((await getSigned(world, path)).status, 404);
    const { id } = await fetchActor(world.test.app, world.bob.uri, "person");
    await world.test
      .write`INSERT INTO follows (account_id, target_account_id) VALUES (${id}, ${world.alice.accountId})`;
    const { status, headers, json } = await getSigned(world, path);
    assert.deepEqual([status, json?.content], [200, "<p>for friends</p>"]);
    assert.equal(headers.get("cache-control"), "private, no-store");
    assert.equal((await get(world, path)).status, 404);
    assert.equal(
      (await getSigned(world, path, { target: "/users/alice" })).status,
      404,
      "signed for another address",
    );
    const eve = world.peer.actor("eve", 1);
    assert.equal((await getSigned(world, path, { actor: eve })).status, 404);
    const forged = { ...world.bob, privateKeyPem: world.peer.actor("mallory", 2).privateKeyPem };
    assert.equal((await getSigned(world, path, { actor: forged })).status, 404);
  });

  it("direct is for who is mentioned", async () => {
    const { path } = await post(world, `psst @bob@${world.peer.host}`, { visibility: "direct" });
    assert.equal((await get(world, path)).status, 404);
    const { json } = await getSigned(world, path);
    assert.deepEqual([json.to, json.cc], [[world.bob.uri], []]);
    assert.equal((await getSigned(world, path, { actor: world.peer.actor("eve", 1) })).status, 404);
  });

  it("a key is not fetched for what everybody may see", async () => {
    const { path } = await post(world, "open");
    const stranger = world.peer.actor("stranger", 1);
    assert.equal((await getSigned(world, path, { actor: stranger })).status, 200);
    assert.ok(!world.peer.received.some((request) => request.path === "/users/stranger"));
  });
});

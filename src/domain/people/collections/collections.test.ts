// Collections: creating, filling, showing and leaving them, and who may do what.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { MAX_COLLECTIONS } from "./rules.ts";

let server: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

/** A discoverable person. */
const open = async (name: string): Promise<Person> => {
  const person = await server.person(name);
  await server.write`UPDATE accounts SET discoverable = true WHERE id = ${person.accountId}`;
  return person;
};

before(async () => {
  server = await startTestApp();
  [alice, bob, carol] = [await open("alice"), await open("bob"), await server.person("carol")];
});
after(() => server.close());

/** A listed collection. */
const make = async (who: Person, json: Record<string, unknown> = {}) => {
  const fields = { name: "People", discoverable: true, ...json };
  return (await who.post("/api/v1/collections", fields).ok()).collection;
};

describe("a collection", () => {
  test("is created with its accounts, shown to anybody, changed and deleted by its owner", async () => {
    const collection = await make(alice, {
      description: "worth <b>reading</b>",
      language: "en",
      tag_name: "#Birds",
      account_ids: [bob.accountId],
    });
    assertEntity("Collection", collection);
    assert.deepEqual(
      [collection.item_count, collection.items[0].account_id, collection.items[0].state],
      [1, bob.accountId, "accepted"],
    );
    assert.equal(collection.tag.name, "Birds");
    assert.equal(collection.tag.url, `${server.url}/tags/birds`);
    assert.equal(collection.description, "worth &lt;b&gt;reading&lt;/b&gt;");
    const shown = await server.visitor.get(`/api/v1/collections/${collection.id}`);
    assertEntity("CollectionWithAccounts", shown.json);
    assert.deepEqual(
      shown.json.accounts.map((account: { id: string }) => account.id).toSorted(),
      [alice.accountId, bob.accountId].toSorted(),
    );
    const changed = await alice.patch(`/api/v1/collections/${collection.id}`, {
      name: "Friends",
      tag_name: "",
    });
    assertEntity("WrappedCollection", changed.json);
    assert.deepEqual(
      [changed.json.collection.name, changed.json.collection.tag, changed.json.collection.language],
      ["Friends", null, "en"],
    );
    await alice.delete(`/api/v1/collections/${collection.id}`).ok();
    assert.equal((await server.visitor.get(`/api/v1/collections/${collection.id}`)).status, 404);
  });

  test("is refused with every fault, by field", async () => {
    const answer = await alice.post("/api/v1/collections", {
      name: "x".repeat(41),
      description: "y".repeat(101),
      language: "klingonese",
      tag_name: "not a tag",
    });
    assert.equal(answer.status, 422);
    assertEntity("Collection_ValidationError", answer.json);
    const { details } = answer.json.error;
    assert.deepEqual(Object.keys(details).toSorted(), [
      "description",
      "language",
      "name",
      "tag_name",
    ]);
    assert.equal(details.name[0].error, "ERR_TOO_LONG");
    const asked = { "accept-language": "en" };
    const blank = await alice.post("/api/v1/collections", { name: " " }, asked);
    assert.equal(blank.json.error.details.name[0].error, "ERR_BLANK");
    assert.deepEqual(blank.json.error_texts, { name: "Fill this in." });
  });

  test("counts characters, not bytes, of its name", async () => {
    const { id } = await make(alice, { name: "\u{1f426}".repeat(40) });
    await alice.delete(`/api/v1/collections/${id}`);
  });

  test("of somebody else is neither changed nor deleted nor filled", async () => {
    const { id, items } = await make(alice, { account_ids: [bob.accountId] });
    for (const [method, path, json] of [
      ["PATCH", `collections/${id}`, { name: "Mine" }],
      ["PUT", `collections/${id}`, { name: "Mine" }],
      ["DELETE", `collections/${id}`, undefined],
      ["POST", `collections/${id}/items`, { account_id: bob.accountId }],
      ["DELETE", `collections/${id}/items/${items[0].id}`, undefined],
      ["POST", `collections/${id}/items/${items[0].id}/revoke`, undefined],
    ] as const) {
      assert.equal(
        (await carol.send(method, `/api/v1/${path}`, json)).status,
        403,
        `${method} ${path}`,
      );
    }
    const { json } = await server.visitor.get(`/api/v1/collections/${id}`);
    assert.deepEqual([json.collection.name, json.collection.item_count], ["People", 1]);
    await alice.delete(`/api/v1/collections/${id}`);
  });

  test("wants its scope", async () => {
    const token = await server.token(alice.userId, ["read:collections"]);
    const json = { name: "x" };
    const answer = await server.as(token).post("/api/v1/collections", json);
    assert.equal(answer.status, 403);
    assert.equal((await server.visitor.post("/api/v1/collections", json)).status, 401);
  });

  test("is refused over the limit", async () => {
    const erin = await server.person("erin");
    for (let index = 0; index < MAX_COLLECTIONS; index += 1) await make(erin);
    const answer = await erin.post("/api/v1/collections", { name: "More" });
    assert.equal(answer.status, 422);
  });
});

describe("its people", () => {
  test("are those who want to be found, each once", async () => {
    const { id } = await make(alice);
    const add = (account_id?: string) =>
      alice.post(`/api/v1/collections/${id}/items`, { account_id });
    const added = await add(bob.accountId);
    assertEntity("WrappedCollectionItem", added.json);
    for (const other of [bob.accountId, carol.accountId, "1", "x", undefined]) {
      assert.equal((await add(other)).status, 422, String(other));
    }
    await alice.delete(`/api/v1/collections/${id}`);
  });

  test("are 25 at most", async () => {
    const { id } = await make(alice);
    const ids = await server.write<{ id: string }[]>`
      INSERT INTO accounts (username, uri, url, discoverable)
      SELECT 'm' || n, 'u' || n, 'u' || n, true FROM generate_series(1, 26) AS n RETURNING id
    `;
    const put = (person: { id: string }) =>
      alice.post(`/api/v1/collections/${id}/items`, { account_id: person.id });
    for (const id of ids.slice(0, 25)) assert.equal((await put(id)).status, 200);
    assert.equal((await put(ids[25]!)).status, 422);
    await alice.delete(`/api/v1/collections/${id}`);
    await server.write`DELETE FROM accounts WHERE username LIKE 'm%' AND uri LIKE 'u%'`;
  });

  test("leave, and cannot be put back", async () => {
    const { id, items } = await make(alice, { account_ids: [bob.accountId] });
    const left = await bob.post(`/api/v1/collections/${id}/items/${items[0].id}/revoke`);
    assert.deepEqual([left.status, left.json], [200, {}]);
    const again = await alice.post(`/api/v1/collections/${id}/items`, {
      account_id: bob.accountId,
    });
    assert.equal(again.status, 422);
    assert.equal(
      (await server.visitor.get(`/api/v1/collections/${id}`)).json.collection.item_count,
      0,
    );
    await alice.delete(`/api/v1/collections/${id}`);
  });

  test("do not show to who blocks them, and a blocked person sees nothing", async () => {
    const [owner, member, viewer] = [
      await open("owner"),
      await open("member"),
      await open("viewer"),
    ];
    const { id } = await make(owner, { account_ids: [member.accountId, bob.accountId] });
    await viewer.post(`/api/v1/accounts/${member.accountId}/block`);
    const seen = (await viewer.get(`/api/v1/collections/${id}`)).json;
    assert.deepEqual(
      seen.collection.items.map((item: { account_id: string }) => item.account_id),
      [bob.accountId],
    );
    await owner.post(`/api/v1/accounts/${viewer.accountId}/block`);
    assert.equal((await viewer.get(`/api/v1/collections/${id}`)).status, 404);
    const list = await viewer.get(`/api/v1/accounts/${owner.accountId}/collections`);
    assert.deepEqual(list.json, { collections: [], partial_accounts: [] });
  });
});

describe("lists of collections", () => {
  test("are paged by offset, with links", async () => {
    const frank = await open("frank");
    const ids: string[] = [];
    for (const name of ["a", "b", "c"])
      ids.unshift(
        (await make(frank, { name, account_ids: [bob.accountId], discoverable: name !== "b" })).id,
      );
    const path = `accounts/${frank.accountId}/collections`;
    const first = await frank.get(`/api/v1/${path}?limit=2`);
    assertEntity("Collections", first.json);
    const partial = first.json.partial_accounts;
    for (const collection of partial) assertEntity("PartialAccountWithAvatar", collection);
    assert.deepEqual(
      partial.map((collection: { id: string }) => collection.id).toSorted(),
      [frank.accountId, bob.accountId].toSorted(),
    );
    assert.deepEqual(
      first.json.collections.map((collection: { id: string }) => collection.id),
      ids.slice(0, 2),
    );
    assert.match(first.headers.get("link") ?? "", /limit=2&offset=2>; rel="next"/);
    const second = await frank.get(`/api/v1/${path}?limit=2&offset=2`);
    assert.match(second.headers.get("link") ?? "", /offset=0>; rel="prev"/);
    assert.equal(second.json.collections.length, 1);
    const own = await bob.get(`/api/v1/accounts/${bob.accountId}/in_collections?limit=80`);
    const mine = own.json.collections.map((collection: { id: string }) => collection.id);
    assert.ok(ids.every((id) => mine.includes(id)));
    // Others see discoverable collections.
    const others = await carol.get(`/api/v1/accounts/${bob.accountId}/in_collections`);
    const listed = others.json.collections.map((collection: { id: string }) => collection.id);
    assert.deepEqual([listed.includes(ids[0]), listed.includes(ids[1])], [true, false]);
  });

  test("take as many queries with one as with many", async () => {
    const grace = await open("grace");
    const path = `accounts/${grace.accountId}/collections`;
    await make(grace, { account_ids: [bob.accountId] });
    const single = await server.countQueries(() => carol.get(`/api/v1/${path}`));
    for (let index = 0; index < 5; index += 1) {
      await make(grace, { account_ids: [bob.accountId, alice.accountId] });
    }
    const many = await server.countQueries(() => carol.get(`/api/v1/${path}`));
    assert.equal(many.result.json.collections.length, 6);
    assert.equal(many.queries, single.queries);
  });
});

describe("an unlisted collection", () => {
  test("is listed for its owner alone, and read by whoever has its address", async () => {
    const owner = await open("quiet");
    const listed = await make(owner);
    const hidden = await make(owner, { discoverable: false, account_ids: [bob.accountId] });
    const ids = async (who: Person | null): Promise<string[]> => {
      const { json } = await (who ?? server.visitor).get(
        `/api/v1/accounts/${owner.accountId}/collections`,
      );
      return json.collections.map((collection: { id: string }) => collection.id);
    };
    for (const who of [null, alice, bob]) assert.deepEqual(await ids(who), [listed.id]);
    assert.deepEqual(await ids(owner), [hidden.id, listed.id]);
    const path = `/ap/${owner.accountId}/featured_collections`;
    const { json } = await server.visitor.get(path);
    assert.deepEqual([json.totalItems, json.items], [1, [listed.uri]]);
    for (const who of [null, alice]) {
      await (who ?? server.visitor).get(`/api/v1/collections/${hidden.id}`).ok();
    }
    await owner.patch(`/api/v1/collections/${listed.id}`, { discoverable: false });
    assert.deepEqual(await ids(null), []);
  });

  test("is shown with a post that links to it, as it is now, and federates as a link", async () => {
    const owner = await open("sharer");
    const collection = await make(owner, { discoverable: false, account_ids: [bob.accountId] });
    const other = await make(owner);
    const post = await owner.post("/api/v1/statuses", {
      status: `see ${collection.url} and ${collection.uri} and ${collection.url}0 and ${server.url}/@bob`,
    });
    assertEntity("Status", post.json);
    const tagged = async (who: Person | null) => {
      const { json } = await (who ?? server.visitor).get(`/api/v1/statuses/${post.json.id}`);
      assertEntity("Status", json);
      return json.tagged_collections.map((collection: any) => [
        collection.id,
        collection.name,
        collection.item_count,
      ]);
    };
    for (const who of [null, alice, owner]) {
      assert.deepEqual(await tagged(who), [[collection.id, "People", 1]]);
    }
    await owner.patch(`/api/v1/collections/${collection.id}`, { name: "Renamed" });
    await bob.post(`/api/v1/collections/${collection.id}/items/${collection.items[0].id}/revoke`);
    assert.deepEqual(await tagged(alice), [[collection.id, "Renamed", 0]]);
    await owner.put(`/api/v1/statuses/${post.json.id}`, { status: `see ${other.url}` });
    assert.deepEqual(await tagged(null), [[other.id, "People", 0]]);
    await owner.delete(`/api/v1/collections/${other.id}`);
    assert.deepEqual(await tagged(null), []);
    const list = await server.visitor.get(`/api/v1/accounts/${owner.accountId}/statuses`);
    assert.deepEqual(list.json[0].tagged_collections, []);
  });

  test("has the same addresses under the name of the previews", async () => {
    const answer = await alice
      .post("/api/v1_alpha/collections", { name: "Early", discoverable: true })
      .ok();
    const { id } = answer.collection;
    assert.equal(
      (await alice.get(`/api/v1_alpha/collections/${id}`)).json.collection.name,
      "Early",
    );
    await alice.post(`/api/v1_alpha/collections/${id}/items`, { account_id: bob.accountId }).ok();
    const list = await alice.get(`/api/v1_alpha/accounts/${alice.accountId}/collections`);
    assert.equal(list.json.collections[0].id, id);
    await alice.delete(`/api/v1_alpha/collections/${id}`).ok();
  });
});

describe("accounts are notified", () => {
  test("that they were put in, and that the collection changed", async () => {
    const heidi = await open("heidi");
    const { id } = await make(alice, { account_ids: [heidi.accountId] });
    await server.runJobs();
    await alice.patch(`/api/v1/collections/${id}`, { name: "New name" });
    await server.runJobs();
    const { json } = await heidi.get("/api/v1/notifications");
    assert.deepEqual(
      json.map((notification: { type: string }) => notification.type),
      ["collection_update", "added_to_collection"],
    );
    for (const notification of json) {
      assertEntity("Notification", notification);
      assert.equal(notification.collection.name, "New name");
      assert.equal(notification.account.id, alice.accountId);
    }
    await alice.delete(`/api/v1/collections/${id}`);
    assert.deepEqual((await heidi.get("/api/v1/notifications")).json, []);
  });
});

describe("peers read", () => {
  const document = async (url: string) => {
    const { pathname } = new URL(url);
    const headers = { accept: "application/activity+json" };
    const answer = await server.visitor.get(pathname, headers);
    assert.equal(answer.status, 200, `${pathname}: ${answer.text}`);
    assert.match(answer.headers.get("content-type") ?? "", /^application\/activity\+json/);
    return answer.json;
  };

  test("a collection with the consent of its people, led to by the owner's actor", async () => {
    const ivan = await open("ivan");
    const created = await make(ivan, { tag_name: "Birds", account_ids: [bob.accountId] });
    const actor = await document(`${server.url}/users/ivan`);
    assert.deepEqual(actor.interactionPolicy.canFeature, {
      automaticApproval: "https://www.w3.org/ns/activitystreams#Public",
    });
    const list = await document(actor.featuredCollections);
    assert.deepEqual([list.totalItems, list.items], [1, [created.uri]]);
    const collection = await document(created.uri);
    assert.deepEqual(
      [collection.id, collection.type, collection.attributedTo, collection.totalItems],
      [created.uri, "FeaturedCollection", `${server.url}/users/ivan`, 1],
    );
    assert.deepEqual(collection.topic, {
      type: "Hashtag",
      name: "#Birds",
      href: `${server.url}/tags/birds`,
    });
    const [item] = collection.orderedItems;
    assert.equal(item.featuredObject, `${server.url}/users/bob`);
    const consent = await document(item.featureAuthorization);
    assert.deepEqual(
      [consent.type, consent.interactingObject, consent.interactionTarget],
      ["FeatureAuthorization", created.uri, `${server.url}/users/bob`],
    );
    await bob.post(`/api/v1/collections/${created.id}/items/${created.items[0].id}/revoke`);
    const { pathname } = new URL(item.featureAuthorization);
    assert.equal((await server.visitor.get(pathname)).status, 404);
    const page = await server.visitor.get(new URL(created.uri).pathname, { accept: "text/html" });
    assert.deepEqual([page.status, page.headers.get("location")], [302, created.url]);
    assert.equal(
      (await server.visitor.get(`/ap/${bob.accountId}/collections/${created.id}`)).status,
      404,
    );
  });

  test("that the account may be shown, in its entity", async () => {
    const shown = await server.visitor.get(`/api/v1/accounts/${bob.accountId}`);
    assert.equal(shown.json.feature_approval.current_user, "automatic");
    const hidden = await server.visitor.get(`/api/v1/accounts/${carol.accountId}`);
    assert.equal(hidden.json.feature_approval.current_user, "denied");
  });
});

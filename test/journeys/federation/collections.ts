// Collections: bob@b puts alice@a into one, who is asked, sees it and leaves;
// carol@a follows bob and sees what he recommends.

import assert from "node:assert/strict";
import { before, describe } from "node:test";
import { eventually } from "../eventually.ts";
import { journey } from "../journey.ts";
import type { Someone } from "../server.ts";
import { a, b } from "./pair.ts";

let alice: Someone;
let bob: Someone;
let carol: Someone;
let collection: any;
/** Its copy at a. */
let copy: any;
const step = journey(() => [a, b]);

const find = async (who: Someone, acct: string): Promise<any> =>
  (await who.get(`/api/v2/search?q=@${acct}&resolve=true&type=accounts`)).accounts[0];

const peopleIn = (collection: any): string[] =>
  collection.accounts.map(({ acct }: { acct: string }) => acct);

before(async () => {
  [alice, bob] = await Promise.all([a.person("listed_alice"), b.person("listing_bob")]);
  carol = await a.person("reading_carol");
  await alice.patch("/api/v1/accounts/update_credentials", { discoverable: true });
  await bob.patch("/api/v1/accounts/update_credentials", { discoverable: true });
});

describe("a collection with somebody of another server", () => {
  step("who does not want to be found cannot be added", async () => {
    const collections = await find(bob, carol.acct);
    assert.equal(collections.feature_approval.current_user, "denied");
    collection = (
      await bob.post("/api/v1/collections", { name: "Good people", discoverable: true })
    ).collection;
    const { status } = await b.request("POST", `/api/v1/collections/${collection.id}/items`, {
      token: bob.token,
      json: { account_id: collections.id },
    });
    assert.equal(status, 422);
  });

  step("who does is asked, and is in it when their server has agreed", async () => {
    const collections = await find(bob, alice.acct);
    assert.equal(collections.feature_approval.current_user, "automatic");
    const path = `/api/v1/collections/${collection.id}`;
    await bob.post(`${path}/items`, { account_id: collections.id });
    await eventually("alice's consent", async () => {
      const { items } = (await bob.get(path)).collection;
      return items.length === 1 && items[0].state === "accepted";
    });
    const { json } = await b.request("GET", path);
    assert.deepEqual(peopleIn(json).toSorted(), [alice.acct, bob.name].toSorted());
    const notice = await eventually(
      "her notification",
      async () => (await alice.get("/api/v1/notifications?types[]=added_to_collection"))[0],
    );
    assert.equal(notice.account.acct, bob.acct);
    assert.equal(notice.collection.uri, collection.uri);
    const own = await alice.get(`/api/v1/accounts/${alice.id}/in_collections`);
    copy = own.collections[0];
    assert.deepEqual([copy.local, copy.uri, copy.name], [false, collection.uri, "Good people"]);
  });

  step("its address finds it at the other server, and so does a post that shares it", async () => {
    const query = `q=${encodeURIComponent(collection.url)}&resolve=true`;
    assert.equal((await carol.get(`/api/v2/search?${query}`)).collections[0].id, copy.id);
    const status = `look: ${collection.url}`;
    const post = await carol.post("/api/v1/statuses", { status });
    assert.equal(post.tagged_collections[0].id, copy.id);
    assert.deepEqual(peopleIn(await carol.get(`/api/v1/collections/${copy.id}`)), [
      bob.acct,
      alice.name,
    ]);
  });

  step("followers get what changes, and new ones", async () => {
    const results = await find(carol, bob.acct);
    await carol.post(`/api/v1/accounts/${results.id}/follow`);
    await eventually("the follow", async () => {
      const [relation] = await carol.get(`/api/v1/accounts/relationships?id[]=${results.id}`);
      return relation.following;
    });
    await bob.patch(`/api/v1/collections/${collection.id}`, { name: "Better people" });
    await bob.post("/api/v1/collections", { name: "Unlisted", discoverable: false });
    await bob.post("/api/v1/collections", { name: "More", discoverable: true });
    const names = await eventually("both at a", async () => {
      const { collections } = await carol.get(`/api/v1/accounts/${results.id}/collections`);
      const list = collections.map(({ name }: { name: string }) => name).toSorted();
      return list.includes("More") && list.includes("Better people") && list;
    });
    assert.deepEqual(names, ["Better people", "More"]);
  });

  step("who leaves is out of it everywhere, for good", async () => {
    const [item] = copy.items;
    await alice.post(`/api/v1/collections/${copy.id}/items/${item.id}/revoke`);
    await eventually("nobody in it", async () => {
      const { json } = await b.request("GET", `/api/v1/collections/${collection.id}`);
      return json.collection.item_count === 0;
    });
    const collections = await find(bob, alice.acct);
    const { status } = await b.request("POST", `/api/v1/collections/${collection.id}/items`, {
      token: bob.token,
      json: { account_id: collections.id },
    });
    assert.equal(status, 422);
  });

  step("a deleted one is gone everywhere", async () => {
    await bob.delete(`/api/v1/collections/${collection.id}`);
    await eventually("gone at a", async () => {
      const { status } = await a.request("GET", `/api/v1/collections/${copy.id}`);
      return status === 404;
    });
  });
});

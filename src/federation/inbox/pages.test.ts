// Others name what is here by the addresses of pages, or of activities: it counts for what these are about.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import * as w from "../../../test/inbox-world.ts";

type Json = Record<string, any>;

before(w.openWorld);
after(w.closeWorld);
beforeEach(w.calmWorld);

const get = async (path: string): Promise<Json> => (await w.alice.get(path)).json;

/** The addresses by which others may mean a post of alice's. */
const ADDRESSES: [string, (post: Json) => string][] = [
  ["its page", ({ id }) => `${w.test.url}/@alice/${id}`],
  ["its page, with another case of the name", ({ id }) => `${w.test.url}/@Alice/${id}`],
  ["its page with a slash", ({ id }) => `${w.test.url}/@alice/${id}/`],
  ["the activity that created it", ({ uri }) => `${uri}/activity`],
];

const MEANS_NOTHING: [string, (post: Json) => string][] = [
  ["the page of another author", ({ id }) => `${w.test.url}/@carol/${id}`],
  ["the same path on another host", ({ id }) => `${w.otherPeer.origin}/@alice/${id}`],
  ["a number that is too long", () => `${w.test.url}/@alice/9999999999999999999`],
];

const counts = async ({ id }: Json): Promise<number[]> => {
  const { favourites_count, reblogs_count, replies_count, quotes_count } = await get(
    `/api/v1/statuses/${id}`,
  );
  return [favourites_count, reblogs_count, replies_count, quotes_count];
};

describe("a post of ours that is named by", () => {
  for (const [what, addressOf] of ADDRESSES) {
    it(`${what} is favourited, boosted, answered and quoted, and that is undone`, async () => {
      const post = await w.post(w.alice, "hello", { quote_approval_policy: "public" });
      const object = addressOf(post);
      const announce = w.nextId(w.bob);
      await w.send(w.bob, { type: "Like", object });
      await w.send(w.bob, { type: "Announce", id: announce, object, to: [w.PUBLIC] });
      const answer = await w.create(w.bob, { inReplyTo: object });
      await w.create(w.bob, { quoteUrl: object });
      assert.deepEqual(await counts(post), [1, 1, 1, 1]);
      const row = await w.statusByUri(answer["id"]);
      assert.equal(row?.in_reply_to_id, post.id);
      await w.send(w.bob, { type: "Undo", object: { type: "Like", actor: w.bob.uri, object } });
      await w.send(w.bob, {
        type: "Undo",
        object: { type: "Announce", actor: w.bob.uri, object },
      });
      assert.deepEqual((await counts(post)).slice(0, 2), [0, 0]);
    });
  }

  for (const [what, addressOf] of MEANS_NOTHING) {
    it(`${what} is not meant`, async () => {
      const post = await w.post(w.alice, "hello");
      const object = addressOf(post);
      await w.send(w.bob, { type: "Like", object });
      await w.send(w.bob, { type: "Announce", object, to: [w.PUBLIC] });
      assert.deepEqual((await counts(post)).slice(0, 2), [0, 0]);
    });
  }

  it("its page, and is not for who names it, stays hidden", async () => {
    const post = await w.post(w.alice, "secret", { visibility: "private" });
    await w.send(w.eve, { type: "Like", object: `${w.test.url}/@alice/${post.id}` });
    assert.deepEqual((await counts(post)).slice(0, 2), [0, 0]);
  });
});

describe("a person of ours who is named by their page", () => {
  it("is mentioned once, also where the actor is addressed beside it", async () => {
    const page = `${w.test.url}/@alice`;
    const object = await w.create(w.bob, {
      to: [w.uriOf(w.alice)],
      cc: [],
      tag: [{ type: "Mention", href: page, name: "@alice" }],
    });
    const { id } = (await w.statusByUri(object["id"]))!;
    const { mentions } = await get(`/api/v1/statuses/${id}`);
    assert.deepEqual(
      mentions.map(({ acct }: Json) => acct),
      ["alice"],
    );
    const [told] = (await get("/api/v1/notifications?types[]=mention")) as Json[];
    assert.equal(told?.["status"].id, id);
  });

  it("is followed", async () => {
    await w.send(w.eve, { type: "Follow", object: `${w.test.url}/@alice` });
    const followers = (await get(`/api/v1/accounts/${w.alice.accountId}/followers`)) as Json[];
    assert.ok(followers.some(({ username }) => username === "eve"));
  });
});

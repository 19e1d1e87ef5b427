// A post for a circle: alice@a has bob@b and carol@a in her list, and not dan@b,
// who follows her. Answers from either side stay among them; edits and deletions reach them.

import assert from "node:assert/strict";
import { before, describe } from "node:test";
import { eventually } from "../eventually.ts";
import { journey } from "../journey.ts";
import type { Someone } from "../server.ts";
import { a, b } from "./pair.ts";

let alice: Someone;
let carol: Someone;
let bob: Someone;
let dan: Someone;
let post: any;
/** Its copy at b. */
let copy: any;
let answer: any;
const step = journey(() => [a, b]);

const find = async (who: Someone, acct: string): Promise<any> =>
  (await who.get(`/api/v2/search?q=@${acct}&resolve=true&type=accounts`)).accounts[0];

const follow = async (who: Someone, acct: string): Promise<string> => {
  const { id } = await find(who, acct);
  await who.post(`/api/v1/accounts/${id}/follow`);
  await eventually("the follow", async () => {
    const [relation] = await who.get(`/api/v1/accounts/relationships?id[]=${id}`);
    return relation.following;
  });
  return id;
};

const inHome = (who: Someone, text: string): Promise<any> =>
  eventually(`“${text}” in the home of ${who.acct}`, async () =>
    (await who.get("/api/v1/timelines/home")).find(({ content }: any) => content.includes(text)),
  );

const below = async (who: Someone, id: string): Promise<string> =>
  JSON.stringify((await who.get(`/api/v1/statuses/${id}/context`)).descendants);

before(async () => {
  [alice, bob] = await Promise.all([a.person("circle_alice"), b.person("circle_bob")]);
  [carol, dan] = await Promise.all([a.person("circle_carol"), b.person("circle_dan")]);
});

describe("a circle with somebody of another server", () => {
  step("those in the list get it, and a follower of the same server does not", async () => {
    await follow(bob, alice.acct);
    await follow(dan, alice.acct);
    const ids = [await follow(alice, bob.acct), await follow(alice, carol.acct)];
    const list = await alice.post("/api/v1/lists", { title: "Friends" });
    await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: ids });
    const json = { status: "cake on Saturday", visibility: "circle", list_ids: [list.id] };
    post = await alice.post("/api/v1/statuses", json);
    await alice.post("/api/v1/statuses", { status: "and this is for all" });
    copy = await inHome(bob, "cake on Saturday");
    assert.deepEqual([copy.visibility, copy.circle, copy.mentions], ["private", true, []]);
    // What was sent later is there.
    await inHome(dan, "and this is for all");
    const seen = await b.request("GET", `/api/v1/statuses/${copy.id}`, { token: dan.token });
    assert.equal(seen.status, 404);
    assert.equal((await carol.get(`/api/v1/statuses/${post.id}`)).circle, true);
  });

  step("an answer from there is seen here by those in it, and one from here there", async () => {
    answer = await bob.post("/api/v1/statuses", {
      status: `@${alice.acct} I bring tea`,
      in_reply_to_id: copy.id,
      visibility: "public",
    });
    assert.equal(answer.circle, true);
    await eventually("the answer at a", async () => (await below(carol, post.id)).includes("tea"));
    await carol.post("/api/v1/statuses", { status: "and I plates", in_reply_to_id: post.id });
    await eventually("the answer at b", async () => (await below(bob, copy.id)).includes("plates"));
    const seen = await b.request("GET", `/api/v1/statuses/${answer.id}`, { token: dan.token });
    assert.equal(seen.status, 404);
  });

  step("an edit and the deletion reach them", async () => {
    await alice.put(`/api/v1/statuses/${post.id}`, { status: "cake on Sunday" });
    await eventually("the edit", async () =>
      (await bob.get(`/api/v1/statuses/${copy.id}`)).content.includes("Sunday"),
    );
    await alice.delete(`/api/v1/statuses/${post.id}`);
    await eventually("the deletion", async () => {
      const path = `/api/v1/statuses/${copy.id}`;
      return (await b.request("GET", path, { token: bob.token })).status === 404;
    });
  });
});

// Why a status is in a home: each reason, what hides it, and that it is in the home for as long as there is one.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`, {}).done();
});
after(() => t.close());

const post = async (who: Person, status: string, more: object = {}): Promise<string> =>
  (await who.post("/api/v1/statuses", { status, ...more }).done()).id;

const reasons = async (id: string, who = alice): Promise<string[]> => {
  const path = `/api/v1/statuses/${id}/home_reasons`;
  const json = await who.get(path).ok();
  return json.map((each: any) => `${each.type} ${each.account?.acct ?? each.hashtag}`);
};

const homeHas = async (id: string, who = alice): Promise<boolean> => {
  const { json } = await who.get("/api/v1/timelines/home?limit=40");
  return json.some((each: any) => each.id === id || each.reblog?.id === id);
};

const check = async (id: string, expected: string[]) => {
  assert.deepEqual(await reasons(id), expected);
  assert.equal(await homeHas(id), expected.length > 0);
};

test("by its author, by who boosted it, by a hashtag, because it is one's own", async () => {
  await check(await post(alice, "mine"), ["own alice"]);
  await check(await post(bob, "by bob"), ["followed bob"]);
  const other = await post(carol, "by carol, #Lichen and #Moss");
  await check(other, []);
  const boost = await bob.post(`/api/v1/statuses/${other}/reblog`, {}).done();
  await check(other, ["boosted bob"]);
  assert.deepEqual(await reasons(boost.id), ["boosted bob"]);
  await alice.post("/api/v1/tags/moss/follow", {}).done();
  assert.deepEqual(await reasons(other), ["hashtag Moss", "boosted bob"]);
  await alice.post("/api/v1/tags/moss/unfollow", {}).done();
});

test("not where a rule keeps it out of the home", async () => {
  const first = await post(carol, "a question");
  const answer = await post(bob, "@carol an answer", { in_reply_to_id: first });
  await check(answer, []);
  await check(await post(bob, "@alice to you", { visibility: "direct" }), ["followed bob"]);
  await bob.post(`/api/v1/statuses/${first}/reblog`, {}).done();
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`, { reblogs: false }).done();
  assert.deepEqual(await reasons(first), []);
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`, { reblogs: true }).done();
  assert.deepEqual(await reasons(first), ["boosted bob"]);
  const list = await alice.post("/api/v1/lists", { title: "apart", exclusive: true }).done();
  await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] }).done();
  assert.deepEqual(await reasons(first), []);
  await alice.delete(`/api/v1/lists/${list.id}`);
});

test("404 for what one may not see, and nothing for what is in others' homes", async () => {
  const path = (id: string) => `/api/v1/statuses/${id}/home_reasons`;
  const secret = await post(bob, "for me", { visibility: "direct" });
  for (const id of [secret, "1", "x"]) {
    assert.equal((await alice.get(path(id))).status, 404);
  }
  const id = await post(bob, "for all");
  assert.deepEqual(await reasons(id, carol), []);
  assert.equal((await t.visitor.get(path(id))).status, 401);
  const other = await t.token(alice.userId, ["read:accounts"]);
  assert.equal((await t.as(other).get(path(id))).status, 403);
});

test("in as many statements for many boosts as for a few", async () => {
  const id = await post(carol, "popular");
  const count = async () =>
    (await t.countQueries(() => alice.get(`/api/v1/statuses/${id}/home_reasons`))).queries;
  await bob.post(`/api/v1/statuses/${id}/reblog`, {}).done();
  await count();
  const few = await count();
  for (let n = 0; n < 3; n++) {
    const person = await t.person(`dora${n}`);
    await alice.post(`/api/v1/accounts/${person.accountId}/follow`, {}).done();
    await person.post(`/api/v1/statuses/${id}/reblog`, {}).done();
  }
  assert.equal((await reasons(id)).length, 4);
  assert.equal(await count(), few);
});

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
  await act(alice, `accounts/${bob.accountId}/follow`);
});
after(() => t.close());

const act = async (who: Person, path: string, json: object = {}) => {
  const answer = await t.request("POST", `/api/v1/${path}`, { token: who.token, json });
  assert.equal(answer.status, 200, answer.text);
  await t.runJobs();
  return answer.json;
};

const post = async (who: Person, status: string, more: object = {}): Promise<string> =>
  (await act(who, "statuses", { status, ...more })).id;

const reasons = async (id: string, who = alice): Promise<string[]> => {
  const path = `/api/v1/statuses/${id}/home_reasons`;
  const { status, json, text } = await t.request("GET", path, { token: who.token });
  assert.equal(status, 200, text);
  return json.map((each: any) => `${each.type} ${each.account?.acct ?? each.hashtag}`);
};

const homeHas = async (id: string, who = alice): Promise<boolean> => {
  const { json } = await t.request("GET", "/api/v1/timelines/home?limit=40", { token: who.token });
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
  const boost = await act(bob, `statuses/${other}/reblog`);
  await check(other, ["boosted bob"]);
  assert.deepEqual(await reasons(boost.id), ["boosted bob"]);
  await act(alice, "tags/moss/follow");
  assert.deepEqual(await reasons(other), ["hashtag Moss", "boosted bob"]);
  await act(alice, "tags/moss/unfollow");
});

test("not where a rule keeps it out of the home", async () => {
  const first = await post(carol, "a question");
  const answer = await post(bob, "@carol an answer", { in_reply_to_id: first });
  await check(answer, []);
  await check(await post(bob, "@alice to you", { visibility: "direct" }), ["followed bob"]);
  await act(bob, `statuses/${first}/reblog`);
  await act(alice, `accounts/${bob.accountId}/follow`, { reblogs: false });
  assert.deepEqual(await reasons(first), []);
  await act(alice, `accounts/${bob.accountId}/follow`, { reblogs: true });
  assert.deepEqual(await reasons(first), ["boosted bob"]);
  const list = await act(alice, "lists", { title: "apart", exclusive: true });
  await act(alice, `lists/${list.id}/accounts`, { account_ids: [bob.accountId] });
  assert.deepEqual(await reasons(first), []);
  await t.request("DELETE", `/api/v1/lists/${list.id}`, { token: alice.token });
});

test("404 for what one may not see, and nothing for what is in others' homes", async () => {
  const path = (id: string) => `/api/v1/statuses/${id}/home_reasons`;
  const secret = await post(bob, "for me", { visibility: "direct" });
  for (const id of [secret, "1", "x"]) {
    assert.equal((await t.request("GET", path(id), { token: alice.token })).status, 404);
  }
  const id = await post(bob, "for all");
  assert.deepEqual(await reasons(id, carol), []);
  assert.equal((await t.request("GET", path(id))).status, 401);
  const other = await t.token(alice.userId, ["read:accounts"]);
  assert.equal((await t.request("GET", path(id), { token: other })).status, 403);
});

test("in as many statements for many boosts as for a few", async () => {
  const id = await post(carol, "popular");
  const count = async () =>
    (
      await t.countQueries(() =>
        t.request("GET", `/api/v1/statuses/${id}/home_reasons`, { token: alice.token }),
      )
    ).queries;
  await act(bob, `statuses/${id}/reblog`);
  await count();
  const few = await count();
  for (let n = 0; n < 3; n++) {
    const person = await t.person(`dora${n}`);
    await act(alice, `accounts/${person.accountId}/follow`);
    await act(person, `statuses/${id}/reblog`);
  }
  assert.equal((await reasons(id)).length, 4);
  assert.equal(await count(), few);
});

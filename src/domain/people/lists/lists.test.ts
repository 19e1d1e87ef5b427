import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../../../test/harness.ts";
import { eventually } from "../../../../test/journeys/eventually.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { waitsForLock } from "../../../../test/waits-for-lock.ts";
import { MAX_LISTS } from "./write.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`);
});
after(() => t.close());

const makeList = async (fields: object = {}, by: Person = alice): Promise<string> =>
  (await by.post("/api/v1/lists", { title: "List", ...fields }).ok()).id;

const add = (id: string, ...people: Person[]) =>
  alice.post(`/api/v1/lists/${id}/accounts`, { account_ids: people.map((p) => p.accountId) });

const members = async (id: string, query = ""): Promise<string[]> =>
  (await alice.get(`/api/v1/lists/${id}/accounts${query}`)).json.map((a: any) => a.acct);

const isUnprocessable = (answer: Answer, text: RegExp) => {
  assert.equal(answer.status, 422, answer.text);
  assert.match(answer.json.error, text);
};

test("a list is made, shown, changed and deleted", async () => {
  const answer = await alice.post("/api/v1/lists", { title: "Friends" });
  assertEntity("List", answer.json);
  assert.deepEqual(
    { ...answer.json, id: "" },
    { id: "", title: "Friends", replies_policy: "list", exclusive: false },
  );
  const path = `/api/v1/lists/${answer.json.id}`;
  assert.deepEqual((await alice.get(path)).json, answer.json);
  const all = (await alice.get("/api/v1/lists")).json;
  assert.deepEqual(all, [answer.json]);
  const fields = { title: "Others", replies_policy: "none", exclusive: true };
  const changed = await alice.put(path, fields);
  assert.deepEqual(changed.json, { id: answer.json.id, ...fields });
  const partly = await alice.patch(path, { replies_policy: "followed" });
  assert.deepEqual(partly.json, { id: answer.json.id, ...fields, replies_policy: "followed" });
  assert.deepEqual((await alice.delete(path)).json, {});
  assert.equal((await alice.get(path)).status, 404);
});

test("titles and policies are checked", async () => {
  const post = (json: object) => alice.post("/api/v1/lists", json);
  isUnprocessable(await post({}), /Title can't be blank/);
  isUnprocessable(await post({ title: "  " }), /Title can't be blank/);
  isUnprocessable(await post({ title: "x".repeat(257) }), /too long \(maximum is 256/);
  isUnprocessable(await post({ title: "x", replies_policy: "no" }), /'no' is not a valid/);
  isUnprocessable(await post({ title: ["x"] }), /./);
  isUnprocessable(await post({ title: "a\0b" }), /./);
  const id = await makeList({ title: "é".repeat(256) });
  isUnprocessable(await alice.put(`/api/v1/lists/${id}`, { title: "" }), /blank/);
  isUnprocessable(await alice.put(`/api/v1/lists/${id}`, { replies_policy: "x" }), /valid/);
  await alice.delete(`/api/v1/lists/${id}`);
});

test("fifty lists and no more, also when asked at once", async () => {
  const dora = await t.person("dora");
  const answers = await Promise.all(
    Array.from({ length: MAX_LISTS + 3 }, (_, i) => dora.post("/api/v1/lists", { title: `${i}` })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, MAX_LISTS);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    isUnprocessable(answer, /maximum number of lists/);
  }
});

test("members are followed or requested accounts, or oneself", async () => {
  const id = await makeList();
  const locked = await t.person("locked");
  await locked.patch("/api/v1/accounts/update_credentials", { locked: true });
  await alice.post(`/api/v1/accounts/${locked.accountId}/follow`);
  assert.equal((await add(id, carol)).status, 404);
  assert.equal((await add(id, bob, carol)).status, 404);
  assert.deepEqual(await members(id), []);
  assert.deepEqual((await add(id, bob, alice, locked)).json, {});
  isUnprocessable(await add(id, bob), /already been taken/);
  assert.deepEqual(await members(id), ["locked", "bob", "alice"]);
  const path = `/api/v1/lists/${id}/accounts`;
  assert.equal((await alice.post(path, { account_ids: ["1"] })).status, 404);
  assert.equal((await alice.post(path, { account_ids: ["x"] })).status, 404);
  assert.deepEqual((await alice.post(path, {})).json, {});
  assert.deepEqual((await alice.delete(path, { account_ids: ["1", "x"] })).json, {});
  assert.deepEqual((await alice.delete(path, { account_ids: [alice.accountId] })).json, {});
  // The follow that was asked for begins, and the membership stays.
  await locked.post(`/api/v1/follow_requests/${alice.accountId}/authorize`, {});
  assert.deepEqual(await members(id), ["locked", "bob"]);
  const query = `?account_ids[]=${locked.accountId}`;
  assert.deepEqual((await alice.delete(`${path}${query}`)).json, {});
  assert.deepEqual(await members(id), ["bob"]);
  const [account] = (await alice.get(path)).json;
  assertEntity("Account", account);
});

test("an account whose follow begins while it is added is added", async () => {
  const id = await makeList();
  const accepting = await t.person("accepting");
  await accepting.patch("/api/v1/accounts/update_credentials", { locked: true });
  await alice.post(`/api/v1/accounts/${accepting.accountId}/follow`).ok();
  const { adding } = await t.fixture(async (tx) => {
    await tx`
      WITH accepted AS (
        DELETE FROM follow_requests WHERE target_account_id = ${accepting.accountId}
        RETURNING account_id, target_account_id)
      INSERT INTO follows (account_id, target_account_id) SELECT * FROM accepted`;
    const adding = add(id, accepting);
    await eventually("the request's row to be waited for", () => waitsForLock(t.app.sql));
    return { adding };
  });
  assert.deepEqual((await adding).json, {});
  assert.deepEqual(await members(id), ["accepting"]);
});

test("accounts that are no longer followed leave the list, for any reason", async () => {
  const id = await makeList();
  const ways: [string, (who: Person) => Promise<unknown>][] = [
    ["unfollow", (who) => alice.post(`/api/v1/accounts/${who.accountId}/unfollow`)],
    ["block", (who) => alice.post(`/api/v1/accounts/${who.accountId}/block`)],
    ["blocked", (who) => who.post(`/api/v1/accounts/${alice.accountId}/block`, {})],
    ["removed", (who) => who.post(`/api/v1/accounts/${alice.accountId}/remove_from_followers`, {})],
  ];
  for (const [name, leave] of ways) {
    const who = await t.person(`left_by_${name}`);
    await alice.post(`/api/v1/accounts/${who.accountId}/follow`);
    await add(id, who);
    assert.deepEqual(await members(id), [who.username], name);
    await leave(who);
    assert.deepEqual(await members(id), [], name);
  }
});

test("added and unfollowed at once: nobody stays who is not followed", async () => {
  const id = await makeList();
  const who = await t.person("hasty");
  for (let i = 0; i < 10; i++) {
    await alice.post(`/api/v1/accounts/${who.accountId}/follow`);
    await Promise.all([add(id, who), alice.post(`/api/v1/accounts/${who.accountId}/unfollow`)]);
    assert.deepEqual(await members(id), []);
  }
});

test("the lists that an account is in", async () => {
  const first = await makeList({ title: "first" });
  await makeList({ title: "without" });
  await add(first, bob);
  const listed = await alice.get(`/api/v1/accounts/${bob.accountId}/lists`);
  for (const list of listed.json) assertEntity("List", list);
  assert.ok(listed.json.some((list: any) => list.id === first));
  assert.ok(listed.json.every((list: any) => list.title !== "without"));
  const other = await carol.get(`/api/v1/accounts/${bob.accountId}/lists`);
  assert.deepEqual(other.json, []);
  assert.equal((await alice.get("/api/v1/accounts/1/lists")).status, 404);
});

test("members come in pages, or all at once, with as many queries for many as for few", async () => {
  const id = await makeList();
  const people: Person[] = [];
  for (let i = 0; i < 5; i++) people.unshift(await t.person(`member${i}`));
  for (const { accountId } of people) await alice.post(`/api/v1/accounts/${accountId}/follow`);
  await add(id, ...people);
  const names = people.map((person) => person.username);
  const first = await alice.get(`/api/v1/lists/${id}/accounts?limit=2`);
  const link = first.headers.get("link")!;
  assert.match(link, /max_id=\d+>; rel="next", <http.*since_id=\d+>; rel="prev"/);
  const next = await alice.get(/<([^>]+)>; rel="next"/.exec(link)![1]!);
  assert.deepEqual(
    next.json.map((a: any) => a.acct),
    names.slice(2, 4),
  );
  assert.deepEqual(await members(id, "?limit=0"), names);
  assert.deepEqual(await members(id, "?limit=none"), []);
  assert.deepEqual(await members(id, `?limit=2&min_id=${people[4]!.accountId}`), names.slice(2, 4));
  const single = await t.countQueries(() => members(id, "?limit=1"));
  const all = await t.countQueries(() => members(id, "?limit=5"));
  assert.equal(all.result.length, 5);
  assert.equal(all.queries, single.queries);
});

test("another's list is as if it were missing", async () => {
  const id = await makeList();
  const path = `/api/v1/lists/${id}`;
  for (const [method, url] of [
    ["GET", path],
    ["PUT", path],
    ["PATCH", path],
    ["DELETE", path],
    ["GET", `${path}/accounts`],
    ["POST", `${path}/accounts`],
    ["DELETE", `${path}/accounts`],
    ["GET", `/api/v1/timelines/list/${id}`],
  ] as const) {
    const json = { title: "theirs", account_ids: [bob.accountId] };
    const body = method === "GET" ? undefined : json;
    const foreign = await carol.send(method, url, body);
    const missing = await carol.send(method, url.replace(id, "1"), body);
    assert.deepEqual([foreign.status, foreign.text], [404, missing.text], `${method} ${url}`);
  }
  assert.equal((await alice.get(path)).json.title, "List");
  assert.deepEqual(await members(id), []);
});

test("lists want a person with a scope for them", async () => {
  assert.equal((await t.visitor.get("/api/v1/lists")).status, 401);
  const read = await t.token(alice.userId, ["read:lists"]);
  await t.as(read).get("/api/v1/lists").ok();
  const json = { title: "x" };
  assert.equal((await t.as(read).post("/api/v1/lists", json)).status, 403);
  const other = await t.token(alice.userId, ["read:statuses"]);
  assert.equal((await t.as(other).get("/api/v1/lists")).status, 403);
});

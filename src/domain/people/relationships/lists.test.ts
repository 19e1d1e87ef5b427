// Followers and followed of an account: paging, hiding, and how many queries they take.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

let server: TestApp;
let people: Person[];

before(async () => {
  server = await startTestApp();
  people = [];
  for (const name of ["ann", "ben", "cem", "dan", "eve"]) people.push(await server.person(name));
});

after(() => server.close());

beforeEach(async () => {
  await server.write`TRUNCATE follows, blocks`;
  await server.write`UPDATE accounts SET suspended_at = NULL, hide_collections = NULL`;
  const [ann, ...others] = people;
  for (const other of others) {
    await server.write`INSERT INTO follows (account_id, target_account_id)
      VALUES (${other.accountId}, ${ann!.accountId})`;
  }
});

const followers = () => `/api/v1/accounts/${people[0]!.accountId}/followers`;

const names = (answer: { json: { username: string }[] }) => answer.json.map((a) => a.username);

const link = (answer: { headers: Headers }, rel: string) =>
  new RegExp(`<([^>]+)>; rel="${rel}"`).exec(answer.headers.get("link") ?? "")?.[1] ?? null;

test("pages newest first, down by next and up by prev", async () => {
  const first = await server.visitor.get(`${followers()}?limit=2`);
  assert.equal(first.status, 200);
  for (const account of first.json) assertEntity("Account", account);
  assert.deepEqual(names(first), ["eve", "dan"]);
  assert.match(first.headers.get("link")!, /max_id=\d+>; rel="next", .*since_id=\d+>; rel="prev"/);
  const second = await server.visitor.get(link(first, "next")!);
  assert.deepEqual(names(second), ["cem", "ben"]);
  assert.deepEqual(names(await server.visitor.get(link(second, "next")!)), []);
  const newest = link(first, "prev")!;
  assert.deepEqual(names(await server.visitor.get(newest)), []);
  const cursor = new URL(link(second, "next")!).searchParams.get("max_id");
  assert.deepEqual(names(await server.visitor.get(`${followers()}?limit=2&min_id=${cursor}`)), [
    "dan",
    "cem",
  ]);
  assert.deepEqual(names(await server.visitor.get(`${followers()}?limit=0`)), []);
  assert.deepEqual(names(await server.visitor.get(`${followers()}?limit=-1`)), ["eve"]);
  assert.equal(
    (await server.visitor.get(`${followers()}?max_id=garbage&limit=999`)).json.length,
    4,
  );
});

test("following is the other end", async () => {
  const answer = await server.visitor.get(`/api/v1/accounts/${people[4]!.accountId}/following`);
  assert.deepEqual(names(answer), ["ann"]);
});

test("hidden lists are empty for others, and the totals stay", async () => {
  const ann = people[0]!;
  await server.write`UPDATE account_stats SET followers_count = 4 WHERE account_id = ${ann.accountId}`;
  await server.write`UPDATE accounts SET hide_collections = true WHERE id = ${ann.accountId}`;
  assert.deepEqual((await server.visitor.get(followers())).json, []);
  assert.deepEqual((await people[1]!.get(followers())).json, []);
  assert.equal((await ann.get(followers())).json.length, 4);
  const account = await server.visitor.get(`/api/v1/accounts/${ann.accountId}`);
  assert.equal(account.json.followers_count, 4);
});

test("suspended people are left out, and a suspended account has no lists", async () => {
  await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${people[2]!.accountId}`;
  assert.deepEqual(names(await server.visitor.get(followers())), ["eve", "dan", "ben"]);
  await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${people[0]!.accountId}`;
  const answer = await server.visitor.get(followers());
  assert.deepEqual([answer.status, answer.json], [200, []]);
});

test("blocks: the blocked sees nothing, and nobody sees those they have a block with", async () => {
  const [ann, ben, cem, dan] = people as [Person, Person, Person, Person];
  const block = (by: Person, on: Person) =>
    server.write`INSERT INTO blocks (account_id, target_account_id) VALUES (${by.accountId}, ${on.accountId})`;
  await block(ben, cem);
  await block(dan, ben);
  assert.deepEqual(names(await ben.get(followers())), ["eve", "ben"]);
  assert.equal((await ann.get(followers())).json.length, 4);
  await block(ann, ben);
  assert.deepEqual((await ben.get(followers())).json, []);
});

test("unknown ids, wrong scopes", async () => {
  assert.equal((await server.visitor.get("/api/v1/accounts/1/followers")).status, 404);
  assert.equal((await server.visitor.get("/api/v1/accounts/x/following")).status, 404);
  const token = await server.token(people[0]!.userId, ["write"]);
  assert.equal((await server.as(token).get(followers())).status, 403);
});

test("the number of queries does not grow with the page", async () => {
  const count = async (limit: number) =>
    (await server.countQueries(() => people[1]!.get(`${followers()}?limit=${limit}`))).queries;
  await Promise.all([count(1), count(40)]);
  const [single, many] = [await count(1), await count(40)];
  assert.equal(single, many);
  assert.ok(many <= 5, `${many} queries`);
});

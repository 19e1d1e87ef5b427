// The statuses of one account over real HTTP: who sees which, filters, paging.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

let server: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
const ids: Record<string, string> = {};

const post = async (name: string, by: Person, json: object) => {
  ids[name] = (await by.post("/api/v1/statuses", { status: name, ...json }).ok()).id;
};

before(async () => {
  server = await startTestApp();
  [alice, bob, carol, dave] = [
    await server.person("alice"),
    await server.person("bob"),
    await server.person("carol"),
    await server.person("dave"),
  ];
  await bob.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
  await post("carols", carol, {});
  await post("public", alice, { visibility: "public", status: "public #Cats" });
  await post("unlisted", alice, { visibility: "unlisted" });
  await post("private", alice, { visibility: "private" });
  await post("direct", alice, { visibility: "direct", status: "psst @carol" });
  await post("reply", alice, { visibility: "public", in_reply_to_id: ids["carols"] });
  await post("own reply", alice, { visibility: "public", in_reply_to_id: ids["public"] });
  ids["reblog"] = (await alice.post(`/api/v1/statuses/${ids["carols"]}/reblog`).ok()).id;
});

after(() => server.close());

const path = (query = "") => `/api/v1/accounts/${alice.accountId}/statuses?${query}`;

const page = (query = "", by: Person | null = null) => (by ?? server.visitor).get(path(query));

const names = async (query = "", by: Person | null = null): Promise<string[]> => {
  const answer = await page(query, by).ok();
  for (const status of answer) assertEntity("Status", status);
  return answer.map(
    ({ id }: { id: string }) => Object.keys(ids).find((name) => ids[name] === id) ?? id,
  );
};

const PUBLIC = ["reblog", "own reply", "reply", "unlisted", "public"];

test("each viewer gets what they may see", async () => {
  assert.deepEqual(await names(), PUBLIC);
  assert.deepEqual(await names("", dave), PUBLIC);
  const follower = ["reblog", "own reply", "reply", "private", "unlisted", "public"];
  assert.deepEqual(await names("", bob), follower);
  const named = ["reblog", "own reply", "reply", "direct", "unlisted", "public"];
  assert.deepEqual(await names("", carol), named);
  assert.equal((await names("", alice)).length, 7);
});

test("filters", async () => {
  assert.deepEqual(await names("exclude_replies=true"), [
    "reblog",
    "own reply",
    "unlisted",
    "public",
  ]);
  assert.deepEqual(await names("exclude_reblogs=1"), ["own reply", "reply", "unlisted", "public"]);
  const own = ["reblog", "own reply", "reply", "private", "unlisted", "public"];
  assert.ok((await names("", alice)).includes("direct"));
  assert.deepEqual(await names("exclude_direct=true", alice), own);
  assert.deepEqual(await names(`exclude_direct=true&max_id=${ids["reply"]}`, alice), own.slice(3));
  assert.deepEqual(await names("tagged=cats"), ["public"]);
  assert.deepEqual(await names("tagged=dogs"), []);
  assert.deepEqual(await names("only_media=true"), []);
  await server.write`UPDATE statuses SET has_media = true WHERE id = ${ids["unlisted"]!}`;
  assert.deepEqual(await names("only_media=true"), ["unlisted"]);
  assert.deepEqual(await names("pinned=true"), []);
  await alice.post(`/api/v1/statuses/${ids["public"]}/pin`).ok();
  assert.deepEqual(await names("pinned=true"), ["public"]);
  assert.deepEqual(await names("pinned=true&only_media=true"), []);
  const { queries } = await server.countQueries(() => names("pinned=true"), {
    warm: true,
  });
  assert.equal(queries, 0);
  await alice.post(`/api/v1/statuses/${ids["public"]}/unpin`).ok();
  assert.deepEqual(await names("pinned=true"), []);
});

test("pages by ids with Link, min_id for what is newer", async () => {
  const first = await page("limit=2");
  const links = first.headers.get("link")!;
  assert.match(links, /limit=2&max_id=(\d+)>; rel="next", .*limit=2&min_id=(\d+)>; rel="prev"/);
  assert.deepEqual(await names("limit=2"), ["reblog", "own reply"]);
  assert.deepEqual(await names(`limit=2&max_id=${ids["own reply"]}`), ["reply", "unlisted"]);
  assert.deepEqual(await names(`limit=2&min_id=${ids["unlisted"]}`), ["own reply", "reply"]);
  assert.deepEqual(await names(`limit=2&since_id=${ids["unlisted"]}`), ["reblog", "own reply"]);
  assert.deepEqual(await names("limit=0"), []);
});

test("blocks: the blocked gets nothing, and reblogs of the blocked are left out", async () => {
  await dave.post(`/api/v1/accounts/${carol.accountId}/block`).ok();
  assert.deepEqual(await names("", dave), ["own reply", "reply", "unlisted", "public"]);
  await alice.post(`/api/v1/accounts/${dave.accountId}/block`).ok();
  for (const query of ["", "limit=2", `max_id=${ids["reblog"]}`]) {
    assert.deepEqual(await names(query, dave), []);
    assert.equal((await page(query, dave)).headers.get("link"), null, query);
  }
});

test("somebody whom one muted can still be read on their own page", async () => {
  await bob.post(`/api/v1/accounts/${alice.accountId}/mute`).ok();
  assert.ok((await names("", bob)).includes("private"));
});

test("unknown, suspended, wrong scope, and a fixed number of queries", async () => {
  assert.equal((await server.visitor.get("/api/v1/accounts/1/statuses")).status, 404);
  const token = await server.token(bob.userId, ["read:accounts"]);
  assert.equal((await server.as(token).get(path())).status, 403);
  const count = async (limit: number) =>
    (await server.countQueries(() => page(`limit=${limit}`, bob))).queries;
  await count(1);
  const [few, many] = [await count(2), await count(20)];
  assert.equal(few, many);
  // One of them, for what is unwanted, is cached where anything is.
  assert.ok(many <= 8, `${many} queries`);
  await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${alice.accountId}`;
  assert.deepEqual(await names(), []);
});

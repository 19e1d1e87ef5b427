// One's own lists of people: blocks, mutes, requests to follow. Pages, links, who may, queries.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

let server: TestApp;
let me: Person;
let others: Person[];
let now = new Date();

before(async () => {
  server = await startTestApp({ clock: { now: () => now } });
  me = await server.person("me");
  others = [];
  for (const name of ["ann", "ben", "cem"]) others.push(await server.person(name));
});
after(() => server?.close());

beforeEach(async () => {
  now = new Date();
  await server.write`TRUNCATE blocks, mutes, follow_requests`;
  await server.write`UPDATE accounts SET suspended_at = NULL`;
});

const act = async (by: Person, on: Person, verb: string, json?: unknown) => {
  const path = `/api/v1/accounts/${on.accountId}/${verb}`;
  await by.post(path, json).ok();
};
const names = (answer: { json: { username: string }[] }) => answer.json.map((a) => a.username);

const LISTS = [
  {
    path: "/api/v1/blocks",
    entity: "Account",
    scope: "read:blocks",
    fill: (other: Person) => act(me, other, "block"),
  },
  {
    path: "/api/v1/mutes",
    entity: "MutedAccount",
    scope: "read:mutes",
    fill: (other: Person) => act(me, other, "mute", { duration: 3600 }),
  },
  {
    path: "/api/v1/follow_requests",
    entity: "Account",
    scope: "read:follows",
    fill: async (other: Person) => {
      await server.write`UPDATE accounts SET locked = true WHERE id = ${me.accountId}`;
      await act(other, me, "follow");
    },
  },
];

for (const { path, entity, scope, fill } of LISTS) {
  test(`${path}: newest first, by pages that lead on`, async () => {
    for (const other of others) await fill(other);
    const first = await me.get(`${path}?limit=2`);
    for (const account of first.json) assertEntity(entity, account);
    assert.deepEqual(names(first), ["cem", "ben"]);
    const link = first.headers.get("link")!;
    assert.match(
      link,
      /^<http[^>]+limit=2&max_id=\d+>; rel="next", <[^>]+since_id=\d+>; rel="prev"$/,
    );
    const second = await me.get(/<([^>]+)>; rel="next"/.exec(link)![1]!);
    assert.deepEqual(names(second), ["ann"]);
    assert.doesNotMatch(second.headers.get("link")!, /rel="next"/);
    const prev = /<([^>]+)>; rel="prev"/.exec(second.headers.get("link")!)![1]!;
    assert.deepEqual(names(await me.get(prev.replace("limit=2", "limit=9"))), ["cem", "ben"]);
    assert.deepEqual(names(await me.get(`${path}?limit=0`)), []);
    assert.equal((await me.get(`${path}?max_id=x&since_id=y&min_id=%00`)).json.length, 3);
  });

  test(`${path}: for its owner with the scope; suspended people are left out`, async () => {
    await fill(others[0]!);
    assert.deepEqual((await others[0]!.get(path)).json, []);
    assert.equal((await server.visitor.get(path)).status, 401);
    assert.equal((await server.as(await server.token(me.userId, ["write"])).get(path)).status, 403);
    for (const scopes of [scope, "follow", "read"]) {
      assert.equal(
        (await server.as(await server.token(me.userId, [scopes])).get(path)).status,
        200,
        scopes,
      );
    }
    assert.equal((await server.as(await server.token(null, ["read"])).get(path)).status, 422);
    await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${others[0]!.accountId}`;
    assert.deepEqual((await me.get(path)).json, []);
  });

  test(`${path}: as many queries for one as for all`, async () => {
    for (const other of others) await fill(other);
    const count = async (limit: number) =>
      (await server.countQueries(() => me.get(`${path}?limit=${limit}`))).queries;
    await server.runJobs();
    await Promise.all([count(1), count(40)]);
    assert.equal(await count(1), await count(40));
  });
}

test("a mute shows when it ends, and ends by the clock", async () => {
  await act(me, others[0]!, "mute", { duration: 60 });
  await act(me, others[1]!, "mute");
  const { json } = await me.get("/api/v1/mutes");
  assert.deepEqual(
    json.map((account: { mute_expires_at: string | null }) => account.mute_expires_at),
    [null, new Date(now.getTime() + 60_000).toISOString()],
  );
  now = new Date(now.getTime() + 61_000);
  assert.deepEqual(names(await me.get("/api/v1/mutes")), ["ben"]);
});

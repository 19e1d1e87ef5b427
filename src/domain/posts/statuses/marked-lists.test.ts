// GET /api/v1/favourites and /api/v1/bookmarks: what one marked, newest mark first.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

let server: TestApp;
let me: Person;
let author: Person;

before(async () => {
  server = await startTestApp();
  me = await server.person("me");
  author = await server.person("author");
});
after(() => server?.close());

beforeEach(() => server.write`TRUNCATE favourites, bookmarks, blocks, follows CASCADE`);

const post = async (status: string, visibility = "public"): Promise<string> => {
  const { json, text } = await author.post("/api/v1/statuses", { status, visibility });
  assert.ok(json.id, text);
  return json.id;
};
const ids = (answer: { json: { id: string }[] }) => answer.json.map(({ id }) => id);

for (const [list, verb] of [
  ["favourites", "favourite"],
  ["bookmarks", "bookmark"],
] as const) {
  const path = `/api/v1/${list}`;
  const mark = async (id: string) => {
    await me.post(`/api/v1/statuses/${id}/${verb}`).ok();
  };

  test(`${path}: by the time of the mark, by pages that lead on and back`, async () => {
    const [oldest, middle, newest] = [await post("one"), await post("two"), await post("three")];
    for (const id of [middle, newest, oldest]) await mark(id!);
    const first = await me.get(`${path}?limit=2`);
    for (const status of first.json) assertEntity("Status", status);
    assert.deepEqual(ids(first), [oldest, newest]);
    const link = first.headers.get("link")!;
    assert.match(
      link,
      /^<http[^>]+limit=2&max_id=\d+>; rel="next", <[^>]+min_id=\d+>; rel="prev"$/,
    );
    const second = await me.get(/<([^>]+)>; rel="next"/.exec(link)![1]!);
    assert.deepEqual(ids(second), [middle]);
    const prev = /<([^>]+)>; rel="prev"/.exec(second.headers.get("link")!)![1]!;
    assert.deepEqual(ids(await me.get(prev)), [oldest, newest]);
    assert.deepEqual(ids(await me.get(`${path}?limit=0`)), []);
    assert.equal((await me.get(`${path}?max_id=x&min_id=%00&limit=-9`)).json.length, 3);
  });

  test(`${path}: nobody else's, and not what one may no longer see`, async () => {
    await me.post(`/api/v1/accounts/${author.accountId}/follow`);
    const [open, hidden] = [await post("open"), await post("for followers", "private")];
    for (const id of [open, hidden]) await mark(id);
    assert.deepEqual((await author.get(path)).json, []);
    assert.deepEqual(ids(await me.get(path)), [hidden, open]);
    await me.post(`/api/v1/accounts/${author.accountId}/unfollow`);
    assert.deepEqual(ids(await me.get(path)), [open]);
    await author.delete(`/api/v1/statuses/${open}`);
    assert.deepEqual(ids(await me.get(path)), []);
  });

  test(`${path}: tokens, and as many queries for one as for all`, async () => {
    for (const text of ["a", "b", "c"]) await mark(await post(text));
    assert.equal((await server.visitor.get(path)).status, 401);
    assert.equal((await server.as(await server.token(me.userId, ["write"])).get(path)).status, 403);
    assert.equal((await server.as(await server.token(null, ["read"])).get(path)).status, 422);
    const token = await server.token(me.userId, [`read:${list}`]);
    await server.as(token).get(path).ok();
    const count = async (limit: number) =>
      (await server.countQueries(() => me.get(`${path}?limit=${limit}`))).queries;
    await Promise.all([count(1), count(40)]);
    assert.equal(await count(1), await count(40));
  });
}

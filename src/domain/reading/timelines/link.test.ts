// The timeline of an address: public posts that link to it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { linksOf } from "../../posts/statuses/links.ts";

let t: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});
after(() => t.close());

const post = async (by: Person, status: string, more: object = {}): Promise<string> =>
  (await by.post("/api/v1/statuses", { status, ...more })).json.id;

const link = (url: string, query = "", by?: Person) =>
  (by ?? t.visitor).get(`/api/v1/timelines/link?url=${encodeURIComponent(url)}${query}`);

const ids = async (url: string, query = "", by?: Person): Promise<string[]> =>
  (await link(url, query, by).ok()).map((status: any) => status.id);

const NEWS = "https://news.example/story?id=1&lang=en";

test("public posts that link there, newest first, in pages", async () => {
  const first = await post(alice, `read ${NEWS}`);
  const second = await post(bob, `${NEWS}#part and https://other.example/`);
  await post(alice, `quiet ${NEWS}`, { visibility: "unlisted" });
  await post(alice, `closed ${NEWS}`, { visibility: "private" });
  await post(alice, "https://news.example/story?id=2");
  const answer = await link(NEWS);
  for (const status of answer.json) assertEntity("Status", status);
  assert.deepEqual(await ids(NEWS), [second, first]);
  assert.deepEqual(await ids(`${NEWS}#section`), [second, first]);
  assert.deepEqual(await ids("https://other.example"), [second]);
  const page = await link(NEWS, "&limit=1");
  assert.match(page.headers.get("link")!, /max_id=\d+>; rel="next", <http.*min_id=\d+>/);
  assert.match(page.headers.get("cache-control")!, /public/);
  assert.deepEqual(await ids(NEWS, `&max_id=${second}`), [first]);
  assert.deepEqual(await ids(NEWS, `&max_id=${first}`), []);
});

test("an edit and a deletion are followed, blocks and limits hold", async () => {
  const url = "https://changing.example/a";
  const id = await post(alice, url);
  const allowed = await post(bob, url);
  const json = { status: "https://changing.example/b" };
  await alice.put(`/api/v1/statuses/${id}`, json);
  assert.deepEqual(await ids(url), [allowed]);
  assert.deepEqual(await ids("https://changing.example/b"), [id]);
  await alice.post(`/api/v1/accounts/${bob.accountId}/block`);
  assert.deepEqual(await ids(url, "", alice), []);
  await t.write`UPDATE accounts SET silenced_at = now() WHERE id = ${bob.accountId}`;
  assert.deepEqual(await ids(url), []);
  await alice.delete(`/api/v1/statuses/${id}`);
  assert.equal((await link("https://changing.example/b")).status, 404);
});

test("an address that nobody links to, and what is none, are missing", async () => {
  for (const url of ["https://nobody.example/", "", "x", "javascript:alert(1)", "a\0b"]) {
    const { status } = await link(url);
    assert.ok([404, 422].includes(status), `${url}: ${status}`);
  }
  assert.equal((await t.visitor.get("/api/v1/timelines/link")).status, 404);
  const narrow = await t.token(alice.userId, ["read:accounts"]);
  const path = "/api/v1/timelines/link?url=https://x.example";
  assert.equal((await t.as(narrow).get(path)).status, 403);
});

test("links of remote HTML: people and hashtags apart, entities read", () => {
  const html =
    '<p><a href="https://a.example/?x=1&amp;y=2" rel="nofollow">a</a> ' +
    '<a class="u-url mention" href="https://b.example/@b">@b</a> ' +
    '<a href="https://b.example/tags/c" class="mention hashtag" rel="tag">#c</a></p>';
  assert.deepEqual(linksOf(html), ["https://a.example/?x=1&y=2"]);
  assert.equal(linksOf(`${'<a href="https://d.example/'.repeat(50_000)}`).length, 0);
});

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { retention } from "../../../retention.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let t: TestApp;
let alice: Person;
let bob: Person;
let time = Date.now();

before(async () => {
  t = await startTestApp({ clock: { now: () => new Date(time) } });
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});
after(() => t.close());

const post = async (status: string, by = alice, more: object = {}): Promise<string> =>
  (await by.post("/api/v1/statuses", { status, ...more })).json.id;

const tag = async (name: string, by: Person | null = alice) => {
  const answer = await (by ?? t.visitor).get(`/api/v1/tags/${encodeURIComponent(name)}`).ok();
  assertEntity("Tag", answer);
  return answer;
};

const uses = (json: any) => json.history.map((day: any) => [day.uses, day.accounts].join());

test("a tag shows its name, URL and seven days", async () => {
  await post("#Café time");
  const json = await tag("cafe");
  assert.equal(json.name, "Café");
  assert.equal(json.url, `${t.url}/tags/cafe`);
  assert.deepEqual([json.following, json.featuring], [false, false]);
  assert.equal(json.history.length, 7);
  const midnight = Math.floor(time / DAY_MS) * (DAY_MS / 1000);
  assert.deepEqual(
    json.history.map((day: any) => day.day),
    Array.from({ length: 7 }, (_, i) => String(midnight - (i * DAY_MS) / 1000)),
  );
  const anonymous = await t.visitor.get("/api/v1/tags/caf%C3%A9");
  assert.equal("following" in anonymous.json, false);
  assert.match(anonymous.headers.get("cache-control")!, /public/);
});

test("history counts public uses and people by day, and each status once", async () => {
  const first = await post("#counted #counted #COUNTED");
  await post("again #counted");
  await post("#counted", bob);
  await post("#counted", bob, { visibility: "unlisted" });
  await post("#counted", bob, { visibility: "private" });
  await bob.post(`/api/v1/statuses/${first}/reblog`, {});
  assert.deepEqual(uses(await tag("counted")).slice(0, 2), ["3,2", "0,0"]);
  // An edit counts new tags; neither edits nor deletions subtract.
  await alice.put(`/api/v1/statuses/${first}`, { status: "#counted and #more" });
  assert.equal(uses(await tag("counted"))[0], "3,2");
  assert.equal(uses(await tag("more"))[0], "1,1");
  await alice.put(`/api/v1/statuses/${first}`, { status: "nothing" });
  await alice.delete(`/api/v1/statuses/${first}`);
  assert.equal(uses(await tag("counted"))[0], "3,2");
  time += 2 * DAY_MS;
  await post("later #counted");
  assert.deepEqual(uses(await tag("counted")).slice(0, 4), ["1,1", "0,0", "3,2", "0,0"]);
  time += 13 * DAY_MS;
  await retention["tag_days"]!(t.app, new Date(time));
  assert.deepEqual([...new Set(uses(await tag("counted")))], ["0,0"]);
  const [left] = await t.app.sql`SELECT count(*)::int AS count FROM tag_day_accounts`;
  assert.equal(left!["count"], 1);
});

test("people who are limited count for nothing in a history", async () => {
  const quiet = await t.person("quiet");
  await t.write`UPDATE accounts SET silenced_at = now() WHERE id = ${quiet.accountId}`;
  await post("#hushed", quiet);
  assert.equal(uses(await tag("hushed"))[0], "0,0");
});

test("an unused name is a tag too; an invalid name is a 404", async () => {
  const unused = await tag("NeverUsed");
  assert.equal(unused.name, "NeverUsed");
  assert.deepEqual([...new Set(uses(unused))], ["0,0"]);
  const odd = ["not a tag", "#x", "123", "a/b", "!!", "a-b", "_", "·", "a\0b", "x".repeat(256)];
  for (const name of odd) {
    for (const end of ["", "/follow", "/unfollow", "/feature", "/unfeature"]) {
      const method = end === "" ? "GET" : "POST";
      const answer = await alice.send(method, `/api/v1/tags/${encodeURIComponent(name)}${end}`);
      assert.equal(answer.status, 404, `${name}${end}`);
    }
  }
  const [row] = await t.app.sql`SELECT 1 FROM tags WHERE name = 'neverused'`;
  assert.equal(row, undefined);
});

test("following and unfollowing, once and twice", async () => {
  for (let i = 0; i < 2; i++) {
    const { json } = await alice.post("/api/v1/tags/Cats/follow");
    assertEntity("Tag", json);
    assert.deepEqual([json.name, json.following], ["Cats", true]);
  }
  assert.equal((await tag("cats")).following, true);
  assert.equal((await tag("cats", bob)).following, false);
  const listed = (await alice.get("/api/v1/followed_tags")).json;
  assert.deepEqual(
    listed.map((tag: any) => [tag.name, tag.following]),
    [["Cats", true]],
  );
  for (let i = 0; i < 2; i++) {
    assert.equal((await alice.post("/api/v1/tags/cats/unfollow")).json.following, false);
  }
  assert.equal((await alice.post("/api/v1/tags/notthere/unfollow")).json.following, false);
  assert.deepEqual((await alice.get("/api/v1/followed_tags")).json, []);
});

test("followed tags come in pages, with as many queries for many as for few", async () => {
  const carol = await t.person("carol");
  const names = ["one", "two", "three", "four", "five"];
  for (const name of names) await carol.post(`/api/v1/tags/${name}/follow`, {});
  const list = (query: string) => carol.get(`/api/v1/followed_tags${query}`);
  const first = await list("?limit=2");
  for (const tag of first.json) assertEntity("Tag", tag);
  const namesOf = (answer: typeof first) => answer.json.map((tag: any) => tag.name);
  assert.deepEqual(namesOf(first), ["five", "four"]);
  const link = first.headers.get("link")!;
  assert.match(link, /max_id=\d+>; rel="next", <http.*since_id=\d+>; rel="prev"/);
  const next = await carol.get(/<([^>]+)>; rel="next"/.exec(link)![1]!);
  assert.deepEqual(namesOf(next), ["three", "two"]);
  assert.deepEqual(namesOf(await list("?limit=0")), []);
  const few = await t.countQueries(() => list("?limit=1"));
  const many = await t.countQueries(() => list(""));
  assert.equal(many.result.json.length, 5);
  assert.equal(many.queries, few.queries);
});

test("a tag that is followed or muted again comes first, and no page leaves one out", async () => {
  const dora = await t.person("dora");
  for (const [act, undo, list] of [
    ["follow", "unfollow", "/api/v1/followed_tags"],
    ["mute", "unmute", "/api/v1/muted_tags"],
  ] as const) {
    const tags = ["older", "newer"];
    for (const name of tags) await dora.post(`/api/v1/tags/${name}/${act}`, {}).ok();
    await dora.post(`/api/v1/tags/older/${undo}`, {}).ok();
    await dora.post(`/api/v1/tags/older/${act}`, {}).ok();
    const first = await dora.get(`${list}?limit=1`);
    const next = await dora.get(/<([^>]+)>; rel="next"/.exec(first.headers.get("link")!)![1]!);
    const names = [...first.json, ...next.json].map((tag: any) => tag.name);
    assert.deepEqual(names, ["older", "newer"], list);
  }
});

test("tags want a person with a scope for what they do", async () => {
  for (const end of ["follow", "unfollow", "feature", "unfeature"]) {
    assert.equal((await t.visitor.post(`/api/v1/tags/x/${end}`, {})).status, 401);
    const token = await t.token(alice.userId, ["read"]);
    assert.equal((await t.as(token).post(`/api/v1/tags/x/${end}`)).status, 403);
  }
  assert.equal((await t.visitor.get("/api/v1/followed_tags")).status, 401);
  const token = await t.token(alice.userId, ["follow"]);
  await t.as(token).get("/api/v1/followed_tags").ok();
  // Tags are public, whatever the scopes of the token.
  const narrow = await t.token(alice.userId, ["write:media"]);
  await t.as(narrow).get("/api/v1/tags/x").ok();
});

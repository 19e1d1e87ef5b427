// Filters over real HTTP: the responses, permissions, and `filtered` in statuses on every path.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { invalidate } from "../../../platform/db/commits.ts";
import { lockAccount } from "../../people/accounts/lock.ts";
import { peopleOverLimits } from "./load.ts";
import { addFilter } from "./write.ts";
import { eventually } from "../../../../test/journeys/eventually.ts";
import { waitsForLock } from "../../../../test/waits-for-lock.ts";
import { assertEntity } from "../../../../test/schema.ts";

type Json = Record<string, any>;

let t: TestApp;
let alice: Person;
let bob: Person;
/** null: the real time. */
let now: Date | null = null;

before(async () => {
  t = await startTestApp({
    clock: { now: () => now ?? new Date() },
  });
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`);
});

after(() => t.close());

beforeEach(async () => {
  now = null;
  const list = (await alice.get("/api/v2/filters")).json;
  for (const { id } of list) await alice.delete(`/api/v2/filters/${id}`);
});

const make = async (json: Json, by: Person = alice): Promise<Json> => {
  const { status, json: filter } = await by.post("/api/v2/filters", {
    title: "f",
    context: ["home"],
    ...json,
  });
  assert.equal(status, 200, JSON.stringify(filter));
  assertEntity("Filter", filter);
  return filter;
};

const word = (keyword: string, whole_word?: boolean) => ({
  keywords_attributes: [{ keyword, ...(whole_word !== undefined && { whole_word }) }],
});

const post = async (by: Person, json: Json): Promise<string> => {
  const { json: status } = await by.post("/api/v1/statuses", json);
  await t.runJobs();
  return status.id;
};

const filtered = async (id: string, by: Person = alice): Promise<Json[]> =>
  (await by.get(`/api/v1/statuses/${id}`)).json.filtered;

const words = async (id: string) =>
  (await filtered(id)).map((result) => result["keyword_matches"]?.[0]);

test("a filter is made, read, changed and removed, with its keywords", async () => {
  const filter = await make({
    title: "Sport",
    context: ["home", "public"],
    filter_action: "hide",
    expires_in: 3600,
    keywords_attributes: [{ keyword: "goal", whole_word: true }, { keyword: "match" }],
  });
  assert.deepEqual([filter["filter_action"], filter["context"]], ["hide", ["home", "public"]]);
  assert.ok(Date.parse(filter["expires_at"]) > Date.now() + 3500_000);
  const [goal, match] = filter["keywords"];
  const { json: changed } = await alice.put(`/api/v2/filters/${filter["id"]}`, {
    title: "Games",
    expires_in: null,
    keywords_attributes: [
      { id: goal.id, _destroy: true },
      { id: match.id, whole_word: false },
      { keyword: "ball" },
    ],
  });
  assertEntity("Filter", changed);
  assert.deepEqual([changed.title, changed.expires_at, changed.context.length], ["Games", null, 2]);
  assert.deepEqual(
    changed.keywords.map((keyword: Json) => [keyword["keyword"], keyword["whole_word"]]),
    [
      ["match", false],
      ["ball", true],
    ],
  );
  assert.deepEqual((await alice.get("/api/v2/filters")).json, [changed]);
  assert.deepEqual((await alice.get(`/api/v2/filters/${filter["id"]}`)).json, changed);
  assert.deepEqual((await alice.delete(`/api/v2/filters/${filter["id"]}`)).json, {});
  assert.equal((await alice.get(`/api/v2/filters/${filter["id"]}`)).status, 404);
});

test("a form names keywords part by part", async () => {
  const form = new URLSearchParams([
    ["title", "f"],
    ["context[]", "home"],
    ["keywords_attributes[][keyword]", "one"],
    ["keywords_attributes[][whole_word]", "false"],
    ["keywords_attributes[][keyword]", "two"],
    ["keywords_attributes[][whole_word]", "true"],
  ]);
  const { json } = await alice.post("/api/v2/filters", form);
  assert.deepEqual(
    json.keywords.map((keyword: Json) => [keyword["keyword"], keyword["whole_word"]]),
    [
      ["one", false],
      ["two", true],
    ],
  );
});

test("what is no filter is refused with its faults", async () => {
  const refused = async (json: Json, text: RegExp) => {
    const { status, json: answer } = await alice.post("/api/v2/filters", json);
    assert.equal(status, 422, JSON.stringify(answer));
    assert.match(answer.error, text);
  };
  await refused({}, /Title can't be blank, Context can't be blank/);
  await refused({ title: "x" }, /Context None or invalid context/);
  await refused({ title: "x", context: ["home", "moon"] }, /Context None or invalid context/);
  await refused({ title: "x".repeat(257), context: ["home"] }, /Title is too long/);
  await refused({ title: "x", context: ["home"], filter_action: "burn" }, /Filter action/);
  await refused({ title: "x", context: ["home"], ...word("") }, /Keyword can't be blank/);
  await refused({ title: "x", context: ["home"], ...word("x".repeat(513)) }, /Keyword is too long/);
  assert.deepEqual((await alice.get("/api/v2/filters")).json, []);
});

test("there is a limit to filters, keywords and letters", async () => {
  const many = (count: number, length: number) => ({
    title: "x",
    context: ["home"],
    keywords_attributes: Array.from({ length: count }, (_, n) => ({
      keyword: String(n).padEnd(length, "x"),
    })),
  });
  const add = async (json: Json) => (await alice.post("/api/v2/filters", json)).status;
  assert.equal(await add(many(101, 500)), 422);
  assert.equal(await add(many(1000, 5)), 200);
  assert.equal(await add(many(1000, 5)), 200);
  assert.equal(await add(many(1, 5)), 422);
});

test("keywords with a wildcard between letters are fewer", async () => {
  const wild = (count: number) => ({
    title: "x",
    context: ["home"],
    keywords_attributes: Array.from({ length: count }, (_, n) => ({
      keyword: `foot*${n}`,
      wildcards: true,
    })),
  });
  assert.equal((await alice.post("/api/v2/filters", wild(201))).status, 422);
  await alice.post("/api/v2/filters", wild(200)).ok();
});

test("of more keywords, as people move in with, the first are looked for; all are kept, and it is said", async () => {
  const filter = await make(word("first"), alice);
  await t.write`
    INSERT INTO filter_keywords (filter_id, keyword)
    SELECT ${filter["id"]}::bigint, 'moved' || n FROM generate_series(1, 2500) n`;
  // The next act of theirs makes the server read the filters again.
  await alice.put(`/api/v2/filters/keywords/${filter["keywords"][0].id}`, { keyword: "first" });
  const isFiltered = async (status: string) => {
    const id = await post(bob, { status });
    return (await alice.get(`/api/v1/statuses/${id}`)).json.filtered.length > 0;
  };
  assert.deepEqual(
    [await isFiltered("a first"), await isFiltered("moved1999"), await isFiltered("moved2000")],
    [true, true, false],
  );
  const { json } = await alice.get(`/api/v2/filters/${filter["id"]}`);
  assert.equal(json.keywords.length, 2501);
  assert.deepEqual(await peopleOverLimits(t.app.sql), ["alice"]);
});

test("the limit counts what others of the person's apps add at the same moment", async () => {
  const keywords = Array.from({ length: 90 }, (_, n) => ({ keyword: `${n}`.padEnd(500, "x") }));
  const add = () => addFilter(t.app, alice.accountId, { title: "x", context: ["home"] }, keywords);
  const begun = Promise.withResolvers<void>();
  // It may be refused before the transaction below has ended for this process.
  const isRefused = assert.rejects(begun.promise.then(add), /maximum number of filters/);
  await t.fixture(async (tx) => {
    await lockAccount(tx, alice.accountId);
    await tx`
      WITH filter AS (
        INSERT INTO filters (account_id, title, context, action)
        VALUES (${alice.accountId}, 'y', ARRAY['home'], 'warn') RETURNING id
      )
      INSERT INTO filter_keywords (filter_id, keyword)
      SELECT id, repeat('y', 500) || n FROM filter, generate_series(1, 90) n`;
    invalidate(tx, `filters:${alice.accountId}`);
    begun.resolve();
    await eventually("the other one to wait for its turn", () => waitsForLock(t.app.sql));
  });
  await isRefused;
});

test("nobody reaches another's filter, keyword or status entry", async () => {
  const status = await post(bob, { status: "see" });
  const filter = await make(word("mine"), alice);
  const named = await alice.post(`/api/v2/filters/${filter["id"]}/statuses`, {
    status_id: status,
  });
  assertEntity("FilterStatus", named.json);
  const keyword = filter["keywords"][0].id;
  const paths: [string, string, Json?][] = [
    ["GET", `/api/v2/filters/${filter["id"]}`],
    ["PUT", `/api/v2/filters/${filter["id"]}`, { title: "theirs" }],
    ["DELETE", `/api/v2/filters/${filter["id"]}`],
    ["GET", `/api/v2/filters/${filter["id"]}/keywords`],
    ["POST", `/api/v2/filters/${filter["id"]}/keywords`, { keyword: "x" }],
    ["GET", `/api/v2/filters/${filter["id"]}/statuses`],
    ["POST", `/api/v2/filters/${filter["id"]}/statuses`, { status_id: status }],
    ["GET", `/api/v2/filters/keywords/${keyword}`],
    ["PATCH", `/api/v2/filters/keywords/${keyword}`, { keyword: "x" }],
    ["DELETE", `/api/v2/filters/keywords/${keyword}`],
    ["GET", `/api/v2/filters/statuses/${named.json.id}`],
    ["DELETE", `/api/v2/filters/statuses/${named.json.id}`],
    ["GET", `/api/v1/filters/${keyword}`],
    ["PUT", `/api/v1/filters/${keyword}`, { phrase: "x", context: ["home"] }],
    ["DELETE", `/api/v1/filters/${keyword}`],
  ];
  for (const [method, path, json] of paths) {
    assert.equal((await bob.send(method, path, json)).status, 404, `${method} ${path}`);
  }
  const foreign = { keywords_attributes: [{ id: keyword, keyword: "stolen" }] };
  const own = await make({}, bob);
  assert.equal((await bob.put(`/api/v2/filters/${own["id"]}`, foreign)).status, 404);
  const untouched = (await alice.get(`/api/v2/filters/${filter["id"]}`)).json;
  assert.deepEqual([untouched.keywords[0].keyword, untouched.statuses.length], ["mine", 1]);
});

test("only with a person's token of the right scope", async () => {
  const reader = await t.token(alice.userId, ["read:statuses"]);
  for (const path of ["/api/v1/filters", "/api/v2/filters"]) {
    assert.equal((await t.visitor.get(path)).status, 401);
    assert.equal((await t.as(reader).get(path)).status, 403);
    assert.equal((await t.as(reader).post(path, {})).status, 403);
  }
});

test("keywords one by one", async () => {
  const { id } = await make({});
  const answer = await alice.post(`/api/v2/filters/${id}/keywords`, { keyword: "tea" });
  assertEntity("FilterKeyword", answer.json);
  assert.equal(answer.json.whole_word, true);
  const path = `/api/v2/filters/keywords/${answer.json.id}`;
  const changed = await alice.patch(path, { keyword: "coffee", whole_word: false });
  assert.deepEqual(changed.json, { id: answer.json.id, keyword: "coffee", whole_word: false });
  assert.deepEqual((await alice.get(`/api/v2/filters/${id}/keywords`)).json, [changed.json]);
  assert.equal((await alice.post(`/api/v2/filters/${id}/keywords`, {})).status, 422);
  assert.deepEqual((await alice.delete(path)).json, {});
  assert.equal((await alice.get(path)).status, 404);
});

test("statuses one by one; who may not see one cannot name it", async () => {
  const { id } = await make({ title: "later", filter_action: "warn" });
  const status = await post(bob, { status: "nothing to see" });
  const hidden = await post(bob, { status: "secret", visibility: "direct" });
  const add = (statusId: string) =>
    alice.post(`/api/v2/filters/${id}/statuses`, { status_id: statusId });
  assert.equal((await add(hidden)).status, 404);
  assert.equal((await add("moon")).status, 404);
  const answer = await add(status).ok();
  assert.match((await add(status)).json.error, /already been taken/);
  const [result] = await filtered(status);
  assertEntity("FilterResult", result);
  assert.deepEqual([result!["keyword_matches"], result!["status_matches"]], [null, [status]]);
  await alice.delete(`/api/v2/filters/statuses/${answer.id}`).ok();
  assert.deepEqual(await filtered(status), []);
});

test("the first version: each keyword is a filter", async () => {
  const bad = await alice.post("/api/v1/filters", {});
  assert.equal(bad.status, 422);
  const answer = await alice.post("/api/v1/filters", {
    phrase: "spoiler",
    context: ["home", "thread"],
    irreversible: true,
    whole_word: true,
    expires_in: 60,
  });
  assertEntity("V1_Filter", answer.json);
  assert.equal(answer.headers.get("deprecation"), "@1668384000");
  assert.deepEqual([answer.json.phrase, answer.json.irreversible], ["spoiler", true]);
  const [newer] = (await alice.get("/api/v2/filters")).json;
  assert.deepEqual([newer.title, newer.filter_action], ["spoiler", "hide"]);
  assert.equal(newer.keywords[0].id, answer.json.id);

  const path = `/api/v1/filters/${answer.json.id}`;
  const changed = await alice.put(path, { phrase: "ending", context: ["public"] });
  assert.deepEqual([changed.json.phrase, changed.json.context], ["ending", ["public"]]);
  assert.equal((await alice.put(path, { phrase: "", context: ["public"] })).status, 422);
  assert.deepEqual((await alice.get(path)).json, changed.json);

  // With a second keyword, this API cannot change what belongs to the whole filter.
  await alice.post(`/api/v2/filters/${newer.id}/keywords`, { keyword: "another" });
  assert.equal((await alice.get("/api/v1/filters")).json.length, 2);
  assert.equal((await alice.put(path, { phrase: "x", context: ["home"] })).status, 422);
  await alice.put(path, { phrase: "x", context: ["public"] }).ok();
  assert.deepEqual((await alice.delete(path)).json, {});
  const [rest] = (await alice.get("/api/v1/filters")).json;
  await alice.delete(`/api/v1/filters/${rest.id}`);
  assert.deepEqual((await alice.get("/api/v2/filters")).json, []);
});

test("whole words end where a letter of any script does", async () => {
  const ids = {
    cat: await post(bob, { status: "A CAT sat" }),
    concat: await post(bob, { status: "concatenate" }),
    czech: await post(bob, { status: "příliš žluťoučký kůň" }),
    prefix: await post(bob, { status: "žluťoučký" }),
    plus: await post(bob, { status: "I like C++ and c#" }),
  };
  await make(word("cat", true));
  assert.deepEqual(await words(ids.cat), ["CAT"]);
  assert.deepEqual(await words(ids.concat), []);
  await make(word("žluť", true));
  assert.deepEqual(await words(ids.prefix), []);
  await make(word("ŽLUŤ", false));
  assert.deepEqual(await words(ids.prefix), ["žluť"]);
  await make(word("KŮŇ", true));
  assert.deepEqual(await words(ids.czech), ["žluť", "kůň"]);
  // No part of a keyword is a pattern, and word boundaries count only beside letters.
  await make(word("c++", true));
  assert.deepEqual(await words(ids.plus), ["C++"]);
  await make(word("t.c", false));
  assert.deepEqual(await words(ids.concat), []);
});

test("the warning, poll options and descriptions are looked through too", async () => {
  const warned = await post(bob, { status: "text", spoiler_text: "about ducks" });
  await make(word("ducks"));
  assert.deepEqual(await words(warned), ["ducks"]);
  const pictured = await post(bob, { status: "picture" });
  await t.fixture(async (sql) => {
    await sql`
      INSERT INTO media_attachments (account_id, status_id, type, url, description)
      VALUES (${bob.accountId}, ${pictured}, 'image', 'https://there.example/1.png', 'two ducks swim')
    `;
    await sql`UPDATE statuses SET has_media = true WHERE id = ${pictured}`;
  });
  assert.deepEqual(await words(pictured), ["ducks"]);
});

test("one's own posts are never filtered, not even reblogged by others", async () => {
  await make(word("mine"));
  await make(word("mine"), bob);
  const own = await post(alice, { status: "this is mine" });
  assert.deepEqual(await filtered(own), []);
  assert.equal((await filtered(own, bob)).length, 1);
  const { json: boost } = await bob.post(`/api/v1/statuses/${own}/reblog`);
  assert.deepEqual(await filtered(boost.id), []);
  assert.equal(boost.filtered.length, 1);
});

test("on every path where a status is answered", async () => {
  await bob.post(`/api/v1/accounts/${alice.accountId}/follow`);
  const own = await post(alice, { status: "a beginning" });
  const id = await post(bob, { status: "@alice forbidden #path", in_reply_to_id: own });
  const open = await post(bob, { status: "forbidden #path" });
  const direct = await post(bob, { status: "@alice forbidden fruit", visibility: "direct" });
  await alice.post(`/api/v1/statuses/${open}/favourite`);
  await alice.post(`/api/v1/statuses/${open}/bookmark`);
  const filter = await make({ ...word("forbidden"), context: ["home"] });
  const expected = {
    filter: {
      id: filter["id"],
      title: "f",
      context: ["home"],
      expires_at: null,
      filter_action: "warn",
    },
    keyword_matches: ["forbidden"],
    status_matches: null,
  };
  const find = async (path: string, pick: (json: any) => Json[], id: string) => {
    const json = await alice.get(path).ok();
    const entity = pick(json).find((entity) => entity["id"] === id);
    assert.ok(entity, `${path} has it`);
    assertEntity("Status", entity);
    assert.deepEqual(entity["filtered"], [expected], path);
  };
  const list = (json: Json[]) => json;
  await find("/api/v1/timelines/home", list, open);
  await find("/api/v1/timelines/public", list, open);
  await find("/api/v1/timelines/tag/path", list, open);
  await find("/api/v1/timelines/direct", list, direct);
  await find(`/api/v1/accounts/${bob.accountId}/statuses`, list, open);
  await find(`/api/v1/statuses/${own}/context`, (json) => json.descendants, id);
  await find(`/api/v1/statuses?id[]=${open}`, list, open);
  await find("/api/v1/favourites", list, open);
  await find("/api/v1/bookmarks", list, open);
  await find(
    "/api/v1/notifications",
    (json) => json.map((notification: Json) => notification["status"]),
    id,
  );
  const direct1 = (json: Json[]) => json.map((conversation) => conversation["last_status"]);
  await find("/api/v1/conversations", direct1, direct);
  const url = (await alice.get(`/api/v1/statuses/${open}`)).json.uri;
  const search = `/api/v2/search?q=${encodeURIComponent(url)}&type=statuses&resolve=true`;
  await find(search, (json) => json.statuses, open);
  // Nobody else sees anything of it.
  assert.equal("filtered" in (await t.visitor.get(`/api/v1/statuses/${open}`)).json, false);
});

test("a filter ends by the clock, and a change counts at once", async () => {
  const id = await post(bob, { status: "temporary" });
  const filter = await make({ ...word("temporary"), expires_in: 600 });
  assert.deepEqual(await words(id), ["temporary"]);
  now = new Date(Date.now() + 601_000);
  assert.deepEqual(await words(id), []);
  now = null;
  await alice.put(`/api/v2/filters/${filter["id"]}`, { expires_in: "" });
  assert.deepEqual(await words(id), ["temporary"]);
  await bob.put(`/api/v1/statuses/${id}`, { status: "for good" });
  assert.deepEqual(await words(id), []);
});

test("a warm home page asks nothing, filters or not", async () => {
  const send = (n: number) => bob.post("/api/v1/statuses", { status: `post number ${n}` });
  for (let n = 0; n < 20; n++) await send(n);
  await t.runJobs();
  await make(word("number 7"));
  const page = () => alice.get("/api/v1/timelines/home");
  await page();
  const { result, queries } = await t.countQueries(page, { warm: true });
  const hits = result.json.filter((hit: Json) => hit["filtered"].length > 0);
  assert.deepEqual([result.json.length, hits.length], [20, 1]);
  assert.ok(queries <= 1, `${queries} queries`); // the token, which tests do not keep
});

test("keywords say whether their * stands for letters, and are refused with more than one inside", async () => {
  const keywords_attributes = [{ keyword: "f*ball", wildcards: true }, { keyword: "b*sket" }];
  const { id, keywords } = await make({ keywords_attributes });
  assert.deepEqual(
    keywords.map((row: Json) => row.wildcards),
    [true, undefined],
  );
  const path = `/api/v2/filters/keywords/${keywords[0].id}`;
  assert.equal((await alice.put(path, { keyword: "foot*" })).json.wildcards, true);
  assert.equal((await alice.put(path, { wildcards: false })).json.wildcards, undefined);
  assert.equal((await alice.put(path, { wildcards: true })).json.keyword, "foot*");
  for (const keyword of ["*", "**", "* *", "a*b*c"]) {
    const refused = await alice.post(`/api/v2/filters/${id}/keywords`, {
      keyword,
      wildcards: true,
    });
    assert.equal(refused.status, 422, keyword);
    assert.match(refused.json.error, /[Kk]eyword/);
    const plain = await alice.post(`/api/v2/filters/${id}/keywords`, { keyword });
    assert.equal(plain.status, 200, keyword);
  }
  assert.equal((await bob.put(path, { keyword: "x" })).status, 404);
});

test("a post is filtered by a keyword with a wildcard, in lists and alone", async () => {
  await make({ keywords_attributes: [{ keyword: "mush*", wildcards: true }] });
  const json = { status: "mushrooms after rain" };
  const { id } = (await bob.post("/api/v1/statuses", json)).json;
  await t.runJobs();
  const home = (await alice.get("/api/v1/timelines/home")).json;
  const alone = (await alice.get(`/api/v1/statuses/${id}`)).json;
  for (const status of [home.find((each: Json) => each.id === id), alone]) {
    assert.deepEqual(status.filtered[0].keyword_matches, ["mush"]);
  }
});

test("a filter of a thousand words is not read again for the next page", async () => {
  const words = Array.from({ length: 1000 }, (_, n) => ({ keyword: `unwanted${n}` }));
  await make({ keywords_attributes: words });
  const look = async () => {
    await alice.get("/api/v1/timelines/home").ok();
  };
  await look();
  await look();
  const { queries } = await t.countQueries(look, { warm: true });
  assert.equal(queries, 0);
});

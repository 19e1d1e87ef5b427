import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
});
after(() => t.close());

const post = (by: Person, body: Record<string, unknown>, headers = {}) =>
  by.post("/api/v1/statuses", body, headers);

const act = (by: Person, id: string, verb: string, json: unknown = {}) =>
  by.post(`/api/v1/statuses/${id}/${verb}`, json);

const show = (id: string, by?: Person) => (by ?? t.visitor).get(`/api/v1/statuses/${id}`);

const count = async (table: string) =>
  Number((await t.app.sql`SELECT count(*) FROM ${t.app.sql(table)}`)[0]!["count"]);

test("a post is answered whole and can be read by anybody", async () => {
  const answer = await post(alice, {
    status: "Hello @bob, #Cats https://example.org/x",
    language: "en",
  }).ok();
  await assertEntity("Status", answer);
  assert.equal(answer.visibility, "public");
  assert.equal(answer.mentions[0].acct, "bob");
  assert.deepEqual(answer.tags, [{ name: "cats", url: `${t.url}/tags/cats` }]);
  assert.match(answer.content, /class="u-url mention">@<span>bob<\/span>/);
  assert.equal(answer.uri, `${t.url}/users/alice/statuses/${answer.id}`);
  assert.equal(answer.url, `${t.url}/@alice/${answer.id}`);
  assert.equal(answer.pinned, false);
  const seen = await show(answer.id);
  await assertEntity("Status", seen.json);
  assert.equal("favourited" in seen.json, false);
  assert.equal((await show(answer.id, bob)).json.favourited, false);
});

test("a form body means the same as JSON", async () => {
  const form = { status: "as a form", sensitive: "on", spoiler_text: "cw", visibility: "unlisted" };
  const answer = await alice.post("/api/v1/statuses", new URLSearchParams(form)).ok();
  assert.equal(answer.sensitive, true);
  assert.equal(answer.spoiler_text, "cw");
  assert.equal(answer.visibility, "unlisted");
});

test("bad posts are refused with a reason and leave nothing", async () => {
  const before = await count("statuses");
  const cases: [Record<string, unknown>, number, RegExp][] = [
    [{ status: "" }, 422, /Text can't be blank/],
    [{ status: " \n " }, 422, /Text can't be blank/],
    [{}, 422, /Text can't be blank/],
    [{ status: "\u200b \u2060\ufe0f" }, 422, /Text can't be blank/],
    [
      { status: "x", poll: { options: ["a", "\u200b"], expires_in: 600 } },
      422,
      /Choices can't be blank/,
    ],
    [{ status: "x".repeat(501) }, 422, /character limit of 500 exceeded/],
    [{ status: "x".repeat(400), spoiler_text: "y".repeat(101) }, 422, /limit of 500/],
    [{ status: "x", visibility: "nope" }, 422, /Visibility is not included in the list/],
    [{ status: "x", in_reply_to_id: "1" }, 404, /does not appear to exist/],
    [{ status: "x", in_reply_to_id: "no" }, 404, /does not appear to exist/],
    [{ status: "a\0b" }, 422, /null byte/],
    [{ status: { a: 1 } }, 422, /is invalid/],
    [{ status: "x", poll: { options: ["a", "b"] } }, 422, /Deadline can't be blank/],
    [{ status: "x", media_ids: ["1"] }, 422, /Media 1 not found/],
    [{ status: "x", scheduled_at: "2999-01-01" }, 422, /too far into the future/],
    [{ status: `e${"\u0301".repeat(20_000)}` }, 422, /limit of 500/],
  ];
  for (const [body, status, error] of cases) {
    const answer = await post(alice, body);
    assert.equal(answer.status, status, JSON.stringify(body).slice(0, 80));
    assert.match(answer.json.error, error);
  }
  const broken = await alice.post("/api/v1/statuses", undefined, {
    "content-type": "application/json",
  });
  assert.equal(broken.status, 422);
  assert.equal(await count("statuses"), before);
});

test("links count 23 characters, remote handles only their name", async () => {
  const link = `https://example.org/${"a".repeat(600)}`;
  await post(alice, { status: `${"x".repeat(476)} ${link}` }).ok();
  assert.equal((await post(alice, { status: `${"x".repeat(477)} ${link}` })).status, 422);
  const handle = "@bobby@a-very-long-host-name.invalid";
  await post(alice, { status: `${"x".repeat(493)} ${handle}` }).ok();
  assert.equal((await post(alice, { status: `${"x".repeat(494)} ${handle}` })).status, 422);
});

test("permissions: no token, app token, wrong scope", async () => {
  const json = { status: "x" };
  assert.equal((await t.visitor.post("/api/v1/statuses", json)).status, 401);
  const app = await t.token(null, ["write"]);
  assert.equal((await t.as(app).post("/api/v1/statuses", json)).status, 422);
  const reader = await t.token(alice.userId, ["read", "write:media"]);
  assert.equal((await t.as(reader).post("/api/v1/statuses", json)).status, 403);
  const narrow = await t.token(alice.userId, ["write:statuses"]);
  await t.as(narrow).post("/api/v1/statuses", json).ok();
});

test("the same idempotency key gives the same status, also at the same moment", async () => {
  const before = await count("statuses");
  const headers = { "idempotency-key": "k1" };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => post(alice, { status: "once" }, headers)),
  );
  const ids = new Set(answers.map((answer) => answer.json.id));
  assert.equal(ids.size, 1);
  assert.equal(await count("statuses"), before + 1);
  const other = await post(bob, { status: "once" }, headers);
  assert.equal(ids.has(other.json.id), false);
});

test("unexpected mentions are refused unless they are allowed", async () => {
  const refused = await post(alice, { status: "hey @bob", allowed_mentions: [] });
  assert.equal(refused.status, 422);
  assert.equal(refused.json.unexpected_accounts[0].acct, "bob");
  await post(alice, { status: "hey @bob", allowed_mentions: [bob.accountId] }).ok();
});

test("private and direct posts look missing to those they are not for, with every verb", async () => {
  const direct = (await post(alice, { status: "psst @bob", visibility: "direct" })).json;
  const secret = (await post(alice, { status: "followers", visibility: "private" })).json;
  await show(direct.id, bob).ok();
  for (const { id } of [direct, secret]) {
    assert.equal((await show(id)).status, 404);
    assert.deepEqual((await show(id, carol)).json, (await show("1", carol)).json);
    for (const verb of [
      "favourite",
      "unfavourite",
      "reblog",
      "unreblog",
      "bookmark",
      "pin",
      "unpin",
    ]) {
      assert.equal((await act(carol, id, verb)).status, 404, verb);
    }
    for (const path of ["context", "history", "source", "favourited_by", "reblogged_by"]) {
      const answer = await carol.get(`/api/v1/statuses/${id}/${path}`);
      assert.equal(answer.status, 404, path);
    }
    const put = await carol.put(`/api/v1/statuses/${id}`, { status: "x" });
    assert.equal(put.status, 404);
    assert.equal((await carol.delete(`/api/v1/statuses/${id}`)).status, 404);
    const reply = await post(carol, { status: "x", in_reply_to_id: id });
    assert.equal(reply.status, 404);
  }
});

test("favourite, bookmark and their reverse answer the right counts, once each", async () => {
  const { id } = (await post(alice, { status: "like me" })).json;
  assert.equal((await act(bob, id, "favourite")).json.favourites_count, 1);
  const again = (await act(bob, id, "favourite")).json;
  assert.deepEqual([again.favourites_count, again.favourited], [1, true]);
  assert.equal((await act(carol, id, "favourite")).json.favourites_count, 2);
  const people = await t.visitor.get(`/api/v1/statuses/${id}/favourited_by?limit=1`);
  assert.deepEqual(
    people.json.map((a: any) => a.acct),
    ["carol"],
  );
  assert.match(
    people.headers.get("link")!,
    /^<http[^>]+limit=1&max_id=\d+>; rel="next", <[^>]+since_id=\d+>; rel="prev"$/,
  );
  const next = /<([^>]+)>; rel="next"/.exec(people.headers.get("link")!)![1]!;
  assert.deepEqual(
    (await t.visitor.get(next)).json.map((a: any) => a.acct),
    ["bob"],
  );
  assert.equal((await act(bob, id, "unfavourite")).json.favourites_count, 1);
  assert.equal((await act(bob, id, "unfavourite")).json.favourited, false);
  assert.equal((await act(bob, id, "bookmark")).json.bookmarked, true);
  const marked = await bob.get("/api/v1/bookmarks");
  assert.deepEqual(
    marked.json.map((s: any) => s.id),
    [id],
  );
  assert.equal((await act(bob, id, "unbookmark")).json.bookmarked, false);
});

test("twenty favourites at the same moment count twenty", async () => {
  const { id } = (await post(alice, { status: "popular" })).json;
  const people = await Promise.all(Array.from({ length: 8 }, (_, i) => t.person(`fan${i}`)));
  await Promise.all(people.flatMap((p) => [act(p, id, "favourite"), act(p, id, "favourite")]));
  assert.equal((await show(id)).json.favourites_count, 8);
});

test("a reblog is a status of its own, one for each person", async () => {
  const { id } = (await post(alice, { status: "boost me" })).json;
  const answer = await act(bob, id, "reblog");
  await assertEntity("Status", answer.json);
  assert.equal(answer.json.reblog.id, id);
  assert.equal(answer.json.reblogged, true);
  assert.equal(answer.json.reblog.reblogs_count, 1);
  assert.equal(answer.json.content, "");
  assert.equal(answer.json.uri, `${t.url}/users/bob/statuses/${answer.json.id}/activity`);
  assert.equal((await act(bob, id, "reblog")).json.id, answer.json.id);
  // A reblog of the reblog is one of the original.
  assert.equal((await act(carol, answer.json.id, "reblog")).json.reblog.id, id);
  assert.equal((await show(id)).json.reblogs_count, 2);
  const people = await t.visitor.get(`/api/v1/statuses/${id}/reblogged_by`);
  assert.deepEqual(
    people.json.map((a: any) => a.acct),
    ["carol", "bob"],
  );
  const undone = await act(bob, id, "unreblog");
  assert.deepEqual([undone.json.reblogs_count, undone.json.reblogged], [1, false]);
  assert.equal((await show(answer.json.id)).status, 404);
});

test("a followers-only post is reblogged by its author alone", async () => {
  const { id } = (await post(alice, { status: "@bob mine", visibility: "private" })).json;
  assert.equal((await act(bob, id, "reblog")).status, 403);
  const own = await act(alice, id, "reblog");
  assert.deepEqual([own.status, own.json.visibility], [200, "private"]);
});

test("an edit stores the version before; history and source show it", async () => {
  const { id } = (await post(alice, { status: "first @bob #one", spoiler_text: "cw" })).json;
  const answer = await t.visitor.get(`/api/v1/statuses/${id}/history`);
  assert.equal(answer.json.length, 1);
  const json = { status: "second #two", spoiler_text: "" };
  const edited = await alice.put(`/api/v1/statuses/${id}`, json).ok();
  await assertEntity("Status", edited);
  assert.notEqual(edited.edited_at, null);
  assert.deepEqual(edited.mentions, []);
  assert.deepEqual(
    edited.tags.map((tag: any) => tag.name),
    ["two"],
  );
  const history = (await t.visitor.get(`/api/v1/statuses/${id}/history`)).json;
  assert.equal(history.length, 2);
  for (const version of history) await assertEntity("StatusEdit", version);
  assert.match(history[0].content, /first/);
  assert.match(history[1].content, /second/);
  const source = await alice.get(`/api/v1/statuses/${id}/source`);
  assert.deepEqual(source.json, {
    id,
    text: "second #two",
    spoiler_text: "",
    content_type: "text/plain",
  });
  const foreign = await bob.put(`/api/v1/statuses/${id}`, json);
  assert.equal(foreign.status, 404);
});

test("a delete answers the source and takes the reblogs along", async () => {
  const { id } = (await post(alice, { status: "going" })).json;
  const boost = (await act(bob, id, "reblog")).json.id;
  const before = (await t.visitor.get(`/api/v1/accounts/${bob.accountId}`)).json;
  const gone = await alice.delete(`/api/v1/statuses/${id}`).ok();
  assert.equal(gone.text, "going");
  assert.equal((await show(id)).status, 404);
  assert.equal((await show(boost)).status, 404);
  const [row] = await t.app
    .sql`SELECT statuses_count FROM account_stats WHERE account_id = ${bob.accountId}`;
  if (before?.statuses_count !== undefined) {
    assert.equal(Number(row!["statuses_count"]), before.statuses_count - 1);
  }
  assert.equal((await alice.delete(`/api/v1/statuses/${id}`)).status, 404);
});

test("a thread is shown whole, without what the viewer may not see", async () => {
  const root = (await post(alice, { status: "root" })).json.id;
  const reply = (await post(bob, { status: "@alice one", in_reply_to_id: root })).json.id;
  const hidden = (
    await post(carol, { status: "@bob shh", in_reply_to_id: reply, visibility: "direct" })
  ).json.id;
  const below = (
    await post(bob, { status: "@carol deep", in_reply_to_id: hidden, visibility: "direct" })
  ).json.id;
  const own = (await post(alice, { status: "two", in_reply_to_id: root })).json.id;
  const context = async (id: string, by?: Person) => {
    const answer = await (by ?? t.visitor).get(`/api/v1/statuses/${id}/context`);
    await assertEntity("Context", answer.json);
    return [answer.json.ancestors, answer.json.descendants].map((l: any) =>
      l.map((s: any) => s.id),
    );
  };
  assert.deepEqual(await context(root), [[], [own, reply]]);
  assert.deepEqual(await context(reply, bob), [[root], [hidden, below]]);
  assert.deepEqual(await context(below, carol), [[root, reply, hidden], []]);
  assert.equal((await show(root)).json.replies_count, 2);
});

test("pins: one's own public and unlisted posts, five at most", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) ids.push((await post(carol, { status: `pin ${i}` })).json.id);
  for (const id of ids.slice(0, 5)) {
    assert.equal((await act(carol, id, "pin")).json.pinned, true);
  }
  assert.equal((await act(carol, ids[5]!, "pin")).status, 422);
  await act(carol, ids[0]!, "pin").ok();
  assert.equal((await act(carol, ids[0]!, "unpin")).json.pinned, false);
  const unlisted = (await post(carol, { status: "aside", visibility: "unlisted" })).json.id;
  assert.equal((await act(carol, unlisted, "pin")).json.pinned, true);
  assert.equal((await act(bob, ids[1]!, "pin")).status, 422);
  for (const visibility of ["direct", "private"]) {
    const quiet = (await post(carol, { status: "@bob x", visibility })).json.id;
    const refused = await act(carol, quiet, "pin");
    assert.equal(refused.status, 422);
    assert.match(refused.json.error, /Only public and unlisted posts can be pinned/);
  }
});

test("several ids: newest first, unknown and hidden ones left out, twenty at most", async () => {
  const a = (await post(alice, { status: "a" })).json.id;
  const b = (await post(alice, { status: "b" })).json.id;
  const secret = (await post(alice, { status: "s", visibility: "private" })).json.id;
  const path = `/api/v1/statuses?id[]=${a}&id[]=${b}&id[]=${secret}&id[]=1&id[]=junk`;
  assert.deepEqual(
    (await t.visitor.get(path)).json.map((s: any) => s.id),
    [b, a],
  );
  const many = Array.from({ length: 21 }, (_, i) => `id[]=${i}`).join("&");
  assert.equal((await t.visitor.get(`/api/v1/statuses?${many}`)).status, 422);
});

test("what anybody may read of a public post may be cached, for nobody in particular alone", async () => {
  const { id } = (await post(alice, { status: "for all" })).json;
  const paths = ["", "/context", "/history", "/favourited_by", "/reblogged_by"].map(
    (end) => `/api/v1/statuses/${id}${end}`,
  );
  const SHARED = "max-age=15, public, stale-while-revalidate=30, stale-if-error=86400";
  for (const path of [...paths, "/api/v1/timelines/public", "/api/v1/timelines/tag/x"]) {
    const control = async (init: object, query = "") => {
      const { headers } = await t.request("GET", path + query, init);
      assert.match(headers.get("vary")!, /Authorization/);
      return headers.get("cache-control");
    };
    assert.equal(await control({}), SHARED, path);
    const expected = "private, no-store";
    assert.equal(await control({ token: bob.token }), expected, path);
    assert.equal(await control({ token: "unknown" }), expected, path);
    assert.equal(await control({ headers: { cookie: "a=b" } }), expected, path);
    assert.equal(await control({}, "?access_token=unknown"), expected, path);
  }
  const hidden = (await post(alice, { status: "s", visibility: "private" })).json.id;
  assert.equal((await show(hidden)).headers.get("cache-control"), "private, no-store");
});

test("a page takes the same number of queries however many statuses it has", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) {
    ids.push((await post(i % 2 ? alice : bob, { status: `@carol n${i} #t${i}` })).json.id);
  }
  const get = (n: number) =>
    carol.get(
      `/api/v1/statuses?${ids
        .slice(0, n)
        .map((id) => `id[]=${id}`)
        .join("&")}`,
    );
  const single = await t.countQueries(() => get(1));
  const six = await t.countQueries(() => get(6));
  assert.ok(single.queries > 0);
  assert.equal(six.queries, single.queries);
});

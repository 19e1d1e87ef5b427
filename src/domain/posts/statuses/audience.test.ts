// Who sees a post and may act on it, as apps of other software say it: each parameter is meant or refused, never passed over.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

type Json = Record<string, any>;

let t: TestApp;
let alice: Person;
let bob: Person;
let list: Json;

const post = (json: Json) => alice.post("/api/v1/statuses", { status: "words", ...json }).ok();

before(async () => {
  t = await startTestApp();
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
  list = await alice.post("/api/v1/lists", { title: "friends" }).ok();
  await alice.post(`/api/v1/lists/${list["id"]}/accounts`, { account_ids: [bob.accountId] }).ok();
});
after(() => t?.close());

const LATER = new Date(Date.now() + 3_600_000).toISOString();
const rule = (...always: string[]) => ({ always, with_approval: [] });
const can = (name: string, ...groups: string[]) => ({
  interaction_policy: { [`can_${name}`]: rule(...groups) },
});

const stored = async (id: string): Promise<string> => {
  const [row] = await t.app.sql<{ visibility: string }[]>`
    SELECT visibility FROM statuses WHERE id = ${id}`;
  return row!.visibility;
};

/** What is sent, and with which visibility it is stored. */
const MEANT: [Json, string][] = [
  [{ local_only: true }, "local"],
  [{ local_only: "true", visibility: "public" }, "local"],
  [{ local_only: 1, visibility: "unlisted" }, "local"],
  [{ local_only: true, visibility: "private" }, "local_followers"],
  [{ local_only: true, visibility: "local" }, "local"],
  [{ federated: false }, "local"],
  [{ federated: false, visibility: "private" }, "local_followers"],
  [{ local_only: false, visibility: "local" }, "local"],
  [{ local_only: false, federated: true }, "public"],
  [{ local_only: null, to: [], circle_id: "", searchability: "public", preview: false }, "public"],
];

test("what stays here is said with local_only and federated, too", async () => {
  for (const [json, visibility] of MEANT) {
    const said = JSON.stringify(json);
    assert.equal(await stored((await post(json)).id), visibility, said);
    const [first, second] = await alice
      .post("/api/v1/statuses/thread", {
        statuses: [{ status: "one", ...json }, { status: "two" }],
      })
      .ok();
    assert.deepEqual([await stored(first.id), await stored(second.id)], [visibility, visibility]);
    const waiting = await post({ ...json, scheduled_at: LATER });
    const isLocal = visibility.startsWith("local");
    assert.equal(waiting.params.local_only, isLocal ? true : undefined, said);
    assert.equal(waiting.params.audience, isLocal ? visibility : undefined, said);
    await alice.delete(`/api/v1/scheduled_statuses/${waiting.id}`).ok();
  }
});

test("as a form says it, and for a person whose posts are for followers", async () => {
  const form = { status: "words", local_only: "1" };
  const sent = await alice.post("/api/v1/statuses", new URLSearchParams(form));
  assert.equal(await stored(sent.json.id), "local");
  const carol = await t.person("carol");
  await carol.patch("/api/v1/accounts/update_credentials", { source: { privacy: "private" } });
  const { id } = await carol.post("/api/v1/statuses", { status: "mine", local_only: true }).ok();
  assert.equal(await stored(id), "local_followers");
});

/** What cannot be done, wherever it is sent. */
const REFUSED: Json[] = [
  { local_only: true, visibility: "direct" },
  { federated: false, visibility: "direct" },
  { visibility: "world" },
  { visibility: "list:1" },
  { to: ["bob"] },
  { circle_id: "7" },
  { searchability: "private" },
  { preview: true },
  { boostable: false },
  { likeable: false },
  can("favourite", "author"),
  can("favourite"),
  can("reblog", "followers"),
  can("reply", "mutuals"),
  can("reply", "followers", "following"),
  can("reply", "https://far.example/users/zoe"),
  can("quote", "following"),
  { reply_approval_policy: "some" },
  { quote_approval_policy: "some" },
  { interaction_policy: "closed" },
  { interaction_policy: { can_like: rule("author") } },
  { interaction_policy: { can_reply: { allow: ["author"] } } },
  { local_only: "here" },
  { federated: "no" },
  { replyable: "never" },
  { boostable: "followers" },
  { audience: "friends" },
];

test("what cannot be meant is refused, in posts, threads, drafts, at a time and of edits", async () => {
  const { id } = await post({});
  for (const json of [
    ...REFUSED,
    { local_only: true, visibility: "circle", list_ids: [list["id"]] },
  ]) {
    const said = JSON.stringify(json);
    const body = { status: "words", ...json };
    const before = await t.app.sql`SELECT FROM statuses`;
    const places: [string, string, Json][] = [
      ["POST", "/api/v1/statuses", body],
      ["POST", "/api/v1/statuses", { ...body, scheduled_at: LATER }],
      ["POST", "/api/v1/statuses/thread", { statuses: [body] }],
      ["POST", "/api/v1/statuses/thread", { statuses: [{ status: "one" }, body] }],
      ["PUT", `/api/v1/statuses/${id}`, body],
    ];
    // A draft is judged when it is posted; what it would lose until then is refused.
    if (!("local_only" in json) && !("federated" in json))
      places.push(["POST", "/api/v1/drafts", { statuses: [body] }]);
    for (const [method, path, sent] of places) {
      const answer = await alice.send(method, path, sent);
      assert.equal(answer.status, 422, `${method} ${path} ${said}: ${answer.text}`);
      assert.ok(answer.json.error.length > 20, answer.text);
    }
    assert.equal((await t.app.sql`SELECT FROM statuses`).count, before.count, said);
  }
  assert.deepEqual(await alice.get("/api/v1/scheduled_statuses").ok(), []);
});

test("beside the posts of a thread or draft it is refused, because each of them says it", async () => {
  const statuses = [{ status: "one" }, { status: "two" }];
  const before = await t.app.sql`SELECT FROM statuses`;
  for (const json of [
    { visibility: "direct" },
    { local_only: true },
    { federated: false },
    { list_ids: [list["id"]] },
    { reply_approval_policy: "nobody" },
    { audience: "local" },
    can("reply", "author"),
  ]) {
    for (const path of ["/api/v1/statuses/thread", "/api/v1/drafts"]) {
      const answer = await alice.post(path, { statuses, ...json });
      assert.equal(answer.status, 422, `${path} ${JSON.stringify(json)}: ${answer.text}`);
      assert.ok(answer.json.error.includes(Object.keys(json)[0]!), answer.text);
    }
  }
  assert.equal((await t.app.sql`SELECT FROM statuses`).count, before.count);
  const nothing = { visibility: null, local_only: null, list_ids: "" };
  await alice.post("/api/v1/statuses/thread", { statuses, ...nothing }).ok();
});

test("the interaction policy of GoToSocial says who may answer and quote", async () => {
  const cases: [Json, string[] | undefined][] = [
    [can("reply", "public", "author"), undefined],
    [can("reply", "author", "followers", "mentioned"), ["followers", "mentioned"]],
    [can("reply", "me", "following"), ["following", "mentioned"]],
    [can("reply", "author", "mentioned"), ["mentioned"]],
    [can("reply", "author"), []],
    [{ replyable: false }, []],
    [{ comments_disabled: true }, []],
    [
      { interaction_policy: { can_reply: { automatic_approval: ["followers"] } } },
      ["followers", "mentioned"],
    ],
    // Nobody is asked here: whom a rule lets ask may not.
    [{ interaction_policy: { can_reply: { always: [], with_approval: ["public"] } } }, []],
    // What is said in words of ours counts.
    [{ ...can("reply", "author"), reply_approval_policy: "public" }, undefined],
    [
      { ...can("favourite", "public"), interaction_policy: { can_reblog: rule("public") } },
      undefined,
    ],
  ];
  for (const [json, automatic] of cases) {
    const said = JSON.stringify(json);
    assert.deepEqual((await post(json)).reply_approval?.automatic, automatic, said);
    const edited = await post({});
    await alice.put(`/api/v1/statuses/${edited.id}`, { status: "again", ...json }).ok();
    const seen = await alice.get(`/api/v1/statuses/${edited.id}`).ok();
    assert.deepEqual(seen.reply_approval?.automatic, automatic, said);
    const draft = await alice.post("/api/v1/drafts", { statuses: [{ status: "w", ...json }] }).ok();
    const kept = await post(draft.statuses[0]);
    assert.deepEqual(kept.reply_approval?.automatic, automatic, said);
  }
  const form = { status: "w", "interaction_policy[can_reply][always][]": "followers" };
  const byForm = await alice.post("/api/v1/statuses", new URLSearchParams(form));
  assert.deepEqual(byForm.json.reply_approval.automatic, ["followers", "mentioned"]);
  assert.deepEqual((await post(can("quote", "followers"))).quote_approval.automatic, ["followers"]);
  assert.deepEqual((await post(can("quote", "author"))).quote_approval.automatic, []);
  // Everybody who sees it can, and nobody else sees it.
  const narrow = { visibility: "private", ...can("favourite", "followers", "author") };
  assert.equal(await stored((await post(narrow)).id), "private");
  assert.equal(
    await stored((await post({ visibility: "private", boostable: false })).id),
    "private",
  );
});

test("a draft keeps that it is to stay here", async () => {
  const { statuses } = await alice
    .post("/api/v1/drafts", {
      statuses: [{ status: "later", federated: false }],
    })
    .ok();
  assert.equal(statuses[0].local_only, true);
  assert.equal(await stored((await post(statuses[0])).id), "local");
});

test("a boost stays here, now and later", async () => {
  const { id } = await post({});
  const boost = await bob.post(`/api/v1/statuses/${id}/reblog`, { local_only: true }).ok();
  assert.equal(await stored(boost.id), "local");
  const other = await post({});
  const json = { federated: false, visibility: "private", scheduled_at: LATER };
  const later = await bob.post(`/api/v1/statuses/${other.id}/reblog`, json).ok();
  assert.deepEqual(
    [later.params.visibility, later.params.audience],
    ["private", "local_followers"],
  );
  const direct = await bob.post(`/api/v1/statuses/${other.id}/reblog`, { visibility: "direct" });
  assert.equal(direct.status, 422);
});

test("an edit may say what it was told, and changes no audience", async () => {
  const [open, local] = [await post({}), await post({ visibility: "local" })];
  const edit = (id: string, json: Json) =>
    alice.put(`/api/v1/statuses/${id}`, { status: "new", ...json });
  await edit(open.id, { visibility: "public", local_only: false }).ok();
  for (const json of [{ visibility: "private" }, { local_only: true }, { list_ids: [list["id"]] }])
    assert.equal((await edit(open.id, json)).status, 422, JSON.stringify(json));
  for (const visibility of ["local", "unlisted"])
    assert.equal((await edit(local.id, { visibility, local_only: true })).status, 200, visibility);
  assert.equal((await edit(local.id, { visibility: "public" })).status, 422);
  const named = await edit(open.id, { status: "for @bob", allowed_mentions: [] });
  assert.deepEqual(
    [named.status, named.json.unexpected_accounts.map(({ acct }: Json) => acct)],
    [422, ["bob"]],
  );
});

test("what is deleted or waits is not wider where an app knows four words alone", async () => {
  const circle = { visibility: "circle", list_ids: [list["id"]] };
  for (const json of [{ visibility: "local" }, { visibility: "local_followers" }, circle]) {
    const { visibility: word } = json;
    const { id } = await post(json);
    const deleted = await alice.delete(`/api/v1/statuses/${id}`).ok();
    assertEntity("Status", deleted);
    assert.deepEqual([deleted.visibility, deleted.audience], ["private", word]);
    const waiting = await post({ ...json, scheduled_at: LATER });
    assert.deepEqual([waiting.params.visibility, waiting.params.audience], ["private", word]);
    // An app that keeps what it was told has the same audience again.
    const { visibility, audience, circle: isCircle } = deleted;
    const told = {
      visibility,
      audience,
      ...(isCircle && { circle: true, list_ids: [list["id"]] }),
    };
    assert.equal(await stored((await post(told)).id), word);
    if (!isCircle) continue;
    assert.equal(await stored((await post({ circle: true, list_ids: [list["id"]] })).id), word);
    assert.equal((await alice.post("/api/v1/statuses", { status: "w", circle: true })).status, 422);
  }
  for (const visibility of ["public", "unlisted", "private", "direct"]) {
    const { id } = await post({ visibility });
    const deleted = await alice.delete(`/api/v1/statuses/${id}`).ok();
    assert.deepEqual([deleted.visibility, deleted.audience], [visibility, undefined]);
  }
});

test("the default of new posts is a word that every app knows", async () => {
  for (const privacy of ["local", "circle", "list:1", "world"]) {
    const json = { source: { privacy } };
    const answer = await alice.patch("/api/v1/accounts/update_credentials", json);
    assert.equal(answer.status, 422, privacy);
  }
});

// Who may reply to a post, among people here: chosen per post and as a default, shown before anybody writes, judged by
// the command, and changed later.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { REPLY_POLICIES } from "../../people/accounts/tables.ts";
import type { ReplyPolicy } from "../../people/accounts/tables.ts";

type Json = Record<string, any>;

const NAMES = ["author", "follower", "followed", "mentioned", "stranger"] as const;
type Name = (typeof NAMES)[number];

let t: TestApp;
const people = {} as Record<Name, Person>;

const post = (more: Json = {}): Promise<Json> =>
  people.author.post("/api/v1/statuses", { status: "words for @mentioned", ...more }).ok();

const answer = (by: Name, id: string) =>
  people[by].post("/api/v1/statuses", { status: "an answer", in_reply_to_id: id });

const shown = (by: Name, id: string): Promise<Json> =>
  people[by].get(`/api/v1/statuses/${id}`).ok();

before(async () => {
  t = await startTestApp();
  for (const name of NAMES) people[name] = await t.person(name);
  await people.follower.post(`/api/v1/accounts/${people.author.accountId}/follow`).ok();
  await people.author.post(`/api/v1/accounts/${people.followed.accountId}/follow`).ok();
});
after(() => t?.close());

const MAY: Record<ReplyPolicy, readonly Name[]> = {
  public: NAMES,
  followers: ["author", "follower", "mentioned"],
  following: ["author", "followed", "mentioned"],
  mentioned: ["author", "mentioned"],
  nobody: ["author"],
};

const RIGHT = { automatic: 200, unknown: 0, denied: 403 } as const;

for (const policy of REPLY_POLICIES) {
  test(`${policy}: who may answer, and is told before`, async () => {
    const { id } = await post({ reply_approval_policy: policy });
    for (const name of NAMES) {
      const status = await shown(name, id);
      assertEntity("Status", status);
      const right = status["reply_approval"]?.current_user as keyof typeof RIGHT | undefined;
      const { status: code, json } = await answer(name, id);
      assert.equal(code, MAY[policy].includes(name) ? 200 : 403, `${name}: ${code}`);
      if (code === 403) assert.match(json.error, /does not let you reply/);
      if (policy === "public") assert.equal(right, undefined);
      else if (right !== "unknown") assert.equal(RIGHT[right!], code, `${name} is told ${right}`);
      else assert.equal(policy, "following");
    }
    const { descendants } = await people.author.get(`/api/v1/statuses/${id}/context`).ok();
    assert.equal(descendants.length, MAY[policy].length);
  });
}

test("the lists name the groups, and mentioned people where they may", async () => {
  const lists = async (policy: string) => {
    const { reply_approval } = await post({ reply_approval_policy: policy });
    return [reply_approval.automatic, reply_approval.manual];
  };
  assert.deepEqual(await lists("followers"), [["followers", "mentioned"], []]);
  assert.deepEqual(await lists("following"), [["following", "mentioned"], []]);
  assert.deepEqual(await lists("mentioned"), [["mentioned"], []]);
  assert.deepEqual(await lists("nobody"), [[], []]);
});

test("lists, boosts and streams show it as the page of the post does", async () => {
  const { id } = await post({ reply_approval_policy: "followers" });
  await people.author.post(`/api/v1/statuses/${id}/reblog`).ok();
  const path = `/api/v1/accounts/${people.author.accountId}/statuses?limit=5`;
  for (const [by, right] of [
    ["follower", "automatic"],
    ["stranger", "denied"],
  ] as const) {
    const list = (await people[by].get(path).ok()) as unknown as Json[];
    const [boost, own] = [
      list.find(({ reblog }) => reblog?.id === id),
      list.find((s) => s["id"] === id),
    ];
    assert.equal(boost?.["reply_approval"].current_user, right);
    assert.equal(boost?.["reblog"].reply_approval.current_user, right);
    assert.equal(own?.["reply_approval"].current_user, right);
  }
  const visitor = await t.visitor.get(`/api/v1/statuses/${id}`);
  assert.equal(visitor.json.reply_approval.current_user, "denied");
});

test("the default of a person is for new posts that say nothing, but not for private mentions", async () => {
  const set = (value: string) =>
    people.author.patch("/api/v1/preferences", { "posting:default:reply_policy": value });
  const { json } = await set("nobody");
  assertEntity("Preferences", json);
  assert.equal(json["posting:default:reply_policy"], "nobody");
  const own = await people.author.get("/api/v1/accounts/verify_credentials").ok();
  assert.equal(own["source"].reply_policy, "nobody");
  assert.deepEqual((await post())["reply_approval"].automatic, []);
  assert.equal((await post({ reply_approval_policy: "public" }))["reply_approval"], undefined);
  assert.equal((await post({ visibility: "direct" }))["reply_approval"], undefined);
  const update = { source: { reply_policy: "public" } };
  await people.author.patch("/api/v1/accounts/update_credentials", update).ok();
  assert.equal((await post())["reply_approval"], undefined);
  assert.equal((await set("friends")).status, 422);
});

test("it is changed later, alone or with an edit; answers that are there stay", async () => {
  const { id } = await post();
  await answer("stranger", id).ok();
  const path = `/api/v1/statuses/${id}/interaction_policy`;
  const quotes = (await shown("author", id))["quote_approval"].automatic;
  const changed = await people.author.put(path, { reply_approval_policy: "mentioned" }).ok();
  assert.deepEqual(changed["reply_approval"].automatic, ["mentioned"]);
  assert.deepEqual(changed["quote_approval"].automatic, quotes);
  assert.equal(changed["edited_at"], null);
  assert.equal((await answer("stranger", id)).status, 403);
  await people.author.put(path, { quote_approval_policy: "nobody" }).ok();
  assert.deepEqual((await shown("author", id))["reply_approval"].automatic, ["mentioned"]);
  const edit = { status: "other words", reply_approval_policy: "public" };
  assert.equal(
    (await people.author.put(`/api/v1/statuses/${id}`, edit).ok())["reply_approval"],
    undefined,
  );
  await answer("stranger", id).ok();
  assert.equal((await shown("author", id))["replies_count"], 2);
});

test("nobody else changes it, and nothing unknown is taken", async () => {
  const { id } = await post();
  const path = `/api/v1/statuses/${id}/interaction_policy`;
  const json = { reply_approval_policy: "nobody" };
  assert.equal((await people.stranger.put(path, json)).status, 403);
  assert.equal((await t.visitor.put(path, json)).status, 401);
  assert.equal((await people.author.put(path, { reply_approval_policy: "x" })).status, 422);
  const status = { status: "words", reply_approval_policy: "x" };
  assert.equal((await people.author.post("/api/v1/statuses", status)).status, 422);
  assert.equal((await shown("author", id))["reply_approval"], undefined);
});

test("a scheduled post keeps it", async () => {
  const at = new Date(t.app.clock.now().getTime() + 3_600_000).toISOString();
  const json = { status: "later", scheduled_at: at, reply_approval_policy: "nobody" };
  const scheduled = await people.author.post("/api/v1/statuses", json).ok();
  assertEntity("ScheduledStatus", scheduled);
  assert.equal(scheduled["params"].reply_approval_policy, "nobody");
  await t.write`UPDATE scheduled_statuses SET scheduled_at = now() WHERE id = ${scheduled["id"]}`;
  await t.app.jobs.add(t.app.sql, "status.scheduled", { id: scheduled["id"] });
  await t.runJobs();
  const path = `/api/v1/accounts/${people.author.accountId}/statuses?limit=1`;
  const [newest] = (await people.author.get(path).ok()) as unknown as Json[];
  assert.deepEqual(newest?.["reply_approval"].automatic, []);
});

test("apps find out that it can be chosen", async () => {
  const { json } = await t.visitor.get("/api/v2/instance");
  assert.equal(json.configuration.rookery.reply_policies, true);
  assert.ok(json.api_versions.rookery >= 1);
});

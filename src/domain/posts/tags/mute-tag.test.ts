// Muted hashtags: their posts and threads are left out of one's home, pushed and rebuilt alike, for a time or for good.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { homeKey } from "../../people/relationships/changed.ts";

type Json = Record<string, any>;

let t: TestApp;
let reader: Person;
let friend: Person;
let other: Person;

const post = async (by: Person, status: string, parent?: string): Promise<string> => {
  const json = { status, ...(parent && { in_reply_to_id: parent }) };
  const { id } = await by.post("/api/v1/statuses", json).ok();
  await t.runJobs();
  return id;
};

const textsAt = async (path: string): Promise<string[]> =>
  (await reader.get(path).ok()).map(({ reblog, content }: Json) =>
    (reblog?.content ?? content).replaceAll(/<[^>]+>/g, ""),
  );

/** As it was pushed, which is how it is rebuilt. */
const home = async (): Promise<string[]> => {
  const pushed = await textsAt("/api/v1/timelines/home?limit=40");
  await t.app.feeds.drop([homeKey(reader.accountId)]);
  assert.deepEqual(pushed, await textsAt("/api/v1/timelines/home?limit=40"));
  return pushed;
};

const mute = (json?: Json): Promise<any> => reader.post("/api/v1/tags/Rain/mute", json).ok();
const unmute = (): Promise<any> => reader.post("/api/v1/tags/rain/unmute").ok();

before(async () => {
  t = await startTestApp();
  [reader, friend, other] = [
    await t.person("reader"),
    await t.person("friend"),
    await t.person("other"),
  ];
  for (const { accountId } of [friend, other])
    await reader.post(`/api/v1/accounts/${accountId}/follow`).ok();
});
after(() => t?.close());

test("a tag is muted, listed and unmuted", async () => {
  const tag = await mute();
  assertEntity("Tag", tag);
  assert.deepEqual([tag.name, tag.muting, tag.muting_expires_at], ["Rain", true, null]);
  const later = await mute({ duration: 3600 });
  assert.ok(Date.parse(later.muting_expires_at) > Date.now());
  const listed = await reader.get("/api/v1/muted_tags").ok();
  assert.deepEqual(listed, [later]);
  assert.deepEqual(await other.get("/api/v1/muted_tags").ok(), []);
  assert.equal((await unmute()).muting, false);
  assert.equal((await unmute()).muting, false);
  assert.deepEqual(await reader.get("/api/v1/muted_tags").ok(), []);
});

test("who is refused", async () => {
  const path = "/api/v1/tags/rain/mute";
  assert.equal((await t.visitor.post(path)).status, 401);
  const token = await t.token(reader.userId, ["read"]);
  assert.equal((await t.as(token).post(path)).status, 403);
  assert.equal((await reader.post("/api/v1/tags/not%20one/mute")).status, 404);
  assert.equal((await reader.post(path, { duration: "long" })).status, 422);
  assert.equal((await t.visitor.get("/api/v1/muted_tags")).status, 401);
  await t.write`
    INSERT INTO tags (name, display_name) SELECT 'many' || n, 'many' || n FROM generate_series(1, 200) AS n`;
  await t.write`
    INSERT INTO tag_mutes (account_id, tag_id)
    SELECT ${other.accountId}, id FROM tags WHERE name LIKE 'many%'`;
  assert.equal((await other.post(path)).status, 422);
  const page = await other.get("/api/v1/muted_tags?limit=2");
  assert.deepEqual([page.json.length, /rel="next"/.test(page.headers.get("link")!)], [2, true]);
  await t.write`DELETE FROM tag_mutes`;
});

test("its posts, what answers them and boosts of both are left out; one's own stay", async () => {
  await reader.post("/api/v1/tags/weather/follow").ok();
  const old = await post(friend, "old #rain");
  await textsAt("/api/v1/timelines/home");
  await mute();
  const tagged = await post(friend, "about #RAIN #weather");
  const answer = await post(other, "an answer", tagged);
  await post(friend, "deeper", answer);
  await post(friend, "sun #weather");
  await other.post(`/api/v1/statuses/${tagged}/reblog`).ok();
  await friend.post(`/api/v1/statuses/${answer}/reblog`).ok();
  const mine = await post(reader, "mine #rain");
  await post(friend, "to mine", mine);
  assert.deepEqual(await home(), ["mine #rain", "sun #weather"]);
  for (const id of [tagged, answer, old])
    assert.deepEqual(await reader.get(`/api/v1/statuses/${id}/home_reasons`).ok(), []);
  assert.ok((await textsAt("/api/v1/timelines/tag/rain")).includes("about #RAIN #weather"));
  await unmute();
  const all = ["to mine", "mine #rain", "sun #weather", "deeper", "an answer"];
  assert.deepEqual(await home(), [...all, "about #RAIN #weather", "old #rain"]);
});

test("for a time: what came meanwhile is there afterwards", async () => {
  await mute({ duration: 3600 });
  await post(friend, "meanwhile #rain");
  assert.ok(!(await home()).includes("meanwhile #rain"));
  await t.write`UPDATE tag_mutes SET expires_at = now() - interval '1 second'`;
  await t.app.sql`
    UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key LIKE 'tag_mute:%'`;
  await t.runJobs();
  assert.ok((await home()).includes("meanwhile #rain"));
  assert.equal((await t.app.sql`SELECT FROM tag_mutes`).length, 0);
});

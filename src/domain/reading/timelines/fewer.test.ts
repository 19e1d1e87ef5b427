// Less of somebody in one's home: without their replies to others, or so many posts of a day; pushed and rebuilt
// alike.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { homeKey } from "../../people/relationships/changed.ts";

type Json = Record<string, any>;

let t: TestApp;
let now = new Date("2027-03-01T22:00:00Z");
let reader: Person;
let friend: Person;

const post = async (by: Person, status: string, more: Json = {}): Promise<string> => {
  now = new Date(now.getTime() + 1000);
  const { id } = await by.post("/api/v1/statuses", { status, ...more }).ok();
  await t.runJobs();
  return id;
};

const follow = (target: Person, options: Json = {}): Promise<any> =>
  reader.post(`/api/v1/accounts/${target.accountId}/follow`, options).ok();

const textsAt = async (path = "/api/v1/timelines/home"): Promise<string[]> =>
  (await reader.get(path).ok()).map(({ reblog, content }: Json) =>
    (reblog?.content ?? content).replaceAll(/<[^>]+>/g, ""),
  );

/** As it was pushed, which is how it is rebuilt. */
const home = async (): Promise<string[]> => {
  const pushed = await textsAt();
  await t.app.feeds.drop([homeKey(reader.accountId)]);
  assert.deepEqual(pushed, await textsAt());
  return pushed;
};

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
  [reader, friend] = [await t.person("reader"), await t.person("friend")];
});
after(() => t?.close());

test("options of a follow: shown, kept, and refused where they cannot be", async () => {
  const relation = await follow(friend);
  assertEntity("Relationship", relation);
  assert.deepEqual([relation.showing_replies, relation.daily_limit], [true, null]);
  const changed = await follow(friend, { replies: false, daily_limit: 3 });
  assert.deepEqual([changed.showing_replies, changed.daily_limit], [false, 3]);
  const path = `/api/v1/accounts/relationships?id[]=${friend.accountId}`;
  const shown = async () => {
    const [{ showing_replies, daily_limit, showing_reblogs }] = await reader.get(path).ok();
    return [showing_replies, daily_limit, showing_reblogs];
  };
  assert.deepEqual(await shown(), [false, 3, true]);
  await follow(friend, { reblogs: false });
  assert.deepEqual(await shown(), [false, 3, false]);
  for (const limit of [-1, 101, "many"]) {
    const refused = await reader.post(`/api/v1/accounts/${friend.accountId}/follow`, {
      daily_limit: limit,
    });
    assert.equal(refused.status, 422, refused.text);
  }
  await follow(friend, { replies: true, daily_limit: 0, reblogs: true });
  assert.deepEqual(await shown(), [true, null, true]);
});

test("a request keeps them until it is accepted", async () => {
  const locked = await t.person("locked");
  await locked.patch("/api/v1/accounts/update_credentials", { locked: true }).ok();
  const asked = await follow(locked, { replies: false, daily_limit: 2 });
  assert.deepEqual([asked.requested, asked.showing_replies, asked.daily_limit], [true, false, 2]);
  await locked.post(`/api/v1/follow_requests/${reader.accountId}/authorize`).ok();
  const path = `/api/v1/accounts/relationships?id[]=${locked.accountId}`;
  const [relation] = await reader.get(path).ok();
  assert.deepEqual(
    [relation.following, relation.showing_replies, relation.daily_limit],
    [true, false, 2],
  );
});

test("without their replies: what they answer to others is left out of home and lists, their threads stay", async () => {
  const other = await t.person("other");
  await follow(other);
  await follow(friend, { replies: false });
  const list = await reader.post("/api/v1/lists", { title: "l" }).ok();
  await reader
    .post(`/api/v1/lists/${list.id}/accounts`, {
      account_ids: [friend.accountId],
    })
    .ok();
  await textsAt();
  const question = await post(other, "question");
  const mine = await post(reader, "mine");
  const own = await post(friend, "own");
  await post(friend, "more of it", { in_reply_to_id: own });
  const answer = await post(friend, "answer", { in_reply_to_id: question });
  await post(friend, "to me", { in_reply_to_id: mine });
  assert.deepEqual(await home(), ["more of it", "own", "mine", "question"]);
  const listed = await textsAt(`/api/v1/timelines/list/${list.id}`);
  assert.deepEqual(listed, ["more of it", "own"]);
  assert.deepEqual(await reader.get(`/api/v1/statuses/${answer}/home_reasons`).ok(), []);
  await follow(friend, { replies: true });
  assert.ok((await home()).includes("answer"));
});

test("so many posts of a day: the first ones, each day anew; answers do not count", async () => {
  const busy = await t.person("busy");
  const parent = await post(reader, "parent");
  await follow(busy, { daily_limit: 2 });
  await textsAt();
  await post(busy, "reply 1", { in_reply_to_id: parent });
  await post(busy, "@friend hush", { visibility: "direct" });
  await post(busy, "post 1");
  await busy.post(`/api/v1/statuses/${parent}/reblog`).ok();
  await post(busy, "reply 2", { in_reply_to_id: parent });
  const third = await post(busy, "post 3");
  const ofBusy = async () => (await home()).filter((text) => /^(?:post|reply) \d/.test(text));
  assert.deepEqual(await ofBusy(), ["post 1", "reply 1"]);
  assert.deepEqual(await reader.get(`/api/v1/statuses/${third}/home_reasons`).ok(), []);
  now = new Date("2027-03-02T00:00:01Z");
  await post(busy, "post 4");
  assert.deepEqual(await ofBusy(), ["post 4", "post 1", "reply 1"]);
  await follow(busy, { daily_limit: 0 });
  assert.deepEqual(await ofBusy(), ["post 4", "post 3", "reply 2", "post 1", "reply 1"]);
});

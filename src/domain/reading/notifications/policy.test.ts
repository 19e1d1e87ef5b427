// Whose notifications are accepted, filtered and dropped, and the requests of those that are filtered.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { openStream } from "../../../../test/stream-client.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- bodies are checked by their schemas
type Json = any;

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
});
after(() => t.close());

beforeEach(async () => {
  await t.write`
    TRUNCATE notifications, notification_policies, notification_permissions, follows, blocks, statuses,
      account_conversations CASCADE
  `;
  await t.write`
    UPDATE accounts SET silenced_at = NULL, actor_type = 'Person', created_at = now() - interval '1 year'
  `;
});

const choose = (choices: object) => alice.patch("/api/v2/notifications/policy", choices).ok();

const mention = async (by: Person, more: object = {}): Promise<string> => {
  const { id } = await by.post("/api/v1/statuses", { status: "@alice hello", ...more }).ok();
  await t.runJobs();
  return id;
};
const follow = async (by: Person, whom: Person): Promise<void> => {
  await by.post(`/api/v1/accounts/${whom.accountId}/follow`).ok();
  await t.runJobs();
};

const listed = async (query = ""): Promise<number> =>
  (await alice.get(`/api/v1/notifications${query}`).ok()).length;
const requests = (): Promise<Json> => alice.get("/api/v1/notifications/requests").ok();

/** What becomes of a public mention by bob, who was not heard of before. */
const judged = async (more: object = {}): Promise<"accept" | "filter" | "drop"> => {
  await t.write`TRUNCATE notifications`;
  await mention(bob, more);
  if ((await listed()) > 0) return "accept";
  return (await listed("?include_filtered=true")) > 0 ? "filter" : "drop";
};

test("by default private mentions of strangers and what limited accounts do is filtered", async () => {
  const policy = await alice.get("/api/v2/notifications/policy").ok();
  assertEntity("NotificationPolicy", policy);
  assert.deepEqual(policy, {
    for_not_following: "accept",
    for_not_followers: "accept",
    for_new_accounts: "accept",
    for_private_mentions: "filter",
    for_limited_accounts: "filter",
    for_bots: "accept",
    summary: { pending_requests_count: 0, pending_notifications_count: 0 },
  });
  assert.equal(await judged(), "accept");
  assert.equal(await judged({ visibility: "direct" }), "filter");
  await t.write`UPDATE accounts SET silenced_at = now() WHERE id = ${bob.accountId}`;
  assert.equal(await judged(), "filter");
  await follow(alice, bob);
  assert.equal(await judged(), "accept");
  assert.equal(await judged({ visibility: "direct" }), "accept");
});

test("an answer to a private post by the recipient is let through", async () => {
  const { id } = await alice
    .post("/api/v1/statuses", {
      status: "@bob psst",
      visibility: "direct",
    })
    .ok();
  assert.equal(await judged({ visibility: "direct", in_reply_to_id: id }), "accept");
  assert.equal(await judged({ visibility: "direct" }), "filter");
});

test("each class of senders is accepted, filtered or dropped as it was chosen", async () => {
  for (const choice of ["filter", "drop", "accept"]) {
    await choose({ for_not_following: choice });
    assert.equal(await judged(), choice);
  }
  await choose({ for_not_followers: "drop" });
  assert.equal(await judged(), "drop");
  await follow(bob, alice);
  assert.equal(await judged(), "drop", "a follower since today");
  await t.write`UPDATE follows SET created_at = now() - interval '4 days'`;
  assert.equal(await judged(), "accept");
  await choose({ for_new_accounts: "filter" });
  assert.equal(await judged(), "accept");
  await t.write`UPDATE accounts SET created_at = now() WHERE id = ${bob.accountId}`;
  assert.equal(await judged(), "filter");
  await choose({ for_new_accounts: "accept", for_bots: "drop" });
  assert.equal(await judged(), "accept");
  await t.write`UPDATE accounts SET actor_type = 'Service' WHERE id = ${bob.accountId}`;
  assert.equal(await judged(), "drop");
});

test("the first version has switches; a wrong choice is 422", async () => {
  const v1 = await alice.put("/api/v1/notifications/policy", { filter_not_following: true }).ok();
  assertEntity("V1_NotificationPolicy", v1);
  assert.equal(v1.filter_not_following, true);
  assert.equal(v1.filter_private_mentions, true);
  assert.equal((await choose({})).for_not_following, "filter");
  await alice.patch("/api/v1/notifications/policy", { filter_not_following: "false" }).ok();
  assert.equal((await choose({ for_new_accounts: "drop" })).for_not_following, "accept");
  const wrong = await alice.patch("/api/v2/notifications/policy", { for_bots: "eat" });
  assert.equal(wrong.status, 422);
});

test("what is filtered is in no list, count or stream, but in a request that its sender has", async () => {
  await choose({ for_not_following: "filter" });
  const stream = await openStream(t.url, { query: { access_token: alice.token, stream: "user" } });
  const first = await mention(bob);
  const { id } = await alice.post("/api/v1/statuses", { status: "mine" }).ok();
  await bob.post(`/api/v1/statuses/${id}/favourite`).ok();
  await mention(carol);
  await stream.settle();
  const heard = () => stream.frames.map(({ event }) => event).filter((event) => event !== "update");
  assert.deepEqual(heard(), []);
  assert.equal(await listed(), 0);
  const groups = await alice.get("/api/v2/notifications").ok();
  assert.deepEqual(groups.notification_groups, []);
  for (const version of ["v1", "v2"]) {
    assert.equal((await alice.get(`/api/${version}/notifications/unread_count`).ok()).count, 0);
  }
  const all = await alice.get("/api/v1/notifications?include_filtered=true").ok();
  assert.deepEqual(
    all.map((notification: Json) => [notification.type, notification.filtered]),
    [
      ["mention", true],
      ["favourite", true],
      ["mention", true],
    ],
  );
  const whole = await alice.get("/api/v2/notifications?include_filtered=true").ok();
  assert.equal(whole.notification_groups.length, 3);
  const [ofCarol, ofBob] = await requests();
  assertEntity("NotificationRequest", ofBob);
  assert.equal(ofBob.account.id, bob.accountId);
  assert.equal(ofBob.notifications_count, "2");
  assert.equal(ofBob.last_status.id, first);
  assert.deepEqual(await alice.get(`/api/v1/notifications/requests/${ofBob.id}`).ok(), ofBob);
  assert.deepEqual((await choose({})).summary, {
    pending_requests_count: 2,
    pending_notifications_count: 3,
  });

  await alice.post(`/api/v1/notifications/requests/${ofBob.id}/accept`).ok();
  await stream.settle();
  assert.deepEqual(heard(), ["notifications_merged"]);
  assert.deepEqual(await alice.get("/api/v1/notifications/requests/merged").ok(), { merged: true });
  assert.equal(await listed(), 2);
  const merged = (await alice.get("/api/v2/notifications").ok()).notification_groups;
  assert.deepEqual(
    merged.map((notification: Json) => notification.type),
    ["favourite", "mention"],
  );
  await mention(bob);
  assert.equal(await listed(), 3, "who was accepted stays accepted");

  await alice.post("/api/v1/notifications/requests/dismiss", { id: [ofCarol.id, "x", "1"] }).ok();
  assert.deepEqual(await requests(), []);
  assert.equal(await listed("?include_filtered=true"), 3);
  await mention(carol);
  assert.equal((await requests()).length, 1, "who was dismissed may ask again");
  stream.socket.close();
});

test("what a request holds is read before one decides, in both versions and by one's own token alone", async () => {
  await choose({ for_not_following: "filter" });
  const first = await mention(bob);
  const { id } = await alice.post("/api/v1/statuses", { status: "mine" }).ok();
  await bob.post(`/api/v1/statuses/${id}/favourite`).ok();
  await mention(carol);
  const from = `?account_id=${bob.accountId}`;
  const notifications = await alice.get(`/api/v1/notifications${from}`).ok();
  assert.deepEqual(
    notifications.map((notification: Json) => [
      notification.type,
      notification.filtered,
      notification.status.id,
    ]),
    [
      ["favourite", true, id],
      ["mention", true, first],
    ],
  );
  for (const notification of notifications) assertEntity("Notification", notification);
  const grouped = await alice.get(`/api/v2/notifications${from}`).ok();
  assertEntity("GroupedNotificationsResults", grouped);
  assert.deepEqual(
    grouped.notification_groups.map((group: Json) => group.type),
    ["favourite", "mention"],
  );
  assert.equal(await listed(`${from}&types[]=mention`), 1);
  assert.equal(await listed(`${from}&exclude_types[]=mention&include_filtered=false`), 1);
  for (const version of ["v1", "v2"]) {
    const path = `/api/${version}/notifications/unread_count${from}`;
    assert.equal((await alice.get(path).ok()).count, 2);
  }
  const others = await carol.get(`/api/v1/notifications${from}`).ok();
  assert.deepEqual(others, []);
  assert.equal(await listed(), 0);
});

const conversations = (): Promise<Json> => alice.get("/api/v1/conversations").ok();
/** The ids of the timeline of private mentions. */
const direct = async (): Promise<string[]> =>
  (await alice.get("/api/v1/timelines/direct").ok()).map((status: Json) => status.id);
/** Events of the stream of private messages, of all that was done before. */
const eventsDuring = async (act: () => Promise<unknown>): Promise<string[]> => {
  const query = { access_token: alice.token, stream: "direct" };
  const stream = await openStream(t.url, { query });
  await act();
  await stream.settle();
  stream.socket.close();
  return stream.frames.map(({ event }) => event!);
};

test("a private mention that is held makes no conversation and no event; accepted, it makes both", async () => {
  let id = "";
  const events = await eventsDuring(
    async () => (id = await mention(bob, { visibility: "direct" })),
  );
  assert.deepEqual(events, []);
  assert.deepEqual(await conversations(), []);
  assert.deepEqual(await direct(), [id], "the timeline has all that was received");
  const [written] = await bob.get("/api/v1/timelines/direct").ok();
  assert.equal(written.id, id);
  const [mine] = await bob.get("/api/v1/conversations").ok();
  assert.equal(mine.last_status.id, id, "who wrote it has it");
  const [request] = await requests();
  const merged = await eventsDuring(async () => {
    await alice.post(`/api/v1/notifications/requests/${request.id}/accept`).ok();
    await t.runJobs();
  });
  assert.deepEqual(merged, ["conversation"]);
  const [conversation] = await conversations();
  assertEntity("Conversation", conversation);
  assert.deepEqual([conversation.last_status.id, conversation.unread], [id, true]);
  assert.deepEqual(await direct(), [id]);
  const next = await mention(bob, { visibility: "direct", in_reply_to_id: id });
  assert.deepEqual(
    (await conversations()).map((conversation: Json) => conversation.last_status.id),
    [next],
    "who was accepted writes on",
  );
});

test("accepting brings back no conversation that somebody removed", async () => {
  await follow(carol, bob);
  await mention(bob, { visibility: "direct", status: "@alice @carol hello" });
  const [ofCarol] = await carol.get("/api/v1/conversations").ok();
  await carol.delete(`/api/v1/conversations/${ofCarol.id}`).ok();
  const [request] = await requests();
  await alice.post(`/api/v1/notifications/requests/${request.id}/accept`).ok();
  await t.runJobs();
  assert.equal((await conversations()).length, 1);
  assert.deepEqual(await carol.get("/api/v1/conversations").ok(), []);
});

test("a private mention that is dismissed or dropped is in no conversation", async () => {
  const all = [await mention(bob, { visibility: "direct" })];
  const [request] = await requests();
  await alice.post(`/api/v1/notifications/requests/${request.id}/dismiss`).ok();
  await t.runJobs();
  assert.deepEqual(await conversations(), []);
  assert.deepEqual(await direct(), all);
  await choose({ for_private_mentions: "drop" });
  const written = async () => all.unshift(await mention(bob, { visibility: "direct" }));
  assert.deepEqual(await eventsDuring(written), []);
  assert.deepEqual(await conversations(), []);
  assert.deepEqual(await direct(), all, "the timeline of direct posts has all of them");
  assert.deepEqual(await requests(), []);
  await choose({ for_private_mentions: "accept" });
  assert.deepEqual(await eventsDuring(written), ["conversation"]);
  assert.equal((await conversations()).length, 1);
  assert.deepEqual(await direct(), all);
});

test("a private mention by the staff is not held back, as far as its role is shown and moderates", async () => {
  const owner = await t.person("owner", { role: "Owner" });
  await choose({ for_private_mentions: "filter", for_not_following: "filter" });
  const roleOf = t.app.sql`SELECT role_id FROM users WHERE id = ${owner.userId}`;
  const [role] = await roleOf;
  const highlight = (isShown: boolean) =>
    t.write`UPDATE roles SET highlighted = ${isShown} WHERE id = ${role!["role_id"]}`;
  await highlight(true);
  const id = await mention(owner, { visibility: "direct" });
  assert.deepEqual(await requests(), []);
  assert.equal((await conversations())[0].last_status.id, id);
  const [first] = await alice.get("/api/v1/notifications").ok();
  assert.equal(first.status.id, id);
  await mention(owner);
  assert.equal((await requests()).length, 1, "what is public is judged as everybody's");
  await highlight(false);
  const other = await mention(owner, { visibility: "direct" });
  assert.notEqual((await alice.get("/api/v1/notifications").ok())[0].status.id, other);
  await highlight(true);
});

test("a request goes with the notifications it is made of; one's own only", async () => {
  await choose({ for_not_following: "filter" });
  const id = await mention(bob);
  const [request] = await requests();
  for (const [method, end] of [
    ["GET", ""],
    ["POST", "/accept"],
    ["POST", "/dismiss"],
  ] as const) {
    const path = `/api/v1/notifications/requests/${request.id}${end}`;
    assert.equal((await bob.send(method, path)).status, 404, path);
  }
  await bob.delete(`/api/v1/statuses/${id}`).ok();
  await t.runJobs();
  assert.deepEqual(await requests(), []);
});

test("requests are paged, in a fixed number of queries", async () => {
  await choose({ for_not_following: "filter" });
  const people = await Promise.all(["dan", "eve", "fay", "gus"].map((name) => t.person(name)));
  await t.write`UPDATE accounts SET created_at = now() - interval '1 year'`;
  for (const by of people) await mention(by);
  const page = (query: string) => alice.get(`/api/v1/notifications/requests${query}`);
  const first = await page("?limit=3");
  const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "") ?? [];
  const second = await page(new URL(next!).search);
  const names = [...first.json, ...second.json].map(
    (notification: Json) => notification.account.username,
  );
  assert.deepEqual(names, ["gus", "fay", "eve", "dan"]);
  const counted = async (limit: number) =>
    (await t.countQueries(() => page(`?limit=${limit}`))).queries;
  assert.equal(await counted(4), await counted(1));
});

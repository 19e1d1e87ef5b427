// Every type of notification by a real act, over two servers where it crosses them: alice@a gets them all; bob, carol
// and the others act.
//
// | type | act |
// |---|---|
// | follow, follow_request | bob@b follows alice; carol@b while alice approves followers |
// | mention, status | bob@b writes to alice; bob@b, whom alice follows with a bell, posts |
// | favourite, reblog, quote | bob@b, of alice's post |
// | update, quoted_update | bob@b edits a post that alice boosted, and one that she quoted |
// | poll | a poll of bob@b, in which alice voted, ends |
// | added_to_collection, collection_update | dave@a puts alice into a collection, and renames it |
// | admin.report | bob@b reports dave@a, and his server forwards it |
// | admin.sign_up | erin signs up at a and confirms her address |
// | annual_report | alice asks for last year's |
// | moderation_warning | the owner of a warns alice |
// | severed_relationships | the owner of a blocks b |

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import generator from "megalodon";
import type { MegalodonInterface } from "megalodon";
import { NOTIFICATION_TYPES } from "../../src/domain/reading/notifications/tables.ts";
import { setSetting } from "../../src/domain/base/settings/settings.ts";
import { openBrowser } from "../browser.ts";
import { clientOf, listenAs } from "../clients/live-server.ts";
import type { Listener } from "../clients/live-server.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { untilQuiet } from "../until-quiet.ts";
import { confirmationLink } from "../mail.ts";
import { assertEntity } from "../schema.ts";

type Someone = Person & { at: TestApp };

let a: TestApp;
let b: TestApp;
let alice: Someone;
let bob: Someone;
let carol: Someone;
let dave: Someone;
/** Ids on the other server. */
let aliceAtB: string;
let bobAtA: string;
let ahead = 0;
let megalodon: MegalodonInterface;
let ear: Listener;
const types = new Set<string>();

const settle = () => untilQuiet(a, b);

const find = async (who: Someone, what: string, kind: "accounts" | "statuses"): Promise<any> => {
  const results = await who.get(`/api/v2/search?resolve=true&q=${encodeURIComponent(what)}`).ok();
  assert.equal(results[kind].length, 1, what);
  return results[kind][0];
};

const acctOf = ({ username, at }: Someone): string => `@${username}@${new URL(at.url).host}`;

/** The types that megalodon has names for, and those. */
const MEGALODON: Record<string, string> = {
  ...Object.fromEntries(
    ["follow", "follow_request", "mention", "status", "favourite", "reblog", "update"].map(
      (type) => [type, type],
    ),
  ),
  poll: "poll_expired",
  quote: "quote",
  quoted_update: "quoted_update",
  "admin.sign_up": "admin.sign_up",
  "admin.report": "admin.report",
};

/** The same through the client libraries, and on the stream. */
const getsByClients = async (type: string, id: string): Promise<void> => {
  const rest = clientOf(a, alice.token);
  const [read] = await rest.v1.notifications.list({ limit: 1 });
  assert.deepEqual([read!.id, read!.type], [id, type]);
  const page = await rest.v2.notifications.list({ limit: 1 });
  assert.equal(page.notificationGroups[0]!.type, type);
  assert.equal(
    (await ear.received("notification", (notification) => notification.id === id)).type,
    type,
  );
  const { data } = await megalodon.getNotifications({ limit: 1 });
  const known = MEGALODON[type];
  assert.deepEqual(
    data.map((notification) => [notification.id, notification.type]),
    known === undefined ? [] : [[id, known]],
  );
};

/** The newest notification of alice is of this type, from this account, in both versions of the API. */
const gets = async (type: string, from: string): Promise<any> => {
  await settle();
  const [newest] = await alice.get("/api/v1/notifications?limit=1").ok();
  assertEntity("Notification", newest);
  assert.deepEqual([newest.type, newest.account.id], [type, from]);
  const page = await alice.get("/api/v2/notifications?limit=1").ok();
  assertEntity("GroupedNotificationsResults", page);
  assert.equal(page.notification_groups[0].type, type);
  assert.deepEqual(page.notification_groups[0].sample_account_ids, [from]);
  await getsByClients(type, newest.id);
  types.add(type);
  return newest;
};

before(async () => {
  const clock = { now: () => new Date(Date.now() + ahead) };
  [a, b] = await Promise.all([startTestApp({ clock }), startTestApp({ clock })]);
  alice = { ...(await a.person("alice", { role: "Admin" })), at: a };
  megalodon = generator("mastodon", a.url, alice.token, "test");
  ear = await listenAs(a, alice.token)((streaming) => streaming.user.notification.subscribe());
  dave = { ...(await a.person("dave")), at: a };
  bob = { ...(await b.person("bob")), at: b };
  carol = { ...(await b.person("carol")), at: b };
  aliceAtB = (await find(bob, acctOf(alice), "accounts")).id;
  bobAtA = (await find(alice, acctOf(bob), "accounts")).id;
});
after(async () => {
  ear?.close();
  await Promise.all([a?.close(), b?.close()]);
});

test("follow, follow_request", async () => {
  await bob.post(`/api/v1/accounts/${aliceAtB}/follow`, {}).ok();
  await gets("follow", bobAtA);
  await alice.patch("/api/v1/accounts/update_credentials", { locked: true }).ok();
  await carol.post(`/api/v1/accounts/${aliceAtB}/follow`, {}).ok();
  const carolAtA = (await find(alice, acctOf(carol), "accounts")).id;
  await gets("follow_request", carolAtA);
  await alice.patch("/api/v1/accounts/update_credentials", { locked: false }).ok();
});

test("mention, status", async () => {
  await bob.post("/api/v1/statuses", { status: `hello ${acctOf(alice)}` }).ok();
  await gets("mention", bobAtA);
  await alice.post(`/api/v1/accounts/${bobAtA}/follow`, { notify: true }).ok();
  await settle();
  await bob.post("/api/v1/statuses", { status: "for everybody" }).ok();
  const { status } = await gets("status", bobAtA);
  assert.match(status.content, /for everybody/);
  // Each is for its own reason: who is mentioned by somebody with a bell gets both.
  const { uri } = await bob.post("/api/v1/statuses", { status: `both ${acctOf(alice)}` }).ok();
  await settle();
  const notes: any[] = await alice.get("/api/v1/notifications?limit=2").ok();
  assert.deepEqual(notes.map(({ type, status: of }) => [type, of.uri]).toSorted(), [
    ["mention", uri],
    ["status", uri],
  ]);
});

test("favourite, reblog, quote", async () => {
  const quote_approval_policy = "public";
  const mine = await alice.post("/api/v1/statuses", { status: "mine", quote_approval_policy }).ok();
  const copy = await find(bob, mine.uri, "statuses");
  await bob.post(`/api/v1/statuses/${copy.id}/favourite`, {}).ok();
  assert.equal((await gets("favourite", bobAtA)).status.id, mine.id);
  await bob.post(`/api/v1/statuses/${copy.id}/reblog`, {}).ok();
  await gets("reblog", bobAtA);
  // The post would also be a notification by itself, of the same moment.
  await alice.post(`/api/v1/accounts/${bobAtA}/follow`, { notify: false }).ok();
  await bob.post("/api/v1/statuses", { status: "see", quoted_status_id: copy.id }).ok();
  const { status } = await gets("quote", bobAtA);
  assert.equal(status.quote.quoted_status.id, mine.id);
});

test("update, quoted_update", async () => {
  const boosted = await bob.post("/api/v1/statuses", { status: "first" }).ok();
  await settle();
  await alice
    .post(`/api/v1/statuses/${(await find(alice, boosted.uri, "statuses")).id}/reblog`, {})
    .ok();
  await settle();
  await bob.put(`/api/v1/statuses/${boosted.id}`, { status: "second" }).ok();
  await gets("update", bobAtA);
  const theirs = { status: "theirs", quote_approval_policy: "public" };
  const quoted = await bob.post("/api/v1/statuses", theirs).ok();
  await settle();
  const copy = await find(alice, quoted.uri, "statuses");
  await alice.post("/api/v1/statuses", { status: "see", quoted_status_id: copy.id }).ok();
  await settle();
  await bob.put(`/api/v1/statuses/${quoted.id}`, { status: "theirs, edited" }).ok();
  await gets("quoted_update", bobAtA);
});

test("poll", async () => {
  const poll = { options: ["yes", "no"], expires_in: 3600 };
  const question = await bob.post("/api/v1/statuses", { status: "well?", poll }).ok();
  await settle();
  const copy = await find(alice, question.uri, "statuses");
  await alice.post(`/api/v1/polls/${copy.poll.id}/votes`, { choices: [1] }).ok();
  await settle();
  ahead += 3_700_000;
  for (const { app } of [a, b]) {
    await app.sql`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key LIKE 'poll.ended:%'`;
  }
  assert.equal((await gets("poll", bobAtA)).status.id, copy.id);
});

test("added_to_collection, collection_update", async () => {
  await alice.patch("/api/v1/accounts/update_credentials", { discoverable: true }).ok();
  const body = { name: "People", account_ids: [alice.accountId] };
  const { collection } = await dave.post("/api/v1/collections", body).ok();
  await gets("added_to_collection", dave.accountId);
  await dave.patch(`/api/v1/collections/${collection.id}`, { name: "Friends" }).ok();
  await gets("collection_update", dave.accountId);
});

test("admin.report, admin.sign_up", async () => {
  const { id } = await find(bob, acctOf(dave), "accounts");
  await bob.post("/api/v1/reports", { account_id: id, comment: "rude", forward: true }).ok();
  await settle();
  const [told] = await alice.get("/api/v1/notifications?limit=1").ok();
  const { report } = await gets("admin.report", told.account.id);
  assert.equal(report.comment, "rude");
  assert.equal(report.target_account.id, dave.accountId);
  await setSetting(a.app, "registrations", "open");
  const app = { client_name: "App", redirect_uris: "a:/b", scopes: "read write" };
  const { json: client } = await a.visitor.post("/api/v1/apps", app);
  const { client_id, client_secret } = client;
  const grant = { grant_type: "client_credentials", scope: "read write", client_id, client_secret };
  const { json } = await a.visitor.post("/oauth/token", grant);
  const email = "erin@example.com";
  const form = { username: "erin", email, password: "long enough", agreement: true, locale: "en" };
  const token = json.access_token;
  await a.as(token).post("/api/v1/accounts", form).ok();
  await settle();
  await openBrowser(a).get(confirmationLink(a, email));
  const { id: erin } = await alice.get("/api/v1/accounts/lookup?acct=erin").ok();
  await gets("admin.sign_up", erin);
});

test("annual_report, moderation_warning, severed_relationships", async () => {
  const year = a.app.clock.now().getUTCFullYear() - 1;
  const { id } = await alice.post("/api/v1/statuses", { status: "long ago" }).ok();
  await a.write`UPDATE statuses SET created_at = ${new Date(Date.UTC(year, 5, 5))} WHERE id = ${id}`;
  const path = `/api/v1/annual_reports/${year}/generate`;
  await a.as(alice).post(path).ok(202);
  await gets("annual_report", alice.accountId);
  const boss: Someone = {
    ...(await a.person("boss", { role: "Owner", scopes: ["admin:read", "admin:write"] })),
    at: a,
  };
  const action = { type: "none", text: "Please stop" };
  await boss.post(`/api/v1/admin/accounts/${alice.accountId}/action`, action).ok();
  const { moderation_warning: warning } = await gets("moderation_warning", alice.accountId);
  assert.equal(warning.text, "Please stop");
  await boss
    .post("/api/v1/admin/domain_blocks", {
      domain: new URL(b.url).host,
      severity: "suspend",
    })
    .ok();
  const { event } = await gets("severed_relationships", alice.accountId);
  assert.deepEqual(
    [event.type, event.followers_count, event.following_count],
    ["domain_block", 2, 1],
  );
});

test("these are all there are", () => {
  assert.deepEqual([...types].toSorted(), [...NOTIFICATION_TYPES].toSorted());
});

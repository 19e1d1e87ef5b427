// Groups over real HTTP: making and changing them, what members send them, and who may do what.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startGroupWorld } from "../../../../test/group-world.ts";
import type { Json } from "../../../../test/group-world.ts";
import type { Person } from "../../../../test/harness.ts";
import { setSetting } from "../../base/settings/settings.ts";
import { loadAsServer } from "../../posts/statuses/load.ts";
import { shareInGroups } from "./posts.ts";

const { t, alice, bob, carol, refused, newGroup, postTo, boosted } = await startGroupWorld();
after(() => t.close());

test("a group is made with a name, and shown to everybody with rules and moderators", async () => {
  const rules = ["Be kind.", "  ", "No fungi."];
  const group = await alice
    .post("/api/v1/groups", {
      name: "moss_lovers",
      display_name: "Moss lovers",
      note: "All about moss",
      rules,
    })
    .ok();
  assert.equal(group.account.group, true);
  assert.equal(group.account.acct, "moss_lovers");
  assert.equal(group.account.display_name, "Moss lovers");
  assert.match(group.account.note, /All about moss/);
  assert.deepEqual(group.rules, ["Be kind.", "No fungi."]);
  assert.deepEqual([group.role, group.owner.id], ["owner", alice.accountId]);
  assert.equal(group.note, "All about moss");
  const shown = await t.visitor.get(`/api/v1/groups/${group.id}`).ok();
  assert.deepEqual(
    [shown.role, shown.waiting, shown.note, shown.moderators],
    [null, null, null, []],
  );
  assert.deepEqual(
    (await alice.get("/api/v1/groups").ok()).map(({ id }: Json) => id),
    [group.id],
  );
  assert.deepEqual(await bob.get("/api/v1/groups").ok(), []);
  const joined = await alice.get("/api/v1/groups/joined").ok();
  assert.deepEqual(
    joined.map(({ id }: Json) => id),
    [group.id],
    "its owner is its first member",
  );
  const foundBy = async (who: Person) =>
    (await who.get("/api/v1/groups/findable").ok()).map(({ id }: Json) => id);
  assert.deepEqual([await foundBy(alice), await foundBy(bob)], [[], [group.id]]);
  await alice.patch(`/api/v1/groups/${group.id}`, { discoverable: false }).ok();
  assert.deepEqual(await foundBy(bob), []);
  await alice.patch(`/api/v1/groups/${group.id}`, { discoverable: true }).ok();
  await alice.post(`/api/v1/groups/${group.id}/accounts/${bob.accountId}/ban`).ok();
  assert.deepEqual(await foundBy(bob), [], "who is banned");
  await alice.post(`/api/v1/groups/${group.id}/accounts/${bob.accountId}/unban`).ok();
});

test("names, texts and rules that cannot be are refused with all that is wrong", async () => {
  const wrong: [Json, RegExp][] = [
    [{}, /Username can't be blank/],
    [{ name: "moss lovers" }, /Username must contain only/],
    [{ name: "admin" }, /Username is reserved/],
    [{ name: "alice" }, /Username has already been taken/],
    [{ name: "ferns", rules: Array.from({ length: 11 }, () => "Rule") }, /Rules can be 10/],
    [{ name: "ferns", rules: ["x".repeat(501)], note: "x".repeat(5000) }, /Note .*Rules are too/],
  ];
  for (const [body, text] of wrong) {
    const answer = await alice.post("/api/v1/groups", body);
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.json.error, text);
  }
});

test("what members send is boosted once; answers, what is for followers, and strangers' posts are not", async () => {
  const group = await newGroup();
  const first = await postTo(group, bob);
  const second = await postTo(group, alice, { visibility: "unlisted" });
  assert.deepEqual(await boosted(group), [second["id"], first["id"]]);
  await postTo(group, carol);
  await postTo(group, bob, { visibility: "private" });
  await postTo(group, bob, { visibility: "direct" });
  await postTo(group, bob, { visibility: "local" });
  await postTo(group, bob, { in_reply_to_id: first["id"] });
  await bob.post("/api/v1/statuses", { status: "about ferns" }).ok();
  await t.runJobs();
  assert.deepEqual(await boosted(group), [second["id"], first["id"]]);
  const notices = await bob.get("/api/v1/notifications?types[]=reblog").ok();
  assert.equal(notices[0].account.id, group["id"]);
});

test("a group takes so many posts of a member within a day", async () => {
  const group = await newGroup();
  await t.write`
    WITH posts AS (
      INSERT INTO statuses (id, account_id, uri, local, visibility, awaits_approval, created_at)
      SELECT snowflake(), ${bob.accountId}, 'urn:' || ${group["id"]}::text || n, true, 'public', false, now()
      FROM generate_series(1, 20) n RETURNING id
    )
    INSERT INTO group_posts (group_id, status_id, account_id, state, created_at)
    SELECT ${group["id"]}, id, ${bob.accountId}, 'removed', ${t.app.clock.now()} FROM posts`;
  await postTo(group, bob);
  assert.deepEqual(await boosted(group), []);
  const own = await postTo(group, alice);
  assert.deepEqual(await boosted(group), [own["id"]]);
});

test("moderators let held posts through, or not; limited authors are held everywhere", async () => {
  const group = await newGroup({ holds_posts: true });
  await alice.post(`/api/v1/groups/${group["id"]}/accounts/${bob.accountId}/promote`).ok();
  await carol.post(`/api/v1/accounts/${group["id"]}/follow`).ok();
  const stateOf = async (who: Person, { id }: Json) =>
    (await who.get(`/api/v1/statuses/${id}/groups`).ok()).map(({ state }: Json) => state);
  const [first, second] = [await postTo(group, carol), await postTo(group, carol)];
  const own = await postTo(group, bob);
  // While it is on its way, its author knows what the group will do with it.
  const status = `@${group["account"].username} who knows?`;
  const early = await carol.post("/api/v1/statuses", { status }).ok();
  assert.deepEqual(await stateOf(carol, early), ["held"]);
  await carol.delete(`/api/v1/statuses/${early.id}`).ok();
  await t.runJobs();
  assert.deepEqual(await stateOf(carol, first), ["held"]);
  assert.deepEqual(await stateOf(bob, own), ["shared"]);
  assert.equal((await bob.get(`/api/v1/statuses/${first["id"]}/groups`)).status, 404);
  const waitsFor = (who: Person) => who.get("/api/v1/groups/waiting").ok();
  assert.deepEqual(await waitsFor(carol), { count: 0, groups: 0 });
  assert.deepEqual(await waitsFor(bob), { count: 2, groups: 1 });
  assert.deepEqual(await boosted(group), [own["id"]], "a moderator's own");
  const path = `groups/${group["id"]}`;
  assert.deepEqual((await bob.get(`/api/v1/${path}`).ok()).waiting, { requests: 0, held: 2 });
  const page = await bob.get(`/api/v1/${path}/held_statuses?limit=1`);
  assert.deepEqual(
    page.json.map(({ id }: Json) => id),
    [second["id"]],
  );
  const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")![1]!;
  const older = await bob.get(next.slice(t.url.length));
  assert.deepEqual(
    older.json.map(({ id }: Json) => id),
    [first["id"]],
  );
  await bob.post(`/api/v1/${path}/statuses/${first["id"]}/approve`).ok();
  t.enqueued.length = 0;
  await bob.post(`/api/v1/${path}/statuses/${second["id"]}/remove`).ok();
  assert.ok(!t.enqueued.some(({ name }) => name === "group.removed"), "nobody knew it");
  assert.deepEqual(await boosted(group), [first["id"], own["id"]]);
  assert.deepEqual(await stateOf(carol, first), ["shared"]);
  assert.deepEqual(await stateOf(carol, second), ["removed"]);
  await refused(422, `${path}/statuses/${second["id"]}/approve`, bob);
  await refused(422, `${path}/statuses/${own["id"]}/approve`, bob);
  await refused(404, `${path}/statuses/123/approve`, bob);
  await alice.patch(`/api/v1/${path}`, { holds_posts: false }).ok();
  await t.write`UPDATE accounts SET silenced_at = now() WHERE id = ${carol.accountId}`;
  const third = await postTo(group, carol);
  assert.ok(!(await boosted(group)).includes(third["id"]));
  await t.write`UPDATE accounts SET silenced_at = NULL WHERE id = ${carol.accountId}`;
  assert.equal((await bob.get(`/api/v1/${path}`).ok()).waiting.held, 1);
});

test("limited owners and moderators are held, too, and do not approve their own posts", async () => {
  const group = await newGroup();
  const path = `groups/${group["id"]}`;
  await alice.post(`/api/v1/${path}/accounts/${bob.accountId}/promote`).ok();
  for (const [author, other] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    await t.write`UPDATE accounts SET silenced_at = now() WHERE id = ${author.accountId}`;
    const post = await postTo(group, author);
    assert.ok(!(await boosted(group)).includes(post["id"]));
    await refused(403, `${path}/statuses/${post["id"]}/approve`, author);
    assert.ok(!(await boosted(group)).includes(post["id"]));
    await other.post(`/api/v1/${path}/statuses/${post["id"]}/approve`).ok();
    assert.equal((await author.get(`/api/v1/${path}`).ok()).waiting.held, 0);
    await t.write`UPDATE accounts SET silenced_at = NULL WHERE id = ${author.accountId}`;
  }
});

test("a post that was removed is not boosted again, and its author's stay elsewhere", async () => {
  const group = await newGroup();
  const post = await postTo(group, bob);
  await alice.post(`/api/v1/groups/${group["id"]}/statuses/${post["id"]}/remove`).ok();
  assert.deepEqual(await boosted(group), []);
  await t.visitor.get(`/api/v1/statuses/${post["id"]}`).ok();
  await shareInGroups(t.app, await loadAsServer(t.app, [post["id"]]));
  assert.deepEqual(await boosted(group), []);
  await refused(422, `groups/${group["id"]}/statuses/${post["id"]}/remove`, alice);
});

test("who is banned is no member, cannot become one, and is not boosted", async () => {
  const group = await newGroup();
  const path = `groups/${group["id"]}/accounts`;
  await alice.post(`/api/v1/${path}/${bob.accountId}/ban`).ok();
  await t.runJobs();
  await refused(403, `accounts/${group["id"]}/follow`, bob);
  await postTo(group, bob);
  assert.deepEqual(await boosted(group), []);
  const bans = await alice.get(`/api/v1/groups/${group["id"]}/bans`).ok();
  assert.deepEqual(
    bans.map(({ id }: Json) => id),
    [bob.accountId],
  );
  await refused(403, `${path}/${alice.accountId}/ban`, alice);
  await refused(404, `${path}/123/ban`, alice);
  await alice.post(`/api/v1/${path}/${bob.accountId}/unban`).ok();
  await bob.post(`/api/v1/accounts/${group["id"]}/follow`).ok();
  const post = await postTo(group, bob);
  assert.deepEqual(await boosted(group), [post["id"]]);
});

test("a locked group has members whom moderators let in", async () => {
  const group = await newGroup({ locked: true });
  const path = `groups/${group["id"]}`;
  await postTo(group, bob);
  assert.deepEqual(await boosted(group), []);
  await carol.post(`/api/v1/accounts/${group["id"]}/follow`).ok();
  const requests = await alice.get(`/api/v1/${path}/follow_requests`).ok();
  assert.deepEqual(
    requests.map(({ id }: Json) => id),
    [carol.accountId, bob.accountId],
  );
  assert.equal((await alice.get(`/api/v1/${path}`).ok()).waiting.requests, 2);
  await alice.post(`/api/v1/${path}/follow_requests/${bob.accountId}/authorize`).ok();
  await alice.post(`/api/v1/${path}/follow_requests/${carol.accountId}/reject`).ok();
  await refused(404, `${path}/follow_requests/${carol.accountId}/authorize`, alice);
  const post = await postTo(group, bob);
  await postTo(group, carol);
  assert.deepEqual(await boosted(group), [post["id"]]);
});

test("members are promoted, give up, and become owners; each act is recorded", async () => {
  const group = await newGroup();
  const path = `groups/${group["id"]}`;
  const of = (who: Person) => `${path}/accounts/${who.accountId}`;
  await refused(422, `${of(carol)}/promote`, alice);
  await refused(422, `${of(alice)}/promote`, alice);
  await refused(422, `${of(bob)}/transfer`, alice);
  await alice.post(`/api/v1/${of(bob)}/promote`).ok();
  await alice.post(`/api/v1/${of(bob)}/promote`).ok();
  await refused(403, `${of(bob)}/transfer`, bob);
  await refused(403, `${of(bob)}/ban`, alice);
  await alice.post(`/api/v1/${of(bob)}/transfer`).ok();
  const shown = await bob.get(`/api/v1/${path}`).ok();
  assert.deepEqual([shown.role, shown.owner.id], ["owner", bob.accountId]);
  assert.deepEqual(
    shown.moderators.map(({ id }: Json) => id),
    [alice.accountId],
  );
  await alice.post(`/api/v1/${of(alice)}/demote`).ok();
  await refused(403, `${of(alice)}/demote`, alice);
  await refused(404, `${of(alice)}/demote`, bob);
  const acts = await bob.get(`/api/v1/${path}/acts`).ok();
  assert.deepEqual(
    acts.map(({ action, account, target }: Json) => [
      action,
      account.username,
      target?.username ?? null,
    ]),
    [
      ["demote", "alice", "alice"],
      ["transfer", "alice", "bob"],
      ["promote", "alice", "bob"],
      ["create", "alice", null],
    ],
  );
});

test("a group is changed and deleted by its owner alone; its name stays taken", async () => {
  const group = await newGroup();
  const path = `groups/${group["id"]}`;
  await alice.post(`/api/v1/${path}/accounts/${bob.accountId}/promote`).ok();
  const change = { display_name: "Ferns", note: "Green", rules: ["Be kind."], locked: true };
  for (const who of [bob, carol]) {
    assert.equal((await who.patch(`/api/v1/${path}`, change)).status, 403);
    assert.equal((await who.delete(`/api/v1/${path}`)).status, 403);
  }
  const changed = await alice.patch(`/api/v1/${path}`, change).ok();
  assert.deepEqual(
    [changed.account.display_name, changed.rules, changed.account.locked, changed.account.group],
    ["Ferns", ["Be kind."], true, true],
  );
  const faulty = await alice.patch(`/api/v1/${path}`, { rules: ["x".repeat(501)] });
  assert.equal(faulty.status, 422);
  assert.deepEqual(await alice.delete(`/api/v1/${path}`).ok(), {});
  await t.runJobs();
  assert.equal((await alice.get(`/api/v1/${path}`)).status, 404);
  const left = await t.app.sql`
    SELECT group_id FROM group_posts WHERE group_id = ${group["id"]}
    UNION ALL SELECT group_id FROM group_acts WHERE group_id = ${group["id"]}
    UNION ALL SELECT account_id FROM groups WHERE account_id = ${group["id"]}`;
  assert.equal(left.length, 0);
  const again = await alice.post("/api/v1/groups", { name: group["account"].username });
  assert.equal(again.status, 422);
});

test("who may", async () => {
  const group = await newGroup();
  const path = `groups/${group["id"]}`;
  const post = await postTo(group, bob);
  for (const list of ["follow_requests", "bans", "held_statuses", "acts"]) {
    assert.equal((await t.visitor.get(`/api/v1/${path}/${list}`)).status, 401, list);
    assert.equal((await bob.get(`/api/v1/${path}/${list}`)).status, 403, list);
  }
  const acts = [
    ...["ban", "unban", "promote", "demote", "transfer"].map(
      (act) => `${path}/accounts/${carol.accountId}/${act}`,
    ),
    ...["authorize", "reject"].map((act) => `${path}/follow_requests/${carol.accountId}/${act}`),
    ...["approve", "remove"].map((act) => `${path}/statuses/${post["id"]}/${act}`),
  ];
  const reader = await t.token(alice.userId, ["read", "write:media"]);
  for (const act of acts) {
    await refused(403, act, bob);
    await refused(401, act, null);
    await refused(403, act, { ...alice, token: reader });
    await refused(404, act.replace(group["id"], bob.accountId), alice);
  }
  assert.equal((await t.visitor.get("/api/v1/groups")).status, 401);
  assert.equal((await t.visitor.get("/api/v1/groups/joined")).status, 401);
  await refused(401, "groups", null, { name: "ferns" });
});

test("the staff says who makes groups, and nobody owns more than ten", async () => {
  await setSetting(t.app, "group_creation", "staff");
  await refused(403, "groups", carol, { name: "fungi" });
  const moderator = await t.person("mod", { role: "Moderator" });
  await moderator.post("/api/v1/groups", { name: "staff_room" }).ok();
  await setSetting(t.app, "group_creation", "nobody");
  await refused(403, "groups", moderator, { name: "staff_hall" });
  await setSetting(t.app, "group_creation", null);
  await t.write`UPDATE accounts SET silenced_at = now() WHERE id = ${carol.accountId}`;
  await refused(403, "groups", carol, { name: "fungi" });
  await t.write`UPDATE accounts SET silenced_at = NULL WHERE id = ${carol.accountId}`;
  await carol.post("/api/v1/groups", { name: "lichen" }).ok();
  await t.write`
    WITH new_accounts AS (
      INSERT INTO accounts (username, uri, url, actor_type)
      SELECT 'copy' || n, 'urn:copy' || n, '', 'Group' FROM generate_series(1, 9) n RETURNING id
    )
    INSERT INTO groups (account_id, owner_id) SELECT id, ${carol.accountId} FROM new_accounts`;
  await refused(422, "groups", carol, { name: "fungi" });
});

test("a suspended group takes nothing, and is found by nobody", async () => {
  const group = await newGroup();
  await t.write`UPDATE accounts SET suspended_at = now() WHERE id = ${group["id"]}`;
  await postTo(group, bob);
  const rows = await t.app.sql`SELECT FROM statuses WHERE account_id = ${group["id"]}`;
  assert.equal(rows.length, 0);
  assert.equal((await alice.get(`/api/v1/groups/${group["id"]}`)).status, 404);
});

test("a server that has groups says so", async () => {
  const { json } = await t.visitor.get("/api/v2/instance");
  assert.equal(json.configuration.rookery.groups, true);
});

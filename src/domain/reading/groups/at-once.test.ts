// What comes together in groups, and what several people decide on at the same moment.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startGroupWorld } from "../../../../test/group-world.ts";
import type { Json } from "../../../../test/group-world.ts";
import type { Person } from "../../../../test/harness.ts";
import { loadAsServer } from "../../posts/statuses/load.ts";
import { shareInGroups, announceAnswersInGroups } from "./posts.ts";

const { t, alice, bob, carol, refused, newGroup, postTo, boosted, next } = await startGroupWorld();
after(() => t.close());

test("the limit of a day counts what comes together, by the API and from elsewhere", async () => {
  const group = await newGroup();
  const text = `@${group["account"].username} about ferns`;
  // One worker's batch, as the inbox or many requests make it; and two of them at once.
  const posts = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      bob.post("/api/v1/statuses", { status: `${text} ${n} ${next()}` }).ok(),
    ),
  );
  await t.runJobs();
  const views = await loadAsServer(
    t.app,
    posts.map(({ id }) => id),
  );
  await Promise.all([shareInGroups(t.app, views), shareInGroups(t.app, views.toReversed())]);
  const [counts] = await t.app.sql`
    SELECT count(*)::int AS taken, count(DISTINCT s.id)::int AS boosts FROM group_posts p
    LEFT JOIN statuses s ON s.reblog_of_id = p.status_id AND s.account_id = p.group_id
    WHERE p.group_id = ${group["id"]}`;
  assert.deepEqual(counts, { taken: 20, boosts: 20 });
});

test("one batch of 60 posts is taken up to the limit, whoever else posts", async () => {
  const group = await newGroup();
  const rows = await t.write<{ id: string }[]>`
    INSERT INTO statuses (id, account_id, uri, local, visibility, awaits_approval, created_at)
    SELECT snowflake(), ${bob.accountId}, 'urn:batch' || ${group["id"]}::text || n, true, 'public', false, now()
    FROM generate_series(1, 60) n RETURNING id`;
  await t.write`
    INSERT INTO mentions (status_id, account_id)
    SELECT id, ${group["id"]} FROM unnest(${rows.map(({ id }) => id)}::bigint[]) AS id`;
  const ids = rows.map(({ id }) => id);
  const own = await postTo(group, alice);
  await shareInGroups(t.app, await loadAsServer(t.app, ids));
  assert.equal((await boosted(group)).length, 20);
  const shared = await t.app.sql<{ id: string }[]>`
    SELECT status_id AS id FROM group_posts WHERE group_id = ${group["id"]} ORDER BY status_id`;
  assert.deepEqual(
    new Set(shared.map(({ id }) => id)),
    new Set([own["id"], ...ids.slice(0, 20)]),
    "the first ones",
  );
});

test("what one moderator removes while another approves it is removed, and one of two approvals counts", async () => {
  const group = await newGroup({ holds_posts: true });
  const path = `groups/${group["id"]}`;
  await alice.post(`/api/v1/${path}/accounts/${bob.accountId}/promote`).ok();
  await carol.post(`/api/v1/accounts/${group["id"]}/follow`).ok();
  await t.runJobs();
  for (let n = 0; n < 15; n++) {
    const { id } = await postTo(group, carol);
    const act = (name: string, who: Person) => who.post(`/api/v1/${path}/statuses/${id}/${name}`);
    const answers = await Promise.all([
      act("approve", alice),
      act("remove", bob),
      act("approve", bob),
    ]);
    assert.equal(answers[1]!.status, 200, answers[1]!.text);
    const approvals = [answers[0]!, answers[2]!].filter(({ status }) => status === 200);
    assert.ok(approvals.length <= 1);
    for (const answer of [answers[0]!, answers[2]!].filter(({ status }) => status !== 200)) {
      assert.equal(answer.status, 422, answer.text);
      assert.match(answer.json.error, /^This post has already been (?:approved|removed)\.$/);
    }
    const [row] = await t.app.sql`
      SELECT state FROM group_posts WHERE group_id = ${group["id"]} AND status_id = ${id}`;
    assert.equal(row?.["state"], "removed");
    assert.deepEqual(await boosted(group), []);
  }
});

test("a held post of who blocks the moderator is decided on; one that cannot be boosted stays held", async () => {
  const group = await newGroup({ holds_posts: true });
  const path = `groups/${group["id"]}`;
  await carol.post(`/api/v1/accounts/${group["id"]}/follow`).ok();
  await t.runJobs();
  const [first, second] = [await postTo(group, carol), await postTo(group, carol)];
  await carol.post(`/api/v1/accounts/${alice.accountId}/block`).ok();
  const held = async () =>
    (await alice.get(`/api/v1/${path}/held_statuses`).ok()).map(({ id }: Json) => id);
  assert.deepEqual(await held(), [second["id"], first["id"]]);
  await alice.post(`/api/v1/${path}/statuses/${first["id"]}/approve`).ok();
  assert.deepEqual(await boosted(group), [first["id"]]);
  await carol.post(`/api/v1/accounts/${group["id"]}/block`).ok();
  await t.runJobs();
  await refused(422, `${path}/statuses/${second["id"]}/approve`, alice);
  assert.deepEqual(await held(), [second["id"]]);
  const acts = await alice.get(`/api/v1/${path}/acts`).ok();
  assert.equal(acts.filter(({ action }: Json) => action === "approve").length, 1);
  await alice.post(`/api/v1/${path}/statuses/${second["id"]}/remove`).ok();
  assert.deepEqual(await held(), []);
  await carol.post(`/api/v1/accounts/${alice.accountId}/unblock`).ok();
  await carol.post(`/api/v1/accounts/${group["id"]}/unblock`).ok();
});

test("other servers are told of so many answers of a member within a day", async () => {
  const group = await newGroup();
  const post = await postTo(group, bob);
  const [conversation] = await t.app.sql`
    SELECT conversation_id AS id FROM statuses WHERE id = ${post["id"]}`;
  const rows = await t.write<{ id: string }[]>`
    INSERT INTO statuses (id, account_id, uri, local, visibility, awaits_approval, created_at,
      conversation_id, in_reply_to_id, in_reply_to_account_id)
    SELECT snowflake(), ${bob.accountId}, 'urn:answer' || ${group["id"]}::text || n, true, 'public', false,
      now(), ${conversation!["id"]}, ${post["id"]}, ${bob.accountId}
    FROM generate_series(1, 154) n RETURNING id`;
  const views = await loadAsServer(
    t.app,
    rows.map(({ id }) => id),
  );
  const told = () => t.enqueued.filter(({ name }) => name === "group.announce").length;
  t.enqueued.length = 0;
  await announceAnswersInGroups(t.app, views);
  assert.equal(told(), 100);
  // Repeated, it is the same ones; and no others.
  await announceAnswersInGroups(t.app, views.toReversed());
  assert.equal(told(), 200);
  const [count] = await t.app.sql`
    SELECT count(*)::int AS n FROM group_answers WHERE group_id = ${group["id"]}`;
  assert.equal(count?.["n"], 100);
});

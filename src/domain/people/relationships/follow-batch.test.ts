// Follows that come at the same moment share their statements: each is judged by itself, and none disagrees with a
// block, an unfollow or another follow beside it.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { unwatched } from "../../../../test/outside.ts";
import { connect } from "../../../platform/db/index.ts";
import { upsertRemoteAccount } from "../accounts/upsert-remote.ts";
import { block } from "./block.ts";
import { follow } from "./follow.ts";
import { lockPairs } from "./queries-write.ts";
import { unblock } from "./block.ts";
import { unfollow } from "./unfollow.ts";

const NAMES = ["alice", "bob", "carol", "dora", "emil", "fred"];

let t: TestApp;
let people: Person[];
let [alice, bob, carol, dora]: Person[] = [];

before(async () => {
  t = await startTestApp();
  people = [];
  for (const name of NAMES) people.push(await t.person(name));
  [alice, bob, carol, dora] = people;
});

after(() => t?.close());

beforeEach(async () => {
  await t.runJobs();
  await t.write`TRUNCATE follows, follow_requests, blocks, notifications`;
  await t.write`UPDATE account_stats SET followers_count = 0, following_count = 0`;
  await t.write`UPDATE accounts SET locked = false, silenced_at = NULL`;
});

const pairOf = (from: Person, to: Person) => ({
  accountId: from.accountId,
  targetId: to.accountId,
});

const followEach = (pairs: [Person, Person][]) =>
  Promise.allSettled(pairs.map(([from, to]) => follow(t.app, pairOf(from, to))));

const messageOf = (result: PromiseSettledResult<unknown>): string =>
  result.status === "rejected" ? String((result.reason as Error).message) : "";

/** The follows as pairs of names, in the order of the names. */
const follows = async (): Promise<string[]> => {
  const rows = await t.app.sql<{ pair: string }[]>`
    SELECT a.username || ' ' || b.username AS pair
    FROM follows f JOIN accounts a ON a.id = f.account_id JOIN accounts b ON b.id = f.target_account_id
    ORDER BY 1
  `;
  return rows.map(({ pair }) => pair);
};

/** The stored counts and those that everybody is shown are those of the rows. */
const assertCounts = async (): Promise<void> => {
  const rows = await follows();
  for (const { username, accountId } of people) {
    const { json } = await t.visitor.get(`/api/v1/accounts/${accountId}`);
    const expected = [0, 1].map(
      (side) => rows.filter((row) => row.split(" ")[side] === username).length,
    );
    assert.deepEqual([json.following_count, json.followers_count], expected, username);
    const [stored] = await t.app.sql`
      SELECT following_count::int, followers_count::int FROM account_stats WHERE account_id = ${accountId}
    `;
    assert.deepEqual([stored!["following_count"], stored!["followers_count"]], expected, username);
  }
};

test("many at once share a transaction; each is counted and told once", async () => {
  const others = people.slice(1);
  // Known, so that nobody waits for an account before they meet in the batch.
  for (const { accountId } of people) await t.visitor.get(`/api/v1/accounts/${accountId}`);
  await Promise.all(others.map((person) => follow(t.app, pairOf(person, alice!))));
  const transactions = await t.app.sql`SELECT DISTINCT xmin::text FROM follows`;
  assert.equal(transactions.length, 1);
  assert.deepEqual(
    await follows(),
    others.map(({ username }) => `${username} alice`),
  );
  await assertCounts();
  await t.runJobs();
  const { json } = await alice!.get("/api/v1/notifications");
  assert.deepEqual(
    json.map(({ type }: { type: string }) => type),
    others.map(() => "follow"),
  );
});

test("each of a batch gets its own answer", async () => {
  await t.write`UPDATE accounts SET locked = true WHERE id = ${dora!.accountId}`;
  await block(t.app, pairOf(carol!, alice!));
  const act = (target: Person, json: object = {}) =>
    alice!.post(`/api/v1/accounts/${target.accountId}/follow`, json);
  const [followed, refused, requested, self] = await Promise.all([
    act(bob!, { reblogs: false, notify: true, languages: ["de"] }),
    act(carol!),
    act(dora!, { notify: true }),
    act(alice!),
  ]);
  assert.deepEqual(
    [followed, refused, requested, self].map(({ status }) => status),
    [200, 403, 200, 403],
  );
  const answer = await alice!.get(`/api/v1/accounts/relationships?id=${bob!.accountId}`);
  assert.deepEqual(followed.json, answer.json[0]);
  assert.deepEqual([followed.json.showing_reblogs, followed.json.languages], [false, ["de"]]);
  assert.deepEqual([requested.json.requested, requested.json.notifying], [true, true]);
  assert.equal(refused.json.error, "One of you blocks the other");
  assert.deepEqual(await follows(), ["alice bob"]);
  await assertCounts();
});

test("over the limit one is refused, and the others of the batch are not", async () => {
  await t.write`UPDATE account_stats SET following_count = 7500 WHERE account_id = ${bob!.accountId}`;
  const [refused, followed] = await followEach([
    [bob!, alice!],
    [carol!, alice!],
  ]);
  assert.equal(messageOf(refused!), "You cannot follow more than 7500 accounts");
  assert.equal(followed!.status, "fulfilled");
  assert.deepEqual(await follows(), ["carol alice"]);
});

test("the same twice at once is one follow, with the options of both", async () => {
  const pair = pairOf(bob!, alice!);
  const both = await Promise.all([
    follow(t.app, { ...pair, options: { reblogs: false, languages: ["en"] } }),
    follow(t.app, { ...pair, options: { notify: true } }),
  ]);
  const shown = both.map(({ show_reblogs, notify, languages }) => [
    show_reblogs,
    notify,
    languages,
  ]);
  // Whichever came later knows of the other.
  assert.equal(shown.filter(([reblogs, notify]) => reblogs === false && notify === true).length, 1);
  const [row] = await t.app.sql`SELECT show_reblogs, notify, languages FROM follows`;
  assert.deepEqual({ ...row }, { show_reblogs: false, notify: true, languages: ["en"] });
  assert.deepEqual(await follows(), ["bob alice"]);
  await assertCounts();
  await t.runJobs();
  const { json } = await alice!.get("/api/v1/notifications");
  assert.equal(json.length, 1);
});

test("again without options nothing is written, and the answer is the same", async () => {
  const pair = pairOf(bob!, alice!);
  const first = await follow(t.app, { ...pair, options: { notify: true, languages: ["de"] } });
  const version = () => t.app.sql`SELECT xmin::text FROM follows`;
  const [before] = await version();
  assert.deepEqual(await follow(t.app, pair), first);
  assert.deepEqual((await version())[0], before);
});

test("two who follow each other at once: the later one knows that it is followed", async () => {
  const [first, second] = await Promise.all([
    follow(t.app, pairOf(alice!, bob!)),
    follow(t.app, pairOf(bob!, alice!)),
  ]);
  assert.deepEqual([first.following, second.following], [true, true]);
  assert.notEqual(first.followed_by, second.followed_by);
  await assertCounts();
});

test("a request that is made twice at once stays one, and follows are beside it", async () => {
  await t.write`UPDATE accounts SET locked = true WHERE id = ${dora!.accountId}`;
  const results = await Promise.all([
    follow(t.app, { ...pairOf(alice!, dora!), options: { reblogs: false } }),
    follow(t.app, { ...pairOf(alice!, dora!), options: { notify: true } }),
    follow(t.app, pairOf(bob!, dora!)),
    follow(t.app, pairOf(dora!, alice!)),
  ]);
  assert.deepEqual(
    results.map(({ requested, following }) => [requested, following]),
    [
      [true, false],
      [true, false],
      [true, false],
      [false, true],
    ],
  );
  const rows = await t.app.sql`
    SELECT show_reblogs, notify FROM follow_requests ORDER BY notify
  `;
  assert.deepEqual(
    rows.map((row) => [row["show_reblogs"], row["notify"]]),
    [
      [true, false],
      [false, true],
    ],
  );
});

test("someone whose whole server the target blocks is refused; their other follows are not", async () => {
  const remoteId = await upsertRemoteAccount(t.app.sql, {
    username: "remy",
    domain: "there.example",
    uri: "https://there.example/users/remy",
    url: "https://there.example/@remy",
    inbox_url: "http://127.0.0.1:9/users/remy/inbox",
    public_key: "none",
    key_id: null,
    fetched_at: new Date(),
  });
  const path = "/api/v1/domain_blocks?domain=there.example";
  await alice!.post(path);
  await Promise.all(
    [alice!, bob!].map(({ accountId: targetId }, n) =>
      follow(t.app, { accountId: remoteId, targetId, uri: `https://there.example/follows/${n}` }),
    ),
  );
  assert.deepEqual(await follows(), ["remy bob"]);
  await t.runJobs();
  const sent = await t.app
    .sql`SELECT body::jsonb ->> 'type' AS type FROM outgoing_activities ORDER BY 1`;
  assert.deepEqual(
    sent.map((row) => row["type"]),
    ["Accept", "Reject"],
  );
  await alice!.delete(path);
});

test("follows beside blocks and their ends: nobody follows whom they block, or who blocks them", async () => {
  for (let turn = 0; turn < 10; turn++) {
    const acts = people.slice(0, 3).flatMap((from, n) => {
      const to = people[(n + 1 + (turn % 2)) % 3]!;
      const [pair, back] = [pairOf(from, to), pairOf(to, from)];
      return [
        follow(t.app, pair),
        turn % 3 === 0 ? unblock(t.app, pair) : block(t.app, pair),
        follow(t.app, back),
        unfollow(t.app, back),
      ];
    });
    for (const result of await Promise.allSettled(acts)) {
      assert.ok(["", "One of you blocks the other"].includes(messageOf(result)), messageOf(result));
    }
    const both = await t.app.sql`
      SELECT FROM follows f JOIN blocks b
        ON (b.account_id, b.target_account_id) IN
          ((f.account_id, f.target_account_id), (f.target_account_id, f.account_id))
    `;
    assert.equal(both.length, 0);
    await assertCounts();
  }
});

test("follows beside unfollows: the last word is what is stored, and what is shown", async () => {
  const pair = pairOf(bob!, alice!);
  for (let turn = 0; turn < 10; turn++) {
    await Promise.all([follow(t.app, pair), unfollow(t.app, pair), follow(t.app, pair)]);
    const { json } = await bob!.get(`/api/v1/accounts/relationships?id=${alice!.accountId}`);
    assert.equal(json[0].following, (await follows()).length === 1);
    await assertCounts();
  }
});

test("a block waits for the batch with its pair, and the batch for a block", async () => {
  const held = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  const holder = t.app.sql.begin(async (tx) => {
    await lockPairs(tx, [pairOf(alice!, bob!)]);
    isLocked.resolve();
    await held.promise;
  });
  await isLocked.promise;
  const acts = Promise.allSettled([
    follow(t.app, pairOf(bob!, alice!)),
    follow(t.app, pairOf(carol!, alice!)),
  ]);
  const beside = connect(t.databaseUrl, { max: 1, application: "tests" });
  try {
    await waiting(beside, 1);
    const blocking = block(t.app, pairOf(carol!, alice!));
    held.resolve();
    await holder;
    await Promise.all([acts, blocking]);
  } finally {
    held.resolve();
    await beside.end();
  }
  // Whoever came first: the block is there, and carol does not follow.
  assert.deepEqual(await follows(), ["bob alice"]);
});

/** Until so many wait for locks of pairs. */
const waiting = async (sql: TestApp["app"]["sql"], count: number): Promise<void> => {
  for (;;) {
    const rows = await sql`
      SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()
    `;
    if (rows.length >= count) return;
  }
};

test("two batches with the same pairs in other orders never wait for each other", async () => {
  const [a, b] = [pairOf(alice!, bob!), pairOf(carol!, dora!)];
  const rows = await t.app.sql<{ n: number }[]>`
    SELECT n::int FROM unnest(
      ${[a.accountId, b.accountId]}::bigint[], ${[a.targetId, b.targetId]}::bigint[]
    ) WITH ORDINALITY AS p (x, y, n)
    ORDER BY hashtextextended(least(x, y) || ':' || greatest(x, y), 0)
  `;
  const [low, high] = rows.map(({ n }) => [a, b][n - 1]!);
  const beside = connect(t.databaseUrl, { max: 1, application: "tests" });
  let other: Promise<unknown> = Promise.resolve();
  try {
    await t.app.sql.begin(async (tx) => {
      await lockPairs(tx, [low!]);
      other = unwatched(() => t.app.sql.begin((tx) => lockPairs(tx, [high!, low!])));
      await waiting(beside, 1);
      // The other one waits for the low one, and does not have the high one yet.
      await lockPairs(tx, [high!]);
    });
    await other;
  } finally {
    await other.catch(() => {});
    await beside.end();
  }
});

// What is cached of statuses never shows what is no longer so, nor one viewer's part to another.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { sizeOf } from "../../../platform/caches/bounded.ts";
import { invalidate, onInvalidate } from "../../../platform/db/commits.ts";
import { asPerson, NOBODY } from "../../../platform/viewer.ts";
import { sizeOfAccount } from "../../people/accounts/load.ts";
import { accountJson } from "../../people/accounts/present.ts";
import { removeAccount } from "../../people/accounts/remove.ts";
import { sizeOfRow } from "./cache.ts";
import { loadAsServer, loadStatuses, loadVisible, wordsOf } from "./load.ts";
import { statusEntity } from "./present.ts";
import { statusJson } from "./present-bytes.ts";
import { assumeSeen } from "./rules.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;
/** null: the real time. */
let now: Date | null = null;

before(async () => {
  t = await startTestApp({
    clock: { now: () => now ?? new Date() },
  });
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
});
after(() => t.close());

const post = async (by: Person, json: Record<string, unknown>): Promise<string> =>
  (await by.post("/api/v1/statuses", json)).json.id;

const act = (by: Person, id: string, verb: string) => by.post(`/api/v1/statuses/${id}/${verb}`);

const show = async (id: string, by?: Person) =>
  (await (by ?? t.visitor).get(`/api/v1/statuses/${id}`)).json;

test("the joined bytes are the entity, for every kind of status and viewer", async () => {
  const plain = await post(alice, { status: "plain @bob #tag https://example.org </script>" });
  const warned = await post(alice, { status: "x", spoiler_text: 'a "quoted" \\ warning' });
  const direct = await post(alice, { status: "@bob psst", visibility: "direct" });
  const { json: collection } = await alice.post("/api/v1/collections", {
    name: "People",
    discoverable: true,
  });
  const shares = await post(bob, { status: `see ${collection.collection.url}` });
  const boost = (await act(bob, plain, "reblog")).json.id;
  await act(bob, plain, "favourite");
  const ids = [plain, warned, direct, boost, shares];
  for (const viewer of [
    NOBODY,
    ...[alice, bob, carol].map((person) => asPerson(person.accountId)),
  ]) {
    // Twice: once made, once cached.
    for (let round = 0; round < 2; round++) {
      const views = (await loadStatuses(t.app, ids, viewer)).map(assumeSeen);
      assert.equal(views.length, 5);
      for (const view of views) {
        const { site } = t.app.config;
        const entity = JSON.parse(JSON.stringify(statusEntity(view, site)));
        assert.deepEqual(JSON.parse(statusJson(view, site).toString()), entity);
      }
    }
  }
});

test("a warm page is no query, and the same objects", async () => {
  const id = await post(alice, { status: "warm" });
  await t.runJobs();
  const [first] = await loadStatuses(t.app, [id], asPerson(bob.accountId));
  const again = await t.countQueries(() => loadStatuses(t.app, [id], asPerson(bob.accountId)), {
    warm: true,
  });
  assert.equal(again.queries, 0);
  assert.equal(again.result[0]!.row, first!.row);
  assert.equal(again.result[0]!.account, first!.account);
});

test("every change shows in the next answer", async () => {
  const id = await post(alice, { status: "before" });
  const steps: [string, () => Promise<unknown>, (status: any) => unknown, unknown][] = [
    ["favourite", () => act(bob, id, "favourite"), (s) => s.favourites_count, 1],
    ["unfavourite", () => act(bob, id, "unfavourite"), (s) => s.favourites_count, 0],
    ["reblog", () => act(bob, id, "reblog"), (s) => s.reblogs_count, 1],
    ["unreblog", () => act(bob, id, "unreblog"), (s) => s.reblogs_count, 0],
    ["reply", () => post(bob, { status: "hm", in_reply_to_id: id }), (s) => s.replies_count, 1],
    [
      "edit",
      () => alice.put(`/api/v1/statuses/${id}`, { status: "after #x" }),
      (s) => [s.content.includes("after"), s.tags.length],
      [true, 1],
    ],
    [
      "profile",
      () => alice.patch("/api/v1/accounts/update_credentials", { display_name: "Alicia" }),
      (s) => s.account.display_name,
      "Alicia",
    ],
    [
      "a follower",
      () => carol.post(`/api/v1/accounts/${alice.accountId}/follow`),
      (s) => s.account.followers_count,
      1,
    ],
  ];
  for (const [name, change, read, expected] of steps) {
    await show(id);
    await show(id, carol);
    await change();
    assert.deepEqual(read(await show(id)), expected, name);
    assert.deepEqual(read(await show(id, carol)), expected, name);
  }
  await alice.delete(`/api/v1/statuses/${id}`);
  assert.equal((await show(id)).error, "Record not found");
});

test("one viewer's part is never another's", async () => {
  const id = await post(alice, { status: "flags" });
  await act(bob, id, "favourite");
  await act(bob, id, "bookmark");
  for (let round = 0; round < 2; round++) {
    const [mine, theirs, nobodys] = [await show(id, bob), await show(id, carol), await show(id)];
    assert.deepEqual([mine.favourited, mine.bookmarked], [true, true]);
    assert.deepEqual([theirs.favourited, theirs.bookmarked], [false, false]);
    assert.equal("favourited" in nobodys, false);
    assert.equal("pinned" in theirs, false);
  }
});

test("a block and an account's end hide a cached status at once", async () => {
  const id = await post(alice, { status: "soon hidden" });
  await show(id, bob);
  await alice.post(`/api/v1/accounts/${bob.accountId}/block`);
  assert.equal((await show(id, bob)).error, "Record not found");
  assert.equal((await show(id, carol)).id, id);
  await removeAccount(t.app, alice.accountId);
  assert.equal((await show(id, carol)).error, "Record not found");
});

test("what a viewer did, and whom they stand how to, shows in the next answer", async () => {
  const dora = await t.person("dora");
  const id = await post(dora, { status: "marks" });
  const secret = await post(dora, { status: "followers", visibility: "private" });
  const target = `/api/v1/accounts/${dora.accountId}`;
  const relate = (verb: string, json?: object) => carol.post(`${target}/${verb}`, json);
  const home = async () =>
    (await carol.get("/api/v1/timelines/public")).json.some((status: any) => status.id === id);
  const flag = (name: string) => async () => (await show(id, carol))[name];
  const steps: [() => Promise<unknown>, () => Promise<unknown>, unknown][] = [
    [() => act(carol, id, "bookmark"), flag("bookmarked"), true],
    [() => act(carol, id, "unbookmark"), flag("bookmarked"), false],
    [() => act(carol, id, "favourite"), flag("favourited"), true],
    [() => act(carol, id, "unfavourite"), flag("favourited"), false],
    [() => act(carol, id, "reblog"), flag("reblogged"), true],
    [() => act(carol, id, "unreblog"), flag("reblogged"), false],
    [() => act(dora, id, "pin"), async () => (await show(id, dora)).pinned, true],
    [() => act(dora, id, "unpin"), async () => (await show(id, dora)).pinned, false],
    [() => relate("follow"), async () => (await show(secret, carol)).id, secret],
    [() => relate("unfollow"), async () => (await show(secret, carol)).id, undefined],
    [() => relate("mute"), home, false],
    [() => relate("unmute"), home, true],
    [() => relate("block"), home, false],
    [() => relate("unblock"), home, true],
  ];
  for (const [index, [change, read, expected]] of steps.entries()) {
    await read();
    await change();
    assert.equal(await read(), expected, `step ${index}`);
    assert.equal(await read(), expected, `step ${index}, cached`);
  }
});

test("an act on a status leaves the viewer's other marks cached", async () => {
  const [erin, fred] = [await t.person("erin"), await t.person("fred")];
  const ids = [await post(erin, { status: "one" }), await post(erin, { status: "two" })] as const;
  await act(fred, ids[1], "bookmark");
  for (const verb of ["bookmark", "unbookmark", "favourite", "unfavourite", "reblog"]) {
    for (const id of ids) await show(id, fred);
    await act(fred, ids[0], verb);
    const other = await t.countQueries(() => show(ids[1], fred), { warm: true });
    assert.equal(other.result.bookmarked, true);
    // The author's counts may have changed: one query for the row, none for the marks.
    assert.ok(other.queries <= (verb === "reblog" ? 1 : 0), `${verb}: ${other.queries} queries`);
  }
  await act(fred, ids[1], "unbookmark");
  assert.equal((await show(ids[1], fred)).bookmarked, false);
  assert.equal((await show(ids[0], fred)).reblogged, true);
});

test("a mute that ends by itself is not cached", async () => {
  const finn = await t.person("finn");
  const id = await post(finn, { status: "muted for a moment" });
  await carol.post(`/api/v1/accounts/${finn.accountId}/mute`, { duration: 60 });
  const shown = async () =>
    (await carol.get("/api/v1/timelines/public")).json.some((status: any) => status.id === id);
  assert.equal(await shown(), false);
  assert.equal(await shown(), false);
  now = new Date(Date.now() + 61_000);
  assert.equal(await shown(), true);
  now = null;
});

test("a thread shows a new answer and misses a deleted one at once", async () => {
  const root = await post(carol, { status: "thread" });
  const first = await post(bob, { status: "@carol one", in_reply_to_id: root });
  // Jobs read anew, and what they read replaces what was cached.
  await t.runJobs();
  const thread = async (of: string, by?: Person) => {
    const { json } = await (by ?? t.visitor).get(`/api/v1/statuses/${of}/context`);
    return [json.ancestors, json.descendants].map((list) => list.map((s: any) => s.id));
  };
  for (const by of [undefined, bob, undefined, bob]) {
    assert.deepEqual(await thread(root, by), [[], [first]]);
  }
  const warm = await t.countQueries(() => thread(root), { warm: true });
  assert.equal(warm.queries, 0);
  const second = await post(carol, { status: "@bob two", in_reply_to_id: first });
  assert.deepEqual(await thread(root), [[], [first, second]]);
  assert.deepEqual(await thread(root, bob), [[], [first, second]]);
  assert.deepEqual(await thread(second, bob), [[root, first], []]);
  await carol.delete(`/api/v1/statuses/${second}`);
  assert.deepEqual(await thread(root, bob), [[], [first]]);
  await bob.delete(`/api/v1/statuses/${first}`);
  assert.deepEqual(await thread(root), [[], []]);
});

test("a read that a change overtook is not cached", async () => {
  const id = await post(carol, { status: "racing" });
  for (let round = 0; round < 20; round++) {
    await Promise.all([
      loadAsServer(t.app, [id]),
      act(bob, id, round % 2 ? "unfavourite" : "favourite"),
      loadAsServer(t.app, [id]),
    ]);
    const [cached] = await loadAsServer(t.app, [id]);
    const [row] = await t.app.sql`SELECT count(*) FROM favourites WHERE status_id = ${id}`;
    assert.equal(cached!.favourites_count, row!["count"]);
  }
});

test("what answers a deleted status stands alone at once", async () => {
  const root = await post(carol, { status: "root" });
  const reply = await post(bob, { status: "@carol hm", in_reply_to_id: root });
  assert.equal((await show(reply)).in_reply_to_id, root);
  await carol.delete(`/api/v1/statuses/${root}`);
  assert.equal((await show(reply)).in_reply_to_id, null);
});

test("a transaction that fails invalidates nothing, one that commits all of it", async () => {
  const invalidated: string[] = [];
  onInvalidate(t.app.sql, (keys) => invalidated.push(...keys));
  await assert.rejects(
    t.app.sql.begin(async (tx) => {
      invalidate(tx, "status:1");
      throw new Error("no");
    }),
  );
  assert.deepEqual(invalidated, []);
  await t.app.sql.begin(async (tx) => {
    invalidate(tx, "status:2");
    assert.deepEqual(invalidated, []);
    await tx`SELECT 1`;
    invalidate(tx, "account:3");
  });
  assert.deepEqual(invalidated, ["status:2", "account:3"]);
});

test("a row counts for at least what it takes with what is derived from it", async () => {
  const words = "Žluťoučký kůň @bob #tag https://example.org/path ".repeat(5);
  const ids = [
    await post(bob, { status: "short" }),
    await post(bob, { status: words, spoiler_text: "a warning" }),
    await post(bob, { status: "a poll", poll: { options: ["a", "b"], expires_in: 600 } }),
  ];
  for (const view of await loadVisible(t.app, ids, asPerson(carol.accountId))) {
    statusJson(view, t.app.config.site);
    const { derived, ...row } = view.row;
    const { plain: _plain, number: _number, ...texts } = derived;
    wordsOf(view.row);
    assert.ok(sizeOfRow(row) >= sizeOf(row) + sizeOf({ ...texts, words: derived.words }));
    const bytes = accountJson(view.account, t.app.config.site);
    assert.ok(sizeOfAccount(view.account) >= sizeOf(view.account) + sizeOf(bytes));
  }
});

test("what a person favourites, and ends to, is known from the act", async () => {
  const [dora, emil, fay] = [
    await t.person("hugo"),
    await t.person("ivan"),
    await t.person("jane"),
  ];
  const id = await post(dora, { status: "known" });
  await t.runJobs();
  for (const [verb, is] of [
    ["favourite", true],
    ["unfavourite", false],
  ] as const) {
    await show(id, emil);
    await act(emil, id, verb);
    const { queries, result } = await t.countQueries(() => show(id, emil), { warm: true });
    assert.equal(queries, 0, verb);
    assert.deepEqual([result.favourited, result.favourites_count], [is, is ? 1 : 0]);
    assert.equal((await show(id, fay)).favourites_count, is ? 1 : 0);
  }
});

test("acts at once leave nothing cached that the database does not have", async () => {
  const [gus, emil, fay] = [await t.person("gus"), await t.person("eve"), await t.person("flo")];
  const id = await post(gus, { status: "contended" });
  for (let round = 0; round < 12; round++) {
    await Promise.all([show(id, emil), show(id, fay)]);
    await Promise.all(
      [emil, fay].flatMap((by) => [
        act(by, id, round % 2 ? "unfavourite" : "favourite"),
        act(by, id, round % 3 ? "favourite" : "unfavourite"),
      ]),
    );
    const rows = await t.app.sql<{ account_id: string }[]>`
      SELECT account_id FROM favourites WHERE status_id = ${id}
    `;
    for (const by of [emil, fay]) {
      const { favourited, favourites_count: count } = await show(id, by);
      assert.equal(count, rows.length);
      assert.equal(
        favourited,
        rows.some((row) => row.account_id === by.accountId),
      );
    }
  }
});

test("a boost and an answer are known from the act: the counts, the mark, the account", async () => {
  const [kim, lou] = [await t.person("kim"), await t.person("lou")];
  const id = await post(kim, { status: "answered and boosted" });
  await t.runJobs();
  const account = async () =>
    (await t.visitor.get(`/api/v1/accounts/${lou.accountId}`)).json.statuses_count;
  await show(id, lou);
  assert.equal(await account(), 0);
  await act(lou, id, "reblog");
  await post(lou, { status: "so it is", in_reply_to_id: id });
  const { queries, result } = await t.countQueries(
    async () => [await show(id, lou), await account()],
    { warm: true },
  );
  assert.equal(queries, 0);
  const [status, count] = result;
  assert.deepEqual(
    [status.reblogged, status.reblogs_count, status.replies_count, count],
    [true, 1, 1, 2],
  );
});

test("boosts, their ends and answers at once leave no count that the database does not have", async () => {
  const [mia, ned, ola] = [await t.person("mia"), await t.person("ned"), await t.person("ola")];
  const id = await post(mia, { status: "contended by boosts" });
  for (let round = 0; round < 6; round++) {
    await Promise.all([show(id, ned), show(id, ola)]);
    await Promise.all([
      act(ned, id, round % 2 ? "unreblog" : "reblog"),
      act(ola, id, round % 3 ? "reblog" : "unreblog"),
      act(ola, id, round % 2 ? "favourite" : "unfavourite"),
      post(ned, { status: `answer ${round}`, in_reply_to_id: id }),
    ]);
    const [row] = await t.app.sql<Record<string, unknown>[]>`
      SELECT replies_count::int AS replies, reblogs_count::int AS reblogs, favourites_count::int AS favourites,
        (SELECT statuses_count::int FROM account_stats WHERE account_id = ${ned.accountId}) AS statuses
      FROM status_stats WHERE status_id = ${id}
    `;
    const { json: account } = await t.visitor.get(`/api/v1/accounts/${ned.accountId}`);
    for (const by of [ned, ola]) {
      const status = await show(id, by);
      assert.deepEqual(
        [status.replies_count, status.reblogs_count, status.favourites_count],
        [row!["replies"], row!["reblogs"], row!["favourites"]],
      );
      const boosts = await t.app.sql`
        SELECT FROM statuses WHERE reblog_of_id = ${id} AND account_id = ${by.accountId}
      `;
      assert.equal(status.reblogged, boosts.length > 0);
    }
    assert.equal(account.statuses_count, row!["statuses"]);
  }
});

// Posts that are sent at the same moment: each is whole, and none spoils the others.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { createStatus, createStatuses } from "./create.ts";
import { ROW_ONLY } from "./new-status.ts";
import type { NewStatus } from "./new-status.ts";

let t: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp({ worker: false });
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});
after(() => t.close());

const post = (by: Person, body: Record<string, unknown>) => by.post("/api/v1/statuses", body).ok();

const show = async (id: string) => (await bob.get(`/api/v1/statuses/${id}`)).json;

const draft = (text: string, row: object = {}): NewStatus => ({
  ...ROW_ONLY,
  row: {
    account_id: alice.accountId,
    local: true,
    text,
    content: `<p>${text}</p>`,
    visibility: "public",
    awaits_approval: false,
    created_at: new Date(),
    ...row,
  },
});

test("each has its own text, people, tags and counts", async () => {
  const root = await post(alice, { status: "root" });
  const before = (await t.visitor.get(`/api/v1/accounts/${bob.accountId}`)).json.statuses_count;
  const copies = await Promise.all([
    post(bob, { status: "one #Elms", in_reply_to_id: root.id }),
    post(bob, { status: "two @alice", in_reply_to_id: root.id, visibility: "unlisted" }),
    post(bob, { status: "three #elms", visibility: "direct", in_reply_to_id: root.id }),
    post(alice, { status: "four https://example.org/x", spoiler_text: "cw" }),
  ]);
  assert.equal(new Set(copies.map((copy) => copy.id)).size, 4);
  const [first, second, third, fourth] = await Promise.all(copies.map(({ id }) => show(id)));
  assert.match(first.content, /one/);
  assert.deepEqual(
    [first, third].map((status) => status.tags[0].name),
    ["elms", "elms"],
  );
  assert.deepEqual(
    [first, second, third].map((status) => [status.in_reply_to_id, status.visibility]),
    [
      [root.id, "public"],
      [root.id, "unlisted"],
      [root.id, "direct"],
    ],
  );
  assert.equal(second.mentions[0].acct, "alice");
  assert.equal(fourth.spoiler_text, "cw");
  assert.equal(fourth.uri, `${t.url}/users/alice/statuses/${fourth.id}`);
  assert.equal(fourth.url, `${t.url}/@alice/${fourth.id}`);
  // Direct ones are not counted.
  assert.equal((await show(root.id)).replies_count, 2);
  const account = (await t.visitor.get(`/api/v1/accounts/${bob.accountId}`)).json;
  assert.equal(account.statuses_count, before + 2);
});

test("they share a transaction, and one that cannot be stored takes no other with it", async () => {
  const [good, bad, late] = await Promise.allSettled([
    createStatus(t.app, draft("good")),
    createStatus(t.app, draft("bad", { in_reply_to_id: "1" })),
    createStatus(t.app, draft("late")),
  ]);
  assert.deepEqual([good.status, bad.status, late.status], ["fulfilled", "rejected", "fulfilled"]);
  const rows = await t.app.sql`
    SELECT text FROM statuses WHERE text IN ('good', 'bad', 'late') ORDER BY id`;
  assert.deepEqual(
    rows.map((row) => row["text"]),
    ["good", "late"],
  );
  const { queries } = await t.countQueries(() =>
    Promise.all(["a", "b", "c", "d", "e"].map((text) => createStatus(t.app, draft(text)))),
  );
  assert.ok(queries <= 4, `${queries} queries`);
});

test("a key that was used gives the first post, beside new ones", async () => {
  const first = await createStatus(t.app, { ...draft("first"), idempotencyKey: "k" });
  const [again, other] = await Promise.all([
    createStatus(t.app, { ...draft("again"), idempotencyKey: "k" }),
    createStatus(t.app, { ...draft("other"), idempotencyKey: "l" }),
  ]);
  assert.equal(again, first);
  assert.notEqual(other, first);
  const [row] = await t.app.sql`SELECT count(*)::int AS n FROM statuses WHERE text = 'again'`;
  assert.equal(row!["n"], 0);
});

test("one key twice in a batch is one post; the others of the batch are written with it", async () => {
  const keyed = (text: string, idempotencyKey: string | null) => ({
    ...draft(text),
    idempotencyKey,
  });
  const inputs = [
    keyed("twice 1", "twice"),
    keyed("beside", null),
    keyed("twice 2", "twice"),
    keyed("other", "other"),
    { ...keyed("of bob", "twice"), row: { ...draft("of bob").row, account_id: bob.accountId } },
  ];
  const created = await createStatuses(t.app, t.app.sql, inputs);
  assert.equal(created[2]!.id, created[0]!.id);
  assert.deepEqual(
    created.map((status) => status!.isNew),
    [true, true, false, true, true],
  );
  const rows = await t.app.sql`SELECT text FROM statuses WHERE text LIKE 'twice%'`;
  assert.deepEqual([...rows], [{ text: "twice 1" }]);
});

/** As if it were remote. */
const note = (uri: string, createdAt: Date): NewStatus =>
  draft(uri, { local: false, uri: `https://far.example/${uri}`, url: null, created_at: createdAt });

test("an id that is taken is not used again: none of many notes of one moment is lost", async () => {
  const at = new Date("2020-02-02T12:00:00Z");
  await t.app.sql`SELECT setval('status_id_seq', 7)`;
  const [first] = await createStatuses(t.app, t.app.sql, [note("first", at)]);
  await t.app.sql`SELECT setval('status_id_seq', 7)`;
  const rest = await createStatuses(
    t.app,
    t.app.sql,
    Array.from({ length: 100 }, (_, n) => note(`note-${n}`, at)),
  );
  assert.equal(new Set([first, ...rest].map((status) => status!.id)).size, 101);
  assert.ok(rest.every((status) => status!.isNew));
});

test("an archive of thousands of posts of one second comes in whole, also as the ids go round", async () => {
  const at = new Date("2019-03-03T00:00:00Z");
  await t.app.sql`SELECT setval('status_id_seq', 65000)`;
  for (let batch = 0; batch < 5; batch++) {
    const notes = Array.from({ length: 1000 }, (_, n) => note(`old-${batch}-${n}`, at));
    const created = await createStatuses(t.app, t.app.sql, notes);
    assert.ok(created.every((status) => status?.isNew));
    await t.app.sql`SELECT setval('status_id_seq', 65000)`;
  }
  const [row] = await t.app.sql`
    SELECT count(*)::int AS n FROM statuses WHERE uri LIKE 'https://far.example/old-%'`;
  assert.equal(row!["n"], 5000);
});

test("one that exists, or is known to be deleted, is reported at its index", async () => {
  const at = new Date();
  const [there] = await createStatuses(t.app, t.app.sql, [note("there", at)]);
  await t.app.sql`INSERT INTO tombstones (uri) VALUES ('https://far.example/gone')`;
  const all = await createStatuses(t.app, t.app.sql, [
    note("gone", at),
    note("there", at),
    note("fresh", at),
    note("fresh", at),
  ]);
  assert.deepEqual(all[0], null);
  assert.deepEqual(all[1], { id: there!.id, isNew: false });
  assert.equal(all[2]!.isNew, true);
  assert.deepEqual(all[3], { id: all[2]!.id, isNew: false });
});

test("a post that says who may see it is written without its author's account", async () => {
  const posting = (json: object) =>
    t.countQueries(() => post(alice, { status: "who may see it", ...json }));
  const [said, unsaid] = [await posting({ visibility: "public" }), await posting({})];
  assert.equal(said.queries, unsaid.queries - 1);
});

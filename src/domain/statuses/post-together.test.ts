// Posts that are sent at the same moment: each is whole, and none spoils the others.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import type { NewStatus } from "./create.ts";
import { postTogether } from "./post-together.ts";

let t: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});
after(() => t.close());

const post = async (by: Person, body: Record<string, unknown>) => {
  const answer = await t.request("POST", "/api/v1/statuses", { token: by.token, json: body });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

const show = async (id: string) =>
  (await t.request("GET", `/api/v1/statuses/${id}`, { token: bob.token })).json;

const draft = (text: string): NewStatus => ({
  accountId: alice.accountId,
  local: true,
  username: "alice",
  uri: null,
  url: null,
  text,
  content: `<p>${text}</p>`,
  spoilerText: "",
  visibility: "public",
  sensitive: false,
  language: "en",
  inReplyTo: null,
  conversationUri: null,
  mentions: [],
  tags: [],
  media: [],
  emojis: [],
  poll: null,
  quote: null,
  quotePolicy: 0,
  createdAt: null,
  appId: null,
  idempotencyKey: null,
});

test("each has its own text, people, tags and counts", async () => {
  const root = await post(alice, { status: "root" });
  const before = (await t.request("GET", `/api/v1/accounts/${bob.accountId}`)).json.statuses_count;
  const made = await Promise.all([
    post(bob, { status: "one #Elms", in_reply_to_id: root.id }),
    post(bob, { status: "two @alice", in_reply_to_id: root.id, visibility: "unlisted" }),
    post(bob, { status: "three #elms", visibility: "direct", in_reply_to_id: root.id }),
    post(alice, { status: "four https://example.org/x", spoiler_text: "cw" }),
  ]);
  assert.equal(new Set(made.map((one) => one.id)).size, 4);
  const [one, two, three, four] = await Promise.all(made.map(({ id }) => show(id)));
  assert.match(one.content, /one/);
  assert.deepEqual(
    [one, three].map((status) => status.tags[0].name),
    ["elms", "elms"],
  );
  assert.deepEqual(
    [one, two, three].map((status) => [status.in_reply_to_id, status.visibility]),
    [
      [root.id, "public"],
      [root.id, "unlisted"],
      [root.id, "direct"],
    ],
  );
  assert.equal(two.mentions[0].acct, "alice");
  assert.equal(four.spoiler_text, "cw");
  assert.equal(four.uri, `${t.url}/users/alice/statuses/${four.id}`);
  assert.equal(four.url, `${t.url}/@alice/${four.id}`);
  // Direct ones are not counted.
  assert.equal((await show(root.id)).replies_count, 2);
  const account = (await t.request("GET", `/api/v1/accounts/${bob.accountId}`)).json;
  assert.equal(account.statuses_count, before + 2);
});

test("they share a transaction, and one that cannot be stored takes no other with it", async () => {
  const missing = { id: "1", accountId: alice.accountId, conversationId: null };
  const [good, bad, late] = await Promise.allSettled([
    postTogether(t.app, draft("good")),
    postTogether(t.app, { ...draft("bad"), inReplyTo: missing }),
    postTogether(t.app, draft("late")),
  ]);
  assert.deepEqual([good.status, bad.status, late.status], ["fulfilled", "rejected", "fulfilled"]);
  const rows = await t.app.sql`
    SELECT text FROM statuses WHERE text IN ('good', 'bad', 'late') ORDER BY id`;
  assert.deepEqual(
    rows.map((row) => row["text"]),
    ["good", "late"],
  );
  const { queries } = await t.countQueries(() =>
    Promise.all(["a", "b", "c", "d", "e"].map((text) => postTogether(t.app, draft(text)))),
  );
  assert.ok(queries <= 4, `${queries} queries`);
});

test("a key that was used gives the first post, beside new ones", async () => {
  const first = await postTogether(t.app, { ...draft("first"), idempotencyKey: "k" });
  const [again, other] = await Promise.all([
    postTogether(t.app, { ...draft("again"), idempotencyKey: "k" }),
    postTogether(t.app, { ...draft("other"), idempotencyKey: "l" }),
  ]);
  assert.equal(again, first);
  assert.notEqual(other, first);
  const [row] = await t.app.sql`SELECT count(*)::int AS n FROM statuses WHERE text = 'again'`;
  assert.equal(row!["n"], 0);
});

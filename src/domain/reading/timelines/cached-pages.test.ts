// Pages that are cached for everybody: a change shows at once, and nobody sees what is hidden from them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { removeAccount } from "../../people/accounts/remove.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
});
after(() => t.close());

const post = async (by: Person, status: string, more: object = {}): Promise<string> =>
  (await by.post("/api/v1/statuses", { status, ...more })).json.id;

const ids = async (path: string, by?: Person): Promise<string[]> =>
  (await (by ?? t.visitor).get(path)).json.map((status: any) => status.id);

const PUBLIC = "/api/v1/timelines/public";
const TAG = "/api/v1/timelines/tag/rooks";

/** Asked for twice, so that the second answer is the cached one. */
const both = async (path: string, by?: Person): Promise<string[]> => {
  const first = await ids(path, by);
  assert.deepEqual(await ids(path, by), first);
  return first;
};

test("a new, an edited and a deleted status show at once", async () => {
  const page = `/api/v1/accounts/${alice.accountId}/statuses`;
  for (const path of [PUBLIC, TAG, page]) assert.deepEqual(await both(path), []);
  const id = await post(alice, "about #rooks");
  for (const path of [PUBLIC, TAG, page]) assert.deepEqual(await both(path), [id]);
  const two = await post(alice, "about nothing");
  assert.deepEqual(await both(TAG), [id]);
  assert.deepEqual(await both(PUBLIC), [two, id]);
  const json = { status: "about #rooks too" };
  await alice.put(`/api/v1/statuses/${two}`, json);
  assert.deepEqual(await both(TAG), [two, id]);
  const root = await post(bob, "root");
  const reply = await post(alice, "@bob hm", { in_reply_to_id: root });
  assert.deepEqual(await both(PUBLIC), [root, two, id]);
  await bob.delete(`/api/v1/statuses/${root}`);
  // What answered it stands alone now.
  assert.deepEqual(await both(PUBLIC), [reply, two, id]);
  assert.deepEqual(await both(page), [reply, two, id]);
  for (const id of [reply, two]) {
    await alice.delete(`/api/v1/statuses/${id}`);
  }
  for (const path of [PUBLIC, TAG, page]) assert.deepEqual(await both(path), [id]);
  const warm = await t.countQueries(
    async () => {
      for (const path of [PUBLIC, TAG, page]) await ids(path);
    },
    { warm: true },
  );
  assert.equal(warm.queries, 0);
});

test("who hides somebody gets a full page without them; the others still see them", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) ids.unshift(await post(i % 2 ? alice : bob, `number ${i} #rooks`));
  const path = `${PUBLIC}?limit=3`;
  assert.deepEqual(await both(path, carol), ids.slice(0, 3));
  await carol.post(`/api/v1/accounts/${alice.accountId}/mute`);
  const byBob = ids.filter((_, index) => index % 2);
  assert.deepEqual(await both(path, carol), byBob);
  assert.deepEqual(await both(`${TAG}?limit=3`, carol), byBob);
  assert.deepEqual(await both(path, bob), ids.slice(0, 3));
  assert.deepEqual(await both(path), ids.slice(0, 3));
  await bob.post(`/api/v1/accounts/${carol.accountId}/block`);
  assert.deepEqual(await both(path, carol), []);
});

test("an account's page is judged for each viewer, and SQL fills it where that is not enough", async () => {
  const dora = await t.person("dora");
  const page = `/api/v1/accounts/${dora.accountId}/statuses`;
  const open = [await post(dora, "first"), await post(dora, "second")].toReversed();
  const secret: string[] = [];
  for (let i = 0; i < 62; i++) {
    secret.unshift(await post(dora, `secret ${i}`, { visibility: "private" }));
  }
  const named = await post(dora, "@bob psst", { visibility: "direct" });
  assert.deepEqual(await both(page), open);
  assert.deepEqual(await both(page, bob), [named, ...open]);
  assert.deepEqual(await both(`${page}?limit=3`, dora), [named, ...secret.slice(0, 2)]);
  assert.deepEqual(await both(`${page}?limit=1`, carol), open.slice(0, 1));
  await carol.post(`/api/v1/accounts/${dora.accountId}/follow`);
  assert.deepEqual(await both(`${page}?limit=2`, carol), secret.slice(0, 2));
  await removeAccount(t.app, dora.accountId);
  assert.deepEqual(await both(page), []);
});

test("a page that ends within what is hidden names the next one, which goes on there", async () => {
  const erin = await t.person("erin");
  const shown = await post(alice, "below all of that");
  await t.write`
    INSERT INTO accounts (id, username, domain, uri, url, inbox_url)
    VALUES (7, 'busy', 'large.example', 'https://large.example/7', 'https://large.example/7', '')
  `;
  await t.write`
    INSERT INTO statuses (id, account_id, uri, local, visibility, awaits_approval, created_at)
    SELECT snowflake(), 7, 'https://large.example/' || n, false, 'public', false, now()
    FROM generate_series(1, 1500) AS n
  `;
  await erin.post("/api/v1/domain_blocks", { domain: "large.example" }).done();
  const { json, headers } = await erin.get(PUBLIC);
  assert.deepEqual(json, []);
  const [, next] = /max_id=(\d+)>; rel="next"/.exec(headers.get("link")!)!;
  const [first] = await ids(`${PUBLIC}?max_id=${next}`, erin);
  assert.equal(first, shown);
});

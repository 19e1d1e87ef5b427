// Saved searches over real HTTP: keeping, listing, removing, limits and permissions.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";

const PATH = "/api/v1/saved_searches";

let t: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});
after(() => t.close());
beforeEach(() => t.write`DELETE FROM saved_searches`);

const save = (q: unknown, who = alice) => who.post(PATH, { q });
const list = async (who = alice): Promise<string[]> =>
  (await who.get(PATH)).json.map(({ q }: { q: string }) => q);

test("a search is saved once, listed to its owner and removed", async () => {
  const first = await save(" moss from:me ").ok();
  assert.equal(first.q, "moss from:me");
  assert.equal((await save("moss from:me")).json.id, first.id);
  await save('"fern frond" 🌿');
  assert.deepEqual(await list(), ['"fern frond" 🌿', "moss from:me"]);
  assert.deepEqual(await list(bob), []);
  const path = `${PATH}/${first.id}`;
  assert.equal((await bob.delete(path)).status, 404);
  const gone = await alice.delete(path);
  assert.deepEqual([gone.status, gone.json], [200, {}]);
  assert.equal((await alice.delete(path)).status, 404);
  assert.deepEqual(await list(), ['"fern frond" 🌿']);
});

test("no text, and text that is too long, are refused", async () => {
  for (const q of [undefined, "", "  ", "\0", "x".repeat(501)]) {
    const answer = await save(q);
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.json.error, /^Validation failed: Q /);
  }
  await save("🌿".repeat(500)).ok();
});

test("nobody has more than a hundred, and those of others do not count", async () => {
  await t.write`INSERT INTO saved_searches (account_id, q)
    SELECT ${alice.accountId}, 'search ' || n FROM generate_series(1, 100) n`;
  const refused = await save("another");
  assert.equal(refused.status, 422);
  assert.match(refused.json.error, /100/);
  assert.equal((await save("search 7")).status, 200, "which is there");
  await save("another", bob).ok();
});

test("who may", async () => {
  assert.equal((await t.visitor.get(PATH)).status, 401);
  assert.equal((await t.visitor.post(PATH, { q: "moss" })).status, 401);
  assert.equal((await t.visitor.delete(`${PATH}/1`)).status, 401);
  const reader = await t.token(alice.userId, ["read:search"]);
  await t.as(reader).get(PATH).ok();
  const refused = await t.as(reader).post(PATH, { q: "moss" });
  assert.equal(refused.status, 403);
  const other = await t.token(alice.userId, ["read:statuses"]);
  assert.equal((await t.as(other).get(PATH)).status, 403);
});

test("a server that has them says so", async () => {
  const { json } = await t.visitor.get("/api/v2/instance");
  assert.ok(json.api_versions.rookery >= 1);
  assert.equal(json.configuration.rookery.saved_searches, true);
  assert.equal(json.configuration.rookery.search_operators, true);
});

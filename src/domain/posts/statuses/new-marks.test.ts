// On a status that is newer than what is cached of a viewer no mark is read, until that viewer acts on it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { loadStatuses } from "./load.ts";

let t: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp({ env: { STATUS_CACHE: "true" } });
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});
after(() => t.close());

const post = async (by: Person, text: string): Promise<string> =>
  (await by.post("/api/v1/statuses", { status: text })).json.id;

const act = (by: Person, id: string, verb: string) => by.post(`/api/v1/statuses/${id}/${verb}`);

/** What bob did with it, and how many queries it takes to show. */
const flags = async (id: string) => {
  const read = () => loadStatuses(t.app, [id], asPerson(bob.accountId));
  const { result, queries } = await t.countQueries(read, { warm: true });
  return { flags: result[0]!.viewer!.flags, queries };
};

const NONE = { favourited: false, reblogged: false, bookmarked: false, pinned: false };

test("a new status costs its viewers nothing", async () => {
  await flags(await post(alice, "the first"));
  const id = await post(alice, "the second");
  await t.runJobs();
  // The author, whose count is another now, is read again.
  await loadStatuses(t.app, [id], asPerson(alice.accountId));
  assert.deepEqual(await flags(id), { flags: NONE, queries: 0 });
});

for (const [verb, flag] of [
  ["favourite", "favourited"],
  ["reblog", "reblogged"],
  ["bookmark", "bookmarked"],
] as const) {
  test(`${verb} on a new status shows at once, and when it is undone`, async () => {
    await flags(await post(alice, "known"));
    const id = await post(alice, `to ${verb}`);
    assert.deepEqual((await flags(id)).flags, NONE);
    await act(bob, id, verb);
    assert.deepEqual((await flags(id)).flags, { ...NONE, [flag]: true });
    await act(bob, id, `un${verb}`);
    assert.deepEqual((await flags(id)).flags, NONE);
  });
}

test("what is cached of a viewer after a status was written says nothing of it", async () => {
  await flags(await post(alice, "known"));
  const id = await post(alice, "marked behind the back of the caches");
  await t.fixture(
    (sql) => sql`INSERT INTO bookmarks (account_id, status_id) VALUES (${bob.accountId}, ${id})`,
  );
  t.app.caches.clear();
  assert.deepEqual((await flags(id)).flags, { ...NONE, bookmarked: true });
});

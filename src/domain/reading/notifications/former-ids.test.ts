// Apps and devices that kept ids of notifications from before these were small go on with them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";

let t: TestApp;
let alice: Person;
/** Oldest first; the first four have had other ids. */
let ids: string[];

const formerOf = (n: number): string => String(117_694_528_747_798_000n + BigInt(n) * 100n);

before(async () => {
  t = await startTestApp();
  alice = await t.person("alice");
  const bob = await t.person("bob");
  for (let n = 0; n < 6; n++) {
    const json = { status: `@alice ${n}` };
    await bob.post("/api/v1/statuses", json);
  }
  await t.runJobs();
  ids = (await list("")).toReversed();
  for (const [n, id] of ids.slice(0, 4).entries())
    await t.write`UPDATE notifications SET former_id = ${formerOf(n)} WHERE id = ${id}`;
});
after(() => t.close());

const list = async (query: string): Promise<string[]> =>
  (await alice.get(`/api/v1/notifications${query}`)).json.map(({ id }: { id: string }) => id);

const groups = async (query: string): Promise<string[]> =>
  (await alice.get(`/api/v2/notifications${query}`)).json.notification_groups.map(
    ({ most_recent_notification_id: id }: { most_recent_notification_id: number }) => String(id),
  );

test("ids are small texts, and the newest of a group a number", async () => {
  for (const id of ids) assert.match(id, /^\d{1,9}$/);
  assert.deepEqual(await groups(""), ids.toReversed());
});

test("pages begin and end where they did, and what is newer is found", async () => {
  const newest = ids.toReversed();
  for (const read of [list, groups]) {
    assert.deepEqual(await read(`?since_id=${formerOf(3)}`), newest.slice(0, 2));
    assert.deepEqual(await read(`?min_id=${formerOf(1)}&limit=2`), newest.slice(2, 4));
    assert.deepEqual(await read(`?max_id=${formerOf(2)}`), newest.slice(4));
    // Of one that is gone by now, and of what was before and after all of them.
    assert.deepEqual(await read(`?max_id=${BigInt(formerOf(2)) - 50n}`), newest.slice(4));
    assert.deepEqual(await read(`?since_id=${BigInt(formerOf(0)) - 50n}`), newest);
    assert.deepEqual(await read(`?max_id=${formerOf(9)}`), newest.slice(2));
  }
});

test("one is read and dismissed by the id that a message of then had", async () => {
  const one = await alice.get(`/api/v1/notifications/${formerOf(1)}`);
  assert.deepEqual([one.status, one.json.id], [200, ids[1]]);
  const alone = await alice.get(`/api/v2/notifications/ungrouped-${formerOf(1)}`);
  assert.equal(alone.json.notification_groups[0].most_recent_notification_id, Number(ids[1]));
  for (const id of [BigInt(formerOf(1)) + 1n, formerOf(9), BigInt(formerOf(0)) - 1n])
    assert.equal((await alice.get(`/api/v1/notifications/${id}`)).status, 404);
  await alice.post(`/api/v1/notifications/${formerOf(0)}/dismiss`).ok();
  assert.equal((await alice.post(`/api/v1/notifications/${formerOf(0)}/dismiss`)).status, 404);
  assert.deepEqual(await list(""), ids.slice(1).toReversed());
});

test("a marker of then marks the same as read", async () => {
  const json = {
    home: { last_read_id: formerOf(2) },
    notifications: { last_read_id: formerOf(2) },
  };
  const { json: markers } = await alice.post("/api/v1/markers", json);
  assert.deepEqual(
    [markers.home.last_read_id, markers.notifications.last_read_id],
    [formerOf(2), ids[2]],
  );
  assert.equal((await alice.get("/api/v1/notifications/unread_count")).json.count, 3);
});

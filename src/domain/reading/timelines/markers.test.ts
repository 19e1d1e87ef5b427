// Markers over real HTTP: stored for each person and timeline, and never overwritten unseen.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { writeMarkers } from "./queries-markers.ts";

let t: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});

after(() => t.close());

const read = (by: Person, query: string) => by.get(`/api/v1/markers${query}`);
const write = (by: Person, json: unknown) => by.post("/api/v1/markers", json);

const BOTH = "?timeline[]=home&timeline[]=notifications";

test("a marker is stored for each person and timeline, its version grows", async () => {
  assert.deepEqual((await read(alice, BOTH)).json, {});
  const first = await write(alice, { home: { last_read_id: "100" } }).ok();
  assertEntity("Marker", first.home);
  assert.deepEqual([first.home.last_read_id, first.home.version], ["100", 1]);
  const form = { "home[last_read_id]": "90", "notifications[last_read_id]": "7" };
  const second = await alice.post("/api/v1/markers", new URLSearchParams(form));
  assert.deepEqual([second.json.home.last_read_id, second.json.home.version], ["90", 2]);
  assert.equal(second.json.notifications.version, 1);
  assert.deepEqual((await read(alice, BOTH)).json, second.json);
  assert.deepEqual(Object.keys((await read(alice, "?timeline[]=home")).json), ["home"]);
  assert.deepEqual((await read(bob, BOTH)).json, {});
});

test("no timeline is nothing, an unknown one is left out", async () => {
  await write(alice, { home: { last_read_id: "1" } });
  assert.deepEqual((await read(alice, "")).json, {});
  assert.deepEqual((await read(alice, "?timeline[]=moon")).json, {});
  assert.deepEqual((await write(alice, {})).json, {});
  assert.deepEqual((await write(alice, { moon: { last_read_id: "1" } })).json, {});
  assert.equal((await write(alice, { home: { last_read_id: "moon" } })).status, 422);
  assert.equal((await write(alice, { home: { last_read_id: "9".repeat(30) } })).status, 422);
  assert.equal((await write(alice, { home: "moon" })).status, 422);
});

test("a change in between is a conflict, and nothing of the request is stored", async () => {
  await write(bob, { home: { last_read_id: "1" } });
  // Another device is just writing: both have seen version 1.
  const [written, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = t.app.sql.begin(async (tx) => {
    const marker = { timeline: "home", lastReadId: "2", version: 1 };
    assert.equal((await writeMarkers(tx, bob, [marker], new Date())).length, 1);
    written.resolve();
    await end.promise;
  });
  await written.promise;
  const late = write(bob, { home: { last_read_id: "3" }, notifications: { last_read_id: "3" } });
  await waitForLock();
  end.resolve();
  await other;
  const { status, json } = await late;
  assert.deepEqual([status, json.error], [409, "Conflict during update, please try again"]);
  const { json: stored } = await read(bob, BOTH);
  assert.deepEqual([stored.home.last_read_id, stored.home.version], ["2", 2]);
  assert.equal("notifications" in stored, false);
});

const waitForLock = async (): Promise<void> => {
  for (;;) {
    const rows = await t.app.sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INTO markers%'
    `;
    if (rows.length > 0) return;
  }
};

test("only with a person's token of the right scope", async () => {
  assert.equal((await t.visitor.get("/api/v1/markers")).status, 401);
  assert.equal((await t.visitor.post("/api/v1/markers")).status, 401);
  const token = await t.token(alice.userId, ["read:lists"]);
  assert.equal((await t.as(token).get(`/api/v1/markers${BOTH}`)).status, 403);
  assert.equal((await t.as(token).post("/api/v1/markers")).status, 403);
});

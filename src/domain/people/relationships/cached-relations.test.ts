// What an app asks for all day long is answered from memory once warm, and shows each change at once: how
// one stands to others, and one's own account.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
  // Tokens and settings are not cached before the database can reach the server.
  for (let tries = 0; tries < 500; tries++) {
    const { queries } = await t.countQueries(ownAccount, { warm: true });
    if (queries === 0) break;
    await sleep(10);
  }
});
after(() => t.close());

const act = (by: Person, on: Person, verb: string, json: object = {}) =>
  by.post(`/api/v1/accounts/${on.accountId}/${verb}`, json);

/** The answer when it comes from memory, which has to be the one that comes from the database. */
const warm = async (ask: () => Promise<any>) => {
  const read = await ask();
  // This waits for the database's notices of earlier changes, which invalidate what was read before they arrived.
  await t.fixture(async () => {});
  await ask();
  const { result, queries } = await t.countQueries(ask, { warm: true });
  assert.equal(queries, 0);
  assert.deepEqual(result, read);
  return read;
};

const relation = () =>
  warm(async () => {
    const path = `/api/v1/accounts/relationships?id[]=${bob.accountId}&id[]=${carol.accountId}`;
    return (await alice.get(path)).json[0];
  });

const ownAccount = async () => (await alice.get("/api/v1/accounts/verify_credentials")).json;
const own = () => warm(ownAccount);

test("relations: each change shows in the next answer", async () => {
  assert.equal((await relation()).following, false);
  const steps: [by: Person, on: Person, verb: string, options: object, changed: object][] = [
    [alice, bob, "follow", {}, { following: true, showing_reblogs: true }],
    [alice, bob, "follow", { reblogs: false, notify: true }, { showing_reblogs: false }],
    [bob, alice, "follow", {}, { followed_by: true }],
    [alice, bob, "endorse", {}, { endorsed: true }],
    [alice, bob, "mute", {}, { muting: true, muting_notifications: true }],
    [alice, bob, "unmute", {}, { muting: false, muting_notifications: false }],
    [alice, bob, "unfollow", {}, { following: false, endorsed: false }],
    [bob, alice, "block", {}, { blocked_by: true, followed_by: false }],
    [bob, alice, "unblock", {}, { blocked_by: false }],
    [alice, bob, "block", {}, { blocking: true }],
    [alice, bob, "unblock", {}, { blocking: false }],
  ];
  for (const [by, on, verb, options, changed] of steps) {
    await act(by, on, verb, options).ok();
    const answer = await relation();
    assert.deepEqual({ ...answer, ...changed }, answer, verb);
  }
});

test("relations with a note, with languages or with a mute that ends are read each time", async () => {
  const now = async () => {
    const path = `/api/v1/accounts/relationships?id[]=${carol.accountId}`;
    return (await alice.get(path)).json[0];
  };
  await now();
  await act(alice, carol, "note", { comment: "a friend" });
  for (let times = 0; times < 2; times++) assert.equal((await now()).note, "a friend");
  await act(alice, carol, "note", { comment: "" });
  await act(alice, carol, "follow", { languages: ["de"] });
  for (let times = 0; times < 2; times++) assert.deepEqual((await now()).languages, ["de"]);
  await act(alice, carol, "mute", { duration: 3600 });
  for (let times = 0; times < 2; times++) assert.notEqual((await now()).muting_expires_at, null);
});

test("one's own account: settings, profile, requests to follow and counts show at once", async () => {
  assert.equal((await own()).source.follow_requests_count, 0);
  const update = (json: object) => alice.patch("/api/v1/accounts/update_credentials", json);
  await update({ locked: true, display_name: "Alice A.", source: { privacy: "unlisted" } });
  const changed = await own();
  assert.deepEqual(
    [changed.locked, changed.display_name, changed.source.privacy],
    [true, "Alice A.", "unlisted"],
  );
  await act(carol, alice, "follow");
  assert.equal((await own()).source.follow_requests_count, 1);
  const answer = `/api/v1/follow_requests/${carol.accountId}/authorize`;
  await alice.post(answer);
  const followed = await own();
  assert.deepEqual([followed.source.follow_requests_count, followed.followers_count], [0, 1]);
  const before = followed.statuses_count;
  await alice.post("/api/v1/statuses", { status: "one" });
  assert.equal((await own()).statuses_count, before + 1);
});

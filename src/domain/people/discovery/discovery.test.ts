// The directory and suggestions: which accounts, in which order, for whom; and dismissing.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { upsertRemoteAccount } from "../accounts/upsert-remote.ts";
import { setSetting } from "../../base/settings/settings.ts";

type Json = Record<string, unknown>;

let server: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
let remoteId: string;

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice");
  bob = await server.person("bob");
  carol = await server.person("carol");
  dave = await server.person("dave");
  remoteId = await upsertRemoteAccount(server.app.sql, {
    username: "remy",
    domain: "there.example",
    uri: "https://there.example/users/remy",
    url: "https://there.example/@remy",
    inbox_url: "https://there.example/users/remy/inbox",
    public_key: "none",
    key_id: null,
    fetched_at: new Date(),
  });
});

after(() => server?.close());

const sql = () => server.app.sql;

beforeEach(async () => {
  await server.write`DELETE FROM follows`;
  await server.write`TRUNCATE blocks, mutes, follow_requests, dismissed_suggestions`;
  await server.write`
    UPDATE accounts SET discoverable = true, suspended_at = NULL, silenced_at = NULL,
      moved_to_account_id = NULL, hide_collections = NULL, locked = false
  `;
  await server.write`UPDATE account_stats SET last_status_at = NULL, followers_count = 0`;
});

const act = async (by: Person, id: string, verb: string) => {
  await by.post(`/api/v1/accounts/${id}/${verb}`).ok();
};
const names = (accounts: { username: string }[]) => accounts.map((account) => account.username);
const directory = async (query = "", by: Person | null = null) =>
  names((await (by ?? server.visitor).get(`/api/v1/directory${query}`)).json);
const set = (id: string, values: object) =>
  server.write`UPDATE accounts SET ${sql()(values as never)} WHERE id = ${id}`;
const wrote = (person: Person, at: string) =>
  server.write`UPDATE account_stats SET last_status_at = ${at} WHERE account_id = ${person.accountId}`;

test("directory: who wrote last comes first, or who is newest; here or anywhere", async () => {
  await wrote(bob, "2026-01-02T10:00:00Z");
  await wrote(carol, "2026-01-02T11:00:00Z");
  await wrote(dave, "2026-01-01T12:00:00Z");
  const answer = await server.visitor.get("/api/v1/directory");
  for (const account of answer.json) assertEntity("Account", account);
  assert.deepEqual(names(answer.json).slice(0, 3), ["carol", "bob", "dave"]);
  assert.equal(answer.json.length, 5);
  assert.deepEqual(await directory("?order=new"), ["remy", "dave", "carol", "bob", "alice"]);
  assert.deepEqual(await directory("?order=new&local=true"), ["dave", "carol", "bob", "alice"]);
  assert.deepEqual(await directory("?local=1&limit=2&offset=1"), ["bob", "dave"]);
  assert.deepEqual(await directory("?limit=0"), []);
  assert.deepEqual(await directory("?offset=99999999"), []);
  for (const odd of ["?order=sideways", "?limit=x", "?offset=-1", "?limit=-1", "?local=%00"]) {
    const { status } = await server.visitor.get(`/api/v1/directory${odd}`);
    assert.ok([200, 422].includes(status), `${odd}: ${status}`);
  }
});

test("directory: only those who want to be found, in good standing", async () => {
  await set(alice.accountId, { discoverable: false });
  await set(bob.accountId, { discoverable: null });
  await set(carol.accountId, { suspended_at: new Date() });
  await set(dave.accountId, { silenced_at: new Date() });
  assert.deepEqual(await directory(), ["remy"]);
  await set(alice.accountId, { discoverable: true, moved_to_account_id: bob.accountId });
  assert.deepEqual(await directory(), ["remy"]);
  const pending = await server.person("pending", { confirmed: false });
  await set(pending.accountId, { discoverable: true });
  assert.deepEqual(await directory("?local=true"), []);
});

test("directory: for a viewer without those they blocked or muted, or who blocked them", async () => {
  await act(alice, bob.accountId, "block");
  await act(alice, carol.accountId, "mute");
  await act(dave, alice.accountId, "block");
  assert.deepEqual((await directory("?local=true", alice)).toSorted(), ["alice"]);
  assert.equal((await directory("?local=true")).length, 4);
});

test("directory: publicly cacheable without a user; 404 where it is switched off", async () => {
  assert.match(
    (await server.visitor.get("/api/v1/directory")).headers.get("cache-control")!,
    /public/,
  );
  assert.match((await alice.get("/api/v1/directory")).headers.get("cache-control")!, /private/);
  await setSetting(server.app, "profile_directory", false);
  assert.equal((await server.visitor.get("/api/v1/directory")).status, 404);
  await setSetting(server.app, "profile_directory", null);
});

const suggestions = async (by: Person, query = "") => {
  const json = await by.get(`/api/v2/suggestions${query}`).ok();
  return json as { source: string; sources: string[]; account: { username: string; id: string } }[];
};

/** alice follows bob and carol; both follow dave, bob remy too. */
const circle = async () => {
  await act(alice, bob.accountId, "follow");
  await act(alice, carol.accountId, "follow");
  await act(bob, dave.accountId, "follow");
  await act(carol, dave.accountId, "follow");
  await server.write`INSERT INTO follows (account_id, target_account_id) VALUES (${bob.accountId}, ${remoteId})`;
};

test("suggestions: friends of friends by weight, then the most followed", async () => {
  await circle();
  const shown = await suggestions(alice);
  for (const suggestion of shown) assertEntity("Suggestion", suggestion);
  assert.deepEqual(
    shown.map(({ account, source, sources }) => [account.username, source, sources]),
    [
      ["dave", "past_interactions", ["friends_of_friends", "most_followed"]],
      ["remy", "past_interactions", ["friends_of_friends"]],
    ],
  );
  const unconnected = await suggestions(dave);
  assert.deepEqual(unconnected[0]!.sources, ["most_followed"]);
  assert.equal(unconnected[0]!.source, "global");
  const older = await alice.get("/api/v1/suggestions");
  for (const account of older.json) assertEntity("Account", account);
  assert.deepEqual(names(older.json), ["dave", "remy"]);
  assert.match(older.headers.get("deprecation")!, /^@\d+$/);
  assert.deepEqual(names((await suggestions(alice, "?limit=1&offset=1")).map((s) => s.account)), [
    "remy",
  ]);
  assert.deepEqual(await suggestions(alice, "?limit=0"), []);
});

test("suggestions: who joined here of late and is followed by whom one follows comes first, and is marked", async () => {
  await circle();
  await act(bob, (await server.person("newcomer")).accountId, "follow");
  await server.write`
    UPDATE accounts SET discoverable = true, created_at = CASE username
      WHEN 'newcomer' THEN now() - interval '29 days' ELSE now() - interval '31 days' END`;
  const shown = (await suggestions(alice)) as { recently_joined?: true; account: Json }[];
  assert.deepEqual(
    shown.map(({ account, recently_joined: isNew }) => [account["username"], isNew]),
    [
      ["newcomer", true],
      ["dave", undefined],
      ["remy", undefined],
    ],
  );
  assert.equal((await suggestions(alice))[0]!.sources[0], "friends_of_friends");
  await server.write`UPDATE accounts SET discoverable = false WHERE username = 'newcomer'`;
  assert.equal((await suggestions(alice))[0]!.account.username, "dave");
});

test("suggestions: not who is followed, asked, blocked, muted, hidden, or does not want it", async () => {
  await circle();
  const of = async () => names((await suggestions(alice)).map((suggestion) => suggestion.account));
  await set(dave.accountId, { discoverable: false });
  assert.deepEqual(await of(), ["remy"]);
  await set(dave.accountId, { discoverable: true, locked: true });
  await act(alice, dave.accountId, "follow");
  assert.deepEqual(await of(), ["remy"]);
  await act(alice, dave.accountId, "unfollow");
  await act(alice, remoteId, "mute");
  assert.deepEqual(await of(), ["dave"]);
  await act(dave, alice.accountId, "block");
  assert.deepEqual(await of(), []);
});

test("suggestions: accounts that hide their follows are no source of suggestions", async () => {
  await circle();
  await set(bob.accountId, { hide_collections: true });
  const shown = await suggestions(alice);
  assert.deepEqual(
    shown.map(({ account }) => account.username),
    ["dave"],
  );
});

test("suggestions: who invited somebody comes first, discoverable or not", async () => {
  const [invite] = await server.write<{ id: string }[]>`
    INSERT INTO invites (account_id, code) VALUES (${bob.accountId}, 'from-bob') RETURNING id
  `;
  await server.write`UPDATE users SET invite_id = ${invite!.id} WHERE account_id = ${dave.accountId}`;
  await server.write`UPDATE accounts SET discoverable = false WHERE id = ${bob.accountId}`;
  const [first] = await suggestions(dave);
  assertEntity("Suggestion", first);
  assert.deepEqual([first!.account.username, first!.sources], ["bob", ["featured"]]);
  assert.ok(!names((await suggestions(carol)).map(({ account }) => account)).includes("bob"));
  await act(dave, bob.accountId, "follow");
  assert.ok(!names((await suggestions(dave)).map(({ account }) => account)).includes("bob"));
});

test("a dismissed suggestion never comes again", async () => {
  await circle();
  const path = `/api/v1/suggestions/${dave.accountId}`;
  for (let time = 0; time < 2; time += 1) {
    const { status, json } = await alice.delete(path);
    assert.deepEqual([status, json], [200, {}]);
  }
  assert.deepEqual(names((await suggestions(alice)).map((suggestion) => suggestion.account)), [
    "remy",
  ]);
  await act(carol, remoteId, "mute");
  assert.ok(
    (await suggestions(bob)).every((suggestion) => suggestion.account.id !== bob.accountId),
  );
  for (const id of ["1", "abc", "99999999999999999999"]) {
    assert.equal((await alice.delete(`/api/v1/suggestions/${id}`)).status, 404);
  }
  assert.equal((await server.visitor.delete(path)).status, 401);
  const token = await server.token(alice.userId, ["read"]);
  assert.equal((await server.as(token).delete(path)).status, 403);
  assert.equal((await server.visitor.get("/api/v2/suggestions")).status, 401);
});

test("the number of queries does not grow with the page", async () => {
  await circle();
  for (const path of ["/api/v1/directory", "/api/v2/suggestions"]) {
    const count = async (limit: number) =>
      (await server.countQueries(() => alice.get(`${path}?limit=${limit}`))).queries;
    await count(1);
    assert.equal(await count(1), await count(40), path);
  }
});

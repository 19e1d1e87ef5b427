// Profile, preferences, recommendations, notes and finding people with the client library masto.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createRestAPIClient, MastoHttpError } from "masto";
import type { mastodon } from "masto";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";

let server: TestApp;
let people: Record<"alice" | "bob" | "carol", Person>;
let alice: mastodon.rest.Client;
let bob: mastodon.rest.Client;

const rest = (accessToken?: string) =>
  createRestAPIClient({ url: server.url, ...(accessToken && { accessToken }) });

before(async () => {
  server = await startTestApp();
  people = {
    alice: await server.person("alice"),
    bob: await server.person("bob"),
    carol: await server.person("carol"),
  };
  alice = rest(people.alice.token);
  bob = rest(people.bob.token);
});
after(() => server?.close());

test("profile: reads, changes, removes the avatar", async () => {
  const before = await alice.v1.profile.fetch();
  assert.equal(before.avatar, null);
  const changed = await alice.v1.profile.update({ displayName: "Alice", note: "Hi #cats" });
  assert.deepEqual([changed.displayName, changed.note], ["Alice", "Hi #cats"]);
  const without = await alice.v1.profile.avatar.remove();
  assert.match(without.avatar, /missing/);
});

test("credentials and preferences", async () => {
  await alice.v1.accounts.updateCredentials({
    discoverable: true,
    fieldsAttributes: [{ name: "Pronouns", value: "she/her" }],
    source: { privacy: "unlisted", sensitive: true, language: "de" },
  });
  const preferences = await alice.v1.preferences.fetch();
  assert.equal(preferences["posting:default:visibility"], "unlisted");
  assert.equal(preferences["posting:default:language"], "de");
  const me = await alice.v1.accounts.verifyCredentials();
  assert.deepEqual(
    me.source.fields?.map(({ name, value }) => [name, value]),
    [["Pronouns", "she/her"]],
  );
});

test("notes, endorsements and familiar followers", async () => {
  const { accountId: id } = people.bob;
  const ofBob = alice.v1.accounts.$select(id);
  await assert.rejects(
    () => ofBob.pin(),
    (error) => error instanceof MastoHttpError && error.statusCode === 422,
  );
  await ofBob.follow({ reblogs: false, notify: true });
  assert.equal((await ofBob.pin()).endorsed, true);
  assert.equal((await ofBob.note.create({ comment: "met" })).note, "met");
  assert.deepEqual(
    (await alice.v1.endorsements.list()).map((account) => account.username),
    ["bob"],
  );
  await bob.v1.accounts.$select(people.carol.accountId).follow();
  // By the library's type it would be a list, sent as 0=…: the documented parameter is id.
  const query = { id: [people.carol.accountId] } as unknown as string[];
  const [familiar] = await alice.v1.accounts.familiarFollowers.fetch(query);
  assert.deepEqual(
    familiar?.accounts.map((account) => account.username),
    ["bob"],
  );
  const [relation] = await alice.v1.accounts.relationships.fetch({ id: [id] });
  assert.deepEqual([relation?.note, relation?.endorsed, relation?.notifying], ["met", true, true]);
});

test("directory and suggestions, with one dismissed for good", async () => {
  await rest(people.carol.token).v1.accounts.updateCredentials({ discoverable: true });
  const listed = await rest().v1.directory.list({ order: "new", local: true });
  assert.deepEqual(
    listed.map((account) => account.username),
    ["carol", "alice"],
  );
  const suggestions = await alice.v2.suggestions.list();
  assert.deepEqual(
    suggestions.map(({ account }) => account.username),
    ["carol"],
  );
  assert.equal((await alice.v1.suggestions.list()).length, 1);
  await alice.v1.suggestions.$select(people.carol.accountId).remove("");
  assert.deepEqual(await alice.v2.suggestions.list(), []);
});

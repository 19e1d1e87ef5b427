// Reading and changing accounts over real HTTP.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { renameAccount } from "./queries-lifecycle.ts";
import { upsertRemoteAccount } from "./upsert-remote.ts";

type Exchange = { name: string; request: { body?: unknown }; response: { json: any } };

const golden = JSON.parse(
  readFileSync(new URL("../../../../test/golden/rest.json", import.meta.url), "utf8"),
).exchanges as Exchange[];

let server: TestApp;
let alice: Person;
let bob: Person;
let remoteId: string;

before(async () => {
  server = await startTestApp();
  [alice, bob] = [await server.person("alice"), await server.person("bob")];
  remoteId = await upsertRemoteAccount(server.app.sql, {
    username: "Carla",
    domain: "there.example",
    uri: "https://there.example/users/carla",
    url: "https://there.example/@carla",
    inbox_url: "https://there.example/users/carla/inbox",
    public_key: "none",
    key_id: null,
    fetched_at: new Date(),
    display_name: "Carla of There",
  });
});

after(() => server.close());

const update = (person: Person, json: unknown, method = "PATCH") =>
  person.send(method, "/api/v1/accounts/update_credentials", json);

const setAccount = (id: string, column: string, value: unknown) =>
  server.write`UPDATE accounts SET ${server.app.sql({ [column]: value } as never)} WHERE id = ${id}`;

test("verify_credentials is the person's own account, with as many queries as ever", async () => {
  const path = "/api/v1/accounts/verify_credentials";
  await alice.get(path);
  const { result, queries } = await server.countQueries(() => alice.get(path));
  assert.equal(result.status, 200);
  assertEntity("CredentialAccount", result.json);
  assert.equal(result.json.username, "alice");
  assert.equal(result.json.source.privacy, "public");
  // One of them is for the settings, which a running server has cached.
  assert.ok(queries <= 5, `${queries} queries`);
  for (const member of Object.keys(
    golden.find((x) => x.name === "account/me-alice")!.response.json,
  )) {
    assert.ok(member in result.json, member);
  }
});

test("verify_credentials wants a person and one of three scopes", async () => {
  const path = "/api/v1/accounts/verify_credentials";
  assert.equal((await server.visitor.get(path)).status, 401);
  assert.equal((await server.as("unknown").get(path)).status, 401);
  assert.equal((await server.as(await server.token(null, ["read"])).get(path)).status, 422);
  assert.equal(
    (await server.as(await server.token(alice.userId, ["write"])).get(path)).status,
    403,
  );
  await server
    .as(await server.token(alice.userId, ["profile"]))
    .get(path)
    .ok();
});

test("update_credentials makes of the recorded input the recorded profile", async () => {
  const recorded = golden.find((x) => x.name === "account/update")!;
  const answer = await update(alice, recorded.request.body).ok();
  assertEntity("CredentialAccount", answer);
  const level = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll("https://mast.test", server.url));
  const expected = level(recorded.response.json);
  for (const member of ["display_name", "note", "fields", "bot", "discoverable", "indexable"]) {
    assert.deepEqual(answer[member], expected[member], member);
  }
  const { source } = answer;
  for (const [member, value] of Object.entries(expected.source)) {
    assert.deepEqual(source[member], value, member);
  }
  const preferences = await alice.get("/api/v1/preferences");
  assertEntity("Preferences", preferences.json);
  assert.equal(preferences.json["posting:default:visibility"], "unlisted");
  assert.equal(preferences.json["posting:default:language"], "en");
});

test("what is too long or unknown is a 422 that names it, and nothing changes", async () => {
  const refused = async (json: object, field: string, code: string) => {
    const answer = await update(bob, { display_name: "changed", ...json });
    assert.equal(answer.status, 422, field);
    assertEntity("ValidationError", answer.json);
    assert.equal(answer.json.details[field]?.[0].error, code, JSON.stringify(answer.json));
  };
  await refused({ display_name: "x".repeat(41) }, "display_name", "ERR_TOO_LONG");
  await refused({ note: "x".repeat(501) }, "note", "ERR_TOO_LONG");
  await refused(
    { fields_attributes: [{ name: "a", value: "x".repeat(256) }] },
    "fields",
    "ERR_TOO_LONG",
  );
  await refused({ fields_attributes: [{ name: "", value: "x" }] }, "fields", "ERR_BLANK");
  await refused({ source: { privacy: "secret" } }, "source[privacy]", "ERR_INCLUSION");
  await refused({ source: { language: "klingonese" } }, "language", "ERR_INCLUSION");
  await refused({ attribution_domains: ["no domain!"] }, "attribution_domains", "ERR_INVALID");
  await refused({ avatar: "data:image/png;base64,AAAA" }, "avatar", "ERR_INVALID");
  const after = await bob.get("/api/v1/accounts/verify_credentials");
  assert.equal(after.json.display_name, "");
});

test("500 characters are counted as those of a status are", async () => {
  const note = `${"x".repeat(470)} https://example.org/${"y".repeat(100)} @b@a.example`;
  await update(bob, { note }).ok();
  await update(bob, { note: "👩‍👩‍👧‍👦".repeat(500) }).ok();
  assert.equal((await update(bob, { note: "" })).json.note, "");
});

test("brackets, words for booleans and PUT mean the same as JSON", async () => {
  const form = new URLSearchParams({
    locked: "on",
    bot: "1",
    hide_collections: "true",
    "fields_attributes[0][name]": "Site",
    "fields_attributes[0][value]": "https://example.org",
    "fields_attributes[3][name]": "More",
    "fields_attributes[3][value]": "text",
    "source[sensitive]": "true",
    "source[quote_policy]": "followers",
    "attribution_domains[]": "https://Example.com/",
  });
  const answer = await bob.put("/api/v1/accounts/update_credentials", form).ok();
  assertEntity("CredentialAccount", answer);
  const { locked, bot, hide_collections: hidden, source } = answer;
  assert.deepEqual({ locked, bot, hidden }, { locked: true, bot: true, hidden: true });
  assert.deepEqual(
    source.fields.map((field: { name: string }) => field.name),
    ["Site", "More"],
  );
  assert.equal(source.sensitive, true);
  assert.equal(source.quote_policy, "followers");
  assert.equal(source.privacy, "private");
  assert.deepEqual(source.attribution_domains, ["example.com"]);
  const back = await update(bob, { locked: "false", bot: "f", hide_collections: null });
  assert.equal(back.json.locked, false);
  assert.equal(back.json.bot, false);
  assert.equal(back.json.hide_collections, null);
});

test("empty file parts are ignored, a picture is refused with a reason, four fields are stored", async () => {
  const form = new FormData();
  form.set("display_name", "Bob");
  form.set("avatar", new Blob([]), "blob");
  for (let index = 0; index < 6; index++) {
    form.set(`fields_attributes[${index}][name]`, `n${index}`);
    form.set(`fields_attributes[${index}][value]`, index === 1 ? "" : `v${index}`);
  }
  const path = "/api/v1/accounts/update_credentials";
  const answer = await bob.patch(path, form).ok();
  assert.equal(answer.display_name, "Bob");
  assert.equal(answer.source.fields.length, 4);
  form.set("avatar", new Blob(["picture"]), "blob.png");
  const refused = await bob.patch(path, form);
  assert.equal(refused.status, 422);
  assert.match(refused.json.error, /Avatar must be a picture/);
});

test("fields that are a single word are ignored", async () => {
  await update(bob, { fields_attributes: [{ name: "Site", value: "here" }] });
  for (const value of ["x", "", 0, true, null]) {
    const answer = await update(bob, { display_name: "Bob", fields_attributes: value });
    assert.equal(answer.status, 200, JSON.stringify(value));
    assert.equal(answer.json.source.fields.length, 1, JSON.stringify(value));
  }
  const form = { fields_attributes: "x" };
  const path = "/api/v1/accounts/update_credentials";
  await bob.patch(path, new URLSearchParams(form)).ok();
  assert.deepEqual((await update(bob, { fields_attributes: [] })).json.source.fields, []);
});

test("discoverable may be yes, no and not chosen", async () => {
  for (const discoverable of [true, false, null]) {
    assert.equal((await update(bob, { discoverable })).json.discoverable, discoverable);
  }
});

test("update_credentials wants write", async () => {
  const token = await server.token(bob.userId, ["read"]);
  const path = "/api/v1/accounts/update_credentials";
  assert.equal((await server.as(token).patch(path, {})).status, 403);
  assert.equal((await server.visitor.patch(path, {})).status, 401);
});

test("one account: anybody reads it, shared caches may keep it", async () => {
  const answer = await server.visitor.get(`/api/v1/accounts/${alice.accountId}`);
  assert.equal(answer.status, 200);
  assertEntity("Account", answer.json);
  assert.match(answer.headers.get("cache-control")!, /public/);
  const own = await alice.get(`/api/v1/accounts/${alice.accountId}`);
  assert.equal(own.headers.get("cache-control"), "private, no-store");
  for (const id of ["1", "abc", "99999999999999999999", "-5"]) {
    const missing = await server.visitor.get(`/api/v1/accounts/${id}`);
    assert.equal(missing.status, 404, id);
    assert.deepEqual(missing.json, { error: "Record not found" });
  }
  assert.equal(
    (
      await server
        .as(await server.token(bob.userId, ["write"]))
        .get(`/api/v1/accounts/${alice.accountId}`)
    ).status,
    403,
  );
});

test("suspended is 410 here and absent in lists; unconfirmed is as if it were not there", async () => {
  const gone = await server.person("gone");
  await setAccount(gone.accountId, "suspended_at", new Date());
  const answer = await server.visitor.get(`/api/v1/accounts/${gone.accountId}`);
  assert.equal(answer.status, 410);
  assert.deepEqual(Object.keys(answer.json), ["error"]);
  const lookup = await server.visitor.get("/api/v1/accounts/lookup?acct=gone");
  assert.equal(lookup.json.suspended, true);
  const pending = await server.person("pending", { confirmed: false });
  assert.equal((await server.visitor.get(`/api/v1/accounts/${pending.accountId}`)).status, 404);
  assert.equal((await server.visitor.get("/api/v1/accounts/lookup?acct=pending")).status, 404);
  const ids = [gone, pending, alice].map((person) => `id[]=${person.accountId}`).join("&");
  const several = await server.visitor.get(`/api/v1/accounts?${ids}&id[]=1&id[]=no`);
  assert.deepEqual(
    several.json.map((account: { id: string }) => account.id),
    [alice.accountId],
  );
  const many = Array.from({ length: 41 }, () => "id[]=1").join("&");
  assert.equal((await server.visitor.get(`/api/v1/accounts?${many}`)).status, 422);
});

test("lookup takes names, the local domain and remote handles, and fetches nothing without a user", async () => {
  const fetched: string[] = [];
  const before = server.app.remote.account;
  server.app.remote.account = async (handle) => {
    fetched.push(handle);
    return remoteId;
  };
  const { localDomain } = server.app.config.site;
  for (const acct of ["alice", "@ALICE", `alice@${localDomain}`]) {
    const answer = await server.visitor.get(
      `/api/v1/accounts/lookup?acct=${encodeURIComponent(acct)}`,
    );
    assert.equal(answer.json.id, alice.accountId, acct);
    assertEntity("Account", answer.json);
  }
  assert.equal(
    (await server.visitor.get("/api/v1/accounts/lookup?acct=carla@there.example")).json.id,
    remoteId,
  );
  for (const acct of ["", "nobody", "x@unknown.example", "a@b@c", "nobody@" + localDomain]) {
    const answer = await server.visitor.get(
      `/api/v1/accounts/lookup?acct=${encodeURIComponent(acct)}`,
    );
    assert.equal(answer.status, 404, acct);
  }
  assert.deepEqual(fetched, []);
  const answer = await alice.get("/api/v1/accounts/lookup?acct=x@unknown.example");
  assert.equal(answer.json.id, remoteId);
  assert.deepEqual(fetched, ["x@unknown.example"]);
  server.app.remote.account = before;
});

test("search: by part of a name, by handle, of the followed only, by offset", async () => {
  const names = async (query: string) => {
    const answer = await bob.get(`/api/v1/accounts/search?${query}`);
    assert.equal(answer.status, 200, query);
    for (const account of answer.json) assertEntity("Account", account);
    return answer.json.map((account: { acct: string }) => account.acct);
  };
  assert.deepEqual(await names("q=ali"), ["alice"]);
  assert.deepEqual(await names("q=of+th"), ["Carla@there.example"]);
  assert.deepEqual(await names("q=@carla@there.example"), ["Carla@there.example"]);
  assert.deepEqual(await names("q="), []);
  assert.deepEqual(await names("q=%25"), []);
  assert.deepEqual(await names("q=ali&following=true"), []);
  assert.deepEqual(await names("q=ali&offset=1"), []);
  assert.deepEqual(await names("q=gone"), []);
  await server.write`INSERT INTO follows (account_id, target_account_id) VALUES (${bob.accountId}, ${alice.accountId})`;
  assert.deepEqual(await names("q=ali&following=true"), ["alice"]);
  await server.write`DELETE FROM follows`;
  assert.equal((await bob.get("/api/v1/accounts/search?q=a&limit=-1")).status, 400);
  assert.equal((await server.visitor.get("/api/v1/accounts/search?q=a")).status, 401);
  assert.deepEqual((await bob.get("/api/v1/accounts/search")).json, []);
});

test("a handle leads to who has it now, however often it led to another", async () => {
  const { sql } = server.app;
  const lookUp = async (name: string): Promise<string | undefined> =>
    (await bob.get(`/api/v1/accounts/lookup?acct=${name}@there.example`)).json.id;
  const add = (username: string) =>
    upsertRemoteAccount(sql, {
      username,
      domain: "there.example",
      uri: `https://there.example/users/${username}`,
      url: `https://there.example/@${username}`,
      inbox_url: `https://there.example/users/${username}/inbox`,
      public_key: "none",
      key_id: null,
      fetched_at: new Date(),
      display_name: username,
    });
  const [first, second] = [await add("First"), await add("second")];
  for (const name of ["first", "FIRST", "first"]) assert.equal(await lookUp(name), first);
  await renameAccount(sql, first, "third");
  assert.equal(await lookUp("third"), first);
  assert.equal(await lookUp("first"), undefined);
  await renameAccount(sql, second, "first");
  for (const name of ["first", "first"]) assert.equal(await lookUp(name), second);
});

// One's own profile and preferences: reading, changing in every form that clients use; and identity proofs,
// which are always empty. Pictures are in pictures.test.ts.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, RequestOptions, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

let server: TestApp;
let alice: Person;

before(async () => {
  server = await startTestApp();
});
after(() => server?.close());

let people = 0;
beforeEach(async () => {
  alice = await server.person(`alice${(people += 1)}`);
});

const PROFILE = "/api/v1/profile";
const CREDENTIALS = "/api/v1/accounts/update_credentials";
const PREFERENCES = "/api/v1/preferences";

test("GET and PATCH /api/v1/profile: source text beside its HTML", async () => {
  const json = {
    display_name: "Alice",
    note: "I like #cats",
    fields_attributes: [{ name: "Site", value: "https://example.com" }],
    locked: true,
    bot: true,
    discoverable: true,
    hide_collections: true,
    indexable: true,
    show_media: false,
    show_media_replies: false,
    show_featured: false,
    attribution_domains: ["example.com"],
    avatar_description: "a face",
  };
  for (const method of ["PATCH", "PUT"]) {
    const answer = await alice.send(method, PROFILE, json).ok();
    assertEntity("Profile", answer);
  }
  await alice.post("/api/v1/featured_tags", { name: "cats" });
  const { json: profile } = await alice.get(PROFILE);
  assertEntity("Profile", profile);
  assert.deepEqual([profile.featured_tags.length, profile.featured_tags[0].name], [1, "cats"]);
  const { fields_attributes: _fields, ...rest } = json;
  assert.deepEqual({ ...profile, ...rest }, profile);
  assert.deepEqual(profile.fields, [
    { name: "Site", value: "https://example.com", verified_at: null },
  ]);
  assert.match(profile.formatted_note, /<a href=.*#<span>cats<\/span>/);
  assert.match(profile.formatted_fields[0].value, /<a href="https:\/\/example\.com"/);
  assert.equal(profile.avatar, null);
  const { json: shown } = await server.visitor.get(`/api/v1/accounts/${alice.accountId}`);
  assertEntity("Account", shown);
  assert.deepEqual(
    [shown.show_media, shown.show_media_replies, shown.show_featured, shown.hide_collections],
    [false, false, false, true],
  );
});

test("the profile needs a token with its scopes", async () => {
  for (const [method, path] of [
    ["GET", PROFILE],
    ["PATCH", PROFILE],
    ["DELETE", `${PROFILE}/avatar`],
    ["DELETE", `${PROFILE}/header`],
    ["PATCH", PREFERENCES],
  ] as const) {
    assert.equal((await server.visitor.send(method, path)).status, 401, path);
    const token = await server.token(alice.userId, ["write:statuses"]);
    assert.equal((await server.as(token).send(method, path)).status, 403, path);
    const app = await server.token(null, ["read", "write"]);
    assert.equal((await server.as(app).send(method, path)).status, 422, path);
  }
  const token = await server.token(alice.userId, ["profile"]);
  await server.as(token).get(PROFILE).ok();
  assert.equal((await server.as(token).patch(PROFILE, {})).status, 403);
});

/** The same change, as each kind of body. */
const BODIES: Record<string, RequestOptions> = {
  json: {
    json: {
      display_name: "A",
      bot: false,
      locked: true,
      fields_attributes: [
        { name: "one", value: "1" },
        { name: "two", value: "2" },
      ],
      source: { privacy: "private", sensitive: true, language: "de", quote_policy: "nobody" },
    },
  },
  "an indexed map": {
    json: {
      display_name: "A",
      bot: "0",
      locked: "on",
      fields_attributes: { 0: { name: "one", value: "1" }, 1: { name: "two", value: "2" } },
      source: { privacy: "private", sensitive: "1", language: "de", quote_policy: "nobody" },
    },
  },
  "a form": {
    form: {
      display_name: "A",
      bot: "false",
      locked: "true",
      "fields_attributes[0][name]": "one",
      "fields_attributes[0][value]": "1",
      "fields_attributes[1][name]": "two",
      "fields_attributes[1][value]": "2",
      "source[privacy]": "private",
      "source[sensitive]": "t",
      "source[language]": "de",
      "source[quote_policy]": "nobody",
    },
  },
};

const multipart = (): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(BODIES["a form"]!.form as Record<string, string>)) {
    form.append(name, value);
  }
  form.append("avatar", new Blob([]), "");
  form.append("header", new Blob([]), "");
  return form;
};

test("update_credentials as JSON, form and multipart, by PATCH and PUT: the same change", async () => {
  for (const [kind, body] of [
    ...Object.entries(BODIES),
    ["multipart", { multipart: multipart() }] as const,
  ]) {
    for (const method of ["PATCH", "PUT"]) {
      alice = await server.person(`alice${(people += 1)}`);
      const { status, json, text } = await server.request(method, CREDENTIALS, {
        token: alice.token,
        ...body,
      });
      assert.equal(status, 200, `${kind}: ${text}`);
      assertEntity("CredentialAccount", json);
      assert.deepEqual([json.display_name, json.bot, json.locked], ["A", false, true], kind);
      assert.deepEqual(
        json.source.fields.map((field: { name: string; value: string }) => [
          field.name,
          field.value,
        ]),
        [
          ["one", "1"],
          ["two", "2"],
        ],
      );
      const { privacy, sensitive, language, quote_policy: policy } = json.source;
      assert.deepEqual([privacy, sensitive, language, policy], ["private", true, "de", "nobody"]);
    }
  }
});

test("update_credentials: more than four fields are dropped, unknown words are a 422", async () => {
  const fields = Array.from({ length: 6 }, (_, n) => ({ name: `n${n}`, value: "v" }));
  const { json } = await alice.patch(CREDENTIALS, { fields_attributes: fields });
  assert.equal(json.source.fields.length, 4);
  for (const source of [
    { privacy: "everybody" },
    { quote_policy: "some" },
    { language: "zz-nowhere" },
    { time_zone: "Nowhere/Never" },
    { expand_media: "maybe" },
    { chosen_languages: ["de", "klingonese"] },
  ]) {
    const answer = await alice.patch(CREDENTIALS, { source });
    assert.equal(answer.status, 422, JSON.stringify(source));
    assertEntity("ValidationError", answer.json);
  }
  for (const path of [CREDENTIALS, PROFILE]) {
    const long = await alice.patch(path, { display_name: "x".repeat(41) });
    assert.equal(
      long.json.error,
      "Validation failed: Display name is too long (maximum is 40 characters)",
    );
    assertEntity("ValidationError", long.json);
  }
});

test("preferences: defaults, then what was chosen through either way", async () => {
  const { json: before } = await alice.get(PREFERENCES);
  assertEntity("Preferences", before);
  assert.deepEqual(
    [before["posting:default:visibility"], before["posting:default:language"], before.time_zone],
    ["public", "en", null],
  );
  await alice.patch(CREDENTIALS, {
    source: { privacy: "unlisted", language: "fr", time_zone: "europe/paris" },
  });
  const form = { "reading:expand:media": "hide_all", "reading:expand:spoilers": "1" };
  const changed = await alice.patch(PREFERENCES, new URLSearchParams(form)).ok();
  const { json: after } = await alice.get(PREFERENCES);
  assert.deepEqual(after, changed);
  assertEntity("Preferences", after);
  assert.deepEqual(after, {
    ...before,
    "posting:default:visibility": "unlisted",
    "posting:default:language": "fr",
    "reading:expand:media": "hide_all",
    "reading:expand:spoilers": true,
    time_zone: "Europe/Paris",
  });
  const { json: me } = await alice.get("/api/v1/accounts/verify_credentials");
  assert.deepEqual(
    [me.source.expand_media, me.source.time_zone, me.source.privacy],
    ["hide_all", "Europe/Paris", "unlisted"],
  );
});

test("preferences: quiet hours, kept as times of day, taken back and refused", async () => {
  const quiet = async (from: unknown, until: unknown) => {
    const json = { "notifying:quiet_from": from, "notifying:quiet_until": until };
    const answer = await alice.patch(PREFERENCES, json);
    const { json: kept } = await alice.get(PREFERENCES);
    if (answer.status !== 200) assert.match(answer.json.error, /Quiet until must be a time of day/);
    return [answer.status, kept["notifying:quiet_from"], kept["notifying:quiet_until"]];
  };
  assert.deepEqual(await quiet("22:30", "7:00"), [200, "22:30", "07:00"]);
  for (const wrong of ["25:00", "7", "7:60", "noon", "22:30:00"]) {
    assert.deepEqual(await quiet("21:00", wrong), [422, "22:30", "07:00"], wrong);
  }
  assert.deepEqual(await quiet("", null), [200, null, null]);
  const asked = { "accept-language": "en" };
  const { json } = await alice.patch(PREFERENCES, { "notifying:quiet_from": "noon" }, asked);
  assert.deepEqual(json.error_texts, { quiet_from: "Enter a time, such as 22:30." });
});

test("preferences: reading languages, stored as codes, and reset", async () => {
  const choose = async (value: unknown) => {
    const json = { "reading:languages": value };
    return (await alice.patch(PREFERENCES, json)).json["reading:languages"];
  };
  assert.equal((await alice.get(PREFERENCES)).json["reading:languages"], null);
  assert.deepEqual(await choose(["de-AT", "en", "de"]), ["de", "en"]);
  assert.equal(await choose([]), null);
  assert.deepEqual(await choose("fr"), ["fr"]);
  assert.equal(await choose(null), null);
});

test("preferences: the locale, which is also the language of posts where none is chosen", async () => {
  const { json } = await alice.patch(PREFERENCES, { locale: "pt-BR" });
  assert.deepEqual([json.locale, json["posting:default:language"]], ["pt-BR", "pt-BR"]);
  assert.equal((await alice.patch(PREFERENCES, { locale: "?!" })).status, 422);
  const { json: same } = await alice.patch(PREFERENCES, { locale: null });
  assert.equal(same.locale, "pt-BR");
});

test("preferences: null takes a choice back, garbage changes nothing", async () => {
  const json = { "posting:default:language": "fr", time_zone: "Europe/Paris" };
  await alice.patch(PREFERENCES, json);
  const cleared = { "posting:default:language": null, time_zone: null };
  const { json: after } = await alice.patch(PREFERENCES, cleared);
  assert.deepEqual([after["posting:default:language"], after.time_zone], ["en", null]);
  for (const value of ["x".repeat(100_000), "a\0b", ["x"], { a: 1 }, -1]) {
    for (const name of Object.keys(after)) {
      const { status } = await alice.patch(PREFERENCES, { [name]: value });
      assert.ok([200, 422].includes(status), `${name}: ${status}`);
    }
  }
});

test("a locked account posts to followers unless it says otherwise", async () => {
  await alice.patch(CREDENTIALS, { locked: true });
  const { json } = await alice.get(PREFERENCES);
  assert.equal(json["posting:default:visibility"], "private");
});

test("identity proofs: always empty, and need a user token", async () => {
  const path = `/api/v1/accounts/${alice.accountId}/identity_proofs`;
  const answer = await server.as(await server.token(alice.userId, ["write:statuses"])).get(path);
  assert.deepEqual([answer.status, answer.json], [200, []]);
  assert.match(answer.headers.get("deprecation")!, /^@\d+$/);
  assert.equal((await server.visitor.get(path)).status, 422);
  const app = await server.token(null, ["read"]);
  assert.equal((await server.as(app).get(path)).status, 422);
  assert.equal((await alice.get("/api/v1/accounts/1/identity_proofs")).status, 404);
});

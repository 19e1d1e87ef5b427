// The server's description of itself: exact members, true figures, caching, and the empty lists.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { setSetting } from "../../base/settings/settings.ts";
import { FIGURES_KEY, instanceFigures, PEERS_KEY } from "./figures.ts";
import { WEEKS_KEY, weekOf } from "./weeks.ts";

/** https://semver.org/#is-there-a-suggested-regular-expression-regex-to-check-a-semver-string, without pre-releases. */
const SEMVER = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*$/;
const PUBLIC_CACHE = "max-age=300, public, stale-while-revalidate=30, stale-if-error=86400";

let server: TestApp;
let alice: Person;
let bob: Person;

const remoteAccount = (name: string, domain: string, uri = `https://${domain}/users/${name}`) =>
  server.write`
    INSERT INTO accounts (username, domain, uri, url)
    VALUES (${name}, ${domain}, ${uri}, ${`https://${domain}/@${name}`})
  `;

const clearCaches = async () => {
  for (const key of [FIGURES_KEY, PEERS_KEY, WEEKS_KEY]) await server.app.kv.delete(key);
};

const write = (person: Person, visibility: string) =>
  person.post("/api/v1/statuses", { status: `hello (${visibility})`, visibility });

before(async () => {
  server = await startTestApp({
    env: { INSTANCE_TITLE: "Nest", INSTANCE_DESCRIPTION: "<b>Birds</b> & type" },
  });
  alice = await server.person("alice", { role: "Owner" });
  bob = await server.person("bob");
  await server.person("waiting", { confirmed: false });
});

after(() => server.close());

test("v1 and v2 have every member, and name the owner as contact", async () => {
  const v1 = await server.visitor.get("/api/v1/instance");
  assertEntity("V1_Instance", v1.json);
  assert.equal(v1.headers.get("cache-control"), PUBLIC_CACHE);
  assert.equal(v1.headers.get("access-control-allow-origin"), "*");
  assert.equal(v1.json.uri, server.app.config.site.localDomain);
  assert.match(v1.json.version, SEMVER);
  assert.match(v1.json.version, /^4\.\d+\.\d+\+rookery\.\d/);
  const v2 = await server.visitor.get("/api/v2/instance");
  assertEntity("Instance", v2.json);
  assert.equal(v2.json.version, v1.json.version);
  assert.equal(v2.json.title, "Nest");
  assert.equal(v2.json.description, "<b>Birds</b> & type");
  assert.equal(v2.json.contact.account.id, alice.accountId);
  assert.equal(v2.json.configuration.urls.streaming, server.app.config.site.streamingOrigin);
  assert.equal(v2.json.configuration.vapid.public_key, server.app.config.secrets.vapid.publicKey);
});

test("the API's level promises nothing that is not answered", async () => {
  const { json } = await server.visitor.get("/api/v2/instance");
  assert.equal(json.api_versions.mastodon, 11);
  assert.match(json.version, /^4\.6\./);
  const reads = ["/api/v2/notifications", "/api/v1/profile", "/api/v1/async_refreshes/x"];
  const answers = [200, 200, 404];
  for (const [at, path] of reads.entries()) {
    assert.equal((await alice.get(path)).status, answers[at], path);
  }
  const creations = [
    ["/api/v2/filters", { title: "x", context: ["home"], filter_action: "blur" }],
    ["/api/v1/collections", { name: "Birds" }],
  ] as const;
  for (const [path, body] of creations) {
    await alice.post(path, body).ok();
  }
});

test("the pictures that it names exist", async () => {
  const { json } = await server.visitor.get("/api/v2/instance");
  const urls = [json.thumbnail.url, ...json.icon.map((icon: { src: string }) => icon.src)];
  for (const url of [
    ...urls,
    `${server.url}/avatars/missing.png`,
    `${server.url}/headers/missing.png`,
  ]) {
    const answer = await fetch(url);
    assert.equal(answer.status, 200, url);
    assert.equal(answer.headers.get("content-type"), "image/png");
    assert.match(answer.headers.get("cache-control") ?? "", /^public, max-age=\d{3,}/);
    assert.equal(answer.headers.get("access-control-allow-origin"), "*");
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  }
});

test("settings show at once, in both versions", async () => {
  const { app } = server;
  const [closed] = [await server.visitor.get("/api/v2/instance")];
  assert.deepEqual(closed.json.registrations.enabled, false);
  await setSetting(app, "registrations", "approved");
  await setSetting(app, "title", "Renamed");
  const v2 = (await server.visitor.get("/api/v2/instance")).json;
  const v1 = (await server.visitor.get("/api/v1/instance")).json;
  assert.deepEqual(
    [v2.title, v2.registrations.enabled, v2.registrations.approval_required],
    ["Renamed", true, true],
  );
  assert.deepEqual([v1.title, v1.registrations, v1.approval_required], ["Renamed", true, true]);
  await setSetting(app, "title", null);
  await setSetting(app, "registrations", null);
  assert.equal((await server.visitor.get("/api/v2/instance")).json.title, "Nest");
});

test("figures: confirmed people, local posts, other servers once each; cached for a while", async () => {
  await clearCaches();
  await Promise.all([remoteAccount("a", "one.example"), remoteAccount("b", "two.example")]);
  await remoteAccount("c", "one.example");
  await write(alice, "public");
  await write(alice, "private");
  const { json } = await server.visitor.get("/api/v1/instance");
  assert.deepEqual(json.stats, { user_count: 2, status_count: 2, domain_count: 2 });
  const peers = await server.visitor.get("/api/v1/instance/peers");
  assert.deepEqual(peers.json, ["one.example", "two.example"]);
  await remoteAccount("d", "three.example");
  const again = await server.visitor.get("/api/v1/instance");
  assert.equal(again.json.stats.domain_count, 2);
});

test("concurrent requests count the figures once", async () => {
  await clearCaches();
  const { queries } = await server.countQueries(() =>
    Promise.all(Array.from({ length: 20 }, () => instanceFigures(server.app))),
  );
  assert.equal(queries, 2);
});

test("people count as active for 30 and 180 days after they were last here", async () => {
  const at = (days: number) => new Date(Date.now() - days * 86_400_000);
  await server.write`UPDATE users SET last_active_at = ${at(29)} WHERE id = ${alice.userId}`;
  await server.write`UPDATE users SET last_active_at = ${at(31)} WHERE id = ${bob.userId}`;
  await clearCaches();
  const figures = await instanceFigures(server.app);
  assert.deepEqual([figures.activeMonth, figures.activeHalfyear], [1, 2]);
  await server.write`UPDATE users SET last_active_at = ${at(181)} WHERE id = ${bob.userId}`;
  await clearCaches();
  assert.equal((await instanceFigures(server.app)).activeHalfyear, 1);
});

test("a request with a person's token notes that the person is here, once an hour", async () => {
  const carol = await server.person("carol");
  const lastActive = async () => {
    const [row] = await server.app.sql<{ last_active_at: Date | null }[]>`
      SELECT last_active_at FROM users WHERE id = ${carol.userId}
    `;
    return row!.last_active_at;
  };
  await carol.get("/api/v1/lists");
  for (let i = 0; i < 100 && (await lastActive()) === null; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const first = await lastActive();
  assert.ok(first !== null && Date.now() - first.getTime() < 10_000);
  await carol.get("/api/v1/lists");
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual(await lastActive(), first);
});

test("activity: twelve weeks as strings, newest first; private and direct posts are left out", async () => {
  await write(alice, "unlisted");
  await write(alice, "direct");
  await clearCaches();
  const thisWeek = () => String(weekOf(new Date()).getTime() / 1000);
  const earlier = thisWeek();
  const { json, headers } = await server.visitor.get("/api/v1/instance/activity");
  assert.equal(headers.get("cache-control"), PUBLIC_CACHE);
  assert.equal(json.length, 12);
  for (const week of json) assertEntity("InstanceActivity", week);
  assert.ok([earlier, thisWeek()].includes(json[0].week));
  assert.equal(Number(json[0].week) - Number(json[11].week), 11 * 604_800);
  assert.equal(new Date(Number(json[0].week) * 1000).getUTCDay(), 1);
  // The week may have begun since the test did.
  const lately = (name: string) => Number(json[0][name]) + Number(json[1][name]);
  assert.equal(lately("statuses"), 2);
  assert.ok(lately("logins") >= 1);
  assert.equal(lately("registrations"), 3);
  assert.equal(json[2].registrations, "0");
});

test("the small documents", async () => {
  const get = async (path: string) => {
    const answer = await server.visitor.get(path);
    assert.equal(answer.status, 200, path);
    assert.equal(answer.headers.get("cache-control"), PUBLIC_CACHE, path);
    return answer.json;
  };
  assert.deepEqual(await get("/api/v1/instance/rules"), []);
  assert.deepEqual(await get("/api/v1/custom_emojis"), []);
  assert.deepEqual(await get("/api/v1/instance/translation_languages"), {});
  assert.deepEqual(await get("/api/v1/instance/extended_description"), {
    updated_at: null,
    content: "",
  });
  assertEntity("PrivacyPolicy", await get("/api/v1/instance/privacy_policy"));
  const languages = await get("/api/v1/instance/languages");
  for (const language of languages) assertEntity("Language", language);
  assert.deepEqual(languages[0], { code: "aa", name: "Afar" });
  const headers = { "accept-language": "de-AT, en;q=0.5" };
  const { json } = await server.request("GET", "/api/v1/instance/languages", { headers });
  assert.deepEqual(json[1], { code: "ab", name: "Abchasisch" });
  assert.equal(new Set(json.map(({ name }: { name: string }) => name)).size, languages.length);
});

test("the list of blocked servers is shown as the setting says", async () => {
  const path = "/api/v1/instance/domain_blocks";
  const status = async (token: string | null) => (await server.as(token).get(path)).status;
  assert.equal(await status(alice.token), 404);
  await setSetting(server.app, "show_domain_blocks", "users");
  assert.deepEqual([await status(null), await status(alice.token)], [404, 200]);
  await setSetting(server.app, "show_domain_blocks", "all");
  assert.equal(await status(null), 200);
});

test("identity is shown with any token; the rest refuses suspended people", async () => {
  const gone = await server.person("gone");
  await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${gone.accountId}`;
  const status = async (path: string) => (await gone.get(path)).status;
  assert.equal(await status("/api/v1/instance"), 200);
  assert.equal(await status("/api/v2/instance"), 200);
  assert.equal(await status("/api/v1/instance/peers"), 200);
  assert.equal(await status("/api/v1/instance/activity"), 403);
  assert.equal(await status("/api/v1/custom_emojis"), 403);
});

test("health: text for probes, the entity for those who want JSON", async () => {
  const text = await server.visitor.get("/health", { accept: "*/*" });
  assert.deepEqual([text.status, text.text], [200, "OK"]);
  assert.equal(text.headers.get("content-type"), "text/plain; charset=utf-8");
  const json = await server.visitor.get("/health", { accept: "application/json" });
  assertEntity("Health", json.json);
});

test("lists that nothing fills yet: empty with the right scope, 401 and 403 without", async () => {
  const scoped: Record<string, string> = {
    "/api/v1/followed_tags": "read:follows",
    "/api/v1/lists": "read:lists",
    "/api/v1/filters": "read:filters",
    "/api/v2/filters": "read:filters",
    "/api/v1/conversations": "read:statuses",
    "/api/v1/suggestions": "read:accounts",
    "/api/v2/suggestions": "read:accounts",
    "/api/v1/endorsements": "read:accounts",
    "/api/v1/featured_tags": "read:accounts",
    "/api/v1/featured_tags/suggestions": "read:accounts",
    "/api/v1/scheduled_statuses": "read:statuses",
    "/api/v1/domain_blocks": "read:blocks",
    "/api/v1/markers": "read:statuses",
  };
  const wrong = await server.token(bob.userId, ["write"]);
  for (const [path, scope] of Object.entries(scoped)) {
    const token = await server.token(bob.userId, [scope]);
    const right = await server.as(token).get(path);
    assert.deepEqual(right.json, path.endsWith("markers") ? {} : [], path);
    assert.equal(right.headers.get("cache-control"), "private, no-store");
    const none = await server.visitor.get(path);
    assert.deepEqual([none.status, none.json], [401, { error: "The access token is invalid" }]);
    assert.equal((await server.as(wrong).get(path)).status, 403, path);
  }
});

test("trends are open to all; announcements want a person and no scope", async () => {
  for (const path of ["", "/tags", "/statuses", "/links"]) {
    const answer = await server.visitor.get(`/api/v1/trends${path}`);
    assert.deepEqual([answer.status, answer.json], [200, []]);
    assert.match(answer.headers.get("cache-control") ?? "", /public/);
  }
  const path = "/api/v1/announcements";
  const narrow = await server.token(bob.userId, ["write:media"]);
  assert.deepEqual((await server.as(narrow).get(path)).json, []);
  assert.equal((await server.visitor.get(path)).status, 422);
  const app = await server.token(null, ["read"]);
  assert.equal((await server.as(app).get(path)).status, 422);
});

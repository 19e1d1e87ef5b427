// Rules, terms, policy, description, domain blocks, what can be switched off, and a closed API.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { addRule, removeRule, translateRule } from "../../base/rules/rules.ts";
import { definitionOf } from "../../base/settings/definitions.ts";
import { setSetting } from "../../base/settings/settings.ts";
import { publishTerms } from "./terms.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";

const PUBLIC_CACHE = "max-age=300, public, stale-while-revalidate=30, stale-if-error=86400";

let server: TestApp;
let alice: Person;
/** Not over yet. */
const YEAR = new Date().getUTCFullYear() + 1;
const START = new Date(`${YEAR}-11-21T12:00:00Z`);
let now = START;

before(async () => {
  server = await startTestApp({ clock: { now: () => now } });
  alice = await server.person("alice", { role: "Owner" });
});
after(() => server.close());

const page = (path: string) => server.visitor.get(path, { accept: "text/html" });

describe("rules", () => {
  test("are shown everywhere, in order, with their translations", async () => {
    const first = await addRule(server.app.sql, { text: "Be kind", hint: "To all" });
    const second = await addRule(server.app.sql, { text: "No <spam>", hint: "" });
    await translateRule(server.app.sql, first, "de", { text: "Sei nett", hint: "Zu allen" });
    const { json, headers } = await server.visitor.get("/api/v1/instance/rules");
    for (const rule of json) assertEntity("Rule", rule);
    assert.equal(headers.get("cache-control"), PUBLIC_CACHE);
    assert.deepEqual(json, [
      {
        id: first,
        text: "Be kind",
        hint: "To all",
        translations: { de: { text: "Sei nett", hint: "Zu allen" } },
      },
      { id: second, text: "No <spam>", hint: "", translations: {} },
    ]);
    assert.deepEqual((await server.visitor.get("/api/v2/instance")).json.rules, json);
    assert.deepEqual((await server.visitor.get("/api/v1/instance")).json.rules, json);
    const about = await page("/about");
    assert.match(about.text, /No &lt;spam>/);
    await removeRule(server.app, server.app.sql, first);
    assert.deepEqual((await server.visitor.get("/api/v1/instance/rules")).json, [json[1]]);
    await assert.rejects(removeRule(server.app, server.app.sql, first), /no rule/);
  });
});

describe("terms of service", () => {
  test("are a 404 until there are some", async () => {
    assert.equal((await server.visitor.get("/api/v1/instance/terms_of_service")).status, 404);
    assert.equal(
      (await server.visitor.get(`/api/v1/instance/terms_of_service/${YEAR}-01-01`)).status,
      404,
    );
    assert.equal(
      (await server.visitor.get("/api/v2/instance")).json.configuration.urls.terms_of_service,
      null,
    );
    assert.equal((await page("/terms-of-service")).status, 404);
  });

  test("hold from their day on, and older and later ones are found by it", async () => {
    await publishTerms(server.app, COMMAND_LINE, `${YEAR}-01-31`, "Be kind.\n\nAlways.");
    await publishTerms(
      server.app,
      COMMAND_LINE,
      `${YEAR + 1}-01-31`,
      "<p>Be kinder</p><script>alert(1)</script>",
    );
    const current = await server.visitor.get("/api/v1/instance/terms_of_service");
    assertEntity("TermsOfService", current.json);
    assert.deepEqual(current.json, {
      effective_date: `${YEAR}-01-31`,
      effective: true,
      content: "<p>Be kind.</p><p>Always.</p>",
      succeeded_by: `${YEAR + 1}-01-31`,
    });
    const later = await server.visitor.get(`/api/v1/instance/terms_of_service/${YEAR + 1}-01-31`);
    assert.deepEqual(later.json, {
      effective_date: `${YEAR + 1}-01-31`,
      effective: false,
      content: "<p>Be kinder</p>",
      succeeded_by: null,
    });
    for (const date of [`${YEAR}-02-01`, "x", `${YEAR}-13-01`]) {
      assert.equal(
        (await server.visitor.get(`/api/v1/instance/terms_of_service/${date}`)).status,
        404,
        date,
      );
    }
    now = new Date(`${YEAR + 1}-02-01T00:00:00Z`);
    assert.equal(
      (await server.visitor.get("/api/v1/instance/terms_of_service")).json.effective_date,
      `${YEAR + 1}-01-31`,
    );
    now = START;
    const { json } = await server.visitor.get("/api/v2/instance");
    assert.equal(json.configuration.urls.terms_of_service, `${server.url}/terms-of-service`);
    assert.match((await page("/terms-of-service")).text, /Be kind\./);
    assert.match((await page("/terms-of-service")).text, /A new version takes effect on/);
    const next = await page(`/terms-of-service/${YEAR + 1}-01-31`);
    assert.match(next.text, /Takes effect on[^]*Be kinder/);
    assert.match((await page("/about")).text, /href="\/terms-of-service"/);
    for (const day of ["tomorrow", `${YEAR}-02-30`, "26-01-01"]) {
      await assert.rejects(publishTerms(server.app, COMMAND_LINE, day, "x"), /isn’t a date/);
    }
  });
});

describe("texts and names of an administrator", () => {
  test("stand in for those that come with the software", async () => {
    const none = await server.visitor.get("/api/v1/instance/extended_description");
    assert.deepEqual(none.json, { updated_at: null, content: "" });
    const set = (name: "extended_description" | "privacy_policy", text: string) =>
      setSetting(server.app, name, definitionOf(name).parse(text, now, server.app.config) as never);
    await set("extended_description", "We like birds.");
    await set("privacy_policy", "<h2>Ours</h2><p onclick='x'>Nothing is kept</p>");
    const own = await server.visitor.get("/api/v1/instance/extended_description");
    assertEntity("ExtendedDescription", own.json);
    assert.deepEqual(own.json, {
      updated_at: now.toISOString(),
      content: "<p>We like birds.</p>",
    });
    const policy = await server.visitor.get("/api/v1/instance/privacy_policy");
    assertEntity("PrivacyPolicy", policy.json);
    assert.match(policy.json.content, /Nothing is kept/);
    assert.doesNotMatch(policy.json.content, /onclick/);
    assert.match((await page("/about")).text, /We like birds/);
    assert.match((await page("/privacy-policy")).text, /Nothing is kept/);
    await setSetting(server.app, "privacy_policy", null);
    assert.match(
      (await server.visitor.get("/api/v1/instance/privacy_policy")).json.content,
      /What we store/,
    );
  });

  test("name the contact, the banner and the page about the server's state", async () => {
    await server.person("bob");
    await setSetting(server.app, "contact_account", "bob");
    await setSetting(server.app, "thumbnail_url", "https://example.com/banner.png");
    await setSetting(server.app, "thumbnail_description", "A rookery");
    await setSetting(server.app, "status_page_url", "https://status.example.com/");
    const { json } = await server.visitor.get("/api/v2/instance");
    assertEntity("Instance", json);
    assert.equal(json.contact.account.username, "bob");
    assert.deepEqual(json.thumbnail, {
      url: "https://example.com/banner.png",
      description: "A rookery",
    });
    assert.equal(json.configuration.urls.status, "https://status.example.com/");
    assert.equal(
      (await server.visitor.get("/api/v1/instance")).json.thumbnail,
      "https://example.com/banner.png",
    );
    await setSetting(server.app, "contact_account", "nobody");
    assert.equal(
      (await server.visitor.get("/api/v2/instance")).json.contact.account.username,
      "alice",
    );
  });

  test("are checked before they are stored", () => {
    assert.throws(() => definitionOf("nonsense"), /no setting "nonsense"/);
    assert.throws(() => definitionOf("instance_actor_keys"), /no setting/);
    assert.throws(() => definitionOf("owner_setup"), /no setting/);
    for (const [name, text] of [
      ["registrations", "maybe"],
      ["peers_api", "1"],
      ["status_page_url", "javascript:alert(1)"],
      ["contact_email", "us@x"],
      ["title", "x".repeat(2000)],
    ] as const) {
      assert.throws(() => definitionOf(name).parse(text, now, server.app.config), name);
    }
    assert.equal(definitionOf("peers_api").parse("false", now, server.app.config), false);
  });
});

describe("what can be switched off", () => {
  test("peers and activity are a 404 then", async () => {
    for (const [name, paths] of [
      ["peers_api", ["v1/instance/peers", "v1/peers/search?q=a"]],
      ["activity_api", ["v1/instance/activity"]],
    ] as const) {
      for (const path of paths)
        assert.equal((await server.visitor.get(`/api/${path}`)).status, 200, path);
      await setSetting(server.app, name, false);
      for (const path of paths)
        assert.equal((await server.visitor.get(`/api/${path}`)).status, 404, path);
      await setSetting(server.app, name, null);
    }
  });

  test("blocked servers are shown to nobody, to users, or to all; reasons likewise", async () => {
    const path = "v1/instance/domain_blocks";
    await server.write`
      INSERT INTO domain_blocks (domain, severity, public_comment, obfuscate) VALUES
        ('spam.example', 'suspend', 'spam', false), ('quiet.example', 'silence', null, true),
        ('noted.example', 'noop', null, false)
    `;
    const ask = async (list: "disabled" | "users" | "all", reasons: typeof list) => {
      await setSetting(server.app, "show_domain_blocks", list);
      await setSetting(server.app, "show_domain_blocks_rationale", reasons);
      return [await server.visitor.get(`/api/${path}`), await alice.get(`/api/${path}`)];
    };
    const off = await ask("disabled", "all");
    assert.deepEqual(
      off.map((answer) => answer.status),
      [404, 404],
    );
    const [nobody, person] = await ask("users", "users");
    assert.deepEqual([nobody!.status, person!.status], [404, 200]);
    assert.equal(person!.headers.get("cache-control"), "private, no-store");
    assert.equal(person!.json[0].comment, "spam");
    const [all, signedIn] = await ask("all", "users");
    assert.deepEqual([all!.json[0].comment, signedIn!.json[0].comment], [null, "spam"]);
    assert.equal(all!.headers.get("cache-control"), "private, no-store");
    const [shared] = await ask("all", "all");
    assert.equal(shared!.headers.get("cache-control"), PUBLIC_CACHE);
    for (const block of shared!.json) assertEntity("DomainBlock", block);
    assert.deepEqual(
      shared!.json.map((block: { domain: string; severity: string }) => [
        block.domain,
        block.severity,
      ]),
      [
        ["spam.example", "suspend"],
        ["qui**.****ple", "silence"],
      ],
    );
  });
});

describe("DISALLOW_UNAUTHENTICATED_API_ACCESS", () => {
  let closed: TestApp;
  let person: Person;
  before(async () => {
    closed = await startTestApp({ env: { DISALLOW_UNAUTHENTICATED_API_ACCESS: "true" } });
    person = await closed.person("alice");
    await setSetting(closed.app, "show_domain_blocks", "all");
  });
  after(() => closed.close());

  test("answers people alone, whatever is asked", async () => {
    const app = await closed.token(null, ["read"]);
    for (const path of [
      "/api/v1/timelines/public",
      `/api/v1/accounts/${person.accountId}`,
      `/api/v1/accounts/${person.accountId}/statuses`,
      "/api/v1/custom_emojis",
      "/api/v1/instance/domain_blocks",
      "/api/v1/instance/peers",
      "/api/v1/instance/activity",
      "/api/v1/instance/languages",
      "/api/v1/instance/privacy_policy",
      "/api/v1/peers/search?q=a",
      "/api/v1/directory",
      "/api/v1/trends/tags",
    ]) {
      assert.equal((await closed.visitor.get(path)).status, 401, path);
      assert.equal((await closed.as(app).get(path)).status, 422, path);
      await person.get(path).ok();
      const { headers } = await person.get(path);
      assert.equal(headers.get("cache-control"), "private, no-store", path);
      assert.equal(headers.get("etag"), null, path);
    }
  });

  test("lets no shared cache store what needs a user", async () => {
    for (const path of ["/api/v1/custom_emojis", "/api/v1/instance/domain_blocks"]) {
      const { headers } = await person.get(path);
      assert.equal(headers.get("cache-control"), "private, no-store", path);
      assert.equal(
        (await server.visitor.get(`/api/${path.slice(5)}`)).headers.get("cache-control"),
        PUBLIC_CACHE,
        path,
      );
    }
  });

  test("still says who the server is, takes apps, embeds, shows pages and documents", async () => {
    for (const path of [
      "/api/v1/instance",
      "/api/v2/instance",
      "/api/v1/instance/rules",
      "/api/v1/instance/extended_description",
      "/@alice",
      "/users/alice",
      "/health",
    ]) {
      await closed.visitor.get(path).ok();
    }
    assert.equal((await closed.visitor.get("/api/oembed?url=x")).status, 404);
    const json = { client_name: "x", redirect_uris: "urn:ietf:wg:oauth:2.0:oob" };
    await closed.visitor.post("/api/v1/apps", json).ok();
    const { timelines_access: access } = (await closed.visitor.get("/api/v2/instance")).json
      .configuration;
    assert.equal(access.live_feeds.local, "authenticated");
  });
});

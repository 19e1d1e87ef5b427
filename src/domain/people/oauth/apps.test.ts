// Registering apps over real HTTP, and what an app learns about the server and itself.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { nextNoon } from "../../../../test/clocks/noon.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";

const OOB = "urn:ietf:wg:oauth:2.0:oob";

let t: TestApp;
let alice: Person;
let addresses = 0;
let now = nextNoon();

const register = async (form: Record<string, unknown> = {}) => {
  // Each registration from another IP address: the limit has its own test.
  addresses += 1;
  const headers = { "x-forwarded-for": `198.51.100.${addresses}` };
  const json = { client_name: "App", redirect_uris: OOB, scopes: "read write", ...form };
  return t.visitor.post("/api/v1/apps", json, headers);
};

before(async () => {
  t = await startTestApp({ clock: { now: () => now }, env: { RATE_LIMITS: "true" } });
  alice = await t.person("alice");
});
after(() => t.close());

describe("apps", () => {
  test("come as JSON, form, multipart and query, with one or several addresses", async () => {
    const fields = { client_name: "X", redirect_uris: `${OOB}\ncom.x:/cb`, scopes: "read follow" };
    const multipart = new FormData();
    for (const [name, value] of Object.entries(fields)) multipart.set(name, value);
    const answers = [
      await t.visitor.post("/api/v1/apps", new URLSearchParams(fields), {
        "x-forwarded-for": "192.0.2.1",
      }),
      await t.visitor.post("/api/v1/apps", multipart, { "x-forwarded-for": "192.0.2.2" }),
      await t.visitor.post(`/api/v1/apps?${new URLSearchParams(fields)}`, undefined, {
        "x-forwarded-for": "192.0.2.3",
      }),
      await register({ ...fields, redirect_uris: [OOB, "com.x:/cb"] }),
    ];
    for (const { status, json } of answers) {
      assert.equal(status, 200);
      assert.deepEqual(json.redirect_uris, [OOB, "com.x:/cb"]);
      assert.equal(json.redirect_uri, `${OOB}\ncom.x:/cb`);
      assert.deepEqual(json.scopes, ["read", "follow"]);
      assert.equal(json.website, null);
      assert.equal(json.client_secret_expires_at, 0);
      assert.match(json.vapid_key, /^[\w-]{80,}/);
    }
  });

  test("are refused with a sentence", async () => {
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ client_name: "" }, /Application name can't be blank/],
      [
        { client_name: "x".repeat(61) },
        /Application name is too long \(maximum is 60 characters\)/,
      ],
      [{ redirect_uris: "" }, /Redirect URI can't be blank/],
      [{ redirect_uris: "javascript:alert(1)" }, /Redirect URI must be an absolute URI/],
      [{ redirect_uris: `${OOB} /relative` }, /Redirect URI must be an absolute URI/],
      [{ redirect_uris: `a:/${"x".repeat(2000)}` }, /Redirect URI is too long/],
      [{ scopes: "everything" }, /Scopes/],
      [{ website: "javascript:x" }, /website is not a valid URL/],
      [{ website: `https://x.example/${"x".repeat(2000)}` }, /website is too long/],
      [{ client_name: { a: 1 } }, /Validation failed/],
      [{ client_name: "a\0b" }, /Validation failed/],
    ];
    for (const [form, message] of cases) {
      const { status, json } = await register(form);
      assert.equal(status, 422, JSON.stringify(form));
      assert.match(json.error, message);
    }
  });

  test("five in ten minutes from one address", async () => {
    const json = { client_name: "X", redirect_uris: OOB };
    const headers = { "x-forwarded-for": "2001:db8:1:2::1" };
    const neighbour = { "x-forwarded-for": "2001:db8:1:2:ffff::2" };
    for (let index = 0; index < 5; index += 1) {
      await t.visitor.post("/api/v1/apps", json, headers).ok();
    }
    const refused = await t.visitor.post("/api/v1/apps", json, neighbour);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get("x-ratelimit-limit"), "5");
    now = new Date(now.getTime() + 660_000);
    await t.visitor.post("/api/v1/apps", json, headers).ok();
  });

  test("know themselves by any token, with any scope", async () => {
    const { client_id, client_secret, id } = (await register()).json;
    const grant = { grant_type: "client_credentials", client_id, client_secret };
    const { json } = await t.visitor.post("/oauth/token", grant);
    const answer = await t.as(json.access_token).get("/api/v1/apps/verify_credentials").ok();
    assert.equal(answer.id, id);
    assert.equal(answer.client_secret, undefined);
    await alice.get("/api/v1/apps/verify_credentials").ok();
    assert.equal((await t.visitor.get("/api/v1/apps/verify_credentials")).status, 401);
  });
});

test("the metadata document names what there is", async () => {
  const json = await t.visitor.get("/.well-known/oauth-authorization-server").ok();
  assert.equal(json.issuer, `${t.url}/`);
  assert.deepEqual(json.code_challenge_methods_supported, ["S256"]);
  assert.deepEqual(json.grant_types_supported, ["authorization_code", "client_credentials"]);
  assert.ok(json.scopes_supported.includes("admin:write:ip_blocks"));
});

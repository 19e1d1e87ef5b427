// Authorization and tokens over real HTTP, from the first request to the revocation.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";
import { openBrowser } from "../../../../test/browser.ts";
import type { Browser } from "../../../../test/browser.ts";
import { nextNoon } from "../../../../test/clocks/noon.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";

const OOB = "urn:ietf:wg:oauth:2.0:oob";
const CALLBACK = "https://app.example/cb%2Fx?keep=1";

let t: TestApp;
let addresses = 0;
let alice: Person;
let browser: Browser;
let now = nextNoon();
let client: { id: string; client_id: string; client_secret: string };

const register = async (form: Record<string, unknown> = {}) => {
  // Each registration from another IP address: the limit has its own test.
  addresses += 1;
  const headers = { "x-forwarded-for": `198.51.100.${addresses}` };
  const json = {
    client_name: "App",
    redirect_uris: [CALLBACK, OOB],
    scopes: "read write",
    ...form,
  };
  return t.visitor.post("/api/v1/apps", json, headers);
};

const authorizePath = (extra: Record<string, string> = {}) =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: CALLBACK,
    scope: "read write:statuses",
    state: "s t&ä",
    ...extra,
  })}`;

const codeFor = async (extra: Record<string, string> = {}): Promise<string> => {
  const page = await browser.get(authorizePath(extra));
  assert.equal(page.status, 200, page.text);
  const answer = await browser.submit(page, "/oauth/authorize", { decision: "allow" });
  assert.equal(answer.status, 302);
  return new URL(answer.headers.get("location")!, t.url).searchParams.get("code")!;
};

const exchange = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  t.visitor.post("/oauth/token", form, headers);

const codeForm = (code: string, extra: Record<string, string> = {}) => ({
  grant_type: "authorization_code",
  code,
  client_id: client.client_id,
  client_secret: client.client_secret,
  redirect_uri: CALLBACK,
  ...extra,
});

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
  alice = await t.person("alice");
  client = (await register()).json;
  browser = openBrowser(t);
  await browser.signIn("alice@example.com");
});
after(() => t.close());
beforeEach(() => (now = nextNoon()));

describe("authorisation", () => {
  test("leads to sign-in and back, shows who asks for what, and answers with code and state", async () => {
    const stranger = openBrowser(t);
    const first = await stranger.get(authorizePath());
    assert.equal(first.status, 302);
    const signIn = await stranger.get(first.headers.get("location")!);
    const back = await stranger.submit(signIn, "/auth/sign_in", {
      login: "ALICE@example.com",
      password: "correct horse",
    });
    assert.equal(back.status, 302);
    const consent = await stranger.get(back.headers.get("location")!);
    assert.match(consent.text, /<strong>App<\/strong>/);
    assert.match(consent.text, /@alice@/);
    assert.match(consent.text, /Read all your account/);
    assert.match(consent.text, /Change your posts/);
    assert.match(consent.text, /app\.example/);
    const done = await stranger.submit(consent, "/oauth/authorize", { decision: "allow" });
    const location = done.headers.get("location")!;
    assert.ok(location.startsWith(`${CALLBACK}&code=`), location);
    assert.equal(new URL(location).searchParams.get("state"), "s t&ä");
    const { status, json, headers } = await exchange(
      codeForm(new URL(location).searchParams.get("code")!),
    );
    assert.equal(status, 200);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.deepEqual(Object.keys(json), ["access_token", "token_type", "scope", "created_at"]);
    assert.equal(json.token_type, "Bearer");
    assert.equal(json.scope, "read write:statuses");
    const info = await t.as(json.access_token).get("/oauth/token/info");
    assert.equal(info.json.resource_owner_id, alice.accountId);
    assert.equal(info.json.application.uid, client.client_id);
  });

  test("custom emojis of a name are pictures, here and in the header of pages", async () => {
    await t.write`
      INSERT INTO custom_emojis (shortcode, file_key, static_key) VALUES ('rook', 'emojis/1.png', 'emojis/1.png')`;
    await t.write`UPDATE accounts SET display_name = 'A <b> :rook: :none:' WHERE id = ${alice.accountId}`;
    for (const path of [authorizePath(), "/about"]) {
      const { text, headers } = await browser.get(path);
      assert.match(
        text,
        /A &lt;b(?:&gt;|>) <img class="emoji" src="[^"]*emojis\/1\.png" alt=":rook:"[^>]*> :none:</,
        path,
      );
      assert.match(headers.get("content-security-policy") ?? "", /img-src 'self' https: http:/);
    }
  });

  test("denied: the app gets an error", async () => {
    const page = await browser.get(authorizePath());
    const answer = await browser.submit(page, "/oauth/authorize", { decision: "deny" });
    const url = new URL(answer.headers.get("location")!);
    assert.equal(url.searchParams.get("error"), "access_denied");
    assert.equal(url.searchParams.get("state"), "s t&ä");
    assert.equal(url.searchParams.get("code"), null);
  });

  test("out of band: the code is shown to its owner alone", async () => {
    const page = await browser.get(authorizePath({ redirect_uri: OOB }));
    const answer = await browser.submit(page, "/oauth/authorize", { decision: "allow" });
    const path = answer.headers.get("location")!;
    assert.match(path, /^\/oauth\/authorize\/native\?code=/);
    const code = new URL(path, t.url).searchParams.get("code")!;
    assert.ok((await browser.get(path)).text.includes(code));
    assert.equal((await browser.get("/oauth/authorize/native?code=phished")).status, 404);
    assert.equal((await openBrowser(t).get(path)).status, 302);
    await exchange(codeForm(code, { redirect_uri: OOB })).ok();
  });

  test("faults are pages, and never lead to the address", async () => {
    const cases: [Record<string, string>, number][] = [
      [{ client_id: "unknown" }, 401],
      [{ redirect_uri: "https://evil.example/" }, 400],
      [{ redirect_uri: "https://app.example/cb/x?keep=1" }, 400],
      [{ redirect_uri: `${CALLBACK}&more=1` }, 400],
      [{ redirect_uri: "" }, 400],
      [{ scope: "read follow admin:write" }, 400],
      [{ scope: "nonsense" }, 400],
      [{ response_type: "token" }, 400],
      [{ code_challenge: "a".repeat(43) }, 400],
      [{ code_challenge: "a".repeat(43), code_challenge_method: "plain" }, 400],
      [{ code_challenge: "short", code_challenge_method: "S256" }, 400],
      [{ code_challenge_method: "S256" }, 400],
    ];
    for (const [extra, status] of cases) {
      const answer = await browser.get(authorizePath(extra));
      assert.equal(answer.status, status, JSON.stringify(extra));
      assert.match(answer.headers.get("content-type")!, /^text\/html/);
      assert.equal(answer.headers.get("location"), null);
      assert.match(answer.text, /<h1[^>]*>Invalid request<\/h1>/);
    }
    const unknown = await browser.get(authorizePath({ client_id: "unknown" }));
    assert.match(unknown.text, /This app is not registered on this server/);
  });

  test("force_login asks for the password again, and lang changes nothing", async () => {
    const forced = await browser.get(authorizePath({ force_login: "true" }));
    assert.equal(forced.status, 302);
    const page = await browser.get(forced.headers.get("location")!);
    assert.match(page.text, /name="password"/);
    const back = await browser.submit(page, "/auth/sign_in", {
      login: "alice",
      password: "correct horse",
    });
    assert.equal((await browser.get(back.headers.get("location")!)).status, 200);
    assert.equal(
      (await browser.get(authorizePath({ force_login: "false", lang: "en-US" }))).status,
      200,
    );
  });

  test("the form needs its token, and the session that it was made for", async () => {
    const page = await browser.get(authorizePath());
    const wrong = await browser.submit(page, "/oauth/authorize", {
      decision: "allow",
      form_token: "x",
    });
    assert.equal(wrong.status, 403);
    const other = openBrowser(t);
    await t.person("mallory");
    await other.signIn("mallory");
    const crossed = await other.submit(page, "/oauth/authorize", { decision: "allow" });
    assert.equal(crossed.status, 403);
    const missing = await browser.post("/oauth/authorize", {
      client_id: client.client_id,
      decision: "allow",
    });
    assert.equal(missing.status, 403);
    const denied = await t.visitor.delete("/oauth/authorize");
    assert.equal(denied.status, 302);
    assert.match(denied.headers.get("location")!, /^\/auth\/sign_in/);
  });

  test("the page has a strict policy that lets the answer through", async () => {
    const { headers } = await browser.get(authorizePath());
    const policy = headers.get("content-security-policy")!;
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /script-src 'self';/);
    assert.doesNotMatch(policy, /form-action|unsafe/);
    assert.equal(headers.get("cross-origin-opener-policy"), null);
    assert.equal(headers.get("access-control-allow-origin"), null);
    assert.equal(headers.get("cache-control"), "private, no-store");
  });
});

describe("tokens", () => {
  test("a code with PKCE wants its verifier", async () => {
    const verifier = randomBytes(32).toString("base64url");
    const code_challenge = createHash("sha256").update(verifier).digest("base64url");
    const code = await codeFor({ code_challenge, code_challenge_method: "S256" });
    const missing = await exchange(codeForm(code));
    assert.deepEqual([missing.status, missing.json.error], [400, "invalid_request"]);
    const wrong = await exchange(codeForm(code, { code_verifier: "wrong" }));
    assert.deepEqual([wrong.status, wrong.json.error], [400, "invalid_grant"]);
    await exchange(codeForm(code, { code_verifier: verifier })).ok();
  });

  test("a verifier where no challenge was sent is refused", async () => {
    const { status, json } = await exchange(
      codeForm(await codeFor(), { code_verifier: "x".repeat(43) }),
    );
    assert.deepEqual([status, json.error], [400, "invalid_grant"]);
  });

  test("a code works once; the second use ends the token of the first", async () => {
    const code = await codeFor();
    const first = await exchange(codeForm(code));
    const token = first.json.access_token;
    await t.as(token).get("/api/v1/apps/verify_credentials").ok();
    const second = await exchange(codeForm(code));
    assert.deepEqual([second.status, second.json.error], [400, "invalid_grant"]);
    const ended = await t.as(token).get("/api/v1/apps/verify_credentials");
    assert.deepEqual([ended.status, ended.json.error], [401, "The access token was revoked"]);
  });

  test("the same code twice at the same moment leaves no token", async () => {
    const code = await codeFor();
    const answers = await Promise.all([exchange(codeForm(code)), exchange(codeForm(code))]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
    const token = answers.find(({ status }) => status === 200)!.json.access_token;
    assert.equal((await t.as(token).get("/oauth/token/info")).status, 401);
  });

  test("a code is for its client and its address, and for ten minutes", async () => {
    const other = (await register()).json;
    const code = await codeFor();
    const stolen = codeForm(code, {
      client_id: other.client_id,
      client_secret: other.client_secret,
    });
    assert.equal((await exchange(stolen)).json.error, "invalid_grant");
    assert.equal(
      (await exchange(codeForm(code, { redirect_uri: OOB }))).json.error,
      "invalid_grant",
    );
    const issued = now.getTime();
    now = new Date(issued + 601_000);
    assert.equal((await exchange(codeForm(code))).json.error, "invalid_grant");
    now = new Date(issued + 599_000);
    await exchange(codeForm(code)).ok();
  });

  test("faults have OAuth's bodies", async () => {
    const good = codeForm("no");
    const { grant_type: _, ...noGrant } = good;
    const { redirect_uri: __, ...noAddress } = good;
    const { client_secret: ___, ...noSecret } = good;
    const cases: [Record<string, string>, number, string][] = [
      [good, 400, "invalid_grant"],
      [{ ...good, code: "\0" }, 400, "invalid_request"],
      [noGrant, 400, "invalid_request"],
      [noAddress, 400, "invalid_request"],
      [noSecret, 401, "invalid_client"],
      [{ ...good, client_secret: "no" }, 401, "invalid_client"],
      [{ ...good, client_id: "no\0" }, 401, "invalid_client"],
      [{ ...good, grant_type: "magic" }, 400, "unsupported_grant_type"],
      [{ ...good, grant_type: "password" }, 400, "unsupported_grant_type"],
      [{ ...good, grant_type: "toString" }, 400, "unsupported_grant_type"],
      [{ ...good, grant_type: "client_credentials", scope: "push" }, 400, "invalid_scope"],
    ];
    for (const [form, status, error] of cases) {
      const answer = await exchange(form);
      assert.deepEqual([answer.status, answer.json.error], [status, error], JSON.stringify(form));
      assert.equal(typeof answer.json.error_description, "string");
      assert.match(answer.headers.get("www-authenticate")!, new RegExp(`error="${error}"`));
      assert.match(answer.headers.get("cache-control")!, /no-store/);
    }
  });

  test("client credentials, by body, form and Basic", async () => {
    const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString("base64");
    const grant = { grant_type: "client_credentials" };
    const byBasic = await exchange(grant, { authorization: `Basic ${basic}` });
    const byForm = await t.visitor.post(
      "/oauth/token",
      new URLSearchParams({ ...codeForm(""), ...grant }),
    );
    for (const { status, json } of [byBasic, byForm]) {
      assert.equal(status, 200);
      assert.equal(json.scope, "read");
      const home = await t.as(json.access_token).get("/oauth/userinfo");
      assert.equal(home.status, 403);
    }
  });

  test("revoking: by the client that owns it, without a client, not by another client", async () => {
    const give = async () =>
      (await exchange(codeForm(await codeFor()))).json.access_token as string;
    const works = async (token: string) =>
      (await t.as(token).get("/oauth/token/info")).status === 200;
    const revoke = (form: Record<string, string>) => t.visitor.post("/oauth/revoke", { ...form });
    const { client_id, client_secret } = client;
    const other = (await register()).json;

    const token = await give();
    const wrong = await revoke({ token, client_id, client_secret: "no" });
    assert.deepEqual([wrong.status, wrong.json.error], [403, "unauthorized_client"]);
    const refused = await revoke({
      token,
      client_id: other.client_id,
      client_secret: other.client_secret,
    });
    assert.equal(refused.status, 403);
    assert.equal(await works(token), true);
    const right = await revoke({ token, client_id, client_secret });
    assert.deepEqual([right.status, right.text], [200, "{}"]);
    assert.equal(await works(token), false);

    const second = await give();
    const vague = await revoke({
      token: second,
      client_id: "undefined",
      client_secret: "undefined",
    });
    assert.deepEqual([vague.status, vague.text], [200, "{}"]);
    assert.equal(await works(second), false);
    assert.deepEqual((await revoke({ token: "unknown", client_id, client_secret })).json, {});
    assert.deepEqual((await revoke({})).json, {});
  });

  test("scopes are enforced", async () => {
    const paths: [string, string, string][] = [
      ["GET", "/oauth/userinfo", "profile"],
      ["GET", "/api/v1/emails/check_confirmation", "read:accounts"],
    ];
    for (const [method, path, scope] of paths) {
      const right = await t.token(alice.userId, [scope]);
      const wrong = await t.token(alice.userId, ["write", "follow", "push"]);
      await t.as(right).send(method, path).ok();
      assert.equal((await t.as(wrong).send(method, path)).status, 403, path);
      assert.equal((await t.visitor.send(method, path)).status, 401, path);
    }
    const info = await alice.post("/oauth/userinfo");
    assert.equal(info.json.preferred_username, "alice");
    assert.equal(info.json.sub, `${t.url}/users/alice`);
  });

  test("endpoints of the API do not read cookies", async () => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await t.visitor.get("/api/v1/emails/check_confirmation", { cookie });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get("set-cookie"), null);
  });
});

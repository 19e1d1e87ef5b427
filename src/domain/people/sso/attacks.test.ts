// Attacks on signing in by a provider: answers that are not the provider's, of another browser, used before; providers
// that lie about addresses.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { hiddenFields, openBrowser } from "../../../../test/browser.ts";
import type { Browser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { LIAR, startLyingProvider } from "../../../../test/lying-provider.ts";

type Liar = Awaited<ReturnType<typeof startLyingProvider>>;

let t: TestApp;
let liar: Liar;
let visitors = 0;
let codes = 0;
const BEGIN = "/auth/sso/openid_connect";
const BACK = "/auth/auth/openid_connect/callback";
const NEW = "/auth/sso/new";
const ADD = "/settings/ways/add/openid_connect";

before(async () => {
  liar = await startLyingProvider();
  t = await startTestApp({
    env: {
      OIDC_ENABLED: "true",
      OIDC_DISPLAY_NAME: "Liar",
      OIDC_ISSUER: liar.issuer,
      OIDC_CLIENT_ID: LIAR.id,
      OIDC_CLIENT_SECRET: LIAR.secret,
      ALLOW_UNSAFE_AUTH_PROVIDER_REATTACH: "true",
    },
  });
});
after(async () => {
  await t.close();
  await liar.close();
});
beforeEach(() => {
  Object.assign(liar.state, { claims: {}, sign: "right", userInfo: null });
});

const locationOf = (answer: { headers: Headers }): string => answer.headers.get("location") ?? "";

/** Begins a sign-in; returns what the browser was sent to the provider with. */
const begin = async (browser: Browser) => {
  const begun = await browser.submit(await browser.get("/auth/sign_in"), BEGIN, {});
  const sent = new URL(locationOf(begun)).searchParams;
  liar.state.claims = { ...liar.state.claims, nonce: sent.get("nonce") };
  return { state: sent.get("state")!, sent };
};

type Parameters = Record<string, string>;

const comeBack = (browser: Browser, parameters: Parameters) =>
  browser.get(`${BACK}?${new URLSearchParams({ code: `code-${++codes}`, ...parameters })}`);

const visitor = (): Browser => openBrowser(t, `203.0.113.${++visitors}`);

/** Comes back with claims that the provider says about somebody. */
const signInWith = async (claims: Record<string, unknown>, parameters: Parameters = {}) => {
  const browser = visitor();
  const { state, sent } = await begin(browser);
  liar.state.claims = { nonce: sent.get("nonce"), ...claims };
  return { browser, back: await comeBack(browser, { state, ...parameters }) };
};

const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.get("/settings")).status === 200;

test("the request has PKCE, state and nonce, each new", async () => {
  const [first, second] = [await begin(visitor()), await begin(visitor())];
  for (const name of ["state", "nonce", "code_challenge"]) {
    assert.ok(first.sent.get(name)!.length >= 43, name);
    assert.notEqual(first.sent.get(name), second.sent.get(name));
  }
  assert.equal(first.sent.get("code_challenge_method"), "S256");
  assert.equal(first.sent.get("redirect_uri"), `${t.url}${BACK}`);
});

test("an honest answer leads on: the tests below differ from it in one thing", async () => {
  const { back } = await signInWith({ sub: "honest" });
  assert.equal(locationOf(back), NEW);
});

const soon = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

for (const [what, claims] of Object.entries({
  "of another issuer": { iss: "https://other.example" },
  "for another client": { aud: "other-client" },
  "for several clients, of which it names another as authorized": {
    aud: [LIAR.id, "other"],
    azp: "other",
  },
  "that has expired": { exp: soon(-120) },
  "of the future": { iat: soon(600), nbf: soon(600) },
  "with another nonce": { nonce: "other" },
  "without a nonce": { nonce: undefined },
  "without a subject": { sub: undefined },
}))
  test(`an ID token ${what} is refused`, async () => {
    const { browser, back } = await signInWith(claims);
    assert.equal(back.status, 502, back.text);
    assert.equal(locationOf(back), "");
    assert.equal(await isSignedIn(browser), false);
  });

for (const sign of ["stranger", "none"] as const)
  test(`an ID token is refused that is signed by ${sign}`, async () => {
    liar.state.sign = sign;
    const { back } = await signInWith({ sub: "honest" });
    assert.equal(back.status, 502);
  });

test("userinfo about somebody else is refused", async () => {
  liar.state.userInfo = { sub: "somebody else", email: "x@example.com" };
  const { back } = await signInWith({ sub: "honest" });
  assert.equal(back.status, 502);
});

test("an answer that names another issuer is refused (RFC 9207)", async () => {
  const { back } = await signInWith({ sub: "honest" }, { iss: "https://other.example" });
  assert.equal(back.status, 502);
  const { back: right } = await signInWith({ sub: "honest" }, { iss: liar.issuer });
  assert.equal(locationOf(right), NEW);
});

test("an answer counts in the browser that asked alone, and once: no login CSRF, no replay", async () => {
  const attacker = visitor();
  const { state } = await begin(attacker);
  const victim = visitor();
  await begin(victim);
  const used = liar.state.codes.length;
  assert.equal((await comeBack(victim, { state })).status, 400);
  assert.equal((await comeBack(visitor(), { state })).status, 400);
  assert.equal(liar.state.codes.length, used, "no code of another browser is exchanged");
  const own = visitor();
  const first = await begin(own);
  const kept = new Map(own.cookies);
  const answer = { state: first.state, code: "the same code" };
  assert.equal(locationOf(await comeBack(own, answer)), NEW);
  for (const [name, value] of kept) own.cookies.set(name, value);
  assert.equal((await comeBack(own, answer)).status, 400);
  assert.equal(liar.state.codes.filter((code) => code === "the same code").length, 1);
});

test("a sign-in begins by our own form alone", async () => {
  assert.equal((await visitor().post(BEGIN, {})).status, 403);
  assert.equal((await visitor().get(BEGIN)).status, 404);
});

test("a provider of which there is none has no pages", async () => {
  for (const id of ["1", "x", "999999999999999999"]) {
    const browser = visitor();
    assert.equal((await browser.get(`/auth/sso/${id}/callback?code=1&state=1`)).status, 404);
  }
});

test("an address links nobody that is not verified, not confirmed here, or of the staff", async () => {
  await t.person("alice");
  await t.person("waiting", { confirmed: false });
  await t.person("boss", { role: "Owner" });
  const said = (name: string, email_verified: unknown) => ({
    sub: `of ${name}`,
    email: `${name}@example.com`,
    email_verified,
  });
  for (const claims of [
    said("alice", false),
    said("alice", undefined),
    said("waiting", true),
    said("boss", true),
  ]) {
    const { browser, back } = await signInWith(claims);
    assert.equal(locationOf(back), NEW, String(claims.sub));
    assert.equal(await isSignedIn(browser), false);
  }
  const { browser, back } = await signInWith(said("alice", true));
  assert.equal(locationOf(back), "/home", "what the staff allowed for this provider");
  assert.equal(await isSignedIn(browser), true);
});

test("an address that moves to somebody else takes no account along", async () => {
  await t.person("carol");
  const claims = { email: "carol@example.com", email_verified: true };
  await signInWith({ sub: "carol", ...claims });
  // The provider gives her address to a new person, who is somebody else.
  await signInWith({ sub: "carol", email: "carol.married@example.com", email_verified: true });
  const { browser, back } = await signInWith({ sub: "her successor", ...claims });
  assert.equal(locationOf(back), NEW);
  const page = await browser.get(NEW);
  assert.match(page.text, /An account here has your email address/);
  const { form_token = "" } = hiddenFields((await browser.get("/auth/sign_in")).text, BEGIN);
  const form = { form_token, username: "successor", agreement: "1" };
  assert.equal((await browser.post(NEW, form)).status, 422);
});

test("a way is added to the account that asked for it alone, in the same session", async () => {
  await t.person("dora");
  const browser = visitor();
  await browser.signIn("dora");
  const page = await browser.get(ADD);
  const begun = await browser.submit(page, ADD, {
    current_password: "correct horse",
  });
  const sent = new URL(locationOf(begun)).searchParams;
  liar.state.claims = { sub: "dora", nonce: sent.get("nonce") };
  const again = { login: "dora", password: "correct horse" };
  await browser.submit(await browser.get("/auth/sign_in?force=1"), "/auth/sign_in", again);
  const back = await comeBack(browser, { state: sent.get("state")! });
  assert.equal(back.status, 400);
  const [row] = await t.app.sql`SELECT count(*)::int FROM sso_identities WHERE subject = 'dora'`;
  assert.equal(row!["count"], 0);
});

test("who somebody is at a provider belongs to one account", async () => {
  await t.person("emil");
  await t.person("fred");
  for (const [name, status] of [
    ["emil", 302],
    ["fred", 403],
  ] as const) {
    const browser = visitor();
    await browser.signIn(name);
    const page = await browser.get(ADD);
    const begun = await browser.submit(page, ADD, {
      current_password: "correct horse",
    });
    const sent = new URL(locationOf(begun)).searchParams;
    liar.state.claims = { sub: "one person", nonce: sent.get("nonce") };
    assert.equal((await comeBack(browser, { state: sent.get("state")! })).status, status, name);
  }
});

test("a text in the answer is shown to nobody as it is", async () => {
  const browser = visitor();
  const { state } = await begin(browser);
  const back = await browser.get(
    `${BACK}?${new URLSearchParams({ state, error: "access_denied", error_description: "<b>call 555</b>" })}`,
  );
  assert.equal(back.status, 403);
  assert.doesNotMatch(back.text, /555/);
});

// Signing in by a provider over real HTTP, with the certified `oidc-provider` as the directory of a city.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hiddenFields, openBrowser } from "../../../../test/browser.ts";
import type { Browser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { mailsOf } from "../../../../test/mail.ts";
import { CLIENT, startOidcServer } from "../../../../test/oidc-server.ts";
import type { OidcServer } from "../../../../test/oidc-server.ts";
import { startSession } from "../users/session.ts";

let t: TestApp;
let city: OidcServer;
const ID = "openid_connect";
const BEGIN = `/auth/sso/${ID}`;
const NEW = "/auth/sso/new";
const WAYS = "/settings/ways";
let visitors = 0;
const PASSWORD = "correct horse";

before(async () => {
  city = await startOidcServer();
  t = await startTestApp({
    env: {
      OIDC_ENABLED: "true",
      OIDC_DISPLAY_NAME: "City of Rookery",
      OIDC_ISSUER: city.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_SCOPE: "openid,profile,email",
    },
  });
  city.register(t.url, [`${t.url}/auth/auth/openid_connect/callback`]);
});
after(async () => {
  await t.close();
  await city.close();
});

const locationOf = (answer: { headers: Headers }): string => answer.headers.get("location") ?? "";

/** Presses the button of the provider, signs in there, and comes back. */
const comeBack = async (browser: Browser, who: string, from = "/auth/sign_in") => {
  city.signInAs(who);
  const page = await browser.get(from);
  const begun = await browser.submit(page, BEGIN, {});
  assert.equal(begun.status, 302, begun.text);
  return browser.get(await city.follow(locationOf(begun)));
};

/** Makes an account by the provider. */
const newcomer = async (who: string, handle: string, claims = {}) => {
  city.people.set(who, { email: `${who}@city.example`, email_verified: true, ...claims });
  // Few may sign up from one address.
  const browser = openBrowser(t, `203.0.113.${++visitors}`);
  const back = await comeBack(browser, who);
  assert.equal(locationOf(back), NEW, back.text);
  const page = await browser.get(NEW);
  const made = await browser.submit(page, NEW, { username: handle, agreement: "1" });
  return { browser, page, made };
};

const signedInAs = async (browser: Browser): Promise<string | null> =>
  /@([\w]+)@127/.exec((await browser.get("/settings")).text)?.[1] ?? null;

test("somebody new chooses a handle once, and gets name and address from the provider", async () => {
  const claims = { name: "Ada Lovelace", preferred_username: "Ada.Lovelace" };
  const { browser, page, made } = await newcomer("ada", "ada", claims);
  assert.match(page.text, /value="ada_lovelace"/);
  // Neither the address nor what holds of usernames is said twice.
  assert.equal(page.text.split("ada@city.example").length, 2);
  assert.equal(page.text.match(/change it later|be changed later/g)?.length, 1);
  assert.match(page.text, /class="suffixed" dir="ltr"/);
  assert.match((await browser.get("/settings/two_factor")).text, /step: after signing in/);
  assert.equal(made.status, 302, made.text);
  assert.equal(locationOf(made), "/welcome");
  assert.equal(await signedInAs(browser), "ada");
  await t.runJobs();
  const account = await t.visitor.get("/api/v1/accounts/lookup?acct=ada").ok();
  assert.equal(account.display_name, "Ada Lovelace");
  const [row] = await t.app.sql`
    SELECT email::text, confirmed_at IS NOT NULL AS confirmed, password_hash FROM users WHERE email = 'ada@city.example'
  `;
  assert.deepEqual({ ...row }, { email: "ada@city.example", confirmed: true, password_hash: null });

  // The second time it is a sign-in, with another address and name there.
  city.people.set("ada", { email: "lovelace@city.example", email_verified: true });
  const again = openBrowser(t);
  assert.equal(locationOf(await comeBack(again, "ada")), "/home");
  assert.equal(await signedInAs(again), "ada");
});

test("the button returns to the page that was wanted, and to none elsewhere", async () => {
  await newcomer("bea", "bea");
  const browser = openBrowser(t);
  const wanted = "/auth/sign_in?return_to=%2Foauth%2Fauthorize%3Fclient_id%3Dx";
  assert.equal(locationOf(await comeBack(browser, "bea", wanted)), "/oauth/authorize?client_id=x");
  const page = await openBrowser(t).get("/auth/sign_in?return_to=//evil.example/");
  assert.doesNotMatch(page.text, /evil/);
  const other = openBrowser(t);
  city.signInAs("bea");
  const begun = await other.submit(await other.get("/auth/sign_in"), BEGIN, {
    return_to: "https://evil.example/",
  });
  const back = await other.get(await city.follow(locationOf(begun)));
  assert.match(locationOf(back), /^\/(?:home|welcome)$/);
});

test("two windows that sign in at once both get in", async () => {
  const browser = openBrowser(t);
  city.signInAs("bea");
  const page = await browser.get("/auth/sign_in");
  const begun = [await browser.submit(page, BEGIN, {}), await browser.submit(page, BEGIN, {})];
  for (const each of begun) {
    const back = await browser.get(await city.follow(locationOf(each)));
    assert.match(locationOf(back), /^\/(?:home|welcome)$/, back.text);
  }
});

test("whoever begins too often is told so at the sign-in, which goes on to what was wanted", async () => {
  const browser = openBrowser(t, "203.0.113.200");
  const page = await browser.get("/auth/sign_in?return_to=%2Fbookmarks");
  let answer = await browser.submit(page, BEGIN, {});
  for (let n = 0; n < 30 && answer.status !== 429; n++)
    answer = await browser.submit(page, BEGIN, {});
  assert.equal(answer.status, 429);
  assert.match(answer.text, /class="notice bad"[^>]*>[^<]*(?:<!--.*?-->)?Too many attempts/);
  assert.match(answer.text, /name="return_to" value="\/bookmarks"/);
});

test("pages beside the sign-in lead back to it with the page that was wanted", async () => {
  const browser = openBrowser(t);
  const query = "?return_to=%2Fbookmarks";
  const page = await browser.get(`/auth/sign_in${query}`);
  for (const path of ["/auth/password/new", "/auth/confirmation/new"]) {
    assert.ok(page.text.includes(`href="${path}${query}"`), path);
    assert.ok(
      (await browser.get(path + query)).text.includes(`href="/auth/sign_in${query}"`),
      path,
    );
  }
  assert.ok((await browser.get(`/auth/sign_up${query}`)).text.includes('value="/bookmarks"'));
});

test("an unverified address is confirmed by mail first, and may be corrected", async () => {
  city.people.set("cem", { email: "cem@city.example", email_verified: false });
  const browser = openBrowser(t);
  await comeBack(browser, "cem");
  const page = await browser.get(NEW);
  assert.match(page.text, /name="email"[^>]*value="cem@city\.example"/);
  const fields = { username: "cem", email: "cem@home.example", agreement: "1" };
  const made = await browser.submit(page, NEW, fields);
  assert.match(locationOf(made), /^\/auth\/confirmation\/sent/);
  await t.runJobs();
  assert.ok(mailsOf(t).some((mail) => mail.includes("To: cem@home.example")));
  const again = await comeBack(openBrowser(t), "cem");
  assert.equal(again.status, 403);
});

test("a server that is closed to others says that people of the provider may join", async () => {
  const page = await openBrowser(t).get("/auth/sign_up");
  assert.equal(page.status, 200);
  assert.ok(page.text.includes(`action="${BEGIN}"`));
  assert.doesNotMatch(page.text, /Sign-ups are closed|isn’t accepting/);
});

test("a form that is refused keeps the person; a taken handle is said", async () => {
  await t.person("taken");
  const { browser, page, made } = await newcomer("dan", "taken");
  assert.equal(made.status, 422);
  assert.match(made.text, /already|taken/i);
  const right = await browser.submit(page, NEW, { username: "dan", agreement: "1" });
  assert.equal(locationOf(right), "/welcome");
  // Sent twice, it leads to where it led before.
  assert.equal(
    locationOf(await browser.submit(page, NEW, { username: "dan", agreement: "1" })),
    "/home",
  );
});

test("an account is linked by signing in to it with its password", async () => {
  await t.person("eve", { email: "eve@city.example" });
  city.people.set("eve", { email: "eve@city.example", email_verified: true });
  const browser = openBrowser(t);
  assert.equal(locationOf(await comeBack(browser, "eve")), NEW);
  const page = await browser.get(NEW);
  assert.match(page.text, /return_to=%2Fauth%2Fsso%2Flink/);
  // No account can be made with the address, so none is offered.
  assert.match(page.text, /An account here has your email address/);
  assert.doesNotMatch(page.text, /action="\/auth\/sso\/new"/);
  await browser.signIn("eve");
  const form = await browser.get("/auth/sso/link");
  const wrong = await browser.submit(form, "/auth/sso/link", { current_password: "wrong" });
  assert.equal(wrong.status, 422);
  const linked = await browser.submit(form, "/auth/sso/link", { current_password: PASSWORD });
  assert.equal(locationOf(linked), `${WAYS}?done=added`);
  assert.equal(locationOf(await comeBack(openBrowser(t), "eve")), "/home");
  await t.runJobs();
  const mail = mailsOf(t).find((text) => text.includes("To: eve@city.example"));
  assert.match(mail ?? "", /City of Rookery/);
});

test("the page of the ways adds one with the password, removes it, and never the last one", async () => {
  await t.person("fay");
  city.people.set("fay", { email: "other@city.example", email_verified: true });
  const browser = openBrowser(t);
  await browser.signIn("fay");
  city.signInAs("fay");
  assert.ok((await browser.get(WAYS)).text.includes(`${WAYS}/add/${ID}`));
  const add = `${WAYS}/add/${ID}`;
  const page = await browser.get(add);
  assert.equal((await browser.submit(page, add, { current_password: "wrong" })).status, 422);
  const begun = await browser.submit(page, add, { current_password: PASSWORD });
  const back = await browser.get(await city.follow(locationOf(begun)));
  assert.equal(locationOf(back), `${WAYS}?done=added`);
  const shown = await browser.get(WAYS);
  assert.match(shown.text, /other@city\.example/);
  const other = openBrowser(t);
  await comeBack(other, "fay");
  assert.equal(await signedInAs(other), "fay");
  const [, action] = /action="(\/settings\/ways\/\d+\/remove)"/.exec(shown.text)!;
  await t.person("stranger");
  const stranger = openBrowser(t);
  await stranger.signIn("stranger");
  const { form_token = "" } = hiddenFields(
    (await stranger.get("/settings/email")).text,
    "/settings/email",
  );
  await stranger.post(action!, { form_token, current_password: PASSWORD });
  assert.equal(await signedInAs(other), "fay");
  const removed = await browser.submit(shown, action!, { current_password: PASSWORD });
  assert.equal(locationOf(removed), `${WAYS}?done=removed`);
  // The session that the way began is over, the one of the password is not.
  assert.equal(await signedInAs(other), null);
  assert.equal(await signedInAs(browser), "fay");
  assert.equal(locationOf(await comeBack(openBrowser(t), "fay")), NEW);
});

test("somebody without a password confirms changes by a fresh sign-in, and keeps the last way", async () => {
  const { browser } = await newcomer("gil", "gil");
  const page = await browser.get(WAYS);
  assert.doesNotMatch(page.text, /current_password/);
  const [, action] = /action="(\/settings\/ways\/\d+\/remove)"/.exec(page.text)!;
  const last = await browser.submit(page, action!, {});
  assert.equal(last.status, 422);
  assert.match(last.text, /only way/);
  await t.write`UPDATE sessions SET created_at = created_at - interval '1 hour'`;
  const form = await browser.get("/settings/password");
  const fields = { password: "a long new password" };
  const stale = await browser.submit(form, "/settings/password", fields);
  assert.equal(stale.status, 403);
  // The provider is where they sign in again, without a question before, and then they are back.
  const again = "/auth/again?return_to=%2Fsettings%2Fpassword";
  assert.ok(form.text.includes(`href="${again}"`), form.text);
  assert.doesNotMatch(form.text, /auth\/password\/new/);
  const back = await browser.get(await city.follow(locationOf(await browser.get(again))));
  assert.equal(locationOf(back), "/settings/password");
  const fresh = await browser.get("/settings/password");
  assert.ok(!fresh.text.includes(again));
  assert.equal((await browser.submit(fresh, "/settings/password", fields)).status, 302);
  const removed = await browser.get(WAYS);
  const done = await browser.submit(removed, action!, { current_password: "a long new password" });
  assert.equal(locationOf(done), `${WAYS}?done=removed`);
});

test("who signs out here is offered to sign out there too", async () => {
  const { browser } = await newcomer("kim", "kim");
  const page = await browser.get("/settings");
  const { form_token = "" } = hiddenFields(page.text, "/auth/sign_out");
  const left = await browser.post("/auth/sign_out", { form_token });
  assert.equal(locationOf(left), "/auth/sso/signed_out");
  const offered = await browser.get("/auth/sso/signed_out");
  const [, url = ""] = /href="([^"]*\/session\/end[^"]*)"/.exec(offered.text) ?? [];
  const there = new URL(url.replaceAll("&amp;", "&"));
  assert.equal(there.origin, city.issuer);
  assert.ok(there.searchParams.get("id_token_hint"));
  const back = `${t.url}/auth/sign_in?done=signed_out`;
  assert.equal(there.searchParams.get("post_logout_redirect_uri"), back);
  assert.ok((await fetch(there)).ok);
  // It is offered once, and to nobody who signed in otherwise.
  assert.equal(locationOf(await browser.get("/auth/sso/signed_out")), back.slice(t.url.length));
});

test("a session and how it began are one: where the second cannot be noted, the first is not", async () => {
  const [row] = await t.app.sql`SELECT id FROM users WHERE email = 'gil@city.example'`;
  const count = async () => (await t.app.sql`SELECT FROM sessions`).length;
  const before = await count();
  const began = { identityId: "1", session: null, idToken: null };
  const from = { ip: null, userAgent: null, began };
  await assert.rejects(startSession(t.app, row!["id"], from), /foreign key/);
  assert.equal(await count(), before);
});

test("somebody without a password links accounts and shares theirs by a fresh sign-in", async () => {
  await t.person("lou");
  await t.person("max");
  const { browser } = await newcomer("lil", "lil");
  const paths = ["/settings/identities", "/settings/sharing"] as const;
  const fields = { login: "lou", password: PASSWORD, name: "max", role: "author" };
  for (const path of paths) {
    const page = await browser.get(path);
    assert.doesNotMatch(page.text, /name="current_password"/);
    const done = await browser.submit(page, path, fields);
    assert.match(locationOf(done), /done=\S*(?:linked|invited)/, done.text);
  }
  await t.write`UPDATE sessions SET created_at = created_at - interval '1 hour'`;
  for (const path of paths)
    assert.equal((await browser.submit(await browser.get(path), path, fields)).status, 403);
});

test("a password that nobody set signs nobody in", async () => {
  await newcomer("hal", "hal");
  for (const password of ["", "null", PASSWORD])
    assert.equal((await openBrowser(t).signIn("hal", password)).status, 422);
});

test("the standing is judged as after a password: a frozen account, a code", async () => {
  const { made } = await newcomer("ida", "ida");
  assert.equal(made.status, 302);
  await t.write`UPDATE users SET disabled = true WHERE email = 'ida@city.example'`;
  assert.equal((await comeBack(openBrowser(t), "ida")).status, 403);
  await t.write`UPDATE users SET disabled = false WHERE email = 'ida@city.example'`;
  await t.write`
    INSERT INTO totp_secrets (user_id, sealed, confirmed_at)
    SELECT id, 'x', now() FROM users WHERE email = 'ida@city.example'
  `;
  const asked = openBrowser(t);
  assert.equal(locationOf(await comeBack(asked, "ida")), "/auth/sign_in/code");
  assert.equal(await signedInAs(asked), null);
});

test("who is refused there, or a provider that is away, is said on a page", async () => {
  assert.match((await comeBack(openBrowser(t), "nobody")).text, /didn’t sign you in/);
  const browser = openBrowser(t);
  const page = await browser.get("/auth/sign_in");
  const begun = await browser.submit(page, BEGIN, {});
  city.people.set("jo", { email: "jo@city.example", email_verified: true });
  city.signInAs("jo");
  const back = await city.follow(locationOf(begun));
  city.fail(true);
  const away = await browser.get(back);
  city.fail(false);
  assert.equal(away.status, 502);
});

test("the sign-up page has the button too, also of a closed server; a server without providers has none", async () => {
  const page = await openBrowser(t).get("/auth/sign_up");
  assert.match(page.text, /Continue with .*City of Rookery/);
});

test("with SSO_ONLY nobody has a password but owners", async () => {
  const other = await startTestApp({
    env: {
      SSO_ONLY: "true",
      OIDC_ENABLED: "true",
      OIDC_ISSUER: city.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
    },
  });
  try {
    await other.person("plain");
    await other.person("boss", { role: "Owner" });
    const page = await openBrowser(other).get("/auth/sign_in");
    assert.doesNotMatch(page.text, /type="password"/);
    assert.match(page.text, /action="\/auth\/sso\/openid_connect"/);
    const signIn = async (login: string) => {
      const browser = openBrowser(other);
      const form = await browser.get("/auth/sign_in?local=1");
      return browser.submit(form, "/auth/sign_in", { login, password: PASSWORD });
    };
    const refused = await signIn("plain");
    assert.equal(refused.status, 422);
    assert.match(refused.text, /isn’t the name and password of an owner/);
    assert.equal(locationOf(await signIn("boss")), "/home");
    const signUp = await openBrowser(other).get("/auth/sign_up");
    assert.doesNotMatch(signUp.text, /name="password"/);
    const instance = await other.visitor.get("/api/v2/instance").ok();
    assert.equal(instance.registrations.enabled, false);
    for (const email of ["plain@example.com", "boss@example.com"]) {
      const browser = openBrowser(other);
      const form = await browser.get("/auth/password/new");
      assert.match(form.text, /Only owners have a password here/);
      await browser.submit(form, "/auth/password", { email });
    }
    await other.runJobs();
    const to = mailsOf(other).map((mail) => /^To: (.*?)\r?$/m.exec(mail)?.[1]);
    assert.deepEqual(to, ["boss@example.com"]);
    const plain = openBrowser(other);
    city.register(other.url, [`${other.url}/auth/auth/openid_connect/callback`]);
    city.people.set("pat", { email: "pat@city.example", email_verified: true });
    await comeBack(plain, "pat");
    await plain.submit(await plain.get(NEW), NEW, { username: "pat", agreement: "1" });
    const form = await plain.get("/settings/password");
    assert.doesNotMatch(form.text, /type="password"/);
    const { form_token = "" } = hiddenFields((await plain.get("/settings")).text, "/auth/sign_out");
    const set = await plain.post("/settings/password", {
      form_token,
      password: "a long new password",
    });
    assert.equal(set.status, 403);
    const [row] = await other.app
      .sql`SELECT password_hash FROM users WHERE email = 'pat@city.example'`;
    assert.equal(row!["password_hash"], null);
  } finally {
    await other.close();
  }
});

// Passkeys over real HTTP: added, used to sign in, removed; and attempts at forgery.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { makeAuthenticator } from "../../../../../test/authenticator.ts";
import { openBrowser } from "../../../../../test/browser.ts";
import type { Browser } from "../../../../../test/browser.ts";
import { nextNoon } from "../../../../../test/clocks/noon.ts";
import { startTestApp } from "../../../../../test/harness.ts";
import type { Answer, TestApp } from "../../../../../test/harness.ts";
import { mailsOf } from "../../../../../test/mail.ts";

let t: TestApp;
let now = nextNoon();
const MINUTE = 60_000;
const PASSWORD = "correct horse";
const PATH = "/settings/passkeys";
const USE = "/auth/sign_in/passkey";

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
});
after(() => t.close());
beforeEach(() => void (now = new Date(now.getTime() + 120 * MINUTE)));

/** The options that the page passes to the browser's WebAuthn. */
const optionsOf = ({ text }: Answer): string =>
  /data-options="([^"]*)"/.exec(text)![1]!.replaceAll("&quot;", '"');

const signedIn = async (browser: Browser) => (await browser.get("/settings")).status === 200;

/** Proves the password; returns the page on which the browser makes the passkey. */
const start = async (browser: Browser, form: Record<string, string> = {}) => {
  const fields = { name: "Blue <key>", current_password: PASSWORD, ...form };
  return browser.submit(await browser.get(PATH), `${PATH}/start`, fields);
};

const memberWithPasskey = async (name: string) => {
  const person = await t.person(name);
  const browser = openBrowser(t);
  await browser.signIn(name);
  const passkey = makeAuthenticator(t.url);
  const page = await start(browser);
  const credential = passkey.create(optionsOf(page));
  const answer = await browser.submit(page, PATH, { credential });
  assert.equal(answer.headers.get("location"), `${PATH}?done=passkey.done_added`);
  return { person, browser, passkey };
};

test("added with the password, listed, notified by mail, used to sign in, removed", async () => {
  const { browser, passkey } = await memberWithPasskey("alice");
  const list = await browser.get(PATH);
  assert.match(list.text, /Blue &lt;key>/);
  assert.match(list.text, /Never used/);
  await t.runJobs();
  assert.ok(mailsOf(t).some((mail) => /To: alice@[\s\S]*A passkey was added/i.test(mail)));

  const other = openBrowser(t);
  const page = await other.get("/auth/sign_in?return_to=/settings/apps");
  const answer = await other.submit(page, USE, { credential: passkey.get(optionsOf(page)) });
  assert.equal(answer.headers.get("location"), "/settings/apps");
  assert.equal(await signedIn(other), true);
  assert.match((await browser.get(PATH)).text, /Last used/);

  const [row] = await t.app.sql`SELECT id FROM passkeys WHERE credential_id = ${passkey.id}`;
  const removal = `${PATH}/${row!["id"]}/remove`;
  const own = await browser.get(PATH);
  for (const current_password of ["", "wrong"]) {
    const { status, text } = await browser.submit(own, removal, { current_password });
    assert.equal(status, 422);
    const [, form = ""] =
      new RegExp(`<details class="edit" open>[^]*?action="${removal}"([^]*?)</form>`).exec(text) ??
      [];
    assert.match(form, /aria-invalid="true"[^]*class="fault"/);
  }
  const removed = await browser.submit(own, removal, { current_password: "correct horse" });
  assert.equal(removed.status, 302);
  const third = openBrowser(t);
  const again = await third.get("/auth/sign_in");
  const refused = await third.submit(again, USE, { credential: passkey.get(optionsOf(again)) });
  assert.equal(refused.status, 422);
  assert.equal(await signedIn(third), false);
});

test("a wrong password is refused before the browser asks for the device", async () => {
  await t.person("eve");
  const browser = openBrowser(t);
  await browser.signIn("eve");
  assert.doesNotMatch((await browser.get(PATH)).text, /data-options/);
  const refused = await start(browser, { name: "Phone", current_password: "wrong" });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /value="Phone"[^]*id="current_password-fault"/);
  assert.doesNotMatch(refused.text, /data-options/);
  assert.match((await start(browser)).text, /data-options/);
});

test("adding one refuses what is forged", async () => {
  await t.person("bob");
  const browser = openBrowser(t);
  await browser.signIn("bob");
  const passkey = makeAuthenticator(t.url);
  const tries: [string, Parameters<typeof passkey.create>[1], Record<string, string>][] = [
    ["another origin", { origin: "https://evil.example" }, {}],
    ["another challenge", { challenge: "AAAA" }, {}],
    ["not verified", { verified: false }, {}],
    ["another ticket", {}, { ticket: "a.9999999999999.b" }],
    ["no credential", {}, { credential: "{}" }],
    ["no JSON", {}, { credential: "nonsense" }],
    ["odd JSON", {}, { credential: '{"id":"a","response":7}' }],
  ];
  for (const [what, lies, form] of tries) {
    const page = await start(browser);
    const credential = passkey.create(optionsOf(page), lies);
    const answer = await browser.submit(page, PATH, { credential, ...form });
    assert.deepEqual([answer.status, /action="[^"]*\/start"/.test(answer.text)], [422, true], what);
  }
  const rows = await t.app.sql`SELECT FROM passkeys WHERE credential_id = ${passkey.id}`;
  assert.equal(rows.length, 0);
});

test("signing in refuses what is forged, replayed, late or another browser's", async () => {
  const { passkey } = await memberWithPasskey("carol");
  const other = makeAuthenticator(t.url);
  const browser = openBrowser(t);
  const attempt = async (make: (options: string) => string, form = {}) => {
    const page = await browser.get("/auth/sign_in");
    const credential = make(optionsOf(page));
    return (await browser.submit(page, USE, { credential, ...form })).status;
  };
  const refused: [string, (options: string) => string][] = [
    ["nobody's", (options) => other.get(options)],
    ["another origin", (options) => passkey.get(options, { origin: "https://evil.example" })],
    ["another challenge", (options) => passkey.get(options, { challenge: "AAAA" })],
    ["not verified", (options) => passkey.get(options, { verified: false })],
    ["a clone that lags behind", (options) => passkey.get(options, { counter: 1 })],
    ["a new key's answer", (options) => passkey.create(options)],
    ["nonsense", () => "[]"],
  ];
  for (const [what, make] of refused) assert.equal(await attempt(make), 422, what);
  assert.equal(await signedIn(browser), false);

  const page = await browser.get("/auth/sign_in");
  const credential = passkey.get(optionsOf(page), { counter: 50 });
  const otherBrowser = openBrowser(t);
  await otherBrowser.get("/auth/sign_in");
  assert.equal((await otherBrowser.submit(page, USE, { credential })).status, 403);
  now = new Date(now.getTime() + 11 * MINUTE);
  assert.equal((await browser.submit(page, USE, { credential })).status, 422);

  const fresh = await browser.get("/auth/sign_in");
  const used = passkey.get(optionsOf(fresh), { counter: 51 });
  const twice = await Promise.all([
    browser.submit(fresh, USE, { credential: used }),
    browser.submit(fresh, USE, { credential: used }),
  ]);
  assert.deepEqual(twice.map(({ status }) => status).toSorted(), [302, 422]);
});

test("nobody removes another person's, and a passkey does not sign in a disabled person", async () => {
  const { person, passkey } = await memberWithPasskey("dora");
  const mallory = await memberWithPasskey("mallory");
  const [row] = await t.app.sql`SELECT id FROM passkeys WHERE credential_id = ${passkey.id}`;
  const { text } = await mallory.browser.get(PATH);
  const [, form_token] = /name="form_token" value="([^"]+)"/.exec(text)!;
  const form = { form_token: form_token!, current_password: "correct horse" };
  await mallory.browser.post(`${PATH}/${row!["id"]}/remove`, form);
  const rows = await t.app.sql`SELECT FROM passkeys WHERE credential_id = ${passkey.id}`;
  assert.equal(rows.length, 1);
  await t.write`UPDATE users SET disabled = true WHERE id = ${person.userId}`;
  const browser = openBrowser(t);
  const signIn = await browser.get("/auth/sign_in");
  const answer = await browser.submit(signIn, USE, { credential: passkey.get(optionsOf(signIn)) });
  assert.equal(answer.status, 403);
  assert.equal(await signedIn(browser), false);
});

test("the script is the server's, cached for ever by its hash, and loaded only where it is used", async () => {
  const browser = openBrowser(t);
  const page = await browser.get("/auth/sign_in");
  const [, path] = /<script src="(\/assets\/passkey-[\w-]+\.js)" defer>/.exec(page.text)!;
  const script = await browser.get(path!);
  assert.match(script.headers.get("content-type")!, /^text\/javascript/);
  assert.match(script.headers.get("cache-control")!, /immutable/);
  assert.match(script.text, /startAuthentication/);
  assert.match(script.text, /data-passkey/);
  assert.match(page.headers.get("content-security-policy")!, /script-src 'self'/);
  const other = await browser.get("/auth/password/new");
  assert.doesNotMatch(other.text, /passkey-/);
});

// Codes at sign-in over real HTTP: switched on, asked for, used once, guessed, switched off.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Secret, TOTP } from "otpauth";
import { openBrowser } from "../../../../../test/browser.ts";
import type { Browser } from "../../../../../test/browser.ts";
import { nextNoon } from "../../../../../test/clocks/noon.ts";
import { startTestApp } from "../../../../../test/harness.ts";
import type { TestApp } from "../../../../../test/harness.ts";
import { mailsOf } from "../../../../../test/mail.ts";

let t: TestApp;
let now = nextNoon();
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const PASSWORD = "correct horse";
const PATH = "/settings/two_factor";
const CODE = "/auth/sign_in/code";

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
});
after(() => t.close());
const forward = (ms: number) => void (now = new Date(now.getTime() + ms));
beforeEach(() => forward(120 * MINUTE));

const codeOf = (secret: string, at = now): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });

const codesIn = (text: string): string[] =>
  [...text.matchAll(/<code>([a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4})<\/code>/g)].map(
    ([, code]) => code!,
  );

const secretIn = (text: string): string =>
  /class="secret grouped">([A-Z2-7 ]+)</.exec(text)![1]!.replaceAll(" ", "");

const signedIn = async (browser: Browser) => (await browser.get("/settings")).status === 200;

/** Somebody who has switched codes on. */
const memberWithCodes = async (name: string) => {
  const person = await t.person(name);
  const browser = openBrowser(t);
  await browser.signIn(name);
  const page = await browser.get(PATH);
  const form = { current_password: PASSWORD };
  const start = await browser.submit(page, `${PATH}/start`, form);
  const secret = secretIn(start.text);
  const on = await browser.submit(start, `${PATH}/confirm`, { code: codeOf(secret) });
  forward(MINUTE);
  return { person, browser, secret, recovery: codesIn(on.text) };
};

/** At the page that asks for the code. */
const atCode = async (name: string, returnTo = "") => {
  const browser = openBrowser(t);
  const page = await browser.get(`/auth/sign_in?return_to=${returnTo}`);
  const answer = await browser.submit(page, "/auth/sign_in", { login: name, password: PASSWORD });
  assert.equal(answer.headers.get("location"), CODE);
  return { browser, page: await browser.get(CODE) };
};

test("switched on with the password and a first code; the secret is encrypted, and a mail is sent", async () => {
  const person = await t.person("alice");
  const browser = openBrowser(t);
  await browser.signIn("alice");
  const page = await browser.get(PATH);
  const wrong = await browser.submit(page, `${PATH}/start`, { current_password: "wrong" });
  assert.equal(wrong.status, 422);
  const start = await browser.submit(page, `${PATH}/start`, { current_password: PASSWORD });
  const secret = secretIn(start.text);
  assert.equal(secret.length, 32);
  assert.match(start.text, /<svg/);
  const uri = /href="(otpauth:\/\/totp\/[^"]*)"/.exec(start.text)![1]!.replaceAll("&amp;", "&");
  assert.equal(new URL(uri).searchParams.get("secret"), secret);
  const [row] = await t.app.sql`SELECT sealed FROM totp_secrets WHERE user_id = ${person.userId}`;
  assert.ok(!Buffer.from(row!["sealed"]).toString("latin1").includes(secret));
  // Not yet on: signing in asks for no code.
  assert.equal((await openBrowser(t).signIn("alice")).headers.get("location"), "/home");
  let form = start;
  for (const code of ["", "000000", "12345", "nonsense"]) {
    form = await browser.submit(form, `${PATH}/confirm`, { code });
    assert.equal(form.status, 422);
    assert.equal(secretIn(form.text), secret);
  }
  // Without the form that follows the password nothing is shown and nothing is switched on.
  const answer = await browser.submit(form, `${PATH}/confirm`, { code: "000000", ticket: "" });
  assert.deepEqual([answer.status, answer.text], [302, ""]);
  const on = await browser.submit(form, `${PATH}/confirm`, { code: codeOf(secret) });
  const codes = codesIn(on.text);
  assert.equal(new Set(codes).size, 10);
  const hashes = await t.app
    .sql`SELECT code_hash FROM recovery_codes WHERE user_id = ${person.userId}`;
  assert.equal(hashes.length, 10);
  await t.runJobs();
  assert.ok(
    mailsOf(t).some((mail) => mail.includes("To: alice@") && /now requires a code/.test(mail)),
  );
  // On already: another secret cannot replace it.
  const again = await browser.submit(page, `${PATH}/start`, { current_password: PASSWORD });
  assert.equal(again.status, 302);
});

test("the password alone opens nothing; the code goes on to where the person wanted", async () => {
  const { secret } = await memberWithCodes("bob");
  const { browser, page } = await atCode("bob", "/settings/apps");
  assert.equal(browser.cookies.has("rookery_session"), false);
  assert.equal(await signedIn(browser), false);
  // No code is no guess, of which an hour has ten.
  for (let n = 0; n < 11; n += 1) {
    const empty = await browser.submit(page, CODE, { code: " " });
    assert.match(empty.text, /id="code-fault">Fill this in\./);
  }
  const wrong = await browser.submit(page, CODE, { code: "000000" });
  assert.equal(wrong.status, 422);
  const right = await browser.submit(page, CODE, { code: ` ${codeOf(secret)} ` });
  assert.equal(right.headers.get("location"), "/settings/apps");
  assert.equal(await signedIn(browser), true);
  assert.equal(browser.cookies.has("rookery_step"), false);
});

test("a code works once, and one step early or late; older ones do not", async () => {
  const { secret } = await memberWithCodes("carol");
  const code = codeOf(secret);
  const first = await atCode("carol");
  const second = await atCode("carol");
  const answers = await Promise.all([
    first.browser.submit(first.page, CODE, { code }),
    second.browser.submit(second.page, CODE, { code }),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [302, 422]);
  const { browser, page } = await atCode("carol");
  const early = codeOf(secret, new Date(now.getTime() - 30 * SECOND));
  assert.equal((await browser.submit(page, CODE, { code: early })).status, 422);
  forward(3 * MINUTE);
  const old = codeOf(secret, new Date(now.getTime() - 60 * SECOND));
  assert.equal((await browser.submit(page, CODE, { code: old })).status, 422);
  const late = codeOf(secret, new Date(now.getTime() - 30 * SECOND));
  assert.equal((await browser.submit(page, CODE, { code: late })).status, 302);
});

test("a recovery code works once, however it is written; new ones end the old", async () => {
  const { browser: member, recovery } = await memberWithCodes("dora");
  const use = async (code: string) => {
    const { browser, page } = await atCode("dora");
    return (await browser.submit(page, CODE, { code })).status;
  };
  assert.equal(await use(recovery[0]!.toUpperCase().replaceAll("-", " ")), 302);
  assert.equal(await use(recovery[0]!), 422);
  const settings = await member.get(PATH);
  assert.match(settings.text, /9\s+recovery\s+codes\s+left/);
  const change = `${PATH}/change`;
  const form = { act: "codes", current_password: PASSWORD };
  const wrong = await member.submit(settings, change, { ...form, current_password: "wrong" });
  assert.equal(wrong.status, 422);
  const renewed = codesIn((await member.submit(settings, change, form)).text);
  assert.equal(renewed.length, 10);
  assert.equal(await use(recovery[1]!), 422);
  assert.equal(await use(renewed[0]!), 302);
  // Another person's codes do not work.
  const other = await memberWithCodes("dorian");
  assert.equal(await use(other.recovery[0]!), 422);
});

test("ten guesses an hour, over every browser", async () => {
  const { secret } = await memberWithCodes("eve");
  forward(60 * MINUTE);
  const { browser, page } = await atCode("eve");
  const statuses: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    statuses.push((await browser.submit(page, CODE, { code: "000000" })).status);
  }
  assert.deepEqual(statuses, Array(10).fill(422));
  const otherBrowser = await atCode("eve");
  const code = codeOf(secret);
  assert.equal((await otherBrowser.browser.submit(otherBrowser.page, CODE, { code })).status, 429);
});

test("the page waits ten minutes at most, and not for who has a new password", async () => {
  const { person, secret } = await memberWithCodes("fay");
  const { browser, page } = await atCode("fay");
  await t.write`UPDATE users SET password_hash = 'x' WHERE id = ${person.userId}`;
  const late = await browser.submit(page, CODE, { code: codeOf(secret) });
  assert.equal(late.headers.get("location"), "/auth/sign_in");
  assert.equal(await signedIn(browser), false);
  const nobody = openBrowser(t);
  assert.equal((await nobody.get(CODE)).headers.get("location"), "/auth/sign_in");
  nobody.cookies.set("rookery_step", "forged");
  assert.equal((await nobody.get(CODE)).headers.get("location"), "/auth/sign_in");
});

test("who was disabled between password and code stays out", async () => {
  const { person, secret } = await memberWithCodes("gus");
  const { browser, page } = await atCode("gus");
  await t.write`UPDATE users SET disabled = true WHERE id = ${person.userId}`;
  const answer = await browser.submit(page, CODE, { code: codeOf(secret) });
  assert.equal(answer.status, 403);
  assert.equal(await signedIn(browser), false);
});

test("switched off with the password; codes and recovery codes are gone", async () => {
  const { browser, person } = await memberWithCodes("hal");
  const page = await browser.get(PATH);
  const form = { act: "off", current_password: PASSWORD };
  assert.equal((await browser.submit(page, `${PATH}/change`, form)).status, 302);
  const left = await t.app.sql`SELECT FROM recovery_codes WHERE user_id = ${person.userId}`;
  assert.equal(left.length, 0);
  assert.equal((await openBrowser(t).signIn("hal")).headers.get("location"), "/home");
});

// The link that confirms an email address signs in: at once where the person signed up, elsewhere by a
// button, and once; scanners of mail take nothing away.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { openBrowser } from "../../../../../test/browser.ts";
import type { Browser } from "../../../../../test/browser.ts";
import { nextNoon } from "../../../../../test/clocks/noon.ts";
import { startTestApp } from "../../../../../test/harness.ts";
import type { Answer, TestApp } from "../../../../../test/harness.ts";
import { confirmationLink, mailsOf } from "../../../../../test/mail.ts";
import { setSetting } from "../../../base/settings/settings.ts";

const ACTION = "/auth/confirmation/sign_in";
const WELCOME = "/welcome?done=confirmed";
const PASSWORD = "long enough";
const DAY = 86_400_000;
let t: TestApp;
let now = nextNoon();

before(async () => {
  t = await startTestApp({ clock: { now: () => now }, worker: false });
  await setSetting(t.app, "registrations", "open");
});
after(() => t.close());
beforeEach(() => void (now = new Date(now.getTime() + 3_600_000)));

/** The browser that signed up, and the path of the link that was sent. */
const signUp = async (
  username: string,
  query = "",
): Promise<{ browser: Browser; link: string }> => {
  const browser = openBrowser(t);
  const email = `${username}@example.com`;
  const form = { username, email, password: PASSWORD, agreement: "1" };
  const page = await browser.get(`/auth/sign_up${query}`);
  assert.equal((await browser.submit(page, "/auth/sign_up", form)).status, 302);
  await t.runJobs();
  return { browser, link: confirmationLink(t, email) };
};

const mailsTo = (email: string): string[] =>
  mailsOf(t).filter((text) => text.includes(`To: ${email}`));

const goesTo = (answer: Answer) => answer.headers.get("location");
const isSignedIn = (browser: Browser) => browser.cookies.has("rookery_session");

test("what was wanted before the sign-up goes on after the mail, once", async () => {
  const wanted = "/oauth/authorize?client_id=x&scope=read";
  const query = `?${new URLSearchParams({ return_to: wanted })}`;
  const { browser, link } = await signUp("wanting", query);
  assert.equal(goesTo(await browser.get(link)), wanted);
  assert.equal(browser.cookies.has("rookery_goal"), false);
});

test("asking for another mail does the same whoever has the address, and says the same", async () => {
  await signUp("waiting");
  const { browser: confirmed, link } = await signUp("confirmed");
  await confirmed.get(link);
  await t.runJobs();
  const ask = async (email: string) => {
    const browser = openBrowser(t);
    const page = await browser.get("/auth/confirmation/new");
    const { result, queries } = await t.countQueries(() =>
      browser.submit(page, "/auth/confirmation", { email }),
    );
    const [{ jobs } = { jobs: 0 }] = await t.app.sql<{ jobs: number }[]>`
      SELECT count(*)::int AS jobs FROM graphile_worker.jobs WHERE task_identifier = 'user.confirmation'`;
    await t.runJobs();
    return { status: result.status, goesTo: goesTo(result), queries, jobs };
  };
  const before = mailsTo("waiting@example.com").length;
  const answers = [
    await ask("waiting@example.com"),
    await ask("confirmed@example.com"),
    await ask("nobody@example.com"),
  ];
  assert.deepEqual(answers, Array(3).fill(answers[0]));
  assert.equal(answers[0]!.jobs, 1);
  assert.equal(mailsTo("waiting@example.com").length, before + 1);
  assert.equal(mailsTo("nobody@example.com").length, 0);
});

test("in the browser that signed up the link signs in, once", async () => {
  const { browser, link } = await signUp("una");
  assert.equal(goesTo(await browser.get(link)), WELCOME);
  assert.equal((await browser.get("/settings")).status, 200);
  assert.equal(browser.cookies.has("rookery_sign_up"), false);
  assert.match((await browser.get(link)).text, /Go to Home/);
  for (const other of [openBrowser(t), browser]) assert.equal((await other.get(link)).status, 404);
});

test("a scanner that opens it first confirms the address, and takes nothing from the person", async () => {
  const { browser, link } = await signUp("dos");
  for (let i = 0; i < 3; i++) {
    const scanner = openBrowser(t);
    const answer = await scanner.get(link);
    assert.equal(answer.status, 200);
    assert.equal(isSignedIn(scanner), false);
    await t.visitor.send("HEAD", link).ok();
  }
  assert.equal(goesTo(await browser.get(link)), WELCOME);
});

test("another browser is asked, so that nobody is signed in to a stranger's account unawares", async () => {
  const { link } = await signUp("tre");
  const phone = openBrowser(t);
  const page = await phone.get(link);
  assert.match(page.text, /Sign in as @tre</);
  assert.equal(isSignedIn(phone), false);
  const forged = await phone.post(ACTION, { confirmation_token: link.split("=")[1]! });
  assert.equal(forged.status, 403);
  assert.equal(goesTo(await phone.submit(page, ACTION, {})), WELCOME);
  assert.equal(isSignedIn(phone), true);
  const second = openBrowser(t);
  assert.equal((await second.get(link)).status, 404);
});

test("somebody who is signed in stays so until they choose", async () => {
  await t.person("host");
  const { browser, link } = await signUp("guest");
  await browser.signIn("host");
  const page = await browser.get(link);
  assert.match(page.text, /Sign in as @guest/);
  assert.match((await browser.get("/settings")).text, /@host/);
  await browser.submit(page, ACTION, {});
  assert.match((await browser.get("/settings")).text, /@guest/);
});

test("of two who use the link at once, one is signed in", async () => {
  const { link } = await signUp("race");
  const browsers = [openBrowser(t), openBrowser(t)];
  const pages = await Promise.all(browsers.map((browser) => browser.get(link)));
  await Promise.all(browsers.map((browser, i) => browser.submit(pages[i]!, ACTION, {})));
  assert.deepEqual(browsers.map(isSignedIn).toSorted(), [false, true]);
});

test("it signs nobody in after three days, after a password did, or before approval", async () => {
  const late = await signUp("late");
  now = new Date(now.getTime() + 3 * DAY + 1000);
  assert.equal((await late.browser.get(late.link)).status, 404);

  const known = await signUp("known");
  const scanner = openBrowser(t);
  const open = await scanner.get(known.link);
  assert.equal((await openBrowser(t).signIn("known", PASSWORD)).status, 302);
  assert.equal((await scanner.submit(open, ACTION, {})).status, 404);

  await setSetting(t.app, "registrations", "approved");
  const browser = openBrowser(t);
  const form = { username: "asks", email: "asks@example.com", password: PASSWORD };
  const page = await browser.get("/auth/sign_up");
  const applied = { ...form, agreement: "1", reason: "Hello" };
  const waiting = (await browser.submit(page, "/auth/sign_up", applied)).headers.get("location")!;
  // It says what comes after the email, and where to look.
  assert.match((await browser.get(waiting)).text, /After that, the moderators review your account/);
  await t.runJobs();
  const { status, text } = await browser.get(confirmationLink(t, form.email));
  assert.equal(status, 200);
  assert.match(text, /once yours is approved\. Until then, signing in shows where it stands/);
  assert.doesNotMatch(text, /Sign in as/);
  assert.equal(isSignedIn(browser), false);
});

// Too many attempts at a password, a code or a mail: the form is shown again where it was, and says when to try again.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../../../test/browser.ts";
import type { Browser } from "../../../../../test/browser.ts";
import { nextNoon } from "../../../../../test/clocks/noon.ts";
import { startTestApp } from "../../../../../test/harness.ts";
import type { Answer, TestApp } from "../../../../../test/harness.ts";
import { setSetting } from "../../../base/settings/settings.ts";
import { PASSWORD_GUESSES } from "../guesses.ts";
import { listRoutes } from "../../../../../test/security/routes.ts";

let t: TestApp;
const now = nextNoon();

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
});
after(() => t.close());

/** Returns the addresses of the page's forms that have a field of this name. */
const formsWith = ({ text }: Answer, field: string): string[] =>
  (text.match(/<form[\s\S]*?<\/form>/g) ?? []).flatMap((form) =>
    form.includes(` name="${field}"`) ? /action="([^"]*)"/.exec(form)![1]! : [],
  );

/** Checks that the answer shows the form at its place, with the sentence. */
const assertShownAgain = (answer: Answer, action: string): void => {
  assert.equal(answer.status, 429, action);
  assert.ok(Number(answer.headers.get("retry-after")) > 0, action);
  assert.ok(answer.text.includes(`action="${action}"`), action);
  assert.match(
    answer.text,
    /class="notice bad"[^>]*>[^<]*(?:<!--.*?-->)?Too many attempts/,
    action,
  );
};

const wear = async (browser: Browser, page: string, action: string, values: object, times = 30) => {
  const shown = await browser.get(page);
  for (let time = 0; time < times; time++) {
    const answer = await browser.submit(shown, action, { ...values });
    if (answer.status === 429) return answer;
  }
  throw new Error(`${action} has no limit`);
};

test("every form that asks for the password is shown again after too many wrong ones", async () => {
  await t.person("alice");
  const browser = openBrowser(t);
  await browser.signIn("alice");
  const wrong = {
    current_password: "wrong",
    password: "another horse",
    email: "new@example.com",
    login: "bob",
    name: "bob",
    acct: "bob",
    role: "author",
  };
  const password = await wear(browser, "/settings/password", "/settings/password", wrong);
  assertShownAgain(password, "/settings/password");
  const routes = await listRoutes(t.app);
  const pages = routes.filter(
    ({ method, url }) => method === "GET" && /^\/settings\/[^:.]+$/.test(url),
  );
  const asked: string[] = [];
  for (const { url } of pages) {
    const page = await browser.get(url);
    for (const action of formsWith(page, "current_password")) {
      asked.push(action);
      const answer = await browser.submit(page, action, wrong);
      assertShownAgain(answer, action);
      if (action === "/settings/email") assert.match(answer.text, /value="new@example\.com"/);
    }
  }
  for (const path of ["password", "email", "delete", "migration", "two_factor/start", "identities"])
    assert.ok(asked.includes(`/settings/${path}`), path);
});

test("codes of the app that is set up", async () => {
  await t.person("bob");
  const browser = openBrowser(t);
  await browser.signIn("bob");
  const path = "/settings/two_factor";
  const start = await browser.submit(await browser.get(path), `${path}/start`, {
    current_password: "correct horse",
  });
  let page = start;
  for (let time = 0; time < 30 && page.status !== 429; time++)
    page = await browser.submit(page, `${path}/confirm`, { code: "000000" });
  assertShownAgain(page, `${path}/confirm`);
  // Still the same secret, so that the app on the phone stays right.
  const secretOf = ({ text }: Answer) => /class="secret grouped">([^<]*)</.exec(text)![1];
  assert.equal(secretOf(page), secretOf(start));
});

test("mails that are asked for too often", async () => {
  const browser = openBrowser(t);
  for (const [page, action] of [
    ["/auth/password/new", "/auth/password"],
    ["/auth/confirmation/new", "/auth/confirmation"],
  ] as const) {
    const email = `${page.split("/")[2]}@example.com`;
    const answer = await wear(browser, page, action, { email });
    assertShownAgain(answer, action);
    assert.ok(answer.text.includes(`value="${email}"`), action);
  }
});

test("an archive that is asked for again while one is made", async () => {
  await t.person("carol");
  const browser = openBrowser(t);
  await browser.signIn("carol");
  const page = await browser.get("/settings/export");
  const ask = () => browser.submit(page, "/settings/export/archive", {});
  assert.equal((await ask()).status, 302);
  const again = await ask();
  assert.equal(again.status, 422);
  // The page is there with all else that it offers.
  assert.match(again.text, /class="notice bad"[^]*href="\/settings\/exports\//);
});

// The last one, as it uses up what the address of these tests may guess.
test("a sign-up that is sent again is no way to try passwords", async () => {
  await setSetting(t.app, "registrations", "open");
  const browser = openBrowser(t);
  const page = await browser.get("/auth/sign_up");
  const form = { username: "dora", email: "dora@example.com", agreement: "1" };
  const send = (password: string) => browser.submit(page, "/auth/sign_up", { ...form, password });
  assert.equal((await send("long enough")).status, 302);
  assert.equal((await send("long enough")).status, 302, "sent twice, it did what it was for");
  // As many tries as there are guesses for one account.
  for (let time = 0; time < PASSWORD_GUESSES.person.count; time++) {
    const wrong = await send(`not the password ${time}`);
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /already taken/);
  }
  const right = await send("long enough");
  assert.equal(right.status, 422, "even the right one says nothing any more");
  assert.match(right.text, /already taken/);
});

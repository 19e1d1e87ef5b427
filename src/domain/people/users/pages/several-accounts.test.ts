// Several accounts in one browser: switching, signing out of one or all, and what must not be possible.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../../../test/browser.ts";
import type { Browser } from "../../../../../test/browser.ts";
import { startTestApp } from "../../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../../test/harness.ts";
import { MAX_ACCOUNTS } from "./cookies.ts";

const NAMES = ["alice", "bob", "carol", "dave", "erin", "frank"] as const;

let server: TestApp;
let now = Date.now();
const people = {} as Record<(typeof NAMES)[number], Person>;

before(async () => {
  server = await startTestApp({ clock: { now: () => new Date(now) } });
  for (const name of NAMES) people[name] = await server.person(name);
});

after(() => server.close());

const add = async (browser: Browser, login: string) => {
  // An address has a number of tries in a time.
  now += 60_000;
  const page = await browser.get("/auth/sign_in?force=1");
  await browser.submit(page, "/auth/sign_in", { login, password: "correct horse" });
};

/** Signed in to all of these, the last of them in use. */
const signedIn = async (...logins: string[]): Promise<Browser> => {
  const browser = openBrowser(server);
  for (const login of logins) await add(browser, login);
  return browser;
};

const tokenIn = (html: string): string => /name="form_token" value="([^"]+)"/.exec(html)![1]!;

const formToken = async (browser: Browser): Promise<string> =>
  tokenIn((await browser.get("/settings/accounts")).text);

/** Whose pages the browser is shown; null: nobody's. */
const inUse = async (browser: Browser): Promise<string | null> => {
  const { status, text } = await browser.get("/settings");
  return status === 200 ? /<strong>@(\w+)@/.exec(text)![1]! : null;
};

const switchTo = async (browser: Browser, name: keyof typeof people, more = {}) =>
  browser.post(`/auth/accounts/${people[name].accountId}/switch`, {
    form_token: await formToken(browser),
    ...more,
  });

const copyOf = (browser: Browser): Browser => {
  const copy = openBrowser(server);
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  return copy;
};

test("a second account is added, and both are switched between without a password", async () => {
  const browser = await signedIn("alice", "bob");
  assert.equal(await inUse(browser), "bob");
  const page = (await browser.get("/settings/accounts")).text;
  assert.ok(page.includes(`/auth/accounts/${people.alice.accountId}/switch`));

  const answer = await switchTo(browser, "alice", { return_to: "/@bob" });
  assert.deepEqual([answer.status, answer.headers.get("location")], [302, "/@bob"]);
  for (const line of answer.headers.getSetCookie()) assert.match(line, /HttpOnly; SameSite=Lax/);
  assert.equal(await inUse(browser), "alice");
  await switchTo(browser, "bob");
  assert.equal(await inUse(browser), "bob");
  const outside = await switchTo(browser, "alice", { return_to: "//evil.example" });
  assert.equal(outside.headers.get("location"), "/home");
});

test("switching needs the form token of the account in use", async () => {
  const browser = await signedIn("alice", "bob");
  const path = `/auth/accounts/${people.alice.accountId}/switch`;
  const strangers = await formToken(await signedIn("carol"));
  for (const form_token of ["", "x", strangers])
    assert.equal((await browser.post(path, { form_token })).status, 403);
  assert.equal((await browser.get(path)).status, 404);
  assert.equal(await inUse(browser), "bob");
});

test("an account that is not signed in here asks for its password", async () => {
  const browser = await signedIn("alice", "bob");
  const answer = await switchTo(browser, "carol");
  assert.match(answer.headers.get("location")!, /^\/auth\/sign_in\?force=1/);
  assert.equal(await inUse(browser), "bob");
});

test("what a page of another account sends is refused, and says why", async () => {
  const browser = await signedIn("alice", "bob");
  const drawnForBob = await formToken(browser);
  await switchTo(browser, "alice");
  const acts: [path: string, form: Record<string, string>][] = [
    ["/web/act/statuses", { status: "in the wrong name" }],
    [`/web/act/accounts/${people.carol.accountId}/block`, {}],
    ["/web/look", { theme: "dark" }],
    ["/web/session", {}],
    ["/auth/sign_out", {}],
    [`/auth/accounts/${people.bob.accountId}/sign_out`, {}],
    ["/settings/sessions/end_others", {}],
  ];
  for (const [path, form] of acts) {
    const { status, text } = await browser.post(path, { form_token: drawnForBob, ...form });
    assert.equal(status, 403, path);
    assert.match(text, /opened with a different account/, path);
  }
  for (const name of ["alice", "bob"])
    assert.doesNotMatch((await browser.get(`/@${name}`)).text, /in the wrong name/);
  assert.equal(await inUse(browser), "alice");
});

test("a message on the device for another account offers to switch to it first", async () => {
  const browser = await signedIn("alice", "bob");
  const { accountId } = people.alice;
  const answer = await browser.get(`/notifications/5?for=${accountId}`);
  assert.equal(answer.headers.get("location"), `/settings/accounts?for=${accountId}&to=5`);
  const page = await browser.get(answer.headers.get("location")!);
  assert.match(page.text, /This notification is for @alice/);
  const switched = await browser.submit(page, `/auth/accounts/${accountId}/switch`, {});
  assert.equal(switched.headers.get("location"), "/notifications/5");
  // Of nobody who is signed in here, nothing is said.
  const other = await browser.get(`/settings/accounts?for=${people.carol.accountId}&to=5`);
  assert.doesNotMatch(other.text, /This notification is for/);
});

test("signing in makes a new session; what was planted in the cookies signs nobody in", async () => {
  const planted = openBrowser(server);
  const known = "planted-".padEnd(43, "x");
  planted.cookies.set("rookery_session", known);
  planted.cookies.set("rookery_others", `${known}.${known}`);
  await add(planted, "alice");
  assert.notEqual(planted.cookies.get("rookery_session"), known);
  assert.equal(planted.cookies.has("rookery_others"), false);

  // A session among the others counts for nothing until somebody switches to it.
  const bob = await signedIn("bob");
  const thief = openBrowser(server);
  thief.cookies.set("rookery_others", bob.cookies.get("rookery_session")!);
  assert.equal((await thief.get("/home")).status, 302);
  assert.doesNotMatch((await thief.get("/@carol")).text, /@bob/);
});

test("a session that has ended is gone from the browser's accounts", async () => {
  const browser = await signedIn("alice", "bob");
  const elsewhere = await signedIn("alice");
  await elsewhere.post("/settings/sessions/end_others", { form_token: await formToken(elsewhere) });
  const page = (await browser.get("/settings/accounts")).text;
  assert.ok(!page.includes(`/auth/accounts/${people.alice.accountId}/switch`));
  assert.match((await switchTo(browser, "alice")).headers.get("location")!, /sign_in/);
  assert.equal(await inUse(browser), "bob");
});

test("when the session in use has ended, the others go on from the sign-in page", async () => {
  const browser = await signedIn("alice", "bob");
  const elsewhere = await signedIn("bob");
  await elsewhere.post("/settings/sessions/end_others", { form_token: await formToken(elsewhere) });
  assert.equal(await inUse(browser), null);
  const page = await browser.get("/auth/sign_in");
  assert.match(page.text, /Continue as @alice/);
  await browser.submit(page, `/auth/accounts/${people.alice.accountId}/switch`, {});
  assert.equal(await inUse(browser), "alice");
});

test("a suspended account cannot be used by switching to it", async () => {
  const browser = await signedIn("frank", "bob");
  const { accountId } = people.frank;
  const suspend = (at: Date | null) =>
    server.fixture((sql) => sql`UPDATE accounts SET suspended_at = ${at} WHERE id = ${accountId}`);
  await suspend(new Date());
  try {
    assert.equal((await switchTo(browser, "frank")).status, 403);
    assert.equal(await inUse(browser), null);
  } finally {
    await suspend(null);
  }
});

test("signing out of one goes on with another; of all ends every session", async () => {
  const browser = await signedIn("alice", "carol", "bob");
  const before = copyOf(browser);
  const leave = async (name: keyof typeof people) =>
    browser.post(`/auth/accounts/${people[name].accountId}/sign_out`, {
      form_token: await formToken(browser),
    });
  assert.equal((await leave("bob")).headers.get("location"), "/home");
  assert.equal(await inUse(browser), "carol");
  assert.equal(await inUse(before), null);
  await leave("alice");
  assert.equal(await inUse(browser), "carol");
  assert.match((await leave("carol")).headers.get("location")!, /signed_out/);
  assert.equal(await inUse(browser), null);

  const all = await signedIn("alice", "bob");
  const copy = copyOf(all);
  await all.post("/auth/sign_out", { form_token: await formToken(all) });
  assert.equal(all.cookies.has("rookery_session") || all.cookies.has("rookery_others"), false);
  assert.equal(await inUse(copy), null);
  copy.cookies.set("rookery_session", copy.cookies.get("rookery_others")!);
  assert.equal(await inUse(copy), null);
});

test("a browser keeps five accounts, and one session of each: the one left longest ago ends", async () => {
  const browser = await signedIn(...NAMES);
  const page = (await browser.get("/settings/accounts")).text;
  const shown = NAMES.filter((name) =>
    page.includes(`/auth/accounts/${people[name].accountId}/switch`),
  );
  assert.equal(shown.length, MAX_ACCOUNTS - 1);
  assert.ok(!shown.includes("alice"));
  const sessions = await server.app.sql`
    SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = 'erin@example.com'
  `;
  await add(browser, "erin");
  const again = await server.app.sql`
    SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = 'erin@example.com'
  `;
  assert.equal(again.length, sessions.length);
});

test("the page of an account that cannot go on leads to the others", async () => {
  const browser = await signedIn("alice", "bob");
  const { userId } = people.bob;
  await server.write`UPDATE users SET disabled = true WHERE id = ${userId}`;
  try {
    const page = await browser.get("/settings");
    assert.equal(page.status, 403);
    assert.match(page.text, /Continue as @alice/);
    const action = `/auth/accounts/${people.alice.accountId}/switch`;
    assert.equal((await browser.submit(page, action, {})).status, 302);
    assert.equal(await inUse(browser), "alice");
  } finally {
    await server.write`UPDATE users SET disabled = false WHERE id = ${userId}`;
  }
});

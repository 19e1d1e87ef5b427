// Linked accounts: what linking takes, switching without a password, what each side may end, and what others see.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Secret, TOTP } from "otpauth";
import { openBrowser } from "../../../../../test/browser.ts";
import type { Browser } from "../../../../../test/browser.ts";
import { startTestApp } from "../../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../../test/harness.ts";
import { mailsOf } from "../../../../../test/mail.ts";
import { removeAccountIn } from "../../accounts/remove.ts";
import { confirmTotp, removeTotp, startTotp } from "../factors/totp.ts";
import { MAX_IDENTITIES } from "../identities/link.ts";

const PATH = "/settings/identities";
const PASSWORD = "correct horse";

let t: TestApp;
let now = Date.now();
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  t = await startTestApp({ clock: { now: () => new Date(now) } });
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
});
after(() => t.close());

/** Signed in with the password, at a time when tokens of the client have not expired. */
const signedIn = async (login: string, browser = openBrowser(t)): Promise<Browser> => {
  now += 20_000;
  const page = await browser.get("/auth/sign_in?force=1");
  await browser.submit(page, "/auth/sign_in", { login, password: PASSWORD });
  return browser;
};

const link = async (browser: Browser, login: string, more: Record<string, string> = {}) => {
  now += 3_600_000;
  const fields = { login, password: PASSWORD, current_password: PASSWORD, ...more };
  return browser.submit(await browser.get(PATH), PATH, fields);
};

const tokenIn = (html: string): string => /name="form_token" value="([^"]+)"/.exec(html)![1]!;

const switchTo = async (browser: Browser, { accountId }: Person) =>
  browser.post(`/auth/accounts/${accountId}/switch`, {
    form_token: tokenIn((await browser.get("/settings/accounts")).text),
  });

const unlink = async (browser: Browser, { accountId }: Person) =>
  browser.post(`${PATH}/unlink`, {
    form_token: tokenIn((await browser.get(PATH)).text),
    account_id: accountId,
  });

/** Whose pages the browser is shown; null: nobody's. */
const inUse = async (browser: Browser): Promise<string | null> => {
  const { status, text } = await browser.get("/settings");
  return status === 200 ? /<strong>@(\w+)@/.exec(text)![1]! : null;
};

const clientToken = async (browser: Browser): Promise<string> => {
  const form_token = tokenIn((await browser.get("/settings/accounts")).text);
  return (await browser.post("/web/session", { form_token })).json.access_token;
};

const me = (token: string) => t.as(token).get("/api/v1/accounts/verify_credentials");

const identities = async ({ userId }: Person): Promise<string[]> => {
  const token = await t.token(userId, ["identities"]);
  const { json } = await t.as(token).get("/api/v1/identities");
  return json.map(({ account }: { account: { acct: string } }) => account.acct);
};

const unlinked = () => t.write`DELETE FROM account_access`;

test("linking takes both passwords, and both are told by mail", async () => {
  await unlinked();
  const browser = await signedIn("alice");
  const wrong = await link(browser, "bob", { current_password: "wrong" });
  assert.deepEqual([wrong.status, await identities(alice)], [422, []]);
  assert.equal((await link(browser, "bob", { password: "wrong" })).status, 422);
  assert.equal((await link(browser, "nobody")).status, 422);
  const self = await link(browser, "alice");
  assert.match(self.text, /the account you’re signed in to/);
  assert.deepEqual(await identities(alice), []);

  assert.equal(
    (await link(browser, "bob")).headers.get("location"),
    `${PATH}?done=identities.done_linked`,
  );
  assert.deepEqual([await identities(alice), await identities(bob)], [["bob"], ["alice"]]);
  assert.equal((await link(browser, "bob")).status, 302, "once more changes nothing");
  await t.runJobs();
  const mails = mailsOf(t).filter((text) => text.includes("An account was linked"));
  assert.equal(mails.length, 2);
  assert.ok(mails.some((text) => /To: alice@/.test(text) && text.includes("@bob")));
  assert.ok(mails.some((text) => /To: bob@/.test(text) && text.includes("@alice")));
});

test("a form without our token, and nobody signed in, link nothing", async () => {
  await unlinked();
  const browser = await signedIn("alice");
  const fields = { login: "bob", password: PASSWORD, current_password: PASSWORD };
  assert.equal((await browser.post(PATH, { ...fields, form_token: "x" })).status, 403);
  assert.equal((await openBrowser(t).get(PATH)).status, 302);
  assert.deepEqual(await identities(alice), []);
});

test("a linked account is switched to without its password, as a session of its own", async () => {
  await unlinked();
  const browser = await signedIn("alice");
  await link(browser, "bob");
  const accounts = (await browser.get("/settings/accounts")).text;
  assert.ok(accounts.includes(`/auth/accounts/${bob.accountId}/switch`));
  assert.ok(
    !accounts.includes(`/auth/accounts/${bob.accountId}/sign_out`),
    "is not signed in here",
  );
  await switchTo(browser, bob);
  assert.equal(await inUse(browser), "bob");
  assert.equal((await me(await clientToken(browser))).json.acct, "bob");
  assert.match((await (await signedIn("bob")).get("/settings/sessions")).text, /, by @alice/);
  assert.match((await (await signedIn("alice")).get("/settings/sessions")).text, /, in @bob/);

  const stranger = await signedIn("carol");
  assert.match((await switchTo(stranger, bob)).headers.get("location")!, /sign_in\?force=1/);
  assert.equal(await inUse(stranger), "carol");
});

test("who unlinks ends at once what was started by the link, on either side", async () => {
  for (const [name, other] of [
    ["bob", alice],
    ["alice", bob],
  ] as const) {
    await unlinked();
    const browser = await signedIn("alice");
    await link(browser, "bob");
    await switchTo(browser, bob);
    const token = await clientToken(browser);
    assert.equal((await me(token)).status, 200, "is cached from here on");
    const answer = await unlink(await signedIn(name), other);
    assert.equal(answer.headers.get("location"), `${PATH}?done=identities.done_unlinked`);
    assert.equal((await me(token)).status, 401);
    assert.equal(await inUse(browser), null);
    assert.deepEqual([await identities(alice), await identities(bob)], [[], []]);
    assert.equal((await unlink(await signedIn(name), other)).status, 404);
  }
});

test("an account that was switched to cannot be linked further or unlinked", async () => {
  await unlinked();
  const browser = await signedIn("alice");
  await link(browser, "bob");
  await switchTo(browser, bob);
  const page = await browser.get(PATH);
  assert.match(page.text, /sign in with the password/);
  assert.doesNotMatch(page.text, /name="current_password"/);
  const form_token = tokenIn(page.text);
  const fields = { login: "carol", password: PASSWORD, current_password: PASSWORD, form_token };
  assert.equal((await browser.post(PATH, fields)).status, 403);
  assert.equal((await unlink(browser, alice)).status, 403);
  assert.deepEqual(await identities(bob), ["alice"]);
});

test("accounts form a group that each can leave, of ten at most", async () => {
  await unlinked();
  await link(await signedIn("alice"), "bob");
  await link(await signedIn("carol"), "bob");
  assert.deepEqual(await identities(alice), ["bob", "carol"]);
  assert.deepEqual(await identities(carol), ["alice", "bob"]);
  await unlink(await signedIn("carol"), carol);
  assert.deepEqual([await identities(alice), await identities(carol)], [["bob"], []]);

  const more = Array.from({ length: MAX_IDENTITIES - 2 }, (_, n) => `other${n}`);
  for (const name of more) {
    const { userId } = await t.person(name);
    await t.write`INSERT INTO account_access (user_id, person_id, kind)
      VALUES (${userId}, ${bob.userId}, 'identity'), (${bob.userId}, ${userId}, 'identity')`;
  }
  const refused = await link(await signedIn("carol"), "bob");
  assert.deepEqual([refused.status, await identities(carol)], [422, []]);
  assert.match(refused.text, /up to 10 accounts/);
});

test("a second factor is asked for when linking, and is never gone around", async () => {
  await unlinked();
  const started = (await startTotp(t.app, bob.userId, "bob"))!;
  const code = () =>
    new TOTP({ secret: Secret.fromBase32(started.secret) }).generate({ timestamp: now });
  assert.ok(await confirmTotp(t.app, bob.userId, code()));
  const browser = await signedIn("alice");
  assert.equal((await link(browser, "bob")).status, 422);
  now += 3_600_000;
  const page = await browser.get(PATH);
  const fields = { login: "bob", password: PASSWORD, current_password: PASSWORD, code: code() };
  assert.equal((await browser.submit(page, PATH, fields)).status, 302);
  assert.match((await browser.get(PATH)).text, /needs two-factor/);
  assert.match((await switchTo(browser, bob)).headers.get("location")!, /sign_in\?force=1/);
  assert.equal(await inUse(browser), "alice");
  await removeTotp(t.app, bob.userId);
  await switchTo(browser, bob);
  assert.equal(await inUse(browser), "bob");
});

test("suspended on one side: nobody gets past it by the other", async () => {
  await unlinked();
  const browser = await signedIn("alice");
  await link(browser, "bob");
  await switchTo(browser, bob);
  const token = await clientToken(browser);
  await me(token).ok();
  const suspend = (person: Person, at: Date | null) =>
    t.fixture(
      (sql) => sql`UPDATE accounts SET suspended_at = ${at} WHERE id = ${person.accountId}`,
    );
  await suspend(alice, new Date(now));
  try {
    assert.equal(await inUse(browser), null);
    assert.equal((await me(token)).status, 403);
  } finally {
    await suspend(alice, null);
  }
  await suspend(bob, new Date(now));
  try {
    assert.equal((await switchTo(await signedIn("alice"), bob)).status, 403);
  } finally {
    await suspend(bob, null);
  }
});

test("a new password of one ends what it started in the others", async () => {
  await unlinked();
  const browser = await signedIn("alice");
  await link(browser, "bob");
  await switchTo(browser, bob);
  const token = await clientToken(browser);
  await me(token).ok();
  const elsewhere = await signedIn("alice");
  const page = await elsewhere.get("/settings/sessions");
  await elsewhere.submit(page, "/settings/sessions/end_others", {});
  assert.equal((await me(token)).status, 401);
  assert.equal(await inUse(browser), null);
});

const authorize = async (browser: Browser, as: Person) => {
  const { json } = await t.visitor.post("/api/v1/apps", {
    client_name: "App",
    redirect_uris: "https://app.example/",
    scopes: "read identities",
  });
  const query = new URLSearchParams({
    response_type: "code",
    client_id: json.client_id,
    redirect_uri: "https://app.example/",
    scope: "read identities",
    account_id: as.accountId,
  });
  const page = await browser.get(`/oauth/authorize?${query}`);
  const answer = await browser.submit(page, "/oauth/authorize", {
    decision: "allow",
    as: as.accountId,
  });
  return { page, answer, client: json };
};

const exchange = async ({ answer, client }: Awaited<ReturnType<typeof authorize>>) => {
  const code = new URL(answer.headers.get("location")!).searchParams.get("code")!;
  const { client_id, client_secret } = client;
  const form = {
    grant_type: "authorization_code",
    client_id,
    client_secret,
    code,
    redirect_uri: "https://app.example/",
  };
  return t.visitor.post("/oauth/token", new URLSearchParams(form));
};

test("an app gets a token of a linked account by consent alone, which ends with the link", async () => {
  await unlinked();
  const browser = await signedIn("alice");
  assert.equal((await authorize(browser, bob)).answer.status, 403, "is not linked");
  await link(browser, "bob");
  const consent = await authorize(browser, bob);
  assert.match(consent.page.text, new RegExp(`value="${bob.accountId}"\\s+checked`));
  const token = (await exchange(consent)).json.access_token;
  assert.equal((await me(token)).json.acct, "bob");
  const list = await t.as(token).get("/api/v1/identities");
  assert.equal(list.status, 403, "the app was not allowed to see those of alice");
  const late = await authorize(browser, bob);
  await unlink(browser, bob);
  assert.equal((await me(token)).status, 401);
  assert.equal((await exchange(late)).status, 400, "a code that was not used yet");
  assert.equal(
    (await me((await exchange(await authorize(browser, alice))).json.access_token)).json.acct,
    "alice",
  );
});

test("nobody else sees what is linked, nor an app without the scope", async () => {
  await unlinked();
  await link(await signedIn("alice"), "bob");
  for (const token of [null, alice.token, carol.token]) {
    const { status } = await t.as(token).get("/api/v1/identities");
    assert.equal(status, token === null ? 401 : 403);
  }
  const pages = ["/@alice", "/users/alice", `/api/v1/accounts/${alice.accountId}`];
  for (const path of pages) {
    const accept = path.startsWith("/users") ? "application/activity+json" : "*/*";
    const answer = await carol.get(path, { accept });
    assert.deepEqual([answer.status, answer.text.includes("bob")], [200, false], path);
  }
  const { json } = await t.visitor.get("/api/v2/instance");
  assert.equal(json.configuration.rookery.identities, true);
});

test("an account that is deleted takes what it started in others with it", async () => {
  await unlinked();
  const dave = await t.person("dave");
  const browser = await signedIn("dave");
  await link(browser, "bob");
  await switchTo(browser, bob);
  const token = await clientToken(browser);
  await me(token).ok();
  await t.app.sql.begin((tx) => removeAccountIn(t.app, tx, dave.accountId));
  assert.equal((await me(token)).status, 401);
  assert.equal(await inUse(browser), null);
  assert.deepEqual(await identities(bob), []);
});

// Signing in and up, confirmation by mail and creating the owner, over real HTTP without scripts.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { hiddenFields, openBrowser } from "../../../../../test/browser.ts";
import type { Browser } from "../../../../../test/browser.ts";
import { nextNoon } from "../../../../../test/clocks/noon.ts";
import { startTestApp } from "../../../../../test/harness.ts";
import type { TestApp } from "../../../../../test/harness.ts";
import { confirmationLink, mailsOf } from "../../../../../test/mail.ts";
import { addRule } from "../../../base/rules/rules.ts";
import { setSetting } from "../../../base/settings/settings.ts";
import { endSessionsOf } from "../session.ts";
import { ownerSetupLink } from "../owner-setup.ts";

const START = nextNoon();
let t: TestApp;
let now = START;

const forward = (ms: number) => (now = new Date(now.getTime() + ms));
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
});
after(() => t.close());
// Each test in its own hour: attempts of one do not count in the next.
beforeEach(() => void forward(60 * MINUTE));

const standing = (answer: { text: string }) => /<h1>([^<]*)<\/h1>/.exec(answer.text)?.[1];

describe("signing in", () => {
  before(async () => void (await t.person("alice")));

  test("by address or name; the session cookie is new, HttpOnly and Lax", async () => {
    for (const login of ["alice@example.com", "Alice", "@alice", " ALICE@EXAMPLE.COM "]) {
      const browser = openBrowser(t);
      browser.cookies.set("rookery_session", "planted");
      const answer = await browser.signIn(login);
      assert.equal(answer.status, 302, login);
      assert.equal(answer.headers.get("location"), "/home");
      const cookie = answer.headers
        .getSetCookie()
        .find((line) => line.startsWith("rookery_session="))!;
      assert.match(cookie, /HttpOnly/);
      assert.match(cookie, /SameSite=Lax/);
      assert.doesNotMatch(cookie, /Secure|planted/);
      assert.match((await browser.get("/settings")).text, /@alice/);
    }
  });

  test("a form that is sent twice leads to where the first one did", async () => {
    const browser = openBrowser(t);
    const page = await browser.get("/auth/sign_in");
    for (const _ of [1, 2]) {
      const fields = { login: "alice", password: "correct horse" };
      const answer = await browser.submit(page, "/auth/sign_in", fields);
      assert.equal(answer.headers.get("location"), "/home");
    }
    const planted = { login: "alice", password: "correct horse", form_token: "planted" };
    assert.equal((await openBrowser(t).post("/auth/sign_in", planted)).status, 403);
  });

  test("signing in again ends the session before; signing out ends it for good", async () => {
    const browser = openBrowser(t);
    await browser.signIn("alice");
    const old = browser.cookies.get("rookery_session")!;
    const page = await browser.get("/auth/sign_in?force=1");
    await browser.submit(page, "/auth/sign_in", { login: "alice", password: "correct horse" });
    const current = browser.cookies.get("rookery_session")!;
    assert.notEqual(current, old);
    const signedIn = async (value: string) => {
      const other = openBrowser(t);
      other.cookies.set("rookery_session", value);
      return (await other.get("/settings")).status === 200;
    };
    assert.equal(await signedIn(old), false);
    assert.equal(await signedIn(current), true);
    const account = await browser.get("/settings");
    assert.equal((await browser.post("/auth/sign_out", {})).status, 403);
    await browser.submit(account, "/auth/sign_out", {});
    assert.equal(browser.cookies.has("rookery_session"), false);
    assert.equal(await signedIn(current), false);
  });

  test("a session ends by disuse and by decision", async () => {
    const browser = openBrowser(t);
    await browser.signIn("alice");
    forward(80 * DAY);
    assert.equal((await browser.get("/settings")).status, 200);
    forward(80 * DAY);
    assert.equal((await browser.get("/settings")).status, 200);
    forward(91 * DAY);
    assert.equal((await browser.get("/settings")).status, 302);
    await openBrowser(t).signIn("alice");
    const again = openBrowser(t);
    await again.signIn("alice");
    const [user] = await t.app.sql<
      { id: string }[]
    >`SELECT id FROM users WHERE email = 'alice@example.com'`;
    await t.app.sql.begin((tx) => endSessionsOf(t.app, tx, user!.id));
    assert.equal((await again.get("/settings")).status, 302);
  });

  test("a wrong password and an unknown address look the same", async () => {
    const browser = openBrowser(t);
    const [wrong, unknown] = [
      await browser.signIn("alice@example.com", "wrong"),
      await browser.signIn("nobody@example.com", "wrong"),
    ];
    assert.deepEqual([wrong.status, unknown.status], [422, 422]);
    assert.match(wrong.text, /<input[^>]*name="password"[^>]*autofocus/);
    assert.doesNotMatch(wrong.text, /<input[^>]*name="login"[^>]*autofocus/);
    const message = /role="alert"[^>]*>([^<]*)</;
    assert.equal(message.exec(wrong.text)![1], message.exec(unknown.text)![1]);
    assert.equal(browser.cookies.has("rookery_session"), false);
    assert.equal((await browser.signIn("alice", "x".repeat(5000))).status, 422);
    assert.equal((await browser.signIn("a\0b", "x")).status, 422);
  });

  test("limits per login and per address", async () => {
    const form = (login: string) => ({ login, password: "wrong" });
    const browser = openBrowser(t);
    const page = await browser.get("/auth/sign_in");
    const attempt = (login: string) => browser.submit(page, "/auth/sign_in", form(login));
    const byAddress = [];
    for (let index = 0; index < 26; index += 1) byAddress.push((await attempt(`u${index}`)).status);
    assert.deepEqual(byAddress, [...Array(25).fill(422), 429]);
    // The limit per IP address has a window of five minutes, that per login of an hour.
    forward(60 * MINUTE);
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 13; index += 1) await attempt("alice@example.com");
      forward(5 * MINUTE);
    }
    const right = { login: "Alice@example.com", password: "correct horse" };
    assert.equal((await browser.submit(page, "/auth/sign_in", right)).status, 429);
  });

  test("the form needs its token and the cookie that it was made with", async () => {
    const browser = openBrowser(t);
    const form = { login: "alice", password: "correct horse" };
    assert.equal((await browser.post("/auth/sign_in", form)).status, 403);
    const page = await browser.get("/auth/sign_in");
    assert.equal((await browser.post("/auth/sign_in", form)).status, 403);
    assert.equal((await openBrowser(t).submit(page, "/auth/sign_in", form)).status, 403);
    assert.equal((await browser.submit(page, "/auth/sign_in", form)).status, 302);
  });

  test("goes back to our own pages only", async () => {
    const foreign = [
      "https://evil.example/",
      "//evil.example/",
      "/\\evil.example",
      "/\t/evil.example",
      "javascript:alert(1)",
      "evil",
      "/a\r\nset-cookie: x=y",
    ];
    for (const target of foreign) {
      const browser = openBrowser(t);
      const page = await browser.get("/auth/sign_in");
      const form = { login: "alice", password: "correct horse", return_to: target };
      const answer = await browser.submit(page, "/auth/sign_in", form);
      assert.equal(answer.headers.get("location"), "/home", target);
    }
    const browser = openBrowser(t);
    const page = await browser.get("/auth/sign_in?return_to=%2Foauth%2Fx%3Fa%3D%252F");
    const answer = await browser.submit(page, "/auth/sign_in", {
      login: "alice",
      password: "correct horse",
    });
    assert.equal(answer.headers.get("location"), "/oauth/x?a=%2F");
  });

  test("people who may not act get a page; a session opens nothing but decisions about them", async () => {
    const cases: [string, string, string][] = [
      ["una", "UPDATE users SET confirmed_at = NULL", "Confirm your email address"],
      ["upa", "UPDATE users SET approved = false", "Waiting for approval"],
      ["dis", "UPDATE users SET disabled = true", "Account frozen"],
    ];
    for (const [name, change, title] of cases) {
      const { userId } = await t.person(name);
      const before = openBrowser(t);
      await before.signIn(name);
      await t.fixture((sql) => sql.unsafe(`${change} WHERE id = ${userId}`));
      const browser = openBrowser(t);
      const answer = await browser.signIn(name);
      assert.equal(answer.status, 403);
      assert.equal(standing(answer), title);
      assert.equal(browser.cookies.has("rookery_session"), name === "dis");
      assert.notEqual((await browser.get("/settings")).status, 200);
    }
    const { accountId } = await t.person("sus");
    const browser = openBrowser(t);
    await browser.signIn("sus");
    await t.write`UPDATE accounts SET suspended_at = now() WHERE id = ${accountId}`;
    assert.equal(standing(await openBrowser(t).signIn("sus")), "Account suspended");
    // The old session no longer works either.
    const app = await t.visitor.post("/api/v1/apps", {
      client_name: "A<b>",
      redirect_uris: "a:/b",
      website: "https://a.example",
    });
    const query = { response_type: "code", client_id: app.json.client_id, redirect_uri: "a:/b" };
    const consent = await browser.get(`/oauth/authorize?${new URLSearchParams(query)}`);
    assert.equal(consent.status, 403);
  });
});

describe("signing up", () => {
  const FORM = {
    username: "nell",
    email: "nell@example.com",
    password: "long enough",
    agreement: "1",
  };

  beforeEach(() => setSetting(t.app, "registrations", "open"));

  test("the page has the title that the server was given", async () => {
    await setSetting(t.app, "title", "Our <town>");
    assert.match((await openBrowser(t).get("/auth/sign_up")).text, /- Our &lt;town><\/title>/);
    await setSetting(t.app, "title", null);
  });

  test("is closed until somebody opens it", async () => {
    await setSetting(t.app, "registrations", null);
    const page = await openBrowser(t).get("/auth/sign_up");
    assert.equal(page.status, 403);
    assert.equal(standing(page), "Sign-ups are closed");
    const token = await t.token(null, ["write:accounts"]);
    const answer = await t.as(token).post("/api/v1/accounts", FORM);
    assert.equal(answer.status, 403);
  });

  test("page, mail, confirmation, sign-in", async () => {
    const browser = openBrowser(t);
    const page = await browser.get("/auth/sign_up");
    const bad = await browser.submit(page, "/auth/sign_up", { ...FORM, username: "x y" });
    assert.equal(bad.status, 422);
    assert.match(bad.text, /Use only letters/);
    assert.match(bad.text, /name="agreement"\s+value="1"\s+required\s+checked/);
    assert.match(bad.text, /value="nell@example.com"/);
    assert.doesNotMatch(bad.text, /long enough/);
    const refused = await browser.submit(page, "/auth/sign_up", { ...FORM, agreement: "" });
    assert.match(refused.text, /Select this box/);
    assert.doesNotMatch(refused.text, /required\s+checked/);
    const sent = await browser.submit(page, "/auth/sign_up", FORM);
    const waiting = sent.headers.get("location")!;
    assert.match(waiting, /^\/auth\/confirmation\/sent\?user=\d+$/);
    const twice = await browser.submit(page, "/auth/sign_up", FORM);
    assert.equal(twice.headers.get("location"), waiting, "the same form again did what it was for");
    const other = openBrowser(t);
    const guess = { ...FORM, password: "not hers at all" };
    const stranger = await other.submit(await other.get("/auth/sign_up"), "/auth/sign_up", guess);
    assert.equal(stranger.status, 422);
    const early = await browser.signIn("nell", FORM.password);
    assert.equal(standing(early), "Confirm your email address");
    await t.runJobs();
    const link = confirmationLink(t, "nell@example.com");
    const stored = await t.app
      .sql`SELECT confirmation_token_hash AS hash FROM users WHERE email = 'nell@example.com'`;
    assert.equal(stored[0]!["hash"].length, 32);
    assert.equal((await browser.get("/auth/confirmation?confirmation_token=wrong")).status, 404);
    assert.equal((await browser.get(link)).headers.get("location"), "/welcome?done=confirmed");
    assert.match((await browser.get("/welcome?done=confirmed")).text, /is confirmed/);
    const phone = openBrowser(t);
    assert.equal((await phone.signIn("nell@example.com", FORM.password)).status, 302);
  });

  test("the rules, the terms and the privacy policy stand before the agreement", async () => {
    const before = await openBrowser(t).get("/auth/sign_up");
    assert.doesNotMatch(before.text, /Server rules|terms-of-service/);
    assert.match(before.text, /href="\/privacy-policy"[\s\S]*<button/);
    await addRule(t.app.sql, { text: "Be <kind>.", hint: "Always." });
    await t.fixture(
      (sql) => sql`
        INSERT INTO terms_of_service (effective_date, content) VALUES ('2020-01-01', '<p>x</p>')
      `,
    );
    const { text } = await openBrowser(t).get("/auth/sign_up");
    const order = [
      "Be &lt;kind>.",
      'id="agreement"',
      '"/terms-of-service/2020-01-01"',
      '"/privacy-policy"',
    ];
    const places = order.map((part) => text.indexOf(part));
    assert.ok(places.every((place) => place > 0));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
  });

  test("the page after it says to which address the mail went, to this browser alone", async () => {
    const browser = openBrowser(t);
    const form = { ...FORM, username: "wren", email: "wren@exmaple.com" };
    const path = (
      await browser.submit(await browser.get("/auth/sign_up"), "/auth/sign_up", form)
    ).headers.get("location")!;
    const { server } = t.app.config.mail;
    try {
      t.app.config.mail.server = "smtp.example";
      const page = await browser.get(path);
      assert.equal(page.status, 200);
      assert.equal(page.headers.get("cache-control"), "private, no-store");
      assert.match(page.text, /sent an email to <strong>wren@exmaple.com<\/strong>/);
      const stranger = await openBrowser(t).get(path);
      assert.match(stranger.text, /If the address is waiting for confirmation/);
      assert.doesNotMatch(stranger.text, /wren/);

      const resent = await browser.submit(page, "/auth/confirmation", {});
      assert.equal(resent.headers.get("location"), path);
      const corrected = await browser.submit(page, "/auth/confirmation/address", {
        email: "wren@example.com",
      });
      assert.equal(corrected.headers.get("location"), path);
      assert.match((await browser.get(path)).text, /<strong>wren@example.com<\/strong>/);

      assert.doesNotMatch((await browser.get("/auth/sign_up")).text, /can’t send emails/);
      t.app.config.mail.server = null;
      assert.match((await browser.get("/auth/sign_up")).text, /can’t send emails yet/);
      for (const visitor of [browser, openBrowser(t)]) {
        const { text } = await visitor.get(path);
        assert.match(text, /can’t send emails yet/);
        assert.doesNotMatch(text, /Resend/);
        assert.doesNotMatch(text, /sent an email|sent it an email/);
      }
    } finally {
      t.app.config.mail.server = server;
    }
    await t.runJobs();
    await browser.get(confirmationLink(t, "wren@example.com"));
    assert.doesNotMatch((await browser.get(path)).text, /wren@/);
  });

  test("people agree to the terms in force, and read when others take effect", async () => {
    const read = async () => (await openBrowser(t).get("/auth/sign_up")).text.replace(/\s+/g, " ");
    await t.fixture((sql) => sql`DELETE FROM terms_of_service`);
    const add = (day: string) =>
      t.fixture(
        (sql) =>
          sql`INSERT INTO terms_of_service (effective_date, content) VALUES (${day}, '<p>x</p>')`,
      );
    await add("2999-01-31");
    const before = await read();
    assert.match(
      before,
      /I (?:have read and )?agree to the (?:server rules and the )?<a href="\/privacy/,
    );
    assert.match(
      before,
      /"\/terms-of-service\/2999-01-31"[^>]*>Terms of service<\/a> take effect on/,
    );
    await add("2020-01-01");
    const after = await read();
    assert.match(
      after,
      /the <a href="\/terms-of-service\/2020-01-01"[^>]*>terms of service<\/a> and the/,
    );
    assert.match(after, />New terms of service<\/a> take effect on <time datetime="2999-01-31"/);
  });

  test("what was entered stays after an expired form and over the limit, without the password", async () => {
    const headers = { "x-forwarded-for": "203.0.113.77" };
    const send = (browser: Browser, form: Record<string, string>) => {
      const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
      return t.visitor.post("/auth/sign_up", new URLSearchParams(form), { ...headers, cookie });
    };
    const browser = openBrowser(t);
    const hidden = hiddenFields((await browser.get("/auth/sign_up")).text, "/auth/sign_up");
    const expired = await send(browser, FORM);
    assert.equal(expired.status, 403);
    const invalid = { ...FORM, ...hidden, username: "x y" };
    for (let i = 0; i < 60; i++) await send(browser, invalid);
    const over = await send(browser, invalid);
    assert.equal(over.status, 429);
    for (const { text } of [expired, over]) {
      assert.match(text, /role="alert"/);
      assert.match(text, /value="nell@example.com"/);
      assert.doesNotMatch(text, /long enough/);
    }
  });

  test("the link ends after three days; a new mail brings a new one, and only that works", async () => {
    const browser = openBrowser(t);
    const page = await browser.get("/auth/sign_up");
    const form = { ...FORM, username: "late", email: "late@example.com" };
    await browser.submit(page, "/auth/sign_up", form);
    await t.runJobs();
    const first = confirmationLink(t, form.email);
    forward(3 * DAY + MINUTE);
    assert.equal((await browser.get(first)).status, 404);
    const resend = await browser.get("/auth/confirmation/new");
    for (const email of [form.email, "unknown@example.com"]) {
      const answer = await browser.submit(resend, "/auth/confirmation", { email });
      assert.equal(answer.headers.get("location"), "/auth/confirmation/sent");
    }
    await t.runJobs();
    assert.notEqual(confirmationLink(t, form.email), first);
    assert.ok(!mailsOf(t).some((text) => text.includes("To: unknown@example.com")));
    assert.equal((await browser.get(first)).status, 404);
    assert.equal((await browser.get(confirmationLink(t, form.email))).status, 302);
  });

  test("a mistyped address is corrected by who knows the password, before it is confirmed", async () => {
    const ACTION = "/auth/confirmation/address";
    const browser = openBrowser(t);
    const page = await browser.get("/auth/sign_up");
    const form = { ...FORM, username: "slip", email: "slip@exmaple.com" };
    await browser.submit(page, "/auth/sign_up", form);
    await t.runJobs();
    const old = confirmationLink(t, form.email);
    const standingPage = await browser.signIn("slip", form.password);
    let bad = standingPage;
    // What is no address counts as none of the five corrections.
    for (const email of ["", "nonsense", "a@", "@b", "a b@c.example", "c"]) {
      bad = await browser.submit(bad, ACTION, { email });
      assert.deepEqual([bad.status, bad.text.includes('id="email-fault"')], [422, true], email);
    }
    const other = await t.person("bystander");
    const forged = await browser.submit(bad, ACTION, { user: other.userId, email: "e@e.example" });
    assert.equal(forged.headers.get("location"), "/auth/sign_in");
    const again = await browser.signIn("slip", form.password);
    const right = await browser.submit(again, ACTION, { email: "slip@example.com" });
    assert.match(right.headers.get("location")!, /^\/auth\/confirmation\/sent\?user=/);
    assert.match(
      (await browser.get(right.headers.get("location")!)).text,
      /<strong>slip@example.com</,
    );
    const replayed = await browser.submit(again, ACTION, { email: "x@example.com" });
    assert.equal(replayed.headers.get("location"), "/auth/sign_in");
    await t.runJobs();
    assert.equal((await browser.get(old)).status, 404);
    assert.equal((await browser.get(confirmationLink(t, "slip@example.com"))).status, 302);
    const phone = openBrowser(t);
    assert.equal((await phone.signIn("slip@example.com", form.password)).status, 302);
  });

  test("with approval: a reason is asked for, and a moderator has to agree", async () => {
    await setSetting(t.app, "registrations", "approved");
    const browser = openBrowser(t);
    const page = await browser.get("/auth/sign_up");
    const form = { ...FORM, username: "asks", email: "asks@example.com" };
    const without = await browser.submit(page, "/auth/sign_up", form);
    assert.equal(without.status, 422);
    const reason = "</textarea><b>because</b>";
    const sent = await browser.submit(page, "/auth/sign_up", { ...form, reason });
    assert.equal(sent.status, 302);
    const wrong = { ...form, username: "a b", reason };
    const again = await browser.submit(page, "/auth/sign_up", wrong);
    assert.equal(again.status, 422);
    assert.match(again.text, /&lt;\/textarea>&lt;b>because/);
    await t.runJobs();
    assert.match((await browser.get(confirmationLink(t, form.email))).text, /approved/);
    assert.equal(standing(await browser.signIn("asks", form.password)), "Waiting for approval");
    const moderator = await t.person("decides", { role: "Moderator" });
    const token = await t.token(moderator.userId, ["admin:read", "admin:write"]);
    const [applicant] = await t.as(token).get("/api/v1/admin/accounts?username=asks").ok();
    await t.as(token).post(`/api/v1/admin/accounts/${applicant.id}/approve`).ok();
    const signedIn = await browser.signIn("asks", form.password);
    assert.equal(signedIn.headers.get("location"), "/welcome");
    assert.equal((await browser.get("/welcome")).status, 200);
    await t.runJobs();
    const later = await openBrowser(t).signIn("asks", form.password);
    assert.equal(later.headers.get("location"), "/home");
  });

  test("five accounts from one address in half an hour, by page and API together", async () => {
    const token = await t.token(null, ["write"]);
    const headers = { "x-forwarded-for": "203.0.113.9" };
    const post = (name: string) =>
      t
        .as(token)
        .post(
          "/api/v1/accounts",
          { ...FORM, username: name, email: `${name}@example.com` },
          headers,
        );
    for (let index = 0; index < 5; index += 1)
      assert.equal((await post(`five${index}`)).status, 200);
    assert.equal((await post("five5")).status, 429);
    forward(31 * MINUTE);
    await post("five5").ok();
  });
});

describe("the owner", () => {
  const OWNER = { username: "root", email: "root@example.com", password: "long enough" };
  const RIVAL = { ...OWNER, username: "rival", email: "rival@example.com" };
  const path = (link: string | null) => link!.slice(t.url.length);

  test("is looked for where the server says: its first page tells where the link is", async () => {
    const front = async (language: string) =>
      (await t.visitor.get("/", { "accept-language": language })).text;
    const where = /docker logs rookery[^]*journalctl -u rookery/;
    // Nothing was printed: it is no server that waits for an owner.
    assert.doesNotMatch(await front("en"), where);
    const link = await ownerSetupLink(t.app);
    assert.match(await front("en"), /doesn’t have an owner yet/);
    assert.match(await front("de"), /noch keinen Inhaber/);
    for (const language of ["en", "de"]) {
      assert.match(await front(language), where);
      assert.ok(!(await front(language)).includes(link!.split("=")[1]!));
    }
  });

  test("is made once, by the link that every process prints, and is signed in", async () => {
    const printed = await Promise.all([1, 2, 3].map(() => ownerSetupLink(t.app)));
    assert.equal(new Set(printed).size, 1);
    const link = path(printed[0]!);
    assert.equal((await openBrowser(t).get(`${link}x`)).status, 403);
    assert.equal((await openBrowser(t).get(link.replace(/.$/, "~"))).status, 403);
    const [seed] = await t.app.sql`SELECT value FROM settings WHERE name = 'owner_setup'`;
    assert.equal((await openBrowser(t).get(`/setup?token=${seed!["value"]}`)).status, 403);
    assert.equal((await openBrowser(t).get("/setup")).status, 403);
    const browser = openBrowser(t);
    const page = await browser.get(link);
    assert.equal(page.status, 200);
    const bad = await browser.submit(page, "/setup", { ...OWNER, password: "short" });
    assert.equal(bad.status, 422);
    // The refused field has the focus, and what was entered elsewhere is kept.
    assert.match(bad.text, /<input[^>]*name="password"[^>]*autofocus/);
    assert.doesNotMatch(bad.text, /<input[^>]*name="username"[^>]*autofocus/);
    const other = openBrowser(t);
    const second = await other.get(link);
    const answers = await Promise.all([
      browser.submit(bad, "/setup", OWNER),
      other.submit(second, "/setup", RIVAL),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [302, 403]);
    const owners = await t.app.sql`SELECT FROM users WHERE role_id = 3`;
    assert.equal(owners.length, 1);
    const winner = answers[0]!.status === 302 ? browser : other;
    const made = winner === browser ? OWNER : RIVAL;
    const visitor = openBrowser(t);
    const late = await visitor.get("/auth/sign_in");
    const hidden = {
      ...hiddenFields(bad.text, "/setup"),
      ...hiddenFields(late.text, "/auth/sign_in"),
    };
    const twice = await visitor.post("/setup", { ...hidden, ...made });
    assert.equal(twice.headers.get("location"), "/admin/first_steps");
    assert.equal((await visitor.get("/settings")).status, 200);
    const guess = { ...hidden, ...made, password: "not the owner's" };
    const stranger = openBrowser(t);
    const { form_token: formToken } = hiddenFields(
      (await stranger.get("/auth/sign_in")).text,
      "/auth/sign_in",
    );
    assert.equal((await stranger.post("/setup", { ...guess, form_token: formToken! })).status, 403);
    assert.equal((await winner.get("/settings")).status, 200);
    assert.equal((await openBrowser(t).get(link)).status, 403);
    assert.equal(await ownerSetupLink(t.app), null);
    assert.doesNotMatch((await t.visitor.get("/")).text, /doesn’t have an owner yet/);
  });
});

test("the server judges empty fields, and not the browser, which would stop at the first", async () => {
  await setSetting(t.app, "registrations", "open");
  for (const [path, action, marked] of [
    ["/auth/sign_in", "/auth/sign_in", ["login", "password"]],
    ["/auth/sign_up", "/auth/sign_up", ["username", "email", "password"]],
    ["/auth/password/new", "/auth/password", ["email"]],
    ["/auth/confirmation/new", "/auth/confirmation", ["email"]],
  ] as const) {
    const browser = openBrowser(t);
    const page = await browser.get(path);
    assert.match(page.text, new RegExp(`<form [^>]*action="${action}"[^>]* novalidate`), path);
    // A password that was cut would be another one than a password manager keeps.
    assert.doesNotMatch(page.text, /<input[^>]*maxlength[^>]*type="password"/i);
    const sent = await browser.submit(page, action, Object.fromEntries(marked.map((n) => [n, ""])));
    assert.equal(sent.status, 422, path);
    for (const name of marked) assert.ok(sent.text.includes(`id="${name}-fault"`), name);
  }
});

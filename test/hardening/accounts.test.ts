// Guesses: strangers cannot try many passwords or codes of one account, nor lock its owner out, nor make the
// server forget how many they tried.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { Secret, TOTP } from "otpauth";
import { makeAuthenticator } from "../authenticator.ts";
import { hiddenFields, openBrowser } from "../browser.ts";
import type { Browser } from "../browser.ts";
import { nextNoon } from "../clocks/noon.ts";
import { startTestApp } from "../harness.ts";
import type { Answer, TestApp } from "../harness.ts";
import { PASSWORD_GUESSES, countGuess } from "../../src/domain/people/users/guesses.ts";
import { mailsOf } from "../mail.ts";

let t: TestApp;
let now = nextNoon();
const MINUTE = 60_000;
const PASSWORD = "correct horse";
const SIGN_IN = "/auth/sign_in";
const CODE = "/auth/sign_in/code";

before(async () => {
  // Little memory, so that it can be filled.
  t = await startTestApp({ clock: { now: () => now }, env: { CACHE_MB: "8" } });
});
after(() => t.close());
const forward = (minutes: number) => void (now = new Date(now.getTime() + minutes * MINUTE));
// Each test in its own hour.
beforeEach(() => void (now = new Date(now.getTime() + 120 * MINUTE)));

let addresses = 0;
const newAddress = (): string => {
  addresses += 1;
  return `198.18.${addresses >> 8}.${addresses & 255}`;
};

/** Somebody whom no account knows, at an address of their own. */
const stranger = (): Browser => openBrowser(t, newAddress());

/** `count` wrong passwords, each from another address; the statuses. */
const guess = async (login: string, count: number): Promise<number[]> => {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await stranger().signIn(login, "wrong")).status);
  return statuses;
};

/** As many guesses of strangers as there may be, without the time that each password takes. */
const useUp = async (name: string): Promise<void> => {
  const login = `${name}@example.com`;
  const [row] = await t.app.sql<{ id: string }[]>`SELECT id FROM users WHERE email = ${login}`;
  const of = { userId: row!.id };
  for (let n = 0; n < 25; n++) {
    await countGuess(t.app, PASSWORD_GUESSES, { of, ip: newAddress(), knownBrowser: null });
  }
};

const alertOf = ({ text }: Answer): string =>
  /role="alert"[^>]*>([^<]*)</.exec(text)?.[1]?.trim() ?? "";

const isSignedIn = async (browser: Browser) => (await browser.get("/settings")).status === 200;

/** A browser in which this person signed in once, and is not any more. */
const knownBrowser = async (name: string): Promise<Browser> => {
  const browser = stranger();
  assert.equal((await browser.signIn(name)).status, 302);
  await browser.submit(await browser.get("/settings"), "/auth/sign_out", {});
  assert.equal(await isSignedIn(browser), false);
  return browser;
};

describe("passwords", () => {
  it("of one account are counted together, by name and by address of its mails", async () => {
    await t.person("anna");
    const names = ["anna", "anna@example.com", "@Anna", "ANNA@EXAMPLE.COM", " anna "];
    for (const name of names) assert.deepEqual(await guess(name, 5), Array(5).fill(422), name);
    for (const name of names) assert.deepEqual(await guess(name, 1), [429], name);
    assert.equal((await stranger().signIn("anna")).status, 429, "also with the right one");
  });

  it("of an unknown account get the same answers", async () => {
    await t.person("bert");
    const answers = async (login: string) => {
      const statuses = await guess(login, 26);
      const last = await stranger().signIn(login, "wrong");
      return { statuses, words: alertOf(last), retry: last.headers.get("retry-after") };
    };
    const known = await answers("bert@example.com");
    assert.deepEqual(known.statuses, [...Array(25).fill(422), 429]);
    assert.deepEqual(await answers("nobody@example.com"), known);
  });

  it("over the limit the page says when to come back, and keeps the form", async () => {
    await t.person("cleo");
    now = new Date(Math.ceil(now.getTime() / 3_600_000) * 3_600_000 + 19.5 * MINUTE);
    await useUp("cleo");
    const answer = await stranger().signIn("cleo");
    assert.equal(answer.status, 429);
    assert.equal(answer.headers.get("retry-after"), String(40.5 * 60));
    assert.match(
      alertOf(answer),
      /Too many attempts to sign in to this account\. Try again in 41 /,
    );
    assert.match(answer.text, /name="login"[\s\S]*value="cleo"|value="cleo"[\s\S]*name="login"/);
    assert.match(answer.text, /action="\/auth\/sign_in\/passkey"/);
    forward(41);
    assert.equal((await stranger().signIn("cleo")).status, 302);
  });

  it("that are right do not count", async () => {
    await t.person("dana");
    for (let n = 0; n < 30; n++) assert.equal((await stranger().signIn("dana")).status, 302);
  });

  it("from one address are counted, which uses up nothing of the accounts", async () => {
    await t.person("edda");
    const browser = openBrowser(t, "203.0.113.200");
    const page = await browser.get(SIGN_IN);
    const statuses: number[] = [];
    for (let n = 0; n < 60; n++) {
      const form = { login: "edda", password: "wrong" };
      const login = n < 24 ? `nobody${n}` : "edda";
      statuses.push((await browser.submit(page, SIGN_IN, { ...form, login })).status);
    }
    assert.deepEqual(statuses, [...Array(25).fill(422), ...Array(35).fill(429)]);
    const last = await browser.submit(page, SIGN_IN, { login: "edda", password: PASSWORD });
    assert.match(alertOf(last), /Too many attempts from your network\. Try again in/);
    assert.equal((await stranger().signIn("edda")).status, 302);
  });
});

describe("strangers who guess cannot lock a person out", () => {
  it("of a browser in which they signed in before, also after others used up all guesses", async () => {
    await t.person("fred");
    const browser = await knownBrowser("fred");
    await guess("fred", 27);
    assert.equal((await browser.signIn("fred@example.com", "typo")).status, 422);
    assert.equal((await browser.signIn("fred@example.com")).status, 302);
    assert.equal(await isSignedIn(browser), true);
  });

  it("nor at an address from which others guess", async () => {
    await t.person("gina");
    const home = openBrowser(t, "203.0.113.201");
    await home.signIn("gina");
    await home.submit(await home.get("/settings"), "/auth/sign_out", {});
    for (let n = 0; n < 30; n++) await openBrowser(t, "203.0.113.201").signIn(`x${n}`, "wrong");
    assert.equal((await openBrowser(t, "203.0.113.201").signIn("gina")).status, 429);
    assert.equal((await home.signIn("gina")).status, 302);
  });

  it("a known browser has ten guesses of its own, and then those of everybody", async () => {
    await t.person("hugo");
    const browser = await knownBrowser("hugo");
    await useUp("hugo");
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await browser.signIn("hugo", "wrong")).status);
    assert.deepEqual(statuses, [...Array(10).fill(422), 429, 429]);
  });

  it("the cookie is http-only, new after each sign-in, and good for its account alone", async () => {
    const [{ userId }] = [await t.person("ines"), await t.person("ivan")];
    const browser = await knownBrowser("ines");
    const first = browser.cookies.get("rookery_known")!;
    forward(1);
    const answer = await browser.signIn("ines");
    const line = answer.headers.getSetCookie().find((text) => text.startsWith("rookery_known="))!;
    assert.match(line, /HttpOnly/);
    assert.match(line, /SameSite=Lax/);
    assert.notEqual(browser.cookies.get("rookery_known"), first);
    await useUp("ines");
    await useUp("ivan");
    const withCookie = async (value: string, login: string) => {
      const other = stranger();
      other.cookies.set("rookery_known", value);
      return (await other.signIn(login)).status;
    };
    const [id, number, end, signature] = first.split(".") as [string, string, string, string];
    assert.equal(id, userId);
    const ivan = await t.app.sql`SELECT id FROM users WHERE email = 'ivan@example.com'`;
    const forged = [
      ["ivan", first],
      ["ivan", first.replace(id, String(ivan[0]!["id"]))],
      ["ines", [id, (Number(number) + 1) % 16, end, signature].join(".")],
      ["ines", [id, number, Number(end) + 1, signature].join(".")],
      [
        "ines",
        [id, number, end, signature.replace(/^./, (c) => (c === "A" ? "B" : "A"))].join("."),
      ],
      ["ines", "x".repeat(3000)],
      ["ines", `${id}.1.9999999999.`],
    ] as const;
    for (const [login, value] of forged) assert.equal(await withCookie(value, login), 429, value);
    assert.equal(await withCookie(first, "ines"), 302);
  });

  it("several accounts may know one browser; it is known for a year, and until the password changes", async () => {
    const { userId } = await t.person("jana");
    await t.person("jens");
    const browser = await knownBrowser("jana");
    await browser.signIn("jens");
    const tried = async (login: string) => {
      await useUp(login);
      const other = stranger();
      other.cookies.set("rookery_known", browser.cookies.get("rookery_known")!);
      return (await other.signIn(login)).status;
    };
    assert.equal(await tried("jana"), 302);
    assert.equal(await tried("jens"), 302);
    forward(360 * 24 * 60);
    assert.equal(await tried("jens"), 302);
    forward(6 * 24 * 60);
    assert.equal(await tried("jens"), 429);
    await t.write`UPDATE users SET password_hash = password_hash || ' ' WHERE id = ${userId}`;
    assert.equal(await tried("jana"), 429);
  });

  it("a passkey gets in", async () => {
    await t.person("kurt");
    const browser = stranger();
    await browser.signIn("kurt");
    const passkey = makeAuthenticator(t.url);
    const options = ({ text }: Answer) =>
      /data-options="([^"]*)"/.exec(text)![1]!.replaceAll("&quot;", '"');
    const path = "/settings/passkeys";
    const form = { name: "key", current_password: PASSWORD };
    const page = await browser.submit(await browser.get(path), `${path}/start`, form);
    const credential = passkey.create(options(page));
    assert.equal((await browser.submit(page, path, { credential })).status, 302);
    await useUp("kurt");
    const other = stranger();
    const refused = await other.signIn("kurt");
    assert.equal(refused.status, 429);
    const use = { credential: passkey.get(options(refused)) };
    assert.equal((await other.submit(refused, "/auth/sign_in/passkey", use)).status, 302);
    assert.equal(await isSignedIn(other), true);
  });

  it("a new password by mail makes the browser a known one", async () => {
    await t.person("lena");
    await useUp("lena");
    const browser = stranger();
    const email = "lena@example.com";
    await browser.submit(await browser.get("/auth/password/new"), "/auth/password", { email });
    await t.runJobs();
    const mail = mailsOf(t).findLast((text) => text.includes(`To: ${email}`))!;
    const link = /(\/auth\/password\/edit\?\S+)/.exec(mail)![1]!;
    const done = await browser.submit(await browser.get(link), "/auth/password/edit", {
      password: "another horse",
    });
    assert.equal(done.headers.get("location"), "/auth/sign_in?done=password");
    assert.equal((await stranger().signIn("lena", "another horse")).status, 429);
    assert.equal((await browser.signIn("lena", "another horse")).status, 302);
  });
});

describe("codes", () => {
  const codeOf = (secret: string): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });

  /** Somebody with codes, and the browser in which they were set up. */
  const withCodes = async (name: string) => {
    await t.person(name);
    const browser = stranger();
    await browser.signIn(name);
    const path = "/settings/two_factor";
    const form = { current_password: PASSWORD };
    const start = await browser.submit(await browser.get(path), `${path}/start`, form);
    const secret = /class="secret grouped">([A-Z2-7 ]+)</.exec(start.text)![1]!.replaceAll(" ", "");
    await browser.submit(start, `${path}/confirm`, { code: codeOf(secret) });
    await browser.submit(await browser.get("/settings"), "/auth/sign_out", {});
    forward(60);
    return { browser, secret };
  };

  it("of one account are counted over all browsers; a known browser has codes of its own", async () => {
    const { browser, secret } = await withCodes("maja");
    // Whoever knows the password can guess codes; the first step gives them back.
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) {
      const browser = stranger();
      await browser.signIn("maja");
      const answer = await browser.submit(await browser.get(CODE), CODE, { code: "000000" });
      statuses.push(answer.status);
      if (answer.status === 429)
        assert.match(answer.text, /Too many attempts\. Try again in \d+ min/);
    }
    assert.deepEqual(statuses, [...Array(10).fill(422), 429, 429]);
    await browser.signIn("maja");
    const step = await browser.get(CODE);
    assert.equal((await browser.submit(step, CODE, { code: "000000" })).status, 422);
    assert.equal((await browser.submit(step, CODE, { code: codeOf(secret) })).status, 302);
    assert.equal(await isSignedIn(browser), true);
  });

  it("the password alone makes no browser known", async () => {
    await withCodes("nora");
    const browser = stranger();
    await browser.signIn("nora");
    assert.equal(browser.cookies.has("rookery_known"), false);
  });
});

describe("mails for a forgotten password", () => {
  const ask = async (browser: Browser, email: string) => {
    const page = await browser.get("/auth/password/new");
    return browser.submit(page, "/auth/password", { email });
  };
  const mailsTo = (email: string) =>
    mailsOf(t).filter((text) => text.includes(`To: ${email}`)).length;

  it("are counted by address of the mails, known or not", async () => {
    await t.person("olga");
    for (const email of ["olga@example.com", "nobody@example.org"]) {
      const statuses: number[] = [];
      for (let n = 0; n < 7; n++) {
        const written = n % 2 ? email : email.toUpperCase();
        statuses.push((await ask(stranger(), written)).status);
      }
      assert.deepEqual(statuses, [...Array(5).fill(302), 429, 429]);
    }
    await t.runJobs();
    assert.equal(mailsTo("olga@example.com"), 5);
  });

  it("are bounded for a person, even when the other counters were pushed out", async () => {
    await t.person("paul");
    for (let n = 0; n < 15; n++) {
      await t.app.counters.login.close();
      assert.equal((await ask(stranger(), "paul@example.com")).status, 302);
    }
    await t.runJobs();
    assert.equal(mailsTo("paul@example.com"), 10);
  });
});

describe("counters of guesses", () => {
  it("are not pushed out by filling the store from outside", async () => {
    await t.person("rosa");
    await useUp("rosa");
    const { kv, counters, caches } = t.app;
    const figures = () => new Map(caches.figures().map((figure) => [figure.name, figure]));
    // As many requests as it would take to fill every space that strangers can fill.
    for (let n = 0; n < 30_000; n++) {
      await kv.set(`filler:${n}`, "x".repeat(50), 3600);
      await counters.request.increment(`limit:api:ip:${n}`, 1, 3600);
      await counters.address.increment(`limit:password:ip:${n}`, 1, 3600);
      await counters.login.increment(`limit:password:unknown:${n}`, 1, 3600);
    }
    for (const name of ["key-value", "counters of requests", "counters of logins"]) {
      const { bytes, maxBytes } = figures().get(name)!;
      assert.ok(bytes <= maxBytes && bytes > maxBytes / 2, `${name}: ${bytes} of ${maxBytes}`);
    }
    assert.deepEqual(await guess("rosa", 1), [429]);
    assert.equal((await stranger().signIn("rosa")).status, 429);
  });

  it("guesses at unknown accounts, through the page, add nothing to the people's", async () => {
    const people = () => t.app.caches.figures().find(({ name }) => name === "counters of people")!;
    const before = people().entries;
    const page = await stranger().get(SIGN_IN);
    assert.ok(hiddenFields(page.text, SIGN_IN)["form_token"]);
    for (let n = 0; n < 10; n++) await guess(`made-up-${n}@example.com`, 1);
    assert.equal(people().entries, before);
  });
});

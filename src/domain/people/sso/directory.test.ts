// Signing in with the password of a directory, in the form of everybody, with Debian's slapd as the directory of a city.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../../test/browser.ts";
import type { Browser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { BASE, READER, startSlapd, withoutSlapd } from "../../../../test/slapd.ts";
import type { Slapd } from "../../../../test/slapd.ts";

const options = { skip: withoutSlapd };
let t: TestApp;
let city: Slapd;
const NEW = "/auth/sso/new";
const ADD = "/settings/ways/add/ldap";
let visitors = 0;
let ahead = 0;

before(async () => {
  if (withoutSlapd) return;
  city = await startSlapd();
  await city.addPerson("clerk");
  await city.addGroup("posters", "clerk");
  t = await startTestApp({
    clock: { now: () => new Date(Date.now() + ahead) },
    env: {
      LDAP_ENABLED: "true",
      LDAP_DISPLAY_NAME: "City of Rookery",
      LDAP_HOST: "localhost",
      LDAP_PORT: String(city.port),
      LDAP_METHOD: "start_tls",
      LDAP_TLS_CA_FILE: city.certificatePath,
      LDAP_BASE: BASE,
      LDAP_BIND_DN: READER.dn,
      LDAP_PASSWORD: READER.password,
      LDAP_UID: "uid",
      LDAP_GROUPS: `CN=posters, ${BASE}`,
    },
  });
});
after(async () => {
  await t?.close();
  await city?.close();
});

const locationOf = (answer: { headers: Headers }): string => answer.headers.get("location") ?? "";

/** Opens a browser at an address of its own, from which nobody has guessed yet. */
const visitor = (): Browser => openBrowser(t, `203.0.113.${++visitors}`);

const enter = (browser: Browser, uid: string) => browser.signIn(uid, `${uid}'s password`);

/** Adds somebody to the directory, and makes their account here. */
const newcomer = async (uid: string, handle: string): Promise<Browser> => {
  await city.addPerson(uid, { cn: `${uid} of the city` });
  await city.join("posters", uid);
  const browser = visitor();
  const answer = await enter(browser, uid);
  assert.equal(locationOf(answer), NEW, answer.text);
  const page = await browser.get(NEW);
  const made = await browser.submit(page, NEW, { username: handle, agreement: "1" });
  assert.equal(locationOf(made), "/welcome", made.text);
  return browser;
};

const signedInAs = async (browser: Browser): Promise<string | null> =>
  /@([\w]+)@127/.exec((await browser.get("/settings")).text)?.[1] ?? null;

test(
  "who has no password here signs in with that of the directory, and chooses a handle once",
  options,
  async () => {
    const browser = await newcomer("ada", "lovelace");
    assert.equal(await signedInAs(browser), "lovelace");
    await t.runJobs();
    const account = await t.visitor.get("/api/v1/accounts/lookup?acct=lovelace").ok();
    assert.equal(account.display_name, "ada of the city");
    for (const login of ["ada", "Ada", "ada@city.example"]) {
      const again = visitor();
      assert.equal(locationOf(await again.signIn(login, "ada's password")), "/home");
      assert.equal(await signedInAs(again), "lovelace");
    }
    // The handle here is no name there.
    assert.equal((await visitor().signIn("lovelace", "ada's password")).status, 422);
    const wanted = visitor();
    const page = await wanted.get("/auth/sign_in?return_to=%2Foauth%2Fauthorize%3Fclient_id%3Dx");
    const answer = await wanted.submit(page, "/auth/sign_in", {
      login: "ada",
      password: "ada's password",
    });
    assert.equal(locationOf(answer), "/oauth/authorize?client_id=x");
  },
);

test(
  "wrong and empty passwords, and names with signs of filters, let nobody in",
  options,
  async () => {
    await newcomer("bea", "bea");
    for (const [login, password] of [
      ["bea", "wrong"],
      ["bea", ""],
      ["*", "bea's password"],
      ["be*", "bea's password"],
      ["bea)(uid=*", "bea's password"],
    ] as const) {
      const browser = visitor();
      assert.equal((await browser.signIn(login, password)).status, 422, login);
      assert.equal(await signedInAs(browser), null);
    }
  },
);

test(
  "a password of this server is never asked elsewhere, nor the other way round",
  options,
  async () => {
    await t.person("cem");
    await city.addPerson("cem");
    await city.join("posters", "cem");
    assert.equal((await visitor().signIn("cem", "cem's password")).status, 422);
    assert.equal(locationOf(await visitor().signIn("cem")), "/home");
  },
);

const addTo = async (browser: Browser, values: Record<string, string>) =>
  browser.submit(await browser.get(ADD), ADD, { current_password: "correct horse", ...values });

test(
  "who has the name of somebody there adds the directory to the account, and signs in by both passwords",
  options,
  async () => {
    await t.person("ned");
    await t.person("nan");
    await city.addPerson("ned");
    await city.join("posters", "ned");
    const browser = visitor();
    await browser.signIn("ned");
    assert.ok((await browser.get("/settings/ways")).text.includes(`href="${ADD}"`));
    const there = { login: "ned", password: "ned's password" };
    for (const [values, status] of [
      [{ ...there, password: "wrong" }, 422],
      [{ ...there, current_password: "wrong" }, 422],
      [{ login: "fay", password: "fay's password" }, 422],
      [there, 302],
    ] as const)
      assert.equal((await addTo(browser, values)).status, status, JSON.stringify(values));
    assert.doesNotMatch((await browser.get("/settings/ways")).text, /ways\/add\/ldap/);
    for (const password of ["correct horse", "ned's password"]) {
      const again = visitor();
      assert.equal(locationOf(await again.signIn("ned", password)), "/home", password);
      assert.equal(await signedInAs(again), "ned");
    }
    assert.equal((await visitor().signIn("ned", "wrong")).status, 422);
    // The entry is one account's.
    const other = visitor();
    await other.signIn("nan");
    assert.equal((await addTo(other, there)).status, 403);
  },
);

test("with SSO_ONLY the form is there, for the passwords of the directory", options, async () => {
  const { sso } = t.app.config;
  sso.only = true;
  try {
    await t.person("otto");
    assert.equal((await visitor().signIn("otto")).status, 422);
    assert.match(locationOf(await enter(visitor(), "ada")), /^\/(?:home|welcome)$/);
  } finally {
    sso.only = false;
  }
});

test(
  "guesses at one entry are limited, however it is named and from wherever",
  options,
  async () => {
    await newcomer("dan", "dan");
    const names = ["dan", "dan@city.example", "DAN", "dan", "Dan@City.example"];
    for (const name of names) assert.equal((await visitor().signIn(name, "wrong")).status, 422);
    const refused = await visitor().signIn("dan", "dan's password");
    assert.equal(refused.status, 429);
    assert.match(refused.text, /Too many attempts to sign in with this name\. Try again in \d+/);
    assert.doesNotMatch(refused.text, /passkey, or use/);
    ahead += 16 * 60_000;
    assert.match(locationOf(await enter(visitor(), "dan")), /^\/(?:home|welcome)$/);
  },
);

test("our second factor is still asked for", options, async () => {
  await newcomer("eve", "eve");
  await t.write`
    INSERT INTO totp_secrets (user_id, sealed, confirmed_at)
    SELECT id, ''::bytea, now() FROM users WHERE email = 'eve@city.example'
  `;
  assert.equal(locationOf(await enter(visitor(), "eve")), "/auth/sign_in/code");
});

test("who is in no group, or closed there, is not let in", options, async () => {
  await city.addPerson("fay");
  const outside = await enter(visitor(), "fay");
  assert.match(outside.text, /City of Rookery signed you in, but/);
  await newcomer("gus", "gus");
  await city.leave("posters", "gus");
  assert.match((await enter(visitor(), "gus")).text, /aren’t in a group/);
});

test(
  "a directory that is away or slow keeps nobody else waiting, and the form says it",
  options,
  async () => {
    await newcomer("hal", "hal");
    await t.person("ivy");
    city.pause();
    let isAnswered = false;
    const waiting = enter(visitor(), "hal").finally(() => (isAnswered = true));
    assert.equal((await visitor().signIn("ivy")).status, 302);
    assert.equal(isAnswered, false);
    const slow = await waiting;
    city.goOn();
    assert.equal(slow.status, 502);
    assert.match(slow.text, /City of Rookery can’t be reached/);
    await city.kill();
    assert.equal((await visitor().signIn("ivy")).status, 302);
    const away = await enter(visitor(), "hal");
    assert.equal(away.status, 502);
    assert.match(away.text, /City of Rookery can’t be reached/);
    await city.start();
    assert.match(locationOf(await enter(visitor(), "hal")), /^\/(?:home|welcome)$/);
  },
);

// Leaving a directory: who is gone, closed, renamed or in no group any more is noticed within the hour.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { enterCommandLine, runCommand } from "../../../test/command-line.ts";
import { nextNoon } from "../../../test/clocks/noon.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { BASE, READER, startSlapd, withoutSlapd } from "../../../test/slapd.ts";
import type { Slapd } from "../../../test/slapd.ts";
import { checkDue } from "./check.ts";

const options = { skip: withoutSlapd };
let t: TestApp;
let city: Slapd;
let env: Record<string, string>;
let now = nextNoon();
let visitors = 0;

before(async () => {
  if (withoutSlapd) return;
  city = await startSlapd();
  await city.addPerson("clerk");
  await city.addGroup("posters", "clerk");
  await city.addGroup("editors", "clerk");
  env = {
    LDAP_ENABLED: "true",
    LDAP_DISPLAY_NAME: "City",
    LDAP_HOST: "localhost",
    LDAP_PORT: String(city.tlsPort),
    LDAP_TLS_CA_FILE: city.certificatePath,
    LDAP_BASE: BASE,
    LDAP_BIND_DN: READER.dn,
    LDAP_PASSWORD: READER.password,
    LDAP_UID: "uid",
    LDAP_GROUPS: city.groupOf("posters"),
    LDAP_ROLES: `${city.groupOf("editors")}=Moderator`,
    LDAP_SEARCH_FILTER: "(&(!(title=left))(uid=%{email}))",
  };
  t = await startTestApp({ clock: { now: () => now }, env });
});
after(async () => {
  await t?.close();
  await city?.close();
});

const isHere = async (browser: Browser): Promise<boolean> =>
  (await browser.get("/settings")).status === 200;

/** Makes an account of somebody in the directory; returns their browser, signed in. */
const newcomer = async (uid: string) => {
  await city.addPerson(uid);
  await city.join("posters", uid);
  const browser = openBrowser(t, `203.0.113.${++visitors}`);
  await browser.signIn(uid, `${uid}'s password`);
  const page = await browser.get("/auth/sso/new");
  const made = await browser.submit(page, "/auth/sso/new", { username: uid, agreement: "1" });
  assert.equal(made.status, 302, made.text);
  assert.ok(await isHere(browser));
  return browser;
};

/** Lets everybody become due, and asks. */
const checkLater = async (): Promise<void> => {
  now = new Date(now.getTime() + 55 * 60_000);
  await checkDue(t.app);
};

test(
  "who leaves the group, the directory, or is found no more, loses sessions; others stay",
  options,
  async () => {
    const [ada, bea, cem, dan] = [
      await newcomer("ada"),
      await newcomer("bea"),
      await newcomer("cem"),
      await newcomer("dan"),
    ];
    await checkLater();
    for (const browser of [ada, bea, cem, dan]) assert.ok(await isHere(browser));
    await city.leave("posters", "ada");
    await city.removePerson("bea");
    await city.replace("cem", { title: "left" });
    await city.rename("dan", "daniel");
    await checkLater();
    for (const browser of [ada, bea, cem]) assert.ok(!(await isHere(browser)));
    assert.ok(await isHere(dan));
  },
);

test("roles follow the groups", options, async () => {
  await newcomer("eve");
  await city.join("editors", "eve");
  await checkLater();
  const roleOf = async () =>
    (
      await t.app.sql`
        SELECT r.name FROM users u JOIN roles r ON r.id = u.role_id WHERE u.email = 'eve@city.example'
      `
    )[0]?.["name"];
  assert.equal(await roleOf(), "Moderator");
  await city.leave("editors", "eve");
  await checkLater();
  assert.notEqual(await roleOf(), "Moderator");
});

test("nobody loses anything while the directory is away or refuses to say", options, async () => {
  const browser = await newcomer("fay");
  await city.kill();
  await checkLater();
  assert.ok(await isHere(browser));
  await city.start();
  await city.leave("posters", "fay");
  await checkLater();
  assert.ok(!(await isHere(browser)));
});

test("the ways to sign in name the directory", options, async () => {
  const browser = await newcomer("gus");
  const page = await browser.get("/settings/ways");
  assert.match(page.text, /City/);
  assert.match(page.text, /gus@city\.example/);
  assert.doesNotMatch(page.text, /no longer/);
});

test(
  "rookery sso and the doctor ask the directory, and tell nobody its password",
  options,
  async () => {
    const leaveCommandLine = enterCommandLine(t);
    try {
      const ask = (...words: string[]) => runCommand({ ...process.env, ...env }, words);
      const tried = await ask("sso", "try", "City");
      assert.equal(tried.code, 0, tried.output);
      assert.match(tried.output, new RegExp(`directory: localhost:${city.tlsPort}`));
      const listed = await ask("sso", "list", "--json");
      assert.match(listed.output, /"kind": "ldap"/);
      assert.ok(!(tried.output + listed.output).includes(READER.password));
      assert.match(
        (await ask("sso", "remove", "City")).output,
        /set by LDAP_\*: remove those variables/,
      );
      assert.match((await ask("doctor")).output, /City answers as a provider of sign-in should/);
      await city.kill();
      assert.match((await ask("sso", "try", "City")).output, /doesn’t respond/);
      assert.match((await ask("doctor")).output, /City can’t sign people in/);
    } finally {
      leaveCommandLine();
      await city.start();
    }
  },
);

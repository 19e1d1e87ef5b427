// Providers of sign-in by commands: tried before they are saved, secrets sealed, groups that enter and the roles that
// they give.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, mock, test } from "node:test";
import { run } from "../../../src/cli/run.ts";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { enterCommandLine } from "../../../test/command-line.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { CLIENT, startOidcServer } from "../../../test/oidc-server.ts";
import type { OidcServer } from "../../../test/oidc-server.ts";
import { startSamlServer } from "../../../test/saml-server.ts";
import { lastAudit } from "../../../test/staff-world.ts";

let t: TestApp;
let city: OidcServer;
/** The provider of the environment, whose secret is wrong. */
let desk: OidcServer;
let leaveCommandLine: () => void;
const folder = mkdtempSync(join(tmpdir(), "rookery-sso-"));
const secretFile = join(folder, "secret");

before(async () => {
  writeFileSync(secretFile, `${CLIENT.secret}\n`);
  city = await startOidcServer();
  desk = await startOidcServer();
  t = await startTestApp();
  desk.register(t.url, [`${t.url}/auth/auth/openid_connect/callback`]);
  leaveCommandLine = enterCommandLine(t);
  Object.assign(process.env, {
    OIDC_ENABLED: "true",
    OIDC_DISPLAY_NAME: "Front Desk",
    OIDC_ISSUER: desk.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: "another secret",
  });
});
after(async () => {
  leaveCommandLine();
  await t.close();
  await city.close();
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => mock.restoreAll());

const rookery = async (...words: string[]) => {
  const lines: string[] = [];
  mock.method(console, "log", (text: string) => lines.push(text));
  mock.method(console, "error", (text: string) => lines.push(text));
  process.exitCode = 0;
  await run(["node", "rookery", "sso", ...words]);
  const code = Number(process.exitCode);
  process.exitCode = 0;
  mock.restoreAll();
  return { out: lines.join("\n"), code };
};

const locationOf = (answer: { headers: Headers }): string => answer.headers.get("location") ?? "";

const idOf = async (name: string): Promise<string> =>
  (await t.app.sql`SELECT id FROM sso_providers WHERE name = ${name}`)[0]!["id"];

const signIn = async (browser: Browser, id: string, who: string) => {
  city.signInAs(who);
  const begun = await browser.submit(await browser.get("/auth/sign_in"), `/auth/sso/${id}`, {});
  return browser.get(await city.follow(locationOf(begun)));
};

const roleOf = async (email: string): Promise<string> =>
  (await t.app.sql`SELECT role_id FROM users WHERE email = ${email}`)[0]!["role_id"];

const add = (issuer: string, ...more: string[]) => {
  const client = ["--client-id", CLIENT.id, "--secret-file", secretFile];
  const groups = ["--group", "staff", "--group", "editors", "--role", "editors=Moderator"];
  return rookery("add", "City", "--issuer", issuer, ...client, ...groups, ...more);
};

test("a provider is tried before it is saved, and its secret is told to nobody", async () => {
  for (const answer of [
    await add("http://127.0.0.1:1"),
    await add("city"),
    await add(city.issuer, "--subject", "email"),
    await add(city.issuer, "--role", "staff=Emperor"),
    await add(city.issuer, "--role", "staff=Owner"),
    await add(city.issuer, "--scope", "email"),
    await add(`${desk.issuer}/`),
  ])
    assert.equal(answer.code, 1, answer.out);
  const owners = await add(city.issuer, "--role", "staff=owner");
  assert.match(
    owners.out,
    /No provider makes anyone an owner: choose another role than “Owner”\.$/,
  );
  assert.equal((await t.app.sql`SELECT FROM sso_providers`).length, 0);
  const ftp = await add("ftp://x");
  assert.equal(ftp.out.match(/http/gi)?.length, 1, ftp.out);
  city.register(t.url, [`${t.url}/auth/sso/0/callback`]);
  const wrong = await rookery("add", "City", "--issuer", city.issuer, "--client-id", CLIENT.id);
  assert.equal(wrong.code, 1);
  assert.match(wrong.out, /secret is refused \(invalid_client\)/);
  const added = await add(`${city.issuer}/`);
  assert.equal(added.code, 0, added.out);
  const [saved] = await t.app.sql`SELECT issuer FROM sso_providers`;
  assert.equal(saved!["issuer"], city.issuer, "as it names itself");
  assert.equal(await lastAudit(t), "sso.create");
  const callback = `${t.url}/auth/sso/${await idOf("City")}/callback`;
  city.register(t.url, [callback]);
  assert.ok(added.out.includes(`redirect: ${callback}`), added.out);
  const after = `after signing out: ${t.url}/auth/sign_in?done=signed_out`;
  assert.ok(added.out.includes(after), added.out);
  assert.equal((await add(city.issuer)).code, 1, "one of a name and issuer");
  const tried = await rookery("try", "City");
  assert.match(tried.out, /token: http/);
  assert.equal((await rookery("try", "Village")).code, 1);
  const listed = await rookery("list", "--json");
  const [row] = await t.app.sql`SELECT settings::text, sealed_secret FROM sso_providers`;
  const log = JSON.stringify(await t.app.sql`SELECT * FROM audit_log`);
  const stored = row!["settings"] + row!["sealed_secret"].toString("latin1") + log;
  assert.ok(!(stored + added.out + tried.out + listed.out).includes(CLIENT.secret));
});

test("the provider of the environment is found by name and id, tried with its secret, and never removed", async () => {
  for (const name of ["Front Desk", "openid_connect"]) {
    const tried = await rookery("try", name);
    assert.equal(tried.code, 1);
    assert.match(tried.out, /The client ID or its secret is refused \(invalid_client\)/);
    const removed = await rookery("remove", name);
    assert.equal(removed.code, 1);
    assert.match(removed.out, /is set by OIDC_\*: remove those variables/);
  }
});

test("groups decide who enters, and which role they get at each sign-in", async () => {
  const id = await idOf("City");
  const claims = { email: "ed@city.example", email_verified: true };
  city.people.set("ed", { ...claims, groups: ["cooks"] });
  const out = await signIn(openBrowser(t, "203.0.113.1"), id, "ed");
  assert.equal(out.status, 403);
  assert.match(out.text, /aren’t in a group/);
  city.people.set("ed", { ...claims, groups: ["cooks", "editors"] });
  const browser = openBrowser(t, "203.0.113.1");
  assert.equal(locationOf(await signIn(browser, id, "ed")), "/auth/sso/new");
  const page = await browser.get("/auth/sso/new");
  await browser.submit(page, "/auth/sso/new", { username: "ed", agreement: "1" });
  assert.equal(await roleOf("ed@city.example"), "1");
  assert.equal((await browser.get("/admin/reports")).status, 200);
  city.people.set("ed", { ...claims, groups: ["staff"] });
  // It is /welcome until somebody's first use of the server is stored, which waits for others.
  assert.match(locationOf(await signIn(openBrowser(t), id, "ed")), /^\/(?:home|welcome)$/);
  assert.equal(await roleOf("ed@city.example"), "-99");
  assert.equal((await browser.get("/admin/reports")).status, 403);
  assert.equal(await lastAudit(t), "account.change_role");
  await t.write`UPDATE users SET role_id = 3 WHERE email = 'ed@city.example'`;
  await signIn(openBrowser(t), id, "ed");
  assert.equal(await roleOf("ed@city.example"), "3", "owners keep theirs");
  await t.write`UPDATE users SET role_id = -99 WHERE email = 'ed@city.example'`;
  // Who comes without a group loses what is left of the sign-ins before.
  city.people.set("ed", { ...claims, groups: [] });
  assert.equal((await signIn(openBrowser(t), id, "ed")).status, 403);
  assert.equal((await browser.get("/settings")).status, 302);
});

test("an address that another claim has is never one that the provider has verified", async () => {
  const id = await idOf("City");
  const claims = { email: "no@city.example", email_verified: true, groups: ["staff"] };
  city.people.set("mia", { ...claims, name: "Mia", nickname: "mia_m", picture: "m@city.example" });
  await t.write`
    UPDATE sso_providers SET settings = jsonb_set(settings, '{claims}',
      '{"subject":"sub","username":"name","email":"picture"}')
  `;
  const browser = openBrowser(t, "203.0.113.9");
  assert.equal(locationOf(await signIn(browser, id, "mia")), "/auth/sso/new");
  const page = await browser.get("/auth/sso/new");
  assert.match(page.text, /name="email"[^>]*value="m@city\.example"/);
  assert.match(page.text, /name="username"[^>]*value="mia"/);
});

test("a provider is removed once that is confirmed; its people are signed out and keep their accounts", async () => {
  const id = await idOf("City");
  city.people.set("ed", { email: "ed@city.example", groups: ["staff"] });
  const browser = openBrowser(t);
  await signIn(browser, id, "ed");
  const [user] = await t.app.sql`SELECT id FROM users WHERE email = 'ed@city.example'`;
  const phone = t.as(await t.token(user!["id"], ["read"]));
  const asked = await rookery("remove", "City");
  assert.equal(asked.code, 1);
  assert.match(asked.out, /\(1\).*--yes/);
  assert.equal((await phone.get("/api/v1/accounts/verify_credentials")).status, 200);
  assert.equal((await rookery("remove", "City", "--yes")).out, "OK");
  assert.equal(await lastAudit(t), "sso.remove");
  assert.equal((await browser.get("/settings")).status, 302);
  assert.equal((await phone.get("/api/v1/accounts/verify_credentials")).status, 401);
  assert.equal((await browser.get(`/auth/sso/${id}/callback?code=1&state=1`)).status, 404);
  assert.equal((await t.app.sql`SELECT FROM sso_identities`).length, 1);
});

test("of a provider of SAML its own address is asked, and told what it needs", async () => {
  const county = await startSamlServer();
  Object.assign(process.env, {
    SAML_ENABLED: "true",
    SAML_IDP_ENTITY_ID: county.entityId,
    SAML_IDP_METADATA: `${county.origin}/metadata`,
  });
  const tried = await rookery("try", "saml");
  assert.ok(tried.out.includes(`metadata of this server: ${t.url}/auth/auth/saml/metadata`));
  assert.doesNotMatch(tried.out, /after signing out/);
  await county.close();
  const away = await rookery("try", "saml");
  assert.equal(away.code, 1);
  assert.ok(away.out.includes(`${county.origin}/metadata doesn’t respond`), away.out);
});

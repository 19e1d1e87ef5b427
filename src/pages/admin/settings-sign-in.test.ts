// Providers of sign-in on the page of the staff: tried before they are saved, changed, and removed after a question.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { mailsOf } from "../../../test/mail.ts";
import { CLIENT, startOidcServer } from "../../../test/oidc-server.ts";
import type { OidcServer } from "../../../test/oidc-server.ts";
import { lastAudit, openStaffWorld, submit } from "../../../test/staff-world.ts";
import type { StaffWorld } from "../../../test/staff-world.ts";

let t: StaffWorld["t"];
let owner: StaffWorld["owner"];
let mod: StaffWorld["mod"];
let city: OidcServer;
const PATH = "/admin/settings/sign-in";

before(async () => {
  city = await startOidcServer();
  ({ t, owner, mod } = await openStaffWorld());
});
after(async () => {
  await t.close();
  await city.close();
});

const FORM = {
  name: "City",
  client_id: CLIENT.id,
  secret: CLIENT.secret,
  client_auth: "basic",
  scope: "openid profile email",
  subject: "sub",
  groups_claim: "groups",
  groups: "staff\neditors",
  roles: "editors = Moderator",
  signs_up: "1",
};

const locationOf = (answer: { headers: Headers }): string => answer.headers.get("location") ?? "";

const idOf = async (name: string): Promise<string> =>
  (await t.app.sql`SELECT id FROM sso_providers WHERE name = ${name}`)[0]!["id"];

const signIn = async (browser: Browser, id: string, who: string) => {
  city.signInAs(who);
  const begun = await browser.submit(await browser.get("/auth/sign_in"), `/auth/sso/${id}`, {});
  return browser.get(await city.follow(locationOf(begun)));
};

test("a provider is tried before it is saved, and by owners alone", async () => {
  const page = await owner.get(PATH);
  const nowhere = await owner.submit(page, PATH, { ...FORM, issuer: "http://127.0.0.1:1" });
  assert.equal(nowhere.status, 422);
  assert.match(nowhere.text, /127\.0\.0\.1:1 doesn’t respond/);
  for (const [field, value] of [
    ["subject", "email"],
    ["client_id", ""],
    ["roles", "editors = Emperor"],
    ["roles", "editors = Owner"],
    ["issuer", "city"],
  ]) {
    const wrong = await owner.submit(page, PATH, {
      ...FORM,
      issuer: city.issuer,
      [field!]: value!,
    });
    assert.equal(wrong.status, 422, `${field} ${value}`);
  }
  assert.equal((await t.app.sql`SELECT FROM sso_providers`).length, 0);
  assert.equal((await mod.get(PATH)).status, 403);
  const added = await submit(owner, PATH, PATH, { ...FORM, issuer: city.issuer });
  assert.match(added.text, /Provider added/);
  assert.equal(await lastAudit(t), "sso.create");
  const id = await idOf("City");
  city.register(t.url, [`${t.url}/auth/sso/${id}/callback`]);
  assert.ok(added.text.includes(`${t.url}/auth/sso/${id}/callback`));
  const [row] = await t.app.sql`SELECT * FROM sso_providers`;
  const stored =
    Buffer.from(JSON.stringify(row)).toString() + row!["sealed_secret"].toString("latin1");
  assert.ok(!stored.includes(CLIENT.secret) && !added.text.includes(CLIENT.secret));
  const log = JSON.stringify(await t.app.sql`SELECT details FROM audit_log`);
  assert.ok(!log.includes(CLIENT.secret));
});

test("whoever saves a form that was drawn before another change is told, and may replace that", async () => {
  const update = `${PATH}/${await idOf("City")}/update`;
  const [first, second] = [await owner.get(PATH), await owner.get(PATH)];
  const form = { ...FORM, secret: "", groups: "staff" };
  assert.equal((await owner.submit(first, update, form)).status, 302);
  const late = { ...FORM, secret: "", name: "Town", groups: "" };
  const refused = await owner.submit(second, update, late);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /This was saved elsewhere/);
  assert.ok(refused.text.includes("Saved now: City") && refused.text.includes("Saved now: staff"));
  const [row] = await t.app.sql`SELECT name, settings->'groups' AS groups FROM sso_providers`;
  assert.deepEqual({ ...row }, { name: "City", groups: ["staff"] });
  assert.equal((await owner.submit(refused, update, late)).status, 302);
  await submit(owner, PATH, update, { ...FORM, secret: "" });
});

test("a provider that is away is said to be, also where no field has its address", async () => {
  await t.write`
    INSERT INTO sso_providers (kind, name, issuer, settings, created_at)
    SELECT kind, 'Away', 'http://127.0.0.1:1', settings, created_at FROM sso_providers
  `;
  const id = await idOf("Away");
  for (const act of ["try", "update"]) {
    const fields = { ...FORM, name: "Away", secret: "", roles: "" };
    const refused = await owner.submit(await owner.get(PATH), `${PATH}/${id}/${act}`, fields);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /127\.0\.0\.1:1 doesn’t respond/);
    assert.doesNotMatch(refused.text, /Correct the marked fields/);
  }
  await t.write`DELETE FROM sso_providers WHERE id = ${id}`;
});

test("the card says what gives roles and where people land, and a form all that is wrong at once", async () => {
  const page = await owner.get(PATH);
  assert.match(page.text, /Roles by group:[^]*editors = Moderator/);
  assert.ok(page.text.includes(`${t.url}/auth/sign_in?done=signed_out`));
  const issuer = "http://127.0.0.1:1";
  const form = { ...FORM, name: "Other", issuer, roles: "broken" };
  const refused = await owner.submit(page, PATH, form);
  assert.match(refused.text, /127\.0\.0\.1:1 doesn’t respond/);
  assert.match(refused.text, /Write “broken” as a group/);
});

test("who is in no group can leave the provider, and come as somebody else", async () => {
  city.people.set("out", { email: "out@city.example", email_verified: true });
  const refused = await signIn(openBrowser(t), await idOf("City"), "out");
  assert.equal(refused.status, 403);
  assert.match(refused.text, /aren’t in a group/);
  const [, url = ""] = /href="([^"]*\/session\/end[^"]*)"/.exec(refused.text) ?? [];
  const there = new URL(url.replaceAll("&amp;", "&"));
  assert.equal(there.origin, city.issuer);
  assert.ok(there.searchParams.get("id_token_hint"));
  assert.ok((await fetch(there)).ok);
});

test("a provider is changed, keeps its secret, and is removed once that is confirmed", async () => {
  const id = await idOf("City");
  const form = { ...FORM, name: "Town", groups: "", roles: "", secret: "" };
  await submit(owner, PATH, `${PATH}/${id}/update`, form);
  assert.equal(await lastAudit(t), "sso.update");
  city.people.set("fi", { email: "fi@city.example", email_verified: true });
  const browser = openBrowser(t);
  assert.equal(locationOf(await signIn(browser, id, "fi")), "/auth/sso/new");
  const fields = { username: "fi", agreement: "1" };
  await browser.submit(await browser.get("/auth/sso/new"), "/auth/sso/new", fields);
  assert.match((await submit(owner, PATH, `${PATH}/${id}/try`)).text, /answers as it should/);
  const made = await owner.submit(await owner.get(PATH), `${PATH}/${id}/scim`, {});
  assert.equal(made.status, 200, made.text);
  const [, token = ""] = /<code[^>]*>([\w-]{43})<\/code>/.exec(made.text) ?? [];
  const headers = { authorization: `Bearer ${token}` };
  const users = () => fetch(`${t.url}/scim/v2/Users`, { headers });
  assert.equal((await users()).status, 200);
  assert.equal(await lastAudit(t), "sso.make_token");
  const shown = await submit(owner, PATH, `${PATH}/${id}/scim/end`);
  assert.ok(!shown.text.includes(token) && /SCIM token ended/.test(shown.text));
  assert.equal((await users()).status, 401);
  const question = await owner.submit(await owner.get(PATH), `${PATH}/${id}/delete`, {});
  assert.match(question.text, /Those without a password/);
  await submit(owner, PATH, `${PATH}/${id}/delete`);
  assert.equal((await t.app.sql`SELECT FROM sso_providers`).length, 0);
  assert.equal((await openBrowser(t).post(`/auth/sso/${id}`, {})).status, 403);
  // Whom it signed in is told, and sets a password by a link.
  const page = await browser.get("/auth/sign_in");
  assert.match(page.text, /Nobody signs in with .*127\.0\.0\.1/);
  assert.doesNotMatch((await openBrowser(t).get("/auth/sign_in")).text, /Nobody signs in with/);
  const ask = await browser.get("/auth/password/new");
  assert.match(ask.text, /even if you’ve had no password/);
  await browser.submit(ask, "/auth/password", { email: "fi@city.example" });
  await t.runJobs();
  const [, link = ""] = /(\/auth\/password\/edit\?\S+)/.exec(mailsOf(t).join("\n")) ?? [];
  const choose = await browser.get(link);
  const password = "a new password of fi";
  assert.equal((await browser.submit(choose, "/auth/password/edit", { password })).status, 302);
  assert.equal(locationOf(await openBrowser(t).signIn("fi", password)), "/welcome");
});

// Who may sign up, and by what: modes, invitations, minimum age, reserved names, captcha; on the pages and by the API.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, test } from "node:test";
import { hiddenFields, openBrowser } from "../../../../test/browser.ts";
import type { Browser } from "../../../../test/browser.ts";
import { nextNoon } from "../../../../test/clocks/noon.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { confirmationLink } from "../../../../test/mail.ts";
import { modifyEveryone } from "../../base/roles/roles.ts";
import { createInvite } from "./invites.ts";
import { setSetting } from "../../base/settings/settings.ts";

let t: TestApp;
let service: Server;
let now = nextNoon();
let alice: Person;
let member: Browser;
let appToken: string;
/** What the fake captcha service was asked. */
const sent: URLSearchParams[] = [];
let answer: { status: number; body: string };

before(async () => {
  service = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      sent.push(new URLSearchParams(body));
      response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const { port } = service.address() as AddressInfo;
  t = await startTestApp({
    clock: { now: () => now },
    env: {
      HCAPTCHA_SITE_KEY: "site",
      HCAPTCHA_SECRET_KEY: "secret",
      HCAPTCHA_VERIFY_URL: `http://127.0.0.1:${port}/siteverify`,
    },
  });
  alice = await t.person("alice");
  member = openBrowser(t);
  await member.signIn("alice");
  const form = { client_name: "App", redirect_uris: "a:/b", scopes: "read write" };
  const { client_id, client_secret } = (
    await t.visitor.post("/api/v1/apps", new URLSearchParams(form))
  ).json;
  const grant = { grant_type: "client_credentials", scope: "read write", client_id, client_secret };
  appToken = (await t.visitor.post("/oauth/token", new URLSearchParams(grant))).json.access_token;
});
after(async () => {
  await t.close();
  service.close();
});
// Each test in its own hour: sign-ups of one do not count in the next.
beforeEach(async () => {
  now = new Date(now.getTime() + 3_600_000);
  await setSetting(t.app, "registrations", "closed");
});

const person = (name: string, more: Record<string, string> = {}) => ({
  username: name,
  email: `${name}@example.com`,
  password: "long enough",
  ...more,
});

const signUp = (name: string, more: Record<string, string> = {}) =>
  t
    .as(appToken)
    .post(
      "/api/v1/accounts",
      new URLSearchParams({ ...person(name, more), agreement: "true", locale: "en" }),
    );

const makeInvite = async (who: Browser, form: Record<string, string> = {}): Promise<string> => {
  const page = await who.get("/settings/invites");
  const answer = await who.submit(page, "/settings/invites", {
    max_uses: "1",
    expires_in: "86400",
    ...form,
  });
  assert.equal(answer.status, 302);
  return /\/invite\/(\w+)/.exec((await who.get("/settings/invites")).text)![1]!;
};

const userOf = async (name: string) => {
  const [row] = await t.app.sql`
    SELECT u.* FROM users u JOIN accounts a ON a.id = u.account_id WHERE a.username = ${name}
  `;
  return row!;
};

describe("invitations", () => {
  test("let people sign up on a closed server, as often as they say, in the time they say", async () => {
    const code = await makeInvite(member);
    const path = `/invite/${code}`;
    const visitor = openBrowser(t);
    const page = await visitor.get(path);
    assert.match(page.text, /@alice<\/strong><\/a>\s+invites you/);
    const headers = { accept: "application/json" };
    const { json } = await t.visitor.get(path, headers);
    assert.deepEqual(json, { invite_code: code, instance_api_url: `${t.url}/api/v2/instance` });
    assert.equal((await openBrowser(t).get("/invite/%00")).status, 401);
    assert.equal((await member.get(path)).status, 302);
    assert.equal((await visitor.get("/auth/sign_up")).status, 403);
    const values = { ...person("bob"), agreement: "1" };
    const wrong = await visitor.submit(page, "/auth/sign_up", { ...values, password: "short" });
    assert.equal(wrong.status, 422);
    assert.equal(hiddenFields(wrong.text, "/auth/sign_up")["invite_code"], code);
    assert.equal((await visitor.submit(wrong, "/auth/sign_up", values)).status, 302);
    assert.equal((await userOf("bob"))["approved"], false);
    assert.equal((await openBrowser(t).get(path)).status, 401);
    assert.equal((await t.visitor.get(path, headers)).status, 401);
    assert.equal((await signUp("late", { invite_code: code })).status, 403);
    const old = await makeInvite(member);
    now = new Date(now.getTime() + 86_400_000);
    assert.equal((await openBrowser(t).get(`/invite/${old}`)).status, 401);
    const admin = await t.person("root", { role: "Owner", scopes: ["admin:read"] });
    const list = `/api/v2/admin/accounts?invited_by=${alice.accountId}`;
    const invited = (await admin.get(list)).json;
    assert.deepEqual(
      invited.map((row: Record<string, string>) => [row["username"], row["invited_by_account_id"]]),
      [["bob", alice.accountId]],
    );
  });

  test("skip the approval only where the role says so; one use is one account", async () => {
    await setSetting(t.app, "registrations", "approved");
    assert.equal((await signUp("nobody")).status, 422);
    await t.person("chief", { role: "Owner" });
    const chief = openBrowser(t);
    await chief.signIn("chief");
    const code = await makeInvite(chief);
    const both = await Promise.all([
      signUp("carl", { invite_code: code }),
      signUp("cora", { invite_code: code }),
    ]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 403]);
    const [used] = await t.app.sql`SELECT uses FROM invites WHERE code = ${code}`;
    assert.equal(used!["uses"], 1);
    const [{ count } = { count: -1 }] = await t.app.sql<{ count: number }[]>`
      SELECT count(*)::int FROM users WHERE invite_id = (SELECT id FROM invites WHERE code = ${code})
    `;
    assert.equal(count, 1);
    const came = both[0]!.status === 200 ? "carl" : "cora";
    assert.equal((await userOf(came))["approved"], true);
  });

  test("end by who made them, by the staff, and with the permission", async () => {
    const code = await makeInvite(member, { max_uses: "", expires_in: "" });
    const [row] = await t.app.sql`SELECT id FROM invites WHERE code = ${code}`;
    const dora = await t.person("dora");
    const other = openBrowser(t);
    await other.signIn("dora");
    assert.ok(dora);
    const mine = await makeInvite(other);
    const page = await other.get("/settings/invites");
    const foreign = await other.submit(page, "/settings/invites/end", { id: row!["id"] });
    assert.equal(foreign.status, 404);
    const owner = openBrowser(t);
    await t.person("boss", { role: "Owner" });
    await owner.signIn("boss");
    await owner.submit(await owner.get("/admin/invites"), `/admin/invites/${row!["id"]}/end`, {});
    assert.equal((await openBrowser(t).get(`/invite/${code}`)).status, 401);
    const [{ action } = {}] = await t.app
      .sql`SELECT action FROM audit_log ORDER BY id DESC LIMIT 1`;
    assert.equal(action, "invite.end");
    const enabled = async () => (await t.visitor.get("/api/v1/instance")).json.invites_enabled;
    assert.equal(await enabled(), true);
    await modifyEveryone(t.app.sql, []);
    assert.equal(await enabled(), false);
    assert.equal((await openBrowser(t).get(`/invite/${mine}`)).status, 401);
    assert.match((await other.get("/settings/invites")).text, /turned off invitations/);
    await modifyEveryone(t.app.sql, ["invite_users"]);
    for (const max_uses of ["0.5", "101"]) {
      const form = await member.get("/settings/invites");
      const fields = { max_uses, expires_in: "" };
      assert.equal((await member.submit(form, "/settings/invites", fields)).status, 422, max_uses);
    }
  });
});

describe("the form", () => {
  beforeEach(() => setSetting(t.app, "registrations", "open"));

  test("asks for an age and keeps names free", async () => {
    await setSetting(t.app, "min_age", 16);
    await setSetting(t.app, "reserved_names", ["council", "owner"]);
    assert.equal((await t.visitor.get("/api/v2/instance")).json.registrations.min_age, 16);
    const fault = async (name: string, date: string) => {
      const { json } = await signUp(name, { date_of_birth: date });
      return (json.details?.date_of_birth ?? json.details?.username)?.[0]?.error;
    };
    const year = now.getUTCFullYear();
    const day = now.toISOString().slice(4, 10);
    const tomorrow = new Date(now.getTime() + 86_400_000).toISOString().slice(4, 10);
    assert.equal(await fault("erik", ""), "ERR_BLANK");
    assert.equal(await fault("erik", "2001-02-30"), "ERR_INVALID");
    if (day !== "-12-31")
      assert.equal(await fault("erik", `${year - 16}${tomorrow}`), "ERR_BELOW_LIMIT");
    assert.equal(await fault("Council", `${year - 30}-01-01`), "ERR_RESERVED");
    const visitor = openBrowser(t);
    const form = await visitor.get("/auth/sign_up");
    assert.match(form.text, /at least 16 years old/);
    // The server and its administrator both reserve this name, which is said once.
    const refused = await visitor.submit(form, "/auth/sign_up", { username: "owner" });
    assert.match(refused.text, /This name is reserved\. Choose a different one\.\s*</);
    await signUp("erik", { date_of_birth: `${year - 16}${day}` }).ok();
    assert.ok((await userOf("erik"))["age_verified_at"]);
    await setSetting(t.app, "min_age", null);
    await setSetting(t.app, "reserved_names", null);
  });

  test("a captcha stands before the address is confirmed, whichever way somebody signed up", async () => {
    await signUp("fay");
    await t.runJobs();
    const link = confirmationLink(t, "fay@example.com");
    const visitor = openBrowser(t);
    const page = await visitor.get(link);
    assert.match(page.text, /data-sitekey="site"/);
    assert.match(
      page.headers.get("content-security-policy")!,
      /script-src 'self' https:\/\/hcaptcha\.com/,
    );
    const action = "/auth/confirmation/captcha";
    const confirmed = async () => (await userOf("fay"))["confirmed_at"] !== null;
    // Another form of the same link confirms nothing either.
    const { confirmation_token = "", form_token = "" } = hiddenFields(page.text, action);
    const around = { confirmation_token, form_token };
    assert.equal((await visitor.post("/auth/confirmation/sign_in", around)).status, 404);
    assert.equal((await visitor.submit(page, action, {})).status, 422);
    assert.equal(sent.length, 0);
    answer = { status: 200, body: '{"success": false}' };
    const solve = () => visitor.submit(page, action, { "h-captcha-response": "solved" });
    assert.equal((await solve()).status, 422);
    assert.deepEqual(Object.fromEntries(sent[0]!), {
      secret: "secret",
      sitekey: "site",
      response: "solved",
    });
    for (const body of ["no JSON", "{}"]) {
      answer = { status: body === "{}" ? 500 : 200, body };
      assert.equal((await solve()).status, 503);
    }
    assert.equal(await confirmed(), false);
    answer = { status: 200, body: '{"success": true}' };
    assert.match((await solve()).text, /Email address confirmed/);
    assert.equal(await confirmed(), true);
    // Confirmed once, the link asks for no other.
    assert.match((await visitor.get(link)).text, /Email address confirmed/);
  });
});

test("of invitations that are made at the same moment, no more than there may be", async () => {
  await t.write`
    INSERT INTO invites (account_id, code, created_at)
    SELECT ${alice.accountId}, 'full' || n, now() FROM generate_series(
      1, 998 - (SELECT count(*)::int FROM invites WHERE account_id = ${alice.accountId})
    ) n`;
  const made = await Promise.allSettled(
    Array.from({ length: 6 }, () =>
      createInvite(t.app, alice.accountId, { maxUses: null, expiresIn: null }),
    ),
  );
  assert.equal(made.filter(({ status }) => status === "fulfilled").length, 2);
});

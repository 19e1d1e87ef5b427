// Signing up and confirming through an app, over real HTTP.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { openBrowser } from "../../../../test/browser.ts";
import { nextNoon } from "../../../../test/clocks/noon.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { confirmationLink } from "../../../../test/mail.ts";
import { setSetting } from "../../base/settings/settings.ts";

let t: TestApp;
let now = nextNoon();

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
});
after(() => t.close());
// Each test in its own hour: sign-ups of one do not count in the next.
beforeEach(() => {
  now = new Date(now.getTime() + 3_600_000);
});

describe("signing up through an app", () => {
  let token: string;
  let otherToken: string;
  beforeEach(() => setSetting(t.app, "registrations", "open"));
  before(async () => {
    const make = async (address: string) => {
      const headers = { "x-forwarded-for": address };
      const form = { client_name: "App", redirect_uris: "a:/b", scopes: "read write" };
      const { json } = await t.visitor.post("/api/v1/apps", new URLSearchParams(form), headers);
      const { client_id, client_secret } = json;
      const grant = {
        grant_type: "client_credentials",
        scope: "read write",
        client_id,
        client_secret,
      };
      return (await t.visitor.post("/oauth/token", new URLSearchParams(grant))).json.access_token;
    };
    token = await make("203.0.113.20");
    otherToken = await make("203.0.113.21");
  });
  const form = (name: string, extra: Record<string, string> = {}) => ({
    username: name,
    email: `${name}@example.com`,
    password: "long enough",
    agreement: "true",
    locale: "en",
    ...extra,
  });

  test("gives a token that works once the address is confirmed, and the staff hears of it", async () => {
    const staff = await t.person("chief", { role: "Admin" });
    const heard = async () => (await staff.get("/api/v2/notifications")).json;
    const multipart = new FormData();
    for (const [name, value] of Object.entries(form("apple"))) multipart.set(name, value);
    const answer = await t.as(token).post("/api/v1/accounts", multipart).ok();
    assert.equal(answer.scope, "read write");
    const person = answer.access_token;
    const check = () => t.as(person).get("/api/v1/emails/check_confirmation");
    assert.deepEqual([(await check()).status, (await check()).json], [200, false]);
    await t.as(person).get("/oauth/token/info").done();
    assert.deepEqual((await heard()).notification_groups, []);
    for (let times = 0; times < 2; times++) {
      await openBrowser(t).get(confirmationLink(t, "apple@example.com"));
    }
    assert.equal((await check()).json, true);
    await t.runJobs();
    const { accounts, notification_groups: groups } = await heard();
    assert.equal(groups[0].type, "admin.sign_up");
    assert.equal(groups[0].notifications_count, 1);
    assert.equal(accounts[0].username, "apple");
    const late = await t.as(person).post("/api/v1/emails/confirmations");
    assert.equal(late.status, 403);
  });

  test("lists every fault by field", async () => {
    const letters = "must contain only letters, numbers and underscores";
    const tooLong = (max: number) => `is too long (maximum is ${max} characters)`;
    // The texts that Mastodon documents: clients show them, and some compare them.
    const cases: [Record<string, string>, string, string, string][] = [
      [{ agreement: "false" }, "agreement", "ERR_ACCEPTED", "must be accepted"],
      [{ username: "" }, "username", "ERR_BLANK", "can't be blank"],
      [{ username: "admin" }, "username", "ERR_RESERVED", "is reserved"],
      [{ username: "a b" }, "username", "ERR_INVALID", letters],
      [{ username: "x".repeat(31) }, "username", "ERR_TOO_LONG", tooLong(30)],
      [{ username: "APPLE" }, "username", "ERR_TAKEN", "has already been taken"],
      [{ email: "" }, "email", "ERR_BLANK", "can't be blank"],
      ...[
        "no address",
        // Mail servers that route by these would send it elsewhere.
        "a%evil.example@good.example",
        "evil.example!a@good.example",
        "=?utf-8?q?a=40evil.example=3e?=@good.example",
        "=?iso-8859-1?b?YUBldmlsLmV4YW1wbGU=?=@good.example",
        "a|b@good.example",
        "-a@good.example",
        "a@good.example%evil.example",
        "a@[127.0.0.1]",
        "a\u200b@good.example",
        // No server has such a name.
        "a@good..example",
        "a@.example",
        "a@good.example.",
        "a@-good.example",
        "a@good-.example",
        // Not one of this server's network either.
        "carl@x",
      ].map((email): [Record<string, string>, string, string, string] => [
        { email },
        "email",
        "ERR_INVALID",
        "is invalid",
      ]),
      [{ email: "Apple@Example.com" }, "email", "ERR_TAKEN", "has already been taken"],
      [
        { password: "short" },
        "password",
        "ERR_TOO_SHORT",
        "is too short (minimum is 8 characters)",
      ],
      [
        { password: "TrustNo1" },
        "password",
        "ERR_BLOCKED",
        "is one of the passwords that are guessed first",
      ],
      [
        { password: "a PEAR falls far" },
        "password",
        "ERR_INVALID",
        "must not contain the username",
      ],
      [{ password: "x".repeat(73) }, "password", "ERR_TOO_LONG", tooLong(72)],
      [{ reason: "x".repeat(421) }, "reason", "ERR_TOO_LONG", tooLong(420)],
    ];
    for (const [extra, field, code, description] of cases) {
      const json = form("pear", extra);
      const answer = await t.as(token).post("/api/v1/accounts", json);
      assert.equal(answer.status, 422, JSON.stringify(extra).slice(0, 80));
      assert.match(answer.json.error, /^Validation failed: /);
      assert.deepEqual(answer.json.details[field][0], { error: code, description });
    }
    const empty = await t.as(token).post("/api/v1/accounts");
    const fields = Object.keys(empty.json.details).sort();
    assert.deepEqual(fields, ["agreement", "email", "password", "username"]);
    const ofEmail = empty.json.details.email.map((fault: { error: string }) => fault.error);
    assert.deepEqual(ofEmail, ["ERR_BLANK", "ERR_INVALID"]);
    assert.match(empty.json.error, /Email can't be blank, Email is invalid/);
    // A reserved name that somebody has is refused once, as nobody else can have it either.
    await t.write`
      INSERT INTO accounts (username, uri, url, inbox_url) VALUES ('owner', 'x:owner', 'x:owner', 'x:owner')`;
    const both = await t.as(token).post("/api/v1/accounts", form("Owner"));
    assert.deepEqual(both.json.details, {
      username: [{ error: "ERR_RESERVED", description: "is reserved" }],
    });
    await t.write`DELETE FROM accounts WHERE uri = 'x:owner'`;
  });

  test("wants a token with the scope, of an app or of a person", async () => {
    const person = await t.person("olaf");
    const post = (date: string | null, name = "plum") =>
      t.as(date).post("/api/v1/accounts", form(name));
    assert.equal((await post(null)).status, 401);
    assert.equal((await post(await t.token(null, ["read"]))).status, 403);
    assert.equal((await post(await t.token(person.userId, ["read", "write:media"]))).status, 403);
    const rows = await t.app.sql`SELECT FROM users WHERE email = 'plum@example.com'`;
    assert.equal(rows.length, 0);
    const granted = {
      plum: await t.token(null, ["write:accounts"]),
      sloe: await t.token(person.userId, ["write:accounts"]),
      quince: person.token,
    };
    for (const [name, date] of Object.entries(granted)) {
      const answer = await post(date, name).ok();
      const owner = { token: answer.access_token };
      assert.equal((await t.request("GET", "/oauth/token/info", owner)).status, 200);
      const [user] = await t.app.sql`SELECT id FROM users WHERE email = ${`${name}@example.com`}`;
      assert.notEqual(user!["id"], person.userId);
      const email = `${name}@example.org`;
      const corrected = { json: { email }, ...owner };
      const resent = await t.request("POST", "/api/v1/emails/confirmations", corrected);
      assert.deepEqual([resent.status, resent.text], [200, "{}"], name);
    }
  });

  test("the mail can be sent again, to another address too, by this app only", async () => {
    const answer = await t.as(token).post("/api/v1/accounts", form("cherry"));
    const person = answer.json.access_token;
    await t.runJobs();
    const first = confirmationLink(t, "cherry@example.com");
    const resend = (token: string, email?: string) =>
      t.as(token).post("/api/v1/emails/confirmations", new URLSearchParams(email ? { email } : {}));
    assert.equal((await resend(otherToken)).status, 403);
    assert.equal((await resend(person, "nonsense")).status, 422);
    assert.equal((await resend(person, "apple@example.com")).status, 422);
    const moved = await resend(person, "kirsch@example.com");
    assert.deepEqual([moved.status, moved.text], [200, "{}"]);
    // A link sent to the old address must not confirm the new one.
    assert.equal((await openBrowser(t).get(first)).status, 404);
    await t.runJobs();
    assert.equal((await openBrowser(t).get(confirmationLink(t, "kirsch@example.com"))).status, 200);
  });

  test("garbage for an address is refused, never a fault; asking whether is never one", async () => {
    const answer = await t.as(token).post("/api/v1/accounts", form("damson"));
    const person = answer.json.access_token;
    const garbage = [
      {},
      [],
      ["a", "b"],
      7,
      true,
      "\0",
      "a\0@b.example",
      "x".repeat(100_000),
      " @ ",
    ];
    for (const email of garbage) {
      // Each in a window of its own: five mails in half an hour.
      await t.app.kv.close();
      const json = { email };
      const answer = await t.as(person).post("/api/v1/emails/confirmations", json);
      assert.ok(
        [200, 422].includes(answer.status),
        `${JSON.stringify(email).slice(0, 40)}: ${answer.status}`,
      );
    }
    for (const query of ["", "?x[]=1", "?access_token[]=1", "?%00"]) {
      const path = `/api/v1/emails/check_confirmation${query}`;
      const answer = await t.as(person).get(path);
      assert.deepEqual([answer.status, answer.json], [200, false], query);
    }
  });
});

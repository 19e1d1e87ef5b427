// Terms of service that people agree to as of the version in force, and what members hear of new ones.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { mailsOf } from "../../../../test/mail.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";
import { setSetting } from "../../base/settings/settings.ts";
import { publishTerms } from "./terms.ts";

let t: TestApp;

before(async () => {
  t = await startTestApp();
  await t.person("boss", { role: "Owner" });
  await setSetting(t.app, "registrations", "open");
});
after(() => t.close());

const form = (name: string) => ({
  username: name,
  email: `${name}@example.com`,
  password: "correct horse",
  agreement: "1",
});

const agreedBy = async (name: string): Promise<string | null> => {
  const [row] = await t.app.sql<{ day: string | null }[]>`
    SELECT u.agreed_terms::text AS day FROM users u JOIN accounts a ON a.id = u.account_id
    WHERE a.username = ${name} AND a.domain IS NULL`;
  return row!.day;
};

describe("who signs up", () => {
  test("agrees to nothing where there are no terms", async () => {
    const browser = openBrowser(t);
    const page = await browser.get("/auth/sign_up");
    assert.equal((await browser.submit(page, "/auth/sign_up", form("ann"))).status, 302);
    assert.equal(await agreedBy("ann"), null);
  });

  test("agrees to the version in force, not to one that takes effect later", async () => {
    await publishTerms(t.app, COMMAND_LINE, "2020-01-01", "First");
    await publishTerms(t.app, COMMAND_LINE, "2999-01-01", "Later");
    const browser = openBrowser(t);
    const page = await browser.get("/auth/sign_up");
    assert.equal((await browser.submit(page, "/auth/sign_up", form("ben"))).status, 302);
    assert.equal(await agreedBy("ben"), "2020-01-01");
  });

  test("has to read them again when others took effect while the form was open", async () => {
    const browser = openBrowser(t);
    const page = await browser.get("/auth/sign_up");
    await publishTerms(t.app, COMMAND_LINE, "2021-01-01", "Second");
    const refused = await browser.submit(page, "/auth/sign_up", form("cleo"));
    assert.equal(refused.status, 422);
    assert.match(refused.text, /id="agreement-fault">The terms of service have changed/);
    assert.match(refused.text, /terms-of-service\/2021-01-01/);
    const again = await browser.submit(refused, "/auth/sign_up", form("cleo"));
    assert.equal(again.status, 302);
    assert.equal(await agreedBy("cleo"), "2021-01-01");
    await t.runJobs();
  });

  test("is shown to the staff with the version", async () => {
    const owner = openBrowser(t);
    await owner.signIn("boss");
    const [row] = await t.app.sql`SELECT id FROM accounts WHERE username = 'cleo'`;
    const { text } = await owner.get(`/admin/accounts/${row!["id"]}`);
    assert.match(text, /Terms agreed to[^]*href="\/terms-of-service\/2021-01-01"/);
  });
});

describe("new terms", () => {
  const told = (): string[] =>
    mailsOf(t).filter((mail) => mail.includes("terms-of-service/2030-05-01"));

  test("are told to each member once, in their language, and announced", async () => {
    const dora = await t.person("dora");
    await t.write`UPDATE users SET locale = 'de' WHERE id = ${dora.userId}`;
    const gone = await t.person("gone");
    await t.write`UPDATE accounts SET suspended_at = now() WHERE id = ${gone.accountId}`;
    await publishTerms(t.app, COMMAND_LINE, "2030-05-01", "Third", true);
    await t.runJobs();
    const addresses = told().map((mail) => /^To: <?([^>\r\n]+)/m.exec(mail)![1]);
    // Who has not confirmed an address yet agreed to what was in force when they signed up.
    assert.deepEqual(addresses.toSorted(), ["boss@example.com", "dora@example.com"]);
    const german = told().find((mail) => mail.includes("To: dora@"))!;
    assert.match(german, /Neue Nutzungsbedingungen/);
    assert.match(german, /1\. Mai 2030/);
    const { json } = await dora.get("/api/v1/announcements");
    assert.match(json[0].content, /terms-of-service\/2030-05-01/);
  });

  test("are told by the page when the box is ticked, and by nothing otherwise", async () => {
    const owner = openBrowser(t);
    await owner.signIn("boss");
    const path = "/admin/settings/terms";
    const publish = async (values: Record<string, string>) =>
      owner.submit(await owner.get(path), path, { text: "x", ...values });
    const count = async () => {
      await t.runJobs();
      return mailsOf(t).length;
    };
    const before = await count();
    assert.equal((await publish({ day: "2031-01-01" })).status, 302);
    assert.equal(await count(), before);
    assert.equal((await publish({ day: "2031-02-01", tell: "1" })).status, 302);
    assert.ok((await count()) > before);
    const refused = await publish({ day: "tomorrow", tell: "1" });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /“tomorrow” isn’t a date/);
    const [row] = await t.app.sql`
      SELECT details FROM audit_log WHERE target_label = '2031-02-01'`;
    assert.deepEqual(row!["details"], { told: true });
  });
});

// Deleting one's own account at /settings: with the password, everywhere at once, and for good.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../../../test/browser.ts";
import { startTestApp } from "../../../../../test/harness.ts";
import type { TestApp } from "../../../../../test/harness.ts";
import { mailsOf } from "../../../../../test/mail.ts";
import { EVERYONE_ID, OWNER_ID } from "../../../base/roles/roles.ts";

const PATH = "/settings/delete";
let t: TestApp;

before(async () => {
  t = await startTestApp();
});
after(() => t.close());

const profile = async (name: string) =>
  (await t.visitor.get(`/@${name}`, { accept: "text/html" })).status;

test("the account page leads to it; the password deletes the account and all that it has", async () => {
  const alice = await t.person("alice");
  const bob = await t.person("bob");
  const post = await alice.post("/api/v1/statuses", { status: "soon gone" });
  await bob.post(`/api/v1/accounts/${alice.accountId}/follow`);
  await t.runJobs();

  const [browser, other] = [openBrowser(t), openBrowser(t)];
  for (const visitor of [browser, other]) await visitor.signIn("alice");
  assert.match((await browser.get("/settings")).text, /href="\/settings\/delete"/);
  const page = await browser.get(PATH);
  assert.match(page.text, /@alice@/);
  assert.doesNotMatch(page.text, /only owner/);
  assert.equal((await browser.post(PATH, { current_password: "correct horse" })).status, 403);
  const wrong = await browser.submit(page, PATH, { current_password: "wrong" });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /Incorrect password/);
  assert.equal(await profile("alice"), 200);

  const done = await browser.submit(page, PATH, { current_password: "correct horse" });
  assert.equal(done.headers.get("location"), "/auth/sign_in?done=deleted");
  assert.match((await browser.get("/auth/sign_in?done=deleted")).text, /has been deleted/);
  // Before any job runs.
  assert.equal(await profile("alice"), 410);
  assert.equal((await other.get("/settings")).status, 302);
  assert.equal((await openBrowser(t).signIn("alice")).status, 422);
  const verify = await alice.get("/api/v1/accounts/verify_credentials");
  assert.equal(verify.status, 401);
  assert.equal((await bob.get(`/api/v1/statuses/${post.json.id}`)).status, 404);

  await t.runJobs();
  const { sql } = t.app;
  assert.equal((await sql`SELECT FROM statuses WHERE account_id = ${alice.accountId}`).length, 0);
  assert.equal((await sql`SELECT FROM users WHERE email = 'alice@example.com'`).length, 0);
  const own = await bob.get("/api/v1/accounts/verify_credentials");
  assert.equal(own.json.following_count, 0);
  assert.equal(await profile("alice"), 410);
  const mails = mailsOf(t).filter((mail) => mail.includes("To: alice@example.com"));
  assert.match(mails.at(-1) ?? "", /Your account was deleted/);
  assert.doesNotMatch(mails.at(-1) ?? "", /reset your password/);
});

test("an only owner stays until there is another one", async () => {
  const [browser, early] = [openBrowser(t), openBrowser(t)];
  await t.person("queen", { role: "Owner" });
  const king = await t.person("king", { role: "Owner" });
  for (const visitor of [browser, early]) await visitor.signIn("queen");
  const form = await early.get(PATH);
  assert.doesNotMatch(form.text, /You’re the only owner/);
  await t.write`UPDATE users SET role_id = ${EVERYONE_ID} WHERE account_id = ${king.accountId}`;
  const page = await browser.get(PATH);
  assert.match(page.text, /You’re the only owner/);
  assert.doesNotMatch(page.text, /current_password/);
  const late = await early.submit(form, PATH, { current_password: "correct horse" });
  assert.equal(late.status, 422);
  assert.match(late.text, /Make someone else an owner first/);
  assert.equal(await profile("queen"), 200);
  await t.write`UPDATE users SET role_id = ${OWNER_ID} WHERE account_id = ${king.accountId}`;
  const done = await early.submit(form, PATH, { current_password: "correct horse" });
  assert.equal(done.status, 302);
  assert.equal(await profile("queen"), 410);
});

test("an owner who cannot sign in is no other one", async () => {
  const browser = openBrowser(t);
  const { accountId } = await t.person("empress", { role: "Owner" });
  await browser.signIn("empress");
  const form = await browser.get(PATH);
  assert.match(form.text, /current_password/);
  const others = t.app.sql`role_id = ${OWNER_ID} AND account_id <> ${accountId}`;
  const refused = async () => {
    const page = await browser.get(PATH);
    assert.match(page.text, /You’re the only owner/);
    assert.doesNotMatch(page.text, /current_password/);
    const answer = await browser.submit(form, PATH, { current_password: "correct horse" });
    assert.equal(answer.status, 422);
  };
  await t.write`UPDATE users SET disabled = true WHERE ${others}`;
  await refused();
  await t.write`UPDATE users SET disabled = false WHERE ${others}`;
  await t.write`
    UPDATE accounts SET suspended_at = now() WHERE id IN (SELECT account_id FROM users WHERE ${others})
  `;
  await refused();
});

test("the privacy policy says how, and names every cookie", async () => {
  const { text } = await t.visitor.get("/privacy-policy");
  assert.ok(text.includes(`href="${t.url}/settings"`));
  assert.match(text, /choose “Delete account” and enter\s+your\s+password/);
  assert.match(text, /up to 90 days[\s\S]*ten minutes[\s\S]*three days/);
});

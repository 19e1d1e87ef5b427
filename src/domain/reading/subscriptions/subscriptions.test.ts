// Posts by mail for visitors: who may have subscribers, asking, confirming, what is sent when, and the end of it.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { hiddenFields, openBrowser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { modifyEveryone } from "../../base/roles/roles.ts";
import { removeAccount } from "../../people/accounts/remove.ts";
import { runRetention } from "../../../platform/jobs/retention.ts";
import { retention } from "../../../retention.ts";
import { enqueueSubscriptions } from "./send.ts";

let t: TestApp;
let alice: Person;
let mails: Mail[] = [];
/** The clock of the server is ahead by this, and so is that of the database for jobs that are due. */
let ahead = 0;

before(async () => {
  t = await startTestApp({ clock: { now: () => new Date(Date.now() + ahead) } });
  t.app.mail = { send: async (mail) => void mails.push(mail), close: () => {} };
  alice = await t.person("alice", { locale: "de" });
});
beforeEach(() => {
  mails = [];
});
after(() => t.close());

const path = () => `/api/v1/accounts/${alice.accountId}/email_subscriptions`;

const take = async (taking: boolean) => {
  const browser = openBrowser(t);
  await browser.signIn("alice");
  const page = await browser.get("/settings/mail");
  const fields = {
    ...hiddenFields(page.text, "/settings/mail"),
    ...(taking && { subscribers: "1" }),
  };
  return browser.submit(page, "/settings/mail", fields);
};

const linkIn = (mail: Mail): string =>
  new URL(/https?:\S+\/subscriptions\/\S+/.exec(mail.text)![0]).pathname;

const passHours = async (hours: number) => {
  ahead += hours * 3_600_000;
  await t.app.jobs.add(t.app.sql, "subscriptions.due", { after: "0" });
  await t.runJobs();
};

const toAda = ({ to }: Mail): boolean => to === "ada@there.example";

const post = (status: string, more: object = {}) =>
  alice.post("/api/v1/statuses", { status, ...more }).done();

const asked = async (email: string): Promise<string> => {
  const answer = await t.visitor.post(path(), { email });
  assert.deepEqual([answer.status, answer.text], [200, "{}"]);
  await t.runJobs();
  return linkIn(mails.at(-1)!);
};

test("neither the role nor the author alone lets people subscribe", async () => {
  const takes = async () =>
    (await t.visitor.get(`/api/v1/accounts/${alice.accountId}`).ok()).email_subscriptions;
  const refused = async () => {
    assert.equal(await takes(), undefined);
    assert.equal((await t.visitor.post(path(), { email: "ada@there.example" })).status, 404);
    assert.equal((await t.visitor.get("/@alice/subscribe")).status, 404);
  };
  await refused();
  await modifyEveryone(t.app.sql, ["invite_users", "manage_email_subscriptions"]);
  await refused();
  await take(true);
  assert.equal(await takes(), true);
  await modifyEveryone(t.app.sql, ["invite_users"]);
  await refused();
  // The page has no box for it now, and leaves the choice alone.
  await take(false);
  await modifyEveryone(t.app.sql, ["invite_users", "manage_email_subscriptions"]);
  assert.equal(await takes(), true);
  assertEntity("Account", await t.visitor.get(`/api/v1/accounts/${alice.accountId}`).ok());
  await take(false);
  await refused();
  await take(true);
});

test("authors who are suspended, remembered or have moved take none", async () => {
  const status = async () => (await t.visitor.post(path(), { email: "ada@there.example" })).status;
  const bob = await t.person("bob");
  for (const [there, gone] of [
    ["suspended_at = now()", "suspended_at = NULL"],
    ["memorial = true", "memorial = false"],
    [`moved_to_account_id = ${bob.accountId}`, "moved_to_account_id = NULL"],
  ] as const) {
    await t.fixture((sql) => sql.unsafe(`UPDATE accounts SET ${there} WHERE username = 'alice'`));
    assert.equal(await status(), 404, there);
    await t.fixture((sql) => sql.unsafe(`UPDATE accounts SET ${gone} WHERE username = 'alice'`));
  }
  assert.equal(await status(), 200);
});

test("what is no address is refused, and the answer tells nobody who subscribed", async () => {
  for (const [email, code] of [
    ["", "ERR_BLANK"],
    ["nobody", "ERR_INVALID"],
  ]) {
    const answer = await t.visitor.post(path(), { email });
    assert.equal(answer.status, 422);
    assertEntity("ValidationError", answer.json);
    assert.equal(answer.json.details.email[0].error, code);
  }
  const confirm = await asked("known@there.example");
  await t.visitor.post(`${confirm}/confirm`, {});
  mails = [];
  const again = await t.visitor.post(path(), { email: "known@there.example" });
  assert.deepEqual([again.status, again.text], [200, "{}"]);
  await t.runJobs();
  assert.deepEqual(
    mails.map(({ to, subject }) => [to, subject]),
    [],
  );
  // Three links a day, however often and in whichever spelling of the mailbox somebody asks.
  for (const email of ["often", "Often", "of.ten", "often+x", "often"]) {
    const answer = await t.visitor.post(path(), { email: `${email}@there.example` });
    assert.deepEqual([answer.status, answer.text], [200, "{}"]);
    await t.runJobs();
  }
  assert.equal(mails.length, 3);
  await t.app.sql`INSERT INTO email_domain_blocks (domain) VALUES ('refused.example')`;
  const blocked = await t.visitor.post(path(), { email: "ada@refused.example" });
  assert.deepEqual([blocked.status, blocked.json.details.email[0].error], [422, "ERR_BLOCKED"]);
});

test("a page without scripts asks, a link in the mail confirms, news come once a day until it is ended", async () => {
  const browser = openBrowser(t);
  const page = await browser.get("/@alice/subscribe");
  assert.match(page.text, /Get posts by email/);
  const ask = (email: string) => browser.submit(page, "/@alice/subscribe", { email });
  const wrong = await ask("x");
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /Enter an email address/);
  assert.match((await ask("ada@there.example")).text, /Confirm your email/);
  await t.runJobs();
  const [question] = mails;
  assert.equal(question!.to, "ada@there.example");
  assert.match(question!.subject, /Confirm that you want posts by @alice/);
  const link = linkIn(question!);

  await post("before it was confirmed");
  await passHours(2);
  assert.deepEqual(mails.filter(toAda), [question]);
  // Opening the link changes nothing.
  assert.match((await t.visitor.get(link)).text, /Confirm subscription/);
  await post("still before");
  assert.match((await t.visitor.post(`${link}/confirm`, {})).text, /Subscription confirmed/);

  mails = [];
  const parent = await post("news one");
  await post("news two", { spoiler_text: "careful" });
  await post("for followers", { visibility: "private" });
  await post("aside", { visibility: "unlisted" });
  await post("a reply", { in_reply_to_id: parent.id });
  await passHours(1);
  const [mail] = mails.filter(toAda);
  assert.match(mail!.subject, /New posts by @alice/);
  assert.match(mail!.text, /news one/);
  assert.match(mail!.text, /careful/);
  assert.doesNotMatch(mail!.text, /news two|before|followers|aside|a reply/);
  const ending = new URL(mail!.list!.unsubscribe).pathname;
  assert.match((await t.visitor.get(linkIn(mail!))).text, /Unsubscribe/);

  // A flood is one mail, on the next day.
  mails = [];
  for (let n = 0; n < 12; n += 1) await post(`flood ${n}.`);
  await passHours(2);
  assert.deepEqual(mails.filter(toAda), []);
  await passHours(22);
  const [digest, ...others] = mails.filter(toAda);
  assert.deepEqual(others, []);
  assert.match(digest!.text, /2 more posts/);
  assert.match(digest!.text, /flood 11\./);
  assert.doesNotMatch(digest!.text, /flood 1\./);

  // One click ends it, as mail programs send it.
  const click = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  assert.equal((await t.visitor.post(ending, click)).status, 200);
  mails = [];
  await post("nobody gets this");
  await passHours(25);
  assert.deepEqual(mails.filter(toAda), []);
  assert.equal((await t.visitor.get("/subscriptions/nonsense")).status, 404);
  // Whoever opens or presses a link again reads that it is done, and where to subscribe anew.
  for (const answer of [
    await t.visitor.post(ending, click),
    await t.visitor.get(ending),
    await t.visitor.get(link),
    await t.visitor.post(`${link}/confirm`, {}),
  ]) {
    assert.equal(answer.status, 200);
    assert.match(answer.text, /You won’t get posts by @alice by email any more/);
    assert.match(answer.text, /href="\/@alice\/subscribe"/);
  }
  assert.equal((await t.visitor.post(path(), { email: "ada@there.example" })).status, 200);
});

test("nothing is sent while the author takes none, and what was not confirmed is deleted after a week", async () => {
  const link = await asked("eve@there.example");
  await t.visitor.post(`${link}/confirm`, {});
  const unconfirmed = await asked("mia@there.example");
  await take(false);
  mails = [];
  await post("kept back");
  await passHours(25);
  assert.equal(mails.length, 0);
  // Nor later, once the author takes subscribers again.
  await take(true);
  await post("after the pause");
  await passHours(25);
  const later = mails.find(({ to }) => to === "eve@there.example")!;
  assert.match(later.text, /after the pause/);
  assert.doesNotMatch(later.text, /kept back/);
  const again = await asked("sam@there.example");
  ahead += 6 * 86_400_000;
  assert.equal((await t.visitor.post(path(), { email: "sam@there.example" })).status, 200);
  ahead += 2 * 86_400_000;
  await runRetention(retention)(t.app, { what: "subscriptions" });
  assert.match((await t.visitor.get(unconfirmed)).text, /Unsubscribed/);
  assert.match((await t.visitor.get(link)).text, /Unsubscribe</);
  // Whoever asks again gets a week again.
  assert.match((await t.visitor.get(again)).text, /Confirm subscription/);
});

test("each of many subscribers gets a mail, and one only, from two processes at once", async () => {
  await t.app.sql`
    INSERT INTO email_subscriptions (account_id, email, locale, due_at)
    SELECT ${alice.accountId}, 'reader' || n || '@there.example', 'en', ${t.app.clock.now()}
    FROM generate_series(1, 450) AS n
  `;
  const toReaders = () => mails.flatMap(({ to }) => (to.startsWith("reader") ? [to] : []));
  mails = [];
  await post("for all of them");
  const due = () => enqueueSubscriptions(t.app, { after: "0" });
  await Promise.all([due(), due()]);
  await t.runJobs();
  assert.equal(toReaders().length, 450);
  assert.equal(new Set(toReaders()).size, 450);
});

test("addresses are deleted with the author's account", async () => {
  const count = async () =>
    (await t.app.sql`SELECT FROM email_subscriptions WHERE account_id = ${alice.accountId}`).length;
  assert.ok((await count()) > 0);
  await removeAccount(t.app, alice.accountId);
  await t.runJobs();
  assert.equal(await count(), 0);
});

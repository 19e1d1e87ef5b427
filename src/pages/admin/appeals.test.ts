// Appeals over real HTTP, without scripts: filed by the person, decided by the staff, with mails both ways.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Person } from "../../../test/harness.ts";
import { mailsOf } from "../../../test/mail.ts";
import { lastAudit, openStaffWorld, post, report, submit } from "../../../test/staff-world.ts";
import type { StaffWorld } from "../../../test/staff-world.ts";

let t: StaffWorld["t"];
let owner: StaffWorld["owner"];
let plain: StaffWorld["plain"];
let alice: StaffWorld["alice"];

before(async () => {
  ({ t, owner, plain, alice } = await openStaffWorld());
});
after(() => t.close());

const strikeOf = async (person: Person): Promise<string> => {
  const [row] = await t.app.sql`
    SELECT id FROM strikes WHERE target_account_id = ${person.accountId} ORDER BY id DESC LIMIT 1
  `;
  return row!["id"];
};
const mailsTo = (name: string) =>
  mailsOf(t).filter((text) => text.includes(`To: ${name}@example.com`));

test("who is suspended signs in, reads why and appeals; it is undone, with mails both ways", async () => {
  const carl = await t.person("carl");
  const path = `/admin/accounts/${carl.accountId}`;
  await submit(owner, path, `${path}/act`, { type: "suspend", text: "Spam", mail: "1" });
  await t.runJobs();
  const strike = `/disputes/strikes/${await strikeOf(carl)}`;
  assert.ok(mailsTo("carl").some((text) => text.includes(strike)));
  const browser = openBrowser(t);
  const standing = await browser.signIn("carl");
  assert.equal(standing.status, 403);
  assert.match(standing.text, /href="\/disputes\/strikes"/);
  assert.equal((await browser.get("/settings/password")).status, 403);
  assert.match((await browser.get("/disputes/strikes")).text, /has been suspended/);
  const page = await browser.get(strike);
  assert.match(page.text, /Spam/);
  assert.equal((await plain.get(strike)).status, 404);
  assert.equal((await browser.submit(page, `${strike}/appeal`, { text: " " })).status, 422);
  const sent = await submit(browser, strike, `${strike}/appeal`, { text: "It was <not> me" });
  assert.match(sent.text, /being reviewed/);
  const again = await browser.submit(page, `${strike}/appeal`, { text: "Please" });
  assert.equal(again.status, 422);
  await t.runJobs();
  assert.ok(mailsTo("boss").some((text) => text.includes("/admin/appeals")));
  assert.ok(!mailsTo("mia").some((text) => text.includes("appealed a decision")));
  assert.match((await owner.get("/admin/appeals")).text, /It was &lt;not> me/);
  const id = await strikeOf(carl);
  await submit(owner, "/admin/appeals", `/admin/appeals/${id}/approve`);
  assert.equal(await lastAudit(t), "appeal.approve");
  await t.runJobs();
  assert.ok(mailsTo("carl").some((text) => text.includes("Your appeal was accepted")));
  assert.equal((await browser.get("/settings")).status, 200);
  assert.match((await browser.get(strike)).text, /Reversed/);
});

test("a rejected one changes nothing; none after 20 days", async () => {
  const dora = await t.person("dora");
  const path = `/admin/accounts/${dora.accountId}`;
  await t.write`UPDATE users SET locale = 'nl' WHERE account_id = ${dora.accountId}`;
  await submit(owner, path, `${path}/act`, { type: "silence", mail: "1" });
  await t.runJobs();
  assert.match(mailsTo("dora").at(-1)!, /^Subject: Je account is beperkt - /m);
  const browser = openBrowser(t);
  await browser.signIn("dora");
  const id = await strikeOf(dora);
  const strike = `/disputes/strikes/${id}`;
  await submit(browser, strike, `${strike}/appeal`, { text: "Why?" });
  await submit(owner, "/admin/appeals", `/admin/appeals/${id}/reject`);
  await t.runJobs();
  assert.match(mailsTo("dora").at(-1)!, /^Subject: Je bezwaar is afgewezen - /m);
  assert.match(mailsTo("dora").at(-1)!, /[Bb]eperkt/);
  assert.match((await owner.get(path)).text, /Limited/);
  assert.match((await owner.get("/admin/appeals?decided=1")).text, /Rejected/);
  await submit(owner, path, `${path}/act`, { type: "none", text: "Old" });
  const old = await strikeOf(dora);
  await t.write`UPDATE strikes SET created_at = now() - interval '21 days' WHERE id = ${old}`;
  assert.doesNotMatch((await browser.get(`/disputes/strikes/${old}`)).text, /<textarea/);
});

test("the posts concerned are shown: those that stay, of a suspended account, and deleted ones", async () => {
  const fred = await t.person("fred");
  const browser = openBrowser(t);
  await browser.signIn("fred");
  const shown = async () => (await browser.get(`/disputes/strikes/${await strikeOf(fred)}`)).text;
  for (const [decision, text] of [
    ["mark_statuses_as_sensitive", "a <b>bold</b> claim"],
    ["delete_statuses", "a rude remark"],
  ] as const) {
    const id = await report(alice, fred, [await post(fred, text)]);
    await submit(owner, `/admin/reports/${id}`, `/admin/reports/${id}/decide`, { decision });
    assert.ok((await shown()).includes(text.replaceAll("<", "&lt;")));
  }
  const reported = await post(fred, "the last straw");
  const id = await report(alice, fred, [reported]);
  const path = `/admin/accounts/${fred.accountId}`;
  await submit(owner, path, `${path}/act`, { type: "suspend", report_id: id });
  const strike = await strikeOf(fred);
  await t.write`UPDATE strikes SET status_ids = ARRAY[${reported}::bigint] WHERE id = ${strike}`;
  await browser.signIn("fred");
  assert.match(await shown(), /the last straw/);
  const page = `/disputes/strikes/${strike}`;
  await submit(browser, page, `${page}/appeal`, { text: "Sorry" });
  await submit(owner, "/admin/appeals", `/admin/appeals/${strike}/approve`);
  const after = await shown();
  assert.match(after, /Reversed: Your account has been suspended/);
  assert.match(after, /no longer applies/);
  assert.doesNotMatch(after, /The moderators suspended your account/);
});

test("posts that were marked lose the mark again, but not those that had it before", async () => {
  const emil = await t.person("emil");
  const json = { status: "mine", sensitive: true };
  const own = (await emil.post("/api/v1/statuses", json)).json.id;
  const other = await post(emil, "other");
  const id = await report(alice, emil, [own, other]);
  const values = { decision: "mark_statuses_as_sensitive" };
  await submit(owner, `/admin/reports/${id}`, `/admin/reports/${id}/decide`, values);
  const sensitive = async (status: string) =>
    (await t.visitor.get(`/api/v1/statuses/${status}`)).json.sensitive;
  assert.deepEqual([await sensitive(own), await sensitive(other)], [true, true]);
  const browser = openBrowser(t);
  await browser.signIn("emil");
  const strike = await strikeOf(emil);
  const path = `/disputes/strikes/${strike}`;
  await submit(browser, path, `${path}/appeal`, { text: "Harmless" });
  await submit(owner, "/admin/appeals", `/admin/appeals/${strike}/approve`);
  assert.deepEqual([await sensitive(own), await sensitive(other)], [true, false]);
});

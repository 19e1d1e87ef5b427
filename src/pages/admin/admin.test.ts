// The pages of the staff over real HTTP, without scripts: who may open which, and what is decided about accounts.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hiddenFields } from "../../../test/browser.ts";
import { listRoutes } from "../../../test/security/routes.ts";
import { lastAudit, openStaffWorld, post, report, submit } from "../../../test/staff-world.ts";
import type { StaffWorld } from "../../../test/staff-world.ts";
import { setSetting } from "../../domain/base/settings/settings.ts";

let t: StaffWorld["t"];
let owner: StaffWorld["owner"];
let mod: StaffWorld["mod"];
let plain: StaffWorld["plain"];
let alice: StaffWorld["alice"];
let bob: StaffWorld["bob"];

before(async () => {
  ({ t, owner, mod, plain, alice, bob } = await openStaffWorld());
});
after(() => t.close());

describe("who may open what", () => {
  test("every page by role, and no form without its token", async () => {
    const routes = (await listRoutes(t.app)).filter(({ url }) => /^\/admin(?:\/|$)/.test(url));
    const lists = routes.filter(({ method, url }) => method === "GET" && !url.includes(":"));
    const sent = new Set(routes.flatMap(({ method, url }) => (method === "POST" ? url : [])));
    const seen: string[] = [];
    for (const { url } of lists) {
      const { status, text, headers } = await owner.get(url);
      // The address of a form that has no page leads to the page with the form.
      if (status === 302 && sent.has(url)) {
        const to = headers.get("location")!;
        assert.ok(url.startsWith(`${to}/`) && lists.some((page) => page.url === to), url);
        continue;
      }
      assert.equal(status, 200, url);
      // A label belongs to the first element with its id.
      const ids = [...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
      assert.deepEqual(ids, [...new Set(ids)], url);
      assert.equal((await plain.get(url)).status, 403, url);
      if ((await mod.get(url)).status === 200) seen.push(url);
    }
    assert.deepEqual(seen.toSorted(), MODERATORS_PAGES.toSorted());
    for (const { url } of routes.filter(({ method }) => method === "POST")) {
      const path = url.replace(":id", alice.accountId);
      assert.equal((await owner.post(path, {})).status, 403, url);
    }
  });

  test("the navigation has what the role allows, in the frame of the client", async () => {
    const links = (html: string) =>
      [...html.matchAll(/<a href="(\/admin[^"?]*)"/g)].map(([, path]) => path);
    assert.match((await mod.get("/admin")).text, /<a class="nav-link" href="\/home"/);
    assert.ok(links((await owner.get("/admin")).text).includes("/admin/audit"));
    assert.ok(!links((await mod.get("/admin")).text).includes("/admin/settings"));
    assert.match((await owner.get("/settings")).text, /href="\/admin"/);
    assert.doesNotMatch((await plain.get("/settings")).text, /href="\/admin"/);
  });

  test("styles of the staff are loaded by their pages alone, and are kept for ever", async () => {
    const styles = ({ text }: { text: string }) =>
      [...text.matchAll(/<link rel="stylesheet" href="\/web\/assets\/(\w+)-([^"]+)"/g)].map(
        ([, name]) => name,
      );
    assert.deepEqual(styles(await mod.get("/admin")), ["client", "served", "staff"]);
    assert.deepEqual(styles(await mod.get("/settings/password")), ["client", "served"]);
    assert.deepEqual(styles(await mod.get("/home")), ["client"]);
    const [path] = /\/web\/assets\/staff-[^"]+/.exec((await mod.get("/admin")).text)!;
    const style = await t.visitor.get(path);
    assert.match(style.headers.get("content-type")!, /^text\/css/);
    assert.match(style.headers.get("cache-control")!, /immutable/);
    // Nor does the service worker keep them for members.
    assert.doesNotMatch((await t.visitor.get("/sw.js")).text, /assets\/(?:staff|served)-/);
  });
});

const MODERATORS_PAGES = [
  "/admin/trends",
  "/admin/trends/links",
  "/admin/trends/publishers",
  "/admin/trends/statuses",
  "/admin",
  "/admin/accounts",
  "/admin/audit",
  "/admin/audit/export.csv",
  "/admin/reports",
  "/admin/sign_ups",
];

describe("reports", () => {
  test("are assigned, decided with a reason, and opened again", async () => {
    const statusId = await post(bob, "Buy watches");
    const id = await report(alice, bob, [statusId]);
    const path = `/admin/reports/${id}`;
    assert.match((await mod.get("/admin/reports")).text, /@bob/);
    assert.match((await submit(mod, path, `${path}/assign`)).text, /@mia@/);
    const page = await mod.get(path);
    assert.match(page.text, /<article class="post"[^>]*aria-label="bob[^"]*"[^]*Buy watches/);
    assert.doesNotMatch(page.text, /<!--post|class="post-acts"/);
    assert.match(page.text, /&lt;rude>/);
    assert.equal((await mod.submit(page, `${path}/decide`, { decision: "no" })).status, 422);
    const done = await submit(mod, path, `${path}/decide`, {
      decision: "delete_statuses",
      text: "No adverts",
      mail: "1",
    });
    assert.match(done.text, /has been notified/);
    assert.match((await mod.get(path)).text, /Deleted post/);
    assert.equal(await lastAudit(t), "report.delete_statuses");
    assert.equal((await t.visitor.get(`/api/v1/statuses/${statusId}`)).status, 404);
    assert.match((await mod.get("/admin/reports?resolved=1")).text, /@bob/);
    await submit(mod, path, `${path}/reopen`);
    // What was decided before stands beside what is to be decided now.
    assert.match((await mod.get(path)).text, /Decisions about this account[^]*“No adverts”/);
    await submit(mod, path, `${path}/correct`, { category: "spam" });
    await submit(mod, path, `${path}/decide`, { decision: "silence", text: "Enough" });
    assert.equal(await lastAudit(t), "account.silence");
    assert.match((await mod.get(`/admin/accounts/${bob.accountId}`)).text, /Limited/);
  });
});

describe("accounts", () => {
  test("are found, limited and freed again; those above oneself are not", async () => {
    assert.match((await mod.get("/admin/accounts?username=bo")).text, /@bob</);
    assert.doesNotMatch((await mod.get("/admin/accounts?username=bo")).text, /@alice</);
    const wrong = await mod.get("/admin/accounts?ip=nonsense");
    assert.deepEqual([wrong.status, /value="nonsense"/.test(wrong.text)], [422, true]);
    assert.match(wrong.text, /Enter an IP address or range/);
    const path = `/admin/accounts/${bob.accountId}`;
    await submit(mod, path, `${path}/unsilence`);
    await submit(mod, path, `${path}/act`, { type: "suspend", text: "Spam" });
    await t.write`UPDATE accounts SET display_name = 'Bobby' WHERE id = ${bob.accountId}`;
    // Whom the staff decides about stays visible to it.
    assert.match((await mod.get(path)).text, /<bdi[^>]*>Bobby<\/bdi>[^]*“Spam”/);
    const [boss] = await t.app.sql`SELECT id FROM accounts WHERE username = 'boss'`;
    const above = `/admin/accounts/${boss!["id"]}`;
    const page = await mod.get(above);
    assert.doesNotMatch(page.text, /accounts\/\d+\/act"/);
    const token = /name="form_token" value="([^"]+)"/.exec((await mod.get(path)).text)![1]!;
    assert.equal((await mod.post(`${above}/act`, { form_token: token, type: "none" })).status, 403);
    await submit(owner, path, `${path}/unsuspend`);
    await submit(owner, path, `${path}/role`, { role: "1" });
    assert.equal(await lastAudit(t), "account.change_role");
    await submit(owner, path, `${path}/role`, { role: "-99" });
  });

  test("moderators write notes for each other", async () => {
    const path = `/admin/accounts/${bob.accountId}`;
    const page = await mod.get(path);
    assert.equal((await mod.submit(page, `${path}/notes`, { note: "  " })).status, 422);
    const told = await submit(mod, path, `${path}/notes`, { note: "Knows <alice>\nwell" });
    assert.match(told.text, /@mia@[^]*Knows &lt;alice>\nwell/);
    assert.equal(await lastAudit(t), "account.remark");
    const [, mine] = /action="(\/admin\/notes\/\d+\/delete)"/.exec(told.text)!;
    await submit(owner, path, `${path}/notes`, { note: "Agreed" });
    // Nobody removes what somebody above wrote, nor writes about them.
    const both = await mod.get(path);
    assert.deepEqual(
      [...both.text.matchAll(/\/admin\/notes\/\d+\/delete/g)].map(([action]) => action),
      [mine],
    );
    const [row] = await t.app.sql`SELECT id FROM account_remarks ORDER BY id DESC LIMIT 1`;
    const { form_token } = hiddenFields(both.text, mine!);
    const theirs = `/admin/notes/${row!["id"]}/delete`;
    assert.equal((await mod.post(theirs, { form_token: form_token! })).status, 422);
    const [boss] = await t.app.sql`SELECT id FROM accounts WHERE username = 'boss'`;
    const above = `/admin/accounts/${boss!["id"]}/notes`;
    const refused = await mod.post(above, { form_token: form_token!, note: "Bossy" });
    assert.equal(refused.status, 403);
    assert.doesNotMatch((await submit(owner, path, mine!)).text, /Knows/);
    assert.equal(await lastAudit(t), "account.remark_removed");
  });

  test("sign-ups are approved and rejected, with what the applicant wrote", async () => {
    await setSetting(t.app, "registrations", "approved");
    const [yes, no] = [
      await t.person("yes", { approved: false, reason: "I like <birds>" }),
      await t.person("no", { approved: false, reason: "Money" }),
    ];
    const list = await mod.get("/admin/sign_ups");
    assert.match(list.text, /I like &lt;birds>/);
    await submit(mod, "/admin/sign_ups", `/admin/sign_ups/${yes.accountId}/approve`);
    const left = await submit(mod, "/admin/sign_ups", `/admin/sign_ups/${no.accountId}/reject`);
    assert.match(left.text, /No sign-ups are waiting for approval/);
    assert.equal(await lastAudit(t), "account.reject");
  });
});

// The pages of the staff over real HTTP, without scripts: who may open which, and what their forms do.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { listRoutes } from "../../../test/security/routes.ts";
import { setSetting } from "../../domain/settings/settings.ts";

let t: TestApp;
let owner: Browser;
let mod: Browser;
let plain: Browser;
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp();
  await t.person("boss", { role: "Owner" });
  await t.person("mia", { role: "Moderator" });
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
  [owner, mod, plain] = [openBrowser(t), openBrowser(t), openBrowser(t)];
  await owner.signIn("boss");
  await mod.signIn("mia");
  await plain.signIn("alice");
});
after(() => t.close());

/** Submits a form of a page, and gives the page that follows. */
const submit = async (
  who: Browser,
  page: string,
  action: string,
  values: Record<string, string> = {},
) => {
  const answer = await who.submit(await who.get(page), action, values);
  assert.equal(answer.status, 302, answer.text);
  return who.get(answer.headers.get("location")!);
};

const post = async (person: Person, text: string): Promise<string> =>
  (await t.request("POST", "/api/v1/statuses", { token: person.token, json: { status: text } }))
    .json.id;

const report = async (by: Person, about: Person, statusIds: string[] = []): Promise<string> =>
  (
    await t.request("POST", "/api/v1/reports", {
      token: by.token,
      json: { account_id: about.accountId, comment: "<rude>", status_ids: statusIds },
    })
  ).json.id;

const lastAudit = async () =>
  (await t.app.sql`SELECT action FROM audit_log ORDER BY id DESC`)[0]?.["action"];

describe("who may open what", () => {
  test("every page by role, and no form without its token", async () => {
    const routes = (await listRoutes(t.app)).filter(({ url }) => /^\/admin(?:\/|$)/.test(url));
    const lists = routes.filter(({ method, url }) => method === "GET" && !url.includes(":"));
    const seen: string[] = [];
    for (const { url } of lists) {
      assert.equal((await owner.get(url)).status, 200, url);
      assert.equal((await plain.get(url)).status, 403, url);
      if ((await mod.get(url)).status === 200) seen.push(url);
    }
    assert.deepEqual(seen.toSorted(), MODERATORS_PAGES);
    for (const { url } of routes.filter(({ method }) => method === "POST")) {
      const path = url.replace(":id", alice.accountId);
      assert.equal((await owner.post(path, {})).status, 403, url);
    }
  });

  test("the navigation has what the role allows", async () => {
    const links = (html: string) =>
      [...html.matchAll(/<a href="(\/admin[^"?]*)"/g)].map(([, path]) => path);
    assert.ok(links((await owner.get("/admin")).text).includes("/admin/audit"));
    assert.ok(!links((await mod.get("/admin")).text).includes("/admin/settings"));
    assert.match((await owner.get("/auth/account")).text, /href="\/admin"/);
    assert.doesNotMatch((await plain.get("/auth/account")).text, /href="\/admin"/);
  });
});

const MODERATORS_PAGES = [
  "/admin",
  "/admin/accounts",
  "/admin/audit",
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
    assert.match(page.text, /Buy watches/);
    assert.match(page.text, /&lt;rude&gt;/);
    assert.equal((await mod.submit(page, `${path}/decide`, { decision: "no" })).status, 422);
    const done = await submit(mod, path, `${path}/decide`, {
      decision: "delete_statuses",
      text: "No adverts",
      mail: "1",
    });
    assert.match(done.text, /has been told/);
    assert.match(done.text, /Deleted post/);
    assert.equal(await lastAudit(), "report.delete_statuses");
    assert.equal((await t.request("GET", `/api/v1/statuses/${statusId}`)).status, 404);
    assert.match((await mod.get("/admin/reports?resolved=1")).text, /@bob/);
    await submit(mod, path, `${path}/reopen`);
    await submit(mod, path, `${path}/correct`, { category: "spam" });
    await submit(mod, path, `${path}/decide`, { decision: "silence", text: "Enough" });
    assert.equal(await lastAudit(), "account.silence");
    assert.match((await mod.get(`/admin/accounts/${bob.accountId}`)).text, /Limited/);
  });
});

describe("accounts", () => {
  test("are found, limited and freed again; those above oneself are not", async () => {
    assert.match((await mod.get("/admin/accounts?username=bo")).text, /@bob@/);
    assert.doesNotMatch((await mod.get("/admin/accounts?username=bo")).text, /@alice@/);
    assert.equal((await mod.get("/admin/accounts?ip=nonsense")).status, 400);
    const path = `/admin/accounts/${bob.accountId}`;
    await submit(mod, path, `${path}/unsilence`);
    await submit(mod, path, `${path}/act`, { type: "suspend", text: "Spam" });
    assert.match((await mod.get(path)).text, /“Spam”/);
    const [boss] = await t.app.sql`SELECT id FROM accounts WHERE username = 'boss'`;
    const above = `/admin/accounts/${boss!["id"]}`;
    const page = await mod.get(above);
    assert.doesNotMatch(page.text, /\/act"/);
    const token = /name="form_token" value="([^"]+)"/.exec((await mod.get(path)).text)![1]!;
    assert.equal((await mod.post(`${above}/act`, { form_token: token, type: "none" })).status, 403);
    await submit(owner, path, `${path}/unsuspend`);
    await submit(owner, path, `${path}/role`, { role: "1" });
    assert.equal(await lastAudit(), "account.change_role");
    await submit(owner, path, `${path}/role`, { role: "-99" });
  });

  test("sign-ups are approved and rejected, with what the applicant wrote", async () => {
    await setSetting(t.app, "registrations", "approved");
    const [yes, no] = [
      await t.person("yes", { approved: false, reason: "I like <birds>" }),
      await t.person("no", { approved: false, reason: "Money" }),
    ];
    const list = await mod.get("/admin/sign_ups");
    assert.match(list.text, /I like &lt;birds&gt;/);
    await submit(mod, "/admin/sign_ups", `/admin/sign_ups/${yes.accountId}/approve`);
    const left = await submit(mod, "/admin/sign_ups", `/admin/sign_ups/${no.accountId}/reject`);
    assert.match(left.text, /Nobody is waiting/);
    assert.equal(await lastAudit(), "account.reject");
  });
});

// The pages of the staff over real HTTP, without scripts: who may open which, and what their forms do.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { hiddenFields, openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import sharp from "sharp";
import { startTestApp } from "../../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../../test/harness.ts";
import { mailsOf } from "../../../test/mail.ts";
import { listRoutes } from "../../../test/security/routes.ts";
import { deliverWebhook } from "../../domain/base/webhooks/deliver.ts";
import { setSetting } from "../../domain/base/settings/settings.ts";

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

/** Submits a form of a page, answers what is asked first, and gives the page that follows. */
const submit = async (
  who: Browser,
  page: string,
  action: string,
  values: Record<string, string> = {},
) => {
  const first = await who.submit(await who.get(page), action, values);
  const answer = first.status === 200 ? await confirm(who, first, action) : first;
  assert.equal(answer.status, 302, answer.text);
  return who.get(answer.headers.get("location")!);
};

const confirm = (who: Browser, question: Answer, action: string) => {
  const [, word] = /Type (\S+) to continue/.exec(question.text) ?? [];
  return who.submit(question, action, word === undefined ? {} : { confirmed_word: word });
};

const post = async (person: Person, text: string): Promise<string> =>
  (await person.post("/api/v1/statuses", { status: text })).json.id;

const report = async (by: Person, about: Person, statusIds: string[] = []): Promise<string> =>
  (
    await by.post("/api/v1/reports", {
      account_id: about.accountId,
      comment: "<rude>",
      status_ids: statusIds,
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
      const { status, text } = await owner.get(url);
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
    assert.equal(await lastAudit(), "report.delete_statuses");
    assert.equal((await t.visitor.get(`/api/v1/statuses/${statusId}`)).status, 404);
    assert.match((await mod.get("/admin/reports?resolved=1")).text, /@bob/);
    await submit(mod, path, `${path}/reopen`);
    // What was decided before stands beside what is to be decided now.
    assert.match((await mod.get(path)).text, /Decisions about this account[^]*“No adverts”/);
    await submit(mod, path, `${path}/correct`, { category: "spam" });
    await submit(mod, path, `${path}/decide`, { decision: "silence", text: "Enough" });
    assert.equal(await lastAudit(), "account.silence");
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
    assert.equal(await lastAudit(), "account.change_role");
    await submit(owner, path, `${path}/role`, { role: "-99" });
  });

  test("moderators write notes for each other", async () => {
    const path = `/admin/accounts/${bob.accountId}`;
    const page = await mod.get(path);
    assert.equal((await mod.submit(page, `${path}/notes`, { note: "  " })).status, 422);
    const told = await submit(mod, path, `${path}/notes`, { note: "Knows <alice>\nwell" });
    assert.match(told.text, /@mia@[^]*Knows &lt;alice>\nwell/);
    assert.equal(await lastAudit(), "account.remark");
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
    assert.equal(await lastAudit(), "account.remark_removed");
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
    assert.equal(await lastAudit(), "account.reject");
  });
});

describe("the community", () => {
  test("rules are added, changed, moved and removed", async () => {
    const path = "/admin/rules";
    await submit(owner, path, path, { text: "Be kind", hint: "Always" });
    await submit(owner, path, path, { text: "No <spam>" });
    const ids = async () =>
      (await t.visitor.get("/api/v1/instance/rules")).json.map(({ id }: { id: string }) => id);
    const [first, second] = await ids();
    await submit(owner, path, `${path}/${second}/up`);
    assert.deepEqual(await ids(), [second, first]);
    const form = `${path}?edit=${first}`;
    const wrong = { text: " ", hint: "what I meant" };
    const again = await owner.submit(await owner.get(form), `${path}/${first}/update`, wrong);
    assert.equal(again.status, 422);
    assert.match(again.text, /Enter a rule[^]*what I meant/);
    assert.match(
      (await owner.get(form)).text,
      /<a class="button plain" href="\/admin\/rules">Cancel</,
    );
    await submit(owner, form, `${path}/${first}/update`, { text: "Be very kind", hint: "" });
    const page = await submit(owner, path, `${path}/${second}/delete`);
    assert.match(page.text, /1\. Be very kind/);
    assert.equal(await lastAudit(), "rule.delete");
    const refused = await owner.submit(page, path, { text: " ", hint: "what I wrote" });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /Enter a rule[^]*what I wrote/);
  });

  test("announcements are published, changed and removed", async () => {
    const path = "/admin/announcements";
    const list = async () => (await alice.get("/api/v1/announcements")).json;
    await submit(owner, path, path, { text: "Cake at four", starts: "", ends: "", publish: "" });
    const [{ id }] = await list();
    await submit(owner, path, `${path}/${id}/update`, { text: "Cake at five" });
    assert.match((await list())[0].content, /five/);
    const times = { starts: "2031-03-05T16:00", ends: "2031-03-05T18:00" };
    await submit(owner, path, `${path}/${id}/update`, { text: "Cake at five", ...times });
    const page = await owner.get(path);
    assert.match(page.text, /Published <time/);
    assert.match(
      page.text,
      /Event: <time[^>]*>5 Mar 2031, 16:00 UTC<\/time> to <time[^>]*>5 Mar 2031, 18:00 UTC/,
    );
    const home = (await owner.get("/home")).text;
    assert.match(home, /Published (?:<!--.*?-->)?<time/);
    assert.match(home, /<time datetime="2031-03-05T16:00:00.000Z">Wed, March 5, 2031/i);
    await submit(owner, path, `${path}/${id}/update`, { text: "Cake", ...times, all_day: "1" });
    assert.match((await owner.get(path)).text, /Event: <time[^>]*>5 Mar 2031<\/time> to/);
    assert.equal((await owner.submit(page, path, { text: "x", starts: "never" })).status, 422);
    await submit(owner, path, `${path}/${id}/delete`);
    assert.deepEqual(await list(), []);
    assert.equal(await lastAudit(), "announcement.delete");
  });

  test("emojis are uploaded, disabled, sorted and deleted", async () => {
    const path = "/admin/emojis";
    const form_token = hiddenFields((await owner.get(path)).text, path)["form_token"]!;
    const upload = async (file: Blob | null) => {
      const multipart = new FormData();
      multipart.set("form_token", form_token);
      multipart.set("shortcode", ":rook:");
      if (file) multipart.set("file", file, "rook.png");
      const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      return t.visitor.post(path, multipart, { cookie });
    };
    assert.equal((await upload(null)).status, 422);
    assert.equal((await upload(new Blob(["no picture"]))).status, 422);
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#5b3fc4" } })
      .png()
      .toBuffer();
    assert.equal((await upload(new Blob([new Uint8Array(png)]))).status, 302);
    const listed = async () => (await t.visitor.get("/api/v1/custom_emojis")).json.length;
    assert.equal(await listed(), 1);
    const ticked = { emoji_rook: "1" };
    const act = (name: string, more = {}) =>
      submit(owner, path, `${path}/ticked`, { ...ticked, act: name, ...more });
    await act("disable");
    assert.equal(await listed(), 0);
    await act("enable");
    assert.equal(await listed(), 1);
    assert.match((await act("category", { category: "Birds" })).text, /Birds/);
    assert.match((await owner.get(`${path}?in=Birds&state=enabled`)).text, /:rook:/);
    assert.doesNotMatch((await owner.get(`${path}?in=-`)).text, /:rook:/);
    assert.match((await owner.get(`${path}?all=1`)).text, /name="emoji_rook"[^>]* checked/);
    const list = await owner.get(path);
    const none = await owner.submit(list, `${path}/ticked`, { act: "enable" });
    assert.match(none.text, /Select at least one emoji/);
    assert.equal((await owner.submit(list, `${path}/ticked`, { ...ticked, act: "x" })).status, 422);
    await act("delete");
    assert.equal(await listed(), 0);
    assert.equal(await lastAudit(), "emoji.delete");
  });
});

describe("the server", () => {
  test("where people can sign up and no email is sent, the staff are told", async () => {
    const isTold = async (path: string) => /won’t get emails/.test((await owner.get(path)).text);
    for (const [mode, told] of [
      ["closed", false],
      ["open", true],
    ] as const) {
      await setSetting(t.app, "registrations", mode);
      for (const path of ["/admin", "/admin/settings/registrations"]) {
        assert.equal(await isTold(path), told, `${mode} ${path}`);
      }
    }
    await setSetting(t.app, "registrations", null);
  });

  test("settings are shown as they are and saved; what is wrong is refused with a sentence", async () => {
    const path = "/admin/settings/general";
    await submit(owner, path, path, { title: "The <Rookery>", contact_email: "us@example.com" });
    const page = await owner.get(path);
    assert.match(page.text, /value="The &lt;Rookery>"/);
    assert.equal((await t.visitor.get("/api/v2/instance")).json.title, "The <Rookery>");
    const { rows } = {
      rows: await t.app.sql`SELECT target_label FROM audit_log WHERE action = 'setting.update'`,
    };
    assert.deepEqual(rows.map((row) => row["target_label"]).toSorted(), ["contact_email", "title"]);
    assert.match(page.text, /Set here\. Default: Rookery/);
    const bare = await owner.submit(page, path, { contact_email: "us@x" });
    assert.match(bare.text, /id="contact_email-fault">Enter an email address, such as/);
    const wrong = await owner.submit(page, path, { status_page_url: "ftp://x", title: "Kept" });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /value="Kept"/);
    assert.match(
      wrong.text,
      /id="status_page_url-fault">Enter an address that starts with https:\/\/\./,
    );
    assert.match(
      (await submit(owner, path, path, { reset: "contact_email" })).text,
      /Default restored/,
    );
    assert.equal((await t.visitor.get("/api/v2/instance")).json.contact.email, "");
    const discovery = "/admin/settings/discovery";
    await submit(owner, discovery, discovery, { trends: "1", profile_directory: "1" });
    const changed = await t.app.sql`SELECT name, value FROM settings WHERE name IN ('trends',
      'activity_api', 'profile_directory', 'trendable_by_default') ORDER BY name`;
    assert.deepEqual([...changed], [{ name: "activity_api", value: false }]);
    const signUps = "/admin/settings/registrations";
    const question = await owner.submit(await owner.get(signUps), signUps, {
      registrations: "open",
    });
    assert.match(question.text, /Open sign-ups now\?[^]*SMTP_SERVER isn’t set/);
    assert.equal((await t.visitor.get("/api/v2/instance")).json.registrations.enabled, false);
    await submit(owner, signUps, signUps, { registrations: "open" });
    assert.equal((await t.visitor.get("/api/v2/instance")).json.registrations.enabled, true);
    await submit(owner, "/admin/settings/terms", "/admin/settings/terms", {
      day: "2026-01-01",
      text: "Be good.",
    });
    assert.match((await t.visitor.get("/terms-of-service")).text, /Be good/);
    await submit(owner, "/admin/settings/texts", "/admin/settings/texts", {
      title: "Rude",
      text: "Please be kind.",
    });
    assert.match((await owner.get(`/admin/accounts/${bob.accountId}`)).text, /<option[^>]*>Rude/);
    assert.match((await owner.get("/admin/first_steps")).text, /<strong>The &lt;Rookery>/);
  });

  test("roles are made below one's own alone", async () => {
    const path = "/admin/roles";
    await submit(owner, path, path, {
      name: "Helper",
      color: "#00aa00",
      position: "5",
      may_manage_reports: "1",
      may_manage_roles: "1",
    });
    const [role] = await t.app
      .sql`SELECT id, permissions::int AS bits FROM roles WHERE name = 'Helper'`;
    assert.equal(role!["bits"], 16 + 131_072 + 65_536);
    const helper = await t.person("helper");
    await submit(
      owner,
      `/admin/accounts/${helper.accountId}`,
      `/admin/accounts/${helper.accountId}/role`,
      { role: role!["id"] },
    );
    const browser = openBrowser(t);
    await browser.signIn("helper");
    const page = await browser.get(path);
    const make = async (values: Record<string, string>) =>
      (await browser.submit(page, path, values)).status;
    assert.equal(await make({ name: "Same", position: "5" }), 403);
    assert.equal(await make({ name: "More", position: "1", may_manage_users: "1" }), 403);
    assert.equal(await make({ name: "Less", position: "1", may_manage_reports: "1" }), 302);
    await submit(owner, path, `${path}/everybody`, { may_invite_users: "1" });
    const remove = async () => {
      const action = `${path}/${role!["id"]}/delete`;
      await confirm(owner, await owner.submit(await owner.get(path), action, {}), action);
      const [left] = await t.app.sql`SELECT FROM roles WHERE id = ${role!["id"]}`;
      return left === undefined;
    };
    assert.equal(await remove(), false, "somebody has it");
    await submit(
      owner,
      `/admin/accounts/${helper.accountId}`,
      `/admin/accounts/${helper.accountId}/role`,
      { role: "-99" },
    );
    assert.equal(await remove(), true);
  });

  test("servers and sign-ups are blocked and freed", async () => {
    const servers = "/admin/domains";
    await submit(owner, servers, servers, {
      domain: "bad.example",
      severity: "suspend",
      public_comment: "Spam",
    });
    const page = await owner.get(`${servers}?q=sub.bad.example`);
    assert.match(page.text, /bad\.example/);
    assert.equal((await owner.submit(page, servers, { domain: "bad.example" })).status, 422);
    const [block] = await t.app.sql`SELECT id FROM domain_blocks`;
    await submit(owner, servers, `${servers}/${block!["id"]}/update`, { severity: "silence" });
    await submit(owner, servers, `${servers}/${block!["id"]}/delete`);
    assert.equal(await lastAudit(), "domain_block.delete");
    for (const [path, values] of [
      ["/admin/domains/allowed", { domain: "good.example" }],
      ["/admin/blocks", { ip: "203.0.113.0/24", severity: "no_access", duration: "86400" }],
      ["/admin/blocks/email_providers", { domain: "trash.example", with_approval: "1" }],
      ["/admin/blocks/email_addresses", { email: "x@trash.example" }],
    ] as const) {
      const listed = await submit(owner, path, path, values);
      const remove = new RegExp(`action="(${path}/\\d+/delete)"`).exec(listed.text)![1]!;
      await submit(owner, path, remove);
    }
    assert.equal(
      (await owner.submit(await owner.get("/admin/blocks"), "/admin/blocks", { ip: "x" })).status,
      422,
    );
  });

  test("lists of servers are tried, followed, excepted and left", async () => {
    const keeper = createServer((request, response) => {
      response.writeHead(request.url === "/list" ? 200 : 404, { "content-type": "text/csv" });
      response.end("#domain,#severity\nworst.example,suspend\n<loud>.example,suspend\n");
    });
    await new Promise<void>((resolve) => keeper.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(keeper.address() as AddressInfo).port}/list`;
    const path = "/admin/domains/lists";
    const page = await owner.get(path);
    const tryIt = (values: Record<string, string>) =>
      owner.post(`${path}/try`, { ...hiddenFields(page.text, path), ...values });
    const refused = await tryIt({ url: `${url}s`, title: "Mine" });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /responded with 404[^]*value="Mine"/);
    const tried = await tryIt({ url, suspend: "silence", retract: "1" });
    assert.equal(tried.status, 200);
    assert.match(tried.text, /Would be added: <strong>1<\/strong>: worst\.example/);
    assert.equal((await t.app.sql`SELECT FROM domain_lists`).length, 0);
    const values = { url, title: "Worst", suspend: "silence", retract: "1" };
    await submit(owner, path, path, values);
    await t.runJobs();
    const [block] = await t.app
      .sql`SELECT severity FROM domain_blocks WHERE domain = 'worst.example'`;
    assert.equal(block!["severity"], "silence");
    assert.match((await owner.get(path)).text, /Worst[^]*1 server,[^]*worst\.example[^]*added/);
    assert.equal((await owner.submit(await owner.get(path), path, values)).status, 422);
    const [list] = await t.app.sql`SELECT id FROM domain_lists`;
    await submit(owner, path, `${path}/${list!["id"]}/update`, {
      suspend: "suspend",
      retract: "1",
    });
    await submit(owner, path, `${path}/${list!["id"]}/sync`);
    await t.runJobs();
    assert.match((await owner.get(path)).text, /Limited → Blocked/);
    const excepted = await submit(owner, path, `${path}/exceptions`, { domain: "worst.example" });
    await t.runJobs();
    assert.equal((await t.app.sql`SELECT FROM domain_blocks`).length, 0);
    assert.match(excepted.text, /No list blocks this server/);
    await submit(owner, path, `${path}/exceptions/delete`);
    await submit(owner, path, `${path}/${list!["id"]}/delete`);
    await t.runJobs();
    assert.match((await owner.get(path)).text, /No subscriptions/);
    keeper.close();
  });

  test("a page of a server says how much of it is known", async () => {
    await t.write`
      INSERT INTO accounts (username, domain, uri, url, inbox_url, public_key)
      VALUES ('far', 'far.example', 'https://far.example/u', '', '', '')`;
    await t.write`
      INSERT INTO follows (id, account_id, target_account_id)
      SELECT 5, ${alice.accountId}, id FROM accounts WHERE domain = 'far.example'`;
    await t.app.sql`
      INSERT INTO peers (host, software, version, checked_at)
      VALUES ('far.example', 'mastodon', '4.5.1', now()), ('www.far.example', NULL, NULL, now())`;
    const looked = await owner.get("/admin/domains?q=far.example");
    assert.match(looked.text, /Nothing is blocked there/);
    assert.match(looked.text, /href="\/admin\/domains\/known\/far\.example"/);
    const page = await owner.get("/admin/domains/known/far.example");
    const known = page.text.replaceAll(/\s+/g, " ");
    assert.match(known, /Software<\/dt> ?<dd>mastodon 4\.5\.1 \(checked /);
    assert.match(known, /Software of www\.far\.example<\/dt> ?<dd>unknown/);
    assert.match(known, /Known accounts<\/dt> ?<dd> ?<a href="[^"]*by_domain=far\.example" ?>1</);
    assert.match(known, /Followed from here<\/dt> ?<dd>1</);
    const [far] = await t.app.sql`SELECT id FROM accounts WHERE domain = 'far.example'`;
    const account = await owner.get(`/admin/accounts/${far!["id"]}`);
    assert.match(account.text, /href="\/admin\/domains\?q=far\.example"/);
    assert.match((await owner.get("/admin/domains?q=a%20b")).text, /Enter a domain/);
  });

  test("trends are reviewed", async () => {
    await post(alice, "#birds");
    await post(alice, "#birds again");
    const [tag] = await t.app.sql`SELECT id FROM tags WHERE name = 'birds'`;
    const path = "/admin/trends?q=birds";
    await submit(mod, path, `/admin/trends/tags/${tag!["id"]}/approve`);
    assert.equal(await lastAudit(), "trend.approve");
    assert.match((await mod.get(path)).text, />allowed in trends/);
    await submit(mod, path, `/admin/trends/tags/${tag!["id"]}/change`, {
      flag: "usable",
      value: "false",
    });
    const json = { status: "#birds" };
    assert.equal((await alice.post("/api/v1/statuses", json)).status, 422);
  });
});

describe("appeals", () => {
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
    assert.equal(await lastAudit(), "appeal.approve");
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
    assert.match(mailsTo("dora").at(-1)!, /De beslissing: Je account is beperkt/);
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
});

test("webhooks get what they want to hear, signed, and again what they did not take", async () => {
  const got: { body: string; signature: string }[] = [];
  let status = 200;
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      got.push({ body, signature: String(request.headers["x-hub-signature"]) });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const path = "/admin/webhooks";
    const events = { "on_status.created": "1", "on_report.created": "1", "on_report.updated": "1" };
    const added = await submit(owner, path, path, { url, ...events });
    assert.equal((await owner.submit(added, path, { url, ...events })).status, 422);
    assert.equal((await owner.submit(added, path, { url: "ftp://x", ...events })).status, 422);
    const [hook] = await t.app.sql`SELECT id, secret FROM webhooks`;
    const direct = { status: "secret", visibility: "direct" };
    await alice.post("/api/v1/statuses", direct);
    const statusId = await post(alice, "hello webhooks");
    const reportId = await report(alice, bob);
    await submit(owner, `/admin/reports/${reportId}`, `/admin/reports/${reportId}/assign`);
    await t.runJobs();
    const told = got.map(({ body }) => JSON.parse(body));
    assert.deepEqual(told.map(({ event, object }) => `${event} ${object.id}`).toSorted(), [
      `report.created ${reportId}`,
      `report.updated ${reportId}`,
      `status.created ${statusId}`,
    ]);
    for (const { body, signature } of got) {
      const mac = createHmac("sha256", hook!["secret"]).update(body).digest("hex");
      assert.equal(signature, `sha256=${mac}`);
    }
    status = 500;
    const job = { webhookId: hook!["id"], body: "{}" };
    await assert.rejects(deliverWebhook(t.app, job), /500/);
    const state = async () =>
      (await t.app.sql`SELECT enabled, failures, last_result FROM webhooks`)[0];
    assert.deepEqual({ ...(await state()) }, { enabled: true, failures: 1, last_result: "500" });
    await t.write`UPDATE webhooks SET failures = 199`;
    await assert.rejects(deliverWebhook(t.app, job));
    assert.equal((await state())!["enabled"], false);
    const count = got.length;
    await deliverWebhook(t.app, job);
    await post(alice, "nobody listens");
    await t.runJobs();
    assert.equal(got.length, count);
    await submit(owner, path, `${path}/${hook!["id"]}/enable`);
    await submit(owner, path, `${path}/${hook!["id"]}/secret`);
    assert.doesNotMatch((await owner.get(path)).text, new RegExp(hook!["secret"]));
    await submit(owner, path, `${path}/${hook!["id"]}/delete`);
    assert.equal(await lastAudit(), "webhook.delete");
  } finally {
    receiver.close();
  }
});

// What moderators decide takes effect everywhere, is told to whom it concerns, and can be undone.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually } from "../../../../test/clients/live-server.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { mailsOf } from "../../../../test/mail.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { listAudit } from "../../base/audit/audit.ts";
import { setSetting } from "../../base/settings/settings.ts";
import { openStream } from "../../../../test/stream-client.ts";

const DAY_MS = 86_400_000;

let ahead = 0;
let server: TestApp;
let mod: Person;
let alice: Person;
let bob: Person;

const SCOPES = ["read", "write", "follow", "push", "admin:read", "admin:write"];

before(async () => {
  server = await startTestApp({
    clock: { now: () => new Date(Date.now() + ahead) },
    env: { TRUSTED_PROXY_IP: "127.0.0.1" },
  });
  mod = await server.person("mod", { role: "Owner", scopes: SCOPES });
  alice = await server.person("alice");
  bob = await server.person("bob");
});
after(() => server.close());

const act = (person: Person, type: string, more: Record<string, unknown> = {}) =>
  mod.post(`/api/v1/admin/accounts/${person.accountId}/action`, { type, ...more }).ok();
const undo = (person: Person, verb: string) =>
  mod.post(`/api/v1/admin/accounts/${person.accountId}/${verb}`).ok();

const post = async (who: Person, status: string, more = {}): Promise<{ id: string; uri: string }> =>
  who.post("/api/v1/statuses", { status, ...more }).ok();

const idsIn = async (who: Person | null, path: string): Promise<string[]> =>
  (await (who ?? server.visitor).get(path).ok()).map(({ id }: { id: string }) => id);

const lastAudit = async () => {
  const page = { maxId: null, sinceId: null, minId: null, limit: 1 };
  const [entry] = await listAudit(server.app, page, {});
  return entry!;
};

const AP = { accept: "application/activity+json" };

describe("suspension", () => {
  test("hides everything at once, refuses the tokens, and is undone without loss", async () => {
    const eve = await server.person("eve");
    await bob.post(`/api/v1/accounts/${eve.accountId}/follow`).ok();
    const { id } = await post(eve, "I am here");
    await bob.post(`/api/v1/statuses/${id}/favourite`).ok();
    await server.runJobs();
    const profile = `/api/v1/accounts/${eve.accountId}`;
    const status = `/api/v1/statuses/${id}`;
    assert.ok((await idsIn(bob, "/api/v1/timelines/home")).includes(id));
    await server.visitor.get(`/users/eve/statuses/${id}`, AP).ok();

    await act(eve, "suspend", { text: "spam" });
    assert.equal((await lastAudit()).action, "account.suspend");
    assert.equal((await lastAudit()).target_label, "eve");
    assert.equal((await bob.get(status)).status, 404);
    assert.equal((await server.visitor.get("/@eve")).status, 410);
    assert.equal((await server.visitor.get(`/@eve/${id}`)).status >= 404, true);
    for (const path of [
      "/api/v1/timelines/home",
      "/api/v1/timelines/public",
      "/api/v1/favourites",
    ]) {
      assert.ok(!(await idsIn(bob, path)).includes(id), path);
    }
    assert.deepEqual(await idsIn(bob, `${profile}/statuses`), []);
    assert.deepEqual(await idsIn(bob, `/api/v1/accounts/${bob.accountId}/following`), []);
    assert.equal((await bob.get(profile)).status, 410);
    const actor = await server.visitor.get("/users/eve", AP).ok();
    assert.equal(actor.suspended, true);
    assert.notEqual((await server.visitor.get(`/users/eve/statuses/${id}`, AP)).status, 200);
    assert.equal((await server.visitor.get("/users/eve/outbox", AP)).status, 410);
    assert.equal((await eve.get("/api/v1/timelines/home")).status, 403);
    assert.equal((await eve.post("/api/v1/statuses", { status: "still" })).status, 403);

    await undo(eve, "unsuspend");
    assert.equal((await bob.get(status).ok()).content, "<p>I am here</p>");
    assert.equal((await bob.get(status).ok()).favourited, true);
    assert.ok((await idsIn(bob, "/api/v1/timelines/home")).includes(id));
    assert.deepEqual(await idsIn(bob, `/api/v1/accounts/${bob.accountId}/following`), [
      eve.accountId,
    ]);
    await eve.get("/api/v1/timelines/home").ok();
    assert.equal((await mod.post(`/api/v1/admin/accounts/${eve.accountId}/unsuspend`)).status, 403);
  });

  test("closes open streams", async () => {
    const streamer = await server.person("streamer");
    const query = { stream: "user", access_token: streamer.token };
    const stream = await openStream(server.url, { query });
    await act(streamer, "suspend");
    await server.runJobs();
    await stream.closed();
    await assert.rejects(openStream(server.url, { query }), /refused with 40/);
  });

  test("deletes what the account had after 30 days, and blocks the address", async () => {
    const gone = await server.person("gone");
    const { id } = await post(gone, "soon deleted");
    await act(gone, "suspend");
    await server.app.jobs.add(server.app.sql, "accounts.delete_due", {});
    await server.runJobs();
    assert.equal((await server.app.sql`SELECT FROM statuses WHERE id = ${id}`).length, 1);
    ahead = 31 * DAY_MS;
    try {
      await server.app.jobs.add(server.app.sql, "accounts.delete_due", {});
      await server.runJobs();
    } finally {
      ahead = 0;
    }
    assert.equal((await server.app.sql`SELECT FROM statuses WHERE id = ${id}`).length, 0);
    assert.equal((await server.visitor.get("/users/gone", AP)).status, 410);
    const tested = await mod
      .post("/api/v1/admin/canonical_email_blocks/test", {
        email: "G.one+again@example.com",
      })
      .ok();
    assert.equal(tested.length, 1);
    // Nothing is left that could come back.
    const path = `/api/v1/admin/accounts/${gone.accountId}`;
    assert.equal((await mod.post(`${path}/unsuspend`)).status, 403);
    assertEntity("Admin_Account", await mod.get(path).ok());
  });

  test("is needed before a deletion, which is at once", async () => {
    const quick = await server.person("quick");
    const path = `/api/v1/admin/accounts/${quick.accountId}`;
    assert.equal((await mod.delete(path)).status, 403);
    await act(quick, "suspend");
    await mod.delete(path).done();
    assert.equal((await server.visitor.get("/users/quick", AP)).status, 410);
  });
});

describe("lesser acts", () => {
  test("a limited account is in no public timeline, and its followers still see it", async () => {
    const loud = await server.person("loud");
    await bob.post(`/api/v1/accounts/${loud.accountId}/follow`).ok();
    const { id } = await post(loud, "loud words");
    await server.runJobs();
    assert.ok((await idsIn(null, "/api/v1/timelines/public?local=true")).includes(id));
    await act(loud, "silence");
    assert.ok(!(await idsIn(null, "/api/v1/timelines/public?local=true")).includes(id));
    assert.ok((await idsIn(bob, "/api/v1/timelines/home")).includes(id));
    assert.equal((await bob.get(`/api/v1/accounts/${loud.accountId}`).ok()).limited, true);
    await undo(loud, "unsilence");
    assert.ok((await idsIn(null, "/api/v1/timelines/public?local=true")).includes(id));
  });

  test("all posts of a sensitive account are sensitive, until that is undone", async () => {
    const rude = await server.person("rude");
    const { id } = await post(rude, "look at this");
    const isSensitive = async () => [
      (await server.visitor.get(`/api/v1/statuses/${id}`).ok()).sensitive,
      (await server.visitor.get(`/api/v1/accounts/${rude.accountId}/statuses`).ok())[0].sensitive,
      (await server.visitor.get(`/users/rude/statuses/${id}`, AP)).json.sensitive,
    ];
    assert.deepEqual(await isSensitive(), [false, false, false]);
    await act(rude, "sensitive");
    assert.deepEqual(await isSensitive(), [true, true, true]);
    await undo(rude, "unsensitive");
    assert.deepEqual(await isSensitive(), [false, false, false]);
  });

  test("a disabled person cannot use the account, which stays visible", async () => {
    const frozen = await server.person("frozen");
    const { id } = await post(frozen, "before");
    await act(frozen, "disable");
    assert.equal((await frozen.get("/api/v1/timelines/home")).status, 403);
    await server.visitor.get(`/api/v1/statuses/${id}`).ok();
    await undo(frozen, "enable");
    await frozen.get("/api/v1/timelines/home").ok();
  });

  test("a warning comes as a notification and a mail, with the preset's text", async () => {
    const warned = await server.person("warned");
    await act(warned, "none", { text: "Mind the tone", send_email_notification: true });
    await server.runJobs();
    const [notice] = await warned.get("/api/v1/notifications").ok();
    assertEntity("Notification", notice);
    assert.equal(notice.type, "moderation_warning");
    assert.equal(notice.moderation_warning.text, "Mind the tone");
    assert.equal(notice.moderation_warning.action, "none");
    const groups = await warned.get("/api/v2/notifications").ok();
    assert.equal(groups.notification_groups[0].moderation_warning.text, "Mind the tone");
    const mail = mailsOf(server).findLast((text) => text.includes("warned@example.com"));
    assert.match(mail!, /Mind the tone/);
    const unknown = { type: "none", warning_preset_id: "1" };
    const path = `/api/v1/admin/accounts/${warned.accountId}/action`;
    assert.equal((await mod.post(path, unknown)).status, 404);
    assert.equal((await mod.post(path, { type: "shout" })).status, 422);
  });
});

describe("reports", () => {
  const reportOn = async (target: Person, statusIds: string[]) =>
    (
      await alice
        .post("/api/v1/reports", {
          account_id: target.accountId,
          status_ids: statusIds,
          comment: "please look",
        })
        .ok()
    ).id as string;

  test("are listed, assigned, corrected, resolved and reopened", async () => {
    const target = await server.person("reported");
    // Moderators see what was reported, whoever it was for.
    const { id: statusId } = await post(target, "@alice rude words", { visibility: "direct" });
    const id = await reportOn(target, [statusId]);
    const path = `/api/v1/admin/reports/${id}`;
    assert.ok((await idsIn(mod, "/api/v1/admin/reports")).includes(id));
    assert.deepEqual(await idsIn(mod, `/api/v1/admin/reports?account_id=${bob.accountId}`), []);
    assert.deepEqual(await idsIn(mod, "/api/v1/admin/reports?account_id=nonsense"), []);
    assert.deepEqual(
      await idsIn(mod, `/api/v1/admin/reports?target_account_id=${target.accountId}`),
      [id],
    );
    const report = await mod.get(path).ok();
    assertEntity("Admin_Report", report);
    assert.equal(report.statuses[0].content.includes("rude words"), true);
    assert.equal(
      (await mod.post(`${path}/assign_to_self`).ok()).assigned_account.id,
      mod.accountId,
    );
    assert.equal((await mod.post(`${path}/unassign`).ok()).assigned_account, null);
    assert.equal((await mod.put(path, { category: "spam" }).ok()).category, "spam");
    assert.equal((await mod.put(path, { category: "nonsense" })).status, 422);
    assert.equal((await mod.put(path, { rule_ids: ["1"] })).status, 422);
    const resolved = await mod.post(`${path}/resolve`).ok();
    assert.equal(resolved.action_taken, true);
    assert.equal(resolved.action_taken_by_account.id, mod.accountId);
    assert.ok(!(await idsIn(mod, "/api/v1/admin/reports")).includes(id));
    assert.ok((await idsIn(mod, "/api/v1/admin/reports?resolved=true")).includes(id));
    const open = await reportOn(target, []);
    const both = await idsIn(mod, "/api/v1/admin/reports?resolved=true&unresolved=true");
    assert.deepEqual([both.includes(id), both.includes(open)], [true, true]);
    const only = await idsIn(mod, "/api/v1/admin/reports?unresolved=true");
    assert.deepEqual([only.includes(id), only.includes(open)], [false, true]);
    assert.equal((await mod.post(`${path}/reopen`).ok()).action_taken, false);
  });

  test("an action about their target resolves them, and the strike names their posts", async () => {
    const target = await server.person("twice");
    const { id: statusId } = await post(target, "spam spam");
    const first = await reportOn(target, [statusId]);
    const second = await reportOn(target, []);
    await act(target, "silence", { report_id: first });
    for (const id of [first, second]) {
      assert.equal((await mod.get(`/api/v1/admin/reports/${id}`).ok()).action_taken, true);
    }
    await server.runJobs();
    const [notice] = await target.get("/api/v1/notifications?types[]=moderation_warning").ok();
    assert.deepEqual(notice.moderation_warning.status_ids, [statusId]);
    assert.equal(
      (
        await mod.post(`/api/v1/admin/accounts/${bob.accountId}/action`, {
          type: "none",
          report_id: first,
        })
      ).status,
      404,
    );
  });
});

describe("lists of accounts", () => {
  test("filter by state, origin, name, address and role", async () => {
    const waiting = await server.person("waiting", { approved: false, ip: "192.0.2.7" });
    const list = (query: string) => idsIn(mod, `/api/v1/admin/accounts?limit=200&${query}`);
    const second = (query: string) => idsIn(mod, `/api/v2/admin/accounts?limit=200&${query}`);
    assert.deepEqual(await list("pending=true"), [waiting.accountId]);
    assert.deepEqual(await second("status=pending"), [waiting.accountId]);
    assert.deepEqual(await list("username=waiti"), [waiting.accountId]);
    assert.deepEqual(await list("email=waiting@"), [waiting.accountId]);
    assert.deepEqual(await list("ip=192.0.2.0/24"), [waiting.accountId]);
    assert.deepEqual(await list("ip=198.51.100.1"), []);
    assert.deepEqual(await list("staff=true"), [mod.accountId]);
    assert.deepEqual(await second("permissions=staff"), [mod.accountId]);
    assert.deepEqual(await second("role_ids[]=3"), [mod.accountId]);
    assert.deepEqual(await list("remote=true"), []);
    assert.deepEqual(await list("by_domain=nowhere.example"), []);
    await bob
      .patch("/api/v1/accounts/update_credentials", {
        display_name: "Bob Builder",
      })
      .ok();
    assert.deepEqual(await list("display_name=bob b"), [bob.accountId]);
    for (const query of ["origin=mars", "status=happy", "ip=nonsense"]) {
      assert.equal((await mod.get(`/api/v2/admin/accounts?${query}`)).status, 400, query);
    }
  });
});

describe("sign-up", () => {
  let app: string;
  before(async () => {
    await setSetting(server.app, "registrations", "approved");
    app = await server.token(null, ["read", "write"]);
  });
  after(() => setSetting(server.app, "registrations", null));

  let count = 0;
  const signUp = (more: Record<string, unknown> = {}, ip = "203.0.113.5") =>
    server.as(app).post(
      "/api/v1/accounts",
      {
        username: `applicant${(count += 1)}`,
        email: `applicant${count}@mail.example`,
        password: "correct horse",
        agreement: true,
        locale: "en",
        reason: "I like birds",
        ...more,
      },
      { "x-forwarded-for": ip },
    );
  const confirmNewest = async () => {
    await server.runJobs();
    const name = `applicant${count}`;
    const mail = mailsOf(server).findLast((text) => text.includes(`${name}@mail.example`));
    const path = /(\/auth\/confirmation\?\S+)/.exec(mail!)![1]!;
    await server.visitor.get(path);
    await server.runJobs();
    const [row] = await server.app.sql`SELECT id FROM accounts WHERE username = ${name}`;
    return row!["id"] as string;
  };

  test("waits for a moderator, who is told with the applicant's words, and approves", async () => {
    assert.equal((await signUp({ reason: "" })).status, 422);
    const { json } = await signUp();
    const applicant = { ...bob, token: json.access_token };
    const id = await confirmNewest();
    assert.equal((await applicant.get("/api/v1/timelines/home")).status, 403);
    const [notice] = await mod.get("/api/v1/notifications?types[]=admin.sign_up").ok();
    assert.equal(notice.account.id, id);
    assert.match(mailsOf(server).at(-1)!, /I like birds/);
    assert.ok(mailsOf(server).at(-1)!.includes(`/admin/accounts/${id}`));
    const [listed] = await mod.get("/api/v2/admin/accounts?status=pending").ok();
    assert.equal(listed.invite_request, "I like birds");
    const approved = await mod.post(`/api/v1/admin/accounts/${id}/approve`).ok();
    assert.equal(approved.approved, true);
    assert.equal((await mod.post(`/api/v1/admin/accounts/${id}/approve`)).status, 403);
    await applicant.get("/api/v1/timelines/home").done();
    assert.match(mailsOf(server).at(-1)!, /has been approved/);
  });

  test("is rejected without a trace: the name is free again", async () => {
    await signUp();
    const id = await confirmNewest();
    await mod.post(`/api/v1/admin/accounts/${id}/reject`).done();
    assert.match(mailsOf(server).at(-1)!, /not to accept/);
    const name = `applicant${count}`;
    await signUp({ username: name, email: `${name}@mail.example` }).ok();
  });

  test("is refused or held by the network and the mail provider", async () => {
    await setSetting(server.app, "registrations", "open");
    const networks = "/api/v1/admin/ip_blocks";
    await mod.post(networks, { ip: "198.51.100.0/25", severity: "sign_up_block" }).ok();
    assert.equal((await signUp({}, "198.51.100.9")).status, 403);
    await signUp({}, "198.51.100.200").ok();
    await mod
      .post(networks, {
        ip: "198.51.101.0/24",
        severity: "sign_up_requires_approval",
        expires_in: 3600,
      })
      .ok();
    await signUp({}, "198.51.101.9").ok();
    const isApproved = async () => {
      const [row] = await server.app.sql`
        SELECT approved FROM users WHERE email = ${`applicant${count}@mail.example`}`;
      return row!["approved"];
    };
    assert.equal(await isApproved(), false);
    ahead = 2 * 3_600_000;
    await signUp({}, "198.51.101.10").ok();
    ahead = 0;
    assert.equal(await isApproved(), true);

    const providers = "/api/v1/admin/email_domain_blocks";
    const { id } = await mod.post(providers, { domain: "trash.example" }).ok();
    const refused = await signUp({ email: "me@sub.trash.example" }, "203.0.113.77");
    assert.equal(refused.status, 422);
    assert.equal(refused.json.details.email[0].error, "ERR_BLOCKED");
    const block = await mod.get(`${providers}/${id}`).ok();
    assert.deepEqual([block.history[0].uses, block.history[0].accounts], ["1", "1"]);
    assert.equal((await mod.post(providers, { domain: "trash.example" })).status, 422);
    assert.equal(
      (await mod.post(networks, { ip: "198.51.100.1/25", severity: "no_access" })).status,
      422,
    );
    assert.equal(
      (await mod.post(networks, { ip: "0.0.0.0/0", severity: "no_access" })).status,
      422,
    );
  });

  test("nobody shuts out themselves", async () => {
    const path = "/api/v1/admin/ip_blocks";
    const own = { ip: "127.0.0.0/8", severity: "no_access" };
    const refused = await mod.post(path, own);
    assert.equal(refused.status, 422);
    assert.match(refused.json.error, /contains the address that you use now/);
    const { id } = await mod.post(path, { ...own, severity: "sign_up_block" }).ok();
    assert.equal((await mod.put(`${path}/${id}`, { severity: "no_access" })).status, 422);
    assert.equal((await mod.get(`${path}/${id}`).ok()).severity, "sign_up_block");
    await mod.delete(`${path}/${id}`).ok();
  });

  test("a network without access gets nothing, until its block is removed or expires", async () => {
    const headers = { "x-forwarded-for": "192.0.2.130" };
    const ask = async () => (await alice.get("/api/v1/timelines/home", headers)).status;
    assert.equal(await ask(), 200);
    const block = { ip: "192.0.2.128/25", severity: "no_access", comment: "flood" };
    const { id } = await mod.post("/api/v1/admin/ip_blocks", block).ok();
    await eventually("the block", async () => ((await ask()) === 403 ? true : undefined));
    const query = { stream: "user", access_token: alice.token };
    await assert.rejects(openStream(server.url, { query, headers }), /403/);
    await alice.get("/api/v1/timelines/home").ok();
    await mod.delete(`/api/v1/admin/ip_blocks/${id}`).ok();
    await eventually("access", async () => ((await ask()) === 200 ? true : undefined));
  });
});

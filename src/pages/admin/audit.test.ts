// The audit log as the staff reads it: sentences, filters, the export.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { actOnAccount } from "../../domain/staff/moderation/accounts.ts";
import { actorOf } from "../../domain/staff/moderation/actors.ts";
import { decideReports } from "../../domain/staff/moderation/reports.ts";
import { modifyEveryoneAs } from "../../domain/staff/moderation/roles.ts";
import {
  changeSettings,
  createPreset,
  createRule,
  deletePreset,
  deleteRule,
  moveRuleAs,
} from "../../domain/staff/moderation/server.ts";
import { listPresets } from "../../domain/reading/strikes/strikes.ts";
import { reviewAs } from "../../domain/reading/trends/review.ts";
import { audit } from "../../domain/base/audit/audit.ts";
import { COMMAND_LINE } from "../../domain/base/roles/permissions.ts";

describe("the audit log", () => {
  let t: TestApp;
  let mod: Browser;
  let miaId: string;

  before(async () => {
    t = await startTestApp();
    const mia = await t.person("mia", { role: "Moderator" });
    const bob = await t.person("bob");
    miaId = mia.accountId;
    const act = { type: "silence", text: "", reportId: null, mail: false } as const;
    await actOnAccount(t.app, await actorOf(t.app, mia.accountId), bob.accountId, act);
    await createRule(t.app, COMMAND_LINE, { text: "=Be <kind>", hint: "" });
    mod = openBrowser(t);
    await mod.signIn("mia");
  });
  after(() => t.close());

  /** What is listed, as text. */
  const lines = async (query = ""): Promise<string[]> => {
    const { text } = await mod.get(`/admin/audit${query}`);
    return [...text.matchAll(/<span class="said">([^]*?)<\/span>/g)].map(([, line]) =>
      line!.replaceAll(/<[^>]*>/g, "").trim(),
    );
  };

  const SILENCED = "@mia limited @bob";
  const RULE = "The command line added the rule “=Be &lt;kind>”";

  test("says who did what, with links", async () => {
    assert.deepEqual(await lines(), [RULE, SILENCED]);
    assert.match(
      (await mod.get("/admin/audit")).text,
      /limited <a href="\/admin\/accounts\/\d+">@bob</,
    );
  });

  test("is filtered by who, what kind, on whom and when", async () => {
    assert.deepEqual(await lines("?by=mia"), [SILENCED]);
    assert.deepEqual(await lines("?by=server"), [RULE]);
    assert.deepEqual(await lines("?by=nobody"), []);
    assert.deepEqual(await lines("?kind=rule"), [RULE]);
    assert.deepEqual(await lines("?about=bob"), [SILENCED]);
    const today = new Date().toISOString().slice(0, 10);
    assert.equal((await lines(`?from=${today}&to=${today}`)).length, 2);
    assert.deepEqual(await lines("?to=2020-01-01"), []);
  });

  test("names everything in words, and nothing by its id", async () => {
    const mia = await actorOf(t.app, miaId);
    const bob = await t.person("rob");
    const { json: post } = await bob.post(
      "/api/v1/statuses",
      new URLSearchParams({ status: "#lively things" }),
    );
    const report = await (
      await t.person("zoe")
    ).post(
      "/api/v1/reports",
      new URLSearchParams({ account_id: bob.accountId, "status_ids[]": post.id }),
    );
    await decideReports(t.app, mia, report.json.id, { name: "none", text: "", mail: false });
    const tag = { id: (await t.app.sql`SELECT id FROM tags WHERE name = 'lively'`)[0]!["id"] };
    await reviewAs(t.app, COMMAND_LINE, "tag", { id: tag.id, trendable: true });
    await reviewAs(t.app, COMMAND_LINE, "status", { id: post.id, trendable: false });
    const rule = await createRule(t.app, COMMAND_LINE, { text: "No spam", hint: "" });
    await moveRuleAs(t.app, COMMAND_LINE, rule, true);
    await deleteRule(t.app, COMMAND_LINE, rule);
    await modifyEveryoneAs(t.app, COMMAND_LINE, ["invite_users"]);
    const open = { registrations: "approved", trends: "false", title: "The mill" } as const;
    await changeSettings(t.app, COMMAND_LINE, open);
    await createPreset(t.app, COMMAND_LINE, "Tone", "Mind the tone");
    await deletePreset(t.app, COMMAND_LINE, (await listPresets(t.app))[0]!.id);
    const rob = { type: "account", id: bob.accountId, label: "rob" };
    const details = { scopes: ["read", "follow"] };
    await audit(t.app, t.app.sql, COMMAND_LINE, { action: "token.create", target: rob, details });
    const provider = { provider: "City" };
    const ended = { action: "account.end_sessions", target: rob, details: provider } as const;
    await audit(t.app, t.app.sql, COMMAND_LINE, ended);
    // A former version did not name it.
    const unnamed = { type: "link", id: "117694528747798599", label: "" };
    await audit(t.app, t.app.sql, COMMAND_LINE, { action: "trend.approve", target: unnamed });
    const said = await lines();
    for (const line of [
      "The command line allowed #lively in trends",
      "The command line removed a post by @rob from trends",
      "City signed @rob out everywhere",
      "The command line moved the rule “No spam”",
      "The command line deleted the rule “No spam”",
      "The command line changed the role Everyone",
      "The command line changed the setting “Who can sign up”",
      "The command line changed the setting “Show trends”",
      "The command line deleted the template “Tone”",
      "The command line allowed (name not recorded) in trends",
      "@mia warned @rob",
    ]) {
      assert.ok(said.includes(line), `${line}, of ${said.join("; ")}`);
    }
    const { text } = await mod.get("/admin/audit");
    assert.doesNotMatch(text.replaceAll(/<[^>]*>/g, " "), /\b\d{15,}\b|\breport_id\b|-99/);
    assert.match(text, />1 report closed</);
    assert.match(
      text,
      />access: Read all your account’s data · Follow, mute and block people for you</,
    );
    assert.match(text, /permissions: Invite/);
    assert.match(text, /to: off</);
    assert.match(text, /to: The mill</);
    assert.doesNotMatch(text, /invite_users|to: approved|to: false/);
    assert.doesNotMatch((await mod.get("/admin/audit/export.csv")).text, /\d{15,}/);
  });

  test("is exported as CSV without formulas", async () => {
    const { text, headers } = await mod.get("/admin/audit/export.csv?kind=rule");
    assert.match(headers.get("content-type")!, /^text\/csv/);
    assert.match(text, /The command line,rule.create,rule,'=Be <kind>,/);
    assert.doesNotMatch(text, /account.silence/);
  });
});

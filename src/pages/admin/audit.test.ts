// The audit log as the staff reads it: sentences, filters, the export.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { actOnAccount } from "../../domain/moderation/accounts.ts";
import { actorOf } from "../../domain/moderation/acts.ts";
import { createRule } from "../../domain/moderation/server.ts";
import { COMMAND_LINE } from "../../domain/roles/permissions.ts";

describe("the audit log", () => {
  let t: TestApp;
  let mod: Browser;

  before(async () => {
    t = await startTestApp();
    const mia = await t.person("mia", { role: "Moderator" });
    const bob = await t.person("bob");
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
  const RULE = "The command line added the rule “=Be &lt;kind&gt;”";

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

  test("is exported as CSV without formulas", async () => {
    const { text, headers } = await mod.get("/admin/audit/export.csv?kind=rule");
    assert.match(headers.get("content-type")!, /^text\/csv/);
    assert.match(text, /The command line,rule.create,rule,'=Be <kind>,/);
    assert.doesNotMatch(text, /account.silence/);
  });
});

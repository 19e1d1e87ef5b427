// The keys of the queues: whatever has a key is in the list of the page, each key once, and the script is served.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { KEYS_SCRIPT } from "./keys.ts";

let t: TestApp;
let owner: Browser;
let bad: Person;

before(async () => {
  t = await startTestApp();
  const boss = await t.person("boss", { role: "Owner" });
  const good = await t.person("good");
  bad = await t.person("bad");
  await t.person("new", { approved: false, reason: "Birds" });
  const { json: post } = await bad.post("/api/v1/statuses", { status: "Watches" });
  const report = { account_id: bad.accountId, status_ids: [post.id] };
  await good.post("/api/v1/reports", report);
  await t.fixture(async (sql) => {
    await sql`
      INSERT INTO spam_rules (id, account_id, name, conditions, actions, created_at, updated_at)
      VALUES (1, ${boss.accountId}, 'Rule', '{"links":1}', '{hold}', now(), now())
    `;
    await sql`
      INSERT INTO spam_matches (rule_id, account_id, state, text, post, created_at)
      VALUES (1, ${bad.accountId}, 'held', 'Watches', '{}', now())
    `;
    const [strike] = await sql`
      INSERT INTO strikes (target_account_id, action) VALUES (${good.accountId}, 'none')
      RETURNING id
    `;
    await sql`INSERT INTO appeals (strike_id, text) VALUES (${strike!["id"]}, 'Why?')`;
  });
  owner = openBrowser(t);
  await owner.signIn("boss");
});
after(() => t.close());

const pagesWithKeys = async (): Promise<string[]> => {
  const [report] = await t.app.sql`SELECT id FROM reports`;
  return [
    "/admin/accounts",
    "/admin/appeals",
    "/admin/reports",
    `/admin/reports/${report!["id"]}`,
    "/admin/sign_ups",
    "/admin/spam",
  ];
};

describe("keys", () => {
  test("are all in the list of their page, and none has two meanings", async () => {
    for (const path of await pagesWithKeys()) {
      const { text } = await owner.get(path);
      const list = /<details class="add keys"[^]*?<\/details>/.exec(text)?.[0] ?? "";
      const named = [...list.matchAll(/<kbd>(.+?)<\/kbd>/g)].map(([, key]) => key!);
      const used = [...text.matchAll(/data-key="(\w)"/g)].map(([, key]) => key!);
      // The one in the title is that of the list itself.
      const meanings = named.slice(1);
      assert.deepEqual(meanings, [...new Set(meanings)], path);
      assert.deepEqual(
        used.filter((key) => !named.includes(key)),
        [],
        path,
      );
      assert.deepEqual(
        used.filter((key) => ["j", "k", "o", "x"].includes(key)),
        [],
        path,
      );
      assert.match(text, /data-entry/, path);
      assert.ok(text.includes(`<script src="${KEYS_SCRIPT}" defer`), path);
    }
  });

  test("are heard by a script of this server alone, nothing inline", async () => {
    const page = await owner.get("/admin/reports");
    assert.match(page.headers.get("content-security-policy") ?? "", /script-src 'self'(?:;|$)/);
    assert.doesNotMatch(page.text, /<script(?![^>]*\ssrc=)[^>]*>|\son[a-z]+="/);
    const script = await t.visitor.get(KEYS_SCRIPT);
    assert.equal(script.status, 200);
    assert.match(script.headers.get("content-type") ?? "", /^text\/javascript/);
    assert.match(script.headers.get("cache-control") ?? "", /immutable/);
  });
});

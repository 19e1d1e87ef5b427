// The server's description of itself is cached, and every change shows: changes of this process at once,
// those of another process once the database has notified.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { connect } from "../../../platform/db/index.ts";
import { removeAccount } from "../../people/accounts/remove.ts";
import { addRule, removeRule } from "../../base/rules/rules.ts";
import { setSetting, takeSetting } from "../../base/settings/settings.ts";
import { publishTerms } from "./terms.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";

let t: TestApp;

before(async () => {
  t = await startTestApp();
});
after(() => t.close());

const instance = async () => (await t.visitor.get("/api/v2/instance")).json;

/** Cached once the connection listens to the database. */
const warm = async (): Promise<void> => {
  for (let i = 0; i < 100; i++) {
    if ((await t.countQueries(instance, { warm: true })).queries === 0) return;
    await sleep(20);
  }
  assert.fail("nothing is cached");
};

test("a setting that this process changes shows at once", async () => {
  await warm();
  await setSetting(t.app, "title", "Elms");
  assert.equal((await instance()).title, "Elms");
  await warm();
  assert.equal(await takeSetting(t.app.sql, "title", "Elms"), true);
  assert.equal((await instance()).title, "Rookery");
  await warm();
  await t.app.sql.begin((tx) => setSetting(t.app, "title", "Oaks", tx));
  assert.equal((await instance()).title, "Oaks");
  await t.app.sql.begin(async (tx) => {
    await setSetting(t.app, "title", "Not yet", tx);
    assert.equal((await instance()).title, "Oaks");
  });
  assert.equal((await instance()).title, "Not yet");
});

test("a setting and an owner from another process show within two seconds", async () => {
  const person = await t.person("queen");
  await warm();
  const other = connect(t.databaseUrl, { max: 1, application: "another" });
  try {
    await other`
      INSERT INTO settings (name, value) VALUES ('title', '"Beeches"')
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
    `;
    await other`UPDATE users SET role_id = 3 WHERE id = ${person.userId}`;
  } finally {
    await other.end();
  }
  const deadline = Date.now() + 2000;
  for (;;) {
    const { title, contact } = await instance();
    if (title === "Beeches" && contact.account?.acct === "queen") break;
    assert.ok(Date.now() < deadline, "the database did not notify");
    await sleep(10);
  }
});

test("the contact's profile and their end show at once", async () => {
  const owner = await t.person("owner", { role: "Owner" });
  await warm();
  const queen = (await instance()).contact.account;
  await owner.patch("/api/v1/accounts/update_credentials", { display_name: "Somebody" });
  await removeAccount(t.app, queen.id);
  const { account } = (await instance()).contact;
  assert.notEqual(account?.id, queen.id);
});

test("rules and terms show at once, and from another process within two seconds", async () => {
  await warm();
  const id = await addRule(t.app.sql, { text: "Be kind", hint: "" });
  assert.deepEqual((await instance()).rules.length, 1);
  await warm();
  await removeRule(t.app, t.app.sql, id);
  assert.deepEqual((await instance()).rules, []);
  await publishTerms(t.app, COMMAND_LINE, "2026-01-01", "Be kind.");
  assert.ok((await instance()).configuration.urls.terms_of_service);
  await warm();
  const other = connect(t.databaseUrl, { max: 1, application: "another" });
  await other`INSERT INTO rules (text) VALUES ('From elsewhere')`;
  await other.end();
  const deadline = Date.now() + 2000;
  while ((await instance()).rules[0]?.text !== "From elsewhere") {
    assert.ok(Date.now() < deadline, "the database did not notify");
    await sleep(10);
  }
});

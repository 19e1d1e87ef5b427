// What is asked before something is taken away: the page that says what goes, and that nothing happens without it.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { listRoutes } from "../../../test/security/routes.ts";
import { CONFIRMATIONS } from "./confirmations.ts";

/** Taken off a list that they can be put on again as they were. */
const ASK_NOTHING = [
  "/admin/appeals/:id/reject",
  "/admin/blocks/:id/delete",
  "/admin/blocks/email_addresses/:id/delete",
  "/admin/blocks/email_providers/:id/delete",
  "/admin/domains/:id/delete",
  "/admin/domains/allowed/:id/delete",
  "/admin/domains/lists/exceptions/delete",
  "/admin/notes/:id/delete",
  "/admin/trends/links/:id/reject",
  "/admin/trends/publishers/:id/reject",
  "/admin/trends/statuses/:id/reject",
  "/admin/trends/tags/:id/reject",
];

describe("before something goes", () => {
  let t: TestApp;
  let owner: Browser;
  let bob: Person;

  before(async () => {
    t = await startTestApp();
    await t.person("boss", { role: "Owner" });
    bob = await t.person("bob");
    owner = openBrowser(t);
    await owner.signIn("boss");
  });
  after(() => t.close());

  test("every form that takes something away asks", async () => {
    const paths = (await listRoutes(t.app))
      .filter(
        ({ method, url }) =>
          method === "POST" && /^\/admin\/.*\/(?:delete|reject|discard)$/.test(url),
      )
      .map(({ url }) => url);
    const silent = paths.filter((path) => !Object.hasOwn(CONFIRMATIONS, path));
    assert.deepEqual(
      silent.filter((path) => !ASK_NOTHING.includes(path)),
      [],
    );
    const all = new Set((await listRoutes(t.app)).map(({ url }) => url));
    assert.deepEqual(
      Object.keys(CONFIRMATIONS).filter((path) => !all.has(path)),
      [],
    );
  });

  test("a suspension says what goes; data of a suspended account want the name", async () => {
    await bob.post("/api/v1/statuses", { status: "One post" });
    const path = `/admin/accounts/${bob.accountId}`;
    const isSuspended = async () =>
      (await t.app.sql`SELECT suspended_at FROM accounts WHERE id = ${bob.accountId}`)[0]![
        "suspended_at"
      ] !== null;
    const chosen = { type: "suspend", text: "Spam <b>" };
    const question = await owner.submit(await owner.get(path), `${path}/act`, chosen);
    assert.equal(question.status, 200);
    assert.match(question.text, /Suspend @bob\?[^]*1 post[^]*deleted after 30 days/);
    assert.match(question.text, /value="Spam &lt;b>"/);
    assert.equal(await isSuspended(), false);
    assert.equal((await owner.submit(question, `${path}/act`, {})).status, 302);
    assert.equal(await isSuspended(), true);

    const last = await owner.submit(await owner.get(path), `${path}/delete`, {});
    assert.match(last.text, /Type bob to continue/);
    const wrong = await owner.submit(last, `${path}/delete`, { confirmed_word: "alice" });
    assert.equal(wrong.status, 422);
    const user = () => t.app.sql`SELECT FROM users WHERE account_id = ${bob.accountId}`;
    assert.equal((await user()).length, 1);
    const done = await owner.submit(wrong, `${path}/delete`, { confirmed_word: " @Bob " });
    assert.equal(done.status, 302);
    await t.runJobs();
    assert.equal((await user()).length, 0);
  });
});

// What is asked before something is taken away: the page that says what goes, and that nothing happens without it.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hiddenFields, openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { listRoutes } from "../../../test/security/routes.ts";
import { LOSSES, wordOf } from "./confirmation.ts";
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

  test("a question has an address of its own, for whoever was asked, with what was entered", async () => {
    const path = `/admin/accounts/${bob.accountId}`;
    const hidden = hiddenFields((await owner.get(path)).text, `${path}/act`);
    const values = { ...hidden, type: "suspend", text: "Kept" };
    const sent = await owner.post(`${path}/act`, values);
    assert.equal(sent.status, 302);
    const address = sent.headers.get("location")!;
    for (let time = 0; time < 2; time += 1) {
      const { status, text } = await owner.get(address);
      assert.equal(status, 200);
      assert.match(text, /Suspend @bob\?[^]*value="Kept"/);
      assert.match(text, /href="\/admin\/accounts" aria-current="page"/);
    }
    // Going back shows what was entered, and leaves the button that does it without the focus.
    const question = (await owner.get(address)).text;
    assert.match(question, /<a [^>]*autofocus[^>]*>Go back<\/a>[^]*<button class="button bad">/);
    const [, id] = /asked=([^"]*)"/.exec(question)!;
    const { status, text } = await owner.get(`${path}?asked=${id}`);
    assert.equal(status, 200);
    assert.match(text, /<textarea[^>]* name="text"[^>]*>Kept<|name="text"[^>]*value="Kept"/);
    assert.match(text, /<option value="suspend" selected|value="suspend"[^>]* checked/);
    await t.person("nora", { role: "Moderator" });
    const other = openBrowser(t);
    await other.signIn("nora");
    assert.equal((await other.get(address)).status, 404);
    assert.equal((await owner.get("/admin/question/nothing")).status, 404);
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

  test("what is typed follows from what is lost: nothing, what comes back, what is gone", () => {
    const words = (count: number) =>
      Object.keys(LOSSES).map((act) => {
        const word = wordOf({ act: act as keyof typeof LOSSES, name: "ada", count });
        return [LOSSES[act as keyof typeof LOSSES], word] as const;
      });
    const expected = {
      nothing: [undefined, undefined],
      back: [undefined, "5"],
      gone: ["ada", "5"],
    };
    for (const [loss, word] of words(1)) assert.equal(word, expected[loss][0], loss);
    for (const [loss, word] of words(5)) assert.equal(word, expected[loss][1], loss);
  });

  test("one sign-up is rejected by a press, five accounts are suspended by their number", async () => {
    const waiting = await t.person("eve", { approved: false, reason: "Hello" });
    const reject = `/admin/sign_ups/${waiting.accountId}/reject`;
    const asked = await owner.submit(await owner.get("/admin/sign_ups"), reject, {});
    assert.match(asked.text, /Reject the sign-up of @eve\?/);
    assert.doesNotMatch(asked.text, /to continue/);
    assert.equal((await owner.submit(asked, reject, {})).status, 302);

    const five = await Promise.all(["p1", "p2", "p3", "p4", "p5"].map((name) => t.person(name)));
    const ticks = Object.fromEntries(five.map(({ accountId }) => [`account_${accountId}`, "1"]));
    const path = "/admin/accounts/several";
    const list = await owner.get("/admin/accounts");
    const many = await owner.submit(list, path, { ...ticks, act: "suspend" });
    assert.match(many.text, /Suspend 5 accounts\?[^]*Type 5 to continue/);
    const pressed = await owner.submit(many, path, {});
    assert.equal(pressed.status, 422);
    const suspended = async () =>
      (
        await t.app
          .sql`SELECT FROM accounts WHERE username ~ '^p[1-5]$' AND suspended_at IS NOT NULL`
      ).length;
    assert.equal(await suspended(), 0);
    assert.equal((await owner.submit(pressed, path, { confirmed_word: "5" })).status, 302);
    assert.equal(await suspended(), 5);
  });

  test("a sign-up that somebody else decided meanwhile says who did what", async () => {
    const other = openBrowser(t);
    await t.person("mia", { role: "Moderator" });
    await other.signIn("mia");
    for (const [name, verb, said] of [
      ["fay", "approve", "@mia approved the sign-up of @fay."],
      ["gus", "reject", "@mia rejected the sign-up of @gus."],
    ] as const) {
      const { accountId } = await t.person(name, { approved: false, reason: "Hello" });
      const path = `/admin/sign_ups/${accountId}`;
      const page = await owner.get("/admin/sign_ups");
      const question = await other.submit(
        await other.get("/admin/sign_ups"),
        `${path}/${verb}`,
        {},
      );
      if (verb === "reject") await other.submit(question, `${path}/reject`, {});
      for (const late of ["approve", "reject"]) {
        const answer = await owner.submit(page, `${path}/${late}`, {});
        assert.equal(answer.status, 422, `${verb}, ${late}`);
        assert.ok(answer.text.includes(`This has already been decided. ${said}`), answer.text);
      }
    }
  });
});

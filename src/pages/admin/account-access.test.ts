// What the staff does to how somebody signs in, and to their posts, on the page of the account.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";

describe("one account", () => {
  let t: TestApp;
  let owner: Browser;
  let plain: Browser;
  let bob: Person;
  let path: string;

  before(async () => {
    t = await startTestApp();
    await t.person("boss", { role: "Owner" });
    bob = await t.person("bob", { confirmed: false });
    path = `/admin/accounts/${bob.accountId}`;
    owner = openBrowser(t);
    await owner.signIn("boss");
    await t.person("alice");
    plain = openBrowser(t);
    await plain.signIn("alice");
  });
  after(() => t.close());

  const last = async () =>
    (await t.app.sql`SELECT action FROM audit_log ORDER BY id DESC LIMIT 1`)[0]?.["action"];

  const act = async (verb: string, values = {}) => {
    const answer = await owner.submit(await owner.get(path), `${path}/${verb}`, values);
    if (answer.status !== 200) return answer.status;
    return (await owner.submit(answer, `${path}/${verb}`, {})).status;
  };

  test("a refused address stands unfolded, with what is wrong with it", async () => {
    const action = `${path}/address`;
    const refused = await owner.submit(await owner.get(path), action, { email: "robert@x" });
    assert.equal(refused.status, 422);
    const fold = /<details class="add" open[^>]*><summary>Sign-in.*?<\/details>/s.exec(
      refused.text,
    );
    assert.match(fold?.[0] ?? "", /value="robert@x".*class="fault"/s);
  });

  test("its address is confirmed and changed, its password and factors are taken", async () => {
    assert.equal(await act("resend"), 302);
    assert.equal(await last(), "account.resend_confirmation");
    assert.equal(await act("confirm"), 302);
    assert.equal(await last(), "account.confirm");
    assert.equal(await act("address", { email: "boss@example.com" }), 422);
    assert.equal(await act("address", { email: "robert@example.com" }), 302);
    assert.equal(await last(), "account.change_email");
    assert.equal(await act("factors"), 302);
    assert.equal(await last(), "account.disable_2fa");
    assert.equal(await act("sessions"), 302);
    assert.equal(await last(), "account.end_sessions");
    assert.equal(await act("password"), 302);
    assert.equal(await last(), "account.reset_password");
    const { status } = await openBrowser(t).signIn("robert@example.com");
    assert.notEqual(status, 302, "the old password is no longer valid");
    assert.equal((await plain.post(`${path}/password`, {})).status, 403);
  });

  test("its posts are chosen, and marked or deleted with a decision", async () => {
    await t.write`UPDATE users SET confirmed_at = now() WHERE id = ${bob.userId}`;
    const token = await t.token(bob.userId, ["read", "write"]);
    const write = async (status: string) =>
      (await t.as(token).post("/api/v1/statuses", { status })).json.id as string;
    const [first, second] = [await write("First"), await write("Second")];
    const posts = `${path}/posts`;
    const page = await owner.get(posts);
    assert.match(page.text, /Second[^]*First/);
    const none = await owner.submit(page, posts, { decision: "mark_statuses_as_sensitive" });
    assert.equal(none.status, 422);
    const chosen = { decision: "delete_statuses", [`post_${first}`]: "1" };
    const question = await owner.submit(page, posts, chosen);
    assert.match(question.text, /Delete 1 post by @bob\?/);
    assert.equal((await owner.submit(question, posts, { confirmed_word: "bob" })).status, 302);
    assert.equal(await last(), "account.delete_statuses");
    assert.equal((await t.visitor.get(`/api/v1/statuses/${first}`)).status, 404);
    await t.visitor.get(`/api/v1/statuses/${second}`).ok();
  });
});

// Posts for a circle in the web client: chosen while writing, shown as such, answered inside; with scripts and without.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { eventually } from "../journeys/eventually.ts";
import { AUDIENCE, PHONE, SEND, TEXT, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { OVERFLOW } from "./overflow.ts";
import { open } from "./until.ts";
import { newestOf } from "./village.ts";

describe("posts for a circle", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  const people = {} as Record<"alice" | "bob", Person>;
  const newest = (who: Person) => newestOf(who);
  const peopleOf = async (id: string): Promise<string[]> =>
    (await people.alice.get(`/api/v1/statuses/${id}/circle`).ok()).accounts.map(
      ({ acct }: { acct: string }) => acct,
    );

  before(async () => {
    server = await startTestApp();
    people.alice = await server.person("alice");
    people.bob = await server.person("bob");
    await people.alice.post(`/api/v1/accounts/${people.bob.accountId}/follow`).ok();
    for (const title of ["Friends", "Work"]) {
      const { id } = await people.alice.post("/api/v1/lists", { title }).ok();
      if (title === "Work") continue;
      const json = { account_ids: [people.bob.accountId] };
      await people.alice.post(`/api/v1/lists/${id}/accounts`, json).ok();
    }
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  test("are written and answered", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, dark: true });
    await open(page, "/compose");
    await page.locator(TEXT).fill(`Between friends`);
    await page.locator(AUDIENCE).click();
    await page.getByLabel(/^Circle/).click();
    const friends = page.getByRole("checkbox", { name: "Friends" });
    await friends.waitFor();
    assert.equal(await page.locator(SEND).isDisabled(), true, "no list is chosen");
    await friends.focus();
    await page.keyboard.press("Space");
    await page.getByRole("checkbox", { name: "Work" }).check();
    assert.equal(await page.evaluate(OVERFLOW), "");
    await page.locator(SEND).click();
    await page.waitForURL("**/home");
    const post = await newest(people.alice);
    assert.deepEqual([post.visibility, post.circle], ["private", true]);
    assert.deepEqual(await peopleOf(post.id), ["bob"]);
    await open(page, `/@alice/${post.id}/circle`);
    await page.getByText("For people on: Friends and Work").waitFor();
    assert.equal(await page.evaluate(OVERFLOW), "");
    const other = await browser.visit(t, { who: "bob", size: PHONE, dark: true });
    await open(other.page, `/@alice/${post.id}`);
    await other.page.getByTitle("Circle").first().waitFor();
    assert.equal(await other.page.locator(".act-boost").first().isDisabled(), true);
    await other.page.locator(".reply-to textarea").click();
    await other.page.locator(TEXT).fill("And I answer");
    await other.page.locator(AUDIENCE).click();
    const offered = await other.page.locator(".choice-options strong").allTextContents();
    assert.deepEqual(offered, ["Circle", "Private mention"]);
    await other.page.keyboard.press("Escape");
    assert.equal(await other.page.locator(".circle-lists").count(), 0);
    await other.page.locator(SEND).click();
    await other.page.locator("article", { hasText: "And I answer" }).waitFor();
    const answer = await newest(people.bob);
    assert.deepEqual([answer.in_reply_to_id, answer.circle], [post.id, true]);
  });

  test("are written anew for the same lists", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const { id } = await newest(people.alice);
    await open(page, `/@alice/${id}`);
    await page.locator(".act-more").first().click();
    await page.getByRole("menuitem", { name: "Delete and redraft" }).click();
    await page.locator(".composer-confirm .button").last().click();
    await page.locator(TEXT).fill("Better words");
    assert.equal(await page.getByRole("checkbox", { name: "Friends" }).isChecked(), true);
    await page.locator(SEND).click();
    const again = await eventually("the new post", async () => {
      const post = await newest(people.alice);
      return post.id !== id && post;
    });
    assert.equal(again.circle, true);
    assert.deepEqual(await peopleOf(again.id), ["bob"]);
  });

  test("are written without scripts, and a refused one keeps its lists", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice", scripts: false });
    allow(/status of 422/);
    await page.goto(`${server.url}/compose?text=plain&visibility=circle`);
    assert.equal(await page.locator("select[name=visibility]").inputValue(), "circle");
    await page.locator("form.composer .button").click();
    assert.equal(await page.locator("select[name=visibility]").inputValue(), "circle");
    await page.getByRole("checkbox", { name: "Work" }).check();
    await page.locator("form.composer .button").click();
    await page.getByText("Nobody on these lists").first().waitFor();
    assert.equal(await page.getByRole("checkbox", { name: "Work" }).isChecked(), true);
    await page.getByRole("checkbox", { name: "Friends" }).check();
    await page.locator("form.composer .button").click();
    await page.waitForURL("**/home");
    const post = await newest(people.alice);
    assert.deepEqual([post.circle, await peopleOf(post.id)], [true, ["bob"]]);
  });
});

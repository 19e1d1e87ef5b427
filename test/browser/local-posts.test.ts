// Posts that stay on this server, in the web client: chosen while writing, shown as such, answered within the server;
// with scripts and without.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { AUDIENCE, PHONE, SEND, TEXT, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { OVERFLOW } from "./overflow.ts";
import { open } from "./until.ts";
import { newestOf } from "./village.ts";

describe("posts that stay here", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  const people = {} as Record<"alice" | "bob", Person>;
  const newest = (who: Person) => newestOf(who);

  before(async () => {
    server = await startTestApp();
    people.alice = await server.person("alice");
    people.bob = await server.person("bob");
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  test("are written and answered", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, dark: true });
    await open(page, "/compose");
    await page.locator(TEXT).fill(`Between us`);
    await page.locator(AUDIENCE).click();
    await page.getByLabel(/^This server only/).click();
    assert.equal(await page.evaluate(OVERFLOW), "");
    await page.locator(SEND).click();
    await page.waitForURL("**/home");
    const post = await newest(people.alice);
    assert.deepEqual([post.visibility, post.local_only], ["unlisted", true]);
    const other = await browser.visit(t, { who: "bob", size: PHONE, dark: true });
    await open(other.page, `/@alice/${post.id}`);
    await other.page.getByTitle("This server only").first().waitFor();
    assert.equal(await other.page.locator(".act-boost").first().isDisabled(), true);
    await other.page.locator(".reply-to textarea").click();
    await other.page.locator(TEXT).fill("And I answer");
    await other.page.locator(AUDIENCE).click();
    const offered = await other.page.locator(".choice-options strong").allTextContents();
    assert.deepEqual(offered, ["This server only", "Followers on this server", "Private mention"]);
    assert.equal(await other.page.evaluate(OVERFLOW), "");
    await other.page.keyboard.press("Escape");
    await other.page.locator(SEND).click();
    await other.page.locator("article", { hasText: "And I answer" }).waitFor();
    const answer = await newest(people.bob);
    assert.deepEqual([answer.in_reply_to_id, answer.local_only], [post.id, true]);
  });

  test("are written without scripts", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", scripts: false });
    await page.goto(`${server.url}/compose?text=plain&visibility=local`);
    assert.equal(await page.locator("select[name=visibility]").inputValue(), "local");
    await page.locator("form.composer .button").click();
    await page.waitForURL("**/home");
    assert.equal((await newest(people.alice)).local_only, true);
  });
});

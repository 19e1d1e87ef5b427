// The answered post is deleted while somebody writes: what is written stays, says so, and can be posted on its own.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { eventually } from "../journeys/eventually.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { SEND, TEXT, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open, until } from "./until.ts";

const GONE = "The post you’re replying to was deleted.";
const ALONE = "Make it a post of its own";

describe("an answer whose post is deleted", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let bob: Person;

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    bob = await server.person("bob");
    await bob.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const ask = async (): Promise<string> =>
    (await alice.post("/api/v1/statuses", { status: `@bob Do you come? ${Math.random()}` }).ok())
      .id;
  const isFocused = (page: Page): Promise<void> =>
    until(page, `document.activeElement.matches("${TEXT}")`);
  const newestOfBob = async () =>
    (await bob.get(`/api/v1/accounts/${bob.accountId}/statuses`).ok())[0];

  /** Deletes the post, and writes on as if nothing had happened. */
  const deleteWhileWriting = async (page: Page, id: string, words: string): Promise<void> => {
    await page.keyboard.type("Of course");
    await alice.delete(`/api/v1/statuses/${id}`).ok();
    await page.getByText(GONE).waitFor();
    await isFocused(page);
    await page.keyboard.type(words);
    assert.match(await page.locator(TEXT).last().inputValue(), new RegExp(`Of course${words}$`));
  };

  const postAlone = async (page: Page, words: string): Promise<void> => {
    assert.equal(await page.locator(SEND).last().isDisabled(), true);
    await page.getByRole("button", { name: ALONE }).click();
    await isFocused(page);
    await page.getByText(GONE).waitFor({ state: "detached" });
    await page.locator(SEND).last().click();
    await eventually("it is posted", async () => (await newestOfBob())?.content.includes(words));
    assert.equal((await newestOfBob()).in_reply_to_id, null);
  };

  for (const path of ["/notifications", "/home"])
    test(`below a post of ${path}`, async (t) => {
      const id = await ask();
      const { page } = await browser.visit(t, { who: "bob" });
      await open(page, path);
      const article = page.locator(`article[data-status="${id}"]`);
      await article.locator(".act-reply").click();
      await isFocused(page);
      await deleteWhileWriting(page, id, ` I come to ${path.slice(1)}`);
      await postAlone(page, `to ${path.slice(1)}`);
      await article.waitFor({ state: "detached" });
      // Nothing of the deleted post is left.
      assert.equal(await page.locator(".notification-mention").count(), 0);
      await until(page, "document.activeElement !== document.body");
    });

  test("on the page of the post", async (t) => {
    const id = await ask();
    const { page } = await browser.visit(t, { who: "bob" });
    await open(page, `/@alice/${id}`);
    await page.locator(".reply-to textarea").click();
    await page.locator(`.reply-to ${TEXT}`).click();
    await page.keyboard.press("End");
    await deleteWhileWriting(page, id, " from its page");
    await postAlone(page, "from its page");
  });

  test("as a draft that is opened later", async (t) => {
    const id = await ask();
    const answer = { status: "@alice I came late", in_reply_to_id: id };
    await bob.post("/api/v1/drafts", { statuses: [answer] }).ok();
    await alice.delete(`/api/v1/statuses/${id}`).ok();
    const { page, allow } = await browser.visit(t, { who: "bob", ownSession: true });
    // The browser reports that the post is not found.
    allow(/404/);
    await open(page, "/drafts");
    const entry = page.locator(".unposted", { hasText: "I came late" });
    await entry.getByRole("button", { name: "Continue writing" }).click();
    await page.getByText(GONE).waitFor();
    await postAlone(page, "I came late");
  });
});

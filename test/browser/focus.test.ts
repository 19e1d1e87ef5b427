// Where the focus is for whoever has no mouse: in the order of what is seen, and never lost.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { answer } from "./question.ts";
import { open, until } from "./until.ts";

const focused = (page: Page): Promise<unknown> =>
  page.evaluate(
    "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
  );

describe("the focus", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice", { role: "Owner" });
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  test("goes to the next post when one's own is deleted, and to the one before from the last", async (t) => {
    for (const status of ["One", "Two", "Three"])
      await alice.post("/api/v1/statuses", { status }).ok();
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/@alice");
    const remove = async (text: string): Promise<void> => {
      const post = page.locator("article.post", { hasText: text });
      await post.getByRole("button", { name: "More" }).press("Enter");
      await page.getByRole("menuitem", { name: "Delete", exact: true }).first().press("Enter");
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
      await post.waitFor({ state: "detached" });
    };
    await remove("Two");
    await until(page, "/, One$/.test(document.activeElement.ariaLabel)");
    await remove("One");
    await until(page, "/, Three$/.test(document.activeElement.ariaLabel)");
  });

  test("goes to the next draft when one is deleted", async (t) => {
    for (const status of ["First", "Second"])
      await alice.post("/api/v1/drafts", { statuses: [{ status }] }).ok();
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/drafts");
    const next = await page.locator(".unposted-text").nth(1).innerText();
    const remove = page.getByRole("button", { name: "Delete draft" });
    await remove.first().press("Enter");
    await answer(page, "Delete draft");
    await until(page, "document.querySelectorAll('.unposted-text').length === 1");
    await until(
      page,
      `document.activeElement.closest('.unposted')?.textContent.includes(${JSON.stringify(next)})`,
    );
  });

  test("is not taken away while a page comes alive", async (t) => {
    for (let n = 1; n <= 25; n += 1)
      await alice.post("/api/v1/statuses", { status: `No. ${n}` }).ok();
    const { page } = await browser.visit(t, { who: "alice" });
    for (const [path, selector] of [
      ["/@alice", "main .post-author"],
      ["/settings", "main a"],
    ] as const) {
      const { promise, resolve } = Promise.withResolvers<void>();
      await page.route("**/web/assets/**.js", async (route) => {
        await promise;
        await route.continue();
      });
      // The second time the page is restored as it was left.
      for (const _time of ["new", "again"]) {
        await page.goto(path, { waitUntil: "commit" });
        const link = page.locator(selector).first();
        await link.focus();
        const before = await focused(page);
        resolve();
        await until(page, "document.querySelector('#app').__k !== undefined");
        await until(page, "document.querySelector('.skeletons') === null");
        await until(page, "document.activeElement !== document.body");
        assert.equal(await focused(page), before, `${path} ${selector}`);
      }
      await page.unroute("**/web/assets/**.js");
    }
  });

  test("stays at the end of a list whose next posts come while it is on their link", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route("**/web/assets/**.js", async (route) => {
      await promise;
      await route.continue();
    });
    await page.goto("/@alice", { waitUntil: "commit" });
    await page.locator(".pager a").focus();
    resolve();
    await until(page, "document.querySelectorAll('.feed .post').length > 20");
    await until(
      page,
      "document.activeElement.closest('.feed article:nth-last-child(-n+2)') !== null",
    );
  });

  test("is nowhere while nobody has put it anywhere", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/@alice");
    await until(page, "document.querySelectorAll('.feed .post').length > 20");
    await until(page, "document.querySelector('.skeletons') === null");
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 100))");
    assert.equal(await page.evaluate("document.activeElement === document.body"), true);
  });

  test("comes to the menu of settings and of the staff before their pages, as they stand there", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    for (const path of [
      "/settings",
      "/settings/preferences",
      "/settings/password",
      "/admin",
      "/admin/rules",
    ]) {
      await open(page, path);
      const menu = page.locator(".aside .settings-menu");
      await menu.waitFor();
      const [left, right] = await Promise.all(
        [menu, page.locator("main")].map(async (each) => (await each.boundingBox())!.x),
      );
      assert.ok(left! < right!, path);
      await menu.locator("a").last().focus();
      for (let presses = 0; presses < 8; presses += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate("document.activeElement.closest('main') !== null")) break;
      }
      assert.ok(await page.evaluate("document.activeElement.closest('main') !== null"), path);
      await page.locator("header .account-menu").focus();
      await page.keyboard.press("Tab");
      assert.ok(
        await page.evaluate("document.activeElement.closest('.settings-menu') !== null"),
        path,
      );
    }
  });
});

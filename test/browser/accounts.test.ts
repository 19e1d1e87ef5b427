// Several accounts in one browser: switching by the menu and the keyboard, and pages of the account that is left.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open, until, untilAlive } from "./until.ts";

describe("several accounts", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;

  before(async () => {
    server = await startTestApp();
    await server.person("alice");
    await server.person("bob");
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  /** Signed in to both, bob in use. */
  const visit: typeof browser.visit = async (t, options) => {
    const visited = await browser.visit(t, { who: "alice", ownSession: true, ...options });
    const { page } = visited;
    await page.goto("/settings/accounts");
    await page.getByRole("link", { name: "Add another account" }).click();
    await page.fill("[name=login]", "bob");
    await page.fill("[name=password]", "correct horse");
    await page.press("[name=password]", "Enter");
    await page.waitForURL(/\/home$/);
    if (options?.scripts !== false) await untilAlive(page);
    return visited;
  };

  test("the keyboard switches; a page of the other account says so and sends nothing", async (t) => {
    const { page, context } = await visit(t);
    const left = await context.newPage();
    await open(left, "/home");
    await left.click(".composer textarea");
    await left.locator(".composer-text textarea").fill("A draft of bob");
    const isKept = "JSON.stringify({ ...localStorage }).includes('A draft of bob')";
    await until(left, isKept);
    await page.bringToFront();
    await page.locator("#main").press("g");
    await page.keyboard.press("a");
    await page.getByRole("menuitem", { name: "Switch to @alice" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".me .handle", { hasText: "@alice" }).waitFor();

    const notice = left.getByRole("dialog", { name: "You’re using another account" });
    await notice.waitFor();
    await notice.getByRole("button", { name: "Switch back to @bob" }).click();
    await left.locator(".me .handle", { hasText: "@bob" }).waitFor();
    const field = left.locator(".composer-text textarea");
    assert.equal(await field.inputValue(), "A draft of bob");

    await page.getByRole("button", { name: "Continue as @bob" }).click();
    await page.locator(".me .handle", { hasText: "@bob" }).waitFor();
  });

  test("what one account kept is not shown to the other, not even without a connection", async (t) => {
    const { page, context, allow } = await visit(t, { worker: true });
    allow(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
    await until(
      page,
      "caches.keys().then((names) => names.some((name) => /^account-/.test(name)))",
    );
    await page.evaluate("navigator.serviceWorker.ready");
    await page.locator(".account-menu").click();
    await page.getByRole("menuitem", { name: "Switch to @alice" }).click();
    await page.locator(".me .handle", { hasText: "@alice" }).waitFor();
    await open(page, "/settings/accounts");
    await context.setOffline(true);
    await page.goto(`${server.url}/notifications`);
    await page.locator("#app").waitFor();
    assert.doesNotMatch(await page.locator("body").innerText(), /@bob/);
  });

  test("a phone switches on the page of the accounts, also without scripts", async (t) => {
    for (const scripts of [true, false]) {
      const { page } = await visit(t, { size: PHONE, scripts });
      await page.goto(`${server.url}/settings/accounts`);
      await page.getByRole("button", { name: "Switch to @alice" }).click();
      await page.waitForURL(/\/home$/);
      await page.goto(`${server.url}/settings`);
      await page.locator(".signed-in-as", { hasText: "@alice" }).waitFor();
    }
  });

  test("one page says what is for several accounts, and pages below it lead back to it", async (t) => {
    for (const scripts of [true, false]) {
      const { page } = await browser.visit(t, { who: "alice", scripts });
      await page.goto("/settings");
      await page
        .locator("main")
        .getByRole("link", { name: /^Accounts/ })
        .click();
      for (const [button, name] of [
        ["Manage linked accounts", "Linked accounts"],
        ["Share this account", "Shared account"],
        ["Account aliases", "Account aliases"],
      ] as const) {
        await page.getByRole("link", { name: button }).click();
        await page.getByRole("heading", { name, level: 1 }).waitFor();
        const here = page.locator(".settings-menu [aria-current=page]");
        assert.equal(await here.textContent(), "Accounts");
        await page.locator(".column-head").getByRole("link", { name: "Back" }).click();
        await page.getByRole("heading", { name: "Accounts", level: 1 }).waitFor();
      }
    }
    // They are found by their own names as well.
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/settings?q=alias");
    await page.locator("main .settings-row", { hasText: "Account aliases" }).waitFor();
  });
});

// A new member's first minutes: presses that come twice do once what they are for, and following on the welcome page
// makes home come alive.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setSetting } from "../../src/domain/base/settings/settings.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open } from "./until.ts";

describe("welcome", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;

  before(async () => {
    server = await startTestApp();
    await server.person("newcomer");
    for (const name of ["bob", "carol"]) {
      const { token } = await server.person(name);
      const json = { discoverable: true, display_name: `${name} here` };
      await server.as(token).patch("/api/v1/accounts/update_credentials", json);
      const post = { status: `The news of ${name}` };
      await server.as(token).post("/api/v1/statuses", post);
    }
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  test("from welcome to a home with posts, on a phone", async (t) => {
    const { page } = await browser.visit(t, { who: "newcomer", size: PHONE });
    await open(page, "/home");
    await page.getByRole("link", { name: "Find people to follow" }).click();
    await page.getByText("Follow a few").waitFor();
    await page.getByLabel("Display name").fill("A newcomer");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Your profile is saved.").waitFor();
    const [stored] = await server.app
      .sql`SELECT discoverable FROM accounts WHERE username = 'newcomer'`;
    assert.equal(stored!["discoverable"], true, "who saves the first form is suggested to others");
    const row = page.locator(".suggested", { hasText: "carol here" });
    const followed = page.waitForResponse("**/follow");
    await row.getByRole("button", { name: /Follow/ }).click();
    await page.getByText("You follow 1 of these people").waitFor();
    assert.match(page.url(), /\/welcome$/);
    // It is shown before the server has answered.
    await followed;
    await server.runJobs();
    await page.getByRole("link", { name: "Go to Home" }).click();
    await page.getByText("The news of carol").waitFor();
    assert.equal(await page.getByText("The news of bob").count(), 0);
  });

  test("a double press on a form sends it once", async (t) => {
    await setSetting(server.app, "registrations", "open");
    const { page } = await browser.visit(t);
    await open(page, "/auth/sign_up");
    const fields = { username: "twice", email: "twice@example.com", password: "correct horse" };
    for (const [name, value] of Object.entries(fields))
      await page.locator(`[name=${name}]`).fill(value);
    await page.locator("[name=agreement]").check();
    const sent: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      // The page after it asks for its token (/web/session), sooner or later.
      if (request.method() === "POST" && pathname.startsWith("/auth/")) sent.push(pathname);
    });
    await page.getByRole("button", { name: "Create account" }).dblclick();
    await page.getByRole("heading", { name: "Confirm your email address" }).waitFor();
    await open(page, "/auth/sign_in");
    await page.locator("[name=login]").fill("bob");
    await page.locator("[name=password]").fill("correct horse");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/home");
    assert.deepEqual(sent, ["/auth/sign_up", "/auth/sign_in"]);
  });

  test("a double press on Follow follows, and asks nothing", async (t) => {
    const { page } = await browser.visit(t, { who: "bob" });
    await open(page, "/@carol");
    await page.getByRole("button", { name: /^Follow/ }).dblclick();
    await page
      .getByRole("button", { name: /Unfollow/ })
      .first()
      .waitFor();
    await page.waitForTimeout(500);
    assert.equal(await page.locator("dialog[open]").count(), 0);
  });
});

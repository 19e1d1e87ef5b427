// The web client on a slow and failing server: nothing that was typed is lost, and what was refused is taken back,
// with words.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page, Route } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";

const TEXT = "typed with care";

const refuse =
  (status: number) =>
  (route: Route): Promise<void> =>
    route.fulfill({ status, json: { error: `refused with ${status}` } });

const FAULTS: [name: string, fail: (route: Route) => Promise<void>][] = [
  ["an overloaded server", refuse(503)],
  ["too many requests", refuse(429)],
  ["a broken answer", (route) => route.fulfill({ status: 502, body: "<html>" })],
  ["a lost connection", (route) => route.abort("connectionreset")],
];

describe("a failing server", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let bob: Person;

  before(async () => {
    server = await startTestApp();
    const alice = await server.person("alice");
    bob = await server.person("bob");
    await server.request("POST", `/api/v1/accounts/${bob.accountId}/follow`, {
      token: alice.token,
    });
    await server.request("POST", "/api/v1/statuses", {
      token: bob.token,
      json: { status: "Something to favourite" },
    });
    await server.runJobs();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const openHome = async (page: Page): Promise<void> => {
    await page.goto(`${server.url}/home`, { waitUntil: "networkidle" });
  };
  const favourite = (page: Page) => page.locator("article .act-favourite").first();
  const untilPressed = (page: Page, pressed: boolean): Promise<unknown> =>
    page.locator(`article .act-favourite[aria-pressed=${pressed}]`).first().waitFor();
  const said = async (page: Page): Promise<string> => {
    await page.locator(".message:not([hidden])").first().waitFor();
    return (await page.locator(".message").first().textContent())!;
  };
  const write = async (page: Page, text: string): Promise<void> => {
    await page.locator(".composer textarea").first().fill(text);
    await page.locator(".composer button.button").last().click();
  };
  const countPosts = async (text: string): Promise<number> => {
    const [row] = await server.app.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM statuses WHERE text = ${text}`;
    return row!.count;
  };

  for (const [name, fail] of FAULTS) {
    test(`${name}: an act is taken back, a text stays and can be sent again`, async (t) => {
      const { page, allow } = await browser.visit(t, { who: "alice" });
      allow(/Failed to load resource/);
      await openHome(page);
      await page.route(/\/api\/v1\/statuses/, fail);
      await favourite(page).click();
      assert.ok((await said(page)).trim());
      await untilPressed(page, false);

      const text = `${TEXT} (${name})`;
      await write(page, text);
      await page.locator(".composer textarea").first().waitFor();
      await page.waitForTimeout(300);
      assert.equal(await page.locator(".composer textarea").first().inputValue(), text);
      assert.equal(await countPosts(text), 0);
      await page.unroute(/\/api\/v1\/statuses/);
      await page.locator(".composer button.button").last().click();
      await page.locator("article", { hasText: text }).waitFor();
      assert.equal(await countPosts(text), 1);
      assert.equal(await page.locator(".composer textarea").first().inputValue(), "");
    });
  }

  test("an answer that was lost on its way does not make a second post", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice" });
    allow(/Failed to load resource/);
    await openHome(page);
    await page.route(/\/api\/v1\/statuses$/, async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    });
    const text = `${TEXT}, once`;
    await write(page, text);
    await page.waitForTimeout(500);
    assert.equal(await countPosts(text), 1);
    await page.unroute(/\/api\/v1\/statuses$/);
    await page.locator(".composer button.button").last().click();
    await page.locator("article", { hasText: text }).first().waitFor();
    assert.equal(await countPosts(text), 1);
  });

  test("a session that was ended elsewhere leaves the text, and says so", async (t) => {
    const one = await browser.visit(t, { who: "alice", ownSession: true });
    one.allow(/Failed to load resource|WebSocket connection to/);
    await openHome(one.page);
    await favourite(one.page).click();
    await untilPressed(one.page, true);
    const other = await one.context.newPage();
    await openHome(other);
    const text = `${TEXT}, signed out`;
    await one.page.locator(".composer textarea").first().fill(text);
    await other.goto(`${server.url}/settings`);
    await other.locator("form[action='/auth/sign_out'] button").click();
    await other.waitForURL(/\/auth\/sign_in/);
    await one.page.locator(".composer button.button").last().click();
    await one.page.waitForTimeout(800);
    assert.equal(await countPosts(text), 0);
    const kept = await one.page.evaluate(
      `(document.querySelector(".composer textarea")?.value ?? "") + JSON.stringify({ ...localStorage })`,
    );
    assert.ok(String(kept).includes(text));
  });

  test("the token is nowhere but in memory", async (t) => {
    const { page, context } = await browser.visit(t, { who: "alice" });
    const tokens = new Set<string>();
    const urls: string[] = [];
    context.on("request", (request) => {
      urls.push(request.url());
      const [, token] = /^Bearer (.+)/.exec(request.headers()["authorization"] ?? "") ?? [];
      if (token) tokens.add(token);
    });
    await openHome(page);
    const before = await favourite(page).getAttribute("aria-pressed");
    await favourite(page).click();
    await untilPressed(page, before !== "true");
    await page.waitForLoadState("networkidle");
    assert.ok(tokens.size > 0);
    const state = String(
      await page.evaluate(`JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie,
        history.state, document.documentElement.outerHTML, Object.keys(window).map((key) => { try { return JSON.stringify(window[key]); } catch { return ""; } })])`),
    );
    for (const token of tokens) {
      assert.ok(!state.includes(token));
      assert.ok(!urls.some((url) => url.includes(token)));
    }
  });
});

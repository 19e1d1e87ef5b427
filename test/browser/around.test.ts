// What is beside a page: the menu has its names as long as there is room, and the column on the other side has something
// to say on a new server, to members and to visitors, without asking for what the page has.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { createRule } from "../../src/domain/staff/moderation/server.ts";
import { COMMAND_LINE } from "../../src/domain/base/roles/permissions.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open, openHearing, until, untilQuiet } from "./until.ts";

const NEWEST = "/api/v1/timelines/public?local=true&limit=20";

const sized = (width: number) => ({ width, height: 800 });

describe("what is beside a page", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const widthOf = async (page: Page, part: string): Promise<number> =>
    Math.round((await page.locator(part).boundingBox())?.width ?? 0);

  test("the menu has its names from 900 px on, and the column is as wide as it can be", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    for (const [width, hasNames, hasThird] of [
      [899, false, false],
      [900, true, false],
      [1000, true, false],
      [1247, true, false],
      [1248, true, true],
      [1600, true, true],
    ] as const) {
      await page.setViewportSize(sized(width));
      await open(page, "/home");
      const name = page.locator(".side nav span", { hasText: "Notifications" });
      const isSeen = ((await name.boundingBox())?.width ?? 0) > 20;
      assert.equal(isSeen, hasNames, `names at ${width}`);
      assert.equal(await page.locator(".aside").isVisible(), hasThird, `third column at ${width}`);
      assert.equal(await widthOf(page, "main"), 600, `column at ${width}`);
      assert.ok(
        await page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
        `${width}`,
      );
    }
  });

  test("the only member of a new server reads what it is, then its rules", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: sized(1280) });
    const cards = page.locator(".around section");
    for (const path of ["/home", "/search", "/explore", "/@alice"]) {
      await open(page, path);
      await cards.getByRole("heading", { name: /^About / }).waitFor();
      assert.equal(await cards.count(), 1, path);
    }
    await createRule(server.app, COMMAND_LINE, { text: "Be kind to owls", hint: "" });
    // Another browser has not kept the answer.
    const other = (await browser.visit(t, { who: "alice", size: sized(1280) })).page;
    await open(other, "/home");
    await other.locator(".around section", { hasText: "Be kind to owls" }).waitFor();
    assert.equal(await other.locator(".around section").count(), 1);
  });

  test("visitors read what the server is and how to join, also without scripts", async (t) => {
    for (const scripts of [true, false]) {
      const { page } = await browser.visit(t, { size: sized(1280), scripts });
      for (const path of ["/", "/@alice", "/about", "/explore"]) {
        await page.goto(path);
        const card = page.locator(".around section").first();
        await card.getByRole("heading", { name: /^About / }).waitFor();
        const signIn = card.getByRole("link", { name: "Sign in" });
        const back = path === "/" ? "" : `?return_to=${encodeURIComponent(path)}`;
        assert.equal(await signIn.getAttribute("href"), `/auth/sign_in${back}`);
      }
    }
  });

  test("visitors see who is new, what is on and what it is about", async (t) => {
    const bob = await server.person("bob");
    await bob.patch("/api/v1/accounts/update_credentials", { discoverable: true }).ok();
    const starts_at = new Date(Date.now() + 86_400_000).toISOString();
    const event = { name: "A walk to the hide", starts_at };
    await bob.post("/api/v1/statuses", { status: "Who comes? #herons", event }).ok();
    const { page } = await browser.visit(t, { size: sized(1280) });
    const around = page.locator(".around");
    await open(page, "/@alice");
    await around.getByRole("link", { name: "A walk to the hide" }).waitFor();
    await around.getByRole("heading", { name: "New here" }).waitFor();
    await until(page, "document.querySelectorAll('.around section').length === 3");
    // The front page has people of its own.
    await open(page, "/");
    await around.getByRole("link", { name: "A walk to the hide" }).waitFor();
    await around.getByRole("link", { name: "#herons" }).waitFor();
    assert.equal(await around.getByRole("heading", { name: "New here" }).count(), 0);
  });

  /** Paths and parameters of what the window asks for. */
  const watch = (page: Page): string[] => {
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith("/api/")) asked.push(pathname + search);
    });
    return asked;
  };

  const countOf = (asked: readonly string[], path: string): number =>
    asked.filter((each) => each === path || each.startsWith(`${path}?`)).length;

  test("the newest posts are asked for once, by whoever needs them first", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: sized(1280) });
    const asked = watch(page);
    await open(page, "/home");
    await page.locator(".around").getByRole("link", { name: "#herons" }).waitFor();
    // Home has announcements itself.
    assert.equal(countOf(asked, "/api/v1/announcements"), 0);
    await untilQuiet(page, async () => {
      await page.locator(".side a[href='/explore']").click();
      await page.getByRole("heading", { name: /^New on / }).waitFor();
      await page.waitForTimeout(2000);
    });
    assert.equal(countOf(asked, NEWEST), 1);
    assert.equal(countOf(asked, "/api/v1/announcements"), 1);
  });

  test("a page that has the newest posts gives them to the column", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: sized(1280) });
    const asked = watch(page);
    await open(page, "/public/local");
    await page.locator(".around").getByRole("link", { name: "A walk to the hide" }).waitFor();
    await page.locator(".around").getByRole("link", { name: "#herons" }).waitFor();
    assert.equal(countOf(asked, NEWEST), 0, asked.join("\n"));
  });

  test("an announcement that is made meanwhile is there, and makes room once it is dismissed", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: sized(1280) });
    await openHearing(page, "/@alice");
    await page.locator(".around").getByRole("link", { name: "#herons" }).waitFor();
    const { createAnnouncement } =
      await import("../../src/domain/reading/announcements/announce.ts");
    await createAnnouncement(server.app, COMMAND_LINE, { text: "The mill feast is on Saturday" });
    await server.runJobs();
    const card = page.locator(".around .announcement", { hasText: "The mill feast" });
    await card.waitFor();
    await card.getByRole("button", { name: "Dismiss" }).click();
    await card.waitFor({ state: "detached" });
    assert.ok(alice.accountId);
  });
});

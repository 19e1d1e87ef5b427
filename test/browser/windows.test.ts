// Two windows of one account: what is done in one is shown in the other, also on posts that are not in sight there.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open, until } from "./until.ts";

describe("two windows of one account", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let bob: Person;
  /** The oldest post of bob, far below the fold, and one of alice. */
  let far: { id: string };
  let own: { id: string };

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    bob = await server.person("bob");
    await alice.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
    far = await bob.post("/api/v1/statuses", { status: "The first of many" }).ok();
    own = await alice.post("/api/v1/statuses", { status: "One of mine" }).ok();
    for (let n = 0; n < 15; n += 1)
      await bob.post("/api/v1/statuses", { status: `Number ${n}\n\n\n\n\nends` }).ok();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const post = (page: Page, { id }: { id: string }): Locator =>
    page.locator(`article[data-status="${id}"]`).first();

  /** Opens an address, and waits until the window hears events. */
  const listen = async (page: Page, path: string): Promise<void> => {
    await open(page, path);
    await until(page, "window.hears === true");
  };

  const openBoth = async (
    t: Parameters<TestBrowser["visit"]>[0],
    path = "/home",
  ): Promise<[Page, Page]> => {
    const { page, context } = await browser.visit(t, { who: "alice", ownSession: true });
    await context.addInitScript(`window.WebSocket = class extends WebSocket {
      constructor(...all) {
        super(...all);
        this.addEventListener("open", () => (window.hears = true));
      }
    }`);
    const other = await context.newPage();
    for (const each of [other, page]) await listen(each, path);
    return [page, other];
  };

  for (const [name, act] of [
    ["Favourite", "favourite"],
    ["Bookmark", "bookmark"],
    ["Boost", "reblog"],
  ] as const)
    test(`${act} and its end`, async (t) => {
      const [page, other] = await openBoth(t);
      const button = (of: Page, pressed: boolean): Locator =>
        post(of, far).getByRole("button", { name, pressed }).first();
      assert.equal(await other.evaluate("scrollY"), 0);
      await button(page, false).click();
      await button(other, true).waitFor();
      await button(page, true).click();
      await button(other, false).waitFor();
    });

  test("a pin and a muted conversation", async (t) => {
    const [page, other] = await openBoth(t);
    for (const [before, done] of [
      ["Pin to my profile", "Unpin from my profile"],
      ["Mute this conversation", "Unmute this conversation"],
    ] as const) {
      await post(page, own).locator(".act-more").click();
      await page.getByRole("menuitem", { name: before }).click();
      await post(page, own).locator(".act-more").click();
      await page.getByRole("menuitem", { name: done }).waitFor();
      await page.keyboard.press("Escape");
      await post(other, own).locator(".act-more").click();
      await other.getByRole("menuitem", { name: done }).waitFor();
      await other.keyboard.press("Escape");
    }
  });

  test("a follow and its end", async (t) => {
    const [page, other] = await openBoth(t, "/@bob");
    const unfollow = (of: Page) => of.locator("main a[href$='/unfollow']").first();
    const follow = (of: Page) =>
      of.locator("main [data-act=follow], main .button", { hasText: /^Follow$/ }).first();
    await unfollow(page).click();
    await page.locator("dialog").getByRole("button", { name: "Unfollow" }).click();
    await follow(other).waitFor();
    await follow(page).click();
    await unfollow(other).waitFor();
  });

  test("a choice that is saved at once leaves what another window has chosen since", async (t) => {
    const { page, context } = await browser.visit(t, { who: "alice", ownSession: true });
    const other = await context.newPage();
    const [visibility, type] = ["visibility", "content_type"].map(
      (name) => `posting:default:${name}`,
    );
    for (const each of [page, other]) await open(each, "/settings/preferences");
    const choose = async (where: Page, name: string, value: string): Promise<void> => {
      const saved = where.waitForResponse(/\/web\/act\/preferences/);
      await where.locator(`select[name="${name}"]`).selectOption(value);
      assert.equal((await saved).status(), 200);
    };
    await choose(page, visibility!, "private");
    await choose(other, type!, "text/markdown");
    const now = await alice.get("/api/v1/preferences").ok();
    assert.equal(now[visibility!], "private");
    assert.equal(now[type!], "text/markdown");
    const look = other.waitForResponse(/\/web\/look/);
    await page.locator("select[name=theme]").selectOption("dark");
    await until(page, "document.documentElement.dataset.theme === 'dark'");
    await other.locator("select[name=density]").selectOption({ index: 1 });
    await look;
    await open(page, "/settings/preferences");
    assert.equal(await page.locator("select[name=theme]").inputValue(), "dark");
  });
});

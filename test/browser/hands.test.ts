// Fingers: on a phone everything that is pressed on pages of settings and of the staff can be hit on a height of 44 pixels.
// Keys: what has the focus is not below the bar of acts. Eyes: the member's menu stands where it does in home.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setSetting } from "../../src/domain/base/settings/settings.ts";
import { loadBundle } from "../../src/pages/web/bundle.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { framedPaths, makeWholeVillage } from "./pages.ts";
import { open } from "./until.ts";
import type { Village } from "./village.ts";

const HEIGHT = 44;

/** Describes controls that are missed 21 pixels above or below their middle; links within a text are exempt. */
const MISSED = `(() => {
  for (const each of document.querySelectorAll("main details")) each.open = true;
  const controls = document.querySelectorAll(
    "main :is(.button, button, summary, select, input:not([type=hidden], [type=file]))");
  const missed = [];
  for (const one of controls) {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.matches(".post *")) continue;
    one.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = one.getBoundingClientRect();
    if (width === 0 || height === 0) continue;
    const isOurs = (found) => found && (one.contains(found) || found.contains(one) && found.matches("label")
      || [...(one.labels ?? [])].some((label) => label.contains(found)));
    const box = one.labels?.[0] && /checkbox|radio/.test(one.type) ? one.labels[0].getBoundingClientRect() : null;
    const x = box && !one.labels[0].contains(one) ? box.left + Math.min(box.width, 20) / 2 : left + width / 2;
    const y = box ? box.top + box.height / 2 : top + height / 2;
    if ([-1, 1].some((side) => !isOurs(document.elementFromPoint(x, y + side * (${HEIGHT} / 2 - 1)))))
      missed.push(one.localName + " " + one.className + " " + (one.textContent.trim() || one.name) + " " + Math.round(height));
  }
  return missed;
})()`;

describe("hit areas", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let village: Village;

  before(async () => {
    server = await startTestApp();
    village = await makeWholeVillage(server);
    await setSetting(server.app, "title", "Saltmarsh");
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  test("of settings and of the staff are 44 high on a phone", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice", size: PHONE, touch: true });
    allow(/Failed to load resource.*4\d\d/);
    const { pagePaths } = await loadBundle();
    const client = pagePaths.filter((path) => /^\/settings(?:\/\w+)?$/.test(path));
    const found: Record<string, string[]> = {};
    for (const path of [...client, ...(await framedPaths(server, village, pagePaths))]) {
      const response = await page.request.get(path);
      if (!response.headers()["content-type"]?.startsWith("text/html")) continue;
      await open(page, path);
      const missed = (await page.evaluate(MISSED)) as string[];
      if (missed.length > 0) found[path] = missed;
    }
    assert.deepEqual(found, {});
  });

  test("of several acts can be pressed right after Enter, which does none of them", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/admin/accounts");
    const box = page.locator(".accounts input.tick").first();
    await box.press("Space");
    await box.press("Enter");
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await page.locator("#several button:not([hidden])").first().click();
    await sent;
  });

  test("of the boxes in a list are above the bar when they have the focus", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/admin/accounts");
    const boxes = await page.locator(".accounts input.tick").count();
    assert.ok(boxes > 5);
    await page.locator(".accounts input.tick").first().focus();
    for (let box = 0; box < boxes; box += 1) {
      const isCovered = await page.evaluate(`(() => {
        const { bottom } = document.activeElement.getBoundingClientRect();
        const { top } = document.querySelector("form.several").getBoundingClientRect();
        return document.activeElement.matches(".tick") && bottom > top;
      })()`);
      assert.equal(isCovered, false, `box ${box}`);
      do await page.keyboard.press("Tab");
      while (!(await page.evaluate("document.activeElement.matches('.tick, form.several *')")));
    }
  });

  test("of the member's menu stay where they are, with the other menu beside it", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    for (const width of [1600, 1280, 1024, 768]) {
      await page.setViewportSize({ width, height: 900 });
      const placeOf = async (path: string): Promise<number> => {
        await open(page, path);
        return (await page.locator(".side .nav-link").first().boundingBox())!.x;
      };
      const home = await placeOf("/home");
      for (const path of ["/settings/preferences", "/settings/password", "/admin", "/admin/rules"])
        assert.equal(await placeOf(path), home, `${path} ${width}`);
      if (width < 1248) continue;
      const [menu, column] = [page.locator(".staff-menu").last(), page.locator("main")];
      assert.ok((await menu.boundingBox())!.x < (await column.boundingBox())!.x);
    }
  });
});

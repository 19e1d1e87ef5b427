// Menus and choices, pressed as hands do it: by a mouse or a finger at the middle of what is seen. They lie above
// everything, whole and in the window, also where it is low and the text is long.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { DESK, MORE, PHONE, TEXT, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { eventually } from "../journeys/eventually.ts";
import { open, until } from "./until.ts";
import { upload } from "./village.ts";

/** At the middle of what is seen of it, which nothing may cover. */
const press = async (page: Page, target: Locator, hasTouch: boolean): Promise<void> => {
  await target.waitFor();
  const box = (await target.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const middle = `document.elementFromPoint(${x}, ${y})`;
  const top = await target.evaluate(
    new Function(
      "element",
      `const hit = ${middle}; return hit && (element.contains(hit) || hit.contains(element)) ? "" : String(hit?.outerHTML);`,
    ) as (element: unknown) => string,
  );
  assert.equal(top, "", "something lies over it");
  await (hasTouch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
};

const TO_THE_MIDDLE = new Function("element", 'element.scrollIntoView({ block: "center" })') as (
  element: unknown,
) => void;

const PANEL = ".menu";

/** What of the open menu cannot be seen or reached, in words. */
const HIDDEN = `(() => {
  const panel = document.querySelector(".menu");
  const box = panel.getBoundingClientRect();
  const faults = [];
  if (box.top < 0 || box.left < 0 || box.bottom > innerHeight + 1 || box.right > innerWidth + 1)
    faults.push("outside: " + JSON.stringify(box));
  // On phones it is a sheet.
  const button = innerWidth > 680 && document.querySelector("button[aria-expanded=true]")?.getBoundingClientRect();
  if (button && button.top < box.bottom && button.bottom > box.top && button.left < box.right && button.right > box.left)
    faults.push("over its button: " + JSON.stringify(box));
  for (const row of panel.querySelectorAll("label, .menu-item")) {
    row.scrollIntoView({ block: "nearest" });
    const { left, top, width, height } = row.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!row.contains(hit)) faults.push("covered: " + row.textContent);
  }
  panel.scrollTop = 0;
  return faults.join("\\n");
})()`;

const LONG = Array.from({ length: 60 }, (_, line) => `line ${line}`).join("\n");

describe("menus", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let post: string;

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    post = (await alice.post("/api/v1/statuses", { status: "A first one" }).ok()).id;
    await server.runJobs();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const PLACES: Record<string, (page: Page) => Promise<void>> = {
    // On phones home has none; a post's page has one on both.
    "in the page": async (page) => {
      await open(page, `/@alice/${post}`);
      await page.locator(".composer textarea").first().click();
    },
    "in the window": async (page) => {
      await open(page, "/home");
      await page.locator("a[data-act=compose]:visible").first().click();
    },
    "on its own page": (page) => open(page, "/compose"),
  };

  const audience = (page: Page): Locator => page.getByRole("button", { name: /^Who can see this/ });

  /** Low: a small window with much in it, a phone whose keyboard is open. */
  const LOW = [DESK, PHONE].map(({ width }) => ({ width, height: 420 }));

  // Each two of place, width and height meet: what hides a choice is the place in a width or in a height.
  for (const [turn, size] of [DESK, PHONE, ...LOW.toReversed()].entries()) {
    const touch = size.width === PHONE.width;
    const text = LOW.includes(size) ? LONG : "Short";
    for (const [where, begin] of Object.entries(PLACES).filter((_, at) => (at + turn) % 2 === 0)) {
      const name = `the composer ${where}, ${size.width} by ${size.height}`;
      test(`${name}: each choice is made by a press`, async (t) => {
        const { page } = await browser.visit(t, { who: "alice", size, touch });
        await begin(page);
        await page.locator(TEXT).first().fill(text);
        for (const row of ["Followers only", "Public"]) {
          await audience(page).evaluate(TO_THE_MIDDLE);
          await press(page, audience(page), touch);
          await page.locator(PANEL).waitFor();
          assert.equal(await page.evaluate(HIDDEN), "");
          const words = page.locator(PANEL).getByText(row, { exact: true });
          await words.evaluate(TO_THE_MIDDLE);
          await press(page, words, touch);
          await page.locator(PANEL).waitFor({ state: "detached" });
          assert.equal(await audience(page).innerText(), row);
        }
        for (const isOn of [true, false]) {
          await press(page, page.locator(MORE), touch);
          await page.locator(PANEL).waitFor();
          assert.equal(await page.evaluate(HIDDEN), "");
          const row = page.locator(PANEL).getByText("Markdown", { exact: true });
          await row.evaluate(TO_THE_MIDDLE);
          await press(page, row, touch);
          assert.equal(await page.getByRole("checkbox", { name: "Markdown" }).isChecked(), isOn);
          await page.keyboard.press("Escape");
          await page.locator(PANEL).waitFor({ state: "detached" });
          assert.equal(await page.locator(`${MORE}:focus`).count(), 1);
        }
        assert.ok(await page.locator(TEXT).first().isVisible());
        await page.locator(TEXT).first().fill("");
      });
    }
  }

  test("a press on the button closes again, one elsewhere too, and by keyboard it is gone through", async (t) => {
    for (const touch of [false, true]) {
      const { page } = await browser.visit(t, { who: "alice", touch });
      await open(page, "/compose");
      for (const button of [audience(page), page.locator(MORE)]) {
        await press(page, button, touch);
        await page.locator(PANEL).waitFor();
        await press(page, button, touch);
        await page.locator(PANEL).waitFor({ state: "detached" });
        await press(page, button, touch);
        await page.locator(PANEL).waitFor();
        await press(page, page.locator("main h1").first(), touch);
        await page.locator(PANEL).waitFor({ state: "detached" });
      }
      await audience(page).focus();
      await page.keyboard.press("Enter");
      await page.locator(PANEL).waitFor();
      const before = await audience(page).innerText();
      await page.keyboard.press("ArrowDown");
      assert.notEqual(await audience(page).innerText(), before);
      assert.ok(await page.locator(PANEL).isVisible());
      await page.keyboard.press("Enter");
      await page.locator(PANEL).waitFor({ state: "detached" });
      await page.keyboard.press("Space");
      await page.locator(PANEL).waitFor();
      await page.keyboard.press("Escape");
      await page.locator(PANEL).waitFor({ state: "detached" });
      await until(page, "document.activeElement.matches('.choice')");
      await page.locator(MORE).focus();
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      assert.ok(await page.locator(PANEL).isVisible());
      await page.locator(TEXT).focus();
      await page.locator(PANEL).waitFor({ state: "detached" });
    }
  });

  test("rows of which one is chosen: keys begin at that one, go everywhere, and Escape takes back", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/compose");
    const chosen = (): Promise<string> => audience(page).innerText();
    const focused = "document.activeElement.closest('label')?.querySelector('strong').innerText";
    const at = async (row: string): Promise<void> => {
      await until(page, `${focused} === ${JSON.stringify(row)}`);
      assert.equal(await chosen(), row);
    };
    const begin = async (key: string, row: string): Promise<void> => {
      await audience(page).focus();
      await page.keyboard.press(key);
      await page.locator(PANEL).waitFor();
      await at(row);
    };
    const rows = async (): Promise<string[]> =>
      page.locator(`${PANEL} label strong`).allInnerTexts();
    await begin("Enter", "Public");
    const all = await rows();
    await page.keyboard.press("f");
    await at("Followers only");
    await page.keyboard.press("Enter");
    await page.locator(PANEL).waitFor({ state: "detached" });
    for (const key of ["Enter", "Space"]) {
      await begin(key, "Followers only");
      for (const [pressed, row] of [
        ["End", all.at(-1)!],
        ["Home", all[0]!],
        ["ArrowDown", all[1]!],
        ["ArrowUp", all[0]!],
      ] as const) {
        await page.keyboard.press(pressed);
        await at(row);
      }
      await page.keyboard.press("Escape");
      await page.locator(PANEL).waitFor({ state: "detached" });
      assert.equal(await chosen(), "Followers only");
      await until(page, "document.activeElement.matches('.choice')");
    }
    await begin("Space", "Followers only");
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    await page.locator(PANEL).waitFor({ state: "detached" });
    assert.equal(await chosen(), all[0]);
    assert.equal(new URL(page.url()).pathname, "/compose");
  });

  for (const size of [DESK, PHONE]) {
    const touch = size !== DESK;
    test(`menus of posts and lists are pressed, ${size.width} wide`, async (t) => {
      const { page } = await browser.visit(t, { who: "alice", size, touch });
      await open(page, "/home");
      await press(page, page.locator("article .act-more").first(), touch);
      await page.getByRole("menu").waitFor();
      assert.equal(await page.evaluate(HIDDEN), "");
      const path = page.url();
      // What lies below the menu is not pressed by what closes it.
      if (size === PHONE) await page.touchscreen.tap(200, 60);
      else await press(page, page.locator("article .act-more").first(), touch);
      await page.getByRole("menu").waitFor({ state: "detached" });
      assert.equal(page.url(), path);
      await press(page, page.locator("article .act-more").first(), touch);
      await press(page, page.getByRole("menuitem", { name: /^(Pin|Unpin) / }), touch);
      await page.getByRole("menu").waitFor({ state: "detached" });

      const choice = page.getByRole("button", { name: "What to show" });
      await press(page, choice, touch);
      assert.equal(await page.evaluate(HIDDEN), "");
      const boosts = page.locator(PANEL).getByRole("checkbox").first();
      const before = await boosts.isChecked();
      await press(page, page.locator(`${PANEL} label span`).first(), touch);
      assert.equal(await boosts.isChecked(), !before);
      await page.keyboard.press("Escape");
      await page.locator(PANEL).waitFor({ state: "detached" });
    });
  }

  test("a menu within a window that lets nothing else be pressed", async (t) => {
    const media_ids = [await upload(alice, "A heron")];
    await server.runJobs();
    const picture = { status: "A heron", media_ids };
    const { id } = await alice.post("/api/v1/statuses", picture).ok();
    for (const [size, touch] of [[DESK, false] as const, [PHONE, true] as const]) {
      const { page } = await browser.visit(t, { who: "alice", size, touch });
      await open(page, `/@alice/${id}`);
      await press(page, page.locator("a.media-item").first(), touch);
      const viewer = page.getByRole("dialog", { name: "Media" });
      const more = viewer.locator(".act-more").first();
      await viewer.waitFor();
      // On a phone the picture has all of the window.
      if (!(await more.isVisible())) continue;
      await press(page, more, touch);
      await page.getByRole("menu").waitFor();
      assert.equal(await page.evaluate(HIDDEN), "");
      await press(page, page.getByRole("menuitem", { name: /^Pin / }), touch);
      await page.getByRole("menu").waitFor({ state: "detached" });
      const path = `/api/v1/statuses/${id}`;
      const isPinned = async () => (await alice.get(path).ok()).pinned === true;
      await eventually("the pin", isPinned);
      await alice.post(`${path}/unpin`).ok();
    }
  });
});

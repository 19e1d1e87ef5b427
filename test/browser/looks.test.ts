// The client for different eyes and hands: writing from right to left, colours that the system gives, no motion, and a
// focus that is always to be seen.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { setSetting } from "../../src/domain/base/settings/settings.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { DESK, PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { OVERFLOW } from "./overflow.ts";
import { open, until } from "./until.ts";
import { makeVillage } from "./village.ts";
import type { Village } from "./village.ts";

const styleOf = (page: Page, selector: string, name: string): Promise<string> =>
  page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)}))["${name}"]`);

const FOCUS_STOPS = 20;
const FOCUSED = `(() => {
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(document.activeElement);
  const isSeen = (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) || boxShadow !== "none";
  // The caret shows where one writes.
  const isWriting = document.activeElement.localName === "textarea";
  return isSeen || isWriting || document.activeElement === document.body ? "" : document.activeElement.outerHTML.slice(0, 200);
})()`;

/** Where the system gives the colours there are no shadows. */
const OUTLINED = `(() => {
  const { outlineStyle, outlineWidth, borderTopStyle } = getComputedStyle(document.activeElement);
  const isSeen = outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
  const isWriting = document.activeElement.localName === "textarea" && borderTopStyle !== "none";
  return isSeen || isWriting || document.activeElement === document.body ? "" : document.activeElement.outerHTML.slice(0, 200);
})()`;

/** Icons in the colour of what is behind them. */
const UNSEEN = `[...document.querySelectorAll("svg.icon")].filter((icon) => {
  if (!icon.checkVisibility({ visibilityProperty: true })) return false;
  const { color, fill, stroke } = getComputedStyle(icon);
  let behind = icon;
  const backgroundOf = (each) => getComputedStyle(each).backgroundColor;
  while (behind && /^rgba\\(0, 0, 0, 0\\)$|^transparent$/.test(backgroundOf(behind))) behind = behind.parentElement;
  const drawn = [fill, stroke].filter((each) => each !== "none").map((each) => each === "currentcolor" ? color : each);
  return drawn.every((each) => each === (behind ? backgroundOf(behind) : "rgb(255, 255, 255)"));
}).map((icon) => "unseen: " + icon.parentElement.outerHTML.slice(0, 150))`;

/** Handles, mentions and hashtags whose @ or # stands behind the name. */
const TURNED = `[...document.querySelectorAll(".handle, .tag-row strong, .column-head h1, .text .u-url.mention")].filter((handle) => {
  const walker = document.createTreeWalker(handle, NodeFilter.SHOW_TEXT);
  const lefts = [];
  for (let text = walker.nextNode(); text && lefts.length < 2; text = walker.nextNode()) {
    for (let index = 0; index < Math.min(2, text.data.length); index += 1) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + 1);
      lefts.push(range.getBoundingClientRect().left);
    }
  }
  return handle.checkVisibility() && lefts[0] > lefts[1];
}).map((handle) => "turned: " + handle.outerHTML.slice(0, 150))`;

/** Titles and names that are not at the right, where a page from right to left begins. */
const ASTRAY = `[...document.querySelectorAll(".person-names > *, .column-head h1")].filter((each) => {
  const { right } = each.parentElement.getBoundingClientRect();
  const before = each.matches("h1") && each.previousElementSibling?.checkVisibility() ? each.previousElementSibling : null;
  const edge = before?.getBoundingClientRect().left ?? right - parseFloat(getComputedStyle(each.parentElement).paddingRight);
  const range = document.createRange();
  range.selectNodeContents(each);
  const text = range.getBoundingClientRect();
  const isWhole = text.width <= each.parentElement.clientWidth;
  return isWhole && each.checkVisibility() && Math.abs(edge - text.right) > 16;
}).map((each) => "astray: " + each.outerHTML.slice(0, 150))`;

/** What moves: longer than nothing, and not only a colour. */
const MOVING = `[...document.querySelectorAll("*")].filter((each) => {
  const { transitionDuration, animationDuration, animationName } = getComputedStyle(each);
  const isLong = (durations) => durations.split(",").some((text) => parseFloat(text) > 0.01);
  return isLong(transitionDuration) || (animationName !== "none" && isLong(animationDuration));
}).map((each) => each.cloneNode().outerHTML)`;

const TITLED = [
  "/home",
  "/notifications",
  "/explore",
  "/search",
  "/lists",
  "/groups",
  "/drafts",
  "/settings",
  "/tags/owls",
];
/** Where the title is, and how high its head. */
const TITLE = `(() => {
  const head = document.querySelector(".column-head");
  const [{ x, y }, { height }] = [head.querySelector("h1"), head].map((each) => each.getBoundingClientRect());
  return [x, y, height];
})()`;
/** Where the icons of each row of acts are, and how far from the text's end the last one ends. */
const ACTS = `[...document.querySelectorAll(".feed > .post:not(:empty)")].map((post) => {
  const icons = [...post.querySelectorAll(".post-acts .icon")].map((icon) => icon.getBoundingClientRect());
  const { right } = post.querySelector(".post-body").getBoundingClientRect();
  return [...icons.map(({ x }) => Math.round(x)), Math.round(right - icons.at(-1).right)].join();
})`;

/** Describes pictures of people that are not square, and fields that have the label of another one of their form. */
const UNCLEAR = `(() => {
  const squeezed = [...document.querySelectorAll("main img.avatar")].filter((each) => each.width !== each.height);
  const alike = [...document.forms].flatMap((form) => {
    const labels = [...form.elements].filter((each) => each.matches("input:not([type=hidden]), select, textarea"))
      .map((each) => !each.closest("fieldset") && each.labels?.[0]?.innerText.trim()).filter(Boolean);
    return labels.filter((label, place) => labels.indexOf(label) !== place);
  });
  return [...squeezed.map((each) => each.width + " wide, " + each.height + " high"), ...alike];
})()`;

type Box = { x: number; y: number; width: number; height: number };

describe("different eyes and hands", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let village: Village;

  before(async () => {
    server = await startTestApp();
    village = await makeVillage(server);
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  test("posts are written in the direction of their language, the rest of the page in its own", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE });
    for (const name of ["arabic", "hebrew"]) {
      await open(page, `/@bob/${village.ids[name]}`);
      assert.equal(await styleOf(page, ".post-main .text", "direction"), "rtl");
      assert.equal(await styleOf(page, ".post-main .text", "textAlign"), "start");
      assert.equal(await styleOf(page, ".post-main .post-head", "direction"), "ltr");
    }
    await open(page, `/@bob/${village.ids["thread"]}`);
    assert.equal(await styleOf(page, ".post-main .text", "direction"), "ltr");
    await open(page, "/compose");
    const field = page.locator(".composer-text textarea");
    for (const [text, direction] of [
      ["مساء الخير", "rtl"],
      ["Good evening", "ltr"],
    ] as const) {
      await field.fill(text);
      assert.equal(await styleOf(page, ".composer-text textarea", "direction"), direction);
    }
  });

  test("in the system's colours nothing is wider than the window, icons and the focus are seen; names stay as they are from right to left", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const problems: string[] = [];
    const look = async (how: string): Promise<void> => {
      for (const size of [DESK, PHONE]) {
        await page.setViewportSize(size);
        const faults = [
          await page.evaluate(OVERFLOW),
          ...((await page.evaluate(UNSEEN)) as string[]),
        ];
        problems.push(
          ...faults.filter(Boolean).map((fault) => `${how}, ${size.width} px: ${String(fault)}`),
        );
      }
      await page.setViewportSize(DESK);
    };
    for (const path of [
      "/home",
      `/@bob/${village.ids["thread"]}`,
      `/@bob/${village.ids["picture"]}`,
      "/@bob",
      "/tags/owls",
      "/explore/tags",
      "/settings",
      "/settings/export",
      "/compose",
      "/notifications",
      "/about",
    ]) {
      await open(page, path);
      await page.evaluate("document.documentElement.dir = 'rtl'");
      for (const misplaced of [TURNED, ASTRAY])
        problems.push(...((await page.evaluate(misplaced)) as string[]));
      await page.evaluate("document.documentElement.dir = ''");
      await page.emulateMedia({ forcedColors: "active" });
      await look(`${path} in the system's colours`);
      for (let stop = 0; stop < 10; stop += 1) {
        await page.keyboard.press("Tab");
        const unseen = String(await page.evaluate(OUTLINED));
        if (unseen) problems.push(`${path} in the system's colours, focus: ${unseen}`);
      }
      await page.emulateMedia({ forcedColors: "none" });
    }
    assert.deepEqual(problems, []);
  });

  test("where the system gives the colours, what is chosen is still told apart", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await page.emulateMedia({ forcedColors: "active" });
    await open(page, `/@bob/${village.ids["thread"]}`);
    for (const act of ["favourite", "boost", "bookmark"]) {
      const chosen = `article[data-status="${village.ids["thread"]}"] .act-${act}`;
      const other = `article[data-status="${village.ids["answer"]}"] .act-${act}`;
      assert.equal(await page.locator(chosen).first().getAttribute("aria-pressed"), "true");
      assert.equal(await page.locator(other).first().getAttribute("aria-pressed"), "false");
      const [a, b] = await Promise.all(
        [chosen, other].map((each) => styleOf(page, each, "backgroundColor")),
      );
      assert.notEqual(a, b, act);
    }
    assert.notEqual(await styleOf(page, ".compose-button", "borderTopStyle"), "none");
    await open(page, "/home");
    const [here, there] = await Promise.all(
      [".nav-link[href='/home']", ".nav-link[href='/lists']"].map((each) =>
        styleOf(page, each, "backgroundColor"),
      ),
    );
    assert.notEqual(here, there);
    await open(page, "/@bob");
    assert.equal(await styleOf(page, ".tabs a[aria-current]", "backgroundColor"), here);
  });

  test("titles, tabs and the acts of posts have the same place on every page", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const places = new Map<typeof DESK, number[]>();
    for (const path of TITLED) {
      await open(page, path);
      for (const size of [DESK, PHONE]) {
        await page.setViewportSize(size);
        const place = await page.evaluate<number[]>(TITLE);
        const first = places.get(size) ?? place;
        places.set(size, first);
        // At a desk the settings begin behind their menu.
        const from = size === DESK && path === "/settings" ? 1 : 0;
        assert.deepEqual(place.slice(from), first.slice(from), `${path}, ${size.width} wide`);
        assert.ok((await page.locator(".tabs > :is(a, button)").count()) <= 4, path);
      }
    }
    await open(page, "/public/local");
    for (const size of places.keys()) {
      await page.setViewportSize(size);
      const columns = await page.evaluate<string[]>(ACTS);
      assert.ok(columns.length > 3 && new Set(columns).size === 1, columns.join(" | "));
    }
  });

  test("staff and settings end at the same edge, begin right below their head, and fit a window of 900", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: { width: 1280, height: 900 } });
    const boxOf = async (selector: string) =>
      (await page.locator(selector).first().boundingBox()) as Box;
    const ends: number[] = [];
    for (const path of ["/settings", "/admin/settings/general"]) {
      await open(page, path);
      const { x, width } = await boxOf(".column-head");
      ends.push(x + width);
      const aside = "document.querySelector('.aside')";
      assert.ok(await page.evaluate(`${aside}.scrollHeight <= ${aside}.clientHeight`), path);
    }
    assert.ok(Math.abs(ends[0]! - ends[1]!) <= 1, ends.join());
    for (const size of [DESK, PHONE]) {
      await page.setViewportSize(size);
      await open(page, `/admin/accounts/${village.ids["accounts"]}`);
      const above = size === DESK ? ".column-head" : ".staff-folded";
      const { y, height } = await boxOf(above);
      assert.equal(await styleOf(page, ".staff-page > .panel", "borderTopWidth"), "0px");
      if (size === DESK) assert.equal((await boxOf(".staff-page > .panel")).y, y + height);
    }
  });

  test("acts on several accounts can be pressed where some are ticked, and are in sight only then", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/admin/accounts");
    const limit = page.locator(".several button", { hasText: "Limit" });
    const position = "getComputedStyle(document.querySelector('.several')).position";
    assert.deepEqual([await limit.isEnabled(), await page.evaluate(position)], [false, "static"]);
    await page.locator("input.tick").first().check();
    assert.deepEqual([await limit.isEnabled(), await page.evaluate(position)], [true, "sticky"]);
    await page.locator("input.tick").first().uncheck();
    assert.equal(await limit.isEnabled(), false);
    await page.locator(".several [name=all]").check();
    assert.equal(await limit.isEnabled(), true);
  });

  test("rows that lead on end in an arrow, and a group that one runs is listed once, as any other", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/settings/filters");
    const row = page.locator(".settings-row", { hasText: "Vegetables" });
    assert.equal(await row.locator(".icon").count(), 1);
    const { alice, bob } = village;
    const { id } = await alice.post("/api/v1/groups", { name: "moss" }).ok();
    for (const who of [alice, bob]) await who.post(`/api/v1/accounts/${id}/follow`).ok();
    await open(page, "/groups");
    assert.equal(await page.locator(".person", { hasText: "@moss" }).count(), 1);
    assert.equal(await page.getByText("You haven’t joined").count(), 0);
    await page.getByRole("link", { name: "Moderate group" }).click();
    await page.waitForURL(`**/groups/${id}`);
    const other = await browser.visit(t, { who: "bob" });
    await open(other.page, "/groups");
    assert.equal(await other.page.locator(".person", { hasText: "@moss" }).count(), 1);
  });

  test("what belongs together is in one line and of one size, and what is pressed stands apart", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const boxOf = async (selector: string) =>
      (await page.locator(selector).first().boundingBox()) as Box;
    const middle = ({ y, height }: Box): number => Math.round(y + height / 2);
    await open(page, "/admin/accounts");
    const [all, button, tick] = [
      await boxOf(".several .check input"),
      await boxOf(".several .button"),
      await boxOf(".accounts input.tick"),
    ];
    assert.ok(Math.abs(middle(all) - middle(button)) <= 1, `${middle(all)}, ${middle(button)}`);
    assert.deepEqual([all.width, all.height], [tick.width, tick.height]);
    await open(page, "/admin/accounts?username=carol&origin=local");
    assert.equal(await page.locator(".accounts input.tick").count(), 1);
    assert.equal(await page.locator(".several [name=all]").count(), 0);
    await open(page, "/settings/invites");
    await page.getByRole("button", { name: "Create invitation" }).click();
    await page.locator(".secret").waitFor();
    const below = async (above: string, what: string): Promise<number> => {
      const { y, height } = await boxOf(above);
      return (await boxOf(what)).y - y - height;
    };
    assert.ok((await below(".secret", ".secret + .button")) >= 8);
    await setSetting(server.app, "registrations", "open");
    const visitor = await browser.visit(t);
    await open(visitor.page, "/auth/sign_up");
    const [box, send] = await Promise.all(
      [".check label", "form .button"].map((each) =>
        visitor.page.locator(each).last().boundingBox(),
      ),
    );
    assert.ok(send!.y - box!.y - box!.height >= 12, `${send!.y} ${box!.y} ${box!.height}`);
  });

  test("pictures of people are square on the staff's pages, and fields of a form are told apart", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const { ids } = village;
    for (const path of [
      "accounts",
      `accounts/${ids["accounts"]}`,
      `reports/${ids["reports"]}`,
      "spam",
    ]) {
      await open(page, `/admin/${path}`);
      assert.deepEqual(await page.evaluate(UNCLEAR), [], path);
    }
  });

  test("going back to a question that the staff was asked shows it again", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const report = `/admin/reports/${village.ids["reports"]}`;
    await open(page, report);
    await page.getByRole("button", { name: "Delete posts" }).click();
    const question = page.getByRole("heading", { name: /^Delete 1 post by @eve/ });
    await question.waitFor();
    await page.locator("main .buttons").getByRole("link", { name: "Go back" }).click();
    await page.waitForURL(({ pathname }) => pathname === report);
    await page.goBack();
    await question.waitFor();
    await page.reload();
    await question.waitFor();
  });

  test("without scripts every label of the composer is above its field", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", scripts: false });
    await page.goto(`${server.url}/compose`);
    await page.getByText("Add images").click();
    const places = await page
      .locator(".composer-more :is(input, select, textarea)")
      .evaluateAll((fields) =>
        fields.map((field) => {
          const { x, y } = field.getBoundingClientRect();
          const label = (field as HTMLInputElement).labels![0]!.getBoundingClientRect();
          return [x === label.x, y > label.y];
        }),
      );
    assert.ok(places.length > 12);
    assert.deepEqual(
      places,
      places.map(() => [true, true]),
    );
  });

  test("a page or a sheet that is long in coming shows a bar, with motion or without", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    for (const reducedMotion of ["no-preference", "reduce"] as const) {
      await page.emulateMedia({ reducedMotion });
      await open(page, "/home");
      let release = (): void => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route("**/api/v1/**", async (route) => {
        await held;
        await route.continue();
      });
      await page.getByRole("link", { name: "Bookmarks" }).click();
      // It is transparent for a moment, and then within the window.
      await until(
        page,
        `(() => {
        const bar = document.querySelector(".progress");
        const { left, right } = bar.getBoundingClientRect();
        return !bar.hidden && getComputedStyle(bar).opacity === "1" && right > 0 && left < innerWidth;
      })()`,
      );
      assert.equal(await page.locator("#main").getAttribute("aria-busy"), "true");
      release();
      await page.waitForURL(/bookmarks$/);
      await until(page, "document.querySelector('.progress').hidden");
      assert.equal(await page.locator("#main").getAttribute("aria-busy"), "false");
      await page.unroute("**/api/v1/**");
    }
  });

  test("what the browser draws has the colours and shapes of the rest", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/settings/profile");
    const accent = await styleOf(page, ".button", "backgroundColor");
    for (const selector of ["[type=checkbox]", "[type=file]"])
      assert.equal(await styleOf(page, `main ${selector}`, "accentColor"), accent);
    const radius = `getComputedStyle(document.querySelector("[type=file]"), "::file-selector-button").borderTopLeftRadius`;
    assert.equal(
      await page.evaluate(radius),
      await styleOf(page, ".button", "borderTopLeftRadius"),
    );
  });

  test("every field looks the same", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const looks = new Map<string, unknown>();
    for (const [path, field] of [
      ["/settings/profile", "textarea"],
      ["/settings/filters", "select"],
      ["/settings/password", "input[type=password]"],
      ["/lists", "input[name=title]"],
      ["/@bob/mute", "select"],
      ["/@bob/report", "textarea"],
    ] as const) {
      await open(page, path);
      const style = `(({ borderTopColor, borderTopWidth, borderTopLeftRadius, backgroundColor }) =>
        [borderTopColor, borderTopWidth, borderTopLeftRadius, backgroundColor].join())(
        getComputedStyle(document.querySelector(${JSON.stringify(`main ${field}`)})))`;
      looks.set(path, await page.evaluate(style));
    }
    assert.equal(new Set(looks.values()).size, 1, JSON.stringify([...looks], null, 1));
  });

  test("languages have their own names once the page is alive, and the values of settings stand at the end of their rows", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/settings/preferences");
    const options = '[name="posting:default:language"] option';
    const names = await page
      .locator(options)
      .evaluateAll((all) =>
        all.map((each) => `${(each as HTMLOptionElement).value} ${each.textContent}`),
      );
    assert.ok(names.includes("de German") && names.includes("en English"), names.join());
    for (const size of [DESK, PHONE]) {
      await page.setViewportSize(size);
      const ends = await page
        .locator("main :is(select, [type=checkbox])")
        .evaluateAll((all) =>
          all
            .filter((each) => each.checkVisibility())
            .map((each) => Math.round(each.getBoundingClientRect().right)),
        );
      assert.equal(new Set(ends).size, 1, ends.join());
      const label = (await page.locator("main .settings-field label").first().boundingBox())!;
      const value = (await page.locator("main .settings-field select").first().boundingBox())!;
      assert.ok(label.x + label.width <= value.x && value.y < label.y + label.height);
    }
  });

  test("nothing moves for who wants no motion, by the device or by the preference", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open(page, "/home");
    await page.click("[data-act=compose]");
    await page.locator("dialog .composer-text textarea").waitFor();
    assert.deepEqual(await page.evaluate(MOVING), []);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.evaluate("document.documentElement.dataset.motion = 'reduced'");
    assert.deepEqual(await page.evaluate(MOVING), []);
  });

  test("the focus is seen wherever Tab leads", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const unseen: string[] = [];
    for (const path of [
      "/home",
      `/@bob/${village.ids["poll"]}`,
      "/settings/preferences",
      "/search?q=mill",
    ]) {
      await open(page, path);
      for (let stop = 0; stop < FOCUS_STOPS; stop += 1) {
        await page.keyboard.press("Tab");
        const focused = String(await page.evaluate(FOCUSED));
        if (focused) unseen.push(`${path}: ${focused}`);
      }
    }
    assert.deepEqual(unseen, []);
  });

  test("buttons of several acts can be pressed right after Enter, which does none of them", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/admin/accounts");
    const box = page.locator(".accounts input.tick").first();
    await box.press("Space");
    await box.press("Enter");
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await page.locator("#several button:not([hidden])").first().click();
    await sent;
  });

  test("the boxes of a list are above the bar when they have the focus", async (t) => {
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

  test("the links of the member's menu stay where they are, with the other menu beside it", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    for (const width of [1600, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      const placeOf = async (path: string): Promise<number> => {
        await open(page, path);
        return (await page.locator(".side .nav-link").first().boundingBox())!.x;
      };
      const home = await placeOf("/home");
      for (const path of ["/settings/preferences", "/settings/password", "/admin", "/admin/rules"])
        assert.equal(await placeOf(path), home, `${path} ${width}`);
      if (width < 1248) continue;
      const [menu, column] = [page.locator(".staff-menu:visible"), page.locator("main")];
      assert.ok((await menu.boundingBox())!.x < (await column.boundingBox())!.x);
    }
  });
});

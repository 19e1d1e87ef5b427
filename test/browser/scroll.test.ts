// A long list, of posts or of notifications: what a reader has scrolled past is neither drawn nor held, however long the
// list grows, and is there again on the way back.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { scrollUntil } from "./scrolling.ts";
import { open, until, untilAlive, untilStill } from "./until.ts";

const POSTS = 320;
/** The newest posts have polls. */
const POLLS = 4;
const NOTIFICATIONS = 150;
const PARALLEL = 16;
/** A post that is drawn has about 35 elements, an empty box is one; some thirty are near the window. */
const MAX_ELEMENTS = 2000;
/** The first forty, and those within 1,500 pixels, each of which is more than 70 high; of these, whole parts of twenty. */
const MAX_ENTRIES = 140;
const MAX_HEAP = 16_000_000;
/** Characters that sessionStorage holds in Chromium; those that are left for a page are too few for all its posts. */
const [STORAGE, ROOM] = [5_242_880, 400_000];

describe("a long list", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let bob: Person;

  const writeMany = async (count: number, make: (number: number) => object): Promise<void> => {
    let next = 0;
    const write = async (): Promise<void> => {
      while (next < count) await bob.post("/api/v1/statuses", make((next += 1))).ok();
    };
    await Promise.all(Array.from({ length: PARALLEL }, write));
  };

  before(async () => {
    server = await startTestApp();
    await server.person("alice");
    await server.person("carol");
    bob = await server.person("bob");
    await writeMany(POSTS - POLLS, (number) => ({
      status: `Post ${number} of many.\n\nIt has a line more.`,
    }));
    const poll = { options: ["Rook", "Owl"], expires_in: 86_400 };
    await writeMany(POLLS, (number) => ({ status: `Question ${number}`, poll }));
    await writeMany(NOTIFICATIONS, (number) => ({
      status: `@carol, number ${number}`,
      visibility: "unlisted",
    }));
    await server.runJobs();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const sizes = (page: Page): Promise<{ elements: number; entries: number }> =>
    page.evaluate(`({
      elements: document.querySelectorAll("*").length,
      entries: document.querySelectorAll(".feed article:not(article article)").length,
    })`);

  /** Code that returns an element's text without its times, which change meanwhile. */
  const TEXT = `(element) => {
    const copy = element.cloneNode(true);
    for (const time of copy.querySelectorAll("time")) time.remove();
    return copy.textContent;
  }`;

  /** Scrolls up until all that a reload left out is there again. */
  const readAgain = async (page: Page): Promise<void> => {
    assert.notEqual(await page.locator(".part > .pager").count(), 0);
    await page.evaluate(`(async () => {
      while (document.querySelector(".part > .pager")) {
        scrollBy(0, -250);
        await new Promise(requestAnimationFrame);
      }
    })()`);
  };

  const numbered = (number: number): string => `.feed .post[aria-posinset="${number}"]`;

  const find = (page: Page, number: number): Promise<{ id: string; text: string }> =>
    page.evaluate(`((post) => ({ id: post.dataset.entry, text: (${TEXT})(post) }))(
      document.querySelector('${numbered(number)}'),
    )`);

  test("the document does not grow with what was scrolled past", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", apart: true });
    const protocol = await page.context().newCDPSession(page);
    await open(page, "/public/local");
    // Further down there may be some already: of older posts that were read meanwhile.
    const away = "document.querySelectorAll('.feed > .post:nth-child(-n + 12):empty').length";
    assert.equal(await page.evaluate(away), 0);
    await page.evaluate(`window.tasks = []; new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: "longtask" })`);
    await scrollUntil(page, numbered(POSTS));
    const { elements, entries } = await sizes(page);
    t.diagnostic(`${elements} elements, ${entries} posts`);
    assert.ok(elements <= MAX_ELEMENTS, `${elements} elements`);
    assert.ok(entries <= MAX_ENTRIES, `${entries} posts`);
    await protocol.send("HeapProfiler.collectGarbage");
    t.diagnostic(`tasks above 50 ms: ${await page.evaluate("tasks.join()")}`);
    const heap = (await page.evaluate("performance.memory.usedJSHeapSize")) as number;
    assert.ok(heap <= MAX_HEAP, `${heap} bytes of heap`);
  });

  test("posts have their heights while they are away, and what they show again", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/public/local");
    const first = (): Promise<unknown> =>
      page.evaluate(`((post) => ({ height: post.offsetHeight, text: (${TEXT})(post) }))(
        document.querySelector(".feed > .post"),
      )`);
    const before = (await first()) as { height: number; text: string };
    await scrollUntil(page, numbered(100));
    await until(page, `document.querySelector(".feed > .post").matches(":empty")`);
    assert.deepEqual(await first(), { ...before, text: "" });
    await page.evaluate("scrollTo(0, 0)");
    await until(page, `!document.querySelector(".feed > .post").matches(":empty")`);
    assert.deepEqual(await first(), before);
  });

  test("a part that was away is at its pixel again, with the same posts", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/public/local");
    const hundredth = numbered(100);
    const read = () => find(page, 100);
    const topOf = async (): Promise<number> =>
      (await page.evaluate(
        `document.querySelector('${hundredth}').getBoundingClientRect().top + scrollY`,
      )) as number;
    await scrollUntil(page, `${hundredth}:not(:empty)`);
    await page.evaluate(`document.querySelector('${hundredth}').scrollIntoView()`);
    await untilStill(page);
    const [before, top, at] = [await read(), await topOf(), await page.evaluate("scrollY")];
    await scrollUntil(page, numbered(240));
    await until(page, `!document.querySelector('${hundredth}')`);
    await page.evaluate(`scrollTo(0, ${at})`);
    await until(page, `document.querySelector('${hundredth}:not(:empty)') !== null`);
    await untilStill(page);
    assert.deepEqual(await read(), before);
    assert.ok(Math.abs((await topOf()) - top) < 1);
    // The posts above it come as boxes, which are drawn while they come near.
    await page.evaluate("scrollBy(0, -2500)");
    await untilStill(page);
    assert.ok(Math.abs((await topOf()) - top) < 1, "also with those above");
  });

  test("keys lead into a part that is away, after what has the focus", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/public/local");
    await scrollUntil(page, `${numbered(60)}:not(:empty)`);
    await page.locator(numbered(60)).focus();
    await scrollUntil(page, numbered(240));
    await until(page, `!document.querySelector('${numbered(61)}')`);
    // The first press brings the part, a further one its first post.
    await page.keyboard.press("j");
    await page.locator(numbered(61)).waitFor();
    await page.keyboard.press("j");
    assert.equal(await page.evaluate("document.activeElement.getAttribute('aria-posinset')"), "61");
  });

  test("what a reader began in a post stays there, and nothing else", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/public/local");
    await page.locator(".feed > .post").nth(0).locator("input[type=radio]").first().check();
    await page.locator(".feed > .post").nth(POLLS).locator(".post-author").focus();
    await scrollUntil(page, numbered(100));
    await until(
      page,
      `document.querySelector(".feed > .post:nth-child(${POLLS})").matches(":empty")`,
    );
    const drawn = `[...document.querySelectorAll(".feed > .post:nth-child(-n + 20):not(:empty)")].map((post) =>
      [...post.parentElement.children].indexOf(post))`;
    await until(page, `(${drawn}).length === 2`);
    assert.deepEqual(await page.evaluate(drawn), [0, POLLS]);
  });

  test("notifications that were scrolled past are neither drawn nor held, and are found on the way back", async (t) => {
    const { page } = await browser.visit(t, { who: "carol" });
    await open(page, "/notifications");
    await page.evaluate(`(async () => {
      while (document.querySelector(".pager")) {
        scrollBy(0, 500);
        await new Promise(requestAnimationFrame);
      }
    })()`);
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await untilStill(page);
    const { elements, entries } = await sizes(page);
    t.diagnostic(`${elements} elements, ${entries} rows`);
    assert.ok(elements <= MAX_ELEMENTS, `${elements} elements`);
    assert.ok(entries < NOTIFICATIONS, `${entries} rows`);
    const row = `[...document.querySelectorAll("[data-group]")].find((each) => each.getBoundingClientRect().bottom > 0)`;
    const read = async (): Promise<[group: string, top: number]> =>
      (await page.evaluate(
        `((row) => [row.dataset.group, row.getBoundingClientRect().top])(${row})`,
      )) as [string, number];
    await page.evaluate("scrollBy(0, -3000)");
    await untilStill(page);
    const [group, top] = await read();
    await page.evaluate(`(${row}).nextElementSibling.querySelector(".post-time").click()`);
    await page.locator(".post-main").waitFor();
    await page.goBack();
    await page.locator(".notification:not(:empty)").first().waitFor();
    await untilStill(page);
    const isThere = async (): Promise<void> => {
      await page.locator(`[data-group="${group}"]`).waitFor();
      await untilStill(page);
      const [sameGroup, sameTop] = await read();
      assert.equal(sameGroup, group);
      assert.ok(Math.abs(sameTop - top) < 1, `${top} before, ${sameTop} now`);
    };
    await isThere();
    await page.reload();
    await isThere();
    await readAgain(page);
    await until(page, `${row}.querySelector(".post") !== null`);
  });

  test("after a reload a reader far down is at the same pixel, and what was not kept is there on the way up", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/public/local");
    await scrollUntil(page, `${numbered(100)}:not(:empty)`);
    const [gone, stays] = [await find(page, 99), await find(page, 100)];
    await scrollUntil(page, numbered(POSTS));
    await page.evaluate(`document.querySelector('${numbered(POSTS - 20)}').scrollIntoView()`);
    await untilStill(page);
    const { id } = await find(page, POSTS - 20);
    const topOf = async (): Promise<number> =>
      (await page.evaluate(
        `document.querySelector('[data-entry="${id}"]').getBoundingClientRect().top`,
      )) as number;
    const top = await topOf();
    await page.evaluate(`sessionStorage.setItem("other", "x".repeat(${STORAGE - ROOM}))`);
    await bob.delete(`/api/v1/statuses/${gone.id}`).ok();
    await page.reload();
    await page.locator(`[data-entry="${id}"]`).waitFor();
    await untilStill(page);
    assert.ok(Math.abs((await topOf()) - top) < 1);
    await readAgain(page);
    await page.evaluate(`document.querySelector('[data-entry="${stays.id}"]').scrollIntoView()`);
    await page.locator(`[data-entry="${stays.id}"]:not(:empty)`).waitFor();
    assert.deepEqual(await find(page, 99), stays);
    assert.equal(await page.locator(`[data-entry="${gone.id}"]`).count(), 0);
  });

  test("after a reload inside a post the list that led to it is at the same pixel", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/public/local");
    await scrollUntil(page, `${numbered(200)}:not(:empty)`);
    await page.evaluate(`document.querySelector('${numbered(200)}').scrollIntoView()`);
    await untilStill(page);
    const id = await page.locator(numbered(200)).getAttribute("data-entry");
    const topOf = async (): Promise<number> =>
      (await page.evaluate(
        `document.querySelector('[data-entry="${id}"]').getBoundingClientRect().top`,
      )) as number;
    const top = await topOf();
    await page.locator(numbered(200)).locator(".post-time").click();
    await page.locator(".post-main").waitFor();
    for (const _ of [1, 2]) {
      await page.reload();
      await untilAlive(page);
      await page.locator(".post-main").waitFor();
    }
    await page.goBack();
    await page.locator(`[data-entry="${id}"]:not(.post-main, :empty)`).waitFor();
    await untilStill(page);
    assert.ok(Math.abs((await topOf()) - top) < 1, `${top} before, ${await topOf()} now`);
  });

  test("a list goes on by itself once the browser is online again", async (t) => {
    const { page, context, allow } = await browser.visit(t, { who: "alice", apart: true });
    allow(/ERR_INTERNET_DISCONNECTED/);
    await open(page, "/public/local");
    await context.setOffline(true);
    await page.evaluate(`(async () => {
      while (!document.querySelector(".pager button")) {
        scrollBy(0, 500);
        await new Promise(requestAnimationFrame);
      }
    })()`);
    await context.setOffline(false);
    await scrollUntil(page, numbered(80));
  });

  test("a browser that forbids storage has the whole list", async (t) => {
    const { page, context } = await browser.visit(t, { who: "alice", apart: true });
    await context.addInitScript(`for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, {
        configurable: true,
        get() { throw new DOMException("forbidden", "SecurityError"); },
      })`);
    await open(page, "/home");
    await page.locator(".nav-link[href='/public/local']").click();
    await scrollUntil(page, numbered(60));
  });
});

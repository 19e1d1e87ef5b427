// A long list: what a reader has scrolled past is neither drawn nor held, however long the list grows, and is there
// again on the way back.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { scrollUntil } from "./scrolling.ts";
import { open, until } from "./until.ts";

const POSTS = 320;
const PARALLEL = 16;
/** A post that is drawn has about 35 elements, an empty box is one; some thirty are near the window. */
const MAX_ELEMENTS = 3000;
const MAX_HEAP = 16_000_000;

describe("a long list", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let bob: Person;

  before(async () => {
    server = await startTestApp();
    await server.person("alice");
    bob = await server.person("bob");
    let next = 0;
    const write = async (): Promise<void> => {
      while (next < POSTS) {
        const json = { status: `Post ${(next += 1)} of many.\n\nIt has a line more.` };
        await bob.post("/api/v1/statuses", json).ok();
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, write));
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const drawn = (page: Page): Promise<{ boxes: number; posts: number; elements: number }> =>
    page.evaluate(`({
      boxes: document.querySelectorAll(".feed > .post:empty").length,
      posts: document.querySelectorAll(".feed > .post:not(:empty)").length,
      elements: document.querySelectorAll("*").length,
    })`);

  test("the document does not grow with what was scrolled past", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", apart: true });
    const protocol = await page.context().newCDPSession(page);
    await open(page, "/public/local");
    // Further down there may be some already: of older posts that were read meanwhile.
    const away = "document.querySelectorAll('.feed > .post:nth-child(-n + 20):empty').length";
    assert.equal(await page.evaluate(away), 0);
    await page.evaluate(`window.tasks = []; new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: "longtask" })`);
    await scrollUntil(page, POSTS);
    const end = await drawn(page);
    assert.equal(end.boxes + end.posts, POSTS);
    assert.ok(end.elements <= MAX_ELEMENTS, `${end.elements} elements`);
    await protocol.send("HeapProfiler.collectGarbage");
    t.diagnostic(`tasks above 50 ms: ${await page.evaluate("tasks.join()")}`);
    const heap = (await page.evaluate("performance.memory.usedJSHeapSize")) as number;
    assert.ok(heap <= MAX_HEAP, `${heap} bytes of heap`);
  });

  test("posts have their heights while they are away, and what they show again", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/public/local");
    const first = (): Promise<unknown> =>
      page.evaluate(`(({ offsetHeight, textContent }) => ({ offsetHeight, textContent }))(
        document.querySelector(".feed > .post"),
      )`);
    const before = (await first()) as { offsetHeight: number; textContent: string };
    await scrollUntil(page, 100);
    await until(page, `document.querySelector(".feed > .post").matches(":empty")`);
    assert.deepEqual(await first(), { ...before, textContent: "" });
    await page.evaluate("scrollTo(0, 0)");
    await until(page, `!document.querySelector(".feed > .post").matches(":empty")`);
    assert.deepEqual(await first(), before);
  });

  test("what a reader began in a post stays there", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/public/local");
    const first = page.locator(".feed > .post").first();
    await first.locator(".post-author").focus();
    await scrollUntil(page, 100);
    await until(page, `document.querySelector(".feed > .post:nth-child(2)").matches(":empty")`);
    assert.equal(await first.locator(".post-author").count(), 1);
  });
});

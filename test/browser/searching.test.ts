// Searching in the browser: the order of posts, and searches that are kept.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open, until } from "./until.ts";

describe("searching", { skip: withoutChromium }, () => {
  let server: TestApp | undefined;
  let browser: TestBrowser | undefined;

  before(async () => {
    server = await startTestApp();
    const alice = await server.person("alice");
    for (const status of ["moss moss moss", "a long post that has moss among many other words"]) {
      await alice.post("/api/v1/statuses", { status });
    }
    for (let n = 0; n < 25; n += 1) await alice.post("/api/v1/statuses", { status: `fern ${n}` });
    await server.runJobs();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const texts = `[...document.querySelectorAll("article .text")].map((each) => each.textContent.trim())`;

  test("posts come by date or by what fits best", async (t) => {
    const { page } = await browser!.visit(t, { who: "alice" });
    await open(page, "/search?q=moss&type=statuses");
    const [first, second] = (await page.evaluate(texts)) as string[];
    assert.match(first!, /^a long post/);
    await page.click("text=Best matches first");
    await until(page, `${texts}[0] === ${JSON.stringify(second)}`);
    assert.match(page.url(), /sort=rank/);
    assert.equal(await page.getAttribute("text=Best matches first", "aria-current"), "true");
  });

  for (const scripts of [true, false]) {
    test(`further posts are read ${scripts ? "below" : "on the next page, the last"}`, async (t) => {
      const { page } = await browser!.visit(t, { who: "alice", scripts });
      const path = "/search?q=fern&type=statuses";
      await page.goto(`${server!.url}${path}`);
      if (!scripts) await page.click(".pager a");
      await until(page, `document.querySelectorAll("article").length === ${scripts ? 25 : 5}`);
      assert.equal(await page.locator(".pager, .empty").count(), 0);
      assert.equal(
        new URL(page.url()).search,
        `${new URL(path, page.url()).search}${scripts ? "" : "&offset=20"}`,
      );
    });

    test(`a search is saved and removed, ${scripts ? "with" : "without"} scripts`, async (t) => {
      const { page } = await browser!.visit(t, { who: "alice", scripts });
      await (scripts
        ? open(page, "/search?q=moss+from:me")
        : page.goto(`${server!.url}/search?q=moss+from:me`));
      await page.click("text=Save this search");
      await page.waitForSelector("text=Save this search", { state: "detached" });
      await (scripts ? open(page, "/search") : page.goto(`${server!.url}/search`));
      const link = page.locator(".saved-search a");
      assert.equal(await link.getAttribute("href"), "/search?q=moss+from%3Ame");
      await page.click(".saved-search button");
      await page.waitForSelector(".saved-search", { state: "detached" });
    });
  }
});

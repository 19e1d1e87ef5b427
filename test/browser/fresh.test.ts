// What is shown stays as it is now: counts, filters, and forms that act in place.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open, until, untilQuiet } from "./until.ts";

/** Shorter than what a request is waited for. */
const STEP_MS = 5000;

describe("fresh", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let bob: Person;

  const call = async (who: Person, method: string, path: string, json?: object) =>
    (await server.request(method, path, { token: who.token, ...(json && { json }) })).json;

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    bob = await server.person("bob");
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  test("counts of a post that stays in sight are asked for again", async (t) => {
    const { id } = await call(bob, "POST", "/api/v1/statuses", { status: "Counted" });
    const { page } = await browser.visit(t, { who: "alice" });
    await page.clock.install();
    await open(page, `/@bob/${id}`);
    await page.locator(".post-main").waitFor();
    await page.clock.runFor(20_000);
    await call(bob, "POST", `/api/v1/statuses/${id}/favourite`);
    const count = page.locator(".post-main .act-favourite .count");
    assert.equal(await count.count(), 0);
    // A request ends by the same clock: each is answered before it goes on.
    for (let step = 0; step < 30; step += 1)
      await untilQuiet(page, () => page.clock.runFor(STEP_MS));
    await count.waitFor();
    assert.equal(await count.textContent(), "1");
  });

  test("a new filter applies to what is shown already", async (t) => {
    await call(bob, "POST", "/api/v1/statuses", { status: "About turnips" });
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/public/local`);
    await page.getByText("About turnips").waitFor();
    await call(alice, "POST", "/api/v2/filters", {
      title: "Vegetables",
      context: ["home", "public", "thread", "account"],
      filter_action: "warn",
      keywords_attributes: [{ keyword: "turnips" }],
    });
    const warning = page.locator("article summary", { hasText: "Vegetables" });
    await warning.waitFor();
  });

  test("a changed word of a long filter is not left unsaved in silence, and a cleared one is removed", async (t) => {
    const words = Array.from({ length: 150 }, (_, n) => ({ keyword: `word${n + 1}` }));
    const { id } = await call(alice, "POST", "/api/v2/filters", {
      title: "Long",
      context: ["home"],
      keywords_attributes: words,
    });
    const { page } = await browser.visit(t, { who: "alice" });
    const questions: string[] = [];
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      void dialog.dismiss();
    });
    await open(page, `/settings/filters/${id}`);
    const word = page.getByLabel("Word or phrase");
    const next = page.getByRole("link", { name: "Next page" });
    const save = page.getByRole("button", { name: "Save" });
    await word.first().fill("changed");
    await next.click();
    assert.equal(questions.length, 1);
    assert.match(questions[0]!, /without saving/);
    assert.equal(await word.first().inputValue(), "changed");
    await word.nth(1).fill("");
    await word.nth(100).fill("added");
    await save.click();
    await page.getByText("Saved").waitFor();
    await until(
      page,
      "document.querySelectorAll('.settings-keyword input[dir]')[1].value === 'word3'",
    );
    assert.equal(await word.nth(100).inputValue(), "");
    await next.click();
    await until(page, "document.querySelector('.settings-keyword input[dir]').value === 'word102'");
    assert.equal(questions.length, 1);
    const { keywords } = await call(alice, "GET", `/api/v2/filters/${id}`);
    assert.deepEqual(
      keywords.map(({ keyword }: { keyword: string }) => keyword),
      ["changed", ...words.slice(2).map(({ keyword }) => keyword), "added"],
    );
  });

  test("forms of lists and followed hashtags act in place, and keep the focus", async (t) => {
    await call(alice, "POST", "/api/v1/tags/rivers/follow");
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/lists`);
    await page.evaluate("window.isSame = true");
    await page.getByLabel("New list").fill("Neighbours");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("link", { name: "Neighbours", exact: true }).waitFor();
    assert.equal(await page.getByLabel("New list").inputValue(), "");
    await until(page, "document.activeElement.textContent === 'Create'");
    await open(page, `/followed_tags`);
    await page.evaluate("window.isSame = true");
    await page.getByRole("button", { name: "Unfollow" }).click();
    await page.getByText("Open a hashtag and follow it").waitFor();
    assert.equal(await page.evaluate("window.isSame"), true);
    assert.deepEqual(await call(alice, "GET", "/api/v1/followed_tags"), []);
  });
});

// Reactions to posts in the web client: below the post that a page is about an emoji is chosen, elsewhere one joins in;
// with scripts and without.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { OVERFLOW } from "./overflow.ts";
import { open } from "./until.ts";

/** Pixels that a button of the row may be high. */
const HIGHEST = 48;

describe("reactions", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let bob: Person;

  const write = (status: string): Promise<{ id: string }> =>
    bob.post("/api/v1/statuses", { status }).ok();
  const counts = async (id: string): Promise<unknown[]> => {
    const { reactions = [] } = await alice.get(`/api/v1/statuses/${id}`).ok();
    return reactions.map(({ name, count, me }: any) => [name, count, me]);
  };

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    bob = await server.person("bob");
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  type Box = { top: number; bottom: number; height: number };
  const boxesOf = (page: Page, selector: string): Promise<Box[]> =>
    page.evaluate(
      `[...document.querySelectorAll("${selector}")].map((each) => each.getBoundingClientRect().toJSON())`,
    );

  /** A reaction that its reader has given. */
  const mine = (page: Page, name: string) => page.getByRole("button", { name, pressed: true });

  test("are given, joined and taken back", async (t) => {
    const { id } = await write(`Look,`);
    await bob.post(`/api/v1/statuses/${id}/react/${encodeURIComponent("🎉")}`).ok();
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, dark: true });
    await open(page, `/@bob/${id}`);
    await page.getByLabel("React with 🎉, 1").click();
    await mine(page, "React with 🎉, 2").waitFor();
    assert.deepEqual(await counts(id), [["🎉", 2, true]]);
    const add = page.getByLabel("Add a reaction");
    const place = await add.boundingBox();
    await add.click();
    // It stays under the hand, which may press again to close the list.
    assert.deepEqual(await add.boundingBox(), place);
    await page.getByLabel("React with 👍").click();
    await mine(page, "React with 👍, 1").waitFor();
    assert.equal(await page.evaluate(OVERFLOW), "");
    await page.getByRole("button", { name: "More emojis" }).click();
    await page.locator(".emoji-picker button").first().waitFor();
    assert.equal(await page.evaluate(OVERFLOW), "");
    const boxes = await boxesOf(page, ".offered summary, .reaction");
    const [picker] = await boxesOf(page, ".emoji-picker");
    for (const { height, bottom } of boxes) {
      assert.ok(height <= HIGHEST, `a button is ${height} pixels high`);
      assert.ok(bottom <= picker!.top, `a button ends at ${bottom}, beside the emojis`);
    }
    await page.locator(".emoji-picker input").fill("owl");
    await page.keyboard.press("Enter");
    await mine(page, "React with 🦉, 1").waitFor();
    await mine(page, "React with 🦉, 1").click();
    await mine(page, "React with 🦉, 1").waitFor({ state: "detached" });
    assert.deepEqual(await counts(id), [["🎉", 1, false]]);
  });

  test("are chosen or not: Escape closes the emojis, then the row, and only then leaves", async (t) => {
    const { id } = await write("Undecided");
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/@bob/${id}`);
    const add = page.locator(".offered summary");
    await add.click();
    await page.keyboard.press("Escape");
    await page.locator(".offered:not([open]) summary:focus").waitFor();
    await add.click();
    await page.getByLabel("React with 👍").click();
    await mine(page, "React with 👍, 1").waitFor();
    // The button that had the focus is not there any more.
    await page.keyboard.press("Escape");
    await page.locator(".offered:not([open]) summary:focus").waitFor();
    await add.click();
    await page.getByRole("button", { name: "More emojis" }).click();
    await page.locator(".emoji-picker input:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".offered[open] .offered-list > .button:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".offered:not([open]) summary:focus").waitFor();
    assert.equal(new URL(page.url()).pathname, `/@bob/${id}`);
    await page.keyboard.press("Escape");
    await page.waitForURL(/\/home$/);
  });

  test("are gone when the last is taken back", async (t) => {
    const { id } = await write("Alone");
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/@bob/${id}`);
    await page.getByLabel("Add a reaction").click();
    await page.getByLabel("React with ❤️").click();
    await mine(page, "React with ❤️, 1").click();
    await mine(page, "React with ❤️, 1").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "React with ❤️", exact: true }).waitFor();
    assert.deepEqual(await counts(id), []);
  });

  test("stand below the favourite that their author is notified of", async (t) => {
    const { id } = await write("Told");
    await alice.post(`/api/v1/statuses/${id}/react/${encodeURIComponent("🦉")}`).ok();
    await server.runJobs();
    const { page } = await browser.visit(t, { who: "bob" });
    await page.goto("/notifications");
    const told = page.locator(".notification-body", { hasText: "Told" });
    await told.locator(".reactions", { hasText: "🦉 1" }).waitFor();
  });

  test("are given and taken back without scripts", async (t) => {
    const { id } = await write("Plain");
    const { page } = await browser.visit(t, { who: "alice", scripts: false });
    await page.goto(`${server.url}/@bob/${id}`);
    await page.getByLabel("Add a reaction").click();
    await page.getByLabel("React with 👍").click();
    await mine(page, "React with 👍, 1").waitFor();
    assert.deepEqual(await counts(id), [["👍", 1, true]]);
    await mine(page, "React with 👍, 1").click();
    await page.waitForLoadState();
    assert.deepEqual(await counts(id), []);
  });
});

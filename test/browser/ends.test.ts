// Posts that end, in the web client: chosen while writing, shown on the post, changed by an edit; with scripts and
// without.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { PHONE, MORE, SEND, TEXT, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { OVERFLOW } from "./overflow.ts";
import { open } from "./until.ts";
import { newestOf } from "./village.ts";

const END = { name: "Expiry" };
const DAY_MS = 86_400_000;

describe("posts that end", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  const newest = () => newestOf(alice);

  /** How long after the post was written. */
  const lasts = ({ created_at, expires_at }: { created_at: string; expires_at?: string }): number =>
    Date.parse(expires_at!) - Date.parse(created_at);

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  test("are written, shown and kept", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, dark: true });
    await open(page, "/compose");
    await page.locator(TEXT).fill(`Soon gone`);
    await page.click(MORE);
    await page.getByRole("combobox", END).selectOption({ label: "Expires after 3 days" });
    assert.equal(await page.evaluate(OVERFLOW), "");
    await page.keyboard.press("Escape");
    await page.locator(".composer-unusual", { hasText: "Expires after 3 days" }).waitFor();
    await page.locator(SEND).click();
    await page.waitForURL("**/home");
    const post = await newest();
    assert.equal(lasts(post), 3 * DAY_MS);
    await page.locator(".post-end").first().waitFor();
    await open(page, `/@alice/${post.id}`);
    await page.locator(".post-facts", { hasText: "Expires" }).waitFor();
    assert.equal(await page.evaluate(OVERFLOW), "");
    await page.locator(".post-main .act-more").click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.locator(TEXT).fill(`Stays`);
    await page.click(MORE);
    assert.equal(await page.getByRole("combobox", END).inputValue(), "kept");
    await page.getByRole("combobox", END).selectOption({ label: "Never expires" });
    await page.keyboard.press("Escape");
    await page.locator(SEND).click();
    await page.locator("article", { hasText: `Stays` }).waitFor();
    assert.equal((await newest()).expires_at, undefined);
  });

  test("are written without scripts", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", scripts: false });
    await page.goto(`${server.url}/compose?text=plain&expires_in=86400`);
    assert.equal(await page.locator("select[name=expires_in]").inputValue(), "86400");
    await page.locator("form.composer .button").click();
    await page.waitForURL("**/home");
    assert.equal(lasts(await newest()), DAY_MS);
  });
});

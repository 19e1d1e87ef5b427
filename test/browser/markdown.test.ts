// Markdown in the web client: written with a preview, shown, edited; long posts folded in lists; with scripts and
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

const WRITTEN =
  "# Moss\n\nSome *soft* `code`, ~~gone~~:\n\n- one\n- two\n\n> said\n\n```\nlet x = 1;\n```";

describe("Markdown", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let long: string;
  const newest = () => newestOf(alice);

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    const status = Array.from({ length: 60 }, (_, n) => `line ${n}`).join("\n");
    long = (await alice.post("/api/v1/statuses", { status }).ok()).id;
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  test("is written with a preview, shown and edited", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, dark: true });
    await open(page, "/compose");
    await page.locator(TEXT).fill(WRITTEN);
    await page.click(MORE);
    await page.getByRole("checkbox", { name: "Markdown" }).check();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.locator(".composer-preview ul").waitFor();
    assert.equal(await page.evaluate(OVERFLOW), "");
    await page.locator(SEND).click();
    await page.waitForURL("**/home");
    const { id, content } = await newest();
    assert.match(content, /^<p><strong>Moss<\/strong><\/p>.*<pre><code>let x = 1;<\/code><\/pre>$/);
    await open(page, `/@alice/${id}`);
    await page.locator(".post-main .text blockquote").waitFor();
    assert.equal(await page.evaluate(OVERFLOW), "");
    await page.locator(".post-main .act-more").click();
    await page.getByText("Edit", { exact: true }).click();
    await page.locator(TEXT).fill("**more**");
    await page.locator(SEND).click();
    await page.locator(".post-main .text strong", { hasText: "more" }).waitFor();
  });

  test("long posts are folded, and opened by keyboard", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, dark: true });
    await open(page, "/@alice");
    const post = page.locator(`[data-status="${long}"]`);
    const height = async () => (await post.locator(".text").boundingBox())!.height;
    const folded = await height();
    await post.locator(".folded-rest summary").focus();
    await page.keyboard.press("Enter");
    await post.getByText("Show less").waitFor();
    assert.ok((await height()) > 2 * folded);
    assert.equal(await page.evaluate(OVERFLOW), "");
    await open(page, `/@alice/${long}`);
    await page.locator(".post-main .text").waitFor();
    assert.equal(await page.locator(".post-main .folded").count(), 0);
  });

  test("is chosen and shown without scripts", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", scripts: false });
    await page.goto(`${server.url}/compose`);
    await page.locator("[name=status]").fill("*soft*");
    await page.locator("[name=content_type]").selectOption("text/markdown");
    await page.locator("form.composer .button").click();
    await page.waitForURL("**/home**");
    assert.equal((await newest()).content, "<p><em>soft</em></p>");
    const post = page.locator(`[data-status="${long}"]`);
    await post.locator(".folded-rest summary").click();
    await post.getByText("Show less").waitFor();
  });
});

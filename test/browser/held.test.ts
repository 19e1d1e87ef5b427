// A post that a rule against spam holds: sent is sent. Its author is told that it waits, finds it, and cannot send it
// again by pressing once more; with scripts and without.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { PHONE, SEND, TEXT, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open } from "./until.ts";

describe("a post that waits for review", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    const mod = await server.person("mod", {
      role: "Owner",
      scopes: ["read", "write", "admin:read", "admin:write"],
    });
    const rule = { name: "links", conditions: { links: 1, origin: "local" }, actions: ["hold"] };
    const { id } = await mod.post("/api/v1/admin/spam_rules", rule).ok();
    for (const act of ["dry_run", "enable"])
      await mod.post(`/api/v1/admin/spam_rules/${id}/${act}`).ok();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const held = async (): Promise<string[]> =>
    (await alice.get("/api/v1/held_statuses").ok()).map((each: any) => each.text);

  test("is a success that is told once, and listed", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice", size: PHONE });
    // The browser tells of every answer that is no success.
    allow(/422/);
    await open(page, "/compose");
    await page.locator(TEXT).fill("See https://held.example/");
    await page.locator(SEND).evaluate((button: any) => {
      for (let press = 0; press < 3; press += 1) button.click();
    });
    await page.waitForURL("**/scheduled");
    await page.getByRole("heading", { name: "Waiting for review" }).waitFor();
    await page.locator(".unposted", { hasText: "held.example" }).waitFor();
    const insets = await page.evaluate(
      "[...document.querySelectorAll('#held, #held + p, .unposted-text')].map((each) => Math.round(each.getBoundingClientRect().left))",
    );
    assert.deepEqual([...new Set(insets as number[])], [16], "words stand at the inset");
    assert.deepEqual(await held(), ["See https://held.example/"]);
  });

  test("leads to what waits without scripts, too", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", scripts: false });
    await page.goto(`${server.url}/compose?text=Or+https://plain.example/`);
    await page.locator("form.composer .button").click();
    await page.waitForURL("**/scheduled");
    await page.locator(".unposted", { hasText: "plain.example" }).waitFor();
    assert.equal((await held()).length, 2);
  });
});

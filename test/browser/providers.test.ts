// A discovery provider that registered, in the hands of the staff: confirmed, switched on and removed in a browser.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startProvider } from "../fasp-provider.ts";
import type { Provider } from "../fasp-provider.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { OVERFLOW } from "./overflow.ts";
import { open } from "./until.ts";

describe("discovery providers", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let provider: Provider;

  before(async () => {
    server = await startTestApp();
    await server.person("boss", { role: "Owner" });
    provider = await startProvider();
    await provider.register(server.url);
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await provider.close();
    await server.close();
  });

  test("are confirmed, used and removed", async (t) => {
    const { page } = await browser.visit(t, { who: "boss", size: PHONE });
    await open(page, "/admin/domains/fasp");
    await page.getByText(provider.fingerprint).waitFor();
    assert.equal(await page.evaluate(OVERFLOW), "");
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Provider confirmed.").waitFor();
    await page.getByText("Use for").first().click();
    await page.getByLabel("Search for people").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved, and the provider knows.").waitFor();
    await page.locator(".badge", { hasText: "Search for people" }).waitFor();
    assert.equal(await page.evaluate(OVERFLOW), "");
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("heading", { name: "Remove Finder?" }).waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("No providers yet.").waitFor();
  });
});

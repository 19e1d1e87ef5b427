// What is not posted yet: drafts of this browser, and posts that wait for their time.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open } from "./until.ts";

const TEXT = ".composer-text textarea";

describe("drafts", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const scheduled = async (): Promise<{ params: { text: string }; scheduled_at: string }[]> =>
    (await server.request("GET", "/api/v1/scheduled_statuses", { token: alice.token })).json;

  test("a draft is found on its page, opened and deleted", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE });
    await open(page, "/home");
    await page.click(".composer textarea");
    await page.locator(TEXT).fill("Half a thought");
    await page.getByRole("link", { name: "Drafts", exact: true }).click();
    const entry = page.locator(".unposted", { hasText: "Half a thought" });
    await entry.getByRole("button", { name: "Continue writing" }).click();
    assert.equal(await page.locator(`dialog ${TEXT}`).inputValue(), "Half a thought");
    await page.locator(`dialog ${TEXT}`).fill("A whole thought");
    await page.keyboard.press("Escape");
    page.on("dialog", (dialog) => void dialog.accept());
    const changed = page.locator(".unposted", { hasText: "A whole thought" });
    await changed.getByRole("button", { name: "Delete draft" }).click();
    await page.getByText("No drafts.").waitFor();
    await page.reload();
    await page.getByText("No drafts.").waitFor();
  });

  test("a scheduled post gets another time, and is taken back to be changed", async (t) => {
    const json = {
      status: "Posted later",
      visibility: "private",
      scheduled_at: new Date(Date.now() + 2 * 86_400_000).toISOString(),
    };
    await server.request("POST", "/api/v1/statuses", { token: alice.token, json });
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/scheduled");
    const field = page.getByLabel("When it is posted");
    const time = `${new Date(Date.now() + 4 * 86_400_000).toISOString().slice(0, 10)}T12:30`;
    await field.fill(time);
    await page.getByRole("button", { name: "Change time" }).click();
    await page.getByText("The time was changed.").waitFor();
    assert.equal(await field.inputValue(), time);

    await page.getByRole("button", { name: "Edit", exact: true }).click();
    assert.equal(await page.locator(`dialog ${TEXT}`).inputValue(), "Posted later");
    assert.deepEqual(await scheduled(), []);
    await page.locator(`dialog ${TEXT}`).fill("Posted later, changed");
    await page.locator("dialog .composer-end .button").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    const [post] = await scheduled();
    assert.equal(post?.params.text, "Posted later, changed");
  });
});

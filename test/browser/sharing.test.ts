// The page of a shared account: wide and light, narrow and dark, and by keyboard alone.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { OVERFLOW } from "./overflow.ts";

const PATH = "/settings/sharing";

describe("shared accounts", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;

  before(async () => {
    server = await startTestApp();
    for (const name of ["club", "alice"]) await server.person(name);
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  /** With the keyboard, from where the page is. */
  const pressTab = async (page: Page, target: string): Promise<void> => {
    for (let n = 0; n < 80; n++) {
      await page.keyboard.press("Tab");
      const isThere = await page.evaluate(
        `document.activeElement.matches(${JSON.stringify(target)})`,
      );
      if (isThere) return;
    }
    assert.fail(`no way to ${target}`);
  };

  const type = async (page: Page, name: string, text: string): Promise<void> => {
    await pressTab(page, `main [name=${name}]`);
    await page.keyboard.type(text);
  };

  test(`somebody is invited, accepts and is removed by keyboard`, async (t) => {
    const club = (await browser.visit(t, { who: "club", size: PHONE, dark: true })).page;
    const alice = (await browser.visit(t, { who: "alice", size: PHONE, dark: true })).page;
    await club.goto(PATH);
    await type(club, "name", "alice");
    await type(club, "current_password", "correct horse");
    await club.keyboard.press("Enter");
    await club.getByText("Invitation sent").waitFor();

    await alice.goto(PATH);
    await alice.getByRole("heading", { name: "Shared with you" }).waitFor();
    assert.equal(await alice.evaluate(OVERFLOW), "");
    const [accept, decline] = await Promise.all(
      ["Accept", "Decline"].map((name) => alice.getByRole("button", { name }).boundingBox()),
    );
    assert.equal(accept!.y, decline!.y, "the two answers stand beside each other");
    await pressTab(alice, "[aria-label^=Accept]");
    await alice.keyboard.press("Enter");
    await alice.getByRole("button", { name: "Leave" }).waitFor();

    await club.goto(PATH);
    assert.equal(await club.evaluate(OVERFLOW), "");
    await pressTab(club, "[aria-label='Remove: @alice']");
    await club.keyboard.press("Enter");
    await club.getByText("can no longer use this account").waitFor();
    assert.equal(await club.getByRole("link", { name: "@alice" }).count(), 0);
  });
});

// A video elsewhere: nothing is loaded from there before its picture is pressed, and then its player is in its place.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { findPost, startVideoPeer } from "../video-peer.ts";
import type { VideoPeer } from "../video-peer.ts";
import { LOOKS, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { OVERFLOW } from "./overflow.ts";
import { open } from "./until.ts";

describe("player", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let peer: VideoPeer;
  let alice: Person;

  const found = async (uri: string): Promise<string> => {
    const { id, account } = await findPost(server, alice, uri);
    return `/@${account.acct}/${id}`;
  };

  before(async () => {
    server = await startTestApp({ env: { PREVIEW_CARDS: "true" } });
    [peer, alice] = [await startVideoPeer(), await server.person("alice")];
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await peer?.close();
    await server?.close();
  });

  for (const look of LOOKS)
    test(`is loaded when it is pressed, by a key too: ${look.size.width}`, async (t) => {
      const { page, faults, allow } = await browser.visit(t, {
        who: "alice",
        apart: true,
        ...look,
      });
      await open(page, await found(peer.video()));
      const picture = page.getByRole("link", { name: "Play “My video” from" });
      await picture.focus();
      assert.deepEqual(faults, []);
      const { width, height } = (await picture.boundingBox())!;
      allow(/another host/);
      await page.keyboard.press("Enter");
      const frame = page.locator("iframe.player");
      await frame.contentFrame().frameLocator("iframe").getByText("It plays").waitFor();
      const now = (await frame.boundingBox())!;
      assert.deepEqual([now.width, now.height], [width, height]);
      assert.equal(await page.evaluate("document.activeElement?.className"), "player");
      assert.equal(await page.evaluate(OVERFLOW), "");
      await page.keyboard.press("Escape");
      await frame.waitFor({ state: "detached" });
      await page.locator("a.player:focus").waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Close" }).click();
      await page.locator("a.player:focus").waitFor();
    });

  test("a sensitive one is covered, and its picture comes from here", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, await found(peer.video({ sensitive: true })));
    const picture = page.locator(".cover .player");
    assert.equal(await picture.isVisible(), false);
    await page.getByText("Sensitive media").click();
    await picture.waitFor();
    const source = await picture.locator("img").getAttribute("src");
    assert.equal(new URL(source!, server.url).origin, server.url);
  });

  test("without scripts it opens alone", async (t) => {
    const { page, context, allow } = await browser.visit(t, { who: "alice", scripts: false });
    await page.goto(await found(peer.video()));
    allow(/another host/);
    const alone = context.waitForEvent("page");
    await page.getByRole("link", { name: "Play “My video” from" }).click();
    await (await alone).frameLocator("iframe").getByText("It plays").waitFor();
    await (await alone).close();
  });
});

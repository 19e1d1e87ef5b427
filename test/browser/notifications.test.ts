// Notifications in the client: unread ones, what waits above, markers, requests; reading without a connection.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { eventually } from "../journeys/eventually.ts";
import { startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open, untilAlive } from "./until.ts";

describe("notifications", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let bob: Person;

  const post = (who: Person, status: string, more: object = {}) =>
    who.post("/api/v1/statuses", { status, ...more }).ok();

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

  const titled = (page: Page, title: string) =>
    eventually(`the title ${title}`, async () => (await page.title()).startsWith(title));

  test("come live, are counted, wait above the list, and are read in every app when seen", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    await titled(page, "Home");
    await post(bob, "@alice the first");
    await server.runJobs();
    await titled(page, "(1) Home");
    const seen = page.waitForResponse("**/api/v1/markers");
    await page.click(".nav-link[href='/notifications']");
    await page.getByText("the first").waitFor();
    await seen;
    await titled(page, "Notifications");
    const marker = await alice.get("/api/v1/markers?timeline[]=notifications").ok();
    assert.ok(marker.notifications.last_read_id);

    const { id } = await post(bob, "@alice the second");
    await server.runJobs();
    await titled(page, "(1) Notifications");
    assert.equal(await page.getByText("the second").count(), 0, "it waits");
    const read = page.waitForResponse("**/api/v1/markers");
    await page.getByText("1 new notification").click();
    await page.locator(`[data-status="${id}"]`).waitFor();
    await read;
    await titled(page, "Notifications");
    const later = await alice.get("/api/v1/markers?timeline[]=notifications").ok();
    assert.notEqual(later.notifications.last_read_id, marker.notifications.last_read_id);
  });

  test("requests are decided in place, and a refused decision is taken back", async (t) => {
    await alice.patch("/api/v2/notifications/policy", { for_not_following: "filter" }).ok();
    await post(bob, "@alice may I?");
    await server.runJobs();
    const { page, allow } = await browser.visit(t, { who: "alice" });
    await open(page, "/conversations");
    await page.getByRole("link", { name: "See filtered notifications" }).waitFor();
    await open(page, "/notifications");
    await page.click(".waiting");
    await page.getByText("may I?").click();
    await page.locator(".notification").first().waitFor();
    allow(/503/);
    const path = "**/api/v1/notifications/requests/*/accept";
    await page.route(path, (route) => route.fulfill({ status: 503, json: { error: "Not now" } }));
    await page.click("[data-act=accept]");
    await page.locator(".message", { hasText: "isn’t responding" }).waitFor();
    await page.unroute(path);
    const accepted = page.waitForResponse(path);
    await page.click("[data-act=accept]");
    await page.getByText("Accepted").waitFor();
    await accepted;
    assert.deepEqual(await alice.get("/api/v1/notifications/requests").ok(), []);
    await alice.patch("/api/v2/notifications/policy", { for_not_following: "accept" }).ok();
  });

  const workerReady = (page: Page) =>
    eventually("the worker", () =>
      page.evaluate("navigator.serviceWorker.controller?.state === 'activated'"),
    );

  /** All that is in caches of accounts. */
  const kept = (page: Page): Promise<string> =>
    page.evaluate(`(async () => {
      const texts = [];
      for (const name of await caches.keys()) {
        if (!name.startsWith("account-")) continue;
        const cache = await caches.open(name);
        for (const request of await cache.keys())
          texts.push(request.url, await (await cache.match(request)).text());
      }
      return texts.join(" ");
    })()`);

  test("what was read can be read without a connection, holds no token, and goes at sign-out", async (t) => {
    await post(alice, "Read this on the train");
    const { page, context, allow } = await browser.visit(t, {
      who: "alice",
      ownSession: true,
      worker: true,
    });
    allow(/ERR_INTERNET_DISCONNECTED|WebSocket/);
    const answer = page.waitForResponse("**/web/session");
    await open(page, "/home");
    const token = (await (await answer).json()).access_token as string;
    const formToken = await page.locator("[name=form_token]").first().inputValue();
    await workerReady(page);
    const text = await eventually("what is kept", async () => {
      const all = await kept(page);
      return all.includes("Read this on the train") ? all : undefined;
    });
    assert.ok(!text.includes(token) && !text.includes(formToken));

    await context.setOffline(true);
    await page.reload();
    await page.getByText("Read this on the train").waitFor();
    await page.getByText("This page was saved on your device").waitFor();
    await open(page, "/bookmarks");
    await page.getByText("isn’t saved on your device").waitFor();
    await context.setOffline(false);
    // By itself.
    await page.getByText("isn’t saved on your device").waitFor({ state: "detached" });
    await untilAlive(page);
    await open(page, "/home");
    await page.getByRole("button", { name: "Switch account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL((url) => url.pathname !== "/home");
    await open(page, "/about");
    await eventually("nothing is kept", async () => (await kept(page)) === "");
  });

  test("their number leaves the words beside it whole, on the narrower desk of the staff too", async (t) => {
    await server.person("mia", { role: "Moderator" });
    for (let n = 0; n < 100; n += 1) await post(bob, `@mia look, ${n}`);
    await server.runJobs();
    const { page } = await browser.visit(t, { who: "mia" });
    await page.goto("/admin/reports");
    const link = page.locator(".nav-link[href='/notifications']");
    assert.equal(await link.locator(".unread-count").textContent(), "99+");
    const lines = await page.evaluate(`(() => {
      const link = document.querySelector(".nav-link[href='/notifications']");
      const { height } = link.querySelector("span").getBoundingClientRect();
      return Math.round(height / parseFloat(getComputedStyle(link).lineHeight));
    })()`);
    assert.equal(lines, 1);
  });

  test("what becomes of whose notifications is saved as it is chosen, and with a button without scripts", async (t) => {
    const policy = () => alice.get("/api/v2/notifications/policy").ok();
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/notifications/settings");
    const bots = page.getByLabel("Automated accounts");
    await bots.focus();
    await bots.selectOption("drop");
    await page.getByText("Your choices for notifications are saved.").waitFor();
    assert.equal((await policy()).for_bots, "drop");
    assert.equal(await page.evaluate("document.activeElement.name"), "for_bots");
    const form = page.locator("form", { has: bots });
    assert.equal(await form.getByRole("button").filter({ visible: true }).count(), 0);

    const plain = (await browser.visit(t, { who: "alice", scripts: false })).page;
    await plain.goto("/notifications/settings");
    assert.equal(await plain.getByLabel("Automated accounts").inputValue(), "drop");
    await plain.getByLabel("Automated accounts").selectOption("accept");
    const button = plain.locator("form", { has: plain.getByLabel("Automated accounts") });
    await button.getByRole("button", { name: "Save" }).click();
    assert.equal((await policy()).for_bots, "accept");
  });
});

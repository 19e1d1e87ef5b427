// Reading in the web client: what others post arrives by itself, the keys lead through it, and the place in a list is
// kept.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page, Route } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { eventually } from "../journeys/eventually.ts";
import { open, until, untilStill } from "./until.ts";

const POSTS = 60;

describe("reading", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let bob: Person;

  const post = (status: string, more: object = {}, who = bob): Promise<any> =>
    who.post("/api/v1/statuses", { status, ...more }).ok();

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    bob = await server.person("bob");
    await alice.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
    for (let index = 0; index < POSTS; index += 1) {
      // Of different heights.
      await post(`${"Words that take some room. ".repeat((index % 7) * 2)}(${index})`);
    }
    await server.runJobs();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const entry = (page: Page, id: string) => page.locator(`article[data-entry="${id}"]`);

  test("what others post, change and delete arrives by itself, and waits for who is reading", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    // The first request once the socket is open: for what was missed before.
    const caughtUp = page.waitForResponse(/timelines\/home\?.*min_id=/);
    await open(page, "/home");
    await caughtUp;
    const first = await post("Hot from the press");
    await server.runJobs();
    await entry(page, first.id).waitFor();
    assert.equal(await page.locator("article").first().getAttribute("data-entry"), first.id);

    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, 900);
    await until(page, "scrollY > 500");
    const second = await post("Not now");
    await server.runJobs();
    const button = page.locator(".new-posts button");
    await button.waitFor();
    assert.equal(await button.textContent(), "1 new post");
    assert.equal(await entry(page, second.id).count(), 0);
    await button.click();
    await entry(page, second.id).waitFor();
    assert.equal(await page.evaluate("scrollY"), 0);

    await bob.put(`/api/v1/statuses/${second.id}`, { status: "Now, in other words" }).ok();
    await server.runJobs();
    await entry(page, second.id).getByText("Now, in other words").waitFor();
    await bob.delete(`/api/v1/statuses/${second.id}`).ok();
    await server.runJobs();
    await entry(page, second.id).waitFor({ state: "detached" });
  });

  test("two people side by side: what one writes, changes and deletes, the other sees", async (t) => {
    const alices = await browser.visit(t, { who: "alice" });
    const bobs = await browser.visit(t, { who: "bob" });
    await bob.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
    const openHome = async (page: Page): Promise<void> => {
      const caughtUp = page.waitForResponse(/timelines\/home\?.*min_id=/);
      await open(page, "/home");
      await caughtUp;
    };
    await Promise.all([openHome(alices.page), openHome(bobs.page)]);
    await alices.page.locator(".composer textarea").first().fill("From window to window");
    await alices.page.locator(".composer-end .button").click();
    const theirs = bobs.page.locator("article", { hasText: "From window to window" });
    await theirs.locator(".act-favourite").click();
    await alices.page.locator(".unread-count").waitFor();
    const mine = alices.page.locator("article", { hasText: "From window to window" });
    await mine.locator("a.post-time").click();
    await alices.page.waitForURL(/\/@alice\/\d+$/);
    await theirs.locator("[data-act=reply]").click();
    await theirs.locator(".composer-text textarea").fill("And back again");
    await theirs.locator(".composer-end .button").click();
    await alices.page.locator("article", { hasText: "And back again" }).waitFor();

    const menu = async (name: RegExp): Promise<void> => {
      await alices.page.locator(".post-main .act-more").click();
      await alices.page.getByRole("menuitem", { name }).click();
    };
    const sheet = alices.page.locator("dialog[open]");
    await menu(/^Edit$/);
    await sheet.locator(".composer-text textarea").fill("In other words");
    await sheet.locator(".composer-end .button").click();
    const changed = bobs.page.locator("article", { hasText: "In other words" });
    await changed.waitFor();
    await sheet.waitFor({ state: "detached" });
    await menu(/^Delete$/);
    await sheet.getByRole("button", { name: "Delete" }).click();
    await changed.waitFor({ state: "detached" });
  });

  test("a lost socket is opened again, and what was missed is asked for until it comes", async (t) => {
    const { page, context, allow } = await browser.visit(t, { who: "alice" });
    allow(/ERR_INTERNET_DISCONNECTED|WebSocket|503/);
    const missing = /timelines\/home\?.*min_id=/;
    const caughtUp = page.waitForResponse(missing);
    await open(page, "/home");
    await caughtUp;
    await context.setOffline(true);
    await page.locator(".offline").waitFor();
    const missed = await post("Said while you were away");
    await server.runJobs();
    await page.route(missing, (route) => route.fulfill({ status: 503 }), { times: 1 });
    await context.setOffline(false);
    await entry(page, missed.id).waitFor();
    await page.locator(".offline").waitFor({ state: "detached" });
  });

  test("keys lead from post to post, act on them, and list themselves", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    await page.locator("article").first().waitFor();
    const POSITION = "document.activeElement.getAttribute('aria-posinset')";
    for (const key of ["j", "j", "j", "k"]) await page.keyboard.press(key);
    assert.equal(await page.evaluate(POSITION), "2");
    await page.keyboard.press("f");
    await page.locator("article:focus .act-favourite[aria-pressed=true]").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/@bob\/\d+$/);
    await page.keyboard.press("Escape");
    await page.waitForURL(/\/home$/);
    await until(page, `${POSITION} === "2"`);
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("Next post").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.waitForURL(/\/public\/local$/);
  });

  test("keys lead on from pages that the server draws, and list themselves there", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await page.goto("/settings/password");
    await page.keyboard.press("?");
    const help = page.getByRole("dialog");
    await help.getByText("Everywhere").waitFor();
    assert.equal(await help.getByText("Next post").count(), 0);
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await page.locator("input[type=password]").first().focus();
    await page.keyboard.type("gh");
    assert.equal(await page.locator("input[type=password]").first().inputValue(), "gh");
    await page.locator("input[type=password]").first().fill("");
    await page.locator("#main").focus();
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await page.waitForURL(/\/home$/);
  });

  test("keys do nothing to a post that nobody chose, and can be turned off", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", ownSession: true });
    await open(page, "/home");
    await page.locator("article").first().waitFor();
    const marks = () => page.locator("article button[aria-pressed=true]").count();
    const before = await marks();
    const acts: string[] = [];
    page.on("request", (request) => request.method() === "POST" && acts.push(request.url()));
    for (const key of ["f", "d", "b", "r", "m", "x", "s", "o"]) {
      await page.keyboard.press(key);
      await page.locator(".message").getByText("Choose a post first").waitFor();
    }
    assert.equal(await marks(), before);
    assert.deepEqual(
      acts.filter((url) => /statuses/.test(url)),
      [],
    );
    assert.match(page.url(), /\/home$/);
    for (const path of ["/home", "/search", "/settings/preferences"]) {
      await open(page, path);
      await page.keyboard.press("/");
      await until(page, "document.activeElement.matches('.search-form input')");
    }
    await open(page, "/settings/preferences");
    await page.getByLabel("Single-key shortcuts").selectOption({ label: "Off" });
    await page.locator(".message").getByText("Saved").waitFor();
    await page.locator("#main").focus();
    for (const key of ["?", "g", "h", "/"]) await page.keyboard.press(key);
    assert.match(page.url(), /preferences$/);
    assert.equal(await page.getByRole("dialog").count(), 0);
    await open(page, "/home");
    await page.locator("#main").focus();
    await page.keyboard.press("j");
    assert.equal(await page.evaluate("document.activeElement.closest('article')"), null);
  });

  test("what a list leaves out is chosen for it, and kept", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", ownSession: true });
    const carol = await server.person("carol");
    const theirs = await post("Worth boosting", {}, carol);
    const boost = await bob.post(`/api/v1/statuses/${theirs.id}/reblog`).ok();
    await server.runJobs();
    await open(page, "/home");
    await entry(page, boost.id).waitFor();
    await page.locator(".feed-choice").click();
    await page.getByRole("checkbox", { name: "Boosts" }).uncheck();
    await entry(page, boost.id).waitFor({ state: "detached" });
    await page.reload();
    await entry(page, boost.id).waitFor({ state: "detached" });
    assert.ok((await page.locator("article").count()) > 0);
  });

  test("the way back and a reload lead to the same pixel", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    await page.mouse.move(640, 400);
    while ((await page.locator("article").count()) < 50) {
      await page.mouse.wheel(0, 1500);
      await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
    }
    await untilStill(page);
    const far = await page.evaluate("scrollY");
    await page.mouse.wheel(0, -700);
    await until(page, `scrollY < ${far}`);
    await untilStill(page);
    /** The first post whose top is in the window, and where that is. */
    const READ = `Array.from(document.querySelectorAll("[data-entry]"), (each) =>
      [each.dataset.entry, each.getBoundingClientRect().top]).find(([, top]) => top > 0)`;
    const isAt = async ([id, top]: [string, number]): Promise<void> => {
      await entry(page, id).waitFor();
      const at = `document.querySelector('[data-entry="${id}"]').getBoundingClientRect().top`;
      // Each time the browser rounds where it scrolls to, by half a pixel or less.
      await until(page, `Math.abs(${at} - ${top}) < 2`);
    };
    const before = (await page.evaluate(READ)) as [string, number];
    await entry(page, before[0]).locator("a.post-time").first().click();
    await page.waitForURL(/\/@bob\/\d+$/);
    await page.goBack();
    await page.waitForURL(/\/home$/);
    await isAt(before);
    await page.reload();
    await isAt(before);
  });

  test("a scrolled profile that is loaded again offers what came since", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/@bob");
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, 1500);
    await until(page, "scrollY > 1000");
    await untilStill(page);
    const fresh = await post("Since you were here");
    await server.runJobs();
    await page.reload();
    await until(page, "scrollY > 1000");
    await page.getByRole("button", { name: "1 new post" }).click();
    await entry(page, fresh.id).waitFor();
    await page.locator(".new-posts").waitFor({ state: "detached" });
  });

  test("a post that the window knows is shown at once, and stays in place when its thread has come", async (t) => {
    const parent = await post("The question");
    const middle = await post("The answer", { in_reply_to_id: parent.id });
    await post("An answer to that", { in_reply_to_id: middle.id }, alice);
    await server.runJobs();
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    const held: Route[] = [];
    await page.route(new RegExp(`/statuses/${middle.id}(?:/context)?(?:\\?|$)`), (route) => {
      held.push(route);
    });
    const title = entry(page, middle.id).locator("a.post-time").first();
    await title.click();
    await page.waitForURL(`**/@bob/${middle.id}`);
    const subject = page.locator(".post-main");
    await subject.waitFor();
    assert.equal(await page.locator(".skeletons").count(), 1);
    await eventually("both are requested beside each other", () => held.length >= 2);
    // Who leaves before the thread has come finds it whole afterwards.
    await page.goBack();
    await page.waitForURL("**/home");
    await entry(page, parent.id).waitFor();
    const first = held.length;
    await page.goForward();
    await eventually("it is requested again", () => held.length >= first + 2);
    await page.goBack();
    await page.waitForURL("**/home");
    const second = held.length;
    await title.click();
    await subject.waitFor();
    const before = await subject.boundingBox();
    await eventually("it is requested anew", () => held.length >= second + 2);
    for (const route of held) await route.continue().catch(() => {});
    await page.locator("article", { hasText: "An answer to that" }).waitFor();
    await page.locator("article", { hasText: "The question" }).waitFor();
    await untilStill(page);
    assert.ok(Math.abs((await subject.boundingBox())!.y - before!.y) < 1, "it stays at its pixel");
    assert.equal(await page.locator(".skeletons").count(), 0);
  });

  test("a known answer to an unknown post is shown at once, and stays in place when that has come", async (t) => {
    const stranger = await server.person("stranger");
    const above = await post("What nobody has seen ".repeat(22), {}, stranger);
    const answer = await post("@stranger a short answer", { in_reply_to_id: above.id }, alice);
    await server.runJobs();
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    await entry(page, answer.id).waitFor();
    assert.equal(await entry(page, above.id).count(), 0);
    const held: Route[] = [];
    await page.route(new RegExp(`/statuses/${answer.id}`), (route) => void held.push(route));
    await entry(page, answer.id).locator("a.post-time").click();
    const subject = page.locator(".post-main");
    await subject.waitFor();
    const before = (await subject.boundingBox())!.y;
    await eventually("all is requested beside each other", () => held.length >= 2);
    for (const route of held) await route.continue();
    await entry(page, above.id).waitFor();
    await untilStill(page);
    assert.ok(Math.abs((await subject.boundingBox())!.y - before) < 1, "it stays at its pixel");
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, -3000);
    await until(page, "scrollY === 0");
    assert.ok(await entry(page, above.id).isVisible());
  });

  test("what became of a post in groups is asked beside its thread", async (t) => {
    const group = await server.person("walkers");
    const own = await post("@walkers who comes?", {}, alice);
    await server.runJobs();
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    // A socket that opens meanwhile asks for the thread once more.
    const held = new Set<string>();
    await page.route(new RegExp(`/statuses/${own.id}`), (route) => {
      held.add(new URL(route.request().url()).pathname.split("/").slice(5).join());
    });
    await entry(page, own.id).locator("a.post-time").click();
    await eventually("three requests", () => held.size >= 3);
    assert.deepEqual([...held].toSorted(), ["", "context", "groups"]);
    assert.ok(group.accountId);
  });

  test("a person whom the window knows is shown at once, and all is requested beside each other", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    const held: Route[] = [];
    const paths = new Set<string>();
    await page.route(/\/api\/v1\/accounts\//, (route) => {
      const url = new URL(route.request().url());
      paths.add(
        url.pathname.replace(bob.accountId, ":id") +
          (url.searchParams.has("pinned") ? "?pinned" : ""),
      );
      held.push(route);
    });
    await page.locator(".post-author[href='/@bob']").first().click();
    await page.locator(".profile .handle", { hasText: "@bob" }).waitFor();
    assert.equal(await page.locator(".profile-actions").innerHTML(), "");
    assert.equal(await page.locator(".skeletons").count(), 1);
    await eventually("all requests", () => paths.size >= 6);
    assert.deepEqual([...paths].toSorted(), [
      "/api/v1/accounts/:id/featured_tags",
      "/api/v1/accounts/:id/statuses",
      "/api/v1/accounts/:id/statuses?pinned",
      "/api/v1/accounts/familiar_followers",
      "/api/v1/accounts/lookup",
      "/api/v1/accounts/relationships",
    ]);
    for (const route of held) await route.continue();
    await page.locator("main .feed .post").first().waitFor();
    await page.locator(".profile-actions").getByRole("button").first().waitFor();
    assert.equal(await page.locator("main > .skeletons").count(), 0);
  });
});

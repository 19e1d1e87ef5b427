// Menus, relations and the viewer of media, by keyboard and by hand.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { formOf, picture } from "../files.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { MORE, PHONE, SEND, TEXT, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { eventually } from "../journeys/eventually.ts";
import { open, openHearing, until, untilQuiet, untilStill } from "./until.ts";

describe("people", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let bob: Person;
  let postId: string;

  const upload = async (description: string): Promise<string> => {
    const multipart = formOf(await picture("png", 600, 400), { description });
    return (await bob.post("/api/v2/media", multipart)).json.id;
  };
  const relation = async () => {
    const path = `/api/v1/accounts/relationships?id[]=${bob.accountId}`;
    return (await alice.get(path).ok())[0];
  };

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    bob = await server.person("bob");
    const media_ids = [await upload("a grey owl"), await upload("the mill at night")];
    ({ id: postId } = await bob.post("/api/v1/statuses", { status: "Two", media_ids }).ok());
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const FOCUSED = "document.activeElement.textContent";

  test("languages have the names that the server gives them, where the browser has none", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", apart: true });
    await page.addInitScript(`Intl.DisplayNames = class {
      static supportedLocalesOf() { return []; }
      of(code) { return code; }
    }`);
    await open(page, "/@bob/follow");
    await page.getByLabel("Esperanto").waitFor();
    await untilQuiet(page, async () => {
      await page.locator(".compose-button").click();
      await page.locator(TEXT).waitFor();
    });
    await page.locator(MORE).click();
    const chosen = page.getByLabel("Post language").locator("option:checked");
    assert.equal(await chosen.textContent(), "English");
  });

  test("one's own profile has what one pinned on top at once and later, and counts what one deletes", async (t) => {
    const cleo = await server.person("cleo");
    const texts = Array.from({ length: 25 }, (_, n) => `Note ${n + 1}`);
    for (const status of texts) await cleo.post("/api/v1/statuses", { status }).ok();
    const { page } = await browser.visit(t, { who: "cleo" });
    await open(page, "/@cleo");
    const [posts, figures] = [page.locator("main article.post"), page.locator(".figures")];
    const choose = async (text: string, item: string): Promise<void> => {
      await posts.filter({ hasText: text }).locator(".act-more").click();
      await page.getByRole("menuitem", { name: item, exact: true }).click();
    };
    const topIs = (text: string) =>
      until(
        page,
        `/${text}\\b/.test(document.querySelector("main article.post")?.innerText ?? "")`,
      );
    await page.getByText("Note 6", { exact: true }).scrollIntoViewIfNeeded();
    await page.getByText("Note 1", { exact: true }).scrollIntoViewIfNeeded();
    await choose("Note 22", "Pin to my profile");
    await topIs("Pinned[^]*Note 22");
    assert.equal(await posts.filter({ hasText: "Note 22" }).count(), 1);
    // What was loaded by scrolling is still there.
    await page.getByText("Note 1", { exact: true }).waitFor();
    await page.reload();
    // Posts far from the window are empty, and where one was comes back with the page.
    await until(
      page,
      "(scrollTo(0, 0), document.querySelector('main article.post')?.innerText !== '')",
    );
    await topIs("Note 22");
    await page.locator(".side").getByRole("link", { name: "Notifications" }).click();
    await page.waitForURL(/notifications$/);
    await page.goBack();
    await topIs("Note 22");
    await choose("Note 22", "Unpin from my profile");
    await topIs("Note 25");
    await figures.getByText("25 posts").waitFor();
    await choose("Note 24", "Delete");
    await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
    await figures.getByText("24 posts").waitFor();
    await page.locator("[data-act=compose]").first().click();
    await page.locator(`dialog ${TEXT}`).fill("One more");
    await page.locator(`dialog ${SEND}`).click();
    await figures.getByText("25 posts").waitFor();
  });

  test("what a press cannot do is said", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/@bob/${postId}`);
    // Without a permission the browser refuses, as it does where nothing but the address is known.
    await page.locator(".post-main .act-more").click();
    await page.getByRole("menuitem", { name: "Copy link" }).click();
    await page
      .getByText(`Couldn’t copy the link. Here it is: ${server.url}/@bob/${postId}`)
      .waitFor();
    const poll = { options: ["Rook", "Owl"], multiple: true, expires_in: 86_400 };
    const { id } = await bob.post("/api/v1/statuses", { status: "Which?", poll }).ok();
    await open(page, `/@bob/${id}`);
    await page.getByRole("button", { name: "Vote" }).click();
    await page.getByText("Choose an option first.").waitFor();
  });

  test("Escape folds the description of a picture alone", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/@bob/${postId}`);
    const summary = page.locator(".post-main .alt summary").first();
    const text = page.locator(".post-main .alt p").first();
    for (const pressed of [summary, text]) {
      await summary.click();
      if (pressed === text) await text.click();
      await page.keyboard.press("Escape");
      await text.waitFor({ state: "hidden" });
    }
    assert.equal(new URL(page.url()).pathname, `/@bob/${postId}`);
    await page.keyboard.press("Escape");
    await page.waitForURL(/\/home$/);
  });

  test("the menu of a post: arrows, letters, Escape, and the focus is given back", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/@bob/${postId}`);
    const button = page.locator(".post-main .act-more");
    await button.press("Enter");
    const menu = page.getByRole("menu");
    await menu.waitFor();
    assert.equal(await page.evaluate(FOCUSED), "Copy link");
    await page.keyboard.press("ArrowUp");
    const last = await menu.getByRole("menuitem").last().textContent();
    assert.equal(await page.evaluate(FOCUSED), last);
    await page.keyboard.press("m");
    assert.match(String(await page.evaluate(FOCUSED)), /^Mute/);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await until(page, "document.activeElement.dataset.act === 'menu'");
    assert.equal(await button.getAttribute("aria-expanded"), "false");

    await button.press("Enter");
    await menu.getByRole("menuitem", { name: "Mute this conversation" }).press("Enter");
    await page.getByText("You won’t be notified").waitFor();
    assert.equal((await alice.get(`/api/v1/statuses/${postId}`).ok()).muted, true);
  });

  test("following is shown at once; leaving off is asked for; what is refused is taken back", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice", size: PHONE });
    await open(page, `/@bob`);
    const actions = page.locator(".profile-actions");
    await page.route("**/follow", (route) =>
      route.fulfill({ status: 403, json: { error: "This is not allowed" } }),
    );
    allow(/403/);
    await actions.getByRole("button", { name: /Follow/ }).press("Enter");
    await page.getByText("This is not allowed").waitFor();
    await actions.getByRole("button", { name: /Follow/ }).waitFor();
    await page.unroute("**/follow");
    await actions.getByRole("button", { name: /Follow/ }).press("Enter");
    await actions.getByRole("button", { name: /Following/ }).press("Enter");
    const sheet = page.getByRole("dialog");
    await sheet.getByRole("button", { name: "Unfollow" }).press("Enter");
    await sheet.waitFor({ state: "detached" });
    await actions.getByRole("button", { name: /Follow/ }).waitFor();
    assert.equal((await relation()).following, false);
  });

  test("a note of one's own stays in sight, and a mute has an end", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/@bob`);
    const choose = async (name: RegExp) => {
      await page.locator(".menu-button").press("Enter");
      await page.getByRole("menuitem", { name }).press("Enter");
    };
    const sheet = page.getByRole("dialog");
    await choose(/note/);
    await sheet.getByRole("textbox").fill("met at the mill");
    await sheet.getByRole("button", { name: "Save" }).press("Enter");
    await page.locator(".own-note", { hasText: "met at the mill" }).waitFor();
    // Shown at once; the sheet is open until the server has answered.
    await sheet.waitFor({ state: "detached" });
    await choose(/^Mute/);
    await sheet.getByLabel("Duration").selectOption("86400");
    const sent = page.waitForRequest(/\/mute$/);
    await sheet.getByRole("button", { name: /^Mute/ }).press("Enter");
    // What the page says afterwards is not the server's.
    assert.deepEqual((await sent).postDataJSON(), { duration: "86400", notifications: "true" });
    await page.locator(".badge", { hasText: "Muted" }).waitFor();
    await sheet.waitFor({ state: "detached" });
    assert.ok((await relation()).muting_expires_at);
    await choose(/^Unmute/);
    await page.getByText("no longer muted").waitFor();
  });

  test("who is muted or blocked leaves home, not their profile, and both can be undone by keyboard", async (t) => {
    await alice.post(`/api/v1/accounts/${bob.accountId}/follow`, { notify: true }).ok();
    await server.runJobs();
    const { page } = await browser.visit(t, { who: "alice" });
    const post = page.locator(`[data-status="${postId}"]`);
    const message = page.locator(".message");
    const undo = message.getByRole("button", { name: "Undo" });
    const against = async (name: RegExp, done: RegExp) => {
      await open(page, "/home");
      await post.waitFor();
      await page.evaluate("window.isSame = true");
      await post.locator(".post-author").click();
      await page.locator(".menu-button").press("Enter");
      await page.getByRole("menuitem", { name }).press("Enter");
      const sheet = page.getByRole("dialog");
      await sheet.getByRole("button", { name }).press("Enter");
      await message.getByText(done).waitFor();
      // The stream withdraws the posts from home.
      await server.runJobs();
      await untilQuiet(page, async () => {});
      assert.equal(await post.count(), 1);
      await page.goBack();
      await page.getByRole("heading", { name: "Home" }).waitFor();
      await post.waitFor({ state: "detached" });
      // The page that was gone back to takes the focus in its first frame.
      await untilStill(page);
    };
    await against(/^Mute/, /muted/);
    assert.equal((await relation()).muting, true);
    await page.locator("#main").focus();
    await page.keyboard.press("Control+z");
    await message.getByText("Undone").waitFor();
    await post.waitFor();
    assert.equal((await relation()).muting, false);
    await against(/^Block/, /blocked/);
    await undo.focus();
    // A message that has the focus stays.
    await page.keyboard.press("Enter");
    await message.getByText("Undone").waitFor();
    await post.waitFor();
    const { blocking, following, notifying } = await relation();
    assert.deepEqual([blocking, following, notifying], [false, true, true]);
    assert.equal(await page.evaluate("window.isSame"), true);
    assert.equal(await page.evaluate("document.activeElement.id"), "main");
  });

  test("another window learns of a mute, and keeps the profile of who is muted, with boosts of theirs", async (t) => {
    const carol = await server.person("carol");
    await carol.post(`/api/v1/statuses/${postId}/reblog`).done();
    const { page } = await browser.visit(t, { who: "alice" });
    const post = page.locator(`[data-status="${postId}"]`);
    for (const name of ["bob", "carol"]) {
      await openHearing(page, `/@${name}`);
      await post.waitFor();
      await alice.post(`/api/v1/accounts/${bob.accountId}/mute`).done();
      if (name === "bob") await page.locator(".badge", { hasText: "Muted" }).waitFor();
      await untilQuiet(page, async () => {});
      assert.equal(await post.count(), 1, name);
      await alice.post(`/api/v1/accounts/${bob.accountId}/unmute`).done();
    }
  });

  test("a window learns of a mute from before its stream was open", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", apart: true });
    const opened = Promise.withResolvers<void>();
    await page.routeWebSocket(/\/api\/v1\/streaming/, async (socket) => {
      await opened.promise;
      socket.connectToServer();
    });
    await open(page, "/@bob");
    await page.locator(".profile").first().waitFor();
    await alice.post(`/api/v1/accounts/${bob.accountId}/mute`).done();
    opened.resolve();
    await page.locator(".badge", { hasText: "Muted" }).waitFor();
    await alice.post(`/api/v1/accounts/${bob.accountId}/unmute`).done();
  });

  test("a response from before a mute does not undo what an event said", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", apart: true });
    const held: (() => Promise<void>)[] = [];
    await page.route("**/api/v1/accounts/relationships*", async (route) => {
      const response = await route.fetch();
      held.push(() => route.fulfill({ response }));
    });
    await open(page, "/@bob");
    // What the window asks for again when its stream opens.
    await eventually("a response", () => held.length > 0);
    await alice.post(`/api/v1/accounts/${bob.accountId}/mute`).done();
    const badge = page.locator(".badge", { hasText: "Muted" });
    await badge.waitFor();
    for (const release of held) await release();
    await untilQuiet(page, async () => {});
    assert.ok(await badge.isVisible());
    await alice.post(`/api/v1/accounts/${bob.accountId}/unmute`).done();
  });

  test("one suggestion is chosen, whether by the mouse or by keys while it rests", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    await page.click(".composer textarea");
    await page.locator(TEXT).pressSequentially(":smi");
    const options = page.getByRole("option");
    await options.nth(3).waitFor();
    const shown = `[...document.querySelectorAll("[role=option]")].flatMap((each, index) =>
      getComputedStyle(each).backgroundColor === "rgba(0, 0, 0, 0)" ? [] : [index]).join()`;
    const selected = `[...document.querySelectorAll("[role=option]")].flatMap((each, index) =>
      each.ariaSelected === "true" ? [index] : []).join()`;
    await options.nth(2).hover();
    await until(page, `${selected} === "2"`);
    await until(page, `${shown} === "2"`);
    await page.keyboard.press("ArrowDown");
    await until(page, `${selected} === "3"`);
    await until(page, `${shown} === "3"`);
  });

  test("why a post is in home is asked where it is in home", async (t) => {
    await alice.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
    await server.runJobs();
    const { page } = await browser.visit(t, { who: "alice" });
    const why = page.getByRole("menuitem", { name: "Why am I seeing this?" });
    for (const [path, count] of [
      ["/home", 1],
      ["/@bob", 0],
    ] as const) {
      await open(page, path);
      await page.locator(`[data-status="${postId}"] .act-more`).click();
      await page.getByRole("menu").waitFor();
      assert.equal(await why.count(), count, path);
    }
  });

  test("the viewer: arrows, zoom, words, and the way back closes it at the same address", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/@bob/${postId}`);
    const address = page.url();
    await page.locator("a[data-media]").first().press("Enter");
    const viewer = page.getByRole("dialog", { name: "Media" });
    await viewer.locator(".viewer-media[alt='a grey owl']").waitFor();
    assert.match(await viewer.locator(".viewer-post").innerText(), /Two/);
    await page.keyboard.press("ArrowRight");
    const image = viewer.locator(".viewer-media[alt='the mill at night']");
    await image.waitFor();
    assert.match(await viewer.locator("figcaption").innerText(), /2 of 2/);
    await page.keyboard.press("+");
    await viewer.locator("img.zoomed").waitFor();
    await page.keyboard.press("ArrowLeft");
    await viewer.locator(".viewer-media[alt='a grey owl']").waitFor();
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await page.keyboard.press("ArrowLeft");
    await image.waitFor();
    await page.keyboard.press("ArrowRight");
    await viewer.locator(".viewer-media[alt='a grey owl']").waitFor();
    assert.equal(page.url(), address);
    await page.goBack();
    await viewer.waitFor({ state: "detached" });
    assert.equal(page.url(), address);
    assert.equal(await page.evaluate("document.activeElement.dataset.media !== undefined"), true);
    await page.locator("a[data-media]").first().press("Enter");
    await viewer.waitFor();
    await page.keyboard.press("Escape");
    await viewer.waitFor({ state: "detached" });
  });
});

// What screen readers are told: the name of each post, toggles that keep their names, buttons that are called so. What
// is heard of a page was compared once with what Orca says of it in Firefox.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import type { Locator, Page } from "playwright-core";
import { SEND, TEXT, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open, until } from "./until.ts";

/** Returns what is heard of an element, without addresses and what links and buttons have inside. */
const heardOf = async (element: Locator): Promise<string> => {
  const lines = (await element.ariaSnapshot()).split("\n");
  let within = Infinity;
  const heard = lines.filter((line) => {
    const depth = line.search(/\S/);
    if (depth > within) return false;
    within = /^ *- '?(?:link|button)/.test(line) ? depth : Infinity;
    return !line.includes("- /");
  });
  return heard
    .map((line) => line.replace(/(- (?:link|button) "[^"]*"(?: \[\w+\])?):.*$/, "$1"))
    .join("\n");
};

/** What is read with the focused element after its name. */
const DESCRIPTION = `(document.activeElement.getAttribute("aria-describedby") ?? "").split(" ")
  .map((id) => document.getElementById(id)?.textContent).join(" ")`;

describe("what is heard", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let bob: Person;

  before(async () => {
    server = await startTestApp();
    [alice, bob] = [await server.person("alice"), await server.person("bob")];
    await alice.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
    const warned = { status: "The rook did it", spoiler_text: "The end of the book" };
    await bob.post("/api/v1/statuses", warned).ok();
    await bob.post("/api/v1/statuses", { status: "Low water is at nine" }).ok();
    await (await server.person("carol")).post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
    await server.runJobs();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  test("a post is named by its author, its time and its text, or what it is warned of", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    const names = await page
      .locator("article.post")
      .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
    assert.equal(names.length, 2);
    assert.match(names[0]!, /^bob, (?:now|.+ ago), Low water is at nine$/);
    assert.match(names[1]!, /^bob, (?:now|.+ ago), The end of the book$/);
  });

  test("home, a thread and notifications are read as somebody would tell them", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    const feed = page.getByRole("main", { name: "Home" }).getByRole("feed", { name: "Home" });
    const article = (await heardOf(feed.locator("article.post").first())).replaceAll(
      /"(?:now|\d+ minutes? ago)"/g,
      '"now"',
    );
    assert.equal(
      article.replace(/^(.*bob, )(?:now|\d+ minutes? ago)/, "$1now"),
      `- article "bob, now, Low water is at nine":
  - link "bob @bob"
  - link "now"
  - paragraph: Low water is at nine
  - toolbar "Actions":
    - button "Reply"
    - button "Boost"
    - button "Quote"
    - button "Favourite"
    - button "Bookmark"
    - button "More"`,
    );
    // The focus goes to what was opened, which says its name.
    const first =
      '(document.activeElement.id === "main" ? document.querySelector("h1").lastChild : document.activeElement).textContent';
    await feed
      .getByRole("link", { name: /now|ago/ })
      .first()
      .click();
    await page.getByRole("main", { name: "Post by bob" }).waitFor();
    await until(page, `${first} === "Post by bob"`);
    await page
      .getByRole("link", { name: /^Notifications/ })
      .first()
      .click();
    const list = page.getByRole("main", { name: "Notifications" }).getByRole("feed");
    await until(page, `${first} === "Notifications"`);
    await list.getByRole("article", { name: /^(?:New: )?carol followed you / }).waitFor();
  });

  test("a refused sign-in says why where the focus is, and an empty field is not called wrong", async (t) => {
    const { page, allow } = await browser.visit(t, {});
    allow(/401|422/);
    await page.goto("/auth/sign_in");
    const login = page.getByLabel("Email address or username");
    assert.equal(await login.getAttribute("aria-invalid"), "false");
    await login.fill("alice");
    await page.getByLabel("Password").fill("wrong");
    await page.keyboard.press("Enter");
    await until(
      page,
      `document.activeElement.name === "password" && document.activeElement.value === ""`,
    );
    assert.match(String(await page.evaluate(DESCRIPTION)), /^Incorrect email address/);
  });

  test("toggles keep their names, and say whether they are pressed", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    const post = page.locator("article.post", { hasText: "Low water" }).last();
    for (const name of ["Boost", "Favourite", "Bookmark"]) {
      const button = (pressed: boolean) =>
        post.getByRole("button", { name: new RegExp(`^${name}(?:, 1)?$`), pressed });
      for (const pressed of [false, true]) {
        await button(pressed).click();
        await button(!pressed).waitFor();
        // A press of what is under way does nothing.
        await until(page, "document.querySelector('[aria-busy=true]') === null");
      }
    }
  });

  test("what opens something is a button, and is pressed by Space as by Enter", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    for (const key of ["Space", "Enter"]) {
      await open(page, "/home");
      const post = page.locator("article.post").first();
      const more = post.getByRole("button", { name: "More" });
      assert.equal(await more.getAttribute("aria-haspopup"), "menu");
      await more.press(key);
      await page.getByRole("menu").waitFor();
      assert.equal(await more.getAttribute("aria-expanded"), "true");
      await page.keyboard.press(key === "Space" ? "End" : "Home");
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await post.getByRole("button", { name: "Reply" }).press(key);
      // The editor, which takes the focus, has to be there before another button gets it.
      await page.locator(".composer-text textarea:focus").waitFor();
      await page.getByRole("button", { name: "New post" }).first().press(key);
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await open(page, "/@bob");
      await page.getByRole("button", { name: /^Following/ }).press(key);
      await page.getByRole("dialog").waitFor();
    }
  });

  test("the buttons of a post are one stop for Tab, and arrows move between them", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const focused =
      "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent";
    const press = async (key: string): Promise<string> => {
      await page.keyboard.press(key);
      return String(await page.evaluate(focused)).replace(/, 1$/, "");
    };
    await open(page, "/home");
    await page.locator("article.post").first().getByRole("button", { name: "Reply" }).focus();
    assert.equal(await press("ArrowRight"), "Boost");
    assert.equal(await press("End"), "More");
    assert.equal(await press("ArrowRight"), "More");
    assert.equal(await press("ArrowLeft"), "Bookmark");
    assert.match(await press("Tab"), /^bob, .*The end of the book$/);
    assert.equal(await press("Shift+Tab"), "More");
    assert.equal(await press("Home"), "Reply");
    await page.evaluate("document.documentElement.dir = 'rtl'");
    assert.equal(await press("ArrowLeft"), "Boost");
    const stops = await page.locator("article.post [tabindex='-1']:not(.avatar-link)").count();
    assert.equal(stops, 0);
  });

  test("new posts are told of at once, and not again for half a minute", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    await until(page, "document.querySelector('.feed') !== null");
    await page.mouse.move(400, 400);
    await page.evaluate("document.body.style.minHeight = '3000px'; scrollTo(0, 600)");
    const spoken = page.locator(".new-posts [role=status]");
    const button = page.locator(".new-posts button");
    for (const count of [1, 2, 3]) {
      const json = { status: `More, ${count}` };
      await bob.post("/api/v1/statuses", json).ok();
      await server.runJobs();
      await button.getByText(count === 1 ? "1 new post" : `${count} new posts`).waitFor();
      assert.equal(await spoken.innerText(), "1 new post");
    }
    await spoken.getByText("3 new posts").waitFor();
  });

  test("while one writes nothing is said of each letter, and at the end how much is left", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New post" });
    const field = dialog.locator(TEXT);
    await field.focus();
    const before = String(await page.evaluate(DESCRIPTION));
    assert.match(before, /^\d+ characters left$/);
    await page.keyboard.type("Tide");
    assert.equal(await page.evaluate(DESCRIPTION), before);
    const spoken = dialog.locator(".counter [role=status]");
    assert.equal(await spoken.innerText(), "");
    await field.fill("x".repeat(490));
    await spoken.getByText("10 characters left").waitFor();
    await field.fill("x".repeat(513));
    await spoken.getByText("13 characters over the limit").waitFor();
    await field.fill("Heard by whoever listens");
    // The region is there before the message comes, else readers miss it.
    const region = page.locator("[role=status]", { has: page.locator(".message") }).last();
    assert.equal(await region.innerText(), "");
    await dialog.locator(SEND).click();
    await region.getByText("Your post has been published.").waitFor();
  });

  test("what is said while a sheet is open is heard in it and seen above it, and elsewhere where none is", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice" });
    allow(/Failed to load resource/);
    const IS_SEEN = `(() => {
      const line = document.querySelector(".message:not([hidden])");
      const { x, y, width, height } = line.getBoundingClientRect();
      return line.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    })()`;
    await open(page, "/@bob");
    await page.locator(".menu-button").click();
    await page.getByRole("menuitem", { name: /^Mute/ }).click();
    const sheet = page.getByRole("dialog");
    const region = (within: Page | Locator): Locator =>
      within.locator("[role=status]", { has: page.locator(".message") });
    await sheet.getByRole("button", { name: /^Mute/ }).waitFor();
    assert.equal(await region(sheet).innerText(), "");
    await page.route("**/mute", (route) => route.abort());
    await sheet.getByRole("button", { name: /^Mute/ }).click();
    await region(sheet).getByText("isn’t responding").waitFor();
    assert.equal(await page.locator(".message:not([hidden])").count(), 1);
    assert.equal(await page.evaluate(IS_SEEN), true);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await region(page).getByText("isn’t responding").waitFor();
  });
});

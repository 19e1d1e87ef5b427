// Writing in the web client: with all that a post can have, in a sheet, below what is answered and as a thread; and
// whatever fails, nothing that was written is lost or posted twice.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { MORE, PHONE, SEND, TEXT, signIn, startBrowser, withoutChromium } from "./open.ts";
import { answer } from "./question.ts";
import type { TestBrowser } from "./open.ts";
import { open, until, untilAlive, untilQuiet } from "./until.ts";

describe("writing", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let bob: Person;
  let parent: { id: string };

  /** Newest first. */
  const posts = (): Promise<any[]> =>
    alice.get(`/api/v1/accounts/${alice.accountId}/statuses`).ok();

  const picture = async (hue: number) => ({
    name: `${hue}.png`,
    mimeType: "image/png",
    buffer: await sharp({
      create: { width: 300, height: 200, channels: 3, background: `hsl(${hue},60%,55%)` },
    })
      .png()
      .toBuffer(),
  });

  const home = async (page: Page): Promise<void> => {
    await open(page, "/home");
  };

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    bob = await server.person("bob");
    await alice.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
    parent = await bob
      .post("/api/v1/statuses", {
        status: "Who is there?",
        visibility: "unlisted",
      })
      .ok();
    await server.runJobs();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  test("a page whose file is loaded apart comes alive at its own address", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/compose?text=shared");
    await page.getByRole("button", { name: "Poll", exact: true }).waitFor();
    assert.equal(await page.locator(TEXT).inputValue(), "shared");
  });

  test("files that are refused take no place of those that can be added", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice" });
    allow(/503/);
    await open(page, "/compose");
    const files = page.locator(".file-input");
    let sent = 0;
    const fail = { status: 503, json: { error: "busy" } };
    await page.route("**/api/v2/media", (route) =>
      (sent += 1) === 4 ? route.fulfill(fail) : route.continue(),
    );
    const nonsense = { name: "no.png", mimeType: "image/png", buffer: Buffer.from("nonsense") };
    await files.setInputFiles([await picture(10), await picture(50), await picture(90), nonsense]);
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await files.setInputFiles({ ...nonsense, name: "empty.png", buffer: Buffer.alloc(0) });
    await page.getByText("This file is empty.").waitFor();
    await files.setInputFiles(await picture(200));
    await page.getByRole("button", { name: "Attachment 4 of 4: Describe" }).waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    const said = page.getByText("A post can have up to 4 attachments.");
    await said.waitFor();
    await page.getByRole("button", { name: /no\.png/ }).click();
    await said.waitFor({ state: "hidden" });
  });

  test("a file that the server will not take is not sent again, and says why nothing is posted", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice" });
    allow(/422/);
    await open(page, "/compose?text=shared");
    const buffer = Buffer.from("nonsense");
    await page
      .locator(".file-input")
      .setInputFiles({ name: "fake.png", mimeType: "image/png", buffer });
    await page
      .getByText("Choose an image, video or audio file. Remove this file to post.")
      .waitFor();
    assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0);
    assert.equal(await page.locator(SEND).getAttribute("title"), "Remove this file to post.");
    await page.getByRole("button", { name: /fake\.png/ }).click();
    await page.locator(`${SEND}:enabled`).click();
    // It is said on the page that follows, too.
    await page.waitForURL(/\/home$/);
    await page.getByText("Your post has been published.").waitFor();
  });

  test("a post with pictures, descriptions, a focus and a warning", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await home(page);
    await page.click("[data-act=compose]");
    const sheet = page.locator("dialog");
    await sheet.locator(TEXT).pressSequentially("Hello @bo");
    await sheet.locator("[role=option]").waitFor();
    await page.keyboard.press("Enter");
    assert.equal(await sheet.locator(TEXT).inputValue(), "Hello @bob ");
    await sheet.locator(".file-input").setInputFiles([await picture(10), await picture(200)]);
    const described = sheet.locator(".media-describe textarea");
    await sheet.getByRole("button", { name: "Attachment 2 of 2: Describe" }).click();
    await until(page, "document.activeElement.matches('.media-describe textarea')");
    await page.keyboard.type("A blue square");
    // The field, as wide as the text, is for one at a time; each says whether it is described.
    const [field, text] = await Promise.all([
      described.boundingBox(),
      sheet.locator(".composer-text").boundingBox(),
    ]);
    assert.ok(Math.abs(field!.width - text!.width) <= 1, JSON.stringify([field, text]));
    await sheet.getByRole("button", { name: "Attachment 2 of 2: Described" }).waitFor();
    await sheet.getByRole("button", { name: "Done" }).click();
    await sheet.getByLabel("Attachment 1 of 2: describe it").waitFor();
    await sheet.getByRole("button", { name: "Move later" }).press("Enter");
    await sheet.getByRole("button", { name: "Attachment 1 of 2: Described" }).click();
    await sheet.getByRole("button", { name: "Set focus point" }).click();
    for (let step = 0; step < 5; step += 1) {
      await sheet.getByRole("button", { name: /^Focus point:/ }).press("ArrowRight");
    }
    await sheet.getByRole("button", { name: "Content warning" }).click();
    await sheet.getByRole("textbox", { name: "Content warning" }).fill("Squares");
    await sheet.locator(SEND).click();
    await sheet.getByText("1 attachment has no description").waitFor();
    await sheet.getByRole("button", { name: "Attachment 2 of 2: Describe" }).click();
    await described.fill("A red square");
    await sheet.locator(SEND).click();
    await sheet.waitFor({ state: "detached" });
    const [posted] = await posts();
    assert.equal(posted.spoiler_text, "Squares");
    const media = posted.media_attachments as any[];
    const about = media.map(({ description }) => description);
    assert.deepEqual(about, ["A blue square", "A red square"]);
    assert.deepEqual(media[0].meta.focus, { x: 0.5, y: 0 });
    assert.equal(posted.mentions[0].acct, "bob");
  });

  test("two quick presses remind of a missing description, and post nothing", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, touch: true });
    const posts: string[] = [];
    page.on("request", (request) => {
      const isPost = request.method() === "POST" && request.url().endsWith("/api/v1/statuses");
      if (isPost) posts.push(request.url());
    });
    await open(page, "/home");
    await page.locator("[data-act=compose]").filter({ visible: true }).first().tap();
    const sheet = page.locator("dialog");
    await sheet.locator(TEXT).fill("Undescribed");
    await sheet.locator(".file-input").setInputFiles([await picture(40)]);
    const send = sheet.locator(SEND);
    await until(page, "document.querySelector('dialog .composer-end .button')?.disabled === false");
    await send.dblclick();
    await send.getByText("Post anyway").waitFor();
    await untilQuiet(page, async () => {});
    assert.deepEqual(posts, []);
    await page.waitForTimeout(1000);
    await send.tap();
    await sheet.waitFor({ state: "detached" });
    assert.equal(posts.length, 1);
  });

  test("an answer to a post at the end of the window is written in sight", async (t) => {
    for (let n = 0; n < 8; n += 1) await bob.post("/api/v1/statuses", { status: `Line ${n}` }).ok();
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/public/local");
    const last = `[...document.querySelectorAll("article .act-reply")]
      .map((each) => each.getBoundingClientRect()).findLast(({ bottom }) => bottom < innerHeight)`;
    const { x, y } = await page.evaluate<{ x: number; y: number }>(
      `(({ x, y }) => ({ x, y }))(${last})`,
    );
    await page.mouse.click(x + 10, y + 10);
    const form = page.locator("article .editor");
    await form.waitFor();
    await until(
      page,
      "document.querySelector('article .editor').getBoundingClientRect().bottom <= innerHeight + 1",
    );
  });

  test("Escape leaves the composer of home, which keeps its text, to the keys for reading", async (t) => {
    await alice.post("/api/v1/statuses", { status: "Something to read" }).ok();
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    await page.click(".composer textarea");
    await page.locator(".editor").waitFor();
    await page.keyboard.type("Half a thought");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await until(page, "document.activeElement.matches('article')");
    assert.equal(await page.locator(TEXT).inputValue(), "Half a thought");
    await page.keyboard.press("r");
    await page.locator("article .editor textarea:focus").waitFor();
    await page.keyboard.press("Escape");
    await until(page, "document.activeElement.matches('article')");
    assert.equal(new URL(page.url()).pathname, "/home");
  });

  test("Escape on the page to write on closes what is open, and leaves nothing that is written", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", ownSession: true });
    await open(page, "/home");
    await page.goto("/compose");
    await page.locator(TEXT).fill("Not yet done");
    await page.locator(".file-input").setInputFiles([await picture(30)]);
    const toggle = page.getByRole("button", { name: "Set focus point" });
    await toggle.click();
    await page.getByRole("button", { name: /^Focus point:/ }).press("ArrowRight");
    await page.keyboard.press("Escape");
    await page.locator(".focus-pad").waitFor({ state: "detached" });
    await until(page, "document.activeElement.matches('[aria-pressed=false]')");
    // Nothing is open any more; only the page could be left.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Backspace");
    await untilQuiet(page, async () => {});
    assert.equal(new URL(page.url()).pathname, "/compose");
    assert.equal(await page.locator(TEXT).inputValue(), "Not yet done");
    await page.click(MORE);
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await answer(page, "Cancel");
    assert.equal(await page.locator(`${MORE}:focus`).count(), 1);
    assert.equal(await page.locator(TEXT).inputValue(), "Not yet done");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await answer(page, "Discard");
  });

  const ways: [way: string, begin: (page: Page) => Promise<void>][] = [
    ["inline", (page) => page.click(".composer textarea")],
    ["in the window", (page) => page.click("[data-act=compose]")],
    ["on its own page", (page) => open(page, "/compose")],
  ];
  for (const [way, begin] of ways) {
    test(`what is typed at once after a press on a tool is in its field, ${way}`, async (t) => {
      const { page } = await browser.visit(t, { who: "alice", ownSession: true });
      await home(page);
      await begin(page);
      await page.getByRole("button", { name: "Content warning" }).click();
      await page.locator(".warning-field:focus").waitFor();
      await page.keyboard.type("jkf");
      assert.equal(await page.locator(".warning-field").inputValue(), "jkf");
      await page.getByRole("button", { name: "Poll", exact: true }).click();
      await page.locator(".poll-option input:focus").waitFor();
      await page.keyboard.type("fjk");
      const option = page.getByRole("textbox", { name: "Option 1" });
      assert.equal(await option.inputValue(), "fjk");
      await page.locator(MORE).click();
      await page.getByRole("button", { name: "Publish later" }).click();
      await page.locator(".composer-schedule input:focus").waitFor();
    });
  }

  test("an answer below what is answered is not for more people, and comes back after a reload", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE });
    const article = page.locator(`article[data-status="${parent.id}"]`);
    await home(page);
    await article.locator("[data-act=reply]").click();
    await article.locator(TEXT).pressSequentially("It is me");
    await article.getByLabel("Who can see this: Quiet public").click();
    // All but the public ones: quiet, here, followers (here), a circle, the named.
    assert.equal(await article.getByRole("radio").count(), 6);
    assert.equal(await article.getByRole("radio", { name: /^Public/ }).count(), 0);
    await page.keyboard.press("Escape");
    await page.reload();
    await untilAlive(page);
    await article.locator("[data-act=reply]").click();
    assert.equal(await article.locator(TEXT).inputValue(), "@bob It is me");
    await article.locator(TEXT).press("Control+Enter");
    await article.locator(".editor").waitFor({ state: "detached" });
    const [posted] = await posts();
    assert.deepEqual([posted.in_reply_to_id, posted.visibility], [parent.id, "unlisted"]);
  });

  test("what answers a post follows the names", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/@bob/${parent.id}`);
    await page.locator(".post-main [data-act=reply]").click();
    await page.locator(".editor").waitFor();
    await page.keyboard.type("by the button");
    assert.equal(await page.locator(TEXT).inputValue(), "@bob by the button");
    await page.locator(TEXT).fill("");
    await page.reload();
    await untilAlive(page);
    await page.locator(".post-main .act-more").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.type("by keys");
    await page.locator(".editor").waitFor();
    assert.equal(await page.locator(TEXT).inputValue(), "@bob by keys");
  });

  test("an unfinished poll says in sight what it needs, and marks the options", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", ownSession: true });
    await home(page);
    await page.click(".composer textarea");
    await page.locator(TEXT).fill("Which?");
    await page.getByRole("button", { name: "Poll" }).click();
    const bad = page.locator(".poll-option [aria-invalid=true]");
    const few = page.locator(".poll-form").getByText("Add at least two options.");
    await few.waitFor();
    assert.equal(await bad.count(), 0);
    await page.getByRole("textbox", { name: "Option 1" }).fill("Rook");
    await page.locator(TEXT).focus();
    await page.locator(".poll-form .over").waitFor();
    assert.equal(await bad.getAttribute("aria-label"), "Option 2");
    const second = page.getByRole("textbox", { name: "Option 2" });
    await second.fill("Rook ");
    await page.locator(".poll-form .over", { hasText: "has to be different" }).waitFor();
    assert.equal(await bad.count(), 2);
    await page.locator(SEND).click();
    await until(page, "document.activeElement.ariaLabel === 'Option 1'");
    await second.fill("Owl".repeat(20));
    await page.locator(".poll-form .over", { hasText: "up to 50 characters" }).waitFor();
    assert.equal(await bad.getAttribute("aria-label"), "Option 2");
    await page.locator(TEXT).press("Control+Enter");
    await until(page, "document.activeElement.ariaLabel === 'Option 2'");
    const about = (await second.getAttribute("aria-describedby"))!;
    assert.match(await page.locator(`[id="${about}"]`).innerText(), /up to 50 characters/);
    await second.fill("Owl");
    await bad.first().waitFor({ state: "detached" });
    await page.locator(TEXT).fill("");
    await second.press("Control+Enter");
    await page.getByRole("alert").getByText("Write something first.").waitFor();
    await until(page, "document.activeElement.matches('.composer-text textarea')");
    await page.keyboard.type("Which?");
    await page.getByText("Write something first.").waitFor({ state: "detached" });
    assert.ok(await page.locator(SEND).isEnabled());
  });

  test("a thread with a poll is posted whole or not at all, after a reload too", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice" });
    allow(/503/);
    const busy = { status: 503, json: { error: "busy" } };
    await page.route("**/api/v1/statuses/thread", (route) => route.fulfill(busy), { times: 1 });
    await home(page);
    await page.click(".composer textarea");
    await page.locator(TEXT).fill("The first");
    await page.getByRole("button", { name: "Add another post" }).click();
    await page.locator(TEXT).nth(1).fill("The second");
    await page.getByRole("button", { name: "Poll" }).nth(1).click();
    await page.getByRole("textbox", { name: "Option 1" }).fill("Rook");
    await page.getByRole("textbox", { name: "Option 2" }).fill("Owl");
    await page.click(SEND);
    await page.getByText("Your post is saved here").waitFor();
    await page.reload();
    await untilAlive(page);
    await page.locator(TEXT).nth(1).waitFor();
    assert.equal(await page.locator(TEXT).nth(1).inputValue(), "The second");
    await page.click(SEND);
    await page.locator(".editor").waitFor({ state: "detached" });
    const [second, first] = await posts();
    assert.match(first.content, /The first/);
    assert.match(second.content, /The second/);
    assert.equal(second.in_reply_to_id, first.id);
    assert.deepEqual(
      second.poll.options.map(({ title }: any) => title),
      ["Rook", "Owl"],
    );
  });

  test("a post whose answer is lost can be opened and sent again, and is one post", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice" });
    allow(/ERR_FAILED/);
    await page.route("**/api/v1/statuses", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await home(page);
    const before = (await posts()).length;
    await page.click(".composer textarea");
    await page.locator(TEXT).fill("Only once");
    await page.click(SEND);
    const waits = page.locator("main .waiting-post", { hasText: "Only once" });
    await waits.getByRole("button", { name: "Continue writing" }).click();
    // From now on it is not sent by itself.
    assert.equal(await page.locator(`dialog ${TEXT}`).inputValue(), "Only once");
    await page.unroute("**/api/v1/statuses");
    await page.click(`dialog ${SEND}`);
    await page.locator("dialog").waitFor({ state: "detached" });
    assert.equal(await waits.count(), 0);
    assert.equal((await posts()).length, before + 1);
  });

  test("where the session has ended, the text stays and is sent after signing in elsewhere", async (t) => {
    const { page, context, allow } = await browser.visit(t, { who: "alice", ownSession: true });
    // What the page asks for meanwhile is refused, announcements as what needs a person.
    allow(/40[13]|HTTP Authentication failed|422 .*\/announcements/);
    await home(page);
    await page.click(".composer textarea");
    await page.locator(TEXT).fill("Still here");
    const other = await context.newPage();
    await open(other, "/settings");
    await other.locator("form[action='/auth/sign_out'] button").click();
    await other.waitForURL(/\/auth\/sign_in/);
    await page.click(SEND);
    await page.locator(".composer-trouble").getByText("You’re signed out").waitFor();
    await signIn(other, server.url, "alice");
    await page.click(SEND);
    await page.locator(".editor").waitFor({ state: "detached" });
    assert.match((await posts())[0].content, /Still here/);
  });

  test("without scripts the page for writing posts, answers and warns", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", scripts: false });
    await page.goto(`${server.url}/compose?text=Plainly&in_reply_to=${parent.id}`);
    assert.equal(await page.locator("[name=status]").inputValue(), "@bob Plainly");
    await page.fill("[name=spoiler_text]", "Plain");
    await page.locator(".composer .button").click();
    const [posted] = await posts();
    assert.deepEqual([posted.in_reply_to_id, posted.spoiler_text], [parent.id, "Plain"]);
  });
});

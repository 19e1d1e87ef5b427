// What a composer says: who gets the post, what is too much of it, and what becomes of it; and that there is one of it.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page, Route } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { eventually } from "../journeys/eventually.ts";
import { AUDIENCE, MORE, PHONE, SEND, TEXT, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open, until } from "./until.ts";

/** Pixels from the edge of the column to the names and texts of posts. */
const TEXTS_BEGIN = 68;
const POSTS = /\/api\/v1\/statuses$/;

describe("what a composer says", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let bob: Person;
  let question: string;

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    bob = await server.person("bob");
    await server.person("carol");
    const mod = await server.person("mod", {
      role: "Owner",
      scopes: ["read", "write", "admin:read", "admin:write"],
    });
    const rule = { name: "links", conditions: { links: 1, origin: "local" }, actions: ["hold"] };
    const { id } = await mod.post("/api/v1/admin/spam_rules", rule).ok();
    for (const act of ["dry_run", "enable"])
      await mod.post(`/api/v1/admin/spam_rules/${id}/${act}`).ok();
    const asked = { status: "Who is there, @carol?", visibility: "unlisted" };
    question = (await bob.post("/api/v1/statuses", asked).ok()).id;
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const compose = async (page: Page, text: string, path = "/public/local"): Promise<void> => {
    await open(page, path);
    await page.locator(".compose-button").click();
    await page.locator(TEXT).fill(text);
  };

  const countOf = async (text: string): Promise<number> => {
    const posts = await alice.get(`/api/v1/accounts/${alice.accountId}/statuses`).ok();
    return posts.filter(({ content }: any) => content.includes(text)).length;
  };

  test("it says in a sentence who gets the post, and whom it notifies", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const reach = page.locator(".composer-reach");
    await compose(page, "Hello");
    assert.equal(await reach.innerText(), "Everyone, everywhere");
    await page.locator(AUDIENCE).click();
    await page.locator(".choice-options label", { hasText: "Private mention" }).click();
    assert.equal(await reach.innerText(), "Only you, until you mention someone");
    await page.locator(TEXT).fill("Hello @bob and @carol, see @bob");
    assert.equal(await reach.innerText(), "Only the people you mention · Notifies @bob and @carol");
  });

  test("it is one line until it is opened, where texts stand, and the line stays there", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const field = page.locator("main .composer textarea").first();
    const placeOf = async () => {
      const { x = 0, y = 0 } = (await field.boundingBox()) ?? {};
      return [Math.round(x), Math.round(y)];
    };
    await open(page, "/home");
    const column = (await page.locator(".column-head").boundingBox())!;
    const closed = await placeOf();
    assert.equal(closed[0], Math.round(column.x + TEXTS_BEGIN));
    await field.click();
    await page.locator(TEXT).waitFor();
    assert.deepEqual(await placeOf(), closed);
    await open(page, `/@bob/${question}`);
    const line = page.locator(".reply-to");
    const isHinted = `getComputedStyle(document.querySelector(".reply-to [data-hint]"), "::before").content`;
    assert.equal(await page.evaluate(isHinted), '"Write a reply"');
    assert.ok((await line.boundingBox())!.height <= 66, "as high as one for new posts");
    assert.ok(!(await line.getByRole("button").isVisible()));
    await field.focus();
    await page.locator(TEXT).waitFor();
    assert.match(await page.locator(TEXT).inputValue(), /^@bob/);
  });

  test("an answer says whom it answers and reaches, and reaches no more than what it answers", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/@bob/${question}`);
    await page.locator(".reply-to textarea").click();
    await page.locator(TEXT).waitFor();
    const editor = page.locator(".reply-to .editor");
    await editor.getByText("Reply to bob", { exact: true }).waitFor();
    assert.equal(
      await editor.locator(".composer-reach").innerText(),
      "Everyone, but not in public timelines, search or trends · Notifies @bob and @carol",
    );
    await page.locator(AUDIENCE).click();
    await page.getByRole("radio", { name: /^Quiet public/ }).waitFor();
    assert.equal(await page.getByRole("radio", { name: /^Public/ }).count(), 0);
  });

  test("what is too much is marked in the text, where it is", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const fits = "word ".repeat(99) + "12345";
    await compose(page, fits);
    const mark = page.locator(".composer-excess mark");
    assert.equal(await mark.count(), 0);
    await page.locator(TEXT).press("End");
    await page.keyboard.type(" and this");
    assert.equal(await mark.textContent(), " and this");
    assert.ok(await page.locator(SEND).isDisabled());
    // The copy has its lines where the field has them.
    const [field, copy] = await page.evaluate<[number[], number[]]>(`(() => {
      const sizeOf = (element) => [element.scrollHeight, element.clientWidth];
      const copy = document.querySelector(".composer-excess");
      return [sizeOf(copy.parentElement.querySelector("textarea")), sizeOf(copy)];
    })()`);
    assert.ok(Math.abs(field[0]! - copy[0]!) <= 2, JSON.stringify([field, copy]));
    assert.equal(field[1], copy[1]);
    await page.locator(TEXT).fill("short again");
    assert.equal(await mark.count(), 0);
  });

  test("a post that is refused or not received says why, and is sent again by a press, once", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice" });
    allow(/Failed to load resource/);
    const text = "The ferry is late";
    await compose(page, text);
    await page.route(POSTS, (route) =>
      route.fulfill({ status: 503, json: { error: "unavailable" } }),
    );
    await page.locator(SEND).click();
    const state = page.locator(".composer-state.bad");
    await state.getByText("saved here").waitFor();
    assert.equal(await page.locator(TEXT).inputValue(), text);
    await page.unroute(POSTS);
    await state.getByRole("button", { name: "Try again" }).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    assert.equal(await countOf(text), 1);
  });

  test("a post that is on its way says so", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await compose(page, "The ferry is here");
    const held: Route[] = [];
    await page.route(POSTS, (route) => void held.push(route));
    await page.locator(SEND).click();
    await eventually("it is sent", () => held.length === 1);
    assert.equal(await page.locator(SEND).innerText(), "Sending…");
    assert.ok(await page.locator(SEND).isDisabled());
    await page.locator(".composer-state").getByText("Still sending…").waitFor();
    // What is on its way can neither be stopped nor added to.
    await page.locator(TEXT).pressSequentially(", and gone");
    assert.equal(await page.locator(TEXT).inputValue(), "The ferry is here");
    await page.locator(MORE).click();
    const discard = page.getByRole("button", { name: "Discard" });
    assert.ok(await discard.isDisabled());
    await page.keyboard.press("Escape");
    await held[0]!.continue();
    await page.locator("dialog").waitFor({ state: "detached" });
    assert.equal(await countOf("The ferry is here"), 1);
  });

  test("what is deleted to be written anew cannot be kept any more, unless the server refuses", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice" });
    allow(/status of 503/);
    const { id } = await alice.post("/api/v1/statuses", { status: "Words to better" }).ok();
    await open(page, `/@alice/${id}`);
    await page.locator(".act-more").first().click();
    await page.getByRole("menuitem", { name: "Delete and redraft" }).click();
    const held: Route[] = [];
    await page.route(new RegExp(`/api/v1/statuses/${id}`), (route) =>
      route.request().method() === "DELETE" ? void held.push(route) : route.continue(),
    );
    const asked = page.locator(".composer-confirm");
    await asked.getByRole("button").last().click();
    await eventually("it is sent", () => held.length === 1);
    const cancel = asked.getByRole("button", { name: "Cancel" });
    assert.ok(await cancel.isDisabled());
    await held[0]!.fulfill({ status: 503, body: "{}" });
    await eventually("it can be cancelled", () => cancel.isEnabled());
    await cancel.click();
    await page.locator("dialog").waitFor({ state: "detached" });
    assert.equal(await countOf("Words to better"), 1);
  });

  test("without a connection it offers to post later; each post waits apart from the next, and is sent", async (t) => {
    const { page, context, allow } = await browser.visit(t, { who: "alice" });
    allow(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
    await compose(page, "From the tunnel");
    await context.setOffline(true);
    const waits = page.locator("dialog .waiting-post");
    for (const text of ["From the tunnel", "Still in the tunnel"]) {
      await page.locator(TEXT).fill(text);
      await until(page, `document.querySelector("${SEND}").innerText === "Post later"`);
      await page.locator(SEND).click();
      await page.locator(".message").getByText("will be sent as soon as").waitFor();
      await page.locator("dialog").waitFor({ state: "detached" });
      await page.locator(".compose-button").click();
      await waits.filter({ hasText: text }).waitFor();
      assert.equal(await page.locator(TEXT).inputValue(), "");
    }
    assert.equal(await waits.count(), 2);
    await page.locator(TEXT).fill("Typed below what waits");
    await context.setOffline(false);
    await waits.first().waitFor({ state: "detached" });
    await eventually("both are posted", async () => {
      const posts = await alice.get(`/api/v1/accounts/${alice.accountId}/statuses?limit=2`).ok();
      const texts = posts.map(({ content }: any) => content.replaceAll(/<[^>]*>/g, ""));
      return texts.join() === "Still in the tunnel,From the tunnel";
    });
    assert.equal(await page.locator(TEXT).inputValue(), "Typed below what waits");
  });

  test("a post that waits is sent no more once it is opened, and says so; a refused one becomes a draft", async (t) => {
    const { page, context, allow } = await browser.visit(t, { who: "alice", ownSession: true });
    allow(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
    await compose(page, "Begun in the tunnel");
    await context.setOffline(true);
    await page.locator(SEND).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.locator(".compose-button").click();
    const waits = page.locator("dialog .waiting-post");
    await waits.getByRole("button", { name: "Continue writing" }).click();
    const state = page.locator("dialog .composer-state");
    await state.getByText("no longer waiting to be sent").waitFor();
    await page.locator(TEXT).fill("Ended in the tunnel");
    await page.locator(SEND).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.locator(".compose-button").click();
    await waits.filter({ hasText: "Ended in the tunnel" }).waitFor();
    await page.route(POSTS, (route) => route.fulfill({ status: 422, json: { error: "refused" } }));
    await context.setOffline(false);
    await page.locator(".message").getByText("couldn’t be sent and is now a draft").waitFor();
    assert.equal(await waits.count(), 0);
    await page.unroute(POSTS);
    await open(page, "/drafts");
    const draft = page.locator(".unposted", { hasText: "Ended in the tunnel" });
    await draft.getByRole("button", { name: "Continue writing" }).click();
    await page.locator(SEND).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    assert.equal(await countOf("Ended in the tunnel"), 1);
    assert.equal(await countOf("Begun in the tunnel"), 0);
  });

  for (const [what, change] of [
    ["is changed where it arrived", null],
    ["is not sent twice for others, and says so", "Followers"],
  ] as const)
    test(`a post whose answer was lost, opened and changed, ${what}`, async (t) => {
      const { page, allow } = await browser.visit(t, { who: "alice", ownSession: true });
      allow(/Failed to load resource/);
      const [first, then] = [`Sent ${what}`, `Changed ${what}`];
      await compose(page, first);
      await page.route(POSTS, async (route) => {
        await route.fetch();
        await route.abort();
      });
      await page.locator(SEND).click();
      await page.locator("dialog").waitFor({ state: "detached" });
      await page.locator(".compose-button").click();
      const waits = page.locator("dialog .waiting-post");
      await waits.getByRole("button", { name: "Continue writing" }).click();
      await page.locator(TEXT).fill(then);
      await page.unroute(POSTS);
      if (change !== null) {
        await page.locator("dialog").locator(AUDIENCE).click();
        await page.locator("dialog .radio-rows label", { hasText: change }).first().click();
      }
      await page.locator(SEND).click();
      if (change === null) await page.locator("dialog").waitFor({ state: "detached" });
      else await page.locator("dialog").getByText("already arrived").waitFor();
      const changed = change === null ? 1 : 0;
      assert.deepEqual([await countOf(first), await countOf(then)], [1 - changed, changed]);
      if (change === null) return;
      await page.locator(SEND).click();
      await page.locator("dialog").waitFor({ state: "detached" });
      assert.deepEqual([await countOf(first), await countOf(then)], [1, 1]);
    });

  test("a post that waits for review leaves an empty composer, and a way to it", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice" });
    allow(/422/);
    await open(page, "/home");
    await page.click(".composer textarea");
    await page.locator(TEXT).fill("See https://held.example/");
    await page.locator(SEND).click();
    const note = page.locator("main .composer-place .notice");
    await note.getByText("A moderator will review it").waitFor();
    assert.equal(await page.locator("main .composer textarea").inputValue(), "");
    await note.getByRole("link", { name: "View" }).click();
    await page.locator(".unposted", { hasText: "held.example" }).waitFor();

    await compose(page, "And https://other.example/");
    await page.locator(SEND).click();
    const sheet = page.locator("dialog");
    await sheet.locator(".held-note", { hasText: "A moderator will review it" }).waitFor();
    assert.equal(await sheet.locator(TEXT).count(), 0);
    await sheet.getByRole("link", { name: "View" }).click();
    await page.locator(".unposted", { hasText: "other.example" }).waitFor();
    assert.equal(await sheet.count(), 0);
  });

  test("what is wrong with a date is said beside it, in the words of the page, until it is changed", async (t) => {
    const { page } = await browser.visit(t, { who: "mod" });
    await compose(page, "For later");
    await page.locator(MORE).click();
    await page.getByRole("button", { name: "Publish later" }).click();
    const time = page.locator(".composer-schedule input");
    await time.fill("2020-01-01T10:00");
    await page.locator(SEND).click();
    const said = page.locator(".own-words");
    await said.getByText("Choose a time at least 5 minutes from now.").waitFor();
    assert.equal(await time.getAttribute("aria-invalid"), "true");
    await time.fill("2040-01-01T10:00");
    assert.equal(await said.count(), 0);
    await page.keyboard.press("Escape");

    await open(page, "/admin/audit");
    await page.locator("[name=from]").pressSequentially("12");
    await page.locator("[name=from]").press("Enter");
    await said.getByText("Enter a valid date.").waitFor();
    assert.equal(await page.evaluate("document.activeElement.name"), "from");

    // The server judges this form, but never sees a date that is written in part.
    await open(page, "/admin/announcements");
    await page.evaluate("document.querySelector('#text-new').closest('details').open = true");
    await page.locator("#publish-new").pressSequentially("12");
    await page.locator("#text-new").locator("xpath=ancestor::form").locator(".button").click();
    await said.getByText("Enter a valid date and time.").waitFor();
    assert.equal(await page.evaluate("document.activeElement.id"), "publish-new");
  });

  test("home has one composer: a draft moves into the window and back", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    const collapsed = (await page.locator("main .composer").boundingBox())!;
    assert.ok(collapsed.height <= 66, JSON.stringify(collapsed));
    assert.equal(await page.locator("main .composer select").isVisible(), false);
    await page.click(".composer textarea");
    await page.locator(TEXT).fill("Begun on the page");
    await page.locator("#main").focus();
    await page.locator(".compose-button").click();
    await page.locator(`dialog ${TEXT}`).waitFor();
    assert.equal(await page.locator(TEXT).count(), 1);
    assert.equal(await page.locator(TEXT).inputValue(), "Begun on the page");
    await page.locator(TEXT).fill("Begun on the page, gone on above");
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.locator(`main ${TEXT}`).waitFor();
    assert.equal(await page.locator(TEXT).inputValue(), "Begun on the page, gone on above");

    const phone = (await browser.visit(t, { who: "bob", size: PHONE, touch: true })).page;
    await open(phone, "/home");
    assert.equal(await phone.locator("main .composer").isVisible(), false);
    await phone.locator(".compose-button").tap();
    await phone.locator(`dialog ${TEXT}`).waitFor();
  });
});

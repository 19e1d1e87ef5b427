// What is shown stays as it is now: counts, filters, and forms that act in place.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { startBrowser, withoutChromium } from "./open.ts";
import { answer, questionOf } from "./question.ts";
import type { TestBrowser } from "./open.ts";
import { open, openHearing, until, untilQuiet, untilStill } from "./until.ts";
import { upload } from "./village.ts";
import { eventually } from "../journeys/eventually.ts";

/** Shorter than what a request is waited for. */
const STEP_MS = 5000;

describe("fresh", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let bob: Person;

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

  test("counts of a post that stays in sight are asked for again", async (t) => {
    const { id } = await bob.post("/api/v1/statuses", { status: "Counted" }).ok();
    const { page } = await browser.visit(t, { who: "alice", apart: true });
    await page.clock.install();
    await open(page, `/@bob/${id}`);
    await page.locator(".post-main").waitFor();
    await page.clock.runFor(20_000);
    await bob.post(`/api/v1/statuses/${id}/favourite`).ok();
    const count = page.locator(".post-main .act-favourite .count");
    assert.equal(await count.count(), 0);
    // A request ends by the same clock: each is answered before it goes on.
    for (let step = 0; step < 30; step += 1)
      await untilQuiet(page, () => page.clock.runFor(STEP_MS));
    await count.waitFor();
    assert.equal(await count.textContent(), "1");
  });

  test("a post of somebody who has blocked its reader goes when it is asked for again", async (t) => {
    const cara = await server.person("cara");
    const { id } = await cara.post("/api/v1/statuses", { status: "Not for long" }).ok();
    const { page } = await browser.visit(t, { who: "alice", apart: true });
    await page.clock.install();
    await open(page, "/public/local");
    const post = page.locator(`article[data-status="${id}"]`);
    await post.waitFor();
    await page.clock.runFor(20_000);
    await cara.post(`/api/v1/accounts/${alice.accountId}/block`).ok();
    for (let step = 0; step < 30; step += 1)
      await untilQuiet(page, () => page.clock.runFor(STEP_MS));
    await post.waitFor({ state: "detached" });
  });

  test("a new filter applies to what is shown already", async (t) => {
    await bob.post("/api/v1/statuses", { status: "About turnips" }).ok();
    const { page } = await browser.visit(t, { who: "alice" });
    await openHearing(page, `/public/local`);
    await page.getByText("About turnips").waitFor();
    await alice
      .post("/api/v2/filters", {
        title: "Vegetables",
        context: ["home", "public", "thread", "account"],
        filter_action: "warn",
        keywords_attributes: [{ keyword: "turnips" }],
      })
      .ok();
    const warning = page.locator("article summary", { hasText: "Vegetables" });
    await warning.waitFor();
  });

  test("a filter covers posts in the place that it is for, and in no other", async (t) => {
    const dora = await server.person("dora");
    await dora.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
    await bob.patch("/api/v1/accounts/update_credentials", { indexable: true }).ok();
    const { id } = await dora.post("/api/v1/statuses", { status: "What grows here?" }).ok();
    const reply = { status: "@dora parsnips", in_reply_to_id: id };
    await bob.post("/api/v1/statuses", reply).ok();
    const pinned = await bob.post("/api/v1/statuses", { status: "Parsnips first" }).ok();
    await bob.post(`/api/v1/statuses/${pinned.id}/pin`).ok();
    const media_ids = [await upload(bob, "Roots")];
    const last = await bob.post("/api/v1/statuses", { status: "Parsnips last", media_ids }).ok();
    await dora.post(`/api/v1/statuses/${last.id}/bookmark`).ok();
    await server.runJobs();
    /** Pages by the place, and how many posts of each speak of parsnips. */
    const pages: [place: string | null, path: string, posts: number][] = [
      ["home", "/home", 3],
      ["account", "/@bob", 2],
      ["account", "/@bob/media", 1],
      ["account", "/@bob/with_replies", 3],
      ["public", "/public/local", 2],
      ["public", "/explore", 2],
      ["public", "/search?q=parsnips&type=statuses", 3],
      ["thread", `/@dora/${id}`, 1],
      ["notifications", "/notifications", 1],
      [null, "/bookmarks", 1],
      [null, `/@bob/${last.id}`, 1],
    ];
    const { page } = await browser.visit(t, { who: "dora" });
    const coveredOn = async (path: string): Promise<number> => {
      const html = await (await page.request.get(path)).text();
      const shown = html.replaceAll(/<script[^]*?<\/script>/g, "");
      return shown.match(/Filtered: Roots/g)?.length ?? 0;
    };
    for (const place of new Set(pages.flatMap(([each]) => each ?? []))) {
      const keywords_attributes = [{ keyword: "parsnips" }];
      const filter = { title: "Roots", context: [place], filter_action: "warn" };
      const made = await dora.post("/api/v2/filters", { ...filter, keywords_attributes }).ok();
      for (const [of, path, posts] of pages) {
        const expected = of === place ? posts : 0;
        assert.equal(await coveredOn(path), expected, `${path}, filtered in ${place}`);
      }
      await dora.delete(`/api/v2/filters/${made.id}`).ok();
    }
  });

  test("a changed word of a long filter is not left unsaved in silence, and a cleared one is removed", async (t) => {
    const words = Array.from({ length: 150 }, (_, n) => ({ keyword: `word${n + 1}` }));
    const { id } = await alice
      .post("/api/v2/filters", {
        title: "Long",
        context: ["home"],
        keywords_attributes: words,
      })
      .ok();
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/settings/filters/${id}`);
    const word = page.getByLabel("Word or phrase");
    const next = page.getByRole("link", { name: "Next page" });
    const save = page.getByRole("button", { name: "Save" });
    await word.first().fill("changed");
    await next.click();
    await questionOf(page).getByText("Leave without saving?").waitFor();
    await answer(page, "Cancel");
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Next page");
    assert.equal(await word.first().inputValue(), "changed");
    await word.nth(1).fill("");
    await word.nth(100).fill("added");
    await save.click();
    await page.locator("p.message", { hasText: "saved" }).waitFor();
    await until(
      page,
      "document.querySelectorAll('.settings-keyword input[dir]')[1].value === 'word3'",
    );
    assert.equal(await word.nth(100).inputValue(), "");
    await next.click();
    await until(page, "document.querySelector('.settings-keyword input[dir]').value === 'word102'");
    assert.equal(await questionOf(page).count(), 0);
    const { keywords } = await alice.get(`/api/v2/filters/${id}`).ok();
    assert.deepEqual(
      keywords.map(({ keyword }: { keyword: string }) => keyword),
      ["changed", ...words.slice(2).map(({ keyword }) => keyword), "added"],
    );
  });

  test("changes of a form are not left in silence, by whatever way", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    const link = page.getByRole("link", { name: "Notifications", exact: true });
    const reload = () => page.evaluate("void setTimeout(() => location.reload())");
    const name = page.getByLabel("Display name");
    const here = () => new URL(page.url()).pathname;
    await open(page, `/home`);
    await page.evaluate("window.isSame = true");
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    const settings = page.locator("a[href='/settings/profile']").first();
    await settings.click();
    await name.waitFor();
    await page.goBack();
    await settings.click();
    // What is as it was before is no change.
    const before = await name.inputValue();
    await name.fill("Somebody else");
    await name.fill(before);
    await page.goBack();
    await page.waitForURL(/settings$/);
    // The back button closes a composer, and leaves the page where it is.
    const compose = async () => {
      await page.keyboard.press("c");
      await page.locator("dialog textarea").waitFor();
    };
    const closed = () => page.locator("dialog").waitFor({ state: "detached" });
    for (const isFirst of [false, true]) {
      // Before a document that was just opened is another document.
      if (isFirst) await open(page, "/settings");
      await page.evaluate("window.isSame = true");
      await compose();
      await page.evaluate("history.back()");
      await closed();
      await untilStill(page);
      assert.equal(here(), "/settings");
    }
    // One that is closed otherwise leaves nothing to go back to.
    const count = () => page.evaluate("history.state.depth");
    const depth = await count();
    await compose();
    await page.keyboard.press("Escape");
    await closed();
    await until(page, `history.state.depth === ${Number(depth)}`);
    await settings.click();
    await name.fill("Alice the miller");
    assert.equal(await questionOf(page).count(), 0);
    const ways = [
      () => link.click(),
      async () => {
        await page.locator("#main").focus();
        await page.keyboard.press("g");
        await page.keyboard.press("n");
      },
      () => page.evaluate("history.back()"),
    ];
    for (const way of [...ways, reload]) {
      await way();
      if (way === reload) await eventually("a question", () => asked.length === 1);
      else await answer(page, "Cancel");
      await untilStill(page);
      assert.equal(here(), "/settings/profile");
      assert.equal(await name.inputValue(), "Alice the miller");
    }
    assert.deepEqual(asked, ["beforeunload"]);
    assert.equal(await page.evaluate("window.isSame"), true);
    await page.getByRole("button", { name: "Save", exact: true }).first().click();
    await page.locator(".message").getByText("saved").waitFor();
    await page.goBack();
    await settings.click();
    await name.waitFor();
    assert.equal(await questionOf(page).count(), 0);
    for (const [way, to] of [
      [() => link.click(), /notifications$/],
      [() => page.evaluate("history.back()"), /settings$/],
    ] as const) {
      await name.fill("Nobody");
      await way();
      await answer(page, "Leave page");
      await page.waitForURL(to);
      await open(page, "/settings");
      await settings.click();
      assert.equal(await name.inputValue(), "Alice the miller");
    }
    assert.equal(asked.length, 1);
  });

  test("a text in a sheet, and a form that the server draws, are not left in silence", async (t) => {
    const { page, allow, context } = await browser.visit(t, { who: "alice" });
    // A wrong password is refused.
    allow(/422/);
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await open(page, `/@bob`);
    const sheet = page.getByRole("dialog");
    const choose = async (item: RegExp) => {
      await page.locator(".menu-button").press("Enter");
      await page.getByRole("menuitem", { name: item }).press("Enter");
      await sheet.waitFor();
    };
    await choose(/^Mute/);
    await sheet.getByLabel("Duration").selectOption("86400");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    assert.deepEqual(asked, []);
    await choose(/note/);
    await sheet.getByRole("textbox").fill("met at the mill");
    for (const _again of [1, 2, 3]) {
      await page.keyboard.press("Escape");
      await questionOf(page).waitFor();
      await page.keyboard.press("Escape");
      await questionOf(page).waitFor({ state: "detached" });
      assert.equal(await sheet.getByRole("textbox").inputValue(), "met at the mill");
    }
    await sheet.getByRole("button", { name: "Save" }).click();
    await sheet.waitFor({ state: "detached" });

    await page.goto("/settings/email");
    const link = page.getByRole("link", { name: "Notifications", exact: true });
    await link.click();
    await page.waitForURL(/notifications$/);
    await page.goto("/settings/email");
    const field = page.locator("main input[type=email]");
    await field.fill("alice@elsewhere.example");
    await page.evaluate("void setTimeout(() => history.back())");
    await eventually("a question", () => asked.length === 1);
    assert.equal(await field.inputValue(), "alice@elsewhere.example");
    await page.locator("main input[type=password]").fill("a wrong one");
    await page.locator("form[action='/settings/email'] button").click();
    await page.locator(".fault, .notice.bad").first().waitFor();
    assert.deepEqual(asked, ["beforeunload"]);

    await page.goto("/settings/invites");
    await page.getByRole("button", { name: "Create invitation" }).click();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.match(await page.evaluate("navigator.clipboard.readText()"), /^http.*\/invite\/\w+$/);
    assert.equal(asked.length, 1);

    // The code of an app that nothing leads back to stands on a card.
    const redirect_uri = "urn:ietf:wg:oauth:2.0:oob";
    const json = { client_name: "Quill", redirect_uris: redirect_uri };
    const { client_id } = await server.visitor.post("/api/v1/apps", json).ok();
    const query = new URLSearchParams({ response_type: "code", client_id, redirect_uri });
    await page.goto(`/oauth/authorize?${query}`);
    await page.locator("button[value=allow]").click();
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const code = await page.locator("code").textContent();
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), code);
  });

  test("forms of lists and followed hashtags act in place, and keep the focus", async (t) => {
    await alice.post("/api/v1/tags/rivers/follow").ok();
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/lists`);
    await page.evaluate("window.isSame = true");
    await page.getByLabel("New list").fill("Neighbours");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("link", { name: "Neighbours", exact: true }).waitFor();
    assert.equal(await page.getByLabel("New list").inputValue(), "");
    await until(page, "document.activeElement.textContent === 'Create'");
    await open(page, `/followed_tags`);
    await page.evaluate("window.isSame = true");
    await page.getByRole("button", { name: "Unfollow" }).click();
    await page.getByText("Open a hashtag and follow it").waitFor();
    assert.equal(await page.evaluate("window.isSame"), true);
    assert.deepEqual(await alice.get("/api/v1/followed_tags").ok(), []);
    await page.locator(".message").getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Unfollow" }).waitFor();
    assert.equal((await alice.get("/api/v1/followed_tags").ok()).length, 1);
  });
});

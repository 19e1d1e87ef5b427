// What lies where on a phone and on a desk: nothing on a control, words on one line, faces whole; figures that follow an
// act; and what is printed.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { DESK, PHONE, SEND, TEXT, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open, until } from "./until.ts";
import { upload } from "./village.ts";

const LONG_NAME = "Bob of the very long name, yes";

describe("on small and large windows", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let bob: Person;
  let pictures: string;
  let poll: string;
  let long: string;

  before(async () => {
    server = await startTestApp();
    [alice, bob] = [await server.person("alice"), await server.person("bob")];
    await bob
      .patch("/api/v1/accounts/update_credentials", {
        display_name: LONG_NAME,
        discoverable: true,
      })
      .ok();
    const media_ids = [
      await upload(bob, "A grey owl"),
      await upload(bob, "The mill at night"),
      await upload(bob, ""),
    ];
    const post = (json: object) => bob.post("/api/v1/statuses", json).ok();
    for (let number = 0; number < 12; number += 1) await post({ status: `Post ${number}` });
    pictures = (await post({ status: "Three pictures", media_ids })).id;
    const asked = await post({
      status: "Which?",
      poll: { options: ["Rook", "Owl"], expires_in: 600 },
    });
    poll = asked.id;
    const options = ["Red", "A very long name of a boat that nobody would give"];
    long = (await post({ status: "Which boat?", poll: { options, expires_in: 600 } })).id;
    await alice.post(`/api/v1/polls/${asked.poll.id}/votes`, { choices: ["0"] }).ok();
    await post({ status: "One line of English.\n\nשורה אחת בעברית." });
    await server.runJobs();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  test("nothing floats above the controls of a phone's page", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, touch: true });
    for (const path of [
      "/home",
      "/@bob",
      `/@bob/${poll}`,
      "/settings/profile",
      "/explore/people",
    ]) {
      await open(page, path);
      const covered = await page.evaluate(`(async () => {
        scrollTo(0, document.documentElement.scrollHeight);
        await new Promise(requestAnimationFrame);
        const bar = document.querySelector(".side").getBoundingClientRect();
        return [...document.querySelectorAll("main :is(a, button, input, textarea, select, summary)")]
          .filter((control) => {
            const { left, top, width, height } = control.getBoundingClientRect();
            const [x, y] = [left + width / 2, top + height / 2];
            if (width === 0 || y < 0 || y > bar.top || x < 0 || x > innerWidth) return false;
            const hit = document.elementFromPoint(x, y);
            return hit?.closest(".side") !== null && hit !== null;
          })
          .map((control) => control.outerHTML.slice(0, 100));
      })()`);
      assert.deepEqual(covered, [], path);
    }
  });

  test("timelines and one's own profile have a pencil above the bar, which hides while one reads on", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, touch: true });
    const pencil = page.locator(".compose-button");
    for (const path of [
      "/notifications",
      "/explore",
      "/search",
      "/settings",
      "/you",
      `/@bob/${poll}`,
    ])
      assert.equal((await open(page, path), await pencil.isVisible()), false, path);
    for (const path of ["/public/local", "/@alice", "/home"]) {
      await open(page, path);
      const { x, y, width, height } = (await pencil.boundingBox())!;
      const bar = (await page.locator(".side").boundingBox())!;
      assert.deepEqual(
        [width, height, x + width, y + height],
        [56, 56, PHONE.width - 16, bar.y - 16],
        path,
      );
    }
    await page.setViewportSize({ width: PHONE.width, height: 300 });
    await open(page, "/public/local");
    await page.evaluate("scrollTo(0, 200)");
    await pencil.waitFor({ state: "hidden" });
    await page.evaluate("scrollTo(0, 150)");
    await pencil.waitFor();
  });

  test("nothing that gets the focus lies under the bar of a phone, however short", async (t) => {
    const size = { width: PHONE.width, height: 420 };
    const { page } = await browser.visit(t, { who: "alice", size, touch: true });
    for (const [path, lines] of [
      [`/@bob/${pictures}`, 1],
      [`/@bob/${long}`, 20],
    ] as const) {
      await open(page, path);
      const field = page.locator("main textarea").first();
      await field.focus();
      await page.locator(".editor").waitFor();
      await page.keyboard.insertText("A long line of words. ".repeat(lines));
      for (let step = 0; step < 8; step += 1) {
        const covered = await page.evaluate(`(() => {
          const { x, y, width, bottom } = document.activeElement.getBoundingClientRect();
          const bar = document.querySelector(".side").getBoundingClientRect();
          return bottom > bar.y && x + width / 2 > 0 && document.activeElement.closest(".editor")
            ? document.activeElement.outerHTML : "";
        })()`);
        assert.equal(covered, "", path);
        await page.keyboard.press("Tab");
      }
    }
  });

  test("a box to tick is as large beside a long choice", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE });
    await open(page, `/@bob/${long}`);
    const sizes = await page.evaluate(
      "[...document.querySelectorAll('.poll-vote [type=radio]')].map(({ offsetWidth }) => offsetWidth)",
    );
    assert.equal(new Set(sizes as number[]).size, 1, String(sizes));
  });

  test("words and faces keep their shape", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, dark: true });
    await open(page, `/@bob/${poll}`);
    const lines = await page
      .locator(".poll-share")
      .first()
      .evaluate((share: any) => share.getClientRects().length + share.offsetHeight / 30);
    assert.equal(await page.locator(".poll-share").first().textContent(), "100%");
    assert.ok(lines < 2, "100% is on one line");
    await open(page, "/explore/people");
    const faces = await page.evaluate(
      "[...document.querySelectorAll('main .avatar')].map(({ offsetWidth, offsetHeight }) => offsetWidth - offsetHeight)",
    );
    assert.deepEqual([...new Set(faces as number[])], [0]);
  });

  test("each described picture has its own badge", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, dark: true });
    await open(page, `/@bob/${pictures}`);
    const badges = page.locator(".post-main .alt summary");
    assert.equal(await badges.count(), 2);
    await badges.nth(1).click();
    await page.locator(".post-main .alt p", { hasText: "The mill at night" }).waitFor();
    const box = (await page.locator(".post-main .described").nth(1).boundingBox())!;
    const badge = (await badges.nth(1).boundingBox())!;
    assert.ok(badge.x >= box.x && badge.y + badge.height <= box.y + box.height + 1);
  });

  test("a finger on the first line of a text opens the post, not its author", async (t) => {
    const { id } = await bob.post("/api/v1/statuses", { status: "One short line" }).ok();
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, touch: true });
    await open(page, "/public/local");
    const text = page.locator(`article[data-status="${id}"] .text p`);
    await text.tap({ position: { x: 20, y: 4 } });
    await page.locator(`.post-main[data-status="${id}"]`).waitFor();
  });

  test("the count of followers follows an act", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/@bob");
    const followers = page.locator('.profile a[href="/@bob/followers"]');
    assert.match((await followers.textContent())!, /\b0\b/);
    await page.locator(".profile [data-act=follow]").click();
    await until(
      page,
      `/\\b1\\b/.test(document.querySelector('.profile a[href="/@bob/followers"]').textContent)`,
    );
  });

  test("a new member's times are in the zone of the browser", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const zone = await page.evaluate("new Intl.DateTimeFormat().resolvedOptions().timeZone");
    await open(page, "/welcome");
    const read = async () => (await alice.get("/api/v1/preferences").ok()).time_zone;
    while ((await read()) === null) await page.waitForTimeout(50);
    assert.equal(await read(), zone);
  });

  test("all times of a page are in the zone of the device, also where the server drew them", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", zone: "Asia/Tokyo" });
    const { created_at } = await bob.get(`/api/v1/statuses/${pictures}`).ok();
    const format = { dateStyle: "medium", timeStyle: "short", timeZone: "Asia/Tokyo" } as const;
    const there = new Intl.DateTimeFormat("en-GB", format).format(new Date(created_at));
    for (const path of [`/@bob`, `/@bob/${pictures}`]) {
      await open(page, path);
      const time = `article[data-status="${pictures}"] time`;
      const titles = await page
        .locator(`${time}[title]`)
        .evaluateAll((all) => all.map((each) => (each as HTMLElement).title));
      const texts = await page.locator(`${time}:not([title])`).allTextContents();
      assert.deepEqual([...new Set([...titles, ...texts])], [there], path);
    }
    // The server draws its own pages alone, in UTC.
    await open(page, "/settings/sessions");
    const first = page.locator("main time[title]").first();
    const iso = (await first.getAttribute("datetime"))!;
    const here = new Intl.DateTimeFormat("en-GB", format).format(new Date(iso));
    assert.equal(await first.innerText(), here);
    assert.match((await first.getAttribute("title"))!, / UTC$/);
  });

  test("with all media hidden, only what is sensitive is called so", async (t) => {
    const eve = await server.person("eve");
    const media_ids = [await upload(eve, "A safe owl")];
    const { id } = await eve.post("/api/v1/statuses", { status: "Safe", media_ids }).ok();
    await eve.patch("/api/v1/preferences", { "reading:expand:media": "hide_all" }).ok();
    const { page } = await browser.visit(t, { who: "eve" });
    await open(page, `/@eve/${id}`);
    await page.locator(".post-main .cover summary", { hasText: "Media hidden" }).waitFor();
    await open(page, "/@eve/media");
    await page.locator(".grid-tile", { hasText: "Media hidden" }).waitFor();
  });

  test("the title of a composer ends before the button in its head, in any language", async (t) => {
    const fred = await server.person("fred");
    await fred.patch("/api/v1/preferences", { locale: "de" }).ok();
    const { page } = await browser.visit(t, { who: "fred", size: PHONE });
    const { id } = await fred.post("/api/v1/statuses", { status: "Neu" }).ok();
    await open(page, `/@fred/${id}`);
    await page.locator(".post-main .act-more").click();
    await page.getByRole("menuitem", { name: "Bearbeiten" }).click();
    await page.locator("dialog .editor").waitFor();
    const button = (await page.locator(`dialog ${SEND}`).boundingBox())!;
    const title = (await page.locator("dialog .sheet-head h2").boundingBox())!;
    assert.ok(title.x + title.width <= button.x, JSON.stringify([title, button]));
  });

  test("the same people are shown wherever people are shown, and none whom one follows", async (t) => {
    const carol = await server.person("carol");
    const listed = { discoverable: true };
    await carol.patch("/api/v1/accounts/update_credentials", listed).ok();
    await alice.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
    const { page } = await browser.visit(t, { who: "alice", size: DESK });
    for (const path of ["/explore/people", "/welcome", "/home"]) {
      await open(page, path);
      const place = path === "/home" ? ".around" : "main";
      await page.locator(`${place} .handle`).first().waitFor();
      const handles = await page.locator(`${place} .handle`).allTextContents();
      const names = handles.map((text) => text.trim().split("@")[1]);
      assert.deepEqual(names, ["carol"], path);
    }
  });

  test("a paragraph begins at its own side, and paper has the post alone", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/@bob");
    const bidi = "getComputedStyle(document.querySelector('.text p')).unicodeBidi";
    assert.equal(await page.evaluate(bidi), "plaintext");
    await page.emulateMedia({ media: "print" });
    for (const gone of [".side", ".post-acts", ".aside"])
      assert.equal(await page.locator(gone).first().isVisible(), false, gone);
    assert.equal(await page.locator(".post .text").first().isVisible(), true);
  });

  test("paper has the opened post whole, and others as they are shown", async (t) => {
    const post = (json: object) => bob.post("/api/v1/statuses", json).ok();
    const { id } = await post({ status: "What the warning hides", spoiler_text: "Owls" });
    await post({ status: "Hidden below, too", spoiler_text: "Mice", in_reply_to_id: id });
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/@bob/${id}`);
    const hidden = page.getByText("What the warning hides");
    const below = page.getByText("Hidden below, too");
    assert.equal(await hidden.isVisible(), false);
    await page.emulateMedia({ media: "print" });
    assert.equal(await hidden.isVisible(), true);
    assert.ok((await hidden.boundingBox())!.height > 0);
    assert.equal(await page.locator(".post", { has: below }).isVisible(), true);
    assert.equal(await below.isVisible(), false);
  });

  for (const theme of ["dark", "contrast"])
    test(`paper is white whatever the screen is: ${theme}`, async (t) => {
      const { page, context } = await browser.visit(t, { who: "alice", dark: true });
      const [name, value] = ["rookery_look", `theme-${theme}`];
      await context.addCookies([{ name, value, url: server.url }]);
      await open(page, `/@bob/${pictures}`);
      assert.equal(await page.locator(".offered").first().isVisible(), true);
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      assert.equal(await page.evaluate("document.documentElement.dataset.theme"), theme);
      const scheme = "getComputedStyle(document.documentElement).colorScheme";
      assert.equal(await page.evaluate(scheme), "light");
      for (const part of ["h1", ".post-author .name", ".post-main .text", ".post-facts"]) {
        const colour = `getComputedStyle(document.querySelector(${JSON.stringify(part)})).color`;
        const channels = String(await page.evaluate(colour))
          .match(/\d+/g)!
          .map(Number);
        assert.ok(Math.max(...channels) < 128, `${part}: ${channels}`);
      }
      assert.equal(await page.locator(".offered").first().isVisible(), false);
    });

  test("rows of tabs reach both edges of a phone, and are high enough for a finger", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, touch: true });
    for (const path of ["/notifications", "/drafts", "/search?q=owl", "/explore", "/@bob"]) {
      await open(page, path);
      const row = page.locator(".tabs").first();
      const { x, width } = (await row.boundingBox())!;
      const { width: room } = (await page.locator("main").boundingBox())!;
      assert.deepEqual([x, width], [0, room], path);
      const { height } = (await row.locator("a").first().boundingBox())!;
      assert.ok(height >= 44, `${path}: ${height}`);
    }
  });

  test("the bar of a phone ends with one's own face, which leads to all that has no room in it", async (t) => {
    const { page } = await browser.visit(t, {
      who: "alice",
      ownSession: true,
      size: PHONE,
      touch: true,
    });
    await open(page, "/home");
    const bar = page.locator(".side nav a:visible");
    assert.deepEqual(
      await bar.evaluateAll((links: any[]) => links.map((link) => link.getAttribute("href"))),
      ["/home", "/notifications", "/explore", "/search", "/you"],
    );
    await bar.last().tap();
    await page.getByRole("heading", { name: "You", exact: true }).waitFor();
    const rows = page.locator("main .settings-row");
    assert.deepEqual(
      [await rows.first().innerText(), await rows.last().innerText()],
      ["This server", "Sign out"],
    );
    await rows.filter({ hasText: "Bookmarks" }).tap();
    await page.waitForURL("**/bookmarks");
    assert.equal(await bar.last().getAttribute("aria-current"), "page");
    await bar.last().tap();
    await rows.filter({ hasText: "Settings" }).tap();
    // What is typed is found at once; the button leads to the field.
    await page.getByRole("button", { name: "Search settings" }).tap();
    await until(page, "document.activeElement.name === 'q'");
    await page.getByPlaceholder("Search settings").fill("theme");
    await until(page, "document.querySelectorAll('main .settings-row').length === 1");
    await rows.first().tap();
    // A choice is saved as it is made, and keeps the focus.
    const spacing = page.getByLabel("Spacing");
    await spacing.focus();
    await spacing.selectOption({ index: 1 });
    await page.getByText("Your choices for this browser are saved.").waitFor();
    assert.equal(await page.evaluate("document.activeElement.name"), "density");
    assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
  });

  test("the column beside a page says what is on here", async (t) => {
    const starts_at = new Date(Date.now() + 86_400_000).toISOString();
    const event = { name: "A walk to the hide", starts_at };
    await bob.post("/api/v1/statuses", { status: "Who comes? #herons", event }).ok();
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    const around = page.locator(".around");
    await around.getByRole("link", { name: "A walk to the hide" }).waitFor();
    await around.getByRole("heading", { name: "People to follow" }).waitFor();
    await around.getByRole("link", { name: "#herons" }).waitFor();
    await page.locator(".about").getByRole("link", { name: "Rules" }).waitFor();
  });

  test("a sheet is as high as its content, at the bottom of a phone", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, touch: true });
    await open(page, "/home");
    await page.locator("#main").focus();
    await page.keyboard.press("?");
    const keys = (await page.locator("dialog.keys").boundingBox())!;
    assert.ok(keys.height < PHONE.height, JSON.stringify(keys));
    await page.keyboard.press("Escape");
    await open(page, "/@bob");
    await page.locator(".menu-button").tap();
    await page.getByRole("menuitem", { name: /^Block/ }).tap();
    const sheet = (await page.locator("dialog.page-sheet").boundingBox())!;
    assert.ok(sheet.height < PHONE.height / 2, JSON.stringify(sheet));
    assert.ok(Math.abs(sheet.y + sheet.height - PHONE.height) < 1, JSON.stringify(sheet));
  });

  test("a phone’s page to write on looks like the sheet; what was posted is said above the pencil", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE });
    const places: unknown[] = [];
    const boxOf = async (selector: string) => (await page.locator(selector).boundingBox())!;
    for (const path of ["/compose", "/home"]) {
      await open(page, path);
      if (path === "/home") await page.locator(".pencil").click();
      await page.locator(TEXT).fill("From a phone");
      const { x, y } = await boxOf(SEND);
      const [text, reach] = [await boxOf(TEXT), await boxOf(".composer-bottom")];
      places.push([Math.round(x), Math.round(y), text.height]);
      assert.ok(reach.y > 600, `the choices are at ${reach.y}`);
    }
    assert.deepEqual(places[0], places[1]);
    await page.locator(SEND).click();
    await page.locator(".message").getByText("published").waitFor();
    const [said, pencil] = [await boxOf(".message"), await boxOf(".pencil")];
    assert.ok(said.y + said.height <= pencil.y, JSON.stringify([said, pencil]));
  });

  test("what is said stands above the bar of a phone", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, touch: true });
    await open(page, `/@bob/${pictures}`);
    await page.locator(".post-main .act-more").tap();
    await page.getByRole("menuitem", { name: "Copy link" }).tap();
    const message = page.locator(".message:not([hidden])");
    await message.waitFor();
    const said = (await message.boundingBox())!;
    const bar = (await page.locator(".side").boundingBox())!;
    assert.ok(said.y + said.height <= bar.y, JSON.stringify([said, bar]));
  });

  test("a German choice is whole on a phone, beside its label or below it", async (t) => {
    await server.person("dora");
    await server.write`UPDATE users SET locale = 'de'
      WHERE account_id = (SELECT id FROM accounts WHERE username = 'dora')`;
    const options = { who: "dora", locale: "de", scripts: false, size: PHONE };
    const { page } = await browser.visit(t, options);
    await page.goto(`${server.url}/settings/preferences`);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), PHONE.width);
    const selects = page.locator("[data-at-once] select");
    // One that fills its row cannot be wider.
    const cut = await selects.evaluateAll((all) =>
      (all as HTMLElement[])
        .filter((select) => {
          const shown = select.offsetWidth;
          const { width, paddingInlineStart } = getComputedStyle(select.parentElement!);
          if (shown > parseFloat(width) - 2 * parseFloat(paddingInlineStart) - 1) return false;
          Object.assign(select.style, { position: "absolute", width: "max-content" });
          select.style.maxWidth = "none";
          return select.offsetWidth > shown + 1;
        })
        .map((select) => select.id),
    );
    assert.ok((await selects.count()) > 5);
    assert.deepEqual(cut, []);
  });
});

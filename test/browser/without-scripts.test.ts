// The web client without scripts: a member reads and acts by forms, a visitor reads.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setSetting } from "../../src/domain/base/settings/settings.ts";
import { picture } from "../files.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { DESK, PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";

describe("without scripts", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let bob: Person;
  let first: string;

  const post = (json: object): Promise<any> => bob.post("/api/v1/statuses", json).ok();

  before(async () => {
    server = await startTestApp();
    await server.person("alice");
    bob = await server.person("bob");
    first = (await post({ status: "Has anybody seen the #owls?" })).id;
    await post({ status: "Which?", poll: { options: ["Rook", "Owl"], expires_in: 600 } });
    await server.runJobs();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  test("a visitor reads all that is public", async (t) => {
    const { page } = await browser.visit(t, { scripts: false });
    const paths = ["/", "/@bob", `/@bob/${first}`, "/tags/owls", "/public/local"];
    for (const path of paths) {
      const response = await page.goto(server.url + path);
      assert.equal(response!.status(), 200, path);
      assert.match((await page.locator("main").textContent())!, /Has anybody seen/, path);
    }
    for (const path of ["/about", "/privacy-policy", "/@bob/followers"]) {
      const response = await page.goto(server.url + path);
      assert.equal(response!.status(), 200, path);
    }
  });

  test("a member follows, favourites, boosts, votes, posts and answers", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", scripts: false, size: PHONE });
    await page.goto(`${server.url}/@bob`);
    await page.locator(".profile [data-act=follow]").click();
    await page.locator('.profile a[href="/@bob/unfollow"]').waitFor();
    assert.equal(new URL(page.url()).pathname, "/@bob");

    const owls = page.locator("article", { hasText: "Has anybody" }).first();
    for (const act of ["favourite", "reblog", "bookmark"]) {
      await owls.locator(`[data-act=${act}]`).click();
      await owls.locator(`[data-act=un${act}]`).waitFor();
    }
    const poll = page.locator("article", { hasText: "Which?" }).first();
    await poll.locator("label", { hasText: "Owl" }).click();
    await poll.locator("form[data-act=vote] button").click();
    await page.locator("article", { hasText: "Which?" }).first().getByText("100").first().waitFor();

    await page.goto(`${server.url}/home`);
    await page.locator("a[data-act=compose]:visible").click();
    await page.locator("textarea[name=status]").fill("Written by a form");
    await page.locator("form[data-act=post] button.button").click();
    await page.locator("article", { hasText: "Written by a form" }).waitFor();

    await page.goto(`${server.url}/@bob/${first}`);
    await page.locator("textarea[name=status]").first().fill("@bob two of them");
    await page.locator("form[data-act=post] button.button").first().click();
    await page.locator("article", { hasText: "two of them" }).waitFor();
    const { json } = await server.visitor.get(`/api/v1/statuses/${first}/context`);
    assert.equal(json.descendants.length, 1);
  });

  test("the text of a new post stands beside the picture, and has the room of its column", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", scripts: false, size: DESK });
    await page.goto(`${server.url}/home`);
    const form = page.locator("main form[data-act=post]").first();
    const picture = (await form.locator(".avatar").first().boundingBox())!;
    const text = (await form.locator("textarea[name=status]").boundingBox())!;
    assert.ok(text.x >= picture.x + picture.width, `${text.x}, ${picture.x}`);
    assert.ok(text.width > 300, `${text.width} px`);
  });

  test("nothing of it is seen where scripts run, also before the client has come", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: DESK });
    const nothing = { contentType: "text/javascript", body: "" };
    await page.route(/\/client-[^/]*\.js$/, (route) => route.fulfill(nothing));
    await page.goto(`${server.url}/home`);
    const isSeen = `[...document.querySelectorAll("noscript")].map((each) => each.checkVisibility())`;
    const seen = await page.evaluate<boolean[]>(isSeen);
    assert.ok(seen.length > 0);
    assert.deepEqual([...new Set(seen)], [false]);
  });

  test("a member attaches described files, which a refused post keeps", async (t) => {
    const visit = await browser.visit(t, { who: "alice", scripts: false, size: PHONE });
    const { page } = visit;
    visit.allow(/422/);
    await page.goto(`${server.url}/@bob/${first}`);
    await page.getByRole("link", { name: "More options" }).first().click();
    const text = page.getByLabel("Reply to");
    const post = page.getByRole("button", { name: "Reply", exact: true });
    const choose = async (count: number, name: string, buffer: Buffer) => {
      await page.getByLabel(`Attachment ${count} of 4`, { exact: true }).setInputFiles({
        name,
        mimeType: "image/png",
        buffer,
      });
      await page.getByLabel(`Attachment ${count} of 4: describe`).fill(`Called ${name}`);
    };
    await text.fill(`@bob ${"x".repeat(600)}`);
    await page.getByText("Add images").click();
    await choose(1, "red", await picture("png"));
    await choose(3, "unwanted", await picture("png", 32, 32));
    await choose(4, "broken", Buffer.from("no picture"));
    await post.click();
    // The last of them is refused, and the others are there.
    await page.getByRole("alert").waitFor();
    assert.equal(
      await page.getByLabel("Attachment 4 of 4: describe").inputValue(),
      "Called broken",
    );
    await page.getByLabel("Attachment 4 of 4: describe").fill("");
    await page.getByLabel("Mark media as sensitive").check();
    await post.click();
    await page.getByRole("alert").filter({ hasText: "too long" }).waitFor();
    assert.equal(await page.locator(".composer-uploaded img").count(), 2);
    await page.getByLabel("Called unwanted").uncheck();
    await text.fill("@bob with a picture");
    await page.getByText("Add images").click();
    await choose(3, "blue", await picture("png", 48, 48));
    await post.click();
    await page.waitForURL(`**/@bob/${first}`);
    const shown = page.locator("article", { hasText: "with a picture" });
    await shown.locator("img[alt='Called red']").waitFor({ state: "attached" });
    const { json } = await server.visitor.get(`/api/v1/statuses/${first}/context`);
    const posted = json.descendants.find(({ content }: any) => content.includes("with a picture"));
    assert.deepEqual(
      [posted.sensitive, ...posted.media_attachments.map((each: any) => each.description)],
      [true, "Called red", "Called blue"],
    );
  });

  test("what was saved is said on the next page, once", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", scripts: false });
    const said = page.locator("main .notice[role=status]");
    await page.goto(`${server.url}/settings/profile`);
    await page.getByLabel("Display name").fill("Alice of the mill");
    await page.getByRole("button", { name: "Save" }).click();
    await said.getByText("Your profile is saved.", { exact: true }).waitFor();
    assert.equal(await page.getByLabel("Display name").inputValue(), "Alice of the mill");
    await page.goto(`${server.url}/settings/preferences`);
    assert.equal(await said.count(), 0);
    await page.locator("form[action='/web/look'] button").click();
    await said.getByText("Your choices for this browser are saved.").waitFor();
    await page.goto(`${server.url}/compose`);
    await page.locator("textarea[name=status]").fill("Said and done");
    await page.locator("form[data-act=post] button.button").click();
    await said.getByText("Your post has been published.").waitFor();
    await page.goto(`${server.url}/@bob`);
    assert.equal(await said.count(), 0);
    assert.equal(await page.locator("article", { hasText: "Has anybody" }).count(), 1);
  });

  test("a member reads notifications", async (t) => {
    await server.runJobs();
    const { page } = await browser.visit(t, { who: "bob", scripts: false });
    await page.goto(`${server.url}/notifications`);
    assert.match((await page.locator("main").textContent())!, /two of them/);
  });

  test("fields of a profile are moved by scripts alone, and not beyond their ends", async (t) => {
    const path = `${server.url}/settings/profile`;
    const { page: still } = await browser.visit(t, { who: "alice", scripts: false });
    await still.goto(path);
    assert.equal(await still.getByRole("button", { name: "Move up" }).count(), 0);
    const { page } = await browser.visit(t, { who: "alice" });
    await page.goto(path);
    const ends = await page
      .locator(".settings-order button")
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-disabled")));
    assert.deepEqual(ends, [
      "true",
      ...Array.from({ length: ends.length - 2 }, () => null),
      "true",
    ]);
  });

  test("Enter saves what was entered; where there are several acts it does none", async (t) => {
    await server.person("boss", { role: "Owner" });
    await setSetting(server.app, "title", "Rookfield");
    const { page } = await browser.visit(t, { who: "boss", scripts: false });
    await page.goto(`${server.url}/admin/settings/general`);
    await page.fill("[name=title]", "Saltmarsh");
    await Promise.all([page.waitForURL("**/*?done=saved"), page.press("[name=title]", "Enter")]);
    assert.equal(await page.inputValue("[name=title]"), "Saltmarsh");
    await page.getByRole("button", { name: "Use default" }).first().click();
    await page.waitForURL("**/*?done=reset");
    assert.equal(await page.inputValue("[name=title]"), "Rookery");
    await page.goto(`${server.url}/admin/accounts`);
    await page.locator("input.tick").first().press("Space");
    await page.locator("input.tick").first().press("Enter");
    await page.locator("input.tick").first().press("Space");
    assert.equal(new URL(page.url()).pathname, "/admin/accounts");
  });
});

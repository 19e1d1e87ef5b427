// Who may answer, in the web client: chosen while writing and in the preferences, said below the post, changed later;
// with scripts and without.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { PHONE, MORE, SEND, TEXT, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { OVERFLOW } from "./overflow.ts";
import { open } from "./until.ts";
import { newestOf } from "./village.ts";

describe("who may answer", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let limited: { id: string };
  const newest = () => newestOf(alice);

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    await server.person("bob");
    limited = await alice
      .post("/api/v1/statuses", {
        status: "Only for friends of the mill",
        reply_approval_policy: "followers",
      })
      .ok();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  test("is chosen while writing", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, dark: true });
    await open(page, "/compose");
    await page.locator(TEXT).fill(`Nobody answers`);
    await page.click(MORE);
    await page.getByLabel("Who can reply").selectOption({ label: "No replies" });
    await page.getByText("Only you can reply, for example").waitFor();
    assert.equal(await page.evaluate(OVERFLOW), "");
    await page.keyboard.press("Escape");
    await page.locator(SEND).click();
    await page.waitForURL("**/home");
    const { content, reply_approval: approval } = await newest();
    assert.ok(content.includes("Nobody answers"));
    assert.deepEqual(approval.automatic, []);
  });

  test("is said below the post, and its page takes no answer", async (t) => {
    const { page } = await browser.visit(t, { who: "bob", size: PHONE, dark: true });
    await open(page, `/@alice/${limited.id}`);
    await page.getByText("Followers of alice and people mentioned can reply.").first().waitFor();
    await page.getByText("You can’t reply to this post.").waitFor();
    assert.equal(await page.locator("[data-act=reply]").getAttribute("aria-disabled"), "true");
    await page.locator("[data-act=reply]").click({ force: true });
    assert.equal(await page.locator(TEXT).count(), 0);
    assert.equal(await page.evaluate(OVERFLOW), "");
  });

  test("is changed later on a page of its own", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/@alice/${limited.id}/reply_policy`);
    await page.getByLabel("People I mention", { exact: true }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Only people mentioned can reply.").first().waitFor();
    await alice
      .put(`/api/v1/statuses/${limited.id}/interaction_policy`, {
        reply_approval_policy: "followers",
      })
      .ok();
  });

  test("is chosen without scripts, for one post and for all", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", scripts: false });
    await page.goto(`${server.url}/compose?text=plain`);
    await page.locator("select[name=reply_approval_policy]").selectOption("following");
    await page.locator("form.composer .button").click();
    await page.waitForURL("**/home");
    assert.deepEqual((await newest()).reply_approval.automatic, ["following", "mentioned"]);
    await page.goto(`${server.url}/settings/preferences`);
    const usual = page.getByLabel("Who can reply to your posts");
    await usual.selectOption("mentioned");
    await page.locator("form", { has: usual }).getByRole("button").click();
    await page.waitForLoadState();
    const preferences = await alice.get("/api/v1/preferences").ok();
    assert.equal(preferences["posting:default:reply_policy"], "mentioned");
  });
});

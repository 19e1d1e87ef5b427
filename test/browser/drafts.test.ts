// What is not posted yet: drafts, in this browser and on the server, and posts that wait for their time.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { MORE, PHONE, TEXT, startBrowser, withoutChromium } from "./open.ts";
import { answer } from "./question.ts";
import type { TestBrowser } from "./open.ts";
import { open, until, untilQuiet } from "./until.ts";
import { eventually } from "../journeys/eventually.ts";

describe("drafts", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const scheduled = async (): Promise<{ params: { text: string }; scheduled_at: string }[]> =>
    (await alice.get("/api/v1/scheduled_statuses")).json;

  test("a draft is found on its page, opened and deleted", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE });
    await open(page, "/home");
    await page.click(".compose-button");
    await page.locator(TEXT).fill("Half a thought");
    await page.click(MORE);
    await page.getByRole("link", { name: "Drafts", exact: true }).click();
    const entry = page.locator(".unposted", { hasText: "Half a thought" });
    await entry.getByRole("button", { name: "Continue writing" }).click();
    assert.equal(await page.locator(`dialog ${TEXT}`).inputValue(), "Half a thought");
    await page.locator(`dialog ${TEXT}`).fill("A whole thought");
    await page.keyboard.press("Escape");
    const changed = page.locator(".unposted", { hasText: "A whole thought" });
    await changed.getByRole("button", { name: "Delete draft" }).click();
    await answer(page, "Delete draft");
    await page.getByText("No drafts.").waitFor();
    await page.reload();
    await page.getByText("No drafts.").waitFor();
  });

  test("a new post is begun while another one is a draft, and both are kept", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", ownSession: true });
    const drafts = async (): Promise<string[]> => {
      const { json } = await alice.get("/api/v1/drafts");
      return json.map(({ statuses }: any) => statuses[0].status).toSorted();
    };
    await open(page, "/home");
    await page.click(".composer textarea");
    await page.click(MORE);
    const anew = page.getByRole("button", { name: "Keep as a draft and begin another" });
    assert.equal(await anew.count(), 0, "there is nothing to keep");
    await page.keyboard.press("Escape");
    await page.locator(TEXT).fill("The first thought");
    await page.click(MORE);
    await anew.click();
    await page.locator(".message").getByText("Drafts and scheduled").waitFor();
    assert.equal(await page.locator(TEXT).inputValue(), "");
    await until(page, "document.activeElement.matches('.composer-text textarea')");
    await page.keyboard.type("The second thought");
    await eventually("both are kept", async () => {
      return (await drafts()).join() === "The first thought,The second thought";
    });
    await open(page, "/drafts");
    assert.equal(await page.locator(".unposted-text").count(), 2);
    const first = page.locator(".unposted", { hasText: "The first thought" });
    await first.getByRole("button", { name: "Continue writing" }).click();
    assert.equal(await page.locator(`dialog ${TEXT}`).inputValue(), "The first thought");
    await page.keyboard.press("Escape");
    for (const draft of (await alice.get("/api/v1/drafts")).json)
      await alice.delete(`/api/v1/drafts/${draft.id}`);
  });

  test("a draft whose window goes before the server has answered is listed once", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", ownSession: true });
    const drafts = async () => (await alice.get("/api/v1/drafts").ok()).length;
    await open(page, "/home");
    // The server gets the request, and this window no answer.
    await page.route("**/api/v1/drafts", async (route) => {
      if (route.request().method() === "POST") await route.fetch();
      else await route.continue();
    });
    await page.click(".composer textarea");
    await page.locator(TEXT).fill("Cut off");
    await page.click(MORE);
    await page.getByRole("button", { name: "Keep as a draft and begin another" }).click();
    await eventually("the server has it", async () => (await drafts()) === 1);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.goto("/drafts");
    const entry = page.locator(".unposted", { hasText: "Cut off" });
    await entry.getByRole("button", { name: "Continue writing" }).waitFor();
    await untilQuiet(page, async () => {});
    assert.equal(await entry.count(), 1);
    assert.equal(await drafts(), 1);
    await entry.getByRole("button", { name: "Delete draft" }).click();
    await answer(page, "Delete draft");
    await page.getByText("No drafts.").waitFor();
  });

  test("a draft goes on in another browser; changed in both, nothing is lost", async (t) => {
    const [phone, desk] = [
      await browser.visit(t, { who: "alice", size: PHONE, ownSession: true }),
      await browser.visit(t, { who: "alice", dark: true, ownSession: true }),
    ];
    desk.allow(/409/);
    const kept = async (): Promise<string[]> => {
      const { json } = await alice.get("/api/v1/drafts");
      return json.flatMap(({ statuses }: any) => statuses.map(({ status }: any) => status));
    };
    const untilKept = (...texts: string[]) =>
      eventually("the drafts are kept", async () => (await kept()).join() === texts.join());
    await open(desk.page, "/drafts");
    await open(phone.page, "/home");
    await phone.page.click(".compose-button");
    await phone.page.locator(TEXT).fill("Begun here");
    await untilKept("Begun here");

    const entry = desk.page.locator(".unposted", { hasText: "Begun here" });
    await entry.waitFor();
    await entry.getByRole("button", { name: "Continue writing" }).click();
    const field = desk.page.locator(`dialog ${TEXT}`);
    assert.equal(await field.inputValue(), "Begun here");
    await phone.page.locator(TEXT).fill("Gone on here");
    await untilKept("Gone on here");
    await field.fill("Gone on there");
    await untilKept("Gone on there", "Gone on here");
    await desk.page.getByText("changed somewhere else").waitFor();

    await desk.page.locator("dialog .composer-end .button").click();
    await desk.page.locator("dialog").waitFor({ state: "detached" });
    await untilKept("Gone on here");
    await phone.page.click(MORE);
    await phone.page.getByRole("button", { name: "Discard" }).click();
    await answer(phone.page, "Discard");
    await untilKept();
  });

  test("a thread is scheduled as one, and taken back with all of its posts", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE });
    await open(page, "/compose");
    await page.locator(TEXT).fill("The first of two");
    await page.getByRole("button", { name: "Add another post" }).click();
    await page.locator(TEXT).nth(1).fill("The second of two");
    await page.click(MORE);
    await page.getByRole("button", { name: "Publish later" }).click();
    await page.locator(".composer-end .button").click();
    await page.waitForURL("**/home");
    await open(page, "/scheduled");
    const entry = page.locator(".unposted", { hasText: "Thread of 2 posts" });
    await entry.getByRole("button", { name: "Edit", exact: true }).click();
    await page.locator(`dialog ${TEXT}`).nth(1).waitFor();
    assert.equal(await page.locator(`dialog ${TEXT}`).nth(1).inputValue(), "The second of two");
    assert.deepEqual(await scheduled(), []);
    await page.click(MORE);
    await page.getByRole("button", { name: "Discard" }).click();
    await answer(page, "Discard");
    await page.locator("dialog").waitFor({ state: "detached" });
  });

  test("a scheduled post gets another time, and is taken back to be changed", async (t) => {
    const json = {
      status: "Posted later",
      visibility: "private",
      scheduled_at: new Date(Date.now() + 2 * 86_400_000).toISOString(),
    };
    await alice.post("/api/v1/statuses", json);
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/scheduled");
    const field = page.getByLabel("Publish on");
    const time = `${new Date(Date.now() + 4 * 86_400_000).toISOString().slice(0, 10)}T12:30`;
    await field.fill(time);
    await page.getByRole("button", { name: "Change time" }).click();
    await page.getByText("Time changed.").waitFor();
    assert.equal(await field.inputValue(), time);

    await page.getByRole("button", { name: "Edit", exact: true }).click();
    assert.equal(await page.locator(`dialog ${TEXT}`).inputValue(), "Posted later");
    assert.deepEqual(await scheduled(), []);
    await page.locator(`dialog ${TEXT}`).fill("Posted later, changed");
    await page.locator("dialog .composer-end .button").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    const [post] = await scheduled();
    assert.equal(post?.params.text, "Posted later, changed");
  });
});

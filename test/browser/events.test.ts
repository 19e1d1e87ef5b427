// Events in the web client: written, edited, answered by the keyboard and by forms, and who answered.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { MORE, PHONE, SEND, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { OVERFLOW } from "./overflow.ts";
import { open, openHearing, until, untilQuiet } from "./until.ts";
import { newestOf } from "./village.ts";

describe("events", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  const people = {} as Record<"alice" | "bob" | "carol", Person>;
  const party = (more: object = {}) => ({
    event: { name: "Party", starts_at: "2040-05-01T18:00:00Z", place: "Barn", ...more },
  });
  const post = (json: object): Promise<any> => people.alice.post("/api/v1/statuses", json).ok();
  const begin = async (page: Page): Promise<void> => {
    await open(page, "/compose");
    await page.click(MORE);
    await page.getByRole("button", { name: "Event" }).click();
  };
  const pressed = (page: Page) => page.locator(".event button[aria-pressed=true]");

  before(async () => {
    server = await startTestApp();
    for (const name of ["alice", "bob", "carol"] as const) people[name] = await server.person(name);
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  test("answers stay under the hand when one is pressed, which makes it wider", async (t) => {
    await post(party());
    const { page } = await browser.visit(t, { who: "bob" });
    await open(page, "/public/local");
    const yes = page.locator(".event button").first();
    // A press while an earlier one is under way does nothing.
    const answer = async (expected: string | null) => {
      const answered = page.waitForResponse(/\/event\/answer$/);
      await yes.click();
      const { event } = (await (await answered).json()) as { event: { answer: string | null } };
      assert.equal(event.answer, expected);
    };
    for (let width = 380; width <= 480; width += 10) {
      await page.setViewportSize({ width, height: 800 });
      const { x, y } = (await yes.boundingBox())!;
      await answer("yes");
      await pressed(page).waitFor();
      const now = (await yes.boundingBox())!;
      assert.deepEqual([now.x, now.y], [x, y], `at ${width}`);
      await answer(null);
      await pressed(page).waitFor({ state: "detached" });
    }
  });

  test("what others answer changes the counts, not what one has done oneself", async (t) => {
    const { id } = await post(party());
    const { page } = await browser.visit(t, { who: "bob" });
    await openHearing(page, "/public/local");
    const act = async (who: Person): Promise<void> => {
      await who.post(`/api/v1/statuses/${id}/event/answer`, { answer: "yes" }).ok();
      await who.post(`/api/v1/statuses/${id}/react/${encodeURIComponent("🎉")}`).ok();
    };
    const shown = page.locator(`article[data-status="${id}"]`);
    const mine = shown.locator(".reactions button[aria-pressed=true]");
    await act(people.bob);
    await mine.nth(1).waitFor();
    await act(people.carol);
    await server.runJobs();
    await shown.locator(".reactions button", { hasText: "2" }).nth(1).waitFor();
    assert.equal(await mine.count(), 2);
  });

  test("are written and edited", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE, dark: true });
    await begin(page);
    const name = page.getByLabel("Event name");
    await page.locator("[id^=event-]:focus").waitFor();
    await page.click(MORE);
    await page.getByRole("button", { name: "Publish later" }).click();
    await page.locator(".composer-schedule input").fill("2020-01-01T10:00");
    await page.locator(SEND).click();
    await page.locator(".own-words").getByText("Enter a name for the event.").waitFor();
    await page.locator(".own-words").getByText("Choose a time at least").waitFor();
    assert.equal(await page.evaluate("document.activeElement.id.startsWith('event-')"), true);
    await page.getByRole("button", { name: "Publish now" }).click();
    assert.equal(await page.getByRole("button", { name: /either a poll/ }).isDisabled(), true);
    await name.fill("D".repeat(201));
    await page.getByText("The name of the event is too long. Use up to 200 characters.").waitFor();
    await page.locator(SEND).click();
    await until(page, "document.activeElement.id.startsWith('event-')");
    await name.fill(`Dance`);
    await page.getByLabel("Starts").fill("2020-05-01T20:00");
    await page.locator(".event-form").getByText("This event has ended.").waitFor();
    await page.getByLabel("Starts").fill("2040-05-01T20:00");
    await page.getByLabel("Ends (").fill("2040-05-01T19:00");
    await page.getByText("The event has to end after it starts.").waitFor();
    assert.equal(await page.evaluate(OVERFLOW), "");
    await page.locator(SEND).click();
    await until(page, "document.activeElement.value === '2040-05-01T19:00'");
    await page.getByLabel("Ends (").fill("2040-05-02T02:00");
    await page.getByLabel("Place").fill("Barn");
    await page.getByLabel("Place").press("Enter");
    await page.locator(SEND).click();
    await page.waitForURL("**/home");
    const { id, event } = await newestOf(people.alice);
    const at = (text: string): string => new Date(text).toISOString();
    assert.deepEqual(
      [event.name, event.starts_at, event.ends_at, event.place],
      [`Dance`, at("2040-05-01T20:00"), at("2040-05-02T02:00"), "Barn"],
    );
    await open(page, `/@alice/${id}`);
    assert.equal(await page.evaluate(OVERFLOW), "");
    await page.locator(".post-main .act-more").click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    assert.equal(await page.getByRole("button", { name: "Remove event" }).count(), 0);
    await page.getByLabel("Place").fill("Mill");
    await page.locator(SEND).click();
    await page.locator(".event", { hasText: "Mill" }).first().waitFor();
    const changed = await newestOf(people.alice);
    assert.deepEqual(changed.event, { ...event, place: "Mill" });
  });

  test("are in drafts that were begun elsewhere, and in threads that are taken back from the schedule", async (t) => {
    const { page } = await browser.visit(t, { who: "carol" });
    const statuses = [{ status: "begun", event: { name: "Half", starts_at: null } }];
    await people.carol.post("/api/v1/drafts", { statuses }).ok();
    await open(page, "/drafts");
    await page.getByText("begun · Half").waitFor();
    await page.getByRole("button", { name: "Continue writing" }).click();
    assert.equal(await page.getByLabel("Event name").inputValue(), "Half");
    await page.locator(SEND).click();
    await page.getByText("Enter a valid start time for the event.").waitFor();

    const thread = {
      statuses: [{ status: "one" }, { status: "two", ...party() }],
      scheduled_at: "2039-05-01T18:00:00Z",
    };
    await people.carol.post("/api/v1/statuses/thread", thread).ok();
    await open(page, "/scheduled");
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("button", { name: "Publish now" }).click();
    assert.equal(await page.getByLabel("Place").inputValue(), "Barn");
    await untilQuiet(page, () => page.locator(SEND).click());
    assert.equal((await newestOf(people.carol)).event.place, "Barn");
  });

  test("are answered by the keyboard, and taken back", async (t) => {
    const { id } = await post({ status: "come", ...party() });
    const path = `/api/v1/statuses/${id}`;
    const answerOf = async () => (await people.bob.get(path).ok()).event.answer;
    const { page } = await browser.visit(t, { who: "bob", size: PHONE });
    await open(page, `/@alice/${id}`);
    assert.equal(
      await page.locator(".event time").getAttribute("datetime"),
      "2040-05-01T18:00:00.000Z",
    );
    await page.getByRole("group", { name: "Are you going?" }).getByRole("button").first().focus();
    const press = (key: string) => untilQuiet(page, () => page.keyboard.press(key));
    const button = (name: string) => page.locator(".event").getByRole("button", { name });
    await press("Enter");
    await button("Yes 1").waitFor();
    await press("Tab");
    await press("Space");
    await button("Maybe 1").waitFor();
    assert.match((await pressed(page).allTextContents()).join(), /^✓ Maybe 1$/);
    assert.equal(await answerOf(), "maybe");
    await press("Space");
    await button("Maybe 0").waitFor();
    assert.equal(await pressed(page).count(), 0);
    assert.equal(await answerOf(), null);
    const file = await page.request.get(
      (await page.locator(".event a[download]").getAttribute("href"))!,
    );
    assert.match(await file.text(), /SUMMARY:Party/);
  });

  test("are answered without scripts, and their author sees by whom", async (t) => {
    const { id } = await post({ status: "come without", ...party() });
    const visit = await browser.visit(t, { who: "bob", scripts: false });
    await visit.page.goto(`/@alice/${id}`);
    await visit.page.getByRole("button", { name: "No 0" }).click();
    await visit.page.getByRole("button", { name: "No 1", pressed: true }).click();
    await visit.page.getByRole("button", { name: "Yes 0" }).click();
    await visit.page.getByRole("button", { name: "Yes 1", pressed: true }).waitFor();
    assert.equal(await pressed(visit.page).count(), 1);

    const { page } = await browser.visit(t, { who: "alice", scripts: false, size: PHONE });
    await page.goto(`/@alice/${id}`);
    await page.getByRole("link", { name: "Who responded" }).click();
    await page.locator("main").getByText("@bob").waitFor();
    await page.getByRole("navigation", { name: "Responses" }).getByText("Maybe").click();
    await page.getByText("Nobody has responded like this.").waitFor();
    assert.equal(await page.evaluate(OVERFLOW), "");
  });

  test("of the past say so, and visitors see counts", async (t) => {
    const over = await post({ status: "was", ...party({ starts_at: "2020-05-01T18:00:00Z" }) });
    const { id } = await post({ status: "will be", ...party() });
    await people.bob.post(`/api/v1/statuses/${id}/event/answer`, { answer: "yes" }).ok();
    const { page } = await browser.visit(t, { who: "bob" });
    await open(page, `/@alice/${over.id}`);
    await page.locator(".event", { hasText: "Ended" }).waitFor();
    assert.equal(await page.locator(".event button").count(), 0);
    const visitor = await browser.visit(t);
    await open(visitor.page, `/@alice/${id}`);
    await visitor.page.locator(".event li", { hasText: "Yes 1" }).waitFor();
    await visitor.page.locator(".event").getByRole("link", { name: "Respond" }).click();
    await visitor.page.getByRole("heading", { name: "Respond to this event" }).waitFor();
  });
});

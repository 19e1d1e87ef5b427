// The server judges what was entered in a form, as axe.test.ts expects of every page: it says beside each wrong field
// what is wrong, in the language of the page, and leads to the first.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { eventually } from "../journeys/eventually.ts";
import { PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { addresses, makeWholeVillage } from "./pages.ts";
import type { Village } from "./village.ts";
import { open } from "./until.ts";

type Form = { action: string; required: string[] };

/** Says of each form of a document where it leads, and which of its fields have to be filled in. */
const formsAt = (page: Page, address: string): Promise<Form[]> =>
  page.evaluate(`(async () => {
    const request = new XMLHttpRequest();
    request.open("GET", ${JSON.stringify(address)});
    request.setRequestHeader("accept", "text/html");
    request.responseType = "document";
    await new Promise((resolve) => {
      request.onloadend = resolve;
      request.send();
    });
    return [...request.response.forms].map((form) => ({
      action: new URL(form.action, location.href).pathname,
      required: [...form.elements].filter((field) => field.required).map((field) => field.id),
    }));
  })()`);

const unfoldAll = (page: Page): Promise<void> =>
  page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");

type Wrong = { at: string; fields: Record<string, string>; says: RegExp };

/** What is refused in forms that also take something, by their addresses in the village. */
const WRONG: readonly Wrong[] = [
  { at: "/@:acct/note", fields: { comment: "x".repeat(2001) }, says: /2.000 Zeichen/ },
  { at: "/@:acct/report", fields: { comment: "x".repeat(1001) }, says: /1.000 Zeichen/ },
  {
    at: "/@:acct/:id(\\d+)/boost_later",
    fields: { scheduled_at: "2020-01-01T10:00" },
    says: /5 Minuten/,
  },
  { at: "/scheduled", fields: { scheduled_at: "2020-01-01T10:00" }, says: /5 Minuten/ },
  { at: "/groups", fields: { name: "two words" }, says: /Buchstaben/ },
  { at: "/lists", fields: { title: "x".repeat(257) }, says: /256 Zeichen/ },
  { at: "/welcome", fields: { display_name: "x".repeat(41) }, says: /40 Zeichen/ },
  {
    at: "/settings/profile",
    fields: {
      display_name: "x".repeat(41),
      note: "x".repeat(501),
      "fields_attributes[1][name]": "",
      "fields_attributes[1][value]": "The mill",
    },
    says: /Zeichen|Beschriftung|Bezeichnung|Namen/,
  },
];

const BLANK = /Fill this in|Enter a valid date and time|Enter your full handle/;

const isFocused = (field: Locator): Promise<boolean> =>
  field.evaluate((element) => element === document.activeElement);

/** Expects that each of these fields, and no other, says what is wrong with it, and that the first has the focus. */
const expectMarks = async (form: Locator, ids: readonly string[], says: RegExp): Promise<void> => {
  const invalid = form.locator('[aria-invalid="true"]');
  await invalid.first().waitFor();
  const marked = await invalid.evaluateAll((fields) => fields.map(({ id }) => id));
  assert.deepEqual(marked, ids);
  await eventually("the focus", () => isFocused(invalid.first()));
  for (const field of await invalid.all()) {
    const about = ((await field.getAttribute("aria-describedby")) ?? "").split(" ").at(-1);
    const fault = form.locator(`[id="${about}"]`);
    assert.match((await fault.textContent())!, says);
    assert.equal(await fault.getAttribute("role"), "alert");
  }
};

describe("forms of the client", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let village: Village;

  before(async () => {
    server = await startTestApp();
    village = await makeWholeVillage(server);
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  test("say beside each field that was left empty that it is, wherever they are", async (t) => {
    const swept: string[] = [];
    const [alice, visitor] = [{ who: "alice", size: PHONE }, { size: PHONE }];
    const member = await browser.visit(t, alice);
    const stranger = await browser.visit(t, visitor);
    for (const { page, allow } of [member, stranger]) {
      allow(/status of 4\d\d/);
      await open(page, "/about");
    }
    for (const [path, address] of Object.entries(addresses(village))) {
      const { page } = path.startsWith("/interact") ? stranger : member;
      for (const { action, required } of await formsAt(page, address)) {
        if (required.length === 0 || swept.includes(action)) continue;
        swept.push(action);
        await open(page, address);
        await unfoldAll(page);
        const fields = required.map((id) => page.locator(`[id="${id}"]`));
        for (const field of fields) await field.fill("");
        const form = page.locator("form", { has: fields[0]! });
        await form.locator("button:not([type=button])").last().click();
        await expectMarks(form, required, BLANK);
      }
    }
    assert.ok(swept.length >= 11, swept.join());
  });

  for (const { at, fields, says } of WRONG)
    test(`say what else is wrong in the reader's language: ${at}`, async (t) => {
      await village.alice.patch("/api/v1/preferences", { locale: "de" }).ok();
      const { page, allow } = await browser.visit(t, { who: "alice" });
      allow(/status of 4\d\d/);
      await open(page, addresses(village)[at]!);
      await unfoldAll(page);
      const named = (name: string) => page.locator(`[id^="${name}"]:not([type=hidden])`).first();
      for (const [name, text] of Object.entries(fields)) {
        await named(name).evaluate((field) => field.removeAttribute("maxlength"));
        await named(name).fill(text);
      }
      const form = page.locator("form", { has: named(Object.keys(fields)[0]!) }).first();
      await form.locator("button:not([type=button]):not([formaction])").last().click();
      const wrong = Object.keys(fields).filter((name) => !name.endsWith("[value]"));
      const ids = await Promise.all(
        wrong.map(async (name) => (await named(name).getAttribute("id"))!),
      );
      await expectMarks(form, ids, says);
    });

  test("a new password stays in its form where the current one is wrong; without scripts it is asked for again", async (t) => {
    for (const scripts of [true, false]) {
      const { page, allow } = await browser.visit(t, { who: "bob", scripts, size: PHONE });
      allow(/status of 422/);
      await page.goto("/settings/password");
      const [current, password] = ["current_password", "password"].map((name) =>
        page.locator(`[name=${name}]`),
      ) as [Locator, Locator];
      await password.fill("four unrelated words");
      await page.locator("form:has([name=password]) .button").click();
      const blank = page.getByText("Fill this in.");
      await blank.waitFor();
      assert.equal(await current.getAttribute("aria-invalid"), "true");
      await eventually("the focus", () => isFocused(current));
      assert.equal(await password.inputValue(), scripts ? "four unrelated words" : "");
      const again = page.getByText("Enter this again");
      assert.equal(await again.count(), scripts ? 0 : 1);
      assert.ok(!(await page.content()).includes("four unrelated words"));
      if (!scripts) continue;
      await current.fill("correct horse");
      await page.locator("form:has([name=password]) .button").click();
      await page.waitForURL(/done=password/);
      assert.equal(await blank.count(), 0);
    }
  });
});

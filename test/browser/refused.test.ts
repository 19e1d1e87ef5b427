// Forms that are refused, with scripts and without: what was entered stays, the fault is beside its field, and the
// corrected form is saved.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { eventually } from "../journeys/eventually.ts";
import { DESK, PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open } from "./until.ts";

type Case = {
  name: string;
  path: string;
  action: string;
  /** Enters what is refused in this field, beside something that is kept. */
  field: string;
  wrong: string;
  right: string;
  says: RegExp;
  /** Another field, which keeps what was entered. */
  kept?: readonly [name: string, text: string];
  open?: (page: Page) => Promise<void>;
};

/** Unfolds what has the field. */
const unfold = async (page: Page, field: string): Promise<void> => {
  const folded = page.locator("details:not([open])", { has: page.locator(`[name=${field}]`) });
  if (await folded.count()) await folded.locator("summary").click();
};

const CASES: readonly Case[] = [
  {
    name: "profile",
    path: "/settings/profile",
    action: "/web/act/accounts/update_credentials",
    field: "note",
    wrong: "x".repeat(501),
    right: "I like owls",
    says: /too long\. Enter up to 500 characters/,
    kept: ["display_name", "Ada"],
  },
  {
    name: "labels of the profile",
    path: "/settings/profile",
    action: "/web/act/accounts/update_credentials",
    field: "fields_attributes[1][name]",
    wrong: "",
    right: "Home",
    says: /Give each row a label/,
    kept: ["fields_attributes[1][value]", "The mill"],
  },
  {
    name: "filter",
    path: "/settings/filters",
    action: "/web/act/filters",
    field: "keywords_attributes[0][keyword]",
    wrong: "x".repeat(513),
    right: "herons",
    says: /too long\. Enter up to 512 characters/,
    kept: ["title", "Birds"],
  },
  {
    name: "blocked server",
    path: "/settings/domain_blocks",
    action: "/web/act/domain_blocks",
    field: "domain",
    wrong: "no domain!",
    right: "mill.example",
    says: /Enter the name of a server/,
  },
  {
    name: "featured hashtag",
    path: "/settings/profile",
    action: "/web/act/featured_tags",
    field: "name",
    wrong: "no tag!",
    right: "owls",
    says: /letters, digits and underscores/,
  },
  {
    name: "list",
    path: "/lists",
    action: "/web/act/lists",
    field: "title",
    wrong: "   ",
    right: "Friends",
    says: /Fill this in/,
  },
  {
    name: "group",
    path: "/groups",
    action: "/web/act/groups",
    field: "name",
    wrong: "alice",
    right: "owlers",
    says: /already taken/,
    kept: ["display_name", "Owls"],
    open: (page) => unfold(page, "name"),
  },
];

const isFocused = (field: Locator): Promise<boolean> =>
  field.evaluate((element) => element === document.activeElement);

describe("refused forms", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  const people: Record<string, Person> = {};

  before(async () => {
    server = await startTestApp();
    for (const name of ["alice", "bob", "carl"]) people[name] = await server.person(name);
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  for (const [who, scripts, size] of [
    ["alice", true, DESK],
    ["bob", false, PHONE],
  ] as const)
    for (const each of CASES)
      test(`${each.name} ${scripts ? "with" : "without"} scripts`, async (t) => {
        const { page, allow } = await browser.visit(t, { who, scripts, size });
        allow(/status of 422/);
        const address = server.url + each.path;
        await (scripts ? open(page, address) : page.goto(address));
        await each.open?.(page);
        const form = page.locator(`form[action="${each.action}"]`);
        const field = form.locator(`[name="${each.field}"]:not([type=hidden])`);
        const kept = each.kept && form.locator(`[name="${each.kept[0]}"]`);
        if (each.kept) await kept!.fill(each.kept[1]);
        await field.fill(each.wrong);
        await form.locator("button:not([formaction]):not([type=button])").last().click();

        const invalid = form.locator('[aria-invalid="true"]');
        await invalid.waitFor();
        assert.equal(await invalid.getAttribute("name"), each.field);
        assert.equal(await field.inputValue(), each.wrong);
        if (each.kept) assert.equal(await kept!.inputValue(), each.kept[1]);
        const about = (await field.getAttribute("aria-describedby"))!.split(" ");
        const fault = page.locator(`[id="${about.at(-1)}"]`);
        assert.match((await fault.textContent())!, each.says);
        await eventually("the focus", () => isFocused(field));
        const id = await field.getAttribute("id");
        assert.ok(await page.locator(`label[for="${id}"]`).isVisible());

        await field.fill(each.right === "owlers" ? `${each.right}_${who}` : each.right);
        await form.locator("button:not([formaction]):not([type=button])").last().click();
        await invalid.waitFor({ state: "detached" });
      });

  test("a filter for no place and of any letters says so beside the places, which stay empty, and the word", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "carl", scripts: false });
    allow(/status of 422/);
    await page.goto(`${server.url}/settings/filters`);
    await page.fill("[name=title]", "Birds");
    await page.fill("[name='keywords_attributes[0][keyword]']", "*");
    await page.check("input[type=checkbox][name='keywords_attributes[0][wildcards]']");
    for (const box of await page.locator("[name='context[]']").all()) await box.uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    const fault = page.getByText("Choose at least one.");
    await fault.waitFor();
    const colour = (element: Element) => getComputedStyle(element).color;
    const notice = page.locator(".column-head + .notice");
    assert.equal(await notice.evaluate(colour), await fault.evaluate(colour));
    assert.equal(await page.locator("[name='context[]']:checked").count(), 0);
    assert.equal(await page.inputValue("[name=title]"), "Birds");
    const word = page.locator("[name='keywords_attributes[0][keyword]']");
    assert.equal(await word.getAttribute("aria-invalid"), "true");
    await word.fill("heron*");
    await page.getByLabel("Home").check();
    await page.getByRole("button", { name: "Save" }).click();
    await fault.waitFor({ state: "detached" });
    const [filter] = await people["carl"]!.get("/api/v2/filters").ok();
    assert.equal(filter.keywords[0].wildcards, true);
  });

  for (const scripts of [true, false])
    test(`what is wrong in the folded settings of a group is in sight ${scripts ? "with" : "without"} scripts`, async (t) => {
      const name = `owls_${scripts ? "a" : "b"}`;
      const { json: group } = await people["carl"]!.post("/api/v1/groups", { name });
      const { page, allow } = await browser.visit(t, { who: "carl", scripts, size: PHONE });
      allow(/status of 422/);
      const address = `${server.url}/groups/${group.id}`;
      await (scripts ? open(page, address) : page.goto(address));
      await unfold(page, "display_name");
      const form = page.locator(`form[action="/web/act/groups/${group.id}"]`);
      await form.locator("[name=display_name]").fill("Owls of the mill");
      await form.locator("[name='rules[]']").first().fill("No mobbing");
      const file = { name: "broken.png", mimeType: "image/png", buffer: Buffer.from("no picture") };
      await form.locator("[name=avatar]").setInputFiles(file);
      const saving = form.getByRole("button", { name: "Save" });
      await saving.click();
      await form.getByText("This image can’t be used").waitFor();
      assert.equal(await form.locator("[name=avatar]").getAttribute("aria-invalid"), "true");
      assert.equal(await form.locator("[name=display_name]").inputValue(), "Owls of the mill");
      assert.equal(await form.locator("[name='rules[]']").first().inputValue(), "No mobbing");
      await form.locator("[name=avatar]").setInputFiles([]);
      await saving.click();
      await form.locator("[aria-invalid]").waitFor({ state: "detached" });
      const { json } = await people["carl"]!.get(`/api/v1/groups/${group.id}`);
      assert.deepEqual(
        [json.account.display_name, json.rules],
        ["Owls of the mill", ["No mobbing"]],
      );
    });

  test("what was saved elsewhere is seen, with scripts as without, and a second press replaces it", async (t) => {
    const carl = people["carl"]!;
    const { id } = await carl.post("/api/v1/lists", { title: "Birds" }).ok();
    const { page, allow } = await browser.visit(t, { who: "carl", size: PHONE, dark: true });
    allow(/status of 4(?:09|22)/);
    await open(page, `/lists/${id}/edit`);
    await page.getByLabel("Name").fill("Rooks");
    await carl.put(`/api/v1/lists/${id}`, { title: "Owls", exclusive: true }).ok();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("This was saved elsewhere").waitFor();
    await page.getByText("Saved now: Owls").waitFor();
    assert.equal(await page.getByLabel("Name").inputValue(), "Rooks");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The list is saved.").waitFor();
    assert.equal((await carl.get(`/api/v1/lists/${id}`).ok()).title, "Rooks");
    await page.getByLabel("Name").fill("Crows");
    await carl.put(`/api/v1/lists/${id}`, { title: "Swans" }).ok();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Discard mine" }).click();
    await page.waitForURL(`**/lists/${id}/edit`);
    assert.equal(await page.getByLabel("Name").inputValue(), "Swans");
  });

  for (const scripts of [true, false])
    test(`a time too early for a scheduled post stays ${scripts ? "with" : "without"} scripts`, async (t) => {
      const at = new Date(Date.now() + 86_400_000).toISOString();
      const post = { status: "Owls at night", scheduled_at: at };
      assert.equal((await people["carl"]!.post("/api/v1/statuses", post)).status, 200);
      const { page, allow } = await browser.visit(t, { who: "carl", scripts, size: PHONE });
      allow(/status of 422/);
      await (scripts
        ? open(page, `${server.url}/scheduled`)
        : page.goto(`${server.url}/scheduled`));
      const form = page
        .locator("article form", { has: page.locator("[type=datetime-local]") })
        .first();
      const field = form.locator("[type=datetime-local]");
      const early = new Date(Date.now() + 120_000).toISOString().slice(0, 16);
      await field.fill(early);
      await form.getByRole("button").click();
      await form.getByText("Choose a time at least 5 minutes from now.").waitFor();
      assert.equal(await field.inputValue(), early);
      await eventually("the focus", () => isFocused(field));
    });

  test("what was corrected is saved", async () => {
    for (const person of [people["alice"]!, people["bob"]!]) {
      const get = async (path: string): Promise<any> => (await person.get(path)).json;
      const { source, display_name: name } = await get("/api/v1/accounts/verify_credentials");
      assert.equal(source.note, "I like owls");
      assert.equal(name, "Ada");
      assert.deepEqual(
        source.fields.map((field: { name: string; value: string }) => [field.name, field.value]),
        [["Home", "The mill"]],
      );
      const [filter] = await get("/api/v2/filters");
      assert.equal(filter.title, "Birds");
      assert.deepEqual(
        filter.keywords.map(({ keyword }: { keyword: string }) => keyword),
        ["herons"],
      );
      assert.deepEqual(await get("/api/v1/domain_blocks"), ["mill.example"]);
      assert.equal((await get("/api/v1/lists"))[0].title, "Friends");
      assert.equal((await get("/api/v1/featured_tags"))[0].name, "owls");
    }
  });

  test("a picture that cannot be opened is refused beside its field, and nothing is thrown", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const thrown: string[] = [];
    page.on("pageerror", (error) => thrown.push(error.message));
    await open(page, `${server.url}/settings/profile`);
    const field = page.locator("input[name=avatar]");
    const file = { name: "broken.png", mimeType: "image/png", buffer: Buffer.from("no picture") };
    await field.setInputFiles(file);
    await page.getByText("This file can’t be opened as an image").waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    assert.equal(await field.getAttribute("aria-describedby"), "avatar-fault");
    assert.deepEqual(thrown, []);
  });
});

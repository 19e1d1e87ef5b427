// Groups in the web client: made, read about on their profile, and moderated; wide and narrow, light and dark, with
// scripts and without.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { DESK, PHONE, TEXT, startBrowser, withoutChromium } from "./open.ts";
import { answer, questionOf } from "./question.ts";
import type { TestBrowser } from "./open.ts";
import { OVERFLOW } from "./overflow.ts";
import { open } from "./until.ts";

describe("groups", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  const people = {} as Record<"alice" | "bob" | "carol", Person>;
  before(async () => {
    server = await startTestApp();
    for (const name of ["alice", "bob", "carol"] as const) people[name] = await server.person(name);
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const [size, dark, scripts] of [
    [DESK, false, true],
    [PHONE, true, false],
  ] as const) {
    const how = `${size.width} wide, ${scripts ? "with" : "without"} scripts`;
    test(`are made and moderated, ${how}`, async (t) => {
      const name = `moss_${size.width}_${scripts}`;
      const { page } = await browser.visit(t, { who: "alice", size, dark, scripts });
      const visit = async (path: string) => {
        if (scripts) await open(page, path);
        else await page.goto(path);
        assert.equal(await page.evaluate(OVERFLOW), "", path);
      };
      await visit("/groups");
      await page.getByText("New group").click();
      assert.equal(await page.evaluate(OVERFLOW), "", "the form of a new group");
      await page.getByLabel("Username (can’t be changed later)").fill(name);
      await page.getByLabel("Who can join").selectOption("true");
      await page.getByLabel("When posts appear").selectOption("true");
      await page.getByLabel("Rule 1").fill("Be kind.");
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByRole("link", { name, exact: false }).first().waitFor();
      const [group] = await people.alice.get("/api/v1/groups").ok();
      assert.deepEqual([group.rules, group.holds_posts], [["Be kind."], true]);
      assert.equal(group.account.locked, true);

      const reader = await browser.visit(t, { who: "carol", size, dark, scripts });
      await reader.page.goto("/groups");
      await reader.page.locator(".person-card", { hasText: name }).getByRole("button").waitFor();
      for (const who of [people.bob, people.carol])
        await who.post(`/api/v1/accounts/${group.id}/follow`).ok();
      const desk = `/groups/${group.id}`;
      await visit(desk);
      await page.getByRole("button", { name: "Accept: bob" }).click();
      await page.getByRole("button", { name: "Accept: bob" }).waitFor({ state: "detached" });
      const status = `@${name} which moss is this?`;
      const post = await people.bob.post("/api/v1/statuses", { status }).ok();
      await server.runJobs();
      const author = await browser.visit(t, { who: "bob", size, dark, scripts });
      await author.page.goto(`/@bob/${post.id}`);
      await author.page.getByText(`Waiting for approval by the moderators of ${name}.`).waitFor();
      if (scripts) await open(author.page, `/@${name}`);
      else await author.page.goto(`/@${name}`);
      await author.page.getByRole("button", { name: "Post to this group" }).click();
      const field = author.page.locator(scripts ? TEXT : "[name=status]").last();
      await field.waitFor();
      assert.equal(await field.inputValue(), `@${name} `);
      await author.page.goto("/groups");
      assert.equal(await author.page.locator(".person-card", { hasText: name }).count(), 0);
      await visit(desk);
      // Carol's request and bob's post; in narrow windows the menu is on a page of its own.
      if (size === DESK) await page.getByRole("link", { name: /Groups 2 waiting/ }).waitFor();
      await visit("/groups");
      const names = page.locator(".person", { hasText: "waiting" }).locator(".name");
      const isCut = ({ scrollWidth, offsetWidth }: HTMLElement) => scrollWidth > offsetWidth;
      assert.equal(await names.first().evaluate(isCut), false);
      await visit(desk);
      await page.getByRole("button", { name: "Approve: bob" }).click();
      await page.getByRole("button", { name: "Approve: bob" }).waitFor({ state: "detached" });
      await server.runJobs();
      await visit(`/@${name}`);
      await page.getByText("which moss is this?").first().waitFor();
      await page.getByText("Be kind.").waitFor();
      await page.getByRole("link", { name: "Moderate group" }).click();
      await page.waitForURL(`**${desk}`);
      if (scripts) {
        const remove = page.getByRole("button", { name: "Remove: bob" });
        await remove.click();
        await questionOf(page).getByText("Remove this post by bob from the group?").waitFor();
        await answer(page, "Cancel");
        assert.equal(await remove.evaluate((button) => button === document.activeElement), true);
      }
      await page.getByRole("button", { name: "Remove: bob" }).click();
      if (scripts) await answer(page, "Remove");
      await page.getByText("No posts yet.").waitFor();
      await visit(`${desk}?q=carol`);
      await page.getByRole("button", { name: "Ban: carol" }).click();
      if (scripts) await answer(page, "Ban");
      await page.getByRole("button", { name: "Unban: carol" }).first().waitFor();
      await visit(desk);
      await page.getByText("@alice banned @carol").waitFor();
      await page.getByText("Group settings").click();
      await page.getByLabel("Description").fill("Green");
      assert.equal(await page.evaluate(OVERFLOW), "", "the form of its settings");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("@alice changed the group").waitFor();
      assert.equal((await people.alice.get(`/api/v1/groups/${group.id}`).ok()).note, "Green");
      assert.equal((await people.bob.get(`/api/v1/statuses/${post.id}`).ok()).id, post.id);
    });
  }
});

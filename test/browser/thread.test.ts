// A long thread in the browser: a part of it is drawn, the rest comes as it is scrolled to, opened or asked for; what is
// answered meanwhile is there.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { startLongThread } from "../long-thread.ts";
import type { LongThread } from "../long-thread.ts";
import { DESK, PHONE, SEND, TEXT, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open, openHearing, until, untilAlive, untilStill } from "./until.ts";

/** A post that is drawn has about 40 elements, one that was scrolled past three. */
const MAX_ELEMENTS = 4000;
/** If they were all drawn, they would have three times as many elements as may be. */
const ANSWERS = 300;
/** Posts of the page, with those in the boxes that stand for twenty. */
const POSTS =
  "document.querySelectorAll('main .post').length + 20 * document.querySelectorAll('main .part:empty').length";

describe("a long thread", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let bob: Person;
  let wide: LongThread;
  let deep: LongThread;
  let comb: LongThread;

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    bob = await server.person("bob");
    await alice.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
    const people = [alice, bob] as const;
    wide = await startLongThread(server, people, "wide", ANSWERS);
    deep = await startLongThread(server, people, "deep", ANSWERS);
    comb = await startLongThread(server, people, "comb", ANSWERS);
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const elements = (page: Page): Promise<number> =>
    page.evaluate("document.querySelectorAll('*').length");

  const scrollToEnd = (page: Page): Promise<void> =>
    page.evaluate(`(async () => {
      while (document.querySelector("main .pager")) {
        scrollBy(0, 1500);
        await new Promise(requestAnimationFrame);
      }
    })()`);

  for (const shape of ["wide", "deep"] as const) {
    test(`comes as it is scrolled to, and the document stays small (${shape})`, async (t) => {
      const { page } = await browser.visit(t, { who: "alice" });
      const thread = { wide, deep }[shape];
      await open(page, thread.pathOf(thread.root));
      t.diagnostic(`${await elements(page)} elements at first`);
      await scrollToEnd(page);
      assert.equal(await page.evaluate(POSTS), ANSWERS + 1);
      await untilStill(page);
      const end = await elements(page);
      t.diagnostic(`${end} elements at the end`);
      assert.ok(end <= MAX_ELEMENTS, `${end} elements`);
      // On the way back all that was loaded is there.
      const last = page.locator("main .post").last();
      await last.scrollIntoViewIfNeeded();
      const text = (await last.locator(".text").textContent())!;
      await last.locator(".post-time").click();
      await page.locator(".post-main", { hasText: text }).waitFor();
      await page.goBack();
      await until(page, `${POSTS} === ${ANSWERS + 1}`);
      await last.locator(".text", { hasText: text }).waitFor();
      assert.ok((await elements(page)) <= MAX_ELEMENTS);
    });
  }

  test("is after a reload as far as it was, at the same pixel", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, wide.pathOf(wide.root));
    await scrollToEnd(page);
    await page.evaluate("scrollBy(0, -8000)");
    await untilStill(page);
    const read = (): Promise<[id: string, posts: number, top: number]> =>
      page.evaluate(`(() => {
        const rows = [...document.querySelectorAll("main [data-entry]")];
        const row = rows.find((each) => each.getBoundingClientRect().bottom > 0);
        return [row.dataset.entry, ${POSTS}, row.getBoundingClientRect().top];
      })()`);
    const [id, posts, top] = await read();
    await page.reload();
    await untilAlive(page);
    await until(page, "scrollY > 0");
    await untilStill(page);
    const [sameId, samePosts, sameTop] = await read();
    assert.deepEqual([sameId, samePosts], [id, posts]);
    assert.ok(Math.abs(sameTop - top) < 1, `${top} before, ${sameTop} now`);
  });

  test("is printed without empty boxes", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const short = await startLongThread(server, [alice, bob], "wide", 80);
    await open(page, short.pathOf(short.root));
    await scrollToEnd(page);
    await page.evaluate("scrollTo(0, 0)");
    await until(page, "document.querySelectorAll('main .post:empty').length > 10");
    // Posts that are far from the window are boxes again once they are printed.
    await page.evaluate(
      `addEventListener("afterprint", () => {
        document.body.dataset.empty = document.querySelectorAll("main :is(.post, .part):empty").length;
      })`,
    );
    await page.pdf();
    assert.equal(await page.evaluate("document.body.dataset.empty"), "0");
    await page.emulateMedia({ media: "print" });
    const unseen = await page.evaluate(
      `[...document.querySelectorAll("main .post .text")]
        .filter((each) => !each.checkVisibility({ contentVisibilityAuto: true })).length`,
    );
    assert.equal(unseen, 0);
  });

  test("the post of the page is in view, and what is above it comes on demand", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const id = deep.answers.at(-1)!;
    await open(page, deep.pathOf(id));
    const main = page.locator(".post-main");
    const top = async () => (await main.boundingBox())!.y;
    await until(page, "document.querySelector('main .post:empty') !== null");
    await untilStill(page);
    const { y, height } = (await main.boundingBox())!;
    assert.ok(y >= 0 && y + height <= DESK.height, "also once what is far above has become boxes");
    assert.equal(await page.locator("main .post").first().getAttribute("data-entry"), deep.root);
    const posts = await page.locator("main .post").count();
    await page.evaluate("document.querySelector('.earlier').scrollIntoView()");
    const near = page.locator(`[data-entry="${deep.answers.at(-41)!}"]`);
    const before = (await near.boundingBox())!.y;
    await page.locator(".earlier").click();
    await until(page, `document.querySelectorAll("main .post").length === ${posts + 40}`);
    await untilStill(page);
    const moved = Math.abs((await near.boundingBox())!.y - before);
    assert.ok(moved < 60, `what was read moved by ${moved}`);
    assert.ok((await top()) > 0);
  });

  test("a folded branch is empty until it is opened, and so are those within", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", size: PHONE });
    await open(page, comb.pathOf(comb.root));
    const folded = page.locator(".show-replies a");
    const xOf = (id: string): Promise<number> =>
      page.evaluate(
        `document.querySelector('[data-entry="${id}"] .avatar').getBoundingClientRect().x`,
      );
    for (let level = 0; level < 5; level += 1) {
      const before = await page.locator("main .post").count();
      assert.equal(await folded.count(), 1);
      await folded.click();
      await until(page, `document.querySelectorAll("main .post").length === ${before + 2}`);
      // The first of what was opened has the focus, as the link is gone.
      await until(
        page,
        `document.activeElement.matches('[data-entry="${comb.answers[2 * level + 4]}"]')`,
      );
    }
    // However deep it is, it is indented once.
    const top = await xOf(comb.answers[0]!);
    const within = await Promise.all(comb.answers.slice(2, 14).map(xOf));
    assert.deepEqual([...new Set(within)], [top + 52]);
    assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
  });

  test("without scripts a folded branch is on the page of the post that has it", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", scripts: false });
    await page.goto(comb.pathOf(comb.root));
    await page.locator(".show-replies a").click();
    await page.locator(`.post-main[data-entry="${comb.answers[2]}"]`).waitFor();
    await page.locator(`[data-entry="${comb.answers[4]}"]`).waitFor();
  });

  test("lines lead from face to face of who answers whom", async (t) => {
    const post = (who: Person, status: string, parent?: string): Promise<string> =>
      who
        .post("/api/v1/statuses", { status, ...(parent && { in_reply_to_id: parent }) })
        .ok()
        .then(({ id }: { id: string }) => id);
    const root = await post(bob, "A question that is answered");
    const main = await post(alice, "The answer that the page is about", root);
    const single = await post(bob, "Answered once", main);
    const end = await post(alice, "By this", single);
    const several = await post(bob, "Answered four times", main);
    const four: string[] = [];
    for (const n of [1, 2, 3, 4]) four.push(await post(alice, `Answer ${n}`, several));
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, `/@alice/${main}`);
    /** Ends of the line below a post's face, and of the one above it, in the window. */
    const lineOf = (id: string, part: string): Promise<[number, number] | null> =>
      page.evaluate(`(() => {
        const post = document.querySelector('[data-entry="${id}"]');
        const style = getComputedStyle(post, "${part}");
        if (style.content === "none") return null;
        const face = post.querySelector(".avatar").getBoundingClientRect();
        const { top, bottom } = post.getBoundingClientRect();
        return "${part}" === "::after" ? [face.bottom, bottom] : [top, face.top];
      })()`);
    for (const [from, to] of [
      [root, main],
      [single, end],
    ] as const) {
      const below = await lineOf(from, "::after");
      const above = await lineOf(to, "::before");
      assert.ok(below && above, `a line from ${from} to ${to}`);
      assert.ok(Math.abs(below[1] - above[0]) <= 1, "in one piece");
    }
    for (const id of [main, end, four[2]!]) assert.equal(await lineOf(id, "::after"), null);
    for (const id of [root, single, several]) assert.equal(await lineOf(id, "::before"), null);
    // Of several answers each has an elbow; the fourth is folded.
    assert.ok(await lineOf(several, "::after"));
    const elbows = page.locator(".replies > *");
    assert.equal(await elbows.count(), 4);
    assert.equal(await elbows.last().innerText(), "Show 1 more reply");
    const { width } = (await page.locator(`[data-entry="${four[0]}"] .avatar`).boundingBox())!;
    assert.equal(width, 28);
    await bob.delete(`/api/v1/statuses/${single}`).ok();
    await server.runJobs();
    await page.locator(`[data-entry="${single}"]`).waitFor({ state: "detached" });
    assert.equal(await lineOf(end, "::before"), null);
  });

  test("the form below a post sends no answer that is its mention alone", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const loading = Promise.withResolvers<void>();
    // The editor, which takes the form's place, is not there yet.
    await page.route(/\/editor-/, (route) => loading.promise.then(() => route.continue()));
    const posts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && /statuses/.test(request.url())) posts.push(request.url());
    });
    await open(page, wide.pathOf(wide.root));
    await page.locator(".reply-to textarea").click();
    await page.locator(".reply-to .button").click();
    await until(page, "document.activeElement?.matches('.reply-to textarea')");
    assert.deepEqual(posts, []);
    loading.resolve();
    await page.locator(TEXT).first().waitFor();
  });

  test("an own answer is there at once, also where the thread is not drawn to its end", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, wide.pathOf(wide.root));
    await page.locator(".reply-to textarea").click();
    await page.locator(TEXT).first().waitFor();
    assert.ok(await page.locator(SEND).first().isDisabled(), "a mention alone is no answer");
    await page.locator(TEXT).first().fill("My own answer to it");
    await page.locator(SEND).first().click();
    const own = page.locator("main .post", { hasText: "My own answer to it" });
    await own.waitFor();
    assert.ok((await own.boundingBox())!.y < DESK.height, "right below what it answers");
    assert.doesNotMatch((await own.getAttribute("class"))!, /line-below/, "nothing follows it");
    // Of a branch that is folded by itself.
    await page.goto(comb.pathOf(comb.root));
    await until(page, "document.querySelector('#app')?.__k !== undefined");
    for (const posts of [7, 9]) {
      await page.locator(".show-replies a").click();
      await until(page, `document.querySelectorAll("main .post").length === ${posts}`);
    }
    await page.locator("main .post").nth(8).locator("[data-act=reply]").click();
    await page.locator(`.post ${TEXT}`).fill("And one in a branch");
    await page.keyboard.press("Control+Enter");
    await page.locator("main .post", { hasText: "And one in a branch" }).waitFor();
  });

  test("an own answer to a post above is shown below it at once, and counted", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, comb.pathOf(comb.answers[4]!));
    const above = page.locator("main .post").first();
    const count = () => above.locator(".act-reply .count").textContent();
    const before = Number(await count());
    await above.locator("[data-act=reply]").click();
    await above.locator(TEXT).fill("An answer to what is above");
    await page.keyboard.press("Control+Enter");
    const own = page.locator("main .post", { hasText: "An answer to what is above" });
    await own.waitFor();
    assert.equal(Number(await count()), before + 1);
    const [top, mine, main] = await Promise.all(
      [above, own, page.locator(".post-main")].map(async (each) => (await each.boundingBox())!.y),
    );
    assert.ok(top! < mine! && mine! < main!);
  });

  test("a post opens where its text is pressed, but not where it is selected", async (t) => {
    for (const [size, touch] of [
      [DESK, false],
      [PHONE, true],
    ] as const) {
      const { page } = await browser.visit(t, { who: "alice", size, touch });
      await open(page, wide.pathOf(wide.root));
      const second = page.locator("main .post").nth(1);
      const text = second.locator(".text p").last();
      const id = await second.getAttribute("data-entry");
      const here = page.url();
      if (!touch) {
        // A second press selects the word, a third the line.
        await text.dblclick({ position: { x: 10, y: 8 } });
        await page.waitForTimeout(500);
        assert.equal(page.url(), here);
        assert.match(await page.evaluate("getSelection().toString()"), /^\w+\s?$/);
        await text.click({ clickCount: 3, position: { x: 10, y: 8 } });
        await page.waitForTimeout(500);
        assert.equal(page.url(), here);
        await page.locator("h1").click();
        const { x, y, height } = (await text.boundingBox())!;
        await page.mouse.move(x + 2, y + height / 2);
        await page.mouse.down();
        await page.mouse.move(x + 40, y + height / 2, { steps: 4 });
        await page.mouse.up();
        assert.ok(await page.evaluate("getSelection().toString().length > 0"));
        // This press only ends the selection.
        await text.click();
        await page.locator(".post-main .text").click();
        await untilStill(page);
        assert.equal(page.url(), here);
      }
      await (touch ? text.tap() : text.click());
      await page.locator(`.post-main[data-entry="${id}"]`).waitFor();
    }
  });

  test("folded branches are printed as far as they are loaded, and folded again", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, comb.pathOf(comb.root));
    const posts = page.locator("main .post");
    const before = await posts.count();
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await until(page, `document.querySelectorAll("main .post").length > ${before}`);
    assert.ok((await posts.count()) >= 40);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await until(page, `document.querySelectorAll("main .post").length === ${before}`);
  });

  test("an answer of somebody who is followed arrives", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await openHearing(page, wide.pathOf(wide.root));
    const json = { status: "@alice fresh from bob", in_reply_to_id: wide.root };
    const { id } = await bob.post("/api/v1/statuses", json).ok();
    await server.runJobs();
    // It is drawn near the window alone, and what is drawn above it moves it.
    const fresh = `document.querySelector('main .post[data-entry="${id}"]')`;
    await until(page, `(${fresh}?.scrollIntoView(), ${fresh}?.textContent.includes("fresh from"))`);
  });
});

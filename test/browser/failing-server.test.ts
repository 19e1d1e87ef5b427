// The web client on a slow and failing server: nothing that was typed is lost, and what was refused is taken back,
// with words.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { BrowserContext, Locator, Page, Route } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { PHONE, SEND, TEXT as FIELD, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open, until } from "./until.ts";

const TEXT = "typed with care";

const refuse =
  (status: number) =>
  (route: Route): Promise<void> =>
    route.fulfill({ status, json: { error: `refused with ${status}` } });

/** What the server answers is said where the post is written; what it does not answer waits. */
const FAULTS: [name: string, fail: (route: Route) => Promise<void>, doesWait?: boolean][] = [
  ["an overloaded server", refuse(503)],
  ["too many requests", refuse(429)],
  ["a broken answer", (route) => route.fulfill({ status: 502, body: "<html>" })],
  ["a lost connection", (route) => route.abort("connectionreset"), true],
];

describe("a failing server", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let bob: Person;

  before(async () => {
    server = await startTestApp();
    const alice = await server.person("alice");
    bob = await server.person("bob");
    await alice.post(`/api/v1/accounts/${bob.accountId}/follow`);
    await bob.post("/api/v1/statuses", { status: "Something to favourite" });
    await server.runJobs();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const openHome = async (page: Page): Promise<void> => {
    await open(page, "/home");
  };
  const favourite = (page: Page) => page.locator("article .act-favourite").first();
  const untilPressed = (page: Page, pressed: boolean): Promise<unknown> =>
    page.locator(`article .act-favourite[aria-pressed=${pressed}]`).first().waitFor();
  const said = async (page: Page): Promise<string> => {
    await page.locator(".message:not([hidden])").first().waitFor();
    return (await page.locator(".message").first().textContent())!;
  };
  const write = async (page: Page, text: string): Promise<void> => {
    await page.locator(".composer textarea").first().fill(text);
    // It takes the place of the form, of which a button may go while it is pressed.
    await page.locator(".editor").waitFor();
    await page.locator(SEND).click();
  };
  /** Waits until the post is kept until the server is back, above an empty composer. */
  const untilWaiting = async (page: Page, text: string): Promise<Locator> => {
    const waits = page.locator("main .waiting-post", { hasText: text });
    await waits.waitFor();
    await page.locator(".editor").waitFor({ state: "detached" });
    assert.equal(await page.locator("main .composer textarea").first().inputValue(), "");
    return waits;
  };
  /** Takes the connection away and gives it back, whereupon what waits is sent. */
  const reconnect = async (page: Page, context: BrowserContext): Promise<void> => {
    await context.setOffline(true);
    await page.locator(".offline").waitFor();
    await context.setOffline(false);
  };
  const countPosts = async (text: string): Promise<number> => {
    const [row] = await server.app.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM statuses WHERE text = ${text}`;
    return row!.count;
  };

  test("a page whose file cannot be fetched says so, and leaves the window as it is", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice", apart: true });
    allow(/Failed to (?:load|fetch)|ERR_FAILED/);
    await openHome(page);
    await page.evaluate("window.stays = true");
    await page.route("**/*", (route) => route.abort());
    await page.locator('a[href="/settings"]').first().dispatchEvent("click");
    await page.getByText("The server isn’t responding").waitFor();
    await until(page, "window.stays && location.pathname === '/settings'");
    // The document is loaded again as soon as the server answers.
    await page.unroute("**/*");
    await page.locator(".empty a, .empty button").first().waitFor();
  });

  test("an act is taken back, a text stays and is sent again, by a press or by itself", async (t) => {
    const { page, context, allow } = await browser.visit(t, { who: "alice" });
    allow(/Failed to load resource|ERR_INTERNET_DISCONNECTED|WebSocket/);
    await openHome(page);
    for (const [name, fail, doesWait] of FAULTS) {
      await page.route(/\/api\/v1\/statuses/, fail);
      await favourite(page).click();
      assert.ok((await said(page)).trim(), name);
      await untilPressed(page, false);

      const text = `${TEXT} (${name})`;
      await write(page, text);
      if (doesWait) {
        await untilWaiting(page, text);
      } else {
        await page.locator(".composer-trouble .notice.bad").waitFor();
        assert.equal(await page.locator(".composer textarea").first().inputValue(), text);
      }
      assert.equal(await countPosts(text), 0);
      await page.unroute(/\/api\/v1\/statuses/);
      if (doesWait) await reconnect(page, context);
      else await page.locator(".composer button.button").last().click();
      await page.locator("article", { hasText: text }).waitFor();
      assert.equal(await countPosts(text), 1);
      // The stream may bring the post before the answer does.
      await until(page, "document.querySelector('.composer textarea').value === ''");
    }
  });

  test("an answer that was lost on its way does not make a second post", async (t) => {
    const { page, context, allow } = await browser.visit(t, { who: "alice" });
    allow(/Failed to load resource|ERR_INTERNET_DISCONNECTED|WebSocket/);
    await openHome(page);
    await page.route(/\/api\/v1\/statuses$/, async (route) => {
      await route.fetch();
      // It is sent again by itself, maybe in the moment when nothing is lost any more.
      await route.abort("connectionreset").catch(() => {});
    });
    const text = `${TEXT}, once`;
    await write(page, text);
    const waits = await untilWaiting(page, text);
    assert.equal(await countPosts(text), 1);
    await page.unroute(/\/api\/v1\/statuses$/);
    await reconnect(page, context);
    await waits.waitFor({ state: "detached" });
    await page.locator("article", { hasText: text }).first().waitFor();
    assert.equal(await countPosts(text), 1);
  });

  test("a session that was ended elsewhere leaves the text, and says so", async (t) => {
    const visit = await browser.visit(t, { who: "alice", ownSession: true });
    visit.allow(/Failed to load resource|WebSocket connection to/);
    await openHome(visit.page);
    await favourite(visit.page).click();
    await untilPressed(visit.page, true);
    const other = await visit.context.newPage();
    await openHome(other);
    const text = `${TEXT}, signed out`;
    await visit.page.locator(".composer textarea").first().fill(text);
    await open(other, "/settings");
    await other.locator("form[action='/auth/sign_out'] button").click();
    await other.waitForURL(/\/auth\/sign_in/);
    await visit.page.locator(".composer button.button").last().click();
    await visit.page.locator(".composer-trouble").getByText("You’re signed out").waitFor();
    assert.equal(await countPosts(text), 0);
    const kept = await visit.page.evaluate(
      `(document.querySelector(".composer textarea")?.value ?? "") + JSON.stringify({ ...localStorage })`,
    );
    assert.ok(String(kept).includes(text));
    // What is said of it has room on a phone.
    await visit.page.setViewportSize(PHONE);
    await visit.page.locator(".offline", { hasText: "You’re signed out" }).waitFor();
    const isWhole = `(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth <= clientWidth && scrollHeight <= clientHeight)(document.querySelector(".offline"))`;
    assert.equal(await visit.page.evaluate(isWhole), true);
    await visit.page.locator(".offline a[href='/auth/sign_in?return_to=%2Fhome']").waitFor();
  });

  /** Holds the answers to what matches until it is let go; counts them. */
  const hold = async (page: Page, path: RegExp) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const pause = { count: 0, letGo: () => resolve() };
    await page.route(path, async (route) => {
      pause.count += 1;
      await promise;
      await route.continue();
    });
    return pause;
  };
  const BUSY = "[aria-busy=true]";

  test("an act whose answer takes its time shows that, and is not sent twice", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await openHome(page);
    const before = await favourite(page).getAttribute("aria-pressed");
    const pause = await hold(page, /\/(un)?favourite$/);
    await favourite(page).click();
    await untilPressed(page, before !== "true");
    await page.locator(`article .act-favourite${BUSY}`).first().waitFor();
    await favourite(page).click();
    await favourite(page).press("Enter");
    pause.letGo();
    await page.locator(`article .act-favourite${BUSY}`).waitFor({ state: "detached" });
    assert.equal(pause.count, 1);
    await untilPressed(page, before !== "true");
  });

  test("a form whose answer takes its time is sent once", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/@bob/report");
    const pause = await hold(page, /\/api\/v1\/reports$/);
    const send = page.locator("main form.report button");
    await send.click();
    await page.locator(`form.report button${BUSY}`).waitFor();
    await send.click();
    await send.press("Enter");
    pause.letGo();
    await page.waitForURL("**/@bob");
    assert.equal(pause.count, 1);
    const [row] = await server.app.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM reports`;
    assert.equal(row!.count, 1);
  });

  test("a post whose answer takes its time is sent once", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await openHome(page);
    const pause = await hold(page, /\/api\/v1\/statuses$/);
    const text = `${TEXT}, slowly`;
    const field = page.locator(".composer textarea").first();
    await field.fill(text);
    await page.locator(".editor").waitFor();
    await field.press("Control+Enter");
    await page.locator(".composer-end .button:disabled").waitFor();
    await field.press("Control+Enter");
    pause.letGo();
    await page.locator("article", { hasText: text }).waitFor();
    assert.equal(pause.count, 1);
    assert.equal(await countPosts(text), 1);
  });

  for (const [status, words] of [
    [429, /Too many requests/],
    [503, /Temporarily unavailable/],
  ] as const) {
    test(`a page that answers ${status} says so, and comes when asked again`, async (t) => {
      const { page, allow } = await browser.visit(t, { who: "alice" });
      allow(/Failed to load resource/);
      await openHome(page);
      const path = /\/api\/v1\/bookmarks/;
      await page.route(path, (route) =>
        route.fulfill({ status, headers: { "retry-after": "2" }, json: { error: "no" } }),
      );
      await page.click(".nav-link[href='/bookmarks']");
      const again = page.getByRole("link", { name: "Try again" });
      await again.waitFor();
      assert.match(await page.locator("main").innerText(), words);
      await page.unroute(path);
      await again.click();
      await page.locator("main h1", { hasText: "Bookmarks" }).waitFor();
    });
  }

  test("a page that could not be reached comes by itself when the server is back", async (t) => {
    const { page, allow } = await browser.visit(t, { who: "alice" });
    allow(/Failed to load resource/);
    await openHome(page);
    const path = /\/api\/v1\/bookmarks|\/bookmarks$/;
    await page.route(path, (route) => route.abort("connectionrefused"));
    await page.click(".nav-link[href='/bookmarks']");
    await page.getByRole("link", { name: "Try again" }).waitFor();
    await page.unroute(path);
    await page.locator("main h1", { hasText: "Bookmarks" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Try again" }).count(), 0);
  });

  test("over plain http, where browsers lack some features, home is read and written", async (t) => {
    const { page } = await browser.visit(t, { who: "alice", apart: true });
    await page.addInitScript(`
      for (const [of, names] of [
        [Crypto, ["randomUUID", "subtle"]],
        [window, ["caches"]],
        [Navigator, ["clipboard", "serviceWorker", "locks", "storage", "credentials"]],
      ]) for (const name of names) delete (of.prototype ?? of)[name];`);
    await openHome(page);
    assert.equal(await page.evaluate("crypto.randomUUID"), undefined);
    await page.getByText("Something to favourite").first().waitFor();
    await write(page, "Over plain http");
    await page.locator("article", { hasText: "Over plain http" }).waitFor();
    await page.click(".nav-link[href='/notifications']");
    await page.locator("main h1", { hasText: "Notifications" }).waitFor();
  });

  test("a preference that could not be saved goes back to what is saved", async (t) => {
    const { page, context, allow } = await browser.visit(t, { who: "alice", ownSession: true });
    allow(/ERR_INTERNET_DISCONNECTED|WebSocket/);
    await open(page, "/settings");
    // Reached in place, its fields have no attributes that say what is saved.
    await page.locator('a[href="/settings/preferences"]').first().click();
    const spoilers = page.locator("[name='reading:expand:spoilers'][type=checkbox]");
    const media = page.locator("[name='reading:expand:media']");
    await spoilers.check();
    await page.locator(".message").getByText("saved").waitFor();
    await context.setOffline(true);
    // It goes back at once, so that it is never seen as unchecked.
    await spoilers.click();
    await until(
      page,
      `document.querySelector("[name='reading:expand:spoilers'][type=checkbox]").checked`,
    );
    await media.selectOption("hide_all");
    await until(
      page,
      `document.querySelector("[name='reading:expand:media']").value === "default"`,
    );
    assert.ok(await spoilers.isChecked());
    await context.setOffline(false);
  });

  test("what was written without a connection is kept, and sent once", async (t) => {
    const { page, context, allow } = await browser.visit(t, { who: "alice" });
    allow(/ERR_INTERNET_DISCONNECTED|WebSocket/);
    await openHome(page);
    const field = page.locator(".composer textarea").first();
    await field.fill("On the way");
    await page.locator(".editor").waitFor();
    await context.setOffline(true);
    await page.locator(".offline").waitFor();
    const text = `${TEXT}, in a tunnel`;
    await field.fill(text);
    await page.locator(SEND).click();
    const waits = await untilWaiting(page, text);
    await waits.getByRole("button", { name: "Continue writing" }).click();
    assert.equal(await page.locator(`dialog ${FIELD}`).inputValue(), text);
    await page.locator(`dialog ${SEND}`).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await untilWaiting(page, text);
    await context.setOffline(false);
    // By itself, and once.
    await waits.waitFor({ state: "detached" });
    await page.locator("article", { hasText: text }).waitFor();
    assert.equal(await countPosts(text), 1);
  });

  test("what the address suggested is not begun again once it waits", async (t) => {
    const { page, context, allow } = await browser.visit(t, { who: "alice" });
    allow(/ERR_INTERNET_DISCONNECTED|WebSocket/);
    const text = `${TEXT}, from a link`;
    await open(page, `/compose?text=${encodeURIComponent(text)}`);
    await page.locator(".editor").waitFor();
    await context.setOffline(true);
    await page.locator(".offline").waitFor();
    await page.locator(SEND).click();
    const waits = await untilWaiting(page, text);
    await page.locator("main .composer textarea").first().focus();
    await page.locator(".editor").waitFor();
    assert.equal(await page.locator(FIELD).inputValue(), "");
    await context.setOffline(false);
    await waits.waitFor({ state: "detached" });
    assert.equal(await countPosts(text), 1);
  });

  test("what was written without a connection is sent when the window is opened again", async (t) => {
    const { page, context, allow } = await browser.visit(t, { who: "alice" });
    allow(/ERR_INTERNET_DISCONNECTED|WebSocket/);
    await openHome(page);
    const field = page.locator(".composer textarea").first();
    await field.fill("Later");
    await page.locator(".editor").waitFor();
    await context.setOffline(true);
    const text = `${TEXT}, from a train`;
    await field.fill(text);
    await page.locator(SEND).click();
    await untilWaiting(page, text);
    await page.close();
    await context.setOffline(false);
    const again = await context.newPage();
    await again.goto("/home");
    await again.locator("article", { hasText: text }).waitFor();
    assert.equal(await countPosts(text), 1);
  });

  test("the token is nowhere but in memory", async (t) => {
    const { page, context } = await browser.visit(t, { who: "alice", apart: true });
    const tokens = new Set<string>();
    const urls: string[] = [];
    context.on("request", (request) => {
      urls.push(request.url());
      const [, token] = /^Bearer (.+)/.exec(request.headers()["authorization"] ?? "") ?? [];
      if (token) tokens.add(token);
    });
    await openHome(page);
    const before = await favourite(page).getAttribute("aria-pressed");
    const answered = page.waitForResponse(/\/(un)?favourite$/);
    await favourite(page).click();
    await answered;
    await untilPressed(page, before !== "true");
    assert.ok(tokens.size > 0);
    const state = String(
      await page.evaluate(`JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie,
        history.state, document.documentElement.outerHTML, Object.keys(window).map((key) => { try { return JSON.stringify(window[key]); } catch { return ""; } })])`),
    );
    for (const token of tokens) {
      assert.ok(!state.includes(token));
      assert.ok(!urls.some((url) => url.includes(token)));
    }
  });
});

// The web client on a dead line, which takes what is sent and never answers: after some seconds it says that something
// is still under way, and then what became of it, in the language of the page. Most of it waits, so that several are
// tried at once.

import assert from "node:assert/strict";
import { createServer, connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import type { TestContext } from "node:test";
import type { Page, Route } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { SEND, TEXT, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open, until } from "./until.ts";

/** Those of German: where something is said in the words of the code, it is in English. */
const WORDS = {
  sending: "Wird noch gesendet …",
  loading: "Wird noch geladen …",
  kept: /Dein Beitrag bleibt hier/,
  lost: /Der Server antwortet nicht/,
  again: "Erneut versuchen",
};

/** Neither of a browser nor of HTTP: words that people cannot do anything with. */
const RAW = /Failed to fetch|NetworkError|HTTP \d|TypeError|undefined|AbortError|TimeoutError/;

/** Passes on what it gets to a port, until it is dead. */
const startLine = async (port: number) => {
  let isDead = false;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(port, "127.0.0.1");
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on("error", () => {}).on("close", () => sockets.delete(each));
    }
    socket.on("data", (data) => void (isDead || onward.write(data)));
    onward.on("data", (data) => void (isDead || socket.write(data)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    die: () => void (isDead = true),
    /** What hung before goes on hanging. */
    heal: () => void (isDead = false),
    close: () => {
      for (const each of sockets) each.destroy();
      server.close();
    },
  };
};

describe("a dead line", { skip: withoutChromium, concurrency: 3 }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let dora: Person;

  before(async () => {
    server = await startTestApp();
    await server.person("alice");
    dora = await server.person("dora");
    await server.write`UPDATE users SET locale = 'de' WHERE account_id = ${dora.accountId}`;
    await dora.post("/api/v1/statuses", { status: "Here before" }).ok();
    await server.runJobs();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const hang = (): Promise<void> => new Promise(() => {});

  const visit = async (t: TestContext) => {
    const visited = await browser.visit(t, { who: "dora", locale: "de" });
    visited.allow(/Failed to load resource|WebSocket/);
    await open(visited.page, "/home");
    return visited;
  };
  const readable = async (page: Page): Promise<void> =>
    assert.doesNotMatch(String(await page.evaluate("document.body.innerText")), RAW);

  test("a post says that it is being sent, and is kept until it can be", async (t) => {
    const { page, context } = await visit(t);
    const path = /\/api\/v1\/statuses$/;
    await page.route(path, hang);
    const text = "On a dead line";
    await page.locator(".composer textarea").first().click();
    await page.locator(TEXT).fill(text);
    await page.locator(SEND).click();
    await page.locator(".editor").getByText(WORDS.sending).waitFor();
    await page.locator(".message").getByText(WORDS.kept).waitFor();
    const waits = page.locator("main .waiting-post", { hasText: text });
    await waits.waitFor();
    await page.locator(".editor").waitFor({ state: "detached" });
    assert.equal(await page.locator("main .composer textarea").first().inputValue(), "");
    await readable(page);
    await page.unroute(path);
    // It is sent by itself where the connection returns.
    await context.setOffline(true);
    await page.locator(".offline").waitFor();
    await context.setOffline(false);
    await waits.waitFor({ state: "detached" });
    await page.locator("article", { hasText: text }).first().waitFor();
    const own = `/api/v1/accounts/${dora.accountId}/statuses`;
    const posts: { content: string }[] = await dora.get(own).ok();
    assert.equal(posts.filter(({ content }) => content.includes(text)).length, 1);
  });

  test("a page says that it is being loaded, and can be asked for again", async (t) => {
    const { page } = await visit(t);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    // What was given up meanwhile has nothing to continue.
    await page.route(/\/api\/v1\/bookmarks/, (route) =>
      released.then(() => route.continue().catch(() => {})),
    );
    await page.click(".nav-link[href='/bookmarks']");
    await page.locator(".message").getByText(WORDS.loading).waitFor();
    const again = page.getByRole("link", { name: WORDS.again });
    await again.waitFor();
    assert.match(await page.locator("main").innerText(), WORDS.lost);
    await readable(page);
    // It is asked for by itself, too, once the server can be reached: no sooner than it is pressed here.
    await again.click();
    release();
    await again.waitFor({ state: "detached" });
    assert.doesNotMatch(await page.locator("main").innerText(), WORDS.lost);
  });

  test("an act says that it is being sent, and is taken back", async (t) => {
    const { page } = await visit(t);
    await page.route(/\/(un)?bookmark$/, hang);
    const bookmark = page.locator("article .act-bookmark").first();
    await bookmark.click();
    await page.locator(".message").getByText(WORDS.sending).waitFor();
    await page.locator(".message").getByText(WORDS.lost).waitFor();
    await page.locator("article .act-bookmark[aria-pressed=false]").first().waitFor();
    await readable(page);
  });

  const FAILURES: ((route: Route) => Promise<void>)[] = [
    (route) => route.abort("connectionrefused"),
    (route) => route.fulfill({ status: 500, body: "" }),
    (route) => route.fulfill({ status: 404, body: "<html>" }),
  ];

  test("no connection, and answers without words, are put into words", async (t) => {
    const { page } = await visit(t);
    for (const fail of FAILURES) {
      await page.route(/\/api\/v1\/statuses/, fail);
      await page.locator("article .act-bookmark").first().click();
      await page.locator(".message:not([hidden])").waitFor();
      await readable(page);
      assert.ok((await page.locator(".message").innerText()).length > 20);
      await page.locator("article .act-more").first().click();
      await page.locator(".menu-item[data-sheet]").first().click();
      await until(page, "document.querySelector('.message:not([hidden])') !== null");
      await readable(page);
      await page.unroute(/\/api\/v1\/statuses/);
      await open(page, "/home");
    }
  });

  test("a refusal is read in the language of the page, and programs get it in English", async (t) => {
    const { page } = await visit(t);
    const json = { status: "Which?", poll: { options: ["One", "One"], expires_in: 600 } };
    const ask = (headers: Record<string, string>) => dora.post("/api/v1/statuses", json, headers);
    const english = { error: "Validation failed: Choices contain duplicate items" };
    assert.deepEqual((await ask({ "accept-language": "*" })).json, english);
    const inEnglish = { ...english, error_text: "Each option has to be different." };
    assert.deepEqual((await ask({ "accept-language": "en" })).json, inEnglish);
    const text = "Zwei Antworten der Umfrage sind gleich.";
    const german = (await ask({ "accept-language": "de-AT, en;q=0.5" })).json;
    assert.deepEqual(german, { ...english, error_text: text });
    await page.locator("[data-act=compose]").first().click();
    const sheet = page.locator("dialog[open]");
    await sheet.locator(TEXT).fill("Welche?");
    await sheet.getByRole("button", { name: "Umfrage" }).click();
    const [one, two] = await sheet.locator(".poll-option input").all();
    await one!.fill("Eins");
    await two!.fill("Zwei");
    // The client would not send the same option twice.
    await page.route("**/api/v1/statuses", (route) =>
      route.continue({ postData: route.request().postData()!.replace("Zwei", "Eins") }),
    );
    await sheet.locator(SEND).click();
    await sheet.locator(".composer-trouble").getByText(text).waitFor();
  });

  /** Opens home through a line of its own, and waits until it is saved on the device. */
  const visitByLine = async (t: TestContext) => {
    const line = await startLine(Number(new URL(server.url).port));
    t.after(() => line.close());
    const { page, allow } = await browser.visit(t, { who: "alice", worker: true });
    allow(/.*/);
    await page.goto(`${line.url}/home`);
    await until(page, "navigator.serviceWorker.controller !== null");
    await until(
      page,
      "caches.keys().then((names) => names.some((name) => name.startsWith('account')))",
    );
    return { line, page };
  };

  const SAVED = "The server can’t be reached. This page was saved";

  test("where a page is not saved the member's menu stays, and nothing that is saved goes", async (t) => {
    const { line, page } = await visitByLine(t);
    // Another account of this browser.
    await page.evaluate("caches.open('account-1').then(() => {})");
    const names =
      "caches.keys().then((names) => names.filter((name) => name.startsWith('account')))";
    const saved = (await page.evaluate(names)) as string[];
    assert.equal(saved.length, 2);
    line.die();
    for (const path of ["/bookmarks", "/home"]) {
      await page.goto(`${line.url}${path}`, { waitUntil: "commit" });
      await page.getByText(path === "/home" ? SAVED : "This page isn’t saved").waitFor();
      await page.locator(".me .handle", { hasText: "@alice" }).waitFor();
      assert.equal(await page.getByRole("link", { name: "Sign in" }).count(), 0, path);
      // Longer than the client waits with what is not needed for the first view.
      await page.waitForTimeout(4_000);
      assert.deepEqual(await page.evaluate(names), saved, path);
    }
    await page.getByRole("link", { name: "Bookmarks" }).click();
    await page.getByText("This page isn’t saved").waitFor();
    line.heal();
    // Every link asks the server first.
    await page.getByRole("link", { name: "Favourites" }).click();
    await page.locator("main h1", { hasText: "Favourites" }).waitFor();
    await page.getByText("This page isn’t saved").waitFor({ state: "detached" });
  });

  test("a document comes from what was kept, or can be asked for again", async (t) => {
    const { line, page } = await visitByLine(t);
    line.die();
    await page.goto(`${line.url}/home`, { waitUntil: "commit" });
    await page.getByText(SAVED).waitFor();
    await page.goto(`${line.url}/favourites`, { waitUntil: "commit" });
    const again = page.getByRole("link", { name: "Try again" });
    await again.waitFor();
    line.heal();
    await again.click();
    await page.locator("main h1", { hasText: "Favourites" }).waitFor();
  });
});

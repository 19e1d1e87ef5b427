// The web client on a dead line, which takes what is sent and never answers: after some seconds it says that something
// is still under way, and then what became of it, in the language of the page. Most of it waits, so that the languages
// are tried at once.

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

const WORDS = {
  en: {
    sending: "Still sending…",
    loading: "Still loading…",
    kept: /Your post is saved here/,
    lost: /The server isn’t responding/,
    again: "Try again",
  },
  de: {
    sending: "Wird noch gesendet …",
    loading: "Wird noch geladen …",
    kept: /Dein Beitrag bleibt hier/,
    lost: /Der Server antwortet nicht/,
    again: "Noch einmal versuchen",
  },
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
  /** By the language that they read. */
  const people = {} as Record<keyof typeof WORDS, Person>;

  before(async () => {
    server = await startTestApp();
    for (const [locale, name] of [
      ["en", "alice"],
      ["de", "dora"],
    ] as const) {
      const person = await server.person(name);
      people[locale] = person;
      await server.write`UPDATE users SET locale = ${locale} WHERE account_id = ${person.accountId}`;
      await person.post("/api/v1/statuses", { status: "Here before" }).ok();
    }
    await server.runJobs();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const hang = (): Promise<void> => new Promise(() => {});

  const visit = async (t: TestContext, locale: keyof typeof WORDS) => {
    const visited = await browser.visit(t, { who: people[locale].username, locale });
    visited.allow(/Failed to load resource|WebSocket/);
    await open(visited.page, "/home");
    return { ...visited, words: WORDS[locale] };
  };
  const readable = async (page: Page): Promise<void> =>
    assert.doesNotMatch(String(await page.evaluate("document.body.innerText")), RAW);

  for (const locale of ["en", "de"] as const) {
    describe(locale, { concurrency: 1 }, () => {
      test(`a post says that it is being sent, and is kept (${locale})`, async (t) => {
        const { page, words } = await visit(t, locale);
        const path = /\/api\/v1\/statuses$/;
        await page.route(path, hang);
        const text = `On a dead line, ${locale}`;
        await page.locator(".composer textarea").first().click();
        await page.locator(TEXT).fill(text);
        await page.locator(SEND).click();
        await page.locator(".editor").getByText(words.sending).waitFor();
        await page.locator(".composer-trouble").getByText(words.kept).waitFor();
        assert.equal(await page.locator(TEXT).inputValue(), text);
        await readable(page);
        await page.unroute(path);
        await page.locator(SEND).click();
        await page.locator("article", { hasText: text }).first().waitFor();
        const me = people[locale];
        const own = `/api/v1/accounts/${me.accountId}/statuses`;
        const posts: { content: string }[] = await me.get(own).ok();
        assert.equal(posts.filter(({ content }) => content.includes(text)).length, 1);
      });

      test(`a page says that it is being loaded, and can be asked for again (${locale})`, async (t) => {
        const { page, words } = await visit(t, locale);
        const path = /\/api\/v1\/bookmarks/;
        await page.route(path, hang);
        await page.click(".nav-link[href='/bookmarks']");
        await page.locator(".message").getByText(words.loading).waitFor();
        const again = page.getByRole("link", { name: words.again });
        await again.waitFor();
        assert.match(await page.locator("main").innerText(), words.lost);
        await readable(page);
        await page.unroute(path);
        await again.click();
        await again.waitFor({ state: "detached" });
        assert.doesNotMatch(await page.locator("main").innerText(), words.lost);
      });

      test(`an act says that it is being sent, and is taken back (${locale})`, async (t) => {
        const { page, words } = await visit(t, locale);
        await page.route(/\/(un)?bookmark$/, hang);
        const bookmark = page.locator("article .act-bookmark").first();
        await bookmark.click();
        await page.locator(".message").getByText(words.sending).waitFor();
        await page.locator(".message").getByText(words.lost).waitFor();
        await page.locator("article .act-bookmark[aria-pressed=false]").first().waitFor();
        await readable(page);
      });

      const failures: [string, (route: Route) => Promise<void>][] = [
        ["no connection", (route) => route.abort("connectionrefused")],
        ["500 without words", (route) => route.fulfill({ status: 500, body: "" })],
        ["404 without words", (route) => route.fulfill({ status: 404, body: "<html>" })],
      ];
      for (const [name, fail] of failures) {
        test(`${name} is put into words (${locale})`, async (t) => {
          const { page } = await visit(t, locale);
          await page.route(/\/api\/v1\/statuses/, fail);
          await page.locator("article .act-bookmark").first().click();
          await page.locator(".message:not([hidden])").waitFor();
          await readable(page);
          assert.ok((await page.locator(".message").innerText()).length > 20);
          await page.locator("article .act-more").first().click();
          await page.locator(".menu-item[data-sheet]").first().click();
          await until(page, "document.querySelector('.message:not([hidden])') !== null");
          await readable(page);
        });
      }
    });
  }

  test("a refusal is read in the language of the page, and programs get it in English", async (t) => {
    const { page } = await visit(t, "de");
    const json = { status: "Which?", poll: { options: ["One", "One"], expires_in: 600 } };
    const ask = (headers: Record<string, string>) =>
      people.de.post("/api/v1/statuses", json, headers);
    const english = { error: "Validation failed: Choices contain duplicate items" };
    assert.deepEqual((await ask({})).json, english);
    const inEnglish = { ...english, error_text: "Each option has to be different." };
    assert.deepEqual((await ask({ "accept-language": "en" })).json, inEnglish);
    const text = "Zwei Antworten der Umfrage sind gleich.";
    const german = (await ask({ "accept-language": "de-AT, en;q=0.5" })).json;
    assert.deepEqual(german, { ...english, error_text: text });
    await page.locator("[data-act=compose]").first().click();
    const sheet = page.locator("dialog[open]");
    await sheet.locator(TEXT).fill("Welche?");
    await sheet.getByRole("button", { name: "Umfrage" }).click();
    for (const field of await sheet.locator(".poll-option input").all()) await field.fill("Eins");
    await sheet.locator(SEND).click();
    await sheet.locator(".composer-trouble").getByText(text).waitFor();
  });

  /** Opens home through a line of its own, and waits until it is saved on the device. */
  const visitByLine = async (t: TestContext) => {
    const line = await startLine(Number(new URL(server.url).port));
    t.after(() => line.close());
    const { page, allow } = await browser.visit(t, { who: "alice" });
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

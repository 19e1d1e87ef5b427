// What the web client promises of a first view: few requests, few bytes, nothing inline, nothing that jumps.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ALL_LANGUAGES } from "../../texts/languages.ts";
import { formOf, picture } from "../files.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { eventually } from "../journeys/eventually.ts";
import { measureFirstView } from "./measure.ts";
import { PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open } from "./until.ts";

const MAX_REQUESTS = 10;
/** What the third column asks for a while after the page; a slow machine is still busy with the page then. */
const BESIDE = /^GET \/api\/v(?:1\/(?:timelines\/public|directory|trends\/tags)|2\/suggestions)$/;
const MAX_BYTES = 150_000;
const MAX_HEAP = 8_000_000;
const MAX_LINE_HEIGHT = 85;

const SCRIPTS = /\/web\/assets\/(?:client|texts)-[^"]+\.js/;

/** Returns the scripts that a document loads, and the files of texts of its language: of any page, and of rarer ones. */
const scriptsOf = (html: string) => {
  const [, texts = ""] = /\sdata-words="([^"]+)"/.exec(html) ?? [];
  const [first, rest] = texts.split(" ") as [string, string];
  const tags = html.match(/<(?:script|link)[^>]*>/g) ?? [];
  const named = tags.flatMap((tag) => SCRIPTS.exec(tag)?.[0] ?? []);
  return { named, first, rest };
};

describe("first view", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let bob: Person;

  const post = async (status: string, more: object = {}, who = bob): Promise<any> => {
    const json = { status, ...more };
    return who.post("/api/v1/statuses", json).ok();
  };

  const uploadPicture = async (): Promise<string> => {
    const multipart = formOf(await picture("jpeg", 1000, 800));
    return (await bob.post("/api/v2/media", multipart).ok()).id;
  };

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    bob = await server.person("bob");
    await alice.post(`/api/v1/accounts/${bob.accountId}/follow`);
    for (let index = 0; index < 22; index += 1) {
      const media_ids = index % 2 === 1 ? [await uploadPicture()] : [];
      await post(`A short one. (${index})`, { media_ids });
    }
    await server.runJobs();
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  for (const [path, who] of [
    ["/home", "alice"],
    ["/@bob", undefined],
  ] as const) {
    test(`${path} is light, and does not move`, async (t) => {
      const { page } = await browser.visit(t, { ...(who && { who }), apart: true });
      const view = await measureFirstView(page, server.url + path);
      const { firstPaintMs, firstPostMs, blockedMs, bytes, heapBytes, nodes } = view;
      t.diagnostic(
        JSON.stringify({ firstPaintMs, firstPostMs, blockedMs, bytes, heapBytes, nodes }),
      );
      assert.ok(view.pictures.length > 0);
      assert.deepEqual(view.apiFirst, []);
      const requests = view.requests.filter((each) => !BESIDE.test(each));
      assert.ok(requests.length <= MAX_REQUESTS, requests.join("\n"));
      assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`);
      assert.equal(view.shift, 0);
      assert.ok(heapBytes <= MAX_HEAP, `${heapBytes} bytes of heap`);
    });
  }

  test("the document names the texts of its language alone, which are another file for each", async () => {
    const files = new Set<string>();
    for (const locale of ALL_LANGUAGES) {
      const { text } = await server.visitor.get("/@bob", { "accept-language": locale });
      assert.match(text, new RegExp(`<html lang="${locale}"`));
      const { named, first, rest } = scriptsOf(text);
      assert.equal(named.length, 2, named.join());
      assert.ok(named.includes(first), locale);
      files.add(first).add(rest);
    }
    assert.equal(files.size, 2 * ALL_LANGUAGES.length);
  });

  for (const locale of ["en", "ar"])
    test(`in ${locale} it loads what the document names alone`, async (t) => {
      const { page } = await browser.visit(t, { locale, apart: true });
      const { requests } = await measureFirstView(page, `${server.url}/@bob`);
      const { text } = await server.visitor.get("/@bob", { "accept-language": locale });
      const { named, rest } = scriptsOf(text);
      const loaded = requests
        .map((each) => each.replace("GET ", ""))
        .filter((path) => SCRIPTS.test(path) && path !== rest);
      assert.deepEqual(loaded.toSorted(), named.toSorted());
    });

  test("a page is loaded while the mouse is still held down on its link, and once", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    await open(page, "/home");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const profile = page.locator(".post a[href='/@bob']").first();
    await profile.hover();
    await page.mouse.down();
    const path = "/api/v1/accounts/lookup";
    await eventually("the request", () => asked.includes(path));
    assert.equal(new URL(page.url()).pathname, "/home");
    await page.mouse.up();
    await page.locator(".profile").first().waitFor();
    assert.equal(new URL(page.url()).pathname, "/@bob");
    assert.equal(asked.filter((each) => each === path).length, 1);
  });

  test("nothing is inline, and a post of one line is low", async (t) => {
    const { page } = await browser.visit(t, { who: "alice" });
    const response = await page.goto(`${server.url}/home`);
    const html = await response!.text();
    assert.doesNotMatch(html, /\sstyle=|\son\w+=|<style|javascript:/i);
    const scripts = [...html.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes!);
    assert.equal(scripts.filter((text) => !/src=|application\/json/.test(text)).length, 0);
    const policy = response!.headers()["content-security-policy"]!;
    assert.doesNotMatch(policy, /unsafe-/);
    for (const size of [{ width: 1280, height: 800 }, PHONE]) {
      await page.setViewportSize(size);
      const box = await page.locator("article").nth(1).boundingBox();
      assert.ok(box!.height <= MAX_LINE_HEIGHT, `${box!.height} px at ${size.width}`);
    }
  });
});

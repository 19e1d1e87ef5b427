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

  for (const locale of ALL_LANGUAGES)
    test(`in ${locale} it loads the texts of this language alone, named by the document`, async (t) => {
      const { page } = await browser.visit(t, { who: "alice", locale, apart: true });
      const { requests } = await measureFirstView(page, `${server.url}/home`);
      const html = await (await page.request.get(`${server.url}/home`)).text();
      const named = [
        ...html.matchAll(/<(?:script|link)[^>]*="(\/web\/assets\/(?:client|texts)-[^"]+\.js)"/g),
      ].map(([, path]) => `GET ${path}`);
      const [, texts = ""] = /\sdata-words="([^"]+)"/.exec(html) ?? [];
      const [first, rest] = texts.split(" ").map((path) => `GET ${path}`);
      assert.deepEqual(named.length, 2);
      assert.ok(named.includes(first!));
      const loaded = requests.filter((each) =>
        /\/web\/assets\/(?:client|texts)-.*\.js$/.test(each),
      );
      assert.deepEqual(loaded.filter((each) => each !== rest).toSorted(), named.toSorted());
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

// What the web client promises of a first view: few requests, few bytes, nothing inline, nothing that jumps; and
// that nothing that people write can leave its place.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { formOf, picture } from "../files.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { measureFirstView } from "./measure.ts";
import { PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";

const MAX_REQUESTS = 12;
const MAX_BYTES = 150_000;
const MAX_HEAP = 8_000_000;
const MAX_LINE_HEIGHT = 85;

const BREAKOUT = `</script></textarea></title><script>window.hacked=1</script><img src=x onerror="window.hacked=2">`;
const ATTRIBUTE = `" autofocus onfocus="window.hacked=3" x='`;
const RTL = "\u202egnp.tac\u202e \u2066\u2067";
const ZALGO = `Z${"\u0351\u0319\u0347\u0322".repeat(120)}algo`;
const LONG = "w".repeat(450);

/** As nothing of ours would write it: past the sanitiser, so that only the client is left to refuse it. */
const HOSTILE_HTML = `<p>kept ${BREAKOUT}<a href="javascript:window.hacked=4" onclick="window.hacked=5" style="position:fixed">link</a>
<a href=" java&#10;script:window.hacked=6">link</a><a href="data:text/html,<script>1</script>">link</a>
<iframe src="https://elsewhere.example/"></iframe><img src="https://elsewhere.example/pixel.png">
<svg onload="window.hacked=7"><a xlink:href="javascript:1">x</a></svg><style>body{display:none}</style>
<form action="https://elsewhere.example/"><input name=password></form><base href="https://elsewhere.example/">
<meta http-equiv=refresh content="0;url=https://elsewhere.example/"><object data=x></object></p>`;

describe("first view", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  let alice: Person;
  let bob: Person;

  const post = async (status: string, more: object = {}, who = bob): Promise<any> => {
    const json = { status, ...more };
    const answer = await server.request("POST", "/api/v1/statuses", { token: who.token, json });
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };

  const uploadPicture = async (): Promise<string> => {
    const multipart = formOf(await picture("jpeg", 1000, 800));
    const answer = await server.request("POST", "/api/v2/media", { token: bob.token, multipart });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.id;
  };

  before(async () => {
    server = await startTestApp();
    alice = await server.person("alice");
    bob = await server.person("bob");
    await server.request("POST", `/api/v1/accounts/${bob.accountId}/follow`, {
      token: alice.token,
    });
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
      const { page } = await browser.visit(t, { ...(who && { who }) });
      const view = await measureFirstView(page, server.url + path);
      const { firstPaintMs, firstPostMs, blockedMs, bytes, heapBytes, nodes } = view;
      t.diagnostic(
        JSON.stringify({ firstPaintMs, firstPostMs, blockedMs, bytes, heapBytes, nodes }),
      );
      assert.ok(view.pictures.length > 0);
      assert.deepEqual(view.apiFirst, []);
      assert.ok(view.requests.length <= MAX_REQUESTS, view.requests.join("\n"));
      assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`);
      assert.equal(view.shift, 0);
      assert.ok(heapBytes <= MAX_HEAP, `${heapBytes} bytes of heap`);
    });
  }

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

  test("what people write stays in its place", async (t) => {
    const mallory = await server.person("mallory");
    const form = new FormData();
    form.set("note", `${BREAKOUT} ${ATTRIBUTE}`);
    form.set("fields_attributes[0][name]", ATTRIBUTE);
    form.set("fields_attributes[0][value]", BREAKOUT);
    const changed = await server.request("PATCH", "/api/v1/accounts/update_credentials", {
      token: mallory.token,
      multipart: form,
    });
    assert.equal(changed.status, 200, changed.text);
    const name = `${RTL}${BREAKOUT}`;
    await server.write`UPDATE accounts SET display_name = ${name} WHERE id = ${mallory.accountId}`;
    await post(BREAKOUT, { spoiler_text: `${ATTRIBUTE} ${BREAKOUT}` }, mallory);
    await post(`${RTL} ${ZALGO} ${LONG}`, {}, mallory);
    await post(
      "A poll",
      { poll: { options: [BREAKOUT.slice(0, 50), ATTRIBUTE], expires_in: 600 } },
      mallory,
    );
    const { id } = await post("hostile :evil:", { language: "ar" }, mallory);
    await server.write`UPDATE statuses SET content = ${HOSTILE_HTML} WHERE id = ${id}`;
    await server.request("POST", `/api/v1/accounts/${mallory.accountId}/follow`, {
      token: alice.token,
    });
    await server.runJobs();
    const { page, allow } = await browser.visit(t, { who: "alice", size: PHONE });
    allow(/Failed to load resource/);
    for (const path of ["/home", "/@mallory", `/@mallory/${id}`]) {
      await page.goto(server.url + path, { waitUntil: "networkidle" });
      const found = (await page.evaluate(`({
        hacked: window.hacked ?? null,
        scripts: document.querySelectorAll("script:not([src^='/web/'], #state)").length,
        outside: document.querySelectorAll("iframe, object, base, meta[http-equiv], [style]:not(.feed > .post:empty), [onerror], [onfocus], [onclick], [onload], [src^='https://elsewhere'], [action^='https://elsewhere'], [href^='javascript' i], [href^='data' i]").length,
        wide: Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
        kept: document.querySelector("main").textContent.includes("kept"),
      })`)) as Record<string, unknown>;
      assert.deepEqual(found, { hacked: null, scripts: 0, outside: 0, wide: 0, kept: true }, path);
    }
    // A name that turns the direction of writing leaves the handle beside it as it is.
    const author = page.locator("article", { hasText: "kept" }).locator(".post-author").first();
    assert.match(await author.locator(".handle").innerText(), /^@mallory$/);
    const direction = await page.evaluate(
      `getComputedStyle(document.querySelector(".post-author .name")).unicodeBidi`,
    );
    assert.equal(direction, "isolate");
  });
});

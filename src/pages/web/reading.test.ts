// The preferences of reading: pages are drawn by them, and apps read and change the same.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import { formOf, picture } from "../../../test/files.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";

let server: TestApp;
let alice: Person;
let browser: Browser;
const paths: Record<"plain" | "sensitive" | "warned", string> = {
  plain: "",
  sensitive: "",
  warned: "",
};

const upload = async (): Promise<string> => {
  const multipart = formOf(await picture("png", 600, 400), { description: "a grey owl" });
  const { json } = await alice.post("/api/v2/media", multipart);
  return json.id;
};

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice");
  const post = async (more: object): Promise<string> => {
    const json = { status: "Look", media_ids: [await upload()], ...more };
    const { id } = (await alice.post("/api/v1/statuses", json)).json;
    return `/@alice/${id}`;
  };
  paths.plain = await post({});
  paths.sensitive = await post({ sensitive: true });
  paths.warned = await post({ sensitive: true, spoiler_text: "Owls" });
  browser = openBrowser(server);
  await browser.signIn("alice");
});

after(() => server.close());

const save = async (form: Record<string, string>) => {
  const { text } = await browser.get("/settings/preferences");
  const [, form_token = ""] = /name="form_token" value="([^"]+)"/.exec(text)!;
  const back = "/settings/preferences";
  const { status } = await browser.post("/web/act/preferences", { form_token, back, ...form });
  assert.equal(status, 303);
};

const preferences = async (): Promise<Record<string, unknown>> =>
  (await alice.get("/api/v1/preferences")).json;

const main = async (path: string): Promise<string> => {
  const { text } = await browser.get(path);
  return /<main[\s\S]*<\/main>/.exec(text)![0];
};

const isCovered = async (path: string): Promise<boolean> =>
  (await main(path)).includes('<details class="cover">');

test("sensitive media are covered, shown, or all media are covered", async () => {
  const expected = {
    default: { plain: false, sensitive: true },
    show_all: { plain: false, sensitive: false },
    hide_all: { plain: true, sensitive: true },
  };
  for (const [value, { plain, sensitive }] of Object.entries(expected)) {
    await save({ "reading:expand:media": value });
    assert.equal((await preferences())["reading:expand:media"], value);
    assert.equal(await isCovered(paths.plain), plain, value);
    assert.equal(await isCovered(paths.sensitive), sensitive, value);
  }
  const visitor = (await server.visitor.get(paths.sensitive)).text;
  assert.match(visitor, /<details class="cover">/);
  await save({ "reading:expand:media": "default" });
});

test("warnings are unfolded; sensitive media below them are then covered on their own", async () => {
  assert.match(await main(paths.warned), /<details class="warning">/);
  assert.equal(await isCovered(paths.warned), false);
  await save({ "reading:expand:spoilers": "true" });
  assert.match(await main(paths.warned), /<details class="warning" open/);
  assert.equal(await isCovered(paths.warned), true);
  await save({ "reading:expand:spoilers": "false" });
});

test("descriptions of media are shown where this browser wants them", async () => {
  assert.doesNotMatch(await main(paths.plain), /<details class="alt" open>/);
  const { text } = await browser.get("/settings/preferences");
  const [, form_token = ""] = /name="form_token" value="([^"]+)"/.exec(text)!;
  await browser.post("/web/look", { form_token, alt: "shown", density: "compact" });
  const page = (await browser.get(paths.plain)).text;
  assert.match(page, /<details class="alt" open>/);
  assert.match(page, /<html [^>]*data-density="compact" data-alt="shown"/);
});

test("custom emojis move only for whom lets pictures move", async () => {
  await server.write`
    INSERT INTO custom_emojis (shortcode, file_key, static_key)
    VALUES ('rook', 'emojis/12/34.gif', 'emojis/12/34.png')
  `;
  const json = { display_name: "Alice :rook:" };
  const path = "/api/v1/accounts/update_credentials";
  await alice.patch(path, json);
  assert.match(await main("/@alice"), /<img class="emoji" src="[^"]*34\.png"/);
  await save({ "reading:autoplay:gifs": "true" });
  const page = await main("/@alice");
  assert.match(
    page,
    /<source[^>]*34\.png"[^>]*reduced-motion[^>]*><img class="emoji" src="[^"]*34\.gif"/,
  );
  await save({ "reading:autoplay:gifs": "false" });
});

test("what an app changes is what the page shows, and new posts begin with", async () => {
  const json = {
    "reading:expand:media": "hide_all",
    "reading:autoplay:gifs": true,
    "posting:default:visibility": "private",
    "posting:default:quote_policy": "nobody",
    "posting:default:language": "de",
  };
  await alice.patch("/api/v1/preferences", json);
  const page = await main("/settings/preferences");
  const selected = [
    ...page.matchAll(/<option (?:selected value="([^"]+)"|value="([^"]+)" selected)/g),
  ];
  const values = selected.map(([, double, other]) => double ?? other);
  for (const value of ["hide_all", "true", "private", "nobody", "de"])
    assert.ok(values.includes(value), value);
  const composer = await main("/compose");
  assert.match(composer, /<option (?:selected value="private"|value="private" selected)/);
  assert.match(composer, /<option (?:selected value="nobody"|value="nobody" selected)/);
});

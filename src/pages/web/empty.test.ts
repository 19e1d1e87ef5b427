// The first quarter of an hour: what a new member finds on each page says what to do next.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { formOf, picture } from "../../../test/files.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";

let server: TestApp;
let browser: Browser;

before(async () => {
  server = await startTestApp();
  await server.person("alice");
  browser = openBrowser(server);
  await browser.signIn("alice");
});

after(() => server.close());

/** A page without anything yet → where it leads from there. */
const EMPTY: Record<string, string> = {
  "/home": "/welcome",
  "/bookmarks": "/explore",
  "/favourites": "/explore",
  "/notifications": "/welcome",
  "/conversations": "/compose?visibility=direct",
  "/followed_tags": "/explore/tags",
  "/search?q=nothingatall": "/explore",
  "/tags/rivers": "/compose?text=%23rivers+",
  "/scheduled": "/compose",
};

test("where there is nothing yet, the page says why and leads on", async () => {
  for (const [path, next] of Object.entries(EMPTY)) {
    const { status, text } = await browser.get(path);
    assert.equal(status, 200, path);
    const [empty = ""] = /<div class="empty">[\s\S]*?<\/div>/.exec(text) ?? [];
    assert.match(empty, /<p>[^<]{15,}<\/p>/, path);
    assert.ok(empty.includes(`href="${next.replaceAll("&", "&amp;")}"`), `${path}: ${empty}`);
    assert.equal((await browser.get(next)).status, 200, next);
  }
  // A list is made on the page itself.
  assert.match(
    (await browser.get("/lists")).text,
    /class="empty"[\s\S]*action="\/web\/act\/lists"/,
  );
});

test("a name and a picture are given on the welcome page, without scripts", async () => {
  const { text } = await browser.get("/welcome");
  const [, form_token = ""] = /name="form_token" value="([^"]+)"/.exec(text)!;
  const multipart = formOf(null, {
    form_token,
    back: "/welcome",
    display_name: "Alice of the hills",
    avatar: await picture("png", 400, 400),
  });
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const path = "/web/act/accounts/update_credentials";
  const answer = await server.visitor.post(path, multipart, { cookie });
  assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/welcome"]);
  const page = (await browser.get("/welcome")).text;
  assert.match(page, /value="Alice of the hills"/);
  assert.doesNotMatch(page, /class="edited-avatar"[^>]*missing\.png/);
});

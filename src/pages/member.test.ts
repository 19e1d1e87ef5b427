// The header of public pages knows who is signed in; what it shows them is never cached for others.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../test/browser.ts";
import { startTestApp } from "../../test/harness.ts";
import type { TestApp } from "../../test/harness.ts";

let server: TestApp;

before(async () => {
  server = await startTestApp();
  const { token } = await server.person("alice");
  const json = { display_name: "<b>Alice" };
  await server.as(token).patch("/api/v1/accounts/update_credentials", json);
});

after(() => server.close());

const PATHS = ["/", "/about", "/privacy-policy", "/@alice", "/tags/birds"];

test("somebody signed in sees their name, their settings and a way out", async () => {
  const browser = openBrowser(server);
  await browser.signIn("alice");
  for (const path of PATHS) {
    const { status, text, headers } = await browser.get(path);
    assert.equal(status, 200, path);
    assert.match(text, /<a class="person-names" href="\/@alice">.*?&lt;b>Alice</, path);
    assert.match(text, /href="\/settings"[^>]*>.*?Settings/);
    assert.doesNotMatch(text, />Sign in</);
    assert.equal(headers.get("cache-control"), "private, no-store");
    assert.equal(headers.get("vary"), "Accept, Cookie, Accept-Language, Accept-Encoding");
  }
  const page = await browser.get("/settings");
  assert.equal((await browser.submit(page, "/auth/sign_out", {})).status, 302);
  assert.match((await browser.get("/@alice")).text, />Sign in</);
});

test("everybody else gets the same page, which caches may keep, and comes back after signing in", async () => {
  for (const path of PATHS) {
    const visitor = openBrowser(server);
    visitor.cookies.set("rookery_session", "not one of ours");
    const [plain, unknown] = [await server.visitor.get(path), await visitor.get(path)];
    assert.equal(plain.text, unknown.text, path);
    assert.match(plain.headers.get("cache-control") ?? "", /^max-age=15, public/);
    assert.equal(plain.headers.get("vary"), "Accept, Cookie, Accept-Language, Accept-Encoding");
    assert.equal(plain.headers.get("set-cookie"), null);
    assert.doesNotMatch(plain.text, /name="form_token" value="[^"]|class="me"/);
  }
  const browser = openBrowser(server);
  const profile = await browser.get("/@alice?max_id=5");
  const [, path] = /href="([^"]*)">Sign in</.exec(profile.text)!;
  const form = await browser.get(path!);
  const values = { login: "alice", password: "correct horse" };
  const answer = await browser.submit(form, "/auth/sign_in", values);
  assert.equal(answer.headers.get("location"), "/@alice?max_id=5");
});

test("what other pages frame is the same for everybody", async () => {
  const alice = await server.person("framed");
  const answer = await alice.post("/api/v1/statuses", { status: "in a frame" });
  const path = `/@framed/${answer.json.id}/embed`;
  const browser = openBrowser(server);
  await browser.signIn("alice");
  const [own, plain] = [await browser.get(path), await server.visitor.get(path)];
  assert.equal(own.text, plain.text);
  assert.match(own.headers.get("cache-control") ?? "", /public/);
});

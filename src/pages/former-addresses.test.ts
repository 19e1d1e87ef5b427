// Addresses of Mastodon's web client lead to the pages that are here in their place.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../test/browser.ts";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";

let server: TestApp;
let alice: Person;

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice");
});
after(() => server.close());

const leadsTo = async (path: string): Promise<string | null> => {
  const answer = await server.visitor.get(path);
  return answer.status === 302 ? answer.headers.get("location") : String(answer.status);
};

test("pages have other names here, and what was behind /web and /deck is not behind anything", async () => {
  const places = {
    "/web": "/home",
    "/deck/": "/home",
    "/web/getting-started": "/home",
    "/getting-started": "/home",
    "/publish": "/compose",
    "/deck/publish": "/compose",
    "/blocks": "/settings/blocks",
    "/mutes": "/settings/mutes",
    "/domain_blocks": "/settings/domain_blocks",
    "/profile/edit": "/settings/profile",
    "/public/remote": "/public",
    "/explore/suggestions": "/explore/people",
    "/deck/search?q=cats&type=tags": "/search?q=cats&type=tags",
    "/web/timelines/public/local": "/public/local",
    "/web/timelines/tag/cats": "/tags/cats",
    "/web/timelines/list/7": "/lists/7",
    "/deck/@alice/5": "/@alice/5",
    "/deck/notifications": "/notifications",
    "/web//elsewhere.example": "/elsewhere.example",
    "/web/%5Celsewhere.example": "/%5Celsewhere.example",
  };
  for (const [path, to] of Object.entries(places)) assert.equal(await leadsTo(path), to, path);
});

test("a place that it leads to is a page", async () => {
  const browser = openBrowser(server);
  await browser.signIn("alice");
  for (const path of ["/getting-started", "/publish", "/blocks", "/filters", "/links", "/pinned"]) {
    const { headers } = await browser.get(path);
    assert.equal((await browser.get(headers.get("location")!)).status, 200, path);
  }
});

test("a post and a person are found by their numbers, by those who may see them", async () => {
  const { id } = await alice.post("/api/v1/statuses", { status: "x" }).ok();
  const hidden = await alice.post("/api/v1/statuses", { status: "x", visibility: "private" }).ok();
  assert.equal(await leadsTo(`/web/statuses/${id}`), `/@alice/${id}`);
  assert.equal(await leadsTo(`/statuses/${id}`), `/@alice/${id}`);
  assert.equal(await leadsTo(`/deck/accounts/${alice.accountId}`), "/@alice");
  assert.equal(await leadsTo(`/web/statuses/${hidden.id}`), "404");
  assert.equal(await leadsTo("/web/statuses/nonsense"), "404");
  const browser = openBrowser(server);
  await browser.signIn("alice");
  const { headers } = await browser.get(`/web/statuses/${hidden.id}`);
  assert.equal(headers.get("location"), `/@alice/${hidden.id}`);
});

// Explore, the directory, search and the front page as the server draws them, for visitors and members.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";

let server: TestApp;
let member: Browser;
let visitor: Browser;

before(async () => {
  server = await startTestApp();
  const alice = await server.person("alice");
  const bob = await server.person("bob");
  const json = {
    discoverable: true,
    indexable: true,
    display_name: "Bob <b>",
    note: "I like owls",
  };
  const profile = "/api/v1/accounts/update_credentials";
  await bob.patch(profile, json);
  const status = { status: "an owl at dusk #owls" };
  await bob.post("/api/v1/statuses", status);
  await alice.post("/api/v1/statuses", status);
  await server.runJobs();
  await server.write`INSERT INTO rules (text) VALUES ('Be kind <b>')`;
  [member, visitor] = [openBrowser(server), openBrowser(server)];
  await member.signIn("alice");
});

after(() => server.close());

test("everybody can look around, and empty pages say what to do next", async () => {
  for (const path of ["/explore", "/explore/tags", "/explore/links", "/explore/people"]) {
    for (const browser of [member, visitor]) {
      const { status, text } = await browser.get(path);
      assert.equal(status, 200, path);
      assert.match(text, new RegExp(`href="${path}" aria-current="page"`), path);
      assert.match(text, /class="feed|class="empty"/);
    }
  }
  assert.equal((await visitor.get("/explore/nothing")).status, 404);
});

test("where nothing trends yet, explore and search begin with what is here", async () => {
  for (const browser of [member, visitor]) {
    const { text } = await browser.get("/explore");
    assert.match(text, /New on Rookery/);
    assert.match(text, /an owl at dusk/);
    assert.match(text, /People to follow[^]*href="\/@bob"/);
    assert.match(
      (await browser.get("/explore/tags")).text,
      /class="tag-row"><a href="\/tags\/owls"/,
    );
  }
  const { text } = await member.get("/search");
  assert.match(text, /People to follow[^]*href="\/@bob"/);
  assert.match(text, /class="chip" href="\/tags\/owls"/);
});

test("the directory has who wants to be found, with a way to follow them", async () => {
  const open = await visitor.get("/directory");
  assert.match(open.text, /Bob &lt;b>[^]*I like owls/);
  assert.match(open.text, /href="\/interact\?acct=bob"/);
  assert.doesNotMatch(open.text, /href="\/@alice"/);
  assert.match((await member.get("/directory?order=new")).text, /data-act="follow"/);
  await server.write`
    INSERT INTO settings (name, value) VALUES ('profile_directory', 'false')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
  assert.equal((await visitor.get("/directory")).status, 404);
  assert.equal((await visitor.get("/")).status, 200);
});

test("search finds people, posts and hashtags without scripts, and is for nobody's index", async () => {
  const answer = await member.get("/search?q=owl");
  assert.match(answer.text, /an owl at dusk/);
  assert.match(answer.text, /name="robots" content="noindex"/);
  assert.match((await visitor.get("/search?q=bob")).text, /href="\/@bob"/);
  assert.match((await visitor.get("/search?q=owls&type=hashtags")).text, /href="\/tags\/owls"/);
  assert.match((await visitor.get("/search?q=zzz<b>")).text, /No results for “zzz&lt;b>”/);
  const blank = await visitor.get("/search");
  assert.match(blank.text, /<form[^>]*action="\/search"/);
});

test("the front page says what this server is, by which rules, and how to get in", async () => {
  await server.write`
    INSERT INTO settings (name, value) VALUES ('registrations', '"open"')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
  const { text } = await visitor.get("/");
  assert.match(text, /Be kind &lt;b>/);
  assert.match(text, /href="\/auth\/sign_up"/);
  assert.match(text, /an owl at dusk/);
});

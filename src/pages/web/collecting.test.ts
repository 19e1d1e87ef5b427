// Lists, followed hashtags, private conversations and catching up, as a browser without scripts has them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hiddenFields, openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../../test/harness.ts";
import { FIELD_NAMES } from "../../domain/people/lists/fields.ts";

let server: TestApp;
let browser: Browser;
let alice: Person;
let bob: Person;

const write = async (who: Person, status: string, more: object = {}): Promise<any> => {
  const written = await who.post("/api/v1/statuses", { status, ...more }).ok();
  await server.runJobs();
  return written;
};

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice");
  bob = await server.person("bob");
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
  browser = openBrowser(server);
  await browser.signIn("alice");
});
after(() => server.close());

/** The page that a form leads back to. */
const submit = async (page: Answer, action: string, values = {}): Promise<Answer> => {
  const answer = await browser.submit(page, action, values);
  assert.equal(answer.status, 303, answer.text);
  return browser.get(answer.headers.get("location")!);
};

test("lists are made, named, filled and deleted by forms", async () => {
  const answer = await submit(await browser.get("/lists"), "/web/act/lists", { title: "Birds" });
  const [, id] = /href="\/lists\/(\d+)"/.exec(answer.text)!;
  const edit = `/lists/${id}/edit`;
  const update = { title: "Rooks", replies_policy: "none", exclusive: "true" };
  const settings = await browser.get(edit);
  const missing = FIELD_NAMES.filter((name) => !settings.text.includes(` name="${name}"`));
  assert.deepEqual(missing, [], "fields of a list that the page does not have");
  const renamed = await submit(settings, `/web/act/lists/${id}`, update);
  assert.match(renamed.text, /Edit Rooks/);
  const { replies_policy, exclusive } = await alice.get(`/api/v1/lists/${id}`).ok();
  assert.deepEqual([replies_policy, exclusive], ["none", true]);

  const page = await browser.get(`${edit}?q=bob`);
  assert.equal(
    hiddenFields(page.text, `/web/act/lists/${id}/accounts`)["account_ids[]"],
    bob.accountId,
  );
  const filled = await submit(page, `/web/act/lists/${id}/accounts`);
  assert.doesNotMatch(filled.text, /lists\/\d+\/add/);
  await write(bob, "for those who list me");
  assert.match((await browser.get(`/lists/${id}`)).text, /for those who list me/);
  await submit(filled, `/web/act/lists/${id}/accounts/delete`);
  assert.deepEqual(await alice.get(`/api/v1/lists/${id}/accounts`).ok(), []);

  const left = await submit(await browser.get(edit), `/web/act/lists/${id}/delete`);
  assert.match(left.text, /No lists yet/);
});

test("hashtags are followed and unfollowed on their pages, and listed", async () => {
  const path = `/tags/${encodeURIComponent("rookerys_größe")}`;
  const page = await browser.get(path);
  const followed = await submit(page, `/web/act${path}/follow`);
  assert.ok(followed.text.includes(`/web/act${path}/unfollow`));
  const listed = await browser.get("/followed_tags");
  assert.match(listed.text, /rookerys_größe/);
  assert.match((await submit(listed, `/web/act${path}/unfollow`)).text, /Open a hashtag/);
});

test("hashtags are muted on their pages for a time, listed in the settings, and unmuted there", async () => {
  const page = await browser.get("/tags/storms");
  const muted = await submit(page, "/web/act/tags/storms/mute", { duration: "86400" });
  assert.match(muted.text, /You’ve muted this hashtag/);
  const [tag] = await alice.get("/api/v1/muted_tags").ok();
  assert.deepEqual([tag.name, tag.muting_expires_at !== null], ["storms", true]);
  const listed = await browser.get("/settings/muted_tags");
  assert.match(listed.text, /#storms/);
  const unmuted = await submit(listed, "/web/act/tags/storms/unmute");
  assert.match(unmuted.text, /You haven’t muted any hashtags/);
});

test("conversations are listed, marked as read and removed", async () => {
  await write(bob, "@alice between us", { visibility: "direct" });
  const page = await browser.get("/conversations");
  assert.match(page.text, /between us/);
  const [, id] = /conversations\/(\d+)\/read/.exec(page.text)!;
  const read = await submit(page, `/web/act/conversations/${id}/read`);
  assert.doesNotMatch(read.text, /\/read"/);
  const removed = await submit(read, `/web/act/conversations/${id}/delete`);
  assert.doesNotMatch(removed.text, /between us/);
});

test("catching up shows what came to home after the last visit, by person", async () => {
  const seen = await write(bob, "seen before");
  await alice.post("/api/v1/markers", { home: { last_read_id: seen.id } }).ok();
  await write(bob, "the first news");
  await write(bob, "the second news");
  const { text } = await browser.get("/catch-up");
  assert.match(text, /the first news/);
  assert.match(text, /2 posts by 1 person/);
  assert.match(text, /You’re up to date/);
  assert.doesNotMatch(text, /seen before/);
});

test("catching up counts what it shows, and the rest is on further pages", async () => {
  const seen = await write(bob, "seen before the many");
  await alice.post("/api/v1/markers", { home: { last_read_id: seen.id } }).ok();
  for (let n = 0; n < 210; n += 1)
    // Each has its place in home.
    // oxlint-disable-next-line no-await-in-loop
    await bob.post("/api/v1/statuses", { status: `news ${n}` }).ok();
  await server.runJobs();
  const first = await browser.get("/catch-up");
  assert.match(first.text, /200 posts by 1 person on this page/);
  assert.doesNotMatch(first.text, /You’re up to date/);
  const links = [...first.text.matchAll(/href="(\?[^"]*)"/g)].map(([, href]) =>
    href!.replaceAll("&amp;", "&"),
  );
  const older = links.find((href) => href.includes("max_id"));
  // The page moves the marker as it is left.
  await alice
    .post("/api/v1/markers", {
      home: { last_read_id: (await write(bob, "last")).id },
    })
    .ok();
  const rest = await browser.get(`/catch-up${older}`);
  assert.match(rest.text, /10 posts by 1 person on this page/);
  assert.match(rest.text, /You’re up to date/);
  assert.doesNotMatch(rest.text, /seen before/);
});

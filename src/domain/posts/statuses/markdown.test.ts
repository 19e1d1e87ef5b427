// Posts in Markdown: how they are shown, edited, scheduled, found, sent to other servers and archived.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { ownActivities } from "../../about/transfers/archive/posts.ts";
import { readPost } from "../../about/transfers/posts/read-post.ts";

type Json = Record<string, any>;

let t: TestApp;
let author: Person;
let bob: Person;

const TYPE = "text/markdown";
const write = (status: string, more: Json = {}): Promise<any> =>
  author.post("/api/v1/statuses", { status, content_type: TYPE, ...more }).ok();

before(async () => {
  t = await startTestApp();
  [author, bob] = [await t.person("author"), await t.person("bob")];
  await t.write`INSERT INTO custom_emojis (shortcode, file_key, static_key)
    VALUES ('moss', 'm.png', 'm.png'), ('fern', 'f.png', 'f.png')`;
});
after(() => t?.close());

test("instances say what posts can be written in", async () => {
  const { json } = await t.visitor.get("/api/v2/instance");
  assert.equal(json.configuration.rookery.markdown, true);
  assert.deepEqual(json.configuration.statuses.supported_mime_types, ["text/plain", TYPE]);
});

test("HTML with mentions, hashtags and emojis, but for those in code", async () => {
  const status = await write("# Hi @bob\n\n- **#one** :moss:\n- `#two @author :fern:`");
  assertEntity("Status", status);
  assert.match(status.content, /^<p><strong>Hi <span class="h-card"/);
  assert.match(
    status.content,
    /<ul><li><strong><a [^>]*>#<span>one<\/span><\/a><\/strong> :moss:<\/li>/,
  );
  assert.match(status.content, /<li><code>#two @author :fern:<\/code><\/li><\/ul>$/);
  assert.deepEqual(
    status.mentions.map(({ username }: Json) => username),
    ["bob"],
  );
  assert.deepEqual(
    status.tags.map(({ name }: Json) => name),
    ["one"],
  );
  assert.deepEqual(
    status.emojis.map(({ shortcode }: Json) => shortcode),
    ["moss"],
  );
  await t.runJobs();
  const [noticed] = await bob.get("/api/v1/notifications").ok();
  assert.equal(noticed.status.id, status.id);
});

test("its source is kept with its type; edits keep the type, or change it", async () => {
  const { id } = await write("*a*");
  const path = `/api/v1/statuses/${id}`;
  const source = await author.get(`${path}/source`).ok();
  assertEntity("StatusSource", source);
  assert.deepEqual([source.text, source.content_type], ["*a*", TYPE]);
  assert.equal((await author.put(path, { status: "*b*" }).ok()).content, "<p><em>b</em></p>");
  const plain = { status: "*b*", content_type: "text/plain" };
  assert.equal((await author.put(path, plain).ok()).content, "<p>*b*</p>");
  assert.equal((await author.get(`${path}/source`).ok()).content_type, "text/plain");
  const history = await author.get(`${path}/history`).ok();
  assert.deepEqual(
    history.map(({ content }: Json) => content),
    ["<p><em>a</em></p>", "<p><em>b</em></p>", "<p>*b*</p>"],
  );
  const deleted = await author.delete(path).ok();
  assert.deepEqual([deleted.text, deleted.content_type], ["*b*", "text/plain"]);
});

test("unknown types and what is too long are refused", async () => {
  const refused = async (path: string, json: Json) =>
    assert.equal((await author.post(path, json)).status, 422);
  for (const path of ["/api/v1/statuses", "/api/v1/statuses/preview"]) {
    await refused(path, { status: "a", content_type: "text/html" });
    await refused(path, { status: "a".repeat(501), content_type: TYPE });
  }
});

test("links count as 23 characters in Markdown, too", async () => {
  const link = `https://x.example/${"a".repeat(600)}`;
  assert.match((await write(`${"a".repeat(400)} [b](${link})`)).content, />b<\/a><\/p>$/);
});

test("a preview stores nothing, and needs a token that may write", async () => {
  const json = { status: "*a* @bob :moss: `:fern:`", content_type: TYPE };
  const preview = await author.post("/api/v1/statuses/preview", json).ok();
  assert.equal(preview.content, "<p><em>a</em> @bob :moss: <code>:fern:</code></p>");
  assert.deepEqual(
    preview.emojis.map(({ shortcode }: Json) => shortcode),
    ["moss"],
  );
  assert.equal((await t.visitor.post("/api/v1/statuses/preview", json)).status, 401);
});

test("a person's usual type holds where a post says nothing", async () => {
  const path = "/api/v1/preferences";
  const name = "posting:default:content_type";
  assert.equal((await author.get(path).ok())[name], "text/plain");
  assert.equal((await author.patch(path, { [name]: "text/html" })).status, 422);
  assert.equal((await author.patch(path, { [name]: TYPE }).ok())[name], TYPE);
  const own = await author.get("/api/v1/accounts/verify_credentials").ok();
  assert.equal(own.source.content_type, TYPE);
  const content = async (json: Json) =>
    (await author.post("/api/v1/statuses", { status: "*a*", ...json }).ok()).content;
  assert.equal(await content({}), "<p><em>a</em></p>");
  assert.equal(await content({ content_type: "text/plain" }), "<p>*a*</p>");
  await author
    .patch("/api/v1/accounts/update_credentials", {
      source: { content_type: "text/plain" },
    })
    .ok();
  assert.equal(await content({}), "<p>*a*</p>");
});

test("scheduled posts keep it", async () => {
  const later = new Date(t.app.clock.now().getTime() + 3_600_000).toISOString();
  const scheduled = await write("*later*", { scheduled_at: later });
  assertEntity("ScheduledStatus", scheduled);
  assert.equal(scheduled.params.content_type, TYPE);
  await t.write`UPDATE scheduled_statuses SET scheduled_at = now()`;
  await t.app.sql`
    UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key LIKE 'status.scheduled:%'`;
  await t.runJobs();
  const [posted] = await author.get(`/api/v1/accounts/${author.accountId}/statuses`).ok();
  assert.equal(posted.content, "<p><em>later</em></p>");
});

test("filters and searches see words without marks", async () => {
  const { id } = await write("mi**cro**scope of *lichen*");
  await t.runJobs();
  const found = await author.get("/api/v2/search?type=statuses&q=microscope").ok();
  assert.deepEqual(
    found.statuses.map((status: Json) => status["id"]),
    [id],
  );
  await bob
    .post("/api/v2/filters", {
      title: "f",
      context: ["public"],
      keywords_attributes: [{ keyword: "microscope", whole_word: true }],
    })
    .ok();
  const { filtered } = await bob.get(`/api/v1/statuses/${id}`).ok();
  assert.equal(filtered.length, 1);
});

test("other servers get the HTML and the source, and an archive is read with it", async () => {
  const { uri } = await write("**now**");
  const answer = await t.visitor.get(new URL(uri).pathname, {
    accept: "application/activity+json",
  });
  assert.equal(answer.json.content, "<p><strong>now</strong></p>");
  assert.deepEqual(answer.json.source, { content: "**now**", mediaType: TYPE });
  const plain = await author.post("/api/v1/statuses", { status: "plain" }).ok();
  const other = await t.visitor.get(new URL(plain.uri).pathname, {
    accept: "application/activity+json",
  });
  assert.equal("source" in other.json, false);
  const activities = await Array.fromAsync(ownActivities(t.app, author.accountId));
  const activity = activities.find(({ object }) => (object as Json)["id"] === uri)!;
  const context = {
    actorUri: activity["actor"] as string,
    followersUrl: null,
    domain: null,
    now: t.app.clock.now(),
  };
  const read = readPost(activity, context);
  assert.deepEqual("post" in read && read.post.source, { text: "**now**", contentType: TYPE });
});

// The server's own emojis: in texts and names, in the list for pickers, told to other servers; and theirs here.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { shortcodesOf } from "./load.ts";
import { addEmoji } from "./own.ts";

let server: TestApp;
let other: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  [server, other] = await Promise.all([startTestApp(), startTestApp()]);
  [alice, bob] = await Promise.all([server.person("alice"), other.person("bob")]);
});
after(async () => {
  await Promise.all([server?.close(), other?.close()]);
});

const AP = { accept: "application/activity+json" };

const make = async (shortcode: string, category: string | null = null): Promise<string> => {
  const [row] = await server.write<{ id: string }[]>`
    INSERT INTO custom_emojis (shortcode, category, file_key, static_key)
    VALUES (${shortcode}, ${category}, 'emojis/12/34.gif', 'emojis/12/35.png') RETURNING id
  `;
  return row!.id;
};

const picture = (shortcode: string) => ({
  shortcode,
  url: `${server.url}/media/emojis/12/34.gif`,
  static_url: `${server.url}/media/emojis/12/35.png`,
  // The same in texts as in the list.
  visible_in_picker: true,
});

const post = (json: object): Promise<any> => alice.post("/api/v1/statuses", json).ok();

const read = async (id: string): Promise<any> =>
  (await server.visitor.get(`/api/v1/statuses/${id}`)).json;

test("shortcodes stand alone, not in words, times or addresses", () => {
  assert.deepEqual(shortcodesOf(":a_b: x:cd: :ef:gh: (:ij:) :k: :lm:"), ["a_b", "ij", "lm"]);
  assert.deepEqual(shortcodesOf("10:30:45 :30: ::no::"), ["30"]);
  assert.deepEqual(shortcodesOf(`:${"x".repeat(129)}:`), []);
});

test("posts have the emojis of their text, warning and poll, also when these are added later", async () => {
  await make("blob");
  const poll = { options: [":blob: yes", "no"], expires_in: 600 };
  const plain = await post({ status: "early :blob: and :late:", spoiler_text: "look :blob:" });
  assert.deepEqual(plain.emojis, [picture("blob")]);
  assertEntity("Status", plain);
  const question = await post({ status: "which", poll });
  assert.deepEqual(question.emojis, [picture("blob")]);
  assert.deepEqual(question.poll.emojis, [picture("blob")]);
  await make("late");
  assert.deepEqual(
    (await read(plain.id)).emojis.map((emoji: any) => emoji.shortcode),
    ["blob", "late"],
  );
  await server.write`UPDATE custom_emojis SET disabled = true WHERE shortcode = 'late'`;
  assert.deepEqual(
    (await read(plain.id)).emojis.map((emoji: any) => emoji.shortcode),
    ["blob"],
  );
  const json = { status: "now without", spoiler_text: "" };
  await alice.put(`/api/v1/statuses/${plain.id}`, json);
  const { json: versions } = await server.visitor.get(`/api/v1/statuses/${plain.id}/history`);
  assert.deepEqual(
    versions.map((version: any) => version.emojis.length),
    [1, 0],
  );
});

test("what another process changes is heard of", async () => {
  const { id } = await post({ status: "wait for :heard:" });
  assert.deepEqual((await read(id)).emojis, []);
  const list = async () => (await server.visitor.get("/api/v1/custom_emojis")).text;
  assert.doesNotMatch(await list(), /heard/);
  await make("heard");
  assert.equal((await read(id)).emojis.length, 1);
  assert.match(await list(), /heard/);
});

test("profiles have the emojis of names, bios and fields", async () => {
  for (const code of ["name", "bio", "label", "value"]) await make(`in_${code}`);
  const { json } = await alice.patch("/api/v1/accounts/update_credentials", {
    display_name: "Alice :in_name:",
    note: "I :in_bio:",
    fields_attributes: [{ name: ":in_label:", value: ":in_value:" }],
  });
  assertEntity("CredentialAccount", json);
  assert.deepEqual(
    json.emojis.map((emoji: any) => emoji.shortcode),
    ["in_name", "in_bio", "in_label", "in_value"],
  );
  const actor = await server.visitor.get("/users/alice", AP);
  const tags = actor.json.tag.filter((tag: any) => tag.type === "Emoji");
  assert.deepEqual(
    tags.map((tag: any) => tag.name),
    [":in_name:", ":in_bio:", ":in_label:", ":in_value:"],
  );
});

test("the list has categories, and may be shared where everybody may read it", async () => {
  await make("duck", "Birds");
  const answer = await server.visitor.get("/api/v1/custom_emojis");
  for (const emoji of answer.json) assertEntity("CustomEmoji", emoji);
  const duck = answer.json.find((emoji: any) => emoji.shortcode === "duck");
  assert.deepEqual(duck, { ...picture("duck"), category: "Birds", featured: true });
  assert.match(answer.headers.get("cache-control")!, /public/);
});

test("other servers get the emojis of posts and profiles, and show them", async () => {
  const id = await make("travels");
  const acct = `bob@${new URL(other.url).host}`;
  const name = { display_name: "Alice :travels:" };
  await alice.patch("/api/v1/accounts/update_credentials", name);
  const { id: postId, uri } = await post({ status: `@${acct} :travels:` });
  await server.runJobs();
  await other.runJobs();
  const note = await server.visitor.get(new URL(uri).pathname, AP);
  const tag = note.json.tag.find((tag: any) => tag.type === "Emoji");
  assert.equal(tag.id, `${server.url}/emojis/${id}`);
  assert.deepEqual(tag.icon, {
    type: "Image",
    mediaType: "image/gif",
    url: `${server.url}/media/emojis/12/34.gif`,
  });
  assert.ok(note.json["@context"].some((term: any) => term.Emoji === "toot:Emoji"));
  const document = await server.visitor.get(`/emojis/${id}`, AP);
  assert.deepEqual({ ...document.json, "@context": undefined }, { ...tag, "@context": undefined });
  assert.match(document.headers.get("content-type")!, /^application\/activity\+json/);
  assert.equal((await server.visitor.get("/emojis/1", AP)).status, 404);
  const { json } = await bob.get("/api/v1/notifications");
  const { status, account } = json[0];
  assert.equal(status.uri, uri);
  for (const emojis of [status.emojis, account.emojis]) {
    assert.equal(emojis[0].shortcode, "travels");
    assert.match(
      emojis[0].url,
      new RegExp(`^${other.url}/media/remote/emojis/[\\w-]+/[0-9a-f]{32}$`),
    );
    assert.match(emojis[0].static_url, new RegExp(`^${other.url}/media/remote/stills/`));
  }
  const { text } = await server.visitor.get(`/@alice/${postId}`);
  // Pages show it still, unless their reader lets pictures move.
  assert.match(
    text,
    /<img class="emoji" src="[^"]*\/media\/emojis\/[^"]*(?<!\.gif)" alt=":travels:"/,
  );
});

test("pictures of others' emojis are fetched through this server, and nothing else is", async () => {
  const frames = await Promise.all(
    ["red", "blue"].map((background) =>
      sharp({ create: { width: 32, height: 32, channels: 4, background } })
        .png()
        .toBuffer(),
    ),
  );
  const bytes = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  await addEmoji(server.app, { shortcode: "dances", bytes, visible: true });
  const own = (await post({ status: `@bob@${new URL(other.url).host} :dances:` })).emojis[0];
  await server.runJobs();
  await other.runJobs();
  const { json } = await bob.get("/api/v1/notifications");
  const emoji = json[0].status.emojis.find((emoji: any) => emoji.shortcode === "dances");
  const look = async (url: string) => {
    const answer = await fetch(url);
    const body = Buffer.from(await answer.arrayBuffer());
    const isPicture = answer.status === 200;
    const pages = isPicture ? (await sharp(body, { animated: true }).metadata()).pages : null;
    return [answer.status, pages ?? 1];
  };
  assert.deepEqual(await look(own.url), [200, 2]);
  assert.deepEqual(await look(emoji.url), [200, 2]);
  assert.deepEqual(await look(emoji.static_url), [200, 1]);
  const elsewhere = Buffer.from(`${server.url}/api/v1/instance`).toString("base64url");
  const [, name, tag] = /emojis\/([^/]+)\/(\w+)$/.exec(emoji.url)!;
  for (const path of [
    `${elsewhere}/${tag}`,
    `${name}/${"0".repeat(32)}`,
    `${name}/x`,
    `!/${tag}`,
  ]) {
    assert.equal((await fetch(`${other.url}/media/remote/emojis/${path}`)).status, 404, path);
  }
  await other.write`
    INSERT INTO domain_blocks (domain, severity, reject_media)
    VALUES (${new URL(server.url).hostname}, 'noop', true)
  `;
  other.app.caches.clear();
  const after = await bob.get("/api/v1/notifications");
  assert.deepEqual([after.json[0].status.emojis, after.json[0].account.emojis], [[], []]);
});

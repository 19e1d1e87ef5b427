// Exports of other software, as their files are: what is in them is taken, what is not is counted, and hostile ones do
// no harm.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { hiddenFields, openBrowser } from "../../../../test/browser.ts";
import type { Browser } from "../../../../test/browser.ts";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer } from "../../../../test/fake-peer.ts";
import { picture } from "../../../../test/files.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { createDomainBlock, deleteDomainBlock } from "../../staff/moderation/blocks.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";
import { addHostFailure, forgetHostFailures } from "../../../platform/fetch/host-breaker.ts";
import { boundFetched } from "./posts/read-post.ts";
import type { ArchivedPost } from "./posts/read-post.ts";
import { DOCUMENTS, LISTS } from "./posts/limits.ts";

let t: TestApp;
let peer: FakePeer;
let people = 0;
let png: Buffer;

before(async () => {
  t = await startTestApp();
  peer = await startPeer();
  png = await picture("png");
  peer.pages.set("/files/a.png", { body: png, headers: { "content-type": "image/png" } });
});
after(async () => {
  await peer.close();
  await t.close();
});

type Files = Record<string, string | Buffer | object>;

const tarOf = async (files: Files): Promise<Buffer> => {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) {
    const isText = typeof content === "string" || Buffer.isBuffer(content);
    archive.entry({ name }, isText ? content : JSON.stringify(content));
  }
  archive.finalize();
  return buffer((archive as unknown as Readable).pipe(createGzip()));
};

/** Nothing waits for a later time, but what is to be tried again. */
const runImports = async (): Promise<void> => {
  for (let round = 0; round < 100; round += 1) {
    await t.runJobs();
    const rows = await t.app.sql`
      SELECT FROM imports i WHERE state <> 'done' AND NOT EXISTS (
        SELECT FROM import_rows r WHERE r.import_id = i.id AND r.state = 'waiting' AND r.tries > 0)`;
    if (rows.length === 0) return;
    await t.app.sql`UPDATE graphile_worker._private_jobs SET run_at = now()`;
  }
  assert.fail("the imports do not end");
};

const send = async (browser: Browser, name: string, file: Buffer): Promise<string> => {
  const page = await browser.get("/settings/import");
  const multipart = new FormData();
  multipart.set("form_token", hiddenFields(page.text, "/settings/import/posts")["form_token"]!);
  multipart.set("archive", new Blob([new Uint8Array(file)]), name);
  multipart.set("lists", "1");
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const answer = await t.visitor.post("/settings/import/posts", multipart, { cookie });
  assert.equal(answer.status, 302, answer.text);
  return answer.headers.get("location")!;
};

/** By somebody new: their imports by kind, and their posts, oldest first. */
const imported = async (name: string, file: Buffer) => {
  const who = await t.person(`person${(people += 1)}`);
  const browser = openBrowser(t);
  await browser.signIn(who.username);
  const path = await send(browser, name, file);
  await runImports();
  const rows: Record<string, any> = Object.fromEntries(
    (await who.get("/api/v1/imports").ok()).map((row: { type: string }) => [row.type, row]),
  );
  const posts = await who.get(`/api/v1/accounts/${who.accountId}/statuses?limit=40`).ok();
  return { who, rows, posts: posts.toReversed() as Record<string, any>[], browser, path };
};

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const note = (id: string, more: object = {}) => ({
  id,
  text: `note ${id}`,
  createdAt: "2021-02-03T04:05:06.000Z",
  fileIds: [],
  files: [],
  replyId: null,
  renoteId: null,
  poll: null,
  cw: null,
  visibility: "public",
  visibleUserIds: [],
  localOnly: false,
  ...more,
});

test("Misskey: notes with threads, polls, warnings and files; boosts and lost files are counted", async () => {
  const file = (more: object) => ({
    id: "f",
    type: "image/png",
    url: `${peer.origin}/files/a.png`,
    comment: "halves",
    ...more,
  });
  const { rows, posts, browser, path } = await imported(
    "notes-2024-01-01.json",
    json([
      note("a1", { text: "see #Field <b>\n\nhttps://example.com/ @x@example.com", cw: "careful" }),
      note("a2", { replyId: "a1", visibility: "home" }),
      note("a3", { visibility: "followers", fileIds: ["f"], files: [file({})] }),
      note("a4", {
        poll: { choices: ["yes", "no"], votes: [3, 1], multiple: true, expiresAt: null },
      }),
      note("a5", { text: null, renoteId: "zz" }),
      note("a6", { text: "quoting", renoteId: "zz" }),
      note("a7", { visibility: "specified" }),
      note("a8", { fileIds: ["g", "h"], files: undefined }),
      note("../a9"),
      note("a10", { visibility: "constructor" }),
      note("a11", { text: "null \0 and \ud800 halves", cw: "\0" }),
      "nonsense",
      null,
    ]),
  );
  const { posts: row } = rows;
  assert.deepEqual([row.total, row.imported, row.failed, row.error], [9, 7, 2, null]);
  assert.deepEqual(row.left_out, { boosts: 1, files: 2, others: 2 });
  const [first, second, third, fourth, fifth] = posts;
  assert.match(
    first!["content"],
    /see <a href="[^"]*\/tags\/Field"[^]*&lt;b&gt;<\/p><p><a href="https:\/\/example\.com\/"/,
  );
  assert.deepEqual(
    [first!["spoiler_text"], first!["created_at"], first!["tags"].length],
    ["careful", "2021-02-03T04:05:06.000Z", 1],
  );
  assert.deepEqual([second!["in_reply_to_id"], second!["visibility"]], [first!["id"], "unlisted"]);
  assert.equal(third!["visibility"], "private");
  assert.deepEqual(
    third!["media_attachments"].map(({ description }: any) => description),
    ["halves"],
  );
  const { options, multiple } = fourth!["poll"];
  assert.deepEqual(
    [multiple, options.map(({ title, votes_count }: any) => [title, votes_count])],
    [
      true,
      [
        ["yes", 3],
        ["no", 1],
      ],
    ],
  );
  assert.match(fifth!["content"], /quoting/);
  const page = await browser.get(path);
  for (const words of ["1 boost", "2 files missing from the export"]) {
    assert.ok(page.text.includes(`<li>${words}</li>`), words);
  }
});

test("Misskey: its lists and bookmarks, packed together", async () => {
  const [bob, carol] = [await t.person("bob"), await t.person("carol")];
  const host = t.app.config.site.localDomain;
  const post = await bob.post("/api/v1/statuses", { status: "by bob" });
  const { who, rows } = await imported(
    "export.tar.gz",
    await tarOf({
      "following-2024-01-01-00-00-00.csv": `bob@${host}\n`,
      "followers-2024.csv": `x@example.com\ny@example.com\n`,
      "blocking-2024.csv": `carol@${host}\n`,
      "user-lists-2024.csv": `old friends,bob@${host},withReplies=true\n`,
      "favorites-2024.json": [
        { id: "1", createdAt: "", note: { ...note("b1"), uri: post.json.uri, user: {} } },
        { id: "2", createdAt: "", note: { ...note("b2"), uri: null, url: null, user: {} } },
      ],
      "antennas-2024.json": [{ name: "a", src: "all", keywords: [["x"]] }],
      "clips-2024.json": [{ id: "c", name: "c", clipNotes: [{ note: note("b3") }] }],
      "mute-2024.csv": "",
    }),
  );
  assert.deepEqual(
    Object.entries(rows)
      .map(([kind, { imported: count, failed }]) => [kind, count, failed])
      .toSorted(),
    [
      ["blocks", 1, 0],
      ["bookmarks", 1, 0],
      ["following", 1, 0],
      ["lists", 1, 0],
      ["posts", 0, 0],
    ],
  );
  assert.deepEqual(rows["posts"].left_out, { bookmarks: 1, documents: 2, followers: 2 });
  const [relation] = await who.get(`/api/v1/accounts/relationships?id[]=${carol.accountId}`).ok();
  assert.equal(relation.blocking, true);
  assert.deepEqual(
    (await who.get("/api/v1/lists").ok()).map(({ title }: any) => title),
    ["old friends"],
  );
});

const status = (n: number, more: object = {}) => ({
  _v: 1,
  id: String(n),
  uri: `${peer.origin}/p/al/${n}`,
  url: `${peer.origin}/p/al/${n}`,
  in_reply_to_id: "",
  reblog: null,
  content: `picture <a href="x">${n}</a>`,
  content_text: `picture ${n}`,
  created_at: "2020-05-04T03:02:01.000Z",
  sensitive: false,
  spoiler_text: "",
  visibility: "public",
  pf_type: "photo",
  media_attachments: [{ type: "image", url: `${peer.origin}/files/a.png`, description: "halves" }],
  tags: [{ name: "field", url: "" }],
  account: { id: "1", username: "al" },
  ...more,
});

test("Pixelfed: posts with their pictures from the other server, which may answer later", async () => {
  peer.pages.set("/files/late.png", { status: 503 });
  const late = [{ url: `${peer.origin}/files/late.png`, description: null }];
  const gone = [{ url: `${peer.origin}/files/gone.png` }, { url: "javascript:alert(1)" }];
  const { rows, posts, who } = await imported(
    "pixelfed-statuses.json",
    json([
      status(1),
      status(2, {
        in_reply_to_id: "1",
        visibility: "unlisted",
        sensitive: true,
        spoiler_text: "c",
      }),
      status(3, { media_attachments: late }),
      status(4, { media_attachments: gone }),
      status(5, { visibility: "direct" }),
      status(6, { visibility: "archived" }),
      status(7, { pf_type: "share" }),
    ]),
  );
  assert.deepEqual(rows["posts"].left_out, { others: 1, boosts: 1, files: 1 });
  assert.deepEqual(
    [rows["posts"].state, rows["posts"].imported, rows["posts"].failed],
    ["running", 3, 1],
  );
  const [first, second, fourth] = posts;
  assert.doesNotMatch(first!["content"], /href="x"/);
  assert.match(first!["content"], /picture/);
  assert.deepEqual(
    [first!["media_attachments"][0].description, first!["tags"][0].name],
    ["halves", "field"],
  );
  assert.deepEqual(
    [second!["in_reply_to_id"], second!["visibility"], second!["sensitive"]],
    [first!["id"], "unlisted", true],
  );
  assert.deepEqual(fourth!["media_attachments"], []);
  peer.pages.set("/files/late.png", { body: png, headers: { "content-type": "image/png" } });
  await t.app.sql`UPDATE import_rows SET due_at = now()`;
  await t.app.sql`UPDATE graphile_worker._private_jobs SET run_at = now()`;
  await runImports();
  const after = await who.get(`/api/v1/accounts/${who.accountId}/statuses?only_media=true`).ok();
  assert.equal(after.length, 3);
});

test("a server that has failed lately is not asked; so many files are fetched, and no more", async () => {
  peer.pages.set("/files/rested.png", { body: png, headers: { "content-type": "image/png" } });
  for (let failures = 0; failures < 5; failures += 1) await addHostFailure(t.app, peer.origin);
  const rested = [{ url: `${peer.origin}/files/rested.png` }];
  const { rows, who } = await imported("s.json", json([status(1, { media_attachments: rested })]));
  assert.deepEqual([rows["posts"].state, rows["posts"].imported], ["running", 0]);
  assert.ok(!peer.received.some(({ path }) => path === "/files/rested.png"));
  await forgetHostFailures(t.app, peer.origin);
  await t.app.sql`UPDATE import_rows SET due_at = now()`;
  await t.app.sql`UPDATE graphile_worker._private_jobs SET run_at = now()`;
  await runImports();
  const after = await who.get(`/api/v1/accounts/${who.accountId}/statuses?only_media=true`).ok();
  assert.equal(after.length, 1);
  const block = { severity: "suspend" } as const;
  const { id } = await createDomainBlock(t.app, COMMAND_LINE, peer.host, block);
  peer.received.length = 0;
  const blocked = await imported("s.json", json([status(2, { media_attachments: rested })]));
  assert.deepEqual(blocked.posts[0]!["media_attachments"], []);
  assert.deepEqual(peer.received, []);
  await deleteDomainBlock(t.app, COMMAND_LINE, id);
  const bound = boundFetched(3);
  const post = (...urls: (string | undefined)[]) =>
    ({ files: urls.map((url) => (url ? { url } : { name: "a" })) }) as ArchivedPost;
  const posts = [post("a", undefined, "b"), post("c", "d", undefined), post("e")];
  assert.deepEqual(posts.map(bound), [0, 1, 1]);
  assert.deepEqual(
    posts.map(({ files }) => files.length),
    [3, 2, 0],
  );
});

test("Pixelfed: its lists of addresses", async () => {
  const bob = `${t.url}/users/bob`;
  const following = await imported("pixelfed-following.json", json([bob]));
  assert.deepEqual(
    [following.rows["following"].imported, following.rows["following"].failed],
    [1, 0],
  );
  const relations = await imported(
    "muted-and-blocked-accounts.json",
    json({ muted: [bob], blocked: { 0: `${t.url}/@carol`, 1: `${t.url}/users/nobody` } }),
  );
  const { mutes, blocks } = relations.rows;
  assert.deepEqual([mutes.imported, blocks.imported, blocks.failed], [1, 1, 1]);
  const failures = await relations.who.get(`/api/v1/imports/${blocks.id}/failures`);
  assert.match(failures.text, /\/users\/nobody,This account doesn’t exist on this server/);
  const followers = await imported("pixelfed-followers.json", json([bob]));
  assert.match(followers.rows["posts"].error, /archive can’t be read/);
});

test("Pleroma and Akkoma: attachments are fetched, follows and bookmarks are collections", async () => {
  const OLD = "https://old.example/users/al";
  const activity = (n: number, object: object) => ({
    id: `${OLD}/activities/${n}`,
    type: "Create",
    actor: OLD,
    to: ["https://www.w3.org/ns/activitystreams#Public"],
    object: {
      id: `https://old.example/objects/${n}`,
      type: "Note",
      actor: OLD,
      attributedTo: OLD,
      to: ["https://www.w3.org/ns/activitystreams#Public"],
      cc: [`${OLD}/followers`],
      published: "2019-05-04T03:02:01.000000Z",
      content: `number ${n}`,
      summary: "",
      tag: [],
      attachment: [],
      ...object,
    },
  });
  const collection = (name: string, orderedItems: unknown[]) => ({
    "@context": "https://www.w3.org/ns/activitystreams",
    id: `${name}.json`,
    type: "OrderedCollection",
    orderedItems,
    totalItems: orderedItems.length,
  });
  const link = { type: "Link", href: `${peer.origin}/files/a.png`, mediaType: "image/png" };
  const files = {
    "actor.json": { id: OLD, type: "Person", followers: `${OLD}/followers` },
    "outbox.json": collection("outbox", [
      activity(1, {
        attachment: [{ type: "Document", mediaType: "image/png", name: "halves", url: [link] }],
      }),
      activity(2, { inReplyTo: "https://old.example/objects/1" }),
      { id: `${OLD}/3`, type: "Announce", actor: OLD, object: "https://x.example/1" },
    ]),
    "likes.json": collection("likes", ["https://x.example/1", "https://x.example/2"]),
    "bookmarks.json": collection("bookmarks", []),
    "following.json": collection("following", [`${t.url}/users/bob`]),
    "followers.json": collection("followers", ["https://x.example/users/x"]),
  };
  const { rows, posts } = await imported("archive.tar.gz", await tarOf(files));
  assert.deepEqual(rows["posts"].left_out, { boosts: 1, favourites: 2, followers: 1 });
  assert.deepEqual([rows["posts"].imported, rows["following"].imported], [2, 1]);
  assert.equal(posts[0]!["media_attachments"][0].description, "halves");
  assert.equal(posts[1]!["in_reply_to_id"], posts[0]!["id"]);
});

test("hostile files are bounded, refused with a sentence, and leave nothing", async () => {
  const deep = `[${'{"fileIds":[],"visibility":"public","a":'.repeat(50_000)}`;
  const many = Object.fromEntries(
    Array.from({ length: DOCUMENTS + 50 }, (_, n) => [
      `following-${n}.csv`,
      `x${n}@nowhere.test\n`,
    ]),
  );
  const cases: [name: string, file: Buffer, error: RegExp | null][] = [
    ["notes.json", Buffer.from(deep), /no posts by its owner/],
    ["notes.json", Buffer.from('[{"fileIds": [], "visibility": '), /no posts by its owner/],
    ["x.json", Buffer.from("[1,2,3]"), /archive can’t be read/],
    ["x.json", Buffer.from("{}"), /archive can’t be read/],
    ["x.csv", Buffer.from("a,b"), /archive can’t be read/],
    [
      "notes.json",
      json([{ fileIds: [], visibility: "public", id: { a: 1 }, text: [] }]),
      /no posts/,
    ],
    ["statuses.json", json([status(1, { uri: "file:///etc/passwd", url: null })]), /no posts/],
    ["x.tar.gz", await tarOf({ "outbox.json": "[" }), /archive can’t be read/],
  ];
  for (const [name, file, error] of cases) {
    const { rows } = await imported(name, file);
    assert.equal(rows["posts"].state, "done", name);
    assert.match(rows["posts"].error ?? "", error!, name);
  }
  const large = await imported("followers.csv", Buffer.from("x@example.com,".repeat(300_001)));
  assert.match(large.rows["posts"].error, /larger than 4 MB/);
  const long = await imported("following.csv", Buffer.from(`a@b.test\n`.repeat(20_001)));
  assert.match(long.rows["following"].error, /more than 20,000 lines/);
  const crowd = await imported("x.tar.gz", await tarOf({ ...many, "notes.json": [note("c1")] }));
  const [row] = await t.app.sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM imports WHERE account_id = ${crowd.who.accountId}`;
  assert.equal(row!.count, LISTS + 1);
  // Where a file points is not where the server looks.
  const inside = [{ url: "http://169.254.169.254/x.png" }, { url: "http://10.0.0.1/x.png" }];
  const refused = await imported("s.json", json([status(1, { media_attachments: inside })]));
  assert.deepEqual(refused.posts[0]!["media_attachments"], []);
  const left = readdirSync(join(t.app.config.dataDir, "uploads"));
  assert.deepEqual(
    left.filter((name) => !name.startsWith("import-")),
    [],
  );
});

// Archives of a person's posts: made, downloaded, imported into another account; and hostile ones.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { createGunzip, createGzip } from "node:zlib";
import sharp from "sharp";
import { extract, pack } from "tar-stream";
import { hiddenFields, openBrowser } from "../../../../test/browser.ts";
import type { Browser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { mailsOf } from "../../../../test/mail.ts";
import { actOnAccount } from "../../staff/moderation/accounts.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";
import { ITEM_BYTES } from "./posts/limits.ts";
import { jsonItems } from "./posts/json-items.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let ahead = 0;
const DAY = 86_400_000;
const browsers = new Map<string, Browser>();

before(async () => {
  t = await startTestApp({ clock: { now: () => new Date(Date.now() + ahead) } });
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
  for (const name of ["alice", "bob"]) {
    const browser = openBrowser(t);
    await browser.signIn(name);
    browsers.set(name, browser);
  }
});
after(() => t.close());

const cookieOf = (name: string): string =>
  [...browsers.get(name)!.cookies].map((pair) => pair.join("=")).join("; ");

const upload = async (name: string, archive: Buffer, fileName = "archive.tar.gz") => {
  const page = await browsers.get(name)!.get("/settings/import");
  const multipart = new FormData();
  const hidden = hiddenFields(page.text, "/settings/import/posts");
  multipart.set("form_token", hidden["form_token"]!);
  multipart.set("archive", new Blob([new Uint8Array(archive)]), fileName);
  return t.visitor.post("/settings/import/posts", multipart, { cookie: cookieOf(name) });
};

/** The import when it is over. */
const imported = async (who: Person, archive: Buffer) => {
  const answer = await upload(who.username, archive);
  assert.equal(answer.status, 302, answer.text);
  await t.runJobs();
  return who.get(`/api/v1/imports/${answer.headers.get("location")!.split("/").at(-1)}`).ok();
};

type Files = Record<string, string | Buffer>;

const tarOf = async (files: Files, gzip = true): Promise<Buffer> => {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  const stream = archive as unknown as Readable;
  return buffer(gzip ? stream.pipe(createGzip()) : stream);
};

const OLD = "https://old.example/users/al";
const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
const actor = { id: OLD, type: "Person", preferredUsername: "al", followers: `${OLD}/followers` };

const create = (n: number | string, note: object = {}, activity: object = {}) => ({
  id: `${OLD}/statuses/${n}/activity`,
  type: "Create",
  actor: OLD,
  to: [PUBLIC],
  object: {
    id: `${OLD}/statuses/${n}`,
    type: "Note",
    attributedTo: OLD,
    published: "2019-05-04T03:02:01Z",
    to: [PUBLIC],
    cc: [`${OLD}/followers`],
    content: `<p>number ${n}</p>`,
    attachment: [],
    tag: [],
    ...note,
  },
  ...activity,
});

const filesOf = (items: unknown[], more: Files = {}): Files => ({
  "actor.json": JSON.stringify(actor),
  "outbox.json": JSON.stringify({
    id: "outbox.json",
    type: "OrderedCollection",
    orderedItems: items,
    totalItems: items.length,
  }),
  ...more,
});

const posts = async (who: Person): Promise<Record<string, any>[]> =>
  who.get(`/api/v1/accounts/${who.accountId}/statuses?limit=40`).ok();

const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: "#a50" } })
    .png()
    .toBuffer();

describe("an archive", () => {
  it("is made once a week, holds what Mastodon's do, and is only its owner's, for a week", async () => {
    const multipart = new FormData();
    multipart.set("file", new Blob([new Uint8Array(await picture())]), "a.png");
    multipart.set("description", "a brown field");
    const media = await alice.post("/api/v2/media", multipart);
    const shown = await alice
      .post("/api/v1/statuses", {
        status: "look #field",
        media_ids: [media.json.id],
      })
      .ok();
    await alice
      .post("/api/v1/statuses", {
        status: "more",
        in_reply_to_id: shown.id,
        visibility: "private",
      })
      .ok();
    const other = await bob.post("/api/v1/statuses", { status: "by bob" }).ok();
    for (const act of ["reblog", "favourite", "bookmark"])
      await alice.post(`/api/v1/statuses/${other.id}/${act}`).ok();
    await t.runJobs();
    await t.write`UPDATE users SET locale = 'de-AT' WHERE account_id = ${alice.accountId}`;
    const browser = browsers.get("alice")!;
    const page = await browser.get("/settings/export");
    await browser.submit(page, "/settings/export/archive", {});
    await t.runJobs();
    const ready = await browser.get("/settings/export");
    const [, path] = /href="(\/settings\/export\/archive\/\d+)"/.exec(ready.text)!;
    assert.equal((await browser.submit(page, "/settings/export/archive", {})).status, 422);
    assert.equal((await browsers.get("bob")!.get(path!)).status, 404);
    const [row] = await t.app.sql<{ file_key: string }[]>`SELECT file_key FROM archives`;
    assert.equal((await t.visitor.get(`/media/${row!.file_key}`)).status, 404);
    const told = mailsOf(t).at(-1)!;
    assert.match(told, /^To: alice@example\.com\r?$/m);
    assert.match(told, /^Subject: Dein Archiv ist fertig - /m);
    assert.match(told, /Hallo alice,[^]*7 Tage lang[^]*\/settings\/export\r?\n/);
    const part = await fetch(`${t.url}${path}`, {
      headers: { cookie: cookieOf("alice"), range: "bytes=1-2" },
    });
    assert.deepEqual([part.status, (await part.arrayBuffer()).byteLength], [206, 2]);
    assert.match(part.headers.get("content-range")!, /^bytes 1-2\/\d+$/);
    assert.equal(part.headers.get("cache-control"), "private, no-store");
    const got = await fetch(`${t.url}${path}`, { headers: { cookie: cookieOf("alice") } });
    assert.match(got.headers.get("content-disposition")!, /archive-alice-.*\.tar\.gz/);
    const bytes = Buffer.from(await got.arrayBuffer());
    const files = new Map<string, Buffer>();
    for await (const entry of Readable.from([bytes]).pipe(createGunzip()).pipe(extract())) {
      files.set(entry.header.name, await buffer(entry as unknown as Readable));
    }
    const json = (name: string) => JSON.parse(files.get(name)!.toString());
    assert.deepEqual(
      [json("actor.json").preferredUsername, json("actor.json").outbox],
      ["alice", "outbox.json"],
    );
    const outbox = json("outbox.json");
    assert.deepEqual(
      outbox.orderedItems.map((activity: { type: string }) => activity.type),
      ["Create", "Create", "Announce"],
    );
    assert.equal(outbox.totalItems, 3);
    assert.deepEqual(
      [json("likes.json").orderedItems, json("bookmarks.json").orderedItems],
      [[other.uri], [other.uri]],
    );
    const [attachment] = outbox.orderedItems[0].object.attachment;
    assert.equal(attachment.name, "a brown field");
    assert.equal((await sharp(files.get(attachment.url)!).metadata()).width, 40);
    // Into another account.
    const result = await imported(bob, bytes);
    assert.deepEqual(
      [result.state, result.error, result.total, result.imported, result.failed],
      ["done", null, 2, 2, 0],
    );
    const [reply, first] = (await posts(bob)).filter(({ content }) => /look|more/.test(content));
    assert.deepEqual([reply!["in_reply_to_id"], reply!["visibility"]], [first!["id"], "private"]);
    assert.equal(first!["media_attachments"][0].description, "a brown field");
    assert.deepEqual(
      first!["tags"].map(({ name }: { name: string }) => name),
      ["field"],
    );
    ahead += 7 * DAY + 1000;
    await t.app.jobs.add(t.app.sql, "retention.due", { what: "archives" });
    await t.runJobs();
    assert.equal((await browser.get(path!)).status, 404);
    assert.equal(
      (await t.app.sql`SELECT FROM files_to_delete WHERE key = ${row!.file_key}`).length,
      1,
    );
  });
});

it("who is suspended still takes all of it: the lists and an archive of what they wrote", async () => {
  const eve = await t.person("eve");
  await eve.post("/api/v1/statuses", { status: "kept for me" }).ok();
  await eve.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
  await actOnAccount(t.app, COMMAND_LINE, eve.accountId, {
    type: "suspend",
    text: "",
    reportId: null,
    mail: false,
  });
  await t.runJobs();
  const browser = openBrowser(t);
  const barred = await browser.signIn("eve");
  assert.equal(barred.status, 403);
  assert.match(barred.text, /href="\/settings\/export"/);
  const page = await browser.get("/settings/export");
  assert.equal(page.status, 200);
  assert.equal((await browser.get("/settings/profile")).status, 403);
  const follows = await browser.get("/settings/exports/follows.csv");
  assert.match(follows.text, /^bob@/m);
  await browser.submit(page, "/settings/export/archive", {});
  await t.runJobs();
  const ready = await browser.get("/settings/export");
  const [, path] = /href="(\/settings\/export\/archive\/\d+)"/.exec(ready.text)!;
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const answer = await fetch(`${t.url}${path}`, { headers: { cookie } });
  const entries = Readable.from([Buffer.from(await answer.arrayBuffer())])
    .pipe(createGunzip())
    .pipe(extract());
  const files = new Map<string, string>();
  for await (const entry of entries)
    files.set(entry.header.name, (await buffer(entry as unknown as Readable)).toString());
  assert.match(files.get("outbox.json")!, /kept for me/);
  assert.equal(JSON.parse(files.get("actor.json")!).preferredUsername, "eve");
});

describe("posts of an archive", () => {
  it("keep their dates, texts and threads; nobody is told, nothing is sent; again they are not doubled", async () => {
    await alice.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
    await t.write`DELETE FROM outgoing_activities`;
    const png = await picture();
    const items = [
      create(1, {
        content: '<p onclick="x()">first <b>one</b><script>alert(1)</script></p>',
        published: "2018-01-02T03:04:05Z",
      }),
      create(2, {
        inReplyTo: `${OLD}/statuses/1`,
        summary: "careful",
        sensitive: true,
        contentMap: { de: "<p>number 2</p>" },
        tag: [
          { type: "Hashtag", name: "#Old" },
          { type: "Mention", href: alice.username, name: "@alice" },
        ],
        attachment: [
          {
            type: "Document",
            url: "/system/media_attachments/files/1/2/original/a.png",
            name: "alt",
            focalPoint: [0.5, -0.5],
          },
        ],
      }),
      create(3, {
        type: "Question",
        oneOf: [
          { type: "Note", name: "a", replies: { totalItems: 3 } },
          { type: "Note", name: "b", replies: { totalItems: 1 } },
        ],
        endTime: "2019-06-01T00:00:00Z",
        votersCount: 4,
      }),
      create(4, { to: [`${OLD}/followers`], cc: [] }),
      create(5, { to: ["https://else.example/users/x"], cc: [] }),
      create(6, { published: "2999-01-01T00:00:00Z" }),
      create(7, {
        content: "",
        attachment: [{ type: "Document", url: "media_attachments/missing.png" }],
      }),
      { type: "Announce", actor: OLD, object: "https://else.example/1" },
      // Of others.
      create(8, { attributedTo: "https://old.example/users/eve" }),
      create(9, {}, { actor: "https://old.example/users/eve" }),
      create(10, { id: "https://else.example/10" }),
      "https://old.example/11",
      null,
    ];
    const result = await imported(
      bob,
      await tarOf(filesOf(items, { "./media_attachments/files/1/2/original/a.png": png })),
    );
    assert.deepEqual(
      [result.state, result.total, result.imported, result.failed],
      ["done", 7, 4, 3],
    );
    const failures = await bob.get(`/api/v1/imports/${result.id}/failures`);
    assert.match(
      failures.text,
      /statuses\/5,Private mentions[^]*statuses\/6,The post has no date[^]*statuses\/7,"The post has no text/,
    );
    const all = (await posts(bob)).filter(({ created_at: at }) => /^201[89]/.test(at));
    const matching = (text: RegExp) => all.find(({ content }) => text.test(content))!;
    const [first, second, third, fourth] = [/first/, /number 2/, /number 3/, /number 4/].map(
      matching,
    );
    assert.equal(first!["created_at"], "2018-01-02T03:04:05.000Z");
    assert.doesNotMatch(first!["content"], /script|onclick/);
    assert.deepEqual(
      [
        second!["in_reply_to_id"],
        second!["spoiler_text"],
        second!["sensitive"],
        second!["language"],
      ],
      [first!["id"], "careful", true, "de"],
    );
    const [media] = second!["media_attachments"];
    assert.deepEqual(
      [media.type, media.description, media.meta.focus],
      ["image", "alt", { x: 0.5, y: -0.5 }],
    );
    assert.deepEqual(
      [third!["poll"].expired, third!["poll"].votes_count, third!["poll"].options[0].votes_count],
      [true, 4, 3],
    );
    assert.equal(fourth!["visibility"], "private");
    assert.ok(BigInt(first!["id"]) < BigInt(second!["id"]), "ids follow the dates");
    assert.match(first!["uri"], new RegExp(`^${t.url}/users/bob/statuses/`));
    const sent = await t.app.sql`SELECT FROM outgoing_activities`;
    const notes = await t.app.sql`SELECT FROM notifications WHERE account_id = ${alice.accountId}`;
    assert.deepEqual([sent.length, notes.length], [0, 0]);
    const again = await imported(bob, await tarOf(filesOf(items.slice(0, 4)), false));
    assert.deepEqual([again.imported, again.failed], [4, 0]);
    assert.equal((await posts(bob)).filter(({ content }) => /first/.test(content)).length, 1);
    const left = readdirSync(join(t.app.config.dataDir, "uploads"));
    assert.deepEqual(
      left.filter((name) => name.startsWith("import-")),
      [],
    );
  });

  it("of one second, hundreds of them, all get ids, in a bounded number of slices", async () => {
    const items = Array.from({ length: 300 }, (_, n) =>
      create(`s${n}`, { published: "2017-03-03T03:03:03Z" }),
    );
    const result = await imported(alice, await tarOf(filesOf(items)));
    assert.deepEqual([result.imported, result.failed], [300, 0]);
    const [row] = await t.app.sql<{ ids: number; first: Date; last: Date }[]>`
      SELECT count(DISTINCT id)::int AS ids, min(created_at) AS first, max(created_at) AS last
      FROM statuses WHERE account_id = ${alice.accountId} AND created_at < '2018-01-01'`;
    assert.equal(row!.ids, 300);
    assert.equal(row!.first.getTime(), row!.last.getTime());
  });

  it("hostile archives are refused with a sentence, and leave nothing", async () => {
    const many = { "actor.json": JSON.stringify(actor), "outbox.json": "{}" };
    const zip = Buffer.from("504b0506000000000000000000000000000000000000", "hex");
    const cases: [Buffer, RegExp][] = [
      [Buffer.from("nonsense"), /archive can’t be read/],
      [zip, /archive can’t be read/],
      [await tarOf({ "outbox.json": "{}" }), /archive can’t be read/],
      [await tarOf(many), /archive can’t be read/],
      [await tarOf(filesOf([])), /no posts by its owner/],
      [
        await tarOf(filesOf([create(1, { attributedTo: "https://x.example/" })])),
        /no posts by its owner/,
      ],
      [(await tarOf(filesOf([create(1)]))).subarray(0, 200), /archive can’t be read/],
      [
        await tarOf({ ...filesOf([create(1)]), "actor.json": `{"id":"${"x".repeat(2 ** 20)}"}` }),
        /archive can’t be read/,
      ],
    ];
    for (const [archive, reason] of cases) {
      const result = await imported(alice, archive);
      assert.equal(result.state, "done");
      assert.match(result.error, reason);
    }
    const outside = join(t.app.config.dataDir, "evil.png");
    const paths = { [`../../media_attachments/../../../evil.png`]: "x", [outside]: "y" };
    const attachment = [{ type: "Document", url: "../../media_attachments/../../../evil.png" }];
    const odd = await imported(alice, await tarOf(filesOf([create("odd", { attachment })], paths)));
    assert.deepEqual([odd.imported, odd.failed], [1, 0]);
    assert.ok(!readdirSync(t.app.config.dataDir).includes("evil.png"));
    const left = readdirSync(join(t.app.config.dataDir, "uploads"));
    assert.deepEqual(left, []);
  });

  it("are nobody's to send who is not signed in", async () => {
    const multipart = new FormData();
    multipart.set("archive", new Blob(["x"]), "a.zip");
    const answer = await t.visitor.post("/settings/import/posts", multipart);
    assert.match(answer.headers.get("location")!, /^\/auth\/sign_in/);
    assert.equal((await upload("alice", Buffer.alloc(0))).status, 422);
  });
});

describe("the items of an outbox", () => {
  const read = async (text: string, size: number, max = ITEM_BYTES) => {
    const bytes = Buffer.from(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    );
    return Array.fromAsync(jsonItems(Readable.from(pieces), max), (line) => JSON.parse(line));
  };

  it("are the same however the file is cut", async () => {
    const items = [{ a: 'quote " brace } \\', b: ["[", { c: "é—😀" }] }, { d: "\\\\" }, {}];
    const text = JSON.stringify({ id: "x", orderedItems: items, totalItems: 3, more: [{ no: 1 }] });
    for (const size of [1, 2, 3, 7, 1000]) assert.deepEqual(await read(text, size), items);
  });

  it("that are too long are left out, and a file without items is none", async () => {
    const long = JSON.stringify({ orderedItems: [{ a: 1 }, { b: "x".repeat(500) }, { c: 3 }] });
    for (const size of [10, 100, 10_000])
      assert.deepEqual(await read(long, size, 100), [{ a: 1 }, { c: 3 }]);
    await assert.rejects(read("{}", 10), /no items/);
  });
});

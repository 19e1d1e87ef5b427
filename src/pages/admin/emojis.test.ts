// Emojis by the pages of the staff: packs, emojis of other servers, several at once, pages of many.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { pack } from "tar-stream";
import { hiddenFields, openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";

const EMOJIS = "/admin/emojis";
const REMOTE = `${EMOJIS}/remote`;

let t: TestApp;
let owner: Browser;
let png: Buffer;
let away: HttpServer;

before(async () => {
  t = await startTestApp();
  await t.person("boss", { role: "Owner" });
  await t.person("mia", { role: "Moderator" });
  owner = openBrowser(t);
  await owner.signIn("boss");
  png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#5b3fc4" } })
    .png()
    .toBuffer();
  away = createServer((request, response) => {
    if (request.url === "/gone.png") response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "image/png" }).end(png);
  });
  await new Promise<void>((resolve) => away.listen(0, "127.0.0.1", resolve));
});
after(async () => {
  away.close();
  await t.close();
});

const listed = async (): Promise<string[]> =>
  (await t.visitor.get("/api/v1/custom_emojis")).json.map(
    ({ shortcode }: { shortcode: string }) => shortcode,
  );

const sendPack = async (files: Record<string, Buffer>, fields: Record<string, string> = {}) => {
  const archive = pack();
  for (const [name, bytes] of Object.entries(files)) archive.entry({ name }, bytes);
  archive.finalize();
  const path = `${EMOJIS}/pack`;
  const multipart = new FormData();
  multipart.set("form_token", hiddenFields((await owner.get(EMOJIS)).text, path)["form_token"]!);
  for (const [name, value] of Object.entries(fields)) multipart.set(name, value);
  multipart.set("file", new Blob([new Uint8Array(await buffer(archive))]), "pack.tar");
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return t.visitor.post(path, multipart, { cookie, accept: "text/html" });
};

describe("packs", () => {
  test("what is in a file is added; what cannot be is said, each with why", async () => {
    const answer = await sendPack(
      { "one.png": png, "two.png": png, "bad.png": Buffer.from("text") },
      { prefix: "p_", category: "Pack" },
    );
    assert.equal(answer.status, 200);
    assert.match(answer.text, /2 emojis added\./);
    assert.match(answer.text, /1 couldn’t be added\.[^]*bad\.png: /);
    assert.deepEqual((await listed()).toSorted(), ["p_one", "p_two"]);
    assert.match((await sendPack({ "one.png": png }, { prefix: "p_" })).text, /1 already existed/);
    const [row] = await t.app.sql`SELECT details FROM audit_log WHERE action = 'emoji.import'`;
    assert.deepEqual(row!["details"], { file: "pack.tar", added: 2 });
  });

  test("a file without pictures is refused", async () => {
    const answer = await sendPack({ "read.me": Buffer.from("text") });
    assert.equal(answer.status, 422);
    assert.match(answer.text, /This file contains no images/);
  });
});

describe("other servers", () => {
  before(async () => {
    const { port } = away.address() as AddressInfo;
    const url = (name: string) => `http://127.0.0.1:${port}/${name}.png`;
    const emojis = (...names: string[]) =>
      names.map((name) => ({ shortcode: name, url: url(name), static_url: url(name) }));
    const [{ id }] = await t.write<[{ id: string }]>`
      INSERT INTO accounts (username, domain, uri, url, emojis)
      VALUES ('rita', 'other.example', 'https://other.example/rita', 'https://other.example/@rita',
        ${t.app.sql.json(emojis("fox"))})
      RETURNING id`;
    await t.write`
      INSERT INTO statuses (id, account_id, uri, local, visibility, content, created_at,
        awaits_approval, emojis)
      VALUES (snowflake(), ${id}, 'https://other.example/1', false, 'public', 'x', now(), false,
        ${t.app.sql.json(emojis("cat", "gone", "p_one"))})`;
  });

  test("emojis of profiles and posts are found by their server, and part of their names", async () => {
    const all = (await owner.get(`${REMOTE}?domain=other.example`)).text;
    for (const name of ["fox", "cat", "gone", "p_one"]) assert.ok(all.includes(`:${name}:`), name);
    const some = (await owner.get(`${REMOTE}?domain=https://Other.example/@rita&q=:ca`)).text;
    assert.ok(some.includes(":cat:") && !some.includes(":fox:"));
    assert.match((await owner.get(`${REMOTE}?domain=none.example`)).text, /No emojis from none/);
    assert.ok(!(await owner.get(`${REMOTE}?domain=other.example&q=%25`)).text.includes(":cat:"));
  });

  test("those that are ticked are copied, with what their server gives; none twice", async () => {
    const page = await owner.get(`${REMOTE}?domain=other.example`);
    const ticked = { emoji_cat: "1", emoji_gone: "1", emoji_p_one: "1", category: "Copied" };
    const { text } = await owner.submit(page, REMOTE, ticked);
    assert.match(text, /1 emoji added\. 1 already existed\. 1 couldn’t be added\./);
    assert.match(text, /:gone:: other\.example didn’t send its image/);
    assert.ok((await listed()).includes("cat"));
    const none = await owner.submit(page, REMOTE, {});
    assert.equal(none.status, 422);
    assert.match(none.text, /Select at least one emoji/);
  });

  test("nothing of a server whose media are rejected", async () => {
    await t.write`
      INSERT INTO domain_blocks (domain, severity, reject_media)
      VALUES ('other.example', 'noop', true)`;
    const page = await owner.get(`${REMOTE}?domain=other.example`);
    assert.equal(page.status, 422);
    assert.match(page.text, /Media from other\.example is rejected here/);
  });
});

describe("several at once", () => {
  test("who deletes several types how many; who may not change emojis cannot", async () => {
    const path = `${EMOJIS}/ticked`;
    const both = { act: "delete", emoji_p_one: "1", emoji_p_two: "1" };
    const page = await owner.get(EMOJIS);
    const question = await owner.submit(page, path, both);
    const [, id] = /asked=([^"]*)"/.exec(question.text)!;
    const back = (await owner.get(`${EMOJIS}?asked=${id}`)).text;
    const ticks = [...back.matchAll(/<input type="checkbox" id="emoji_(\w+)"[^>]* checked/g)];
    assert.deepEqual(
      ticks.map(([, name]) => name),
      ["p_one", "p_two"],
    );
    assert.match(question.text, /Delete 2 emojis\?[^]*:p_one: :p_two:[^]*Type 2 to continue/);
    assert.equal((await owner.submit(question, path, { confirmed_word: "3" })).status, 422);
    assert.ok((await listed()).includes("p_one"));
    assert.equal((await owner.submit(question, path, { confirmed_word: "2" })).status, 302);
    assert.ok(!(await listed()).includes("p_one"));
    const [row] = await t.app.sql`
      SELECT target_label, details FROM audit_log WHERE action = 'emoji.delete'`;
    assert.deepEqual(row, { target_label: ":p_one: :p_two:", details: { emojis: 2 } });
    const gone = await owner.submit(page, path, { act: "enable", emoji_nothing: "1" });
    assert.equal(gone.status, 404);
    const mod = openBrowser(t);
    await mod.signIn("mia");
    for (const path of [EMOJIS, REMOTE]) assert.equal((await mod.get(path)).status, 403);
  });

  test("a hundred are on a page", async () => {
    await t.write`
      INSERT INTO custom_emojis (shortcode, file_key, static_key, category)
      SELECT 'many_' || lpad(n::text, 3, '0'), 'emojis/aa/bb.png', 'emojis/aa/bb.png', 'Many'
      FROM generate_series(1, 150) AS n`;
    const shown = async (query: string) => {
      const { text } = await owner.get(`${EMOJIS}?in=Many${query}`);
      return [...text.matchAll(/id="emoji_many_(\d+)"/g)].map(([, number]) => Number(number));
    };
    const [first, second, beyond] = [
      await shown(""),
      await shown("&page=2"),
      await shown("&page=9"),
    ];
    assert.deepEqual([first.length, first[0], second.length, second[0]], [100, 1, 50, 101]);
    assert.deepEqual(beyond, []);
    assert.match((await owner.get(`${EMOJIS}?in=Many`)).text, /Page 1 of 2/);
  });
});

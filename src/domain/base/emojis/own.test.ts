// Adding, importing and removing the server's own emojis, as the command line does.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { pack } from "tar-stream";
import { storedZip } from "../../../../test/files.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { addEmoji, categoriseEmojis, disableEmojis, importPack, removeEmojis } from "./own.ts";

let server: TestApp;
let folder: string;
let png: Buffer;
let gif: Buffer;

const draw = (width: number, height: number, color: string) =>
  sharp({ create: { width, height, channels: 4, background: color } });

before(async () => {
  server = await startTestApp();
  folder = mkdtempSync(join(tmpdir(), "rookery-emojis-"));
  png = await draw(64, 64, "red").png().toBuffer();
  const frames = [
    await draw(32, 32, "red").png().toBuffer(),
    await draw(32, 32, "blue").png().toBuffer(),
  ];
  gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server?.close();
});

const list = async (): Promise<any[]> => (await server.visitor.get("/api/v1/custom_emojis")).json;

const listed = async (shortcode: string): Promise<any> =>
  (await list()).find((emoji) => emoji.shortcode === shortcode);

const OPTIONS = { prefix: "", suffix: "", category: undefined, visible: true, overwrite: false };

const isSaid = (pattern: RegExp) => (error: Error) => {
  assert.ok(error instanceof Unprocessable, String(error.stack));
  assert.match(error.message, pattern);
  return true;
};

test("a picture becomes an emoji, a moving one with a still one beside it", async () => {
  await addEmoji(server.app, { shortcode: "still", bytes: png, category: "Shapes", visible: true });
  const still = await listed("still");
  assert.deepEqual([still.category, still.static_url], ["Shapes", still.url]);
  const file = await fetch(still.url);
  assert.equal(file.headers.get("content-type"), "image/png");
  await addEmoji(server.app, { shortcode: "moving", bytes: gif, visible: false });
  const moving = await listed("moving");
  assert.equal(moving.visible_in_picker, false);
  assert.match(moving.url, /\.gif$/);
  assert.match(moving.static_url, /\.png$/);
  const [all, frame] = await Promise.all(
    [moving.url, moving.static_url].map(async (url) =>
      sharp(Buffer.from(await (await fetch(url)).arrayBuffer()), { animated: true }).metadata(),
    ),
  );
  assert.deepEqual([all!.pages, frame!.pages ?? 1], [2, 1]);
});

test("what is none is refused in one sentence, and leaves nothing", async () => {
  const { app } = server;
  const add = (shortcode: string, bytes: Buffer) =>
    addEmoji(app, { shortcode, bytes, visible: true });
  for (const shortcode of ["", "x", "a b", "ä_ö", "../up", "x".repeat(129)]) {
    await assert.rejects(add(shortcode, png), isSaid(/isn’t a valid shortcode/));
  }
  await assert.rejects(add("large", Buffer.alloc(262_145)), isSaid(/larger than 256 KiB/));
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>`);
  for (const bytes of [svg, Buffer.from("<html>"), Buffer.alloc(0), png.subarray(0, 60)]) {
    await assert.rejects(add("broken", bytes), isSaid(/./));
  }
  const huge = await draw(3000, 1000, "red").png().toBuffer();
  assert.ok(huge.length < 262_144);
  await assert.rejects(add("huge", huge), isSaid(/./));
  await assert.rejects(
    addEmoji(app, { shortcode: "ok", bytes: png, category: "a\nb", visible: true }),
    isSaid(/category/),
  );
  assert.equal(await listed("broken"), undefined);
});

test("one that exists is replaced on request alone, and its files go", async () => {
  const { app } = server;
  const emoji = { shortcode: "again", bytes: png, category: "One", visible: true };
  await addEmoji(app, emoji);
  const first = await listed("again");
  await assert.rejects(addEmoji(app, emoji), isSaid(/already/));
  await addEmoji(app, { ...emoji, category: undefined, bytes: gif }, true);
  const second = await listed("again");
  assert.notEqual(second.url, first.url);
  assert.equal(second.category, "One");
  const keys = async () => (await app.sql`SELECT key FROM files_to_delete`).map(({ key }) => key);
  const keyOf = (url: string) => url.replace(`${server.url}/media/`, "");
  assert.deepEqual(await keys(), [keyOf(first.url)]);
  await disableEmojis(app.sql, ["again"], true);
  assert.equal(await listed("again"), undefined);
  await disableEmojis(app.sql, ["again"], false);
  await categoriseEmojis(app.sql, ["again"], null);
  assert.equal((await listed("again")).category, undefined);
  await removeEmojis(app.sql, ["again"]);
  assert.deepEqual(
    (await keys()).toSorted(),
    [first.url, second.url, second.static_url].map(keyOf).toSorted(),
  );
  await assert.rejects(removeEmojis(app.sql, ["again"]), /The emoji :again: doesn’t exist/);
});

const tarOf = async (files: Record<string, Buffer | null>): Promise<Buffer> => {
  const archive = pack();
  for (const [name, bytes] of Object.entries(files)) {
    if (bytes) archive.entry({ name }, bytes);
    else archive.entry({ name, type: "symlink", linkname: "/etc/passwd" });
  }
  archive.finalize();
  return buffer(archive);
};

test("a folder, a tar and a zip; what cannot be taken is said", async () => {
  const { app } = server;
  const inFolder = join(folder, "pack");
  mkdirSync(join(inFolder, "deep"), { recursive: true });
  writeFileSync(join(inFolder, "fold-er cat.png"), png);
  writeFileSync(join(inFolder, "deep", "deep.gif"), gif);
  writeFileSync(join(inFolder, "README.md"), "text");
  writeFileSync(join(inFolder, "._deep.gif"), "text");
  writeFileSync(join(inFolder, "bad.png"), "text");
  const birds = { ...OPTIONS, category: "Birds", prefix: "p_" };
  const result = await importPack(app, inFolder, birds);
  assert.deepEqual([result.added, result.skipped], [2, 0]);
  assert.deepEqual(
    result.failed.map(({ name }) => name),
    ["bad.png"],
  );
  assert.equal((await listed("p_fold_er_cat")).category, "Birds");
  assert.ok(await listed("p_deep"));
  assert.equal((await importPack(app, inFolder, birds)).skipped, 2);

  const files = { "../../escape.png": png, "x/large.png": Buffer.alloc(300_000), "link.png": null };
  const tar = await tarOf(files);
  for (const [name, bytes] of [
    ["a.tar", tar],
    ["b.tgz", gzipSync(tar)],
  ] as const) {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    const options = { ...OPTIONS, prefix: `${name[0]}_` };
    const imported = await importPack(app, path, options);
    assert.equal(imported.added, 1);
    assert.deepEqual(imported.failed, [
      {
        name: "large.png",
        why: "The image is larger than 256 KiB. Choose a smaller one.",
        said: { key: "staff.emojis.large", values: { count: 256 } },
      },
    ]);
    assert.ok(await listed(`${name[0]}_escape`));
  }
  const zip = join(folder, "c.zip");
  writeFileSync(zip, storedZip("zipped.png", png));
  assert.equal((await importPack(app, zip, OPTIONS)).added, 1);
  assert.ok(await listed("zipped"));
  const broken = readFileSync(zip).fill(0, 40, 60);
  for (const bytes of [
    Buffer.from("PK nothing"),
    Buffer.alloc(2000, 1),
    gzipSync(Buffer.alloc(9)),
  ]) {
    writeFileSync(zip, bytes);
    await assert.rejects(importPack(app, zip, OPTIONS), isSaid(/can be read|no images/));
  }
  writeFileSync(zip, broken);
  const { added, failed } = await importPack(app, zip, { ...OPTIONS, prefix: "q_" });
  assert.deepEqual([added, failed.length], [0, 1]);
  await assert.rejects(importPack(app, join(folder, "missing"), OPTIONS), isSaid(/Cannot read/));
});

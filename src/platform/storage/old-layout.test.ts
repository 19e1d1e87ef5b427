// Which paths of a Mastodon's bucket are keys here, and which never are.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { diskStorage } from "./disk.ts";
import { folderOfKey, isMediaKey, isPrivateKey, typeOfKey } from "./index.ts";

const AVATAR = "accounts/avatars/117/666/255/851/114/680/original/b8d32bac177d5539.png";

const folder = mkdtempSync(join(tmpdir(), "rookery-layout-"));
after(() => rmSync(folder, { recursive: true }));

test("its files are keys of the folders that they belong to", () => {
  const kinds = {
    [AVATAR]: ["avatars", "image/png"],
    "accounts/headers/000/000/001/static/0f.jpeg": ["headers", "image/jpeg"],
    "media_attachments/files/000/000/001/small/0f.webp": ["attachments", "image/webp"],
    "media_attachments/files/000/000/001/original/0f.oga": ["attachments", "audio/ogg"],
    "media_attachments/thumbnails/000/000/001/original/0f.jpg": ["attachments", "image/jpeg"],
    "custom_emojis/images/000/000/001/static/0f.PNG": ["emojis", "image/png"],
    "cache/preview_cards/images/000/000/001/original/0f.jpg": ["cards", "image/jpeg"],
    "site_uploads/files/000/000/001/@1x/0f.png": [null, null],
    "site_uploads/files/000/000/001/original/0f.png": ["headers", "image/png"],
  };
  for (const [key, expected] of Object.entries(kinds)) {
    assert.deepEqual([folderOfKey(key), typeOfKey(key)], expected, key);
    assert.equal(isPrivateKey(key), false);
  }
});

test("whatever else lies there is none", () => {
  for (const path of [
    // Copies of other servers' files, and files of other software or another Mastodon.
    "cache/accounts/avatars/000/000/001/original/0f.png",
    `elsewhere/${AVATAR}`,
    "accounts/avatars/1/original/0f.png",
    "accounts/avatars/000/000/001/original/0f.html",
    "accounts/avatars/000/000/001/original/0f.svg",
    "accounts/avatars/000/000/001/original/../../../../../etc/0f.png",
    "accounts/avatars/000/000/001/original/.png",
    "accounts/avatars/000/000/001/0f.png",
    "backups/files/000/000/001/original/0f.png",
    "constructor/000/000/001/original/0f.png",
    `accounts/avatars/000/000/001/original/${"f".repeat(300)}.png`,
  ])
    assert.equal(isMediaKey(path), false, path);
});

test("they are stored, listed, read and deleted like all others", async () => {
  const storage = diskStorage(folder);
  const own = "avatars/ab/0123456789.png";
  for (const key of [AVATAR, own]) await storage.put(key, Readable.from([Buffer.from(key)]));
  assert.deepEqual(await Array.fromAsync(storage.list(), ({ key }) => key), [AVATAR, own]);
  assert.equal(await text((await storage.open(AVATAR))!.stream), AVATAR);
  await storage.delete([AVATAR]);
  assert.equal(await storage.stat(AVATAR), null);
  storage.close();
});

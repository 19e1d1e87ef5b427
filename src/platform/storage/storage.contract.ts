// Tests what every adapter of the storage port must do. An adapter's test file calls `storageContract`.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { newKey } from "./index.ts";
import type { Range, Storage } from "./index.ts";

const MEGABYTE = 1024 * 1024;

/** Content larger than one part of a multi-part upload, different at every position. */
const large = Buffer.alloc(12 * MEGABYTE + 7, "a large file of 12 megabytes, ");

function* inPieces(data: Buffer) {
  for (let n = 0; n < data.length; n += 60_000) yield data.subarray(n, n + 60_000);
}

export const storageContract = (name: string, make: () => Promise<Storage> | Storage): void => {
  let storage: Storage;
  const folder = mkdtempSync(join(tmpdir(), "rookery-storage-"));

  const read = async (key: string, range?: Range): Promise<Buffer | null> => {
    const file = await storage.open(key, range);
    return file && buffer(file.stream);
  };

  before(async () => {
    storage = await make();
  });
  after(() => {
    storage.close();
    rmSync(folder, { recursive: true });
  });

  test(`${name}: a stream is stored and read again`, async () => {
    const key = newKey("attachments", "jpg");
    await storage.put(key, Readable.from([Buffer.from("some "), Buffer.from("bytes")]));
    assert.equal((await read(key))!.toString(), "some bytes");
    assert.equal((await storage.stat(key))!.size, 10);
  });

  test(`${name}: a large stream comes back whole, and parts of it`, async () => {
    const key = newKey("attachments", "mp4");
    await storage.put(key, Readable.from(inPieces(large)));
    assert.ok((await read(key))!.equals(large));
    for (const [start, end] of [
      [0, 1],
      [5 * MEGABYTE - 3, 5 * MEGABYTE + 3],
      [large.length - 5, large.length - 1],
    ] as const) {
      assert.ok((await read(key, { start, end }))!.equals(large.subarray(start, end + 1)));
    }
    const part = await storage.open(key, { start: 1, end: 2 });
    part!.stream.destroy();
    assert.equal(part!.size, large.length);
  });

  test(`${name}: a file of the disk is stored and stays where it is`, async () => {
    const path = join(folder, "picture");
    writeFileSync(path, "from a file");
    const key = newKey("avatars", "png");
    await storage.put(key, path);
    await storage.put(key, path);
    assert.equal((await read(key))!.toString(), "from a file");
  });

  test(`${name}: an empty file is a file`, async () => {
    const key = newKey("attachments", "gif");
    await storage.put(key, Readable.from([]));
    assert.equal((await storage.stat(key))!.size, 0);
    assert.equal((await read(key))!.length, 0);
  });

  test(`${name}: what is missing is null`, async () => {
    const key = newKey("attachments", "jpg");
    assert.equal(await storage.open(key), null);
    assert.equal(await storage.open(key, { start: 0, end: 1 }), null);
    assert.equal(await storage.stat(key), null);
  });

  test(`${name}: the ETag stays the same and differs between files`, async () => {
    const [first, second] = [newKey("attachments", "jpg"), newKey("attachments", "jpg")];
    await storage.put(first, Readable.from([Buffer.from("one")]));
    await storage.put(second, Readable.from([Buffer.from("three")]));
    const { etag } = (await storage.stat(first))!;
    const opened = (await storage.open(first))!;
    opened.stream.destroy();
    assert.match(etag, /^"[\w-]+"$/);
    assert.equal(opened.etag, etag);
    assert.notEqual((await storage.stat(second))!.etag, etag);
  });

  test(`${name}: a stream that breaks off leaves nothing`, async () => {
    const key = newKey("attachments", "mp4");
    const broken = Readable.from(
      (function* () {
        yield large;
        throw new Error("the sender left");
      })(),
    );
    await assert.rejects(storage.put(key, broken), /the sender left/);
    assert.equal(await storage.stat(key), null);
  });

  test(`${name}: deletes any number, also what is missing`, async () => {
    const keys = Array.from({ length: 3 }, () => newKey("attachments", "webp"));
    for (const key of keys.slice(1)) await storage.put(key, Readable.from([Buffer.from(key)]));
    await storage.delete(keys);
    for (const key of keys) assert.equal(await storage.stat(key), null);
    await storage.delete([]);
  });

  test(`${name}: lists what there is in the order of its bytes, by the beginning`, async () => {
    const keys = ["cards/0b/1.png", "cards/0a/2.png", "cards/0a/10.png", "cards/0c/1.png"];
    for (const key of keys) await storage.put(key, Readable.from([Buffer.from(key)]));
    const files = await Array.fromAsync(storage.list("cards/"));
    const inOrder = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(
      files,
      inOrder.map((key) => ({ key, size: key.length })),
    );
    const all = await Array.fromAsync(storage.list());
    assert.deepEqual(
      all.filter(({ key }) => key.startsWith("cards/")),
      files,
    );
    assert.equal((await Array.fromAsync(storage.list("cards/0a/1"))).length, 1);
    assert.deepEqual(await Array.fromAsync(storage.list("nothing")), []);
  });

  test(`${name}: only keys of ours`, async () => {
    const wrong = ["", "a.jpg", "/a/b.jpg", "a/../b.jpg", "../a/b.jpg", "a//b.jpg", "a/b.html"];
    const own = newKey("attachments", "png");
    const foreign = [
      `backups/media/${own}`,
      `backups/${own}`,
      `attachments/${own}`,
      "lists/0b/1.png",
    ];
    for (const key of [
      ...wrong,
      "a/b.svg",
      "a/b",
      "a/b.jpg\n",
      "a/B.jpg",
      "a/b\0.jpg",
      ...foreign,
    ]) {
      const empty = Readable.from([]);
      await assert.rejects(storage.put(key, empty), /not a key/, key);
      await assert.rejects(storage.open(key), /not a key/, key);
      await assert.rejects(storage.stat(key), /not a key/, key);
      await assert.rejects(storage.delete([key]), /not a key/, key);
    }
  });
};

// Two storages as one, and moving files from one to the other: the disk and a bucket.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { startS3 } from "../../../../test/s3-server.ts";
import type { S3Server } from "../../../../test/s3-server.ts";
import { bothStorage } from "../../../../src/platform/storage/both.ts";
import { diskStorage } from "../../../../src/platform/storage/disk.ts";
import { newKey } from "../../../../src/platform/storage/index.ts";
import type { Storage } from "../../../../src/platform/storage/index.ts";
import { moveFiles } from "./move-files.ts";
import { s3Storage } from "../../../../src/platform/storage/s3.ts";
import { storageContract } from "../../../../src/platform/storage/storage.contract.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-move-"));
let server: S3Server;
let disk: Storage;
let bucket: Storage;

before(async () => {
  server = await startS3(join(folder, "s3"));
  disk = diskStorage(join(folder, "disk"));
  bucket = s3Storage(server.options);
});
after(async () => {
  bucket.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

storageContract("both", () => {
  const [first, second] = [diskStorage(join(folder, "one")), diskStorage(join(folder, "two"))];
  return bothStorage(first, second);
});

const keys = Array.from({ length: 9 }, () => newKey("attachments", "jpg"));
const write = (storage: Storage, key: string) =>
  storage.put(key, Readable.from([Buffer.from(key)]));
const all = async (storage: Storage): Promise<string[]> =>
  Array.fromAsync(storage.list(), ({ key }) => key);
const silent = { dryRun: false, onProgress: () => {} };

test("everything is moved, readable all the time, and again from where it stopped", async () => {
  for (const key of keys) await write(disk, key);
  const both = bothStorage(bucket, disk);
  const fresh = newKey("attachments", "png");
  await write(both, fresh);
  const counted = await moveFiles(disk, bucket, { ...silent, dryRun: true });
  const bytes = keys.join("").length;
  assert.deepEqual(counted, { files: 9, bytes, failed: [] });
  assert.deepEqual(await all(bucket), [fresh]);
  assert.deepEqual(await all(both), [...keys, fresh].toSorted());

  // It is stopped after some files.
  const stopped = moveFiles(disk, bucket, {
    ...silent,
    onProgress: ({ files }) => {
      if (files >= 2) throw new Error("stopped");
    },
  });
  await assert.rejects(stopped, /stopped/);
  for (const key of keys) {
    assert.equal(await text((await both.open(key))!.stream), key);
    assert.equal((await both.stat(key))!.size, key.length);
  }
  const { files } = await moveFiles(disk, bucket, silent);
  assert.ok(files > 0 && files < 9, String(files));
  assert.deepEqual(await all(disk), []);
  assert.deepEqual(await all(bucket), [...keys, fresh].toSorted());
  // And back.
  assert.equal((await moveFiles(bucket, disk, silent)).files, 10);
  assert.deepEqual(await all(bucket), []);
  assert.equal(await text((await disk.open(keys[0]!))!.stream), keys[0]);
});

test("what is deleted while it is moved stays deleted", async () => {
  const both = bothStorage(bucket, disk);
  const slow: Storage = {
    ...bucket,
    async put(key, source) {
      await both.delete([key]);
      await bucket.put(key, source);
    },
  };
  await moveFiles(disk, slow, silent);
  assert.deepEqual([await all(disk), await all(bucket)], [[], []]);
});

test("a file that cannot be moved stays, and is named", async () => {
  await write(disk, keys[0]!);
  await write(disk, keys[1]!);
  const broken: Storage = {
    ...bucket,
    put: (key, source) =>
      key === keys[0] ? Promise.reject(new Error("no room")) : bucket.put(key, source),
  };
  const moved = await moveFiles(disk, broken, silent);
  assert.deepEqual([moved.files, moved.failed], [1, [`${keys[0]}: no room`]]);
  assert.deepEqual([await all(disk), await all(bucket)], [[keys[0]], [keys[1]]]);
});

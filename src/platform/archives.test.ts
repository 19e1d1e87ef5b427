// Archives that unpack to more than they may.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { archiveFiles } from "./archives.ts";

const MIB = 1024 * 1024;
const limits = { files: 10, bytes: MIB, tooLarge: "The archive is too large." };
const folder = mkdtempSync(join(tmpdir(), "rookery-archives-"));
after(() => rmSync(folder, { recursive: true }));

const tarOf = async (sizes: number[]): Promise<Buffer> => {
  const packed = pack();
  for (const [n, size] of sizes.entries()) packed.entry({ name: `${n}` }, Buffer.alloc(size));
  packed.finalize();
  return buffer(packed);
};

const read = async (tar: Buffer): Promise<string[]> => {
  const path = join(folder, "archive.tar.gz");
  writeFileSync(path, gzipSync(tar));
  const names: string[] = [];
  for await (const file of archiveFiles(path, limits)) names.push(file.path);
  return names;
};

test("as many bytes as are allowed, in as many files", async () => {
  const names = await read(await tarOf(Array(10).fill(MIB / 10)));
  assert.equal(names.length, 10);
});

test("files that are too large together, or too many", async () => {
  await assert.rejects(read(await tarOf([MIB, 1])), /too large/);
  await assert.rejects(read(await tarOf(Array(11).fill(1))), /too large/);
});

test("megabytes that are no files: zeros, alone and after the files", async () => {
  const tar = await tarOf([1]);
  const zeros = Buffer.alloc(4 * MIB);
  await assert.rejects(read(zeros), /too large/);
  await assert.rejects(read(Buffer.concat([tar, zeros])), /too large/);
});

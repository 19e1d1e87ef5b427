import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, test } from "node:test";
import { diskFiles, diskStorage } from "./disk.ts";
import { storageContract } from "./storage.contract.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-disk-"));
after(() => rmSync(folder, { recursive: true }));

storageContract("disk", () => diskStorage(join(folder, "media")));

test("disk: what broke off leaves no file in the folder of unfinished ones", async () => {
  const storage = diskStorage(join(folder, "other"));
  const broken = Readable.from(
    (function* () {
      yield Buffer.from("a");
      throw new Error("left");
    })(),
  );
  await assert.rejects(storage.put("attachments/ab/cd.jpg", broken));
  assert.deepEqual(readdirSync(join(folder, "other", "unfinished")), []);
});

test("disk: lists in the order of whole keys, not of folders; without unfinished files", async () => {
  const storage = diskFiles(join(folder, "listed"), (key) => key.endsWith(".png"));
  const keys = ["l/a-b/c.png", "l/a/b-c.png", "l/a/b.png", "l/a/b/c.png"];
  for (const key of keys.toReversed()) await storage.put(key, Readable.from([]));
  writeFileSync(join(folder, "listed/unfinished/x.png"), "");
  writeFileSync(join(folder, "listed/l/no-key"), "");
  const stored = await Array.fromAsync(storage.list(), ({ key }) => key);
  assert.deepEqual(stored, keys);
});

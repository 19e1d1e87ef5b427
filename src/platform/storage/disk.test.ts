import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, test } from "node:test";
import { diskStorage } from "./disk.ts";
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

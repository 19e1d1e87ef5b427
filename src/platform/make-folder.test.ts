// Folders of which some above are missing, are there, are files, or cannot be.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { makeFolder } from "./make-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-folders-"));
after(() => rmSync(folder, { recursive: true }));

test("makes what is missing, with the mode, and leaves what is there; also many at once", async () => {
  const path = join(folder, "a/b/c/");
  await Promise.all([
    makeFolder(path, 0o700),
    makeFolder(path, 0o700),
    makeFolder(join(folder, "a/d")),
  ]);
  assert.equal(statSync(join(folder, "a/b")).mode & 0o777, 0o700);
  await makeFolder(path, 0o755);
  assert.equal(statSync(path).mode & 0o777, 0o700);
});

test("a file is no folder, neither at the end nor above", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  await assert.rejects(makeFolder(file), /EEXIST/);
  await assert.rejects(makeFolder(join(file, "a")), /ENOTDIR/);
});

test(
  "where a file system lets nobody make a folder, it says so",
  { skip: existsSync("/proc/self") ? false : "there is no /proc" },
  async () => {
    await assert.rejects(makeFolder("/proc/rookery/backups/"), /ENOENT/);
  },
);

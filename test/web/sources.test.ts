// A server does not start with a client that was built from other sources, as after an update without `npm ci`.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isOutdated, sourcesHash, STAMP } from "../../web/sources.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-sources-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const root = join(folder, "web");

const write = (path: string, text: string, second: number): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
  utimesSync(join(folder, path), second, second);
};

test("the client is outdated when a source or a text has changed since, not when one was only written again", () => {
  write("web/src/client.tsx", "one", 100);
  write("texts/en/base.json", "{}", 100);
  write("package-lock.json", "{}", 100);
  write(`web/${STAMP}`, `${sourcesHash(root)} entities`, 200);
  assert.equal(isOutdated(root), false);
  let second = 300;
  write("web/src/client.tsx", "one", second);
  assert.equal(isOutdated(root), false, "written again");
  for (const path of ["web/src/client.tsx", "texts/en/base.json", "web/src/new.tsx"]) {
    write(path, "two", ++second);
    assert.equal(isOutdated(root), true, path);
    write(`web/${STAMP}`, `${sourcesHash(root)} entities`, ++second);
    assert.equal(isOutdated(root), false, `${path} built`);
  }
});

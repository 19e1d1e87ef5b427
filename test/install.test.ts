// An installation for servers alone keeps what a server loads; one for developers keeps everything.

import assert from "node:assert/strict";
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import type { Packages } from "../bin/install/lock.ts";
import { prune } from "../bin/install/prune.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-install-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const FILES = [
  "loaded/index.js",
  "loaded/index.d.ts",
  "loaded/LICENSE.md",
  "loaded/README.md",
  "loaded/docs/guide.html",
  "loaded/lib/docs/index.js",
  "loaded/lib/types/index.d.ts",
  "loaded/node_modules/inner/index.js",
  "loaded/node_modules/inner/index.js.map",
  "@types/loaded/package.json",
  "builder/index.js",
  "@own/client/index.ts",
];

const INSTALLED: Packages = {
  client: { version: "1.0.0", dependencies: { builder: "1.0.0" } },
  "node_modules/@own/client": { version: "1.0.0", link: true },
  "node_modules/@types/loaded": { version: "1.0.0" },
  "node_modules/builder": { version: "1.0.0" },
  "node_modules/loaded": {
    version: "1.0.0",
    dependencies: { inner: "1.0.0", "@types/loaded": "1.0.0" },
    peerDependencies: { builder: "1.0.0" },
    peerDependenciesMeta: { builder: { optional: true } },
  },
  "node_modules/loaded/node_modules/inner": { version: "1.0.0" },
};

const write = (path: string, value: unknown): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
};

/** Makes the installation, with the packages that npm says are there; returns its files after pruning. */
const pruned = (name: string, installed: Packages): string[] => {
  const root = join(folder, name);
  const modules = join(root, "node_modules");
  for (const path of FILES) write(join(modules, path), {});
  write(join(root, "package.json"), { dependencies: { loaded: "1.0.0" } });
  write(join(modules, ".package-lock.json"), { lockfileVersion: 3, packages: installed });
  mkdirSync(join(modules, ".bin"));
  for (const path of ["loaded", "builder"])
    symlinkSync(`../${path}/index.js`, join(modules, ".bin", path));
  prune(root);
  const all = globSync("{,.bin/,@*/*/}**/*.*", { cwd: modules }).sort();
  assert.equal(existsSync(join(modules, ".bin/builder")), all.includes("builder/index.js"));
  assert.ok(existsSync(join(modules, ".bin/loaded")));
  return all;
};

test("a server's installation keeps what is loaded, licences, and what is linked", () => {
  assert.deepEqual(pruned("server", INSTALLED), [
    "@own/client/index.ts",
    "loaded/LICENSE.md",
    "loaded/index.js",
    "loaded/lib/docs/index.js",
    "loaded/node_modules/inner/index.js",
  ]);
  assert.ok(!existsSync(join(folder, "server/node_modules/loaded/lib/types")));
});

test("a developer's installation keeps everything", () => {
  const tool = { version: "1.0.0", dev: true };
  const installed = { ...INSTALLED, "node_modules/tool": tool };
  assert.deepEqual(pruned("developer", installed), FILES.toSorted());
});

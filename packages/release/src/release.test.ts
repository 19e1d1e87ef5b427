// What is released starts from nothing, has no more than it needs, and the same bytes whenever it is made.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync } from "node:fs";
import { lstatSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathsIn, settle, tar } from "./archive.ts";
import { changesOf } from "./changelog.ts";
import { makeFolder } from "./folder.ts";
import { clientPackages, nameOf, serverPackages, strip } from "./uses.ts";
import { ROOT, readVersion } from "./version.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-release-"));
// An ordinary user starts it.
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true, force: true }));

const version = readVersion();
const platform = { os: "linux", cpu: process.arch, libc: "glibc" };
const modules = join(ROOT, "node_modules");
const skip = process.platform === "linux" ? false : "the folder is for Linux";

const name = `rookery-${version.version}-linux-${process.arch}`;
const made = join(folder, "made");
const unpacked = join(folder, name);
const archive = join(folder, "folder.tar");

before(() => {
  if (skip !== false) return;
  makeFolder(made, version, { modules, platform });
  settle(made, version.seconds);
  tar(made, archive, name);
  execFileSync("tar", ["-xf", archive, "-C", folder]);
});

const digest = (path: string): string =>
  createHash("sha256").update(readFileSync(path)).digest("hex");

/** Where a program is not, and no network: a namespace, which only root can make here. */
const inNothing = (args: string[]): string[] => {
  if (process.getuid?.() !== 0) return args;
  const hidden = globSync("/usr/lib/*/libatomic.so.1.*");
  const hide = hidden.map((path) => `mount --bind /dev/null ${path}`);
  const commands = ["ip link set lo up", ...hide, 'exec "$@"'].join(" && ");
  return ["unshare", "--net", "--mount", "sh", "-c", commands, "sh", ...args];
};

test(
  "the folder starts where there is nothing else, and has its data at the next start",
  { skip },
  () => {
    const place = join(folder, "place");
    mkdirSync(place);
    const node = join(unpacked, "node_modules/.bin/node");
    const driver = join(ROOT, "packages/release/test/first-run.ts");
    const [command, ...args] = inNothing([node, driver, join(unpacked, "bin/rookery"), place]);
    const env = { PATH: process.env["PATH"], LD_LIBRARY_PATH: join(unpacked, "lib") };
    const { status, stdout, stderr } = spawnSync(command!, args, { env, encoding: "utf8" });
    assert.equal(status, 0, stdout + stderr);
  },
);

/** A fault of a package that lies in the folder: files of it that its code names. */
const load = (names: string[]): string => {
  const code = `for (const name of ${JSON.stringify(names)}) await import(name);`;
  const main = join(unpacked, "dist/load.js");
  writeFileSync(main, code);
  const { stderr } = spawnSync(join(unpacked, "node_modules/.bin/node"), [main], {
    encoding: "utf8",
  });
  rmSync(main);
  return stderr;
};

test(
  "whatever the server names can be loaded from the folder, although much is left out",
  { skip },
  () => {
    const names = Object.keys(version.manifest.dependencies);
    assert.ok(names.length > 30);
    // Of this one, the server loads one of several.
    const loaded = names.map((each) =>
      each === "libheif-js" ? "libheif-js/wasm-bundle.js" : each,
    );
    assert.equal(load(loaded), "");
    assert.match(load(["typescript"]), /Cannot find package/);
  },
);

test(
  "the folder has nothing for developers, and knows nothing of where it was made",
  { skip },
  () => {
    const paths = pathsIn(unpacked);
    const needless = /\.(?:map|ts|[cm]ts|tsx|md)$|(?:^|\/)(?:\.github|__tests__)(?:\/|$)/;
    const kept = paths.filter((path) => needless.test(path) && path.startsWith("node_modules/"));
    assert.deepEqual(
      kept.filter((path) => !/licen[cs]e|notice/i.test(path)),
      [],
    );
    assert.ok(!existsSync(join(unpacked, "dist/packages/release")));
    const left = paths.filter((path) => /\.test\.[cm]?js$|(?:^|\/)\.env$/.test(path));
    assert.deepEqual(left, []);
    // A package for a system or a processor is for this one.
    const natives = globSync("node_modules/{*,@*/*}{linux,darwin,win32}-*", { cwd: unpacked });
    assert.ok(natives.length >= 6);
    for (const path of natives) assert.match(path, new RegExp(`linux-${process.arch}(?:-gnu)?$`));
    const texts = paths.filter(
      (path) => /\.(?:js|json|txt|md|css|html)$/.test(path) && path.startsWith("dist/"),
    );
    assert.ok(texts.length > 500);
    for (const path of [...texts, "LICENCES.txt", "sbom.cdx.json"])
      assert.ok(!readFileSync(join(unpacked, path), "utf8").includes(ROOT), path);
  },
);

/** What packages may take in the folder, and so in an installation for servers alone: 224 are taken. */
const MOST_MEGABYTES = 240;

test("the packages in the folder are small, and Node has nothing for debuggers", { skip }, () => {
  const packages = join(unpacked, "node_modules");
  const sizes = pathsIn(packages).map((path) => lstatSync(join(packages, path)).size);
  const megabytes = Math.ceil(sizes.reduce((sum, size) => sum + size) / 1e6);
  assert.ok(megabytes <= MOST_MEGABYTES, `${megabytes} MB`);
  const node = join(packages, `node-linux-${process.arch}/bin/node`);
  const { ino } = statSync(node);
  strip(node);
  assert.equal(statSync(node).ino, ino, "there was something left to strip");
});

test("a folder that is made again has the same bytes", { skip }, () => {
  const again = join(folder, "elsewhere/again");
  mkdirSync(join(folder, "elsewhere"));
  const before = process.umask(0o077);
  makeFolder(again, version, { modules, platform });
  process.umask(before);
  settle(again, version.seconds);
  assert.equal(digest(tar(again, join(folder, "again.tar"), name)), digest(archive));
});

test("the changes are those of the version, with what is not of any yet", () => {
  const text =
    "# Changelog\n\n## [Unreleased]\n\n- New\n\n## [2.0.0] - 2027\n\n- Old\n\n## [1.0.0]\n\n- First\n";
  assert.equal(changesOf({ version: "2.0.0" }, text), "# Rookery 2.0.0\n\n- New\n\n- Old\n");
  assert.equal(
    changesOf({ version: "1.0.0" }, text.replace("- New\n\n", "")),
    "# Rookery 1.0.0\n\n- First\n",
  );
  assert.throws(
    () => changesOf({ version: "3.0.0" }, text.replace("- New\n\n", "")),
    /says nothing of 3/,
  );
});

test(
  "the list of what is in it has each package once, with its version, licence and hash",
  { skip },
  () => {
    const list = JSON.parse(readFileSync(join(unpacked, "sbom.cdx.json"), "utf8"));
    assert.equal(list.specVersion, "1.6");
    const urls: string[] = list.components.map((each: { purl?: string }) => each.purl ?? "");
    const { packages } = version.lock;
    const paths = [...serverPackages(packages), ...clientPackages(packages)];
    for (const path of paths) {
      const url = `pkg:npm/${nameOf(path).replace("@", "%40")}@${packages[path]!.version}`;
      assert.equal(urls.filter((each) => each === url).length, 1, url);
    }
    assert.ok(urls.includes(`pkg:npm/preact@${packages["node_modules/preact"]!.version}`));
    assert.ok(!urls.some((url) => /typescript|vite@|oxlint/.test(url)));
    const references = new Set(
      list.components.map((each: { "bom-ref": string }) => each["bom-ref"]),
    );
    for (const component of list.components) {
      assert.equal(component.licenses.length, 1, component.name);
      if (component.type === "library")
        assert.match(component.hashes[0].content, /^[0-9a-f]{128}$/);
    }
    for (const { dependsOn } of list.dependencies)
      for (const reference of dependsOn) assert.ok(references.has(reference), reference);
  },
);

test("the licences name everything that is in the folder", { skip }, () => {
  const text = readFileSync(join(unpacked, "LICENCES.txt"), "utf8");
  for (const path of globSync("node_modules/{[^@.]*,@*/*}/package.json", { cwd: unpacked })) {
    const { name, version } = JSON.parse(readFileSync(join(unpacked, path), "utf8"));
    assert.ok(text.includes(`\n${name} ${version}: `), path);
  }
  assert.doesNotMatch(text, /: unknown$/m);
  assert.match(text, /GNU AFFERO GENERAL PUBLIC LICENSE/);
  assert.match(text, /PostgreSQL Global Development Group/);
});

test(
  "the folder has the modes of an installation, and no file that another could change",
  { skip },
  () => {
    for (const path of pathsIn(unpacked)) {
      const { mode } = statSync(join(unpacked, path));
      assert.equal(mode & 0o022, 0, path);
    }
    assert.ok(existsSync(join(unpacked, "bin/rookery")));
  },
);

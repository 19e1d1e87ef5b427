// `npm run release [-- --to FOLDER]` makes everything of a version from a clean checkout, the same bytes each time:
// the npm package, the folder and the Debian package for each processor, licences, changes, the list of what is inside,
// checksums. `--cpu x64,arm64` names the processors; another one than this machine's needs its libatomic1.
// `--maintainer "Name <address>"` answers for the Debian package, otherwise the author of the last commit.

import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipFile, run, settle, tar, xz } from "./archive.ts";
import { changesOf } from "./changelog.ts";
import { makeDebian } from "./debian.ts";
import { makeFolder } from "./folder.ts";
import type { Platform } from "./uses.ts";
import { makePackage } from "./npm-package.ts";
import { ROOT, git, readVersion } from "./version.ts";
import type { Version } from "./version.ts";

const { values } = parseArgs({
  options: {
    to: { type: "string", default: join(ROOT, "dist") },
    cpu: { type: "string", default: process.arch },
    maintainer: { type: "string" },
  },
});

type Place = { to: string; work: string };

/** Says what is being done, since all of it takes minutes. */
const say = (what: string): void =>
  console.log(`${new Date().toISOString().slice(11, 19)} ${what}`);

/** Installs what a server needs from the registry, as package-lock.json has it; returns where. */
const install = (work: string, { os, cpu, libc }: Platform): string => {
  const folder = join(work, `modules-${cpu}`);
  mkdirSync(folder);
  for (const name of ["package.json", "package-lock.json"])
    cpSync(join(ROOT, name), join(folder, name));
  say(`installing what a server needs (${cpu})`);
  const own = ["--omit=dev", "--workspaces=false", "--ignore-scripts", "--no-audit", "--no-fund"];
  run("npm", ["ci", ...own, `--os=${os}`, `--cpu=${cpu}`, `--libc=${libc}`], { cwd: folder });
  return join(folder, "node_modules");
};

const releasePackage = ({ to, work }: Place, version: Version): void => {
  say("making the npm package");
  const folder = join(work, "npm");
  makePackage(folder, version);
  settle(folder, version.seconds);
  const archive = tar(folder, join(work, "npm.tar"), "package");
  gzipFile(archive, join(to, `rookery-${version.version}.tgz`));
};

/** What is for readers stands beside the archives, too. */
const copyTexts = (folder: string, { to }: Place, name: string): void => {
  cpSync(join(folder, "LICENCES.txt"), join(to, `${name}-licences.txt`));
  cpSync(join(folder, "sbom.cdx.json"), join(to, `${name}.cdx.json`));
};

const releaseFolder = (place: Place, version: Version, cpu: string): void => {
  const { to, work } = place;
  const platform = { os: "linux", cpu, libc: "glibc" };
  const name = `rookery-${version.version}-linux-${cpu}`;
  const folder = join(work, name);
  makeFolder(folder, version, { modules: install(work, platform), platform });
  settle(folder, version.seconds);
  copyTexts(folder, place, name);
  say(`compressing ${name}.tar.xz`);
  renameSync(xz(tar(folder, join(work, `${name}.tar`))), join(to, `${name}.tar.xz`));
  say(`making the Debian package (${cpu})`);
  makeDebian(folder, to, version, { platform, compress: "xz" });
};

/** As `sha256sum --check` reads them. */
const writeChecksums = (folder: string): void => {
  const lines = readdirSync(folder)
    .sort()
    .map((name) => {
      const digest = createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex");
      return `${digest}  ${name}\n`;
    });
  writeFileSync(join(folder, "SHA256SUMS"), lines.join(""));
};

const MB = 1e6;

const release = (place: Place): void => {
  const version = readVersion(values.maintainer);
  say("building the web client");
  run(process.execPath, ["web/build.ts"], { cwd: ROOT });
  releasePackage(place, version);
  for (const cpu of values.cpu.split(",")) releaseFolder(place, version, cpu);
  const changes = join(place.to, `rookery-${version.version}-changes.md`);
  writeFileSync(changes, changesOf(version));
  writeChecksums(place.to);
  for (const name of readdirSync(place.to).sort()) {
    const { size } = statSync(join(place.to, name));
    console.log(`${(size / MB).toFixed(1).padStart(7)} MB  ${name}`);
  }
};

if (git("status", "--porcelain") !== "") {
  console.error("release: Commit first: a version is made of what is committed.");
  process.exit(1);
}
const work = mkdtempSync(join(tmpdir(), "rookery-release-"));
try {
  rmSync(values.to, { recursive: true, force: true });
  mkdirSync(values.to, { recursive: true });
  release({ to: values.to, work });
} finally {
  rmSync(work, { recursive: true });
}

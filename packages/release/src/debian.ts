// Makes the Debian package: the folder in /usr/lib, the service with a user of its own, settings in /etc/rookery, data
// in /var/lib/rookery.

import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzip, pathsIn, run, settle } from "./archive.ts";
import type { Platform } from "./uses.ts";
import { readText } from "./version.ts";
import type { Version } from "./version.ts";

const PROGRAMS = "usr/lib/rookery";
const DOCUMENTS = "usr/share/doc/rookery";
const UNITS = "usr/lib/systemd/system";

/** Debian's names of processors. */
const ARCHITECTURES: Record<string, string> = { x64: "amd64", arm64: "arm64" };

const put = (path: string, text: string | Buffer, mode = 0o644): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
};

/** Says in a file of deploy/ where the package has everything. */
const placed = (text: string): string =>
  text
    .replaceAll("cd /srv/rookery", "cd /etc/rookery")
    .replaceAll(/(?<=[ =])(?:\/srv\/rookery\/)?bin\/rookery/g, `/${PROGRAMS}/bin/rookery`)
    .replaceAll("WorkingDirectory=/srv/rookery", "WorkingDirectory=/etc/rookery")
    .replaceAll(/file:\/\/\/srv\/rookery(?:\/docs)?/g, `file:///${DOCUMENTS}`)
    .replaceAll(
      "StateDirectory=rookery",
      "StateDirectory=rookery\nCacheDirectory=rookery\nCacheDirectoryMode=0750",
    )
    .replaceAll("/srv/rookery/.env", "/etc/rookery/.env");

/** The unit without what it says of installing it by hand. */
const unit = (name: string): string => {
  const text = placed(readText(`deploy/${name}`));
  return text.slice(text.indexOf("[Unit]"));
};

/** The command without the line that says how it is installed. */
const command = (): string => {
  const lines = placed(readText("deploy/rookery")).split("\n");
  const kept = lines.filter((line) => !/^#.*install /.test(line));
  return kept.join("\n").replace("settings. Install it with", "settings.");
};

const putFiles = (root: string, { seconds }: Version): void => {
  put(join(root, "usr/bin/rookery"), command(), 0o755);
  for (const name of ["rookery.service", "rookery@.service"])
    put(join(root, UNITS, name), unit(name));
  // Code is compiled once for the user that runs it.
  const cache = join(root, PROGRAMS, "dist/node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  symlinkSync("/var/cache/rookery", join(cache, "compiled"));
  settle(root, seconds);
};

/** Moves what is for readers to where Debian has it; libatomic is a package of Debian. */
const moveDocuments = (root: string): void => {
  const programs = join(root, PROGRAMS);
  const documents = join(root, DOCUMENTS);
  mkdirSync(dirname(documents), { recursive: true });
  renameSync(join(programs, "docs"), documents);
  for (const name of ["README.md", "sbom.cdx.json"])
    renameSync(join(programs, name), join(documents, name));
  renameSync(join(programs, "LICENCES.txt"), join(documents, "copyright"));
  put(join(documents, "changelog.gz"), gzip(readFileSync(join(programs, "CHANGELOG.md"))));
  for (const name of ["CHANGELOG.md", "LICENSE", "deploy", "lib"])
    rmSync(join(programs, name), { recursive: true });
};

/** A version after `-` is before the one without: Debian says so by a tilde. */
const debianVersion = (version: string): string => version.replace("-", "~");

const control = (
  { version, maintainer }: Version,
  architecture: string,
  kilobytes: number,
): string =>
  `${[
    "Package: rookery",
    `Version: ${debianVersion(version)}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${kilobytes}`,
    "Depends: adduser, ca-certificates, libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8), util-linux",
    "Recommends: ffmpeg, systemd",
    "Section: net",
    "Priority: optional",
    "Description: federated social server that starts with one command",
    " Short posts, follows and timelines for yourself, a club or a town. It speaks the",
    " API of Mastodon, so that its apps work with it, and ActivityPub, so that people",
    " on it talk to everyone on Mastodon and other servers of the fediverse.",
    " .",
    " Node and PostgreSQL are inside. `rookery setup` asks for the domain.",
  ].join("\n")}\n`;

const SCRIPTS = ["postinst", "prerm", "postrm"];

const putControl = (root: string, version: Version, architecture: string): void => {
  const files = pathsIn(root).filter((path) => lstatSync(join(root, path)).isFile());
  const sums = files.map((path) => {
    const digest = createHash("md5")
      .update(readFileSync(join(root, path)))
      .digest("hex");
    return `${digest}  ${path}\n`;
  });
  const bytes = files.reduce((sum, path) => sum + lstatSync(join(root, path)).size, 0);
  const folder = join(root, "DEBIAN");
  put(join(folder, "md5sums"), sums.join(""));
  put(join(folder, "control"), control(version, architecture, Math.ceil(bytes / 1024)));
  for (const name of SCRIPTS)
    put(join(folder, name), readText(`packages/release/debian/${name}`), 0o755);
  settle(folder, version.seconds);
};

/** `compress` as dpkg-deb names it. */
export type DebianOptions = { platform: Platform; compress: "xz" | "none" };

/** Turns the folder for a platform into a package, in the folder `to`; returns its path. */
export const makeDebian = (
  folder: string,
  to: string,
  version: Version,
  { platform, compress }: DebianOptions,
): string => {
  const architecture = ARCHITECTURES[platform.cpu]!;
  const file = join(to, `rookery_${debianVersion(version.version)}_${architecture}.deb`);
  const root = join(to, "debian");
  mkdirSync(dirname(join(root, PROGRAMS)), { recursive: true });
  renameSync(folder, join(root, PROGRAMS));
  moveDocuments(root);
  putFiles(root, version);
  putControl(root, version, architecture);
  const options = ["--root-owner-group", `-Z${compress}`, "--threads-max=1"];
  const time = `SOURCE_DATE_EPOCH=${version.seconds}`;
  run("env", [time, "dpkg-deb", ...options, "--build", root, file]);
  rmSync(root, { recursive: true });
  return file;
};

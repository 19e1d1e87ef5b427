// The Debian package has what Debian asks of one, and is installed, started, removed and purged on a copy of the system.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { findProgram } from "../../../src/platform/config/programs.ts";
import { settle } from "./archive.ts";
import { makeDebian } from "./debian.ts";
import { makeFolder } from "./folder.ts";
import { ROOT, readVersion } from "./version.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-debian-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const skip = findProgram("dpkg-deb") ? false : "there is no dpkg-deb";
const version = readVersion();
const platform = { os: "linux", cpu: process.arch, libc: "glibc" };
let file = "";

before(() => {
  if (skip !== false) return;
  const made = join(folder, "made");
  makeFolder(made, version, { modules: join(ROOT, "node_modules"), platform });
  settle(made, version.seconds);
  file = makeDebian(made, folder, version, { platform, compress: "none" });
});

const dpkg = (...args: string[]): string =>
  execFileSync("dpkg-deb", args, { encoding: "utf8", maxBuffer: 2 ** 26 });

/** Extracts only this, as the package would put it below `root`. */
const extracted = (path: string): Buffer => {
  const archive = join(folder, "files.tar");
  execFileSync("sh", ["-c", `[ -e ${archive} ] || dpkg-deb --fsys-tarfile ${file} > ${archive}`]);
  return execFileSync("tar", ["-xOf", archive, `./${path}`], { maxBuffer: 2 ** 26 });
};

test("it says what it is, and what it needs of the system", { skip }, () => {
  const field = (name: string): string => dpkg("--field", file, name).trim();
  assert.equal(field("Package"), "rookery");
  assert.equal(field("Version"), version.version.replace("-", "~"));
  assert.equal(field("Maintainer"), version.maintainer);
  assert.throws(() => readVersion("nobody"), /--maintainer/);
  assert.match(field("Architecture"), /^(?:amd64|arm64)$/);
  assert.match(field("Depends"), /\badduser\b.*\blibatomic1\b.*\blibc6 \(>= 2\.28\)/);
  assert.match(field("Description"), /^[a-z][^.]{1,78}\n /);
  assert.ok(Number(field("Installed-Size")) > 200_000);
  const control = join(folder, "control");
  dpkg("--control", file, control);
  for (const name of ["postinst", "prerm", "postrm"]) {
    const script = readFileSync(join(control, name), "utf8");
    assert.match(script, /^#!\/bin\/sh\n(?:#.*\n)+set -e\n/, name);
    assert.equal(spawnSync("sh", ["-n", join(control, name)]).status, 0, name);
  }
  const sums = readFileSync(join(control, "md5sums"), "utf8");
  assert.match(sums, /^[0-9a-f]{32} {2}usr\/bin\/rookery$/m);
});

type Entry = { mode: string; owner: string; path: string };

const entries = (): Entry[] =>
  dpkg("--contents", file)
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [mode, owner, , , , ...path] = line.split(/ +/);
      return { mode: mode!, owner: owner!, path: path.join(" ").replace(/ -> .*/, "") };
    });

test(
  "its files are root's, where Debian has them, and nobody else can change them",
  { skip },
  () => {
    const list = entries();
    assert.ok(list.length > 5000);
    for (const { mode, owner, path } of list) {
      assert.equal(owner, "root/root", path);
      assert.match(mode, /^(?:d(?:rwxr-xr-x)|-rw-r--r--|-rwxr-xr-x|lrwxrwxrwx)$/, path);
      assert.match(
        path,
        /^\.\/(?:$|usr\/(?:$|bin\/(?:rookery)?$|lib\/(?:$|rookery\/|systemd\/(?:$|system\/))|share\/(?:$|doc\/(?:$|rookery\/))))/,
      );
      assert.doesNotMatch(path, /\/(?:\.git|\.github|__tests__|\.env)(?:\/|$)|\.(?:map|ts|a)$/);
    }
    const paths = new Set(list.map(({ path }) => path));
    assert.ok(paths.has("./usr/share/doc/rookery/copyright"));
    const changes = gunzipSync(extracted("usr/share/doc/rookery/changelog.gz")).toString();
    assert.match(changes, new RegExp(`^# Rookery ${version.version}\n`));
  },
);

test("its units and its command name no place that the package does not have", { skip }, () => {
  for (const path of [
    "usr/lib/systemd/system/rookery.service",
    "usr/lib/systemd/system/rookery@.service",
    "usr/bin/rookery",
  ]) {
    const text = extracted(path).toString();
    assert.doesNotMatch(text, /\/srv\//, path);
    assert.match(text, /\/usr\/lib\/rookery\/bin\/rookery/, path);
  }
  const unit = extracted("usr/lib/systemd/system/rookery.service").toString();
  assert.match(unit, /^WorkingDirectory=\/etc\/rookery$/m);
  assert.match(unit, /^CacheDirectory=rookery$/m);
});

/** A copy of the system in memory without a network, in which this is root; null where that cannot be made. */
const onCopy = (script: string): string[] | null => {
  const place = join(folder, "system");
  mkdirSync(place, { recursive: true });
  const copy = [
    `mount -t tmpfs none ${place} && mkdir ${place}/changed ${place}/work ${place}/all`,
    `mount -t overlay none -o lowerdir=/,upperdir=${place}/changed,workdir=${place}/work ${place}/all`,
    `mount --rbind /proc ${place}/all/proc && mount --rbind /dev ${place}/all/dev`,
    `ip link set lo up`,
  ].join(" && ");
  const inside = (last: string): string[] => ["--mount", "--net", "sh", "-c", `${copy} && ${last}`];
  const works = spawnSync("unshare", inside("true")).status === 0;
  return works ? inside(script.replaceAll("$ALL", `${place}/all`)) : null;
};

const run = (): string | null => {
  if (skip !== false || process.getuid?.() !== 0) return null;
  writeFileSync(
    join(folder, "service.sh"),
    readFileSync(join(ROOT, "packages/release/test/service.sh")),
  );
  // The rest of this folder is below a mount of its own, which the copy does not have.
  const args = onCopy(
    `mkdir -p $ALL/tmp && cp ${folder}/service.sh ${folder}/*.deb $ALL/tmp && chroot $ALL sh -c 'sh /tmp/service.sh /tmp/*.deb'`,
  );
  if (!args) return null;
  const { status, stdout, stderr } = spawnSync("unshare", args, {
    encoding: "utf8",
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
  });
  return status === 0 ? "" : stdout + stderr;
};

test(
  "it is installed, starts as its user, keeps its data when it is removed, and nothing after a purge",
  { skip },
  (context) => {
    const said = run();
    if (said === null) return context.skip("a copy of the system can be made by root alone");
    assert.equal(said, "");
  },
);

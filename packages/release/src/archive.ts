// Makes archives with the same bytes for the same files: sorted, of nobody in particular, and all of the same time.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lutimesSync,
  lstatSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

/** Runs a program; throws what it says where it fails. */
export const run = (program: string, args: string[], options: { cwd?: string } = {}): string => {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...options,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args[0]}: ${error?.message ?? (stderr.trim() || stdout.trim())}`);
};

/** Returns the paths of everything in a folder, sorted. */
export const pathsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

/** Gives everything in a folder the same time, and the modes that files of a package have. */
export const settle = (folder: string, seconds: number): void => {
  for (const path of [...pathsIn(folder).toReversed(), "."]) {
    const whole = join(folder, path);
    const stat = lstatSync(whole);
    const isOpen = stat.isDirectory() || (stat.mode & 0o100) !== 0;
    if (!stat.isSymbolicLink()) chmodSync(whole, isOpen ? 0o755 : 0o644);
    lutimesSync(whole, seconds, seconds);
  }
};

/** Writes a folder, which is settled, into an archive as `name`. */
export const tar = (folder: string, file: string, name = basename(folder)): string => {
  const fixed = ["--sort=name", "--format=gnu", "--owner=0", "--group=0", "--numeric-owner"];
  const renamed = `--transform=flags=r;s,^${basename(folder)},${name},`;
  run("tar", [...fixed, renamed, "-cf", file, "-C", dirname(folder), basename(folder)]);
  return file;
};

/** One thread at a time: several would write other bytes. */
export const xz = (file: string): string => {
  run("xz", ["--threads=1", "-9", "--force", file]);
  return `${file}.xz`;
};

export const gzip = (text: string | Buffer): Buffer => gzipSync(text, { level: 9 });

export const gzipFile = (from: string, to: string): void =>
  writeFileSync(to, gzip(readFileSync(from)));

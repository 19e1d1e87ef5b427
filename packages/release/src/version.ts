// What is released: a version of the sources, at the time of its last commit.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Lock } from "./uses.ts";

export const ROOT = join(import.meta.dirname, "../../..");

export type Manifest = {
  name: string;
  version: string;
  description: string;
  license: string;
  bin: Record<string, string>;
  type: string;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  engines: Record<string, string>;
};

/** `seconds`: the time of the last commit, which all files of a release have. */
export type Version = {
  version: string;
  seconds: number;
  manifest: Manifest;
  lock: Lock;
  /** Who answers for packages of Debian: `--maintainer`, otherwise who made the last commit. */
  maintainer: string;
};

const MAINTAINER = /^[^<>\n]+ <[^\s<>@]+@[^\s<>@]+>$/;

/** Throws unless it is a name and an address, as Debian requires. */
const checkedMaintainer = (text: string): string => {
  if (!MAINTAINER.test(text)) throw new Error(`--maintainer must be "Name <address>": ${text}`);
  return text;
};

export const readText = (path: string): string => readFileSync(join(ROOT, path), "utf8");

export const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();

export const readVersion = (named = git("log", "-1", "--format=%an <%ae>")): Version => {
  const manifest = JSON.parse(readText("package.json")) as Manifest;
  const seconds = Number(git("log", "-1", "--format=%ct"));
  const lock = JSON.parse(readText("package-lock.json")) as Lock;
  return {
    version: manifest.version,
    seconds,
    manifest,
    lock,
    maintainer: checkedMaintainer(named),
  };
};

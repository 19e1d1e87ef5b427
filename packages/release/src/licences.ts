// Writes the licences of everything that is in a release: of this server, and of the packages in it.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { clientPackages, loadedPackages, nameOf } from "./uses.ts";
import type { Platform } from "./uses.ts";
import { readText } from "./version.ts";
import type { Version } from "./version.ts";

/** Names of files that have a licence, or what has to be said besides. */
const LICENCE = /^(?:un)?(?:licen[cs]e|copying|notice|copyright)/i;

/** Packages whose README lists the licences of the libraries that they were built of. */
const LISTED = /^@img\/sharp-libvips-/;

const LINE = "=".repeat(80);

/** What programs inside packages are under, of which the packages say nothing. */
const programs = (): string => readText("packages/release/licences/programs.txt");

const textsOf = (folder: string, name: string): string[] => {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE.test(entry.name))
    .map((entry) => entry.name);
  if (LISTED.test(name)) files.push("README.md");
  return files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
};

const part = (modules: string, path: string, { lock }: Version): string => {
  const name = nameOf(path);
  const { version, license = "unknown" } = lock.packages[path]!;
  const texts = textsOf(join(modules, "..", path), name);
  if (texts.length === 0) texts.push(`Its package has no text of its licence (${license}).`);
  return [LINE, `${name} ${version}: ${license}`, LINE, "", ...texts, ""].join("\n");
};

/** Returns all of them, for what is installed in `modules`. */
export const licences = (modules: string, version: Version, platform: Platform): string => {
  const { packages } = version.lock;
  const paths = new Set([...clientPackages(packages), ...loadedPackages(packages, platform)]);
  const parts = [...paths].sort().map((path) => part(modules, path, version));
  return [readText("LICENSE").trim(), "", programs(), ...parts].join("\n");
};

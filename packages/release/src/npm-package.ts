// Makes what the npm package has: the compiled server, a package.json without what is for developers, and the versions
// that were tested.

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./archive.ts";
import { serverPackages } from "./uses.ts";
import type { Lock } from "./uses.ts";
import { ROOT, git } from "./version.ts";
import type { Manifest, Version } from "./version.ts";

const COPIED = ["LICENSE", "README.md", "bin/rookery", "deploy"];

/** Copies files of the repository: what else lies beside them, such as deploy/.env, is nobody else's. */
export const copyTracked = (paths: string[], folder: string): void => {
  for (const path of git("ls-files", ...paths).split("\n"))
    cpSync(join(ROOT, path), join(folder, path));
};

/** What is published of package.json. */
const published = (manifest: Manifest) => {
  const { name, version, description, license, bin, type } = manifest;
  const { dependencies, optionalDependencies, engines } = manifest;
  return {
    name,
    version,
    description,
    license,
    bin,
    type,
    dependencies,
    optionalDependencies,
    engines,
  };
};

/** The lock file of what is published: the driver's repairs and the hashes of PostgreSQL are for exact versions. */
const shrinkwrap = (manifest: Manifest, { lockfileVersion, packages }: Lock) => {
  const { name, version, license, bin, engines } = manifest;
  const { dependencies, optionalDependencies } = manifest;
  const own = { name, version, license, dependencies, bin, engines, optionalDependencies };
  const needed = serverPackages(packages).map((path) => [path, packages[path]]);
  const all = { "": own, ...Object.fromEntries(needed) };
  return { name, version, lockfileVersion, requires: true, packages: all };
};

const writeJson = (path: string, value: unknown): void =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

/** Makes the contents of the package in an empty folder. */
export const makePackage = (folder: string, { manifest, lock }: Version): void => {
  mkdirSync(folder, { recursive: true });
  run(process.execPath, ["--no-warnings", join(ROOT, "bin/build.ts"), join(folder, "dist")]);
  copyTracked(COPIED, folder);
  writeJson(join(folder, "package.json"), published(manifest));
  writeJson(join(folder, "npm-shrinkwrap.json"), shrinkwrap(manifest, lock));
};

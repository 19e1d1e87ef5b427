// Makes the folder that needs nothing else than Linux: Node, PostgreSQL and the server, started by bin/rookery.

import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changesOf } from "./changelog.ts";
import { licences } from "./licences.ts";
import type { Platform } from "./uses.ts";
import { copyModules } from "./modules.ts";
import { copyTracked, makePackage } from "./npm-package.ts";
import { bom } from "./sbom.ts";
import type { Version } from "./version.ts";

/** Where Debian and others keep libraries, by the names that npm has for processors. */
const LIBRARIES: Record<string, string[]> = {
  x64: ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"],
  arm64: ["/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"],
};

/** Node needs this library of GCC, which small systems lack. */
const ATOMIC = "libatomic.so.1";

const copyLibrary = (folder: string, { cpu }: Platform): void => {
  const from = LIBRARIES[cpu]!.map((place) => join(place, ATOMIC)).find((path) => existsSync(path));
  if (!from) throw new Error(`There is no ${ATOMIC} for ${cpu}: install it (libatomic1) first`);
  mkdirSync(join(folder, "lib"));
  cpSync(realpathSync(from), join(folder, "lib", ATOMIC));
};

/** Makes it of the packages that are installed in `modules`. */
export const makeFolder = (
  folder: string,
  version: Version,
  { modules, platform }: { modules: string; platform: Platform },
): void => {
  makePackage(folder, version);
  // Nothing is installed into it.
  for (const path of ["package.json", "npm-shrinkwrap.json"]) rmSync(join(folder, path));
  copyTracked(["docs"], folder);
  copyModules(modules, folder, version, platform);
  copyLibrary(folder, platform);
  writeFileSync(join(folder, "CHANGELOG.md"), changesOf(version));
  writeFileSync(join(folder, "LICENCES.txt"), licences(modules, version, platform));
  writeFileSync(join(folder, "sbom.cdx.json"), bom(version));
};

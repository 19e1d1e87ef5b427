// The files that the build of the client reads, and whether what is built is of them.

import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const ROOT = import.meta.dirname;

/** Holds the hash of the sources that were built, and after a space that of the documented entities. */
export const STAMP = "dist/stamp";

/** What the build makes of the server's documents (entities.ts). */
const GENERATED = ["src/api/choices.ts", "src/api/entities.ts"];

const sourcePaths = (root: string): string[] => [
  ...globSync(["src/**/*.*", "*.ts", "*.json"], { cwd: root })
    .filter((path) => !GENERATED.includes(path))
    .sort(),
  ...globSync("../texts/**/*.{ts,json}", { cwd: root }).sort(),
  "../package-lock.json",
];

/** Returns a hash of the files that the build reads. */
export const sourcesHash = (root = ROOT): string => {
  const hash = createHash("sha256");
  for (const path of sourcePaths(root)) hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest("hex");
};

/** Whether the client was built from other sources; reads them only where one is newer than what was built. */
export const isOutdated = (root = ROOT): boolean => {
  const stamp = join(root, STAMP);
  const built = statSync(stamp).mtimeMs;
  if (sourcePaths(root).every((path) => statSync(join(root, path)).mtimeMs <= built)) return false;
  return readFileSync(stamp, "utf8").split(" ")[0] !== sourcesHash(root);
};

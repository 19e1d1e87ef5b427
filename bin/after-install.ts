// Runs at the end of npm ci: compiles what a start loads, and removes what nothing here needs.

import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { prune } from "./install/prune.ts";
import { COMPILED, useCompileCache } from "./compile-cache.ts";
import { STRIPPED, useStripped } from "./stripped.ts";
import type { Stripped } from "./stripped.ts";

const ROOT = join(import.meta.dirname, "..");
/** Argument of the process that compiles. */
const COMPILE = "--compile";

/** Headers in the packages that package.json has Node from. */
const HEADERS = "node_modules/node-{linux,darwin,bin-darwin}-*/include";

/** Removes Node's headers (67 MB), which are only for compiling addons. */
const removeHeaders = (): void => {
  for (const folder of globSync(HEADERS, { cwd: ROOT }))
    rmSync(join(ROOT, folder), { recursive: true });
};

/**
 * Files that the server loads at the first use: if they are not compiled, the code that strips types is loaded as well.
 */
const LATER = [
  "platform/fetch/connect.ts",
  "platform/mail/transport.ts",
  "federation/linked-data/library.ts",
  "routes.ts",
];

/** What the server loads; Node takes types out of packages when commands load them. */
const SERVER = "{src,texts}/**/*.ts";

const strip = (): void => {
  const stripped: Stripped = {};
  for (const path of globSync(SERVER, { cwd: ROOT, exclude: ["**/*.{test,contract}.ts"] })) {
    const source = readFileSync(join(ROOT, path), "utf8");
    stripped[path] = [crc32(source), stripTypeScriptTypes(source)];
  }
  mkdirSync(new URL(".", STRIPPED), { recursive: true });
  writeFileSync(STRIPPED, JSON.stringify(stripped));
};

const compile = async (): Promise<void> => {
  strip();
  useCompileCache();
  useStripped();
  await import("../src/cli/run.ts");
  const { loadServer } = await import("../src/cli/start.ts");
  await loadServer(["web", "streaming", "worker"]);
  for (const path of LATER) await import(`../src/${path}`);
};

if (process.argv.includes(COMPILE)) {
  await compile();
  // Loaded modules may have timers; the compiled code is written when the process ends.
  process.exit(0);
}
removeHeaders();
prune(ROOT);
const run = (file: string, argument: string, stdio: "inherit" | "ignore"): void => {
  const { env, execPath } = process;
  const args = ["--no-warnings", join(import.meta.dirname, file), argument];
  spawnSync(execPath, args, { env: { ...env, ...COMPILED }, stdio });
};
run("after-install.ts", COMPILE, "inherit");
// The first file of every start cannot be loaded without running it.
run("rookery.ts", "--version", "ignore");

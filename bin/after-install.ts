// Runs at the end of npm ci: compiles what a start loads, and removes what nothing here needs.

import { spawnSync } from "node:child_process";
import { globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { COMPILED, HEAP, useCompileCache } from "./compile-cache.ts";

const ROOT = join(import.meta.dirname, "..");
/** The argument of the process that compiles: V8's code is of one set of flags, those of the server. */
const COMPILE = "--compile";

/** In the packages that package.json has Node from. */
const HEADERS = "node_modules/node-{linux,darwin,bin-darwin}-*/include";

/** The headers of Node are for whoever compiles addons for it: 67 MB. */
const removeHeaders = (): void => {
  for (const folder of globSync(HEADERS, { cwd: ROOT }))
    rmSync(join(ROOT, folder), { recursive: true });
};

/** What the server loads at the first use: if it is not compiled, what takes types out of code is loaded with it. */
const LATER = [
  "platform/fetch/connect.ts",
  "platform/mail/transport.ts",
  "federation/linked-data/library.ts",
];

const compile = async (): Promise<void> => {
  useCompileCache();
  await import("../src/cli/run.ts");
  const { loadServer } = await import("../src/cli/start.ts");
  await loadServer(["web", "streaming", "worker"]);
  for (const path of LATER) await import(`../src/${path}`);
};

if (process.argv.includes(COMPILE)) {
  await compile();
  // What was loaded may have timers; the code is written when the process ends.
  process.exit(0);
}
removeHeaders();
const run = (file: string, argument: string, stdio: "inherit" | "ignore"): void => {
  const { env, execPath } = process;
  const args = [...HEAP, join(import.meta.dirname, file), argument];
  spawnSync(execPath, args, { env: { ...env, ...COMPILED }, stdio });
};
run("after-install.ts", COMPILE, "inherit");
// The first file of every start, which cannot be loaded without doing what it is told to do.
run("rookery.ts", "--version", "ignore");

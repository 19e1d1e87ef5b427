// Runs every test: `npm test [path …]`. One PostgreSQL serves the whole run; the files run two at a
// time, those about dates at several clocks. The last line is `N passed, N failed`.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { CLOCKS, DATED, shifted } from "./clocks/clocks.ts";
import { makeShiftedTemplate, startTestServer } from "./database.ts";

const ROOT = new URL("../", import.meta.url);

/** Tests that start whole servers run last, one at a time: two would only slow each other down. */
const isWhole = (path: string): boolean =>
  /^(?:test\/(?:journeys|golden|clients|browser)|bench)\//.test(path);

const find = (wanted: string[]): string[] =>
  globSync(["src/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"], { cwd: ROOT.pathname })
    .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part)))
    .sort();

type Count = { passed: number; failed: number };

/** What the process of each file gets besides. */
type Surroundings = { env?: NodeJS.ProcessEnv; execArgv?: string[] };

const runFiles = async (
  files: string[],
  concurrency: number,
  surroundings: Surroundings = {},
): Promise<Count> => {
  const count = { passed: 0, failed: 0 };
  if (files.length === 0) return count;
  const stream = run({ ...surroundings, files, concurrency, cwd: ROOT.pathname, timeout: 300_000 });
  stream.on("test:pass", ({ details }) => {
    if (details.type !== "suite") count.passed += 1;
  });
  stream.on("test:fail", ({ details }) => {
    if (details.type !== "suite") count.failed += 1;
  });
  const reporter = new spec();
  stream.compose(reporter).pipe(process.stdout, { end: false });
  await once(stream, "end");
  return count;
};

/** Runs a program as one more test: it passes if it exits with 0. */
const runProgram = async (label: string, args: string[]): Promise<Count> => {
  const child = spawn(args[0]!, args.slice(1), { cwd: ROOT.pathname, stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  console.log(`${code === 0 ? "✔" : "✖"} ${label}`);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
};

/** The tests of dates once more, at other clocks. */
const runClocks = async (url: string, files: string[], concurrency: number): Promise<Count[]> => {
  const dated = files.filter((path) => DATED.some((part) => path.startsWith(part)));
  if (dated.length === 0) return [];
  await makeShiftedTemplate(url);
  const counts: Count[] = [];
  for (const one of CLOCKS) {
    console.log(`\nwith the clock at ${one.clock}, in ${one.zone}:`);
    counts.push(await runFiles(dated, concurrency, shifted(one)));
  }
  return counts;
};

/** The whole run is at another clock. */
const clock = process.env["TEST_CLOCK"];
const wanted = process.argv.slice(2);
// Half of the time of a small file is the compilation of what it imports.
process.env["NODE_COMPILE_CACHE"] ??= new URL("node_modules/.cache/tests/", ROOT).pathname;
const files = find(wanted);
const server = await startTestServer();
process.env["TEST_DATABASE_URL"] = server.url;
const counts: Count[] = [];
try {
  if (wanted.length === 0) {
    counts.push(await runProgram("types (tsc)", ["tsc", "--noEmit"]));
    counts.push(await runProgram("lint (oxlint)", ["oxlint", "--quiet"]));
    counts.push(await runProgram("format (oxfmt)", ["oxfmt", "--check"]));
  }
  const whole = files.filter(isWhole);
  const parallel = Math.min(4, Math.max(2, availableParallelism()));
  const surroundings = clock ? shifted({ clock, zone: process.env["TZ"] ?? "UTC" }) : {};
  const small = files.filter((path) => !isWhole(path));
  counts.push(await runFiles(small, parallel, surroundings));
  counts.push(await runFiles(whole, 1, surroundings));
  if (!clock) counts.push(...(await runClocks(server.url, files, parallel)));
} finally {
  await server.stop();
}
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

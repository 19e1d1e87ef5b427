// Runs every test: `npm test [path …] [--seed=N]`. One PostgreSQL serves the whole run; groups of files run a few at a
// time, those about dates at several clocks. The last line is `N passed, N failed`.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism, freemem } from "node:os";
import { run } from "node:test";
import { text } from "node:stream/consumers";
import { spec } from "node:test/reporters";
import { CLOCKS, DATED, shifted } from "./clocks/clocks.ts";
import { makeShiftedTemplate, startTestServer } from "./database.ts";
import { makeDataDir } from "./journeys/server.ts";

const ROOT = new URL("../", import.meta.url);

const GROUP = new URL("group.ts", import.meta.url).pathname;

/** Half a minute and more each: the first to start, so that none is left alone at the end. */
const LONG = [
  "test/contract/contract",
  "test/security/input",
  "bench/",
  "test/journeys/",
  "test/properties/",
  "test/security/outbound",
  "test/hardening/",
];
/** How many files share a process; what they share is what they import, compiled once. */
const GROUP_SIZE = 12;
/** Much lives for one request or one test: with room for it, a tenth of the time of tests is saved. */
const MEMORY_FLAGS = ["--max-semi-space-size=64", "--min-semi-space-size=32"];

const find = (wanted: string[]): string[] =>
  globSync(["src/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"], { cwd: ROOT.pathname })
    .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part)))
    .sort();

type Count = { passed: number; failed: number };

/** Files that share a process, and what this gets besides. */
type Group = { files: string[]; env?: NodeJS.ProcessEnv; execArgv?: string[] };

/** Long files alone and first, then the others with their neighbours. */
const group = (files: string[]): Group[] => {
  const long = files.filter((path) => LONG.some((part) => path.startsWith(part)));
  const groups = LONG.flatMap((part) =>
    long.filter((path) => path.startsWith(part)).map((path) => ({ files: [path] })),
  );
  const short = files.filter((path) => !long.includes(path));
  for (let at = 0; at < short.length; at += GROUP_SIZE) {
    groups.push({ files: short.slice(at, at + GROUP_SIZE) });
  }
  return groups;
};

const MEMORY = "/dev/shm";
const MEMORY_BYTES = 4 * 1024 ** 3;

/**
 * Where there is room, the temporary folders of the run are in memory: its hundreds of databases are never
 * read again, and writing them to a disk would take longer than many of the tests.
 */
const useMemory = (): void => {
  if (!existsSync(MEMORY)) return;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < MEMORY_BYTES || freemem() < MEMORY_BYTES) return;
  const folder = mkdtempSync(`${MEMORY}/rookery-tests-`);
  // PostgreSQL, which does not run as root, has to get through.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
};

const failureOf = (error: Error): unknown => (error as { failureType?: unknown }).failureType;

/** Runs the files of a group in one process, and prints what it reports once it is over. */
const runGroup = async ({ files, env, execArgv = [] }: Group): Promise<Count> => {
  const count = { passed: 0, failed: 0 };
  const stream = run({
    files: [GROUP],
    cwd: ROOT.pathname,
    env: { ...process.env, ...env, TEST_FILES: JSON.stringify(files) },
    execArgv: [...MEMORY_FLAGS, ...execArgv],
  });
  stream.on("test:pass", ({ details }) => {
    if (details.type !== "suite") count.passed += 1;
  });
  stream.on("test:fail", ({ details }) => {
    // A suite fails with its tests, which are counted already, or by itself: a file that throws.
    if (details.type === "suite" && failureOf(details.error) === "subtestsFailed") return;
    count.failed += 1;
  });
  console.log(await text(stream.compose(new spec())));
  return count;
};

/** Runs the groups in their order, `lanes` at a time. */
const runGroups = async (groups: Group[], lanes: number): Promise<Count[]> => {
  const waiting = [...groups];
  const counts: Count[] = [];
  const work = async () => {
    for (let group = waiting.shift(); group; group = waiting.shift()) {
      counts.push(await runGroup(group));
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return counts;
};

/** Runs a program as one more test: it passes if it exits with 0. */
const runProgram = async (label: string, args: string[]): Promise<Count> => {
  const child = spawn(args[0]!, args.slice(1), { cwd: ROOT.pathname, stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  console.log(`${code === 0 ? "✔" : "✖"} ${label}`);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
};

/** The tests of dates once more: a group for each clock. */
const groupByClock = (files: string[]): Group[] => {
  const dated = files.filter((path) => DATED.some((part) => path.startsWith(part)));
  if (dated.length === 0) return [];
  return CLOCKS.map((one) => ({ files: dated, ...shifted(one) }));
};

/** The whole run is at another clock. */
const clock = process.env["TEST_CLOCK"];
const seed = process.argv.find((argument) => argument.startsWith("--seed="));
if (seed) process.env["FUZZ_SEED"] = seed.slice("--seed=".length);
const wanted = process.argv.slice(2).filter((argument) => argument !== seed);
// Half of the time of a small file is the compilation of what it imports.
process.env["NODE_COMPILE_CACHE"] ??= new URL("node_modules/.cache/tests/", ROOT).pathname;
const files = find(wanted);
useMemory();
const server = await startTestServer();
process.env["TEST_DATABASE_URL"] = server.url;
if (files.some((path) => path.startsWith("test/journeys/"))) {
  process.env["TEST_DATA_DIR"] = await makeDataDir();
}
const counts: Count[] = [];
try {
  if (wanted.length === 0) {
    counts.push(await runProgram("types (tsc)", ["tsc", "--noEmit"]));
    counts.push(await runProgram("lint (oxlint)", ["oxlint", "--quiet"]));
    counts.push(await runProgram("format (oxfmt)", ["oxfmt", "--check"]));
  }
  // One more than cores: tests also wait, for the database and for each other's servers.
  const lanes = Math.min(5, Math.max(2, availableParallelism() + 1));
  const surroundings = clock ? shifted({ clock, zone: process.env["TZ"] ?? "UTC" }) : {};
  const groups = group(files).map((one) => ({ ...one, ...surroundings }));
  const dated = clock ? [] : groupByClock(files);
  if (dated.length > 0) await makeShiftedTemplate(server.url);
  counts.push(...(await runGroups([...groups, ...dated], lanes)));
} finally {
  await server.stop();
}
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

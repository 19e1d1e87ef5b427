// Runs every test: `npm test [path …] [--seed=N]`, or with `--changed` those of what differs from main. One PostgreSQL
// serves the whole run; a few processes run the files, those about dates at several clocks as well. A file that failed
// beside others is run once more alone, which says why, and does not make it pass. The ten slowest files, the ten that
// cost most and the failures are printed at the end, and the last line is `N passed, N failed`. `npm run journeys
// [path …]` (`--layouts`) runs each journey in both layouts.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism, freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { COMPILED } from "../bin/compile-cache.ts";
import { changedTests } from "./changed.ts";
import { readCosts } from "./costs.ts";
import { CLOCKS, DATED, shifted } from "./clocks/clocks.ts";
import { makeShiftedTemplate, startTestServer } from "./database.ts";
import { LAYOUTS, layoutTable } from "./journeys/layouts.ts";
import type { Count, Layout } from "./journeys/layouts.ts";
import { makeDataDir } from "./journeys/server.ts";
import { judgeRepeat, MAY_REPEAT } from "./repeats.ts";
import { left, makeQueue, removeQueue } from "./queue.ts";
import { withoutRedis } from "./redis-server.ts";
import { compileOnce, runLane } from "./run-lane.ts";
import type { Result, Surroundings } from "./run-lane.ts";

const ROOT = new URL("../", import.meta.url);

/** Folders and files that take half a minute or more; they start first, so that none runs alone at the end. */
const LONG = [
  "test/browser/axe",
  "test/browser/day",
  "test/contract/contract",
  "test/press/",
  "test/security/",
  "test/journeys/",
  "test/hardening/",
  "test/deploy",
  "packages/release/",
  "src/cli/",
  "test/browser/",
  "test/properties/",
];
const find = (paths: string[]): string[] =>
  globSync("{src,test,bench,packages/*/src}/**/*.test.ts", { cwd: ROOT.pathname })
    .filter((path) => paths.length === 0 || paths.some((part) => path.includes(part)))
    .sort();

/** Programs that a whole run also counts as tests. */
const PROGRAMS: [label: string, args: string[]][] = [
  ["types (tsc)", ["tsc", "--noEmit", "--singleThreaded"]],
  ["types of the web client (tsc)", ["tsc", "--noEmit", "--singleThreaded", "-p", "web"]],
  ["lint (oxlint)", ["oxlint", "--quiet"]],
  ["format (oxfmt)", ["oxfmt", "--check"]],
];

const JOURNEYS = "test/journeys/";
const BENCH = "bench/";

/** Tests that wait more than they compute: additional processes run them beside the others. */
const WAITING = [
  "bench/",
  "src/federation/inbox/slow-hosts",
  "src/platform/jobs/jobs",
  "src/platform/kv/",
  "src/platform/redis/",
  "test/browser/dead-line",
  "test/browser/hearing",
  "test/clients/",
  "test/hardening/failing-well",
  "test/journeys/on-time",
  "test/journeys/valkey-cluster",
];
/** Number of processes that run the tests that wait. Once there are none left, HELPING of them run the others. */
const BESIDE = 2;
const HELPING = 1;

/** Tests that need a process of their own, since they measure the heap, in which other files leave objects. */
const ALONE = ["src/platform/caches/bounded.test.ts"];

/** Files that can share a process, and its environment. */
type Group = Surroundings & {
  files: string[];
  /** Layout of the servers of a journey. */
  layout?: Layout;
  /** What has to be made before it begins, beside others. */
  begin?: Promise<void>;
};

/** Puts long files first. */
const inOrder = (files: string[]): string[] => {
  const long = new Set(LONG.flatMap((part) => files.filter((path) => path.startsWith(part))));
  return [...long, ...files.filter((path) => !long.has(path))];
};

const MEMORY = "/dev/shm";
const MEMORY_BYTES = 4 * 1024 ** 3;

/**
 * Moves the run's temporary folders into memory, where there is room: its hundreds of databases are never read again,
 * and writing them to a disk would take longer than many of the tests.
 */
const useMemory = (): void => {
  if (!existsSync(MEMORY)) return;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < MEMORY_BYTES || freemem() < MEMORY_BYTES) return;
  const folder = mkdtempSync(`${MEMORY}/rookery-tests-`);
  // PostgreSQL, which does not run as root, has to pass through the folder.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
};

const within =
  (parts: string[]) =>
  (path: string): boolean =>
    parts.some((part) => path.startsWith(part));

const inLayout = (file: string, layout: Layout): Group => ({
  files: [file],
  env: { JOURNEYS: layout },
  layout,
});

const layouts = (): Layout[] => LAYOUTS.filter((layout) => layout === "one" || !withoutRedis);

/** Returns each journey in each layout. */
const groupLayouts = (files: string[]): Group[] =>
  files
    .filter((path) => path.startsWith(JOURNEYS))
    .flatMap((file) => layouts().map((layout) => inLayout(file, layout)));

/** The result of a file of a group, or of a program. */
type Ran = Result & { group: Group | null };

const queues: string[] = [];

/** Runs the parts in order, `lanes` at a time. */
const runAll = async (parts: (() => Promise<Ran[]>)[], lanes: number): Promise<Ran[]> => {
  const waiting = [...parts];
  const ran: Ran[] = [];
  const work = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) ran.push(...(await part()));
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return ran;
};

/** Runs a program as one more test: it passes if it exits with 0. */
const runProgram = async (label: string, args: string[]): Promise<Ran[]> => {
  const began = performance.now();
  const child = spawn(args[0]!, args.slice(1), { cwd: ROOT.pathname, stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  console.log(`${code === 0 ? "✔" : "✖"} ${label}`);
  const count = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  const failures = code === 0 ? [] : [`✖ ${label}`];
  return [{ group: null, file: label, count, failures, ms: performance.now() - began }];
};

/** Returns the tests of dates again: a group for each clock. */
const groupByClock = (files: string[]): Group[] => {
  const dated = files.filter(within(DATED));
  if (dated.length === 0) return [];
  return CLOCKS.map((clock) => ({ files: dated, ...shifted(clock) }));
};

/** Runs a group in several processes at a time, and replaces one that dies. */
const lanesOf = (
  group: Group,
  lanes: number,
  queue = makeQueue(group.files),
): (() => Promise<Ran[]>)[] => {
  queues.push(queue);
  const work = async (): Promise<Ran[]> => {
    await group.begin;
    const results: Result[] = [];
    for (let before = Infinity; left(queue).length > 0 && left(queue).length < before;) {
      before = left(queue).length;
      results.push(...(await runLane(queue, group)));
    }
    return results.map((result) => ({ ...result, group }));
  };
  return Array.from({ length: Math.min(lanes, group.files.length) }, () => work);
};

/** Returns files that no process began, or reported the end of. */
const lostOf = (groups: Group[], ran: Ran[]): Ran[] =>
  groups.flatMap((group) => {
    const over = ran.filter((each) => each.group === group).map(({ file }) => file);
    return group.files
      .filter((path) => !over.some((name) => name.startsWith(path)))
      .map((file) => ({
        group,
        file,
        count: { passed: 0, failed: 1, skipped: 0 },
        failures: [`✖ ${file}: no process began it`],
        ms: 0,
      }));
  });

/** Failing files above which none is repeated, since one common fault is likely. */
const MAX_REPEATED = 12;

/**
 * Runs failed files once more alone, to say whether each failed by itself or by what ran beside it
 * (docs/design/overload.md).
 */
const repeatFailed = async (ran: Ran[]): Promise<Ran[]> => {
  const failed = ran.filter(({ group, count, file }) => {
    const isFile = group?.files.some((path) => file.startsWith(path)) ?? false;
    return isFile && count.failed > 0;
  });
  if (failed.length > MAX_REPEATED) return ran;
  const rest = ran.filter((each) => !failed.includes(each));
  for (const first of failed) {
    const { files } = first.group!;
    const group = { ...first.group, files: files.filter((path) => first.file.startsWith(path)) };
    console.log(`\nfailed beside others, and is run alone: ${first.file}`);
    for (const failure of first.failures) console.log(failure);
    const again = await runAll(lanesOf(group, 1), 1);
    rest.push(...judgeRepeat(first, [...again, ...lostOf([group], again)], MAY_REPEAT));
  }
  return rest;
};

/** Number of slowest files that are named. */
const MOST_SLOW = 10;

const printSlowest = (ran: Ran[]): void => {
  const slowest = ran.toSorted((a, b) => b.ms - a.ms).slice(0, MOST_SLOW);
  console.log("\nThe slowest, in seconds, beside others:");
  for (const { file, ms } of slowest) printSeconds(ms / 1000, file);
};

const printSeconds = (seconds: number, name: string): void =>
  console.log(`${seconds.toFixed(1).padStart(6)}  ${name}`);

/** Prints the files that cost most; a server of PostgreSQL that all files share is not counted. */
const printDearest = (record: string): void => {
  const all = readCosts(record);
  if (all.length === 0) return;
  const sum = all.reduce((seconds, each) => seconds + each.seconds, 0);
  console.log(
    `\nThe dearest, in seconds of CPU, of ${sum.toFixed(0)} without the shared PostgreSQL:`,
  );
  for (const { seconds, name } of all.slice(0, MOST_SLOW)) printSeconds(seconds, name);
};

const printLayouts = (ran: Ran[]): void => {
  const journeys = new Map<string, Partial<Record<Layout, Count>>>();
  for (const { group, file, count } of ran.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))) {
    if (!group?.layout || !file.startsWith(JOURNEYS)) continue;
    const name = nameOf({ group });
    journeys.set(name, { ...journeys.get(name), [group.layout]: count });
  }
  console.log(`\n${layoutTable(journeys)}`);
};

const nameOf = ({ group }: Pick<Ran, "group">): string =>
  group?.files[0]?.slice(JOURNEYS.length).replace(".test.ts", "") ?? "";

/** The whole run is at another clock. */
const clock = process.env["TEST_CLOCK"];
const { values: asked, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: "boolean", default: false },
    layouts: { type: "boolean", default: false },
    seed: { type: "string" },
  },
});
if (asked.seed) process.env["FUZZ_SEED"] = asked.seed;
const isLayouts = asked.layouts;
const chosen = [
  ...(isLayouts && paths.length === 0 ? [JOURNEYS] : paths),
  ...(asked.changed ? changedTests() : []),
];
// Half of the time of a small file is the compilation of its imports; npm ci compiled those of servers.
Object.assign(process.env, COMPILED);
for (const path of chosen.filter((path) => find([path]).length === 0)) {
  console.error(`No test file has "${path}" in its path.`);
  process.exit(1);
}
const files = find(chosen);
const isWhole = chosen.length === 0;
// The server's pages are drawn by the built client, which has to be of these sources.
await runProgram("web client (build)", ["node", "web/build.ts", "--if-changed"]);
useMemory();
const rows = join(tmpdir(), `rookery-rows-${process.pid}.jsonl`);
if (isWhole) process.env["TEST_ROWS"] = rows;
const costs = join(tmpdir(), `rookery-costs-${process.pid}.jsonl`);
process.env["TEST_COSTS"] = costs;
const needsFolder = files.some(within([JOURNEYS, BENCH, "src/platform/db/replica"]));
const [server, dataDir] = await Promise.all([
  startTestServer(),
  needsFolder ? makeDataDir() : null,
  compileOnce(),
]);
process.env["TEST_DATABASE_URL"] = server.url;
if (dataDir !== null) process.env["TEST_DATA_DIR"] = dataDir;
let ran: Ran[] = [];
try {
  // There is one process more than cores, because tests also wait for the database and for each other's servers.
  const lanes = Math.min(5, Math.max(2, availableParallelism() + 1));
  const where = tmpdir().startsWith(MEMORY) ? "memory" : tmpdir();
  console.log(
    `${lanes} + ${BESIDE} processes on ${availableParallelism()} cores, files in ${where}`,
  );
  const surroundings = clock ? shifted({ clock, zone: process.env["TZ"] ?? "UTC" }) : {};
  const alone = files.filter((path) => ALONE.includes(path)).map((path) => ({ files: [path] }));
  const apart: Group[] = isLayouts ? groupLayouts(files) : alone;
  const isWaiting = within(WAITING);
  const waiting = isLayouts ? [] : files.filter(isWaiting);
  const shared = inOrder(files.filter((path) => !ALONE.includes(path) && !isWaiting(path)));
  const dated = clock || isLayouts ? [] : groupByClock(files);
  const begin = dated.length > 0 ? makeShiftedTemplate(server.url) : Promise.resolve();
  for (const group of dated) group.begin = begin;
  const programs = isWhole ? PROGRAMS : [];
  const groups: { group: Group; lanes: number }[] = [
    ...[...apart.map((group) => ({ ...group, ...surroundings })), ...dated].map((group) => ({
      group,
      lanes: 1,
    })),
    // These come last, so that no process is left alone at the end.
    ...(isLayouts ? [] : [{ group: { files: shared, ...surroundings }, lanes }]),
  ];
  const beside: Group = { files: waiting, ...surroundings };
  const main = isLayouts ? undefined : groups.at(-1);
  const queue = makeQueue(main?.group.files ?? []);
  const parts = [
    ...programs.map((program) => () => runProgram(...program)),
    ...groups.flatMap((each) => lanesOf(each.group, each.lanes, each === main ? queue : undefined)),
  ];
  const partsBeside = [
    ...lanesOf(beside, BESIDE),
    ...(main ? lanesOf(main.group, HELPING, queue) : []),
  ];
  ran = (await Promise.all([runAll(parts, lanes), runAll(partsBeside, BESIDE)])).flat();
  ran.push(...lostOf([...groups.map(({ group }) => group), beside], ran));
  if (isWhole) ran = await repeatFailed(ran);
  if (isWhole)
    ran.push(...(await runProgram("types of rows", ["node", "test/rows/check.ts", rows])));
} finally {
  for (const queue of queues) removeQueue(queue);
  rmSync(rows, { force: true });
  await server.stop();
}
if (isLayouts) printLayouts(ran);
printSlowest(ran);
printDearest(costs);
rmSync(costs, { force: true });
const passed = ran.reduce((sum, { count }) => sum + count.passed, 0);
const failed = ran.reduce((sum, { count }) => sum + count.failed, 0);
for (const failure of ran.flatMap(({ failures }) => failures)) console.log(`\n${failure}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

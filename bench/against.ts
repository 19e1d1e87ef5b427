// Compares this version with another commit: both servers run all the time, each with a PostgreSQL and a world of its
// own, and are measured in turns, so that a machine that gets slower does so for both. The result is the median of the
// turns, with the spread between them.

import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "./options.ts";
import { short, summarise, toJson } from "./results.ts";
import type { Line } from "./results.ts";
import { begin, runOnce } from "./rounds.ts";
import type { Progress } from "./rounds.ts";
import type { Bench, Scenario } from "./scenarios/scenario.ts";
import { makeFolder } from "./server.ts";
import { closeBench, openBench } from "./setup.ts";

const CHECKOUT = new URL("..", import.meta.url).pathname;

const git = (...args: string[]): string =>
  execFileSync("git", ["-C", CHECKOUT, ...args], { encoding: "utf8" }).trim();

/** Checks out the files of the commit, with the modules that are installed here, and builds its web client. */
const checkOut = (commit: string): string => {
  const folder = join(makeFolder(), "checkout");
  git("worktree", "add", "--quiet", "--detach", folder, commit);
  symlinkSync(join(CHECKOUT, "node_modules"), join(folder, "node_modules"));
  execFileSync(process.execPath, ["web/build.ts"], { cwd: folder, stdio: "ignore" });
  return folder;
};

type Side = { bench: Bench; all: Progress[] };

const openSide = async (
  options: Options,
  scenariosOf: (bench: Bench) => Scenario[],
  say: (text: string) => void,
  checkout?: string,
): Promise<Side> => {
  const bench = await openBench(options, say, checkout);
  return { bench, all: scenariosOf(bench).map(begin) };
};

/** Runs one scenario after another, each in all its turns; the side that begins alternates. */
const runTurns = async (
  sides: Side[],
  options: Options,
  say: (text: string) => void,
): Promise<void> => {
  for (const [index, { scenario }] of sides[0]!.all.entries()) {
    for (const { all } of sides) await all[index]!.scenario.prepare?.();
    for (let turn = 0; turn < options.rounds; turn++) {
      for (const { bench, all } of turn % 2 ? sides.toReversed() : sides) {
        const { floor: _floor, ...plain } = all[index]!.scenario;
        await runOnce(bench, options, { ...all[index]!, scenario: plain }, turn, say);
      }
    }
    say(`${scenario.name} is done`);
    for (const { all } of sides) await countOf(all[index]!);
  }
};

const countOf = async ({ scenario, measured }: Progress): Promise<void> => {
  const queries = (await scenario.queries?.()) ?? {};
  for (const [name, count] of Object.entries(queries)) measured.get(name)!.queries = count;
};

const HEAD = [
  ["scenario", "unit", "before", "now", "ratio"],
  ["queries", "node ms", "pg ms", "MB", "spread"].map((title) => `${title} (before → now)`),
].flat();

const pair = (before: number | null, now: number | null): string =>
  before === null && now === null ? "" : `${short(before)} → ${short(now)}`;

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

const cells = (before: Line, now: Line): string[] => [
  now.name,
  now.unit,
  short(before.value),
  short(now.value),
  (now.value / before.value).toFixed(2),
  pair(before.queries, now.queries),
  pair(before.node_ms, now.node_ms),
  pair(before.postgres_ms, now.postgres_ms),
  pair(before.shown.memory, now.shown.memory),
  `${percent(before.shown.spread)} → ${percent(now.shown.spread)}`,
];

const linesOf = ({ all }: Side): Line[] =>
  all.flatMap(({ measured }) => [...measured.values()].map(summarise));

const print = (rows: string[][]): string =>
  [rows[0]!, rows[0]!.map(() => "---"), ...rows.slice(1)]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");

/** `options.rounds` is the number of turns of each side. The JSON has this version's figures. */
export const runAgainst = async (
  options: Options,
  commit: string,
  scenariosOf: (bench: Bench) => Scenario[],
  say: (text: string) => void,
): Promise<void> => {
  const checkout = checkOut(commit);
  const sides: Side[] = [];
  try {
    sides.push(await openSide(options, scenariosOf, say, checkout));
    sides.push(await openSide(options, scenariosOf, say));
    await runTurns(sides, options, say);
    const [before, now] = sides.map(linesOf) as [Line[], Line[]];
    console.log(`${git("describe", "--always", commit)} in turns with the present version\n`);
    console.log(print([HEAD, ...now.map((line, n) => cells(before[n]!, line))]));
    if (options.json) writeFileSync(options.json, toJson(now));
  } finally {
    for (const { bench } of sides) await closeBench(bench);
    git("worktree", "remove", "--force", checkout);
  }
};

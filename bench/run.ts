// npm run bench: runs every scenario on a real server with a filled world, and compares it with its floor.
//   --size 0.1        scales the world and the load; 0.01 is a quick trial
//   --only home       runs only scenarios whose name contains this, or one of several that commas separate
//   --rounds 3        runs so many rounds, each of scenario and floor in turn
//   --json FILE       writes the results, as an array
//   --write           puts the table into docs/PERFORMANCE.md, with the machine and the size
//   --profile         writes a CPU profile of each scenario to FILE.profiles (or data/bench.profiles)
//   --minutes 10      keeps the mix running for so many minutes, and reports the memory afterwards
//   --growth          runs the reading scenarios and the mix with 20,000, 200,000 and 2,000,000 statuses
//   --statuses N      sets the last step of --growth, or the world of --hot; at most 10,000,000 (30 minutes, 20 GB)
//   --processes 2 --only stream   measures streams on a process of their own, beside so many other processes
//   --processes 2     compares mix, post and inbox on one process, and on so many web processes and as many workers
//   --model           compares what rookery plan predicts for the mix with what is measured
//   --model --processes 2   does so as well with two web processes, two workers and one process for streams
//   --against COMMIT  runs each scenario in turn on this code and on that commit, and compares the medians
//   --hostile         attacks the server instead, and checks that what is measured stays within its bounds
//   --hot             lets one account, post, thread or server cause most work, and measures how long all others wait

import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { runAgainst } from "./against.ts";
import { runGrowth } from "./growth.ts";
import { runHostile } from "./hostile/run.ts";
import { runHot } from "./hot/run.ts";
import { runModel } from "../packages/plan/bench/model.ts";
import { readOptions } from "./options.ts";
import type { Options } from "./options.ts";
import { writePage } from "./page.ts";
import { runProcesses } from "./processes.ts";
import { summarise, table, toJson } from "./results.ts";
import type { Line } from "./results.ts";
import { begin, runOnce } from "./rounds.ts";
import type { Progress } from "./rounds.ts";
import { closeBench, openBench } from "./setup.ts";
import { actScenarios } from "./scenarios/acts.ts";
import { deliveryScenario } from "./scenarios/delivery.ts";
import { inboxScenario } from "./scenarios/inbox.ts";
import { hubScenario, postScenario } from "./scenarios/post.ts";
import { newsScenario } from "./scenarios/news.ts";
import { mediaScenario } from "./scenarios/media.ts";
import { mixScenarios } from "./scenarios/mix.ts";
import { readScenarios } from "./scenarios/reads.ts";
import { firstHomeScenario, rebuildScenario } from "./scenarios/rebuild.ts";
import type { Bench, Scenario } from "./scenarios/scenario.ts";
import { socketMemoryScenario, stormScenario, streamScenario } from "./scenarios/streaming.ts";
import { startScenario } from "./scenarios/start.ts";

/** Returns all scenarios in the order in which a round runs them. */
const allScenarios = (bench: Bench): Scenario[] => [
  startScenario(bench),
  firstHomeScenario(bench),
  ...readScenarios(bench),
  rebuildScenario(bench),
  postScenario(bench),
  hubScenario(bench),
  inboxScenario(bench),
  deliveryScenario(bench),
  newsScenario(bench, "plain"),
  newsScenario(bench, "sharing"),
  ...actScenarios(bench),
  socketMemoryScenario(bench),
  streamScenario(bench),
  stormScenario(bench),
  ...mixScenarios(bench),
  mediaScenario(bench),
];

const say = (text: string): void => console.error(text);

/** Milliseconds after which no further round begins: the whole run takes at most ten minutes. */
const ROUNDS_END_MS = 8 * 60_000;
const LIMIT_MS = 10 * 60_000;
/** Statuses inserted in a millisecond on a busy machine. */
const STATUSES_A_MS = 4;
const options = readOptions(process.argv.slice(2));

const isLate = (round: number): boolean => round > 0 && performance.now() > ROUNDS_END_MS;

const countAll = async ({ scenario, measured }: Progress): Promise<void> => {
  const queries = scenario.queries ? await scenario.queries() : {};
  for (const [name, count] of Object.entries(queries)) measured.get(name)!.queries = count;
};

const chosenOf = (bench: Bench, { only }: Options): Scenario[] => {
  const names = (only ?? "").split(",");
  const chosen = allScenarios(bench).filter((scenario) =>
    names.some((name) => scenario.name.includes(name)),
  );
  if (chosen.length === 0) throw new Error(`there is no scenario ${only}`);
  return chosen;
};

/** Runs in rounds, so that other load on the machine affects a scenario and its floor alike. */
const runAll = async (bench: Bench, options: Options): Promise<Line[]> => {
  const all = chosenOf(bench, options).map(begin);
  const groups = [
    all.filter(({ scenario }) => scenario.alone),
    all.filter(({ scenario }) => !scenario.alone && !scenario.last),
    all.filter(({ scenario }) => scenario.last),
  ];
  for (const group of groups) {
    if (bench.server.hasEnded()) await bench.restart();
    for (const { scenario } of group) await scenario.prepare?.();
    for (let round = 0; round < options.rounds; round++) {
      for (const progress of group) {
        if (isLate(round)) say(`no time for round ${round + 1} of ${progress.scenario.name}`);
        else await runOnce(bench, options, progress, round, say);
      }
    }
    for (const progress of group) await countAll(progress);
  }
  return all.flatMap(({ measured }) => [...measured.values()].map(summarise));
};

const write = (options: Options, lines: Line[]): void => {
  console.log(table(lines));
  if (options.json) writeFileSync(options.json, toJson(lines));
  if (options.write) writePage(options, lines);
};

const main = async (): Promise<void> => {
  const began = performance.now();
  await (options.hostile
    ? runHostile(options, say)
    : options.hot
      ? runHot(options, say)
      : options.against !== null
        ? runAgainst(options, options.against, (bench) => chosenOf(bench, options), say)
        : options.model
          ? write(options, await runModel(options, say))
          : options.processes === null
            ? measure()
            : runProcesses(options, options.processes, say));
  say(`done in ${((performance.now() - began) / 1000).toFixed(0)} s`);
};

const measure = async (): Promise<void> => {
  const bench = await openBench(options, say);
  try {
    const lines = options.growth
      ? await runGrowth(bench, options, say)
      : await runAll(bench, options);
    write(options, lines);
  } finally {
    await closeBench(bench);
  }
};

// This ends the process even when something hangs.
void sleep(
  LIMIT_MS * (options.against === null ? 1 : options.rounds) +
    options.minutes * 60_000 +
    (options.statuses ?? 0) / STATUSES_A_MS,
  undefined,
  { ref: false },
).then(() => {
  say("the benchmark did not end in time");
  process.exit(1);
});

await main();
process.exit(0);

// Whether reading costs more as the world grows: runs the reading scenarios with 20,000, 200,000 and
// 2,000,000 statuses, and compares the CPU of a request in the largest world with the smallest.

import type { Options } from "./options.ts";
import { median, summarise } from "./results.ts";
import type { Line } from "./results.ts";
import { readScenarios } from "./scenarios/reads.ts";
import type { Bench } from "./scenarios/scenario.ts";
import { GROWTH_STEPS } from "./setup.ts";
import { growWorld } from "./world.ts";

const MOST = 1.3;

/** Requests per core second of each scenario, by its name: the median of the rounds. */
const runStep = async (bench: Bench, options: Options): Promise<Map<string, number>> => {
  const names = (options.only ?? "").split(",");
  const scenarios = readScenarios(bench).filter((one) =>
    names.some((name) => one.name.includes(name)),
  );
  const values = new Map<string, number[]>(scenarios.map(({ name }) => [name, []]));
  for (const { prepare } of scenarios) await prepare?.();
  for (let round = 0; round < options.rounds; round++) {
    for (const { name, run } of scenarios) values.get(name)!.push((await run(round))[name]!.value);
  }
  return new Map([...values].map(([name, list]) => [name, median(list)]));
};

const lineOf = (name: string, first: number, last: number, memory: number): Line => {
  const row = { name, unit: "ms of CPU", aim: { of: "ratio", most: MOST } as const };
  const [value, floor] = [1000 / last, 1000 / first];
  return summarise({ row, samples: [{ value }], floors: [floor], queries: null, memory });
};

/** One line for each scenario: the CPU of a request in the largest world against the smallest. */
export const runGrowth = async (
  bench: Bench,
  options: Options,
  say: (text: string) => void,
): Promise<Line[]> => {
  const steps: Map<string, number>[] = [];
  for (const count of GROWTH_STEPS) {
    const before = bench.world.statuses;
    bench.world.statuses = Math.round(count * options.size);
    if (bench.world.statuses > before) await growWorld(bench.server.sql, bench.world, before);
    await bench.restart();
    const step = await runStep(bench, options);
    steps.push(step);
    const figures = [...step].map(([name, value]) => `${name} ${value.toFixed(1)}`).join(", ");
    say(`${bench.world.statuses} statuses: ${figures}`);
  }
  const memory = bench.server.memory().total;
  const [first, last] = [steps[0]!, steps.at(-1)!];
  return [...first].map(([name, value]) =>
    lineOf(`growth_${name}`, value, last.get(name)!, memory),
  );
};

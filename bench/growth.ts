// Measures whether work costs more as the world grows: runs the reading scenarios and the mix with 20,000, 200,000 and
// 2,000,000 statuses (or as many as requested, up to 10,000,000), and compares the CPU of a request in the largest
// world with the smallest, and the bytes of a status.

import type { Options } from "./options.ts";
import { selectStatusBytes } from "./queries.ts";
import { median, summarise } from "./results.ts";
import type { Line } from "./results.ts";
import { mixScenarios } from "./scenarios/mix.ts";
import { readScenarios } from "./scenarios/reads.ts";
import type { Bench } from "./scenarios/scenario.ts";
import { GROWTH_STEPS } from "./setup.ts";
import { growWorld } from "./world.ts";

const MOST = 1.3;

/** Returns requests or operations per core second of each scenario, by its name: the median of the rounds. */
const runStep = async (bench: Bench, options: Options): Promise<Map<string, number>> => {
  const names = (options.only ?? "").split(",");
  const scenarios = [...readScenarios(bench), ...mixScenarios(bench)].filter((scenario) =>
    names.some((name) => scenario.name.includes(name)),
  );
  const values = new Map<string, number[]>(scenarios.map(({ name }) => [name, []]));
  for (const { prepare } of scenarios) await prepare?.();
  for (let round = 0; round < options.rounds; round++) {
    for (const { name, run } of scenarios) values.get(name)!.push((await run(round))[name]!.value);
  }
  return new Map([...values].map(([name, list]) => [name, median(list)]));
};

/** A figure of the largest world, with that of the smallest as its floor. */
type Figure = { name: string; unit: string; first: number; last: number };

const lineOf = ({ name, unit, first, last }: Figure, memory: number): Line => {
  const row = { name: `growth_${name}`, unit, aim: { of: "ratio", most: MOST } as const };
  return summarise({ row, samples: [{ value: last }], floors: [first], queries: null, memory });
};

/** Returns bytes by name: of the row of a status, and of it with all that belongs to it. */
const bytesOf = async (bench: Bench): Promise<Map<string, number>> => {
  const { row, parts } = await selectStatusBytes(bench.server.sql);
  return new Map([
    ["status_heap", row.heap],
    ["status_indexes", row.indexes],
    ["status_parts_heap", parts.heap],
    ["status_parts_indexes", parts.indexes],
  ]);
};

type Step = { speed: Map<string, number>; bytes: Map<string, number> };

const figuresOf = (first: Step, last: Step): Figure[] => [
  ...[...first.speed].map(([name, value]) => ({
    name,
    unit: "ms of CPU",
    first: 1000 / value,
    last: 1000 / last.speed.get(name)!,
  })),
  ...[...first.bytes].map(([name, value]) => ({
    name,
    unit: "bytes/status",
    first: value,
    last: last.bytes.get(name)!,
  })),
];

const stepsOf = ({ size, statuses }: Options): number[] => {
  const steps = GROWTH_STEPS.map((count) => Math.round(count * size));
  return statuses === null ? steps : [...steps.filter((count) => count < statuses), statuses];
};

/** Returns a line for each scenario and for the bytes of a status: the largest world against the smallest. */
export const runGrowth = async (
  bench: Bench,
  options: Options,
  say: (text: string) => void,
): Promise<Line[]> => {
  const steps: Step[] = [];
  for (const count of stepsOf(options)) {
    const before = bench.world.statuses;
    bench.world.statuses = count;
    if (bench.world.statuses > before) await growWorld(bench.server.sql, bench.world, before);
    await bench.restart();
    const speed = await runStep(bench, options);
    const bytes = await bytesOf(bench);
    steps.push({ speed, bytes });
    const figures = [...speed, ...bytes]
      .map(([name, value]) => `${name} ${value.toFixed(1)}`)
      .join(", ");
    say(`${bench.world.statuses} statuses: ${figures}`);
  }
  const memory = bench.server.memory().total;
  return figuresOf(steps[0]!, steps.at(-1)!).map((figure) => lineOf(figure, memory));
};

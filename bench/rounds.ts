// Runs a round of a scenario, and collects what the rounds found.

import type { Options } from "./options.ts";
import { profiled } from "./profile.ts";
import type { Measured } from "./results.ts";
import type { Bench, Scenario } from "./scenarios/scenario.ts";

export type Progress = { scenario: Scenario; measured: Map<string, Measured> };

export const begin = (scenario: Scenario): Progress => ({
  scenario,
  measured: new Map(
    scenario.rows.map((row) => [
      row.name,
      { row, samples: [], floors: [], queries: null, memory: null },
    ]),
  ),
});

/** Runs a round of a scenario and of its floor. */
export const runOnce = async (
  bench: Bench,
  options: Options,
  progress: Progress,
  round: number,
  say: (text: string) => void,
): Promise<void> => {
  const { scenario, measured } = progress;
  const folder = `${options.json ?? "data/bench"}.profiles`;
  const isProfiled = options.profile && round === 0 && !scenario.alone;
  const samples = isProfiled
    ? await profiled(bench.server, folder, scenario.name, () => scenario.run(round))
    : await scenario.run(round);
  const memory = bench.server.memory().total;
  for (const [name, sample] of Object.entries(samples)) {
    measured.get(name)!.samples.push(sample);
    measured.get(name)!.memory = memory;
  }
  const floors = scenario.floor ? await scenario.floor(round) : {};
  for (const [name, floor] of Object.entries(floors)) measured.get(name)!.floors.push(floor);
  const figures = Object.entries(samples).map(([name, { value }]) => {
    const floor = floors[name];
    return `${name} ${value.toFixed(1)}${floor === undefined ? "" : ` (floor ${floor.toFixed(1)})`}`;
  });
  say(`round ${round + 1}: ${figures.join(", ")}`);
};

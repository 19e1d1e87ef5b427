// npm run bench -- --hot: hot spots one after the other on a server with a filled world, and what everybody else waits
// for meanwhile. `--size`, `--only`, `--json` and `--profile` are as in the other runs.

import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "../../src/plan/simulation.ts";
import type { Options } from "../options.ts";
import { profiled } from "../profile.ts";
import type { Bench } from "../scenarios/scenario.ts";
import { settled } from "../server.ts";
import { closeBench, openBench } from "../setup.ts";
import { crowd } from "./crowd.ts";
import { famous } from "./famous.ts";
import { flood } from "./flood.ts";
import { startOthers } from "./others.ts";
import { reconnect } from "./reconnect.ts";
import { resultOf } from "./spot.ts";
import type { Figure, Spot, SpotResult } from "./spot.ts";
import { thread } from "./thread.ts";
import { viral } from "./viral.ts";

/** Blocks come last: what the blocked send is refused. */
const SPOTS: Spot[] = [famous, viral, thread, flood, reconnect, crowd];

/** What everybody else may wait for, at the 99th percentile. */
const OTHERS_MS = 50;

const othersAtRest = async (bench: Bench): Promise<number[]> => {
  const others = startOthers(bench);
  await sleep(bench.seconds * 2000);
  return others.stop();
};

const p99 = (what: string, times: number[], most: number | null): Figure => ({
  what,
  value: quantile(times, 0.99),
  unit: "ms",
  most,
});

const runSpot = async (bench: Bench, spot: Spot, options: Options): Promise<Figure[]> => {
  await spot.prepare?.(bench);
  await settled(bench.server);
  const rest = await othersAtRest(bench);
  const before = bench.server.memory().total;
  const others = startOthers(bench);
  const run = () => spot.run(bench);
  const folder = `${options.json ?? "data/bench"}.profiles`;
  const figures = await (options.profile ? profiled(bench.server, folder, spot.name, run) : run());
  const meanwhile = await others.stop();
  return [
    ...figures,
    p99("p99 of everybody else before", rest, null),
    p99("p99 of everybody else meanwhile", meanwhile, OTHERS_MS),
    { what: "memory before", value: before, unit: "MB", most: null },
    { what: "memory after", value: bench.server.memory().total, unit: "MB", most: null },
  ];
};

const shown = (value: number, unit: string): string => {
  const text = value >= 10 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(1);
  return `${text} ${unit}`.trim();
};

/** A Markdown table. */
const table = (results: SpotResult[]): string =>
  [
    "| spot | what | seen | aim | met |",
    "|---|---|---|---|---|",
    ...results.map(
      ({ spot, what, value, unit, most, met }) =>
        `| ${spot} | ${what} | ${shown(value, unit)} | ${most === null ? "" : `≤ ${shown(most, unit)}`} | ${met === null ? "" : met ? "yes" : "NO"} |`,
    ),
  ].join("\n");

export const runHot = async (options: Options, say: (text: string) => void): Promise<void> => {
  const names = (options.only ?? "").split(",");
  const spots = SPOTS.filter(({ name }) => names.some((part) => name.includes(part)));
  if (spots.length === 0) throw new Error(`there is no hot spot ${options.only}`);
  const results: SpotResult[] = [];
  const bench = await openBench(options, say);
  try {
    for (const spot of spots) {
      const began = performance.now();
      results.push(
        ...(await runSpot(bench, spot, options)).map((figure) => resultOf(spot.name, figure)),
      );
      say(`${spot.name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
    }
  } finally {
    await closeBench(bench);
  }
  console.log(table(results));
  if (options.json) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
};

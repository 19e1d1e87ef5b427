// npm run bench -- --hot runs hot spots one after the other on a server with a filled world, and measures what
// everybody else waits for meanwhile. `--size`, `--only`, `--json` and `--profile` are as in the other runs;
// `--statuses N` sets the size of the world.

import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Memory } from "../measure.ts";
import { SMOKE } from "../options.ts";
import type { Options } from "../options.ts";
import { profiled } from "../profile.ts";
import type { Bench } from "../scenarios/scenario.ts";
import { settled } from "../server.ts";
import { closeBench, openBench } from "../setup.ts";
import { growWorld } from "../world.ts";
import { away } from "./away.ts";
import { chores } from "./chores.ts";
import { crowd } from "./crowd.ts";
import { famous } from "./famous.ts";
import { flood } from "./flood.ts";
import { followed } from "./followed.ts";
import { startEverybody } from "./others.ts";
import type { Everybody } from "./others.ts";
import { reconnect } from "./reconnect.ts";
import { searches } from "./searches.ts";
import { OTHERS_MS, p99, resultOf } from "./spot.ts";
import type { Figure, Spot, SpotResult } from "./spot.ts";
import { thread } from "./thread.ts";
import { viral } from "./viral.ts";

/**
 * Hot spots in order. Blocks come late, since they refuse requests of the blocked server; old rows are deleted at the
 * end.
 */
const SPOTS: Spot[] = [
  famous,
  viral,
  thread,
  flood,
  away,
  reconnect,
  crowd,
  followed,
  searches,
  chores,
];

const readersAtRest = async (bench: Bench, everybody: Everybody): Promise<number[]> => {
  const readers = await everybody.readers(bench);
  await sleep(bench.seconds * 2000);
  return readers.stop();
};

const memory = (when: string, { total, node }: Memory): Figure[] => [
  { what: `memory ${when}`, value: total, unit: "MB", most: null },
  { what: `memory ${when}, of node alone`, value: node, unit: "MB", most: null },
];

/**
 * Prepares what needs a start of the server afterwards. A smoke run does so for all hot spots before one start, without
 * their environments.
 */
const prepare = async (bench: Bench, spots: Spot[], isSmoke: boolean): Promise<void> => {
  for (const spot of spots) await spot.prepare?.(bench);
  const first = spots.find(({ restart }) => restart !== null)?.restart;
  if (first) await bench.restart(isSmoke ? {} : first);
};

const runSpot = async (
  bench: Bench,
  spot: Spot,
  options: Options,
  everybody: Everybody,
): Promise<Figure[]> => {
  await spot.warm?.(bench);
  await settled(bench.server);
  const rest = await readersAtRest(bench, everybody);
  const before = bench.server.memory();
  // The measurement runs between the start and the stop of the profiler, both of which delay the server.
  const run = async () => {
    const readers = await everybody.readers(bench);
    const figures = await spot.run(bench, readers, everybody);
    return { figures, meanwhile: await readers.stop() };
  };
  const folder = `${options.json ?? "data/bench"}.profiles`;
  const { figures, meanwhile } = await (options.profile
    ? profiled(bench.server, folder, spot.name, run)
    : run());
  return [
    ...figures,
    p99("p99 of everybody else before", rest, null),
    p99("p99 of everybody else meanwhile", meanwhile, OTHERS_MS),
    ...memory("before", before),
    ...memory("after", bench.server.memory()),
  ];
};

const shown = (value: number, unit: string): string => {
  const text = value >= 10 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(1);
  return `${text} ${unit}`.trim();
};

/** Returns a Markdown table. */
const table = (results: SpotResult[]): string =>
  [
    "| spot | what | seen | aim | met |",
    "|---|---|---|---|---|",
    ...results.map(
      ({ spot, what, value, unit, most, met }) =>
        `| ${spot} | ${what} | ${shown(value, unit)} | ${most === null ? "" : `≤ ${shown(most, unit)}`} | ${met === null ? "" : met ? "yes" : "NO"} |`,
    ),
  ].join("\n");

const grow = async (
  bench: Bench,
  { statuses }: Options,
  say: (text: string) => void,
): Promise<void> => {
  const { world } = bench;
  if (statuses === null || statuses <= world.statuses) return;
  const before = world.statuses;
  world.statuses = statuses;
  const began = performance.now();
  await growWorld(bench.server.sql, world, before);
  await bench.restart();
  say(`${statuses} statuses after ${((performance.now() - began) / 1000).toFixed(0)} s`);
};

export const runHot = async (options: Options, say: (text: string) => void): Promise<void> => {
  const names = (options.only ?? "").split(",");
  const spots = SPOTS.filter(({ name }) => names.some((part) => name.includes(part)));
  if (spots.length === 0) throw new Error(`there is no hot spot ${options.only}`);
  const results: SpotResult[] = [];
  const bench = await openBench(options, say);
  try {
    await grow(bench, options, say);
    const everybody = await startEverybody();
    const isSmoke = options.size < SMOKE;
    const together = isSmoke ? spots.filter(({ restart }) => restart !== null) : [];
    await prepare(bench, together, isSmoke);
    for (const spot of spots) {
      const began = performance.now();
      if (!together.includes(spot)) await prepare(bench, [spot], isSmoke);
      const figures = await runSpot(bench, spot, options, everybody);
      results.push(...figures.map((figure) => resultOf(spot.name, figure)));
      say(`${spot.name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
    }
  } finally {
    await closeBench(bench);
  }
  console.log(table(results));
  if (options.json) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
};

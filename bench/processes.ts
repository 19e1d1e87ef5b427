// Measures what several processes cost: runs post, inbox and the mix on one process, and on several for the web and as
// workers with one for the streams, and compares the CPU of one operation in all of them together. Both layouts run all
// the time, each with a PostgreSQL and a world of its own, and are measured in turns: a machine that gets slower does
// so for both.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmbedded } from "../src/platform/db/embedded.ts";
import type { EmbeddedDatabase } from "../src/platform/db/embedded.ts";
import { freePort } from "../test/free-port.ts";
import { startRedis } from "../test/redis-server.ts";
import type { RedisServer } from "../test/redis-server.ts";
import { startFloor } from "./floors/process.ts";
import { cpuOf, memoryOf } from "./measure.ts";
import { whereMemoryIs } from "./memory.ts";
import type { Options } from "./options.ts";
import { profiled } from "./profile.ts";
import { startReceivers } from "./receivers.ts";
import { median, summarise, table, toJson } from "./results.ts";
import { begin, runOnce } from "./rounds.ts";
import { inboxScenario } from "./scenarios/inbox.ts";
import { mixScenarios } from "./scenarios/mix.ts";
import { postScenario } from "./scenarios/post.ts";
import type { Bench, CpuOfOne, Scenario } from "./scenarios/scenario.ts";
import { socketMemoryScenario, stormScenario, streamScenario } from "./scenarios/streaming.ts";
import { enableCounting, removeFolder } from "./server.ts";
import { startProcess, superuser } from "./server.ts";
import type { Process, Server } from "./server.ts";
import { makeDataFolder } from "./setup.ts";
import { fillWorld, planWorld } from "./world.ts";

/** Seconds of one measurement: long enough for all processes to have compiled what they run. */
const SECONDS = 3;

/** Maximum ratio of the split layout's CPU to that of the single process. */
const AIM = 1.6;

type Part = Process & { name: string; port: number };

type Place = {
  port: number;
  dataDir: string;
  database: EmbeddedDatabase;
  /** Null where one process does everything. */
  redis: RedisServer | null;
  inspect: boolean;
};

const serverOf = (place: Place, parts: Part[], others: number[]): Server => {
  const sql = superuser(place.database.url);
  const roots = [...parts.map(({ pid }) => pid), place.database.pid, ...others];
  const [first] = parts as [Part];
  const web = parts.filter(({ name }) => name === "all" || name.startsWith("web"));
  const stream = parts.find(({ name }) => name === "streaming") ?? first;
  return {
    port: first.port,
    ports: web.map(({ port }) => port),
    streamPort: stream.port,
    streamRoots: stream === first ? roots : [stream.pid],
    dataDir: place.dataDir,
    pid: first.pid,
    roots,
    postgresPid: place.database.pid,
    databaseUrl: place.database.url,
    sql,
    inspector: first.inspector,
    startedIn: first.startedIn,
    cpu: () => cpuOf(...roots),
    memory: () => memoryOf(...roots),
    log: () => parts.map((part) => part.log()).join("\n"),
    hasEnded: () => parts.every((part) => part.hasEnded()),
    async stop() {
      await sql.end({ timeout: 5 });
      for (const part of parts.toReversed()) await part.stop();
    },
  };
};

export type Started = { server: Server; parts: Part[] };

/** `count` is the number of web and of worker processes; null for one process that does everything. */
const startParts = async (place: Place, count: number | null): Promise<Started> => {
  const { port, dataDir, database, redis, inspect } = place;
  const counted = (role: string) => Array.from({ length: count ?? 0 }, (_, n) => `${role}${n + 1}`);
  const names = count === null ? ["all"] : [...counted("web"), ...counted("worker"), "streaming"];
  const env = {
    LOCAL_DOMAIN: `127.0.0.1:${port}`,
    DATABASE_URL: database.url,
    ...(redis && { REDIS_URL: redis.url }),
  };
  const parts: Part[] = [];
  for (const name of names) {
    const own = parts.length === 0 ? port : await freePort();
    const args = count === null ? [] : ["--roles", name.replace(/\d+$/, "")];
    const started = await startProcess({ port: own, dataDir, inspect }, args, env);
    parts.push({ ...started, name, port: own });
  }
  return { server: serverOf(place, parts, redis ? [redis.pid()] : []), parts };
};

export type Kind = "one" | "several";
/** Milliseconds of CPU of one operation, round by round. */
type Costs = Record<Kind, CpuOfOne[]>;

const sum = ({ node, postgres, valkey }: CpuOfOne): number => node + postgres + valkey;

/** Runs under the profiler of each of the processes. */
const profiledAll = <T>(
  { server, parts }: Started,
  folder: string,
  name: string,
  work: () => Promise<T>,
): Promise<T> =>
  parts.reduceRight<() => Promise<T>>(
    (inner, { name: part, inspector, port }) =>
      () =>
        profiled({ ...server, inspector, port }, folder, `${name}-${part}`, inner),
    work,
  )();

const shares = (parts: Part[], before: number[]): string => {
  const spent = parts.map(({ pid }, n) => cpuOf(pid).total - before[n]!);
  const all = spent.reduce((a, b) => a + b, 0);
  return parts.map(({ name }, n) => `${name} ${((spent[n]! / all) * 100).toFixed(0)} %`).join(", ");
};

const HEAD = [
  "scenario",
  "one process",
  "several",
  "ratio",
  "aim",
  "met",
  "one: node, pg",
  "several: node, pg, Valkey",
];

const middle = (costs: CpuOfOne[]): CpuOfOne => ({
  node: median(costs.map(({ node }) => node)),
  postgres: median(costs.map(({ postgres }) => postgres)),
  valkey: median(costs.map(({ valkey }) => valkey)),
});

const ms = (value: number): string => value.toFixed(2);

const row = (name: string, costs: Costs): string[] => {
  const [single, several] = [middle(costs.one), middle(costs.several)];
  const ratio = sum(several) / sum(single);
  return [
    name,
    `${ms(sum(single))} ms`,
    `${ms(sum(several))} ms`,
    ratio.toFixed(2),
    `≤ ${AIM} ×`,
    ratio <= AIM ? "yes" : "NO",
    `${ms(single.node)}, ${ms(single.postgres)}`,
    `${ms(several.node)}, ${ms(several.postgres)}, ${ms(several.valkey)}`,
  ];
};

const print = (rows: string[][]): string =>
  [rows[0]!, rows[0]!.map(() => "---"), ...rows.slice(1)]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

const openPlace = async (withRedis: boolean, { size, profile }: Options): Promise<Place> => {
  const dataDir = makeDataFolder(size);
  if (!existsSync(join(dataDir, "postgres"))) await (await startEmbedded({ dataDir })).stop();
  enableCounting(dataDir);
  const database = await startEmbedded({ dataDir });
  const redis = withRedis ? await startRedis() : null;
  return { port: await freePort(), dataDir, database, redis, inspect: profile };
};

type Shared = Pick<Bench, "receivers" | "still"> & { receiverPort: number };

export type Layout = { kind: Kind; bench: Bench; started: Started; close(): Promise<void> };

const openLayout = async (
  kind: Kind,
  options: Options,
  count: number,
  { receiverPort, receivers, still }: Shared,
): Promise<Layout> => {
  const place = await openPlace(kind === "several", options);
  const started = await startParts(place, kind === "several" ? count : null);
  const { server } = started;
  const bench: Bench = {
    world: planWorld(options.size, place.port, receiverPort),
    server,
    receivers,
    still,
    seconds: SECONDS,
    minutes: 0,
    say: (text) => console.error(text),
    async restart() {
      throw new Error("nothing of this restarts the server");
    },
  };
  await server.sql`CREATE EXTENSION IF NOT EXISTS pg_stat_statements`;
  await fillWorld(server.sql, bench.world);
  return {
    kind,
    bench,
    started,
    async close() {
      await server.stop();
      await place.redis?.close();
      await place.database.stop();
      removeFolder(place.dataDir);
    },
  };
};

type Measured = { cpu: CpuOfOne; p50: number; p99: number };

const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/** Repeats the scenario to fill the time of a measurement: the clock of processes ticks every 10 ms. */
const measure = async (scenario: Scenario): Promise<Measured> => {
  const all: Measured[] = [];
  const until = performance.now() + SECONDS * 1000;
  do {
    const samples = await scenario.run(all.length);
    const { cpu, p50, p99 } = samples[scenario.name]!;
    all.push({ cpu: cpu!, p50: p50!, p99: p99! });
  } while (performance.now() < until);
  const over = (pick: (run: Measured) => number) => mean(all.map(pick));
  const cpu = {
    node: over((run) => run.cpu.node),
    postgres: over((run) => run.cpu.postgres),
    valkey: over((run) => run.cpu.valkey),
  };
  return { cpu, p50: over((run) => run.p50), p99: over((run) => run.p99) };
};

const SCENARIOS = [
  (bench: Bench) => [postScenario(bench)],
  (bench: Bench) => [inboxScenario(bench)],
  mixScenarios,
];

/** Measures in turns, all rounds of one scenario after another. */
const compare = async (
  layouts: Layout[],
  options: Options,
  isWanted: (scenario: Scenario) => boolean,
  say: (text: string) => void,
): Promise<Map<string, Costs>> => {
  const costs = new Map<string, Costs>();
  const runOne = async ({ kind, started }: Layout, scenario: Scenario, round: number) => {
    const before = started.parts.map(({ pid }) => cpuOf(pid).total);
    const folder = `${options.json ?? "data/bench"}.profiles`;
    const work = () => measure(scenario);
    const isProfiled = options.profile && round === 1;
    const { cpu, p50, p99 } = await (isProfiled
      ? profiledAll(started, folder, `${kind}-${scenario.name}`, work)
      : work());
    say(
      `${round === 0 ? "warming" : `round ${round}`}, ${kind}: ${scenario.name} ${ms(sum(cpu))} ms of CPU, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; of node: ${shares(started.parts, before)}`,
    );
    if (round > 0) costs.get(scenario.name)![kind].push(cpu);
  };
  const scenarios = layouts.map(({ bench }) => SCENARIOS.flatMap((make) => make(bench)));
  for (const [index, { name }] of scenarios[0]!.entries()) {
    const each = layouts.map((layout, n) => ({ layout, scenario: scenarios[n]![index]! }));
    if (!isWanted(each[0]!.scenario)) continue;
    costs.set(name, { one: [], several: [] });
    for (const { scenario } of each) await scenario.prepare?.();
    // Each of the processes compiles for itself, so the first round is not counted.
    for (let round = 0; round <= options.rounds; round++) {
      for (const { layout, scenario } of each) await runOne(layout, scenario, round);
    }
    say(row(name, costs.get(name)!).join(" | "));
  }
  return costs;
};

const measureStreams = async (
  bench: Bench,
  options: Options,
  isWanted: (scenario: Scenario) => boolean,
  say: (text: string) => void,
): Promise<void> => {
  const scenarios = [socketMemoryScenario, streamScenario, stormScenario].map((make) =>
    make(bench),
  );
  const all = scenarios.filter(isWanted).map(begin);
  if (all.length === 0) return;
  for (let round = 0; round < options.rounds; round++) {
    for (const progress of all) await runOnce(bench, options, progress, round, say);
  }
  const lines = all.flatMap(({ measured }) => [...measured.values()].map(summarise));
  console.log(table(lines));
  if (options.json) writeFileSync(options.json, toJson(lines));
};

/** Opens the layouts, passes them to the work, and closes them. */
export const withLayouts = async (
  kinds: Kind[],
  options: Options,
  count: number,
  work: (layouts: Layout[]) => Promise<void>,
): Promise<void> => {
  const receiverPort = await freePort();
  const { hosts } = planWorld(options.size, 0, receiverPort);
  const receivers = await startReceivers(hosts, receiverPort);
  const still = await startFloor("static");
  const layouts: Layout[] = [];
  try {
    for (const kind of kinds) {
      layouts.push(await openLayout(kind, options, count, { receiverPort, receivers, still }));
    }
    await work(layouts);
  } finally {
    await still.stop();
    for (const layout of layouts) await layout.close();
    await receivers.close();
  }
};

export const runProcesses = async (
  options: Options,
  count: number,
  say: (text: string) => void,
): Promise<void> => {
  const isWanted = (scenario: Scenario) =>
    (options.only ?? "").split(",").some((part) => scenario.name.includes(part));
  await withLayouts(["one", "several"], options, count, async (layouts) => {
    const costs = await compare(layouts, options, isWanted, say);
    if (options.only !== null) await measureStreams(layouts[1]!.bench, options, isWanted, say);
    if (costs.size === 0) return;
    const names = `${count} web, ${count} worker and 1 streaming process`;
    console.log(`CPU of one operation: one process, and ${names}\n`);
    console.log(print([HEAD, ...[...costs].map(([name, each]) => row(name, each))]));
    for (const { bench } of layouts) console.log(`\n${await whereMemoryIs(bench.server)}`);
    if (options.json) writeFileSync(options.json, `${JSON.stringify([...costs], null, 2)}\n`);
  });
};

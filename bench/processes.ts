// What several processes cost: runs post, inbox and the mix on one process, and on some for the web and as workers with
// one for the streams, on the same PostgreSQL, in turns, and compares the CPU that one operation takes in all of them.

import { writeFileSync } from "node:fs";
import { startEmbedded } from "../src/platform/db/embedded.ts";
import type { EmbeddedDatabase } from "../src/platform/db/embedded.ts";
import { freePort } from "../test/free-port.ts";
import { startRedis } from "../test/redis-server.ts";
import type { RedisServer } from "../test/redis-server.ts";
import { startFloor } from "./floors/process.ts";
import { cpuOf, memoryOf } from "./measure.ts";
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
import { enableCounting, makeFolder, removeFolder } from "./server.ts";
import { startProcess, superuser } from "./server.ts";
import type { Process, Server } from "./server.ts";
import { fillWorld, planWorld } from "./world.ts";

/** How long one measurement lasts: long enough for all to have compiled what they run. */
const SECONDS = 3;

/** The split may cost so many times the CPU of the single process. */
const AIM = 1.6;

type Part = Process & { name: string; port: number };

type Place = {
  port: number;
  dataDir: string;
  database: EmbeddedDatabase;
  redis: RedisServer;
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
    async stop() {
      await sql.end({ timeout: 5 });
      for (const part of parts.toReversed()) await part.stop();
    },
  };
};

type Started = { server: Server; parts: Part[] };

const startParts = async (place: Place, count: number | null): Promise<Started> => {
  const { port, dataDir, database, redis, inspect } = place;
  const counted = (role: string) => Array.from({ length: count ?? 0 }, (_, n) => `${role}${n + 1}`);
  const names = count === null ? ["all"] : [...counted("web"), ...counted("worker"), "streaming"];
  const env = {
    LOCAL_DOMAIN: `127.0.0.1:${port}`,
    DATABASE_URL: database.url,
    ...(count !== null && { REDIS_URL: redis.url }),
  };
  const parts: Part[] = [];
  for (const name of names) {
    const own = parts.length === 0 ? port : await freePort();
    const args = count === null ? [] : ["--roles", name.replace(/\d+$/, "")];
    const started = await startProcess({ port: own, dataDir, inspect }, args, env);
    parts.push({ ...started, name, port: own });
  }
  return { server: serverOf(place, parts, count === null ? [] : [redis.pid()]), parts };
};

type Kind = "one" | "several";
/** Milliseconds of CPU of one operation, round by round. */
type Costs = Record<Kind, CpuOfOne[]>;

const sum = ({ node, postgres, valkey }: CpuOfOne): number => node + postgres + valkey;

/** Under the profiler of each of the processes. */
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
  const [one, several] = [middle(costs.one), middle(costs.several)];
  const ratio = sum(several) / sum(one);
  return [
    name,
    `${ms(sum(one))} ms`,
    `${ms(sum(several))} ms`,
    ratio.toFixed(2),
    `≤ ${AIM} ×`,
    ratio <= AIM ? "yes" : "NO",
    `${ms(one.node)}, ${ms(one.postgres)}`,
    `${ms(several.node)}, ${ms(several.postgres)}, ${ms(several.valkey)}`,
  ];
};

const print = (rows: string[][]): string =>
  [rows[0]!, rows[0]!.map(() => "---"), ...rows.slice(1)]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

const openPlace = async (port: number, inspect: boolean): Promise<Place> => {
  const dataDir = makeFolder();
  const fresh = await startEmbedded({ dataDir });
  await fresh.stop();
  enableCounting(dataDir);
  const [database, redis] = [await startEmbedded({ dataDir }), await startRedis()];
  return { port, dataDir, database, redis, inspect };
};

export const runProcesses = async (
  options: Options,
  count: number,
  say: (text: string) => void,
): Promise<void> => {
  const [port, receiverPort] = [await freePort(), await freePort()];
  const world = planWorld(options.size, port, receiverPort);
  const receivers = await startReceivers(world.hosts, receiverPort);
  const place = await openPlace(port, options.profile);
  const still = await startFloor("static");
  const start = { one: () => startParts(place, null), several: () => startParts(place, count) };
  let now = await start.one();
  const bench: Bench = {
    world,
    server: now.server,
    receivers,
    still,
    seconds: SECONDS,
    minutes: 0,
    async restart() {
      throw new Error("nothing of this restarts the server");
    },
  };
  const become = async (kind: Kind): Promise<void> => {
    await bench.server.stop();
    now = await start[kind]();
    bench.server = now.server;
  };
  const costs = new Map<string, Costs>();
  const runOne = async (kind: Kind, scenario: Scenario, round: number): Promise<void> => {
    await scenario.prepare?.();
    // Each of the processes compiles for itself.
    await scenario.run(round + 1);
    const before = now.parts.map(({ pid }) => cpuOf(pid).total);
    const folder = `${options.json ?? "data/bench"}.profiles`;
    const work = () => scenario.run(round);
    const samples =
      options.profile && round === 0
        ? await profiledAll(now, folder, `${kind}-${scenario.name}`, work)
        : await work();
    const { cpu, p50, p99 } = samples[scenario.name]!;
    const known = costs.get(scenario.name) ?? { one: [], several: [] };
    known[kind].push(cpu!);
    costs.set(scenario.name, known);
    say(
      `round ${round + 1}, ${kind}: ${scenario.name} ${ms(sum(cpu!))} ms of CPU, p50 ${p50!.toFixed(1)} ms, p99 ${p99!.toFixed(1)} ms; of node: ${shares(now.parts, before)}`,
    );
  };
  const runAll = async (scenarios: Scenario[]): Promise<void> => {
    for (let round = 0; round < options.rounds; round++) {
      for (const kind of ["one", "several"] as const) {
        await become(kind);
        for (const scenario of scenarios) await runOne(kind, scenario, round);
      }
    }
  };
  const measureStreams = async (scenarios: Scenario[]): Promise<void> => {
    if (scenarios.length === 0) return;
    await become("several");
    const all = scenarios.map(begin);
    for (let round = 0; round < options.rounds; round++) {
      for (const progress of all) await runOnce(bench, options, progress, round, say);
    }
    const lines = all.flatMap(({ measured }) => [...measured.values()].map(summarise));
    console.log(table(lines));
    if (options.json) writeFileSync(options.json, toJson(lines));
  };
  try {
    await bench.server.sql`CREATE EXTENSION IF NOT EXISTS pg_stat_statements`;
    const seconds = await fillWorld(bench.server.sql, world);
    say(`world: ${world.statuses} statuses, filled in ${seconds.toFixed(1)} s`);
    const wanted = (one: Scenario) =>
      (options.only ?? "").split(",").some((part) => one.name.includes(part));
    await runAll([postScenario(bench), inboxScenario(bench)].filter(wanted));
    await runAll(mixScenarios(bench).filter(wanted));
    const streams = [socketMemoryScenario, streamScenario, stormScenario].map((make) =>
      make(bench),
    );
    if (options.only !== null) await measureStreams(streams.filter(wanted));
    if (costs.size === 0) return;
    const names = `${count} web, ${count} worker and 1 streaming process`;
    console.log(`CPU of one operation: one process, and ${names}\n`);
    console.log(print([HEAD, ...[...costs].map(([name, each]) => row(name, each))]));
    if (options.json) writeFileSync(options.json, `${JSON.stringify([...costs], null, 2)}\n`);
  } finally {
    await still.stop();
    await bench.server.stop();
    await receivers.close();
    await place.redis.close();
    await place.database.stop();
    removeFolder(place.dataDir);
  }
};

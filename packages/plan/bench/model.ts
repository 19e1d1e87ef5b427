// Checks the model of `rookery plan` for one process and for several (web, workers and one for the streams) on the same
// cores. Eight connections give it the cost of an operation, as the rows of the mix do, and one connection their
// variation; then it predicts how long requests take, and how many are in progress when another comes, at random
// arrivals and several utilisations, and that is measured.

import { cpus } from "node:os";
import { WRITE_SHARE } from "../src/figures.ts";
import { gatherMs, lengthOf, Model } from "../src/model.ts";
import type { Cost, Layout as Parts, Work } from "../src/model.ts";
import { exponential, meanOf, PAUSED_SHARE, quantile, unevenness } from "../src/simulation.ts";
import type { Spread } from "../src/simulation.ts";
import type { LoadResult } from "../../../bench/load.ts";
import { cpuOf, firstThreadsOf, LEAST_SECONDS, whileWorking } from "../../../bench/measure.ts";
import type { Cpu } from "../../../bench/measure.ts";
import { secondsOf } from "../../../bench/options.ts";
import type { Options } from "../../../bench/options.ts";
import { withLayouts } from "../../../bench/processes.ts";
import type { Kind, Layout } from "../../../bench/processes.ts";
import { summarise } from "../../../bench/results.ts";
import type { Line } from "../../../bench/results.ts";
import { dayLoad, readLoad } from "../../../bench/scenarios/mix.ts";

/** Relative error that a prediction may have. */
const WITHIN = 0.25;
/** Utilisations of the busiest part, the processes or the machine. */
const LOADS = [0.3, 0.5, 0.7];
const COSTS_WITH = 8;
/** Requests that may be in progress, so many that none waits for a connection. */
const CONNECTIONS = 64;
/** Seconds of simulated requests, enough for a percentile of them. */
const SIMULATED_SECONDS = 60;
/** Share of a write's cost in PostgreSQL before its answer; with one process also of its cost in node. */
const ANSWER_SHARE = 0.25;

type Limit = Parameters<ReturnType<typeof readLoad>>[0];
/**
 * `follow` is milliseconds in the workers and for the streams; `own` is the load's. Both are of one operation.
 * `threads` is the share of node's CPU that is not its first thread's.
 */
type Alone = { reads: LoadResult; day: LoadResult };
type Measured = { result: LoadResult; cpu: Cpu; follow: number; own: number; threads: number };

const measure = async (
  { bench, started }: Layout,
  load: ReturnType<typeof readLoad>,
  limit: Limit,
): Promise<Measured> => {
  const behind = started.parts.filter(({ name }) => !/^(?:all|web)/.test(name));
  const spent = () => behind.reduce((sum, { pid }) => sum + cpuOf(pid).node, 0);
  const pids = started.parts.map(({ pid }) => pid);
  const [before, follow, first] = [process.cpuUsage(), spent(), firstThreadsOf(pids)];
  const { result, cpu } = await whileWorking(bench.server.roots, () =>
    load({ mayWait: true, ...limit }),
  );
  const { user, system } = process.cpuUsage(before);
  const each = (milliseconds: number) => milliseconds / result.count;
  return {
    result,
    cpu,
    follow: each((spent() - follow) * 1000),
    own: each((user + system) / 1000),
    threads: 1 - Math.min(1, (firstThreadsOf(pids) - first) / Math.max(LEAST_SECONDS, cpu.node)),
  };
};

/**
 * Returns the cost of one operation. Valkey counts like PostgreSQL: it has a process of its own, which is waited for.
 * Any work has a cost.
 */
const costOf = ({ result: { count }, cpu }: Measured) => ({
  node: (Math.max(LEAST_SECONDS, cpu.node) * 1000) / Math.max(1, count),
  postgres: ((cpu.postgres + cpu.valkey) * 1000) / count,
});

const NOTHING: Cost = { node: 0, postgres: 0 };

/** Moves a share of the cost to threads that are not waited for. */
const inThreads = ({ node, postgres }: Cost, share: number): Required<Cost> => ({
  node: node * (1 - share),
  postgres,
  threads: node * share,
});

/** Largest share of the observed time of requests that may be pauses. */
const MOST_PAUSES = 0.5;

/** Returns how requests vary, and when they pause, from reads by one connection. */
const unevenOf = ({ latencies }: LoadResult, read: Cost): Pick<Work, "spread" | "pause"> => {
  const { spread: uneven, pauses } = unevenness(latencies);
  // Fewer than a hundred times are not assumed to contain a pause.
  if (pauses.length === 0) return { spread: uneven, pause: () => 0 };
  const paused = Math.min(MOST_PAUSES, (PAUSED_SHARE * meanOf(pauses)) / read.node);
  const each = (paused * read.node) / PAUSED_SHARE / meanOf(pauses);
  const spread: Spread = (random) => uneven(random) * (1 - paused);
  const pause = (random: () => number, { node }: Cost): number =>
    random() < (PAUSED_SHARE * node) / read.node
      ? pauses[Math.floor(random() * pauses.length)]! * each
      : 0;
  return { spread, pause };
};

/** Returns the milliseconds of the mix by one connection that are no work, in this part of its requests. */
const delayOf = ({ latencies }: LoadResult, share: number, { node, postgres }: Cost): number =>
  Math.max(0, quantile(latencies, share) - node - postgres);

/**
 * Returns the work of the model: the reads as measured, and a write as the rest of the mix. With several processes the
 * costs behind the web process are known, since they do nothing for reads; with one a share is assumed to be before the
 * answer.
 */
const workOf = (kind: Kind, alone: Alone, reads: Measured, day: Measured): Work => {
  const read = costOf(reads);
  const all = costOf(day);
  const more = (part: "node" | "postgres"): number =>
    Math.max(read[part], (all[part] - (1 - WRITE_SHARE) * read[part]) / WRITE_SHARE);
  const [node, postgres] = [more("node"), more("postgres")];
  const behind =
    kind === "one"
      ? node * (1 - ANSWER_SHARE)
      : Math.min(node, (day.follow - reads.follow) / WRITE_SHARE);
  const first = inThreads(read, reads.threads);
  const answer = { node: node - behind, postgres: postgres * ANSWER_SHARE };
  const rest = { node: behind, postgres: postgres * (1 - ANSWER_SHARE) };
  const write = inThreads(answer, day.threads);
  // The longest requests of the mix are its writes.
  const delay = {
    read: delayOf(alone.day, (1 - WRITE_SHARE) / 2, first),
    write: delayOf(alone.day, 1 - WRITE_SHARE / 2, write),
  };
  const gathered = gatherMs({ together: kind === "one" });
  return {
    read: first,
    write,
    follow: inThreads(rest, day.threads),
    accept: NOTHING,
    activity: NOTHING,
    delivery: NOTHING,
    event: NOTHING,
    ...unevenOf(alone.reads, first),
    delay: { ...delay, write: Math.max(0, delay.write - gathered) },
  };
};

const partsOf = (kind: Kind, count: number): Parts => ({
  web: count,
  workers: count,
  streaming: 1,
  together: kind === "one",
  postgres: 8,
  cores: cpus().length,
});

/** Returns the operations per second that fill one process, or the machine. */
const mostOf = (kind: Kind, day: Measured): number => {
  const { node, postgres } = costOf(day);
  const machine = cpus().length / (node + postgres + day.own);
  const first = node * (1 - day.threads);
  return 1000 * (kind === "one" ? Math.min(1 / first, machine) : machine);
};

const predict = (parts: Parts, work: Work, perSecond: number, own: number) => {
  const model = new Model(parts, work);
  const { random, timeline } = model;
  // The load's timers end at whole milliseconds, so events between two of them come together.
  let at = 0;
  const come = (): void => {
    at += exponential(random, perSecond / 1000);
    timeline.after(Math.ceil(at) - timeline.now, () => {
      model.beside(own);
      model.request(random() < WRITE_SHARE ? "write" : "read");
      come();
    });
  };
  come();
  return model.run(SIMULATED_SECONDS);
};

type Figures = { p50: number; p99: number; queue: number; queue_p99: number };
const UNITS = { p50: "ms", p99: "ms", queue: "requests", queue_p99: "requests" };

const lineOf = (name: string, unit: string, predicted: number, measured: number): Line =>
  summarise({
    row: { name, unit, aim: { of: "ratio", least: 1 - WITHIN, most: 1 + WITHIN } },
    samples: [{ value: predicted }],
    floors: [measured],
    queries: null,
    memory: null,
  });

const linesOf = (place: string, predicted: Figures, measured: Figures): Line[] =>
  (Object.keys(UNITS) as (keyof Figures)[]).map((key) =>
    lineOf(`${place}_${key}`, UNITS[key], predicted[key], measured[key]),
  );

const compare = async (
  layout: Layout,
  seconds: number,
  say: (text: string) => void,
): Promise<Line[]> => {
  const { bench, kind, started } = layout;
  const web = started.parts.filter(({ name }) => /^(?:all|web)/.test(name)).length;
  const [reads, day] = [readLoad(bench), dayLoad(bench)];
  // This makes all processes compile what they run.
  for (let turn = 0; turn < 3; turn += 1) await day({ seconds, mayWait: true });
  const one = { seconds, connections: 1 };
  const alone: Alone = {
    reads: (await measure(layout, reads, one)).result,
    day: (await measure(layout, day, one)).result,
  };
  const together = await measure(layout, reads, { seconds, connections: COSTS_WITH });
  const calibration = await measure(layout, day, { seconds, connections: COSTS_WITH });
  const lines: Line[] = [];
  for (const busy of LOADS) {
    const perSecond = busy * mostOf(kind, calibration);
    const limit = { seconds: seconds * 2, connections: CONNECTIONS, perSecond };
    const loaded = await measure(layout, day, limit);
    const { result, own } = loaded;
    const work = workOf(kind, alone, together, loaded);
    const { mean: queue, p99: queue_p99 } = lengthOf(result.present);
    const [p50, p99] = [quantile(result.latencies, 0.5), quantile(result.latencies, 0.99)];
    const outcome = predict(partsOf(kind, web), work, result.count / result.seconds, own);
    const place = `model_${kind}_${busy * 100}`;
    const { present, ...rest } = outcome;
    const predicted = { p50: rest.p50, p99: rest.p99, queue: present.mean, queue_p99: present.p99 };
    lines.push(...linesOf(place, predicted, { p50, p99, queue, queue_p99 }));
    say(`${place}: ${(result.count / result.seconds).toFixed(0)} requests a second`);
  }
  return lines;
};

/**
 * Returns the results of each layout and load: predicted, with the measured as floor; with `--processes` of several as
 * well.
 */
export const runModel = async (options: Options, say: (text: string) => void): Promise<Line[]> => {
  const lines: Line[] = [];
  const { processes } = options;
  const kinds: Kind[] = processes === null ? ["one"] : ["one", "several"];
  for (const kind of kinds) {
    await withLayouts([kind], options, processes ?? 1, async ([layout]) => {
      lines.push(...(await compare(layout!, secondsOf(options.size) * 4, say)));
    });
  }
  return lines;
};

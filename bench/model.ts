// Whether the model of `rookery plan` (src/plan/) is right. Eight connections give it what an operation costs, as the
// rows of the mix do, and one connection how unequal they are; then it says how long requests take and how many there
// are with fewer and more connections, and that is measured.

import { Model, askInTurns } from "../src/plan/model.ts";
import type { Cost, Layout, Work } from "../src/plan/model.ts";
import { WRITE_SHARE } from "../src/plan/figures.ts";
import { quantile, sigmaOf } from "../src/plan/simulation.ts";
import { cpus } from "node:os";
import type { LoadResult } from "./load.ts";
import { whileWorking } from "./measure.ts";
import type { Cpu } from "./measure.ts";
import { summarise } from "./results.ts";
import type { Line } from "./results.ts";
import { dayLoad, readLoad } from "./scenarios/mix.ts";
import type { Bench } from "./scenarios/scenario.ts";

/** The prediction may be wrong by so much. */
const WITHIN = 0.25;
const LOADS = [4, 8, 16];
const COSTS_WITH = 8;
/** Of simulated requests, so that a percentile of them is one. */
const SIMULATED_SECONDS = 60;

type Measured = { result: LoadResult; cpu: Cpu; own: number };

const measure = async (
  bench: Bench,
  load: ReturnType<typeof readLoad>,
  connections: number,
): Promise<Measured> => {
  const before = process.cpuUsage();
  const { result, cpu } = await whileWorking(bench.server.roots, () =>
    load({ seconds: bench.seconds * 4, connections, mayWait: true }),
  );
  const { user, system } = process.cpuUsage(before);
  return { result, cpu, own: (user + system) / 1000 / result.count };
};

const costOf = ({ result, cpu }: Measured): Cost => ({
  node: (cpu.node * 1000) / result.count,
  postgres: (cpu.postgres * 1000) / result.count,
});

const NOTHING: Cost = { node: 0, postgres: 0 };

/** The reads as they were measured; a write is what the mix takes more, of which a quarter is before its answer. */
const workOf = (alone: Measured, reads: Measured, day: Measured | null): Work => {
  const read = costOf(reads);
  const { latencies } = alone.result;
  const sigma = sigmaOf(quantile(latencies, 0.5), quantile(latencies, 0.99));
  const rest = { write: NOTHING, follow: NOTHING };
  const others = { accept: NOTHING, activity: NOTHING, delivery: NOTHING, event: NOTHING };
  if (!day) return { read, ...rest, ...others, sigma };
  const all = costOf(day);
  const ofWrite = (part: keyof Cost): number =>
    Math.max(read[part], (all[part] - (1 - WRITE_SHARE) * read[part]) / WRITE_SHARE);
  const share = (factor: number): Cost => ({
    node: ofWrite("node") * factor,
    postgres: ofWrite("postgres") * factor,
  });
  return { read, write: share(0.25), follow: share(0.75), ...others, sigma };
};

const layout = (): Layout => ({
  web: 1,
  workers: 1,
  streaming: 1,
  together: true,
  postgres: 8,
  cores: cpus().length,
});

type Row = { name: string; unit: string; predicted: number; measured: number };

const lineOf = ({ name, unit, predicted, measured }: Row): Line =>
  summarise({
    row: { name, unit, aim: { of: "ratio", least: 1 - WITHIN, most: 1 + WITHIN } },
    samples: [{ value: predicted }],
    floors: [measured],
    queries: null,
    memory: null,
  });

/** Of each load the median, the 99th percentile and the requests a second: predicted, with the measured as floor. */
export const runModel = async (bench: Bench, say: (text: string) => void): Promise<Line[]> => {
  const rows: Row[] = [];
  const [reads, day] = [readLoad(bench), dayLoad(bench)];
  await reads({ seconds: bench.seconds * 4, mayWait: true });
  const alone = await measure(bench, reads, 1);
  const readsTogether = await measure(bench, reads, COSTS_WITH);
  await day({ seconds: bench.seconds * 4, mayWait: true });
  const dayTogether = await measure(bench, day, COSTS_WITH);
  for (const [name, load, work, writes] of [
    ["reads", reads, workOf(alone, readsTogether, null), 0],
    ["mix", day, workOf(alone, readsTogether, dayTogether), WRITE_SHARE],
  ] as const) {
    for (const connections of LOADS) {
      const { result, own } = await measure(bench, load, connections);
      const model = new Model(layout(), work);
      askInTurns(model, connections, { writes, askMs: own });
      const outcome = model.run(SIMULATED_SECONDS);
      const place = `model_${name}_${connections}`;
      const { latencies, count, seconds } = result;
      const perSecond = outcome.requests / (SIMULATED_SECONDS * 0.8);
      rows.push(
        {
          name: `${place}_p50`,
          unit: "ms",
          predicted: outcome.p50,
          measured: quantile(latencies, 0.5),
        },
        {
          name: `${place}_p99`,
          unit: "ms",
          predicted: outcome.p99,
          measured: quantile(latencies, 0.99),
        },
        {
          name: `${place}_rate`,
          unit: "requests/s",
          predicted: perSecond,
          measured: count / seconds,
        },
      );
      say(`${place} is measured`);
    }
  }
  return rows.map(lineOf);
};

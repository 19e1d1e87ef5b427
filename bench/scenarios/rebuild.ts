// Measures home feeds that are not in memory: the first page of each viewer after a start; and rebuilding, where a
// person with 500 follows whose feed was dropped pages up from the very end, which takes all of it. Unmuting an account
// that is not muted drops the feed and changes nothing else.

import { load, requestBytes } from "../load.ts";
import { whileWorking } from "../measure.ts";
import { settled } from "../server.ts";
import { crierNumber, localId, tokenOf } from "../world.ts";
import { CONNECTIONS, perCoreSecond, slowest } from "./scenario.ts";
import type { Bench, Scenario } from "./scenario.ts";

const NAME = "rebuild_home";

export const rebuildScenario = (bench: Bench): Scenario => {
  const { world } = bench;
  const somebody = localId(crierNumber(world));
  const ask = async (method: string, path: string, viewer: number): Promise<number> => {
    const bytes = requestBytes(method, path, { host: world.host, token: tokenOf(viewer) });
    const { latencies } = await load({
      port: bench.server.port,
      connections: 1,
      count: 1,
      request: () => bytes,
    });
    return latencies[0]!;
  };
  const rebuildAll = async (): Promise<number[]> => {
    const times: number[] = [];
    for (let viewer = 1; viewer <= world.viewers; viewer++) {
      await ask("POST", `/api/v1/accounts/${somebody}/unmute`, viewer);
      times.push(await ask("GET", "/api/v1/timelines/home?min_id=1", viewer));
    }
    return times;
  };
  return {
    name: NAME,
    rows: [{ name: NAME, unit: "ms", aim: { of: "value", most: 60 } }],
    prepare: async () => void (await rebuildAll()),
    async run() {
      await settled(bench.server);
      const times = await rebuildAll();
      return { [NAME]: slowest(times) };
    },
  };
};

const FIRST = "first_home_page";
const OTHERS = 200;

/**
 * Others read first, so that connections and plans exist, but nothing of the viewers is cached. PostgreSQL's work for a
 * page includes its rows, its accounts and the viewer's marks.
 */
export const firstHomeScenario = (bench: Bench): Scenario => {
  const { world } = bench;
  const reading = (first: number) => (index: number) =>
    requestBytes("GET", "/api/v1/timelines/home", {
      host: world.host,
      token: tokenOf(first + index),
    });
  const pages = (first: number, count: number) =>
    load({
      port: bench.server.port,
      connections: CONNECTIONS,
      count,
      request: reading(first),
    });
  return {
    name: FIRST,
    alone: true,
    rows: [{ name: FIRST, unit: "ms of PostgreSQL", aim: { of: "value", most: 5 } }],
    async run() {
      await bench.restart();
      await settled(bench.server);
      await pages(world.viewers + 1, Math.min(OTHERS, world.active - world.viewers));
      await settled(bench.server);
      const { result, cpu } = await whileWorking([bench.server.pid], () => pages(1, world.viewers));
      const sample = perCoreSecond(result.count, cpu, result.latencies);
      return { [FIRST]: { ...sample, value: sample.cpu!.postgres } };
    },
  };
};

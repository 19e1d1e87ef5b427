// Rebuilding a home feed: a person with 500 follows whose feed was dropped reads their home timeline.
// Unmuting an account that is not muted drops the feed and changes nothing else.

import { load, requestBytes } from "../load.ts";
import { settled } from "../server.ts";
import { crierNumber, localId, tokenOf } from "../world.ts";
import { slowest } from "./scenario.ts";
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
      times.push(await ask("GET", "/api/v1/timelines/home", viewer));
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

// Hot spot: all apps, each of another person, connect again within five seconds to a server that has just started with
// empty caches.

import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "../listener.ts";
import type { Listener } from "../listener.ts";
import { whileWorking } from "../measure.ts";
import { countQueries, settled } from "../server.ts";
import { SMOKE } from "../options.ts";
import { tokenOf } from "../world.ts";
import type { Bench } from "../scenarios/scenario.ts";
import type { Spot } from "./spot.ts";

const APPS = 10_000;
/** Returns the milliseconds in which they come; a tenth in a smoke run. */
const withinMs = ({ size }: Bench["world"]): number => (size < SMOKE ? 500 : 5000);
/** Steps in which they come during that time. */
const PARTS = 100;
const PATH = "/api/v1/streaming?stream=user";

/** Opens sockets at an even pace, and returns them when the last is open. */
const openAll = async ({ world, server }: Bench, count: number): Promise<Listener[]> => {
  const opening: Promise<Listener>[] = [];
  const within = withinMs(world);
  const began = performance.now();
  for (let part = 0; part < PARTS; part++) {
    const to = Math.round((count * (part + 1)) / PARTS);
    while (opening.length < to) {
      const token = tokenOf(1 + (opening.length % world.people));
      opening.push(listen(server.streamPort, PATH, token, () => {}));
    }
    await sleep(Math.max(0, began + (within * (part + 1)) / PARTS - performance.now()));
  }
  return Promise.all(opening);
};

export const reconnect: Spot = {
  name: "reconnect",
  restart: {},
  async run(bench) {
    const { world, server } = bench;
    await settled(server);
    const count = Math.max(20, Math.round(APPS * world.size));
    const began = performance.now();
    let listeners: Listener[] = [];
    let seconds = 0;
    const { result: statements, cpu } = await whileWorking(server.roots, () =>
      countQueries(server, false, async () => {
        listeners = await openAll(bench, count);
        seconds = (performance.now() - began) / 1000;
        // The reads that opening them started end a moment later.
        await settled(server);
      }),
    );
    for (const listener of listeners) listener.close();
    return [
      { what: `until the last of ${count} streams is open`, value: seconds, unit: "s", most: 10 },
      {
        what: "CPU of one, with what everybody else reads",
        value: (cpu.total * 1000) / count,
        unit: "ms",
        most: null,
      },
      {
        what: "statements for one, with those of everybody else",
        value: statements / count,
        unit: "",
        most: null,
      },
    ];
  },
};

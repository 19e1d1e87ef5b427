// One event to 5,000 sockets, which listen to the public stream while an account posts. The figure includes
// the whole cost of the post.

import { startFloor } from "../floors/process.ts";
import type { Floor } from "../floors/process.ts";
import { gather } from "../listener.ts";
import type { Crowd } from "../listener.ts";
import { load, requestBytes } from "../load.ts";
import { whileWorking } from "../measure.ts";
import { drained, settled } from "../server.ts";
import { crierNumber, tokenOf } from "../world.ts";
import { perCoreSecond } from "./scenario.ts";
import type { Bench, Scenario } from "./scenario.ts";

const NAME = "stream";
const EVENTS = 5;
const TIMEOUT_SECONDS = 30;

export const socketsScenario = (bench: Bench): Scenario => {
  const { world } = bench;
  let floor: Floor | null = null;
  let frame = "";

  const post = async (text: string): Promise<void> => {
    const token = tokenOf(crierNumber(world));
    const json = { status: text, visibility: "public" };
    const bytes = requestBytes("POST", "/api/v1/statuses", { host: world.host, token, json });
    await load({ port: bench.server.port, connections: 1, count: 1, request: () => bytes });
  };

  /** `send` makes one event; returns the milliseconds until all sockets have received each. */
  const sendAll = async (crowd: Crowd, send: (n: number) => Promise<void>): Promise<number[]> => {
    const times: number[] = [];
    for (let n = 0; n < EVENTS; n++) {
      const began = performance.now();
      const wanted = crowd.count() + world.sockets;
      await send(n);
      await crowd.reached(wanted, TIMEOUT_SECONDS);
      times.push(performance.now() - began);
    }
    return times;
  };

  return {
    name: NAME,
    rows: [{ name: NAME, unit: "sends/core s", aim: { of: "ratio", least: 0.5 } }],
    async run(round) {
      const path = "/api/v1/streaming?stream=public";
      const token = (index: number) => tokenOf(1 + (index % world.people));
      const crowd = await gather(bench.server.port, path, world.sockets, token);
      try {
        await settled(bench.server);
        const { result, cpu } = await whileWorking([bench.server.pid], async () => {
          const times = await sendAll(crowd, (n) => post(`Everybody gets this: ${round} ${n}`));
          await drained(bench.server);
          return times;
        });
        frame = crowd.last();
        return { [NAME]: perCoreSecond(world.sockets * EVENTS, cpu, result) };
      } finally {
        crowd.close();
      }
    },
    async floor() {
      floor ??= await startFloor("sockets");
      const port = await floor.ask<number>("port");
      const crowd = await gather(port, "/", world.sockets, () => null);
      try {
        const { cpu } = await whileWorking([floor.pid], () =>
          sendAll(crowd, () => floor!.ask<void>("send", frame)),
        );
        return { [NAME]: (world.sockets * EVENTS) / cpu.total };
      } finally {
        crowd.close();
      }
    },
  };
};

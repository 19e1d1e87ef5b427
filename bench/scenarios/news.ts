// Measures the delivery of posts to the shared inboxes of 200 hosts: those that accept one signature for all of them,
// and others.

import { load, requestBytes } from "../load.ts";
import { whileWorking } from "../measure.ts";
import { repeats } from "../options.ts";
import { drained, settled } from "../server.ts";
import { newsNumber, tokenOf } from "../world.ts";
import type { News } from "../world.ts";
import { perCoreSecond } from "./scenario.ts";
import type { Bench, Scenario } from "./scenario.ts";

const POSTS = 10;
const TIMEOUT_SECONDS = 120;

export const newsScenario = (bench: Bench, kind: News): Scenario => {
  const name = kind === "sharing" ? "delivery_shared" : "delivery_hosts";
  const { world, receivers } = bench;
  const posts = repeats(world.size, POSTS);

  /** Sends one post after the other, each delivered to all. Returns the milliseconds of each. */
  const send = async (count: number): Promise<number[]> => {
    const times: number[] = [];
    for (let n = 0; n < count; n++) {
      const total = receivers.count() + world.hosts;
      const token = tokenOf(newsNumber(world, kind));
      const json = { status: `News to ${world.hosts} hosts`, visibility: "public" };
      const bytes = requestBytes("POST", "/api/v1/statuses", { host: world.host, token, json });
      const began = performance.now();
      await load({ port: bench.server.port, connections: 1, count: 1, request: () => bytes });
      await receivers.reached(total, TIMEOUT_SECONDS);
      times.push(performance.now() - began);
    }
    await drained(bench.server);
    return times;
  };

  return {
    name,
    rows: [{ name, unit: "deliveries/core s", aim: null }],
    prepare: async () => void (await send(1)),
    async run() {
      await settled(bench.server);
      const { result, cpu } = await whileWorking([bench.server.pid], () => send(posts));
      return { [name]: perCoreSecond(posts * world.hosts, cpu, result) };
    },
  };
};

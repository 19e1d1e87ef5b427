// Attack: many anonymous readers beside one who is signed in.

import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "#plan";
import { load, requestBytes } from "../load.ts";
import { tokenOf } from "../world.ts";
import type { Attack } from "./attack.ts";
import { watchHealth } from "./tools.ts";

const READER = 1;
const SECONDS = 15;

export const overload: Attack = {
  name: "overload",
  async run(stage) {
    const { world, server } = stage;
    const connections = stage.of(300, 20);
    const seconds = stage.seconds(SECONDS);
    const { host } = world;
    const statuses: number[] = [];
    const readers: number[] = [];
    const health = watchHealth(stage);
    // The pages are spread over the timeline, so that few of them are cached.
    const visitor = (index: number) => {
      const id = (BigInt(Date.UTC(2025, 0) + ((index * 7919) % 26_000) * 1000) << 16n).toString();
      return requestBytes("GET", `/api/v1/timelines/public?limit=40&max_id=${id}`, { host });
    };
    const home = requestBytes("GET", "/api/v1/timelines/home", { host, token: tokenOf(READER) });
    const common = { port: server.port, seconds, anyStatus: true };
    // The reader's app is connected before the crowd comes; /health needs new connections.
    const reading = load({
      ...common,
      connections: 1,
      request: () => home,
      onAnswer: ({ status }) => readers.push(status),
    });
    await sleep(500);
    await load({
      ...common,
      connections,
      request: visitor,
      onAnswer: ({ status }) => statuses.push(status),
    });
    const reader = await reading;
    const slowest = await health();
    const share = (list: number[]) =>
      (100 * list.filter((status) => status >= 500).length) / Math.max(1, list.length);
    const what = `beside ${connections} connections of visitors`;
    return [
      {
        what: `p99 of a signed-in reader ${what}`,
        seen: quantile(reader.latencies, 0.99),
        unit: "ms",
        most: 1000,
      },
      { what: "refusals (503) of the reader", seen: share(readers), unit: "%", most: 1 },
      { what: "refusals of visitors", seen: share(statuses), unit: "%", most: null },
      { what: "visitors' answers", seen: statuses.length / seconds, unit: "/s", most: null },
      { what: "slowest /health meanwhile", seen: slowest, unit: "ms", most: 2000 },
    ];
  },
};

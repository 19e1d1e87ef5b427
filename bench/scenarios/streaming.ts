// Measures streaming: one event to 5,000 sockets, which listen to the public stream while an account posts (the figure
// includes the whole cost of the post), and the time until the last of them has it; the memory of an open socket; and
// reading while 5,000 sockets come back at once, as after a restart. Where the streams have a process of their own,
// memory and CPU are those of this process.

import { startFloor } from "../floors/process.ts";
import type { Floor } from "../floors/process.ts";
import { gather } from "../listener.ts";
import type { Crowd } from "../listener.ts";
import { load, requestBytes } from "../load.ts";
import { memoryOf, whileWorking } from "../measure.ts";
import { repeats } from "../options.ts";
import { drained, settled } from "../server.ts";
import { crierNumber, tokenOf } from "../world.ts";
import { CONNECTIONS, perCoreSecond, slowest } from "./scenario.ts";
import type { Bench, Scenario } from "./scenario.ts";

const NAME = "stream";
const LAST = "stream_last";
const MEMORY = "stream_socket";
const STORM = "stream_storm";
const EVENTS = 5;
const TIMEOUT_SECONDS = 30;

/** Path of the public stream; each socket has the token of another person. */
const PATH = "/api/v1/streaming?stream=public";

const openSockets = ({ server, world }: Bench, count: number): Promise<Crowd> =>
  gather(server.streamPort, PATH, count, (index) => tokenOf(1 + (index % world.people)));

/** Measures the memory of each socket once it is quiet, with twice as many sockets as the others have. */
export const socketMemoryScenario = (bench: Bench): Scenario => ({
  name: MEMORY,
  rows: [{ name: MEMORY, unit: "KB a socket", aim: { of: "value", most: 12 } }],
  async run() {
    const count = 2 * bench.world.sockets;
    // Memory that the process takes for good when many first come is no part of a socket.
    (await openSockets(bench, Math.min(count, 500))).close();
    await settled(bench.server);
    const roots = bench.server.streamRoots;
    const before = memoryOf(...roots).total;
    const crowd = await openSockets(bench, count);
    try {
      await settled(bench.server);
      return { [MEMORY]: { value: ((memoryOf(...roots).total - before) * 1024) / count } };
    } finally {
      crowd.close();
    }
  },
});

/** Measures the home pages of viewers while all sockets come back. */
export const stormScenario = (bench: Bench): Scenario => ({
  name: STORM,
  rows: [{ name: STORM, unit: "ms of a home page", aim: { of: "value", most: 100 } }],
  async run() {
    const { world, server } = bench;
    const request = (index: number) =>
      requestBytes("GET", "/api/v1/timelines/home", {
        host: world.host,
        token: tokenOf(1 + (index % world.viewers)),
      });
    (await openSockets(bench, world.sockets)).close();
    await settled(server);
    const opening = openSockets(bench, world.sockets);
    let isOver = false;
    const latencies: number[] = [];
    const reading = (async () => {
      while (!isOver) {
        const count = CONNECTIONS * repeats(world.size, 10);
        const read = await load({ port: server.port, connections: CONNECTIONS, count, request });
        latencies.push(...read.latencies);
      }
    })();
    const crowd = await opening;
    isOver = true;
    await reading;
    crowd.close();
    const { p50 = 0, p99 = 0 } = slowest(latencies);
    return { [STORM]: { value: p50, p50, p99 } };
  },
});

export const streamScenario = (bench: Bench): Scenario => {
  const { world } = bench;
  const events = repeats(world.size, EVENTS);
  let floor: Floor | null = null;
  let frame = "";

  const post = async (text: string): Promise<void> => {
    const token = tokenOf(crierNumber(world));
    const json = { status: text, visibility: "public" };
    const bytes = requestBytes("POST", "/api/v1/statuses", { host: world.host, token, json });
    await load({ port: bench.server.port, connections: 1, count: 1, request: () => bytes });
  };

  type Times = { whole: number; afterwards: number };

  /** `send` makes one event; returns the milliseconds until all sockets have it, from its beginning and its end. */
  const sendAll = async (
    crowd: Crowd,
    send: (n: number) => Promise<void>,
    count = events,
  ): Promise<Times[]> => {
    const times: Times[] = [];
    for (let n = 0; n < count; n++) {
      const began = performance.now();
      const total = crowd.count() + world.sockets;
      await send(n);
      const sent = performance.now();
      await crowd.reached(total, TIMEOUT_SECONDS);
      const ended = performance.now();
      times.push({ whole: ended - began, afterwards: ended - sent });
    }
    return times;
  };

  return {
    name: NAME,
    rows: [
      { name: NAME, unit: "sends/core s", aim: { of: "ratio", least: 0.6 } },
      { name: LAST, unit: "ms", aim: null },
    ],
    async run(round) {
      const crowd = await openSockets(bench, world.sockets);
      try {
        // By now each socket has read whose posts its person hides: what opening takes is not measured.
        await sendAll(crowd, (n) => post(`Is everybody there? ${round} ${n}`), 1);
        await settled(bench.server);
        const { result, cpu } = await whileWorking(bench.server.streamRoots, async () => {
          const times = await sendAll(crowd, (n) => post(`Everybody gets this: ${round} ${n}`));
          await drained(bench.server);
          return times;
        });
        frame = crowd.last();
        const posted = result.map(({ whole }) => whole);
        return {
          [NAME]: perCoreSecond(world.sockets * events, cpu, posted),
          [LAST]: slowest(result.map(({ afterwards }) => afterwards)),
        };
      } finally {
        crowd.close();
      }
    },
    async floor() {
      floor ??= await startFloor("sockets");
      const port = await floor.ask<number>("port");
      const crowd = await gather(port, "/", world.sockets, () => null);
      try {
        const send = () => floor!.ask<void>("send", frame);
        await sendAll(crowd, send, 1);
        const { cpu } = await whileWorking([floor.pid], () => sendAll(crowd, send));
        return { [NAME]: (world.sockets * events) / cpu.total };
      } finally {
        crowd.close();
      }
    },
  };
};

// Attack: connections that send many requests at once and never read a response.

import { connect } from "node:net";
import type { Socket } from "node:net";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { requestBytes } from "../load.ts";
import type { Attack, Stage } from "./attack.ts";
import { watchHealth, watchMemory } from "./tools.ts";

const REQUESTS = 60;
/** Requests that a connection may have waiting without being closed at once. */
const PATIENT = 8;

const open = async ({ world, server }: Stage, requests: number): Promise<Socket> => {
  const path = "/api/v1/timelines/public?limit=40";
  const bytes = requestBytes("GET", path, { host: world.host });
  const socket = connect(server.port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  socket.pause();
  socket.write(Buffer.concat(Array.from({ length: requests }, () => bytes)));
  return socket;
};

export const unreadAnswers: Attack = {
  name: "unread_answers",
  async run(stage) {
    const count = stage.of(1000, 20);
    await sleep(1000);
    const memory = watchMemory(stage);
    const health = watchHealth(stage);
    const sockets: Socket[] = [];
    for (let n = 0; n < count; n++) {
      sockets.push(await open(stage, n % 2 === 0 ? REQUESTS : PATIENT));
    }
    await sleep(stage.seconds(10) * 1000);
    const slowest = await health();
    await sleep(stage.seconds(50) * 1000);
    const peak = memory.peak();
    await sleep(stage.seconds(10) * 1000);
    const left = memory.growth();
    for (const socket of sockets) socket.destroy();
    const what = `${count} connections with ${REQUESTS} (half: ${PATIENT}) requests that never read`;
    return [
      { what: `${what}: growth of memory, at most`, seen: peak, unit: "MB", most: 400 },
      { what: "the same, after 70 s", seen: left, unit: "MB", most: 150 },
      { what: "slowest /health in their first 10 s", seen: slowest, unit: "ms", most: 2000 },
    ];
  },
};

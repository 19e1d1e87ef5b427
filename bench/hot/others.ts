// Everybody else: people on eight connections who read what they have open, one page after another with a short pause.

import { setTimeout as sleep } from "node:timers/promises";
import { openConnection, requestBytes } from "../load.ts";
import { CONNECTIONS } from "../scenarios/scenario.ts";
import type { Bench } from "../scenarios/scenario.ts";
import { tokenOf } from "../world.ts";

const PAUSE_MS = 20;
const PAGES = [
  "/api/v1/timelines/home?limit=20",
  "/api/v2/notifications?limit=20",
  "/api/v1/timelines/home?limit=20",
  "/api/v1/timelines/public?local=true&limit=20",
];

/** Begins; `stop` gives the milliseconds of each answer. Any answer but a success is an error. */
export const startOthers = (bench: Bench): { stop(): Promise<number[]> } => {
  const { world, server } = bench;
  const times: number[] = [];
  let isOver = false;
  const read = async (number: number): Promise<void> => {
    const connection = await openConnection(server.port);
    const token = tokenOf(1 + (number % world.viewers));
    for (let n = number; !isOver; n++) {
      const path = PAGES[n % PAGES.length]!;
      const began = performance.now();
      const { status } = await connection.ask(
        requestBytes("GET", path, { host: world.host, token }),
      );
      times.push(performance.now() - began);
      if (status !== 200) throw new Error(`${path} answered ${status} to somebody else`);
      await sleep(PAUSE_MS);
    }
    connection.close();
  };
  const reading = Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => read(n)));
  return {
    async stop() {
      isOver = true;
      await reading;
      return times;
    },
  };
};

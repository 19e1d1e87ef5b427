// Starts the process of everybody else, who go on while something is hot: see living.ts.

import { startFloor } from "../floors/process.ts";
import type { Bench } from "../scenarios/scenario.ts";
import type { Living } from "./living.ts";

export type Others = {
  /** Returns a function that returns the milliseconds of each answer since. */
  mark(): Promise<() => Promise<number[]>>;
  /** Stops, and returns the milliseconds of all answers. */
  stop(): Promise<number[]>;
};

const start = async ({ world, server }: Bench, habit: Living["habit"]): Promise<Others> => {
  const people = await startFloor("../hot/living");
  await people.ask("begin", { world, port: server.port, habit } satisfies Living);
  return {
    async mark() {
      const from = await people.ask<number>("count");
      return () => people.ask<number[]>("since", from);
    },
    async stop() {
      const times = await people.ask<number[]>("end");
      await people.stop();
      return times;
    },
  };
};

export const startOthers = (bench: Bench): Promise<Others> => start(bench, "readers");

export const startWriters = (bench: Bench): Promise<Others> => start(bench, "writers");

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

/** The process of all of them, from which both habits can be started again and again. */
export type Everybody = {
  readers(bench: Bench): Promise<Others>;
  writers(bench: Bench): Promise<Others>;
};

export const startEverybody = async (): Promise<Everybody> => {
  const people = await startFloor("../hot/living");
  const start =
    (habit: Living["habit"]) =>
    async ({ world, server }: Bench): Promise<Others> => {
      const work: Living = { world, port: server.port, habit };
      const number = await people.ask<number>("begin", work);
      return {
        async mark() {
          const from = await people.ask<number>("count", number);
          return () => people.ask<number[]>("since", { number, from });
        },
        stop: () => people.ask<number[]>("end", number),
      };
    };
  return { readers: start("readers"), writers: start("writers") };
};

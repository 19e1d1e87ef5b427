// A journey: steps that build on each other. After a failed step the others fail at once, instead of waiting for what
// never comes.

import { it } from "node:test";
import type { TestContext } from "node:test";
import { onlyOne } from "./layouts.ts";

/** A process with its log. */
type Witness = { host: string; log(): string };

type Work = (context: TestContext) => Promise<void>;

export type Step = {
  (name: string, work: Work): void;
  /** Declares a step for servers of one process; it is skipped with several. */
  ofOne(name: string, work: Work): void;
};

/** Returns `it` for the steps of one journey; the first failure shows the servers' logs. */
export const journey = (servers: () => (Witness | undefined)[]): Step => {
  let failed: string | null = null;
  const declare = (name: string, work: Work, skip: string | false): void =>
    void it(name, { skip }, async (context) => {
      if (failed !== null) throw new Error(`the step "${failed}" failed before this one`);
      try {
        await work(context);
      } catch (error) {
        failed = name;
        for (const server of servers()) {
          if (server) console.error(`--- ${server.host}\n${server.log().slice(-20_000)}`);
        }
        throw error;
      }
    });
  return Object.assign((name: string, work: Work) => declare(name, work, false), {
    ofOne: (name: string, work: Work) => declare(name, work, onlyOne),
  });
};

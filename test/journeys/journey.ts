// A journey: steps that build on each other. After one that failed the others fail at once, since
// they would only wait for what never comes.

import { it } from "node:test";
import type { TestContext } from "node:test";

/** A process that says what it wrote. */
type Witness = { host: string; log(): string };

export type Step = (name: string, work: (context: TestContext) => Promise<void>) => void;

/** Gives `it` for the steps of one journey; the first failure shows what the servers wrote. */
export const journey = (servers: () => (Witness | undefined)[]): Step => {
  let failed: string | null = null;
  return (name, work) =>
    void it(name, async (context) => {
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
};

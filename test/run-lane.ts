// Runs test files of a queue in a process (test/lane.ts), and prints what each reports once it is over.

import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";
import type { Count } from "./journeys/layouts.ts";

const LANE = new URL("lane.ts", import.meta.url).pathname;

/** Much lives for one request or one test: with room for it, a tenth of the time of tests is saved. */
const MEMORY_FLAGS = ["--max-semi-space-size=64", "--min-semi-space-size=32"];

export type Surroundings = { env?: NodeJS.ProcessEnv; execArgv?: string[] };

/** What is printed once more at the end, where a log that was cut still has it. */
export const failures: string[] = [];
/** Of the error of one. */
const MAX_FAILURE_LENGTH = 2000;

const print = async (events: TestEvent[]): Promise<void> =>
  console.log(await text(Readable.from(events).compose(new spec())));

const failureOf = (error: Error): unknown => (error as { failureType?: unknown }).failureType;

/** `file`: null once there is no other one, when what was thrown beside the tests is looked for. */
const countEvent = (count: Count, { type, data }: TestEvent, file: string | null): void => {
  if (type === "test:pass" && data.details.type !== "suite" && file !== null) {
    count[data.skip === undefined || data.skip === false ? "passed" : "skipped"] += 1;
  }
  if (type !== "test:fail") return;
  const { error } = data.details;
  // A suite fails with its tests, which are counted already, or by itself: a file that throws.
  if (data.details.type === "suite" && failureOf(error) === "subtestsFailed") return;
  count.failed += 1;
  const shown = inspect(error.cause ?? error).slice(0, MAX_FAILURE_LENGTH);
  failures.push(`✖ ${data.name} (${file ?? LANE})\n${shown}`);
};

/** Until the queue is empty, or the process dies. Whose tests are over is added to `over`. */
export const runLane = async (
  queue: string,
  over: string[],
  { env, execArgv = [] }: Surroundings,
): Promise<Count> => {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const events = run({
    files: [LANE],
    env: { ...process.env, ...env, TEST_QUEUE: queue },
    execArgv: [...MEMORY_FLAGS, ...execArgv],
  }) as AsyncIterable<TestEvent>;
  let told: TestEvent[] = [];
  let begun: string | null = null;
  for await (const event of events) {
    told.push(event);
    countEvent(count, event, begun);
    const { type, data } = event;
    if (type === "test:dequeue" && data.nesting === 0 && data.type === "suite") begun = data.name;
    if (type !== "test:pass" && type !== "test:fail") continue;
    // The suite of a whole file.
    if (data.nesting > 0 || data.details.type !== "suite") continue;
    over.push(data.name);
    await print(told);
    [told, begun] = [[], null];
  }
  await print(told);
  return count;
};

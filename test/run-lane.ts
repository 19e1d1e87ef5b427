// Runs test files of a queue in a process (test/lane.ts), and prints the report of each once it is over.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { totalmem } from "node:os";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";
import type { Count } from "./journeys/layouts.ts";

const LANE = new URL("lane.ts", import.meta.url).pathname;
/** What most files import, and what those with browsers do. */
const COMMON = ["harness.ts", "browser/open.ts"].map((file) => new URL(file, import.meta.url).href);

/** Bytes of memory of the machine, or those that a container may take. */
const MEMORY = Math.min(totalmem(), process.constrainedMemory() || Infinity);

/** Megabytes that old objects may take before V8 collects any: a small part, since several processes run. */
const OLD_MEGABYTES = Math.min(512, Math.floor(MEMORY / 24 / 1024 ** 2));

/**
 * V8's flags: many objects live for one request or test; with room for them, tests take a tenth less time. A process
 * that does nothing for a moment waits for a test, and has nothing to collect; collections of old objects would take
 * a twelfth.
 */
const MEMORY_FLAGS = [
  "--max-semi-space-size=64",
  "--min-semi-space-size=64",
  `--initial-old-space-size=${OLD_MEGABYTES}`,
  "--no-memory-reducer",
];

/**
 * Milliseconds of silence after which a process is killed: a file's own limit (test/lane.ts) does not hold in its
 * hooks.
 */
const SILENCE_MS = 420_000;

/** Characters of a test's error. */
const MAX_FAILURE_LENGTH = 2000;

export type Surroundings = { env?: NodeJS.ProcessEnv; execArgv?: string[] };

/** The result of a test file, or of what a process did once it had no other file. */
export type Result = { file: string; count: Count; failures: string[]; ms: number };

const print = async (events: TestEvent[]): Promise<void> =>
  console.log(await text(Readable.from(events).compose(new spec())));

const failureOf = (error: Error): unknown => (error as { failureType?: unknown }).failureType;

/** Returns how long a test file took, in milliseconds, if the event is its end; otherwise null. */
const endOfFile = ({ type, data }: TestEvent): number | null =>
  (type === "test:pass" || type === "test:fail") &&
  data.nesting === 0 &&
  data.details.type === "suite"
    ? data.details.duration_ms
    : null;

const countEvent = ({ file, count, failures }: Result, { type, data }: TestEvent): void => {
  if (type === "test:pass" && data.details.type !== "suite" && file !== LANE) {
    count[data.skip === undefined || data.skip === false ? "passed" : "skipped"] += 1;
  }
  if (type !== "test:fail") return;
  const { error } = data.details;
  // A suite fails with its tests, which are counted already, or by itself: a file that throws.
  if (data.details.type === "suite" && failureOf(error) === "subtestsFailed") return;
  count.failed += 1;
  const shown = inspect(error.cause ?? error).slice(0, MAX_FAILURE_LENGTH);
  failures.push(`✖ ${data.name} (${file})\n${shown}`);
};

const resultOf = (file: string, events: TestEvent[]): Result => {
  const result = { file, count: { passed: 0, failed: 0, skipped: 0 }, failures: [], ms: 0 };
  for (const event of events) countEvent(result, event);
  return result;
};

/** Returns the result of a file whose process ended before the file did. */
const brokenOff = (file: string, events: TestEvent[]): Result => {
  const { count, failures, ms } = resultOf(file, events);
  failures.push(`✖ ${file}: its process ended before its tests`);
  return { file, count: { ...count, failed: Math.max(1, count.failed) }, failures, ms };
};

/** Compiles what files have in common, in the cache of all processes: each would do so by itself. */
export const compileOnce = async (): Promise<void> => {
  const code = `for (const file of ${JSON.stringify(COMMON)}) await import(file); process.exit();`;
  const args = [...MEMORY_FLAGS, "--input-type=module", "--eval", code];
  await once(spawn(process.execPath, args, { stdio: "inherit" }), "exit");
};

/** Runs until the queue is empty, or the process dies. */
export const runLane = async (
  queue: string,
  { env, execArgv = [] }: Surroundings,
): Promise<Result[]> => {
  const silence = new AbortController();
  const end = () => silence.abort();
  let timer = setTimeout(end, SILENCE_MS);
  const events = run({
    files: [LANE],
    env: { ...process.env, ...env, TEST_QUEUE: queue },
    execArgv: [...MEMORY_FLAGS, ...execArgv],
    signal: silence.signal,
  }) as AsyncIterable<TestEvent>;
  const results: Result[] = [];
  let told: TestEvent[] = [];
  let begun: string | null = null;
  for await (const event of events) {
    clearTimeout(timer);
    timer = setTimeout(end, SILENCE_MS);
    told.push(event);
    const { type, data } = event;
    if (type === "test:dequeue" && data.nesting === 0 && data.type === "suite") begun = data.name;
    const ms = endOfFile(event);
    if (ms === null) continue;
    results.push({ ...resultOf(begun!, told), ms });
    await print(told);
    [told, begun] = [[], null];
  }
  clearTimeout(timer);
  await print(told);
  return [...results, begun === null ? resultOf(LANE, told) : brokenOff(begun, told)];
};

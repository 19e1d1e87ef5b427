// A process that runs test files one after another, each in a suite of its own with its own hooks, until the queue that
// it shares with others is empty. Modules that the files import are loaded and compiled once.

import "./rows/record.ts";
import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { endAll } from "./at-end.ts";
import { addCost } from "./costs.ts";
import { takeNext } from "./queue.ts";
import { startTracking, stopTracking } from "./untracked.ts";

const { after, suite, test } = await import("node:test");

/** Milliseconds to exit: a test that keeps the process alive after its end has a fault, but is no reason to wait. */
const EXIT_MS = 20_000;

const isSplit = process.env["JOURNEYS"] === "split";
/**
 * Milliseconds for a file. A server of five processes takes five times as long to start, and several of them run at
 * once (`npm run journeys`).
 */
const TIMEOUT_MS = process.env["JOURNEYS"] === undefined ? 600_000 : 900_000;

/** Errors that no test awaited, with the file that was running. */
const lost: string[] = [];
let running = "";

for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    lost.push(`${running}: ${text}`);
  });
}

const nothingIsLost = (): void =>
  assert.equal(lost.splice(0).join("\n\n"), "", "something was thrown beside the tests");

const declare = async (file: string): Promise<void> => {
  try {
    await import(new URL(`../${file}`, import.meta.url).href);
    after(nothingIsLost);
  } finally {
    stopTracking();
  }
};

const queue = process.env["TEST_QUEUE"]!;
for (let file = takeNext(queue); file !== null; file = takeNext(queue)) {
  const path = file;
  running = path;
  startTracking();
  const name = isSplit ? `${path}, several processes` : path;
  await suite(name, { timeout: TIMEOUT_MS }, () => declare(path));
  addCost(name);
  // Its reports are sent before the next file can end the process.
  await turn();
}

await test("nothing is thrown after the tests", nothingIsLost);
after(endAll);

after(() => {
  const leave = () => {
    console.log(`still open after the tests: ${process.getActiveResourcesInfo().join(", ")}`);
    process.exit();
  };
  setTimeout(leave, EXIT_MS).unref();
});

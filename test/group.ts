// The process of one group of test files: they share what they import, already compiled, and follow one
// another, each in a suite of its own so that its hooks are its own.

import assert from "node:assert/strict";
import { stopTracking } from "./untracked.ts";

const { after, before, suite, test } = await import("node:test");

/** What keeps a process alive after its last test is a fault of that test, but no reason to wait. */
const EXIT_MS = 20_000;

const isSplit = process.env["JOURNEYS"] === "split";
/** A server of five processes takes five times as long to start, and those of one run beside them (`npm run journeys`). */
const TIMEOUT_MS = process.env["JOURNEYS"] === undefined ? 300_000 : 900_000;

/** Errors that no test awaited, with the file that was running. */
const lost: string[] = [];
let running = "";

for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    lost.push(`${running}: ${text}`);
  });
}

let undeclared = 0;
const files = JSON.parse(process.env["TEST_FILES"]!) as string[];
for (const file of files) {
  const url = new URL(`../${file}`, import.meta.url).href;
  suite(isSplit ? `${file}, several processes` : file, { timeout: TIMEOUT_MS }, async () => {
    before(() => void (running = file));
    undeclared += 1;
    await import(url);
    undeclared -= 1;
    if (undeclared === 0) stopTracking();
  });
}

test(`nothing is thrown beside the tests of ${files.join(", ")}`, () => {
  assert.equal(lost.join("\n\n"), "");
});

after(() => {
  const leave = () => {
    console.log(`still open after the tests: ${process.getActiveResourcesInfo().join(", ")}`);
    process.exit();
  };
  setTimeout(leave, EXIT_MS).unref();
});

// Counts the CPU time of each test file of a run, with that of the programs that it started and that have ended:
// where all cores are busy, this is what a file costs the run, while its time depends on what runs beside it.

import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** Linux counts a process's own time and that of its ended children in this file (proc_pid_stat(5)). */
const STAT = "/proc/self/stat";
/** Number of these units in a second (USER_HZ), which Linux shows to programs as 100. */
const TICKS = 100;

/** Returns the seconds of CPU so far; null on other systems. */
const secondsSoFar = (): number | null => {
  if (!existsSync(STAT)) return null;
  // The name of the program, in brackets, may have spaces. After it comes the third field.
  const fields = readFileSync(STAT, "utf8").split(") ").at(-1)!.split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
};

let before = secondsSoFar();

/** Appends what a file cost to the record of the run (TEST_COSTS); its own process calls this when the file is over. */
export const addCost = (name: string): void => {
  const now = secondsSoFar();
  const record = process.env["TEST_COSTS"];
  if (record && now !== null && before !== null) {
    appendFileSync(record, `${JSON.stringify({ name, seconds: now - before })}\n`);
  }
  before = now;
};

/** Returns the files of a record, the dearest first. */
export const readCosts = (record: string): { name: string; seconds: number }[] => {
  if (!existsSync(record)) return [];
  const lines = readFileSync(record, "utf8").split("\n").filter(Boolean);
  return lines
    .map((line) => JSON.parse(line) as { name: string; seconds: number })
    .toSorted((a, b) => b.seconds - a.seconds);
};

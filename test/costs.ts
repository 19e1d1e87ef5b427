// Counts the CPU time of each test file of a run, with that of the programs that it started, or that work for it, like a
// browser that files share: where all cores are busy, this is what a file costs the run, while its time depends on what
// runs beside it.

import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";

/** Linux tells here of each process, with the time of its ended children (proc_pid_stat(5)). */
const PROCESSES = "/proc";
/** Number of these units in a second (USER_HZ), which Linux shows to programs as 100. */
const TICKS = 100;

type Running = { parent: number; seconds: number };

/** Returns null for a process that has ended meanwhile. */
const readProcess = (id: string): Running | null => {
  try {
    // The name of the program, in brackets, may have spaces. After it comes the third field.
    const stat = readFileSync(`${PROCESSES}/${id}/stat`, "utf8");
    const fields = stat.split(") ").at(-1)!.split(" ").map(Number);
    const seconds = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) / TICKS;
    return { parent: fields[1]!, seconds };
  } catch {
    return null;
  }
};

/** Returns the seconds of CPU so far of this process and of all below it; null on other systems. */
const secondsSoFar = (): number | null => {
  if (!existsSync(`${PROCESSES}/self/stat`)) return null;
  const ids = readdirSync(PROCESSES).filter((name) => /^\d+$/.test(name));
  const all = new Map(ids.map((id) => [Number(id), readProcess(id)] as const));
  const isBelow = (id: number): boolean =>
    id === process.pid || (id > 0 && isBelow(all.get(id)?.parent ?? 0));
  return [...all].reduce((sum, [id, found]) => sum + (found && isBelow(id) ? found.seconds : 0), 0);
};

let before = secondsSoFar();

/** Appends what a file cost to the record of the run (TEST_COSTS); its own process calls this when the file is over. */
export const addCost = (name: string): void => {
  const now = secondsSoFar();
  const record = process.env["TEST_COSTS"];
  if (record && now !== null && before !== null) {
    // A program that was killed takes along what its own children cost.
    const seconds = Math.max(0, now - before);
    appendFileSync(record, `${JSON.stringify({ name, seconds })}\n`);
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

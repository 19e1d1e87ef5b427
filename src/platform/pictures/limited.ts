// Starts programs that read files from strangers: with a lower priority than the server, a limit of processor time, and
// a limit of memory where the system has `prlimit` (util-linux).

import type { ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { findProgram } from "../config/programs.ts";

const NICE = 10;

/**
 * Lowers the priority of a process, so that it runs when nothing else needs the processor, and lets Linux end it before
 * all others where memory runs out: the server or its database would be ended otherwise.
 */
export const makeNice = ({ pid }: { pid?: number | undefined }): void => {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICE);
    if (process.platform === "linux") writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
  } catch {
    // The process has ended already.
  }
};

type MemoryLimit = {
  bytes: number;
  /** Limits data instead of address space for V8, which reserves far more addresses than it uses. */
  what: "as" | "data";
};

let prlimit: string | null | undefined;

export const limited = (
  limit: MemoryLimit,
  command: string,
  args: string[],
  start: (command: string, args: string[]) => ChildProcess,
): ChildProcess => {
  prlimit ??= findProgram("prlimit");
  return prlimit === null
    ? start(command, args)
    : start(prlimit, [`--${limit.what}=${limit.bytes}`, command, ...args]);
};

/** Milliseconds of a clock tick: Linux reports process times in hundredths of a second. */
const TICK_MS = 10;
/**
 * Factor by which the limit of elapsed time exceeds that of processor time: a process may wait for everything else on
 * the machine, or hang.
 */
const PATIENCE = 4;
const CHECK_MS = 200;

/**
 * Returns the milliseconds that a process has used so far; null where the system does not report them.
 * proc_pid_stat(5), fields 14 and 15.
 */
const processorMs = (pid: number | undefined): number | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [user = "", system = ""] = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    return (Number(user) + Number(system)) * TICK_MS;
  } catch {
    return null;
  }
};

/**
 * Calls `onLate` once the process, with all its threads, has used `ms` of processor time from now on; where the system
 * does not report that, after that much elapsed time. The result ends the watch. A limit of elapsed time alone would
 * refuse good files on a busy machine.
 */
export const limitProcessor = (
  { pid }: { pid?: number | undefined },
  ms: number,
  onLate: () => void,
  patience = PATIENCE,
): (() => void) => {
  const [began, before] = [performance.now(), processorMs(pid) ?? 0];
  const check = (): void => {
    const used = processorMs(pid);
    const left = used === null ? 0 : ms - (used - before);
    if (left <= 0 || performance.now() - began >= ms * patience) return onLate();
    timer = setTimeout(check, Math.max(CHECK_MS, left)).unref();
  };
  let timer = setTimeout(check, ms).unref();
  return () => clearTimeout(timer);
};

// Starts programs that read what strangers sent: with less of the processor than the server, and with limits of the
// time that it takes them, and of memory where the system has `prlimit` (util-linux).

import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { findProgram } from "../config/programs.ts";

const NICE = 10;

/** It goes on when nothing else wants the processor. */
export const makeNice = ({ pid }: { pid?: number | undefined }): void => {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICE);
  } catch {
    // It has ended already.
  }
};

type MemoryLimit = {
  bytes: number;
  /** V8 reserves far more addresses than it uses, so that only its data can be limited. */
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

/** Linux tells programs times in hundredths of a second. */
const TICK_MS = 10;
/** By the clock it may take so much longer: it may have to wait for everything else on the machine, or hang. */
const PATIENCE = 4;
const CHECK_MS = 200;

/** What a process used so far; null where the system does not say. proc_pid_stat(5), fields 14 and 15. */
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
 * Calls `onLate` once the process has used so much processor time from now on, with all its threads; where the system
 * does not say how much, after that time. The result ends the watch. A limit by the clock would refuse on a busy
 * machine what is fine.
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

// Starts programs that read what strangers sent: with less of the processor than the server, and with limits of
// memory where the system has `prlimit` (util-linux).

import type { ChildProcess } from "node:child_process";
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

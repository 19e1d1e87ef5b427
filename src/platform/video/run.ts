// Runs ffmpeg and ffprobe with limits of time and memory, and with access to one file only: no network, and no other
// files that a playlist or a container names.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { programEnvironment } from "../config/programs.ts";
import { Unprocessable } from "../errors.ts";
import { limited, limitProcessor, makeNice } from "../pictures/limited.ts";

const MEMORY_BYTES = 2 * 1024 * 1024 * 1024;
/** Bytes kept of a program's output. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

export const UNREADABLE = "The file is damaged or of a kind that this server cannot read";

/** Thrown when a program used more processor time than it was given. */
export class TakesTooLong extends Unprocessable {}

const running = new Set<ChildProcess>();

/** Kills running programs; their files are processed again later. */
export const stopPrograms = (): void => {
  for (const child of running) {
    running.delete(child);
    child.kill("SIGKILL");
  }
};

/**
 * Returns what a program printed. Throws Unprocessable when it failed, or used more than `timeMs` of processor time
 * with all its threads.
 */
export const runProgram = (command: string, args: string[], timeMs: number): Promise<string> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = limited({ bytes: MEMORY_BYTES, what: "as" }, command, args, (program, all) =>
    spawn(program, all, { stdio: ["ignore", "pipe", "ignore"], env: programEnvironment() }),
  );
  makeNice(child);
  let output = "";
  running.add(child);
  const unwatch = limitProcessor(child, timeMs, () => {
    reject(new TakesTooLong("The file takes too long to read"));
    child.kill("SIGKILL");
  });
  child.stdout!.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    if (output.length > MAX_OUTPUT_BYTES) child.kill("SIGKILL");
  });
  child.on("error", reject);
  child.on("close", (code, signal) => {
    unwatch();
    const isEnded = signal === "SIGKILL" && output.length <= MAX_OUTPUT_BYTES;
    if (!running.delete(child)) reject(new Error("the server is closing"));
    else if (code === 0) resolve(output);
    // The file may be good: there was no memory for it at this moment, and the job is tried again.
    else if (isEnded) reject(new Error(`the system ended ${command}, probably for lack of memory`));
    else reject(new Unprocessable(UNREADABLE));
  });
  return promise;
};

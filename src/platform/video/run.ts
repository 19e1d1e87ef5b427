// Runs ffmpeg and ffprobe with limits of time and memory, and without anything but the one file: no network, no
// other files that a playlist or a container names.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { programEnvironment } from "../config/programs.ts";
import { Unprocessable } from "../errors.ts";
import { limited, limitProcessor, makeNice } from "../pictures/limited.ts";

const MEMORY_BYTES = 2 * 1024 * 1024 * 1024;
/** Of what a program says. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

export const UNREADABLE = "The file is damaged or of a kind that this server cannot read";

/** More of the processor than it was given. */
export class TakesTooLong extends Unprocessable {}

const running = new Set<ChildProcess>();

/** Ends what runs; the files are read again later. */
export const stopPrograms = (): void => {
  for (const child of running) {
    running.delete(child);
    child.kill("SIGKILL");
  }
};

/** What it printed; Unprocessable when it failed or took too long: so much of the processor, with all its threads. */
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
  child.on("close", (code) => {
    unwatch();
    if (!running.delete(child)) reject(new Error("the server is closing"));
    else if (code === 0) resolve(output);
    else reject(new Unprocessable(UNREADABLE));
  });
  return promise;
};

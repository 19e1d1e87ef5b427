// A clock that jumps by days, for all processes of the soak and PostgreSQL at the same moment: the soak starts itself
// again with a library that overrides the C library's clock (clock.c), which the C compiler makes. Libfaketime does not
// work: it shows the real time to handlers of signals that interrupt a wait, and PostgreSQL then ends no wait for a
// lock, nor finds deadlocks (docs/design/overload.md).

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOURCE = new URL("clock.c", import.meta.url).pathname;
const LIBRARY = "clock.so";
const FILE = "SOAK_CLOCK_FILE";
const DAY_SECONDS = 86_400;

export type Clock = {
  /** Variables for processes that do not inherit them. */
  environment: Record<string, string>;
  jump(days: number): void;
};

const variablesOf = (folder: string): Record<string, string> => ({
  LD_PRELOAD: join(folder, LIBRARY),
  [FILE]: join(folder, "ahead"),
});

/** Writes in place, because the processes have mapped the file. */
const write = (file: string, seconds: number): void => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(seconds));
  writeFileSync(file, bytes, { flag: "r+" });
};

const clockOf = (environment: Record<string, string>): Clock => {
  let ahead = 0;
  return {
    environment,
    jump(days) {
      ahead += days * DAY_SECONDS;
      write(environment[FILE]!, ahead);
    },
  };
};

/** Compiles the library; returns false where that fails. */
const compile = (folder: string): boolean => {
  const args = ["-shared", "-fPIC", "-O2", "-o", join(folder, LIBRARY), SOURCE];
  return process.platform === "linux" && spawnSync("cc", args, { stdio: "inherit" }).status === 0;
};

/** Runs this program again with its arguments, and exits with its code. */
const runAgain = async (variables: Record<string, string>, folder: string): Promise<never> => {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: "inherit",
    env: { ...process.env, ...variables },
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => void child.kill(signal));
  const [code] = (await once(child, "exit")) as [number | null];
  rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? 1);
};

/** Returns null where there is no C compiler. */
export const openClock = async (): Promise<Clock | null> => {
  const { [FILE]: file, LD_PRELOAD: library } = process.env;
  if (file !== undefined && library !== undefined)
    return clockOf({ LD_PRELOAD: library, [FILE]: file });
  const folder = mkdtempSync(join(tmpdir(), "rookery-soak-"));
  if (compile(folder)) {
    // PostgreSQL, which does not run as root, reads it, too.
    chmodSync(folder, 0o755);
    const variables = variablesOf(folder);
    writeFileSync(variables[FILE]!, Buffer.alloc(8));
    return runAgain(variables, folder);
  }
  rmSync(folder, { recursive: true, force: true });
  return null;
};

// Keeps a small database of a version for ever: a server of its code is started, filled through its API and backed up
// by its own command. `node packages/upgrade-check/test/dump.ts` does it for the present commit, when it is released,
// and `… dump.ts COMMIT VERSION` for another one.

import { execFile, execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../../../test/free-port.ts";
import { fill } from "./fill.ts";

export const ROOT = join(import.meta.dirname, "../../..");

export const DUMPS = join(import.meta.dirname, "dumps");

/** Every version of which there is a dump, with the commit that made it, oldest first. */
const TABLE = join(DUMPS, "versions.json");

export type Version = { version: string; commit: string };

export const readVersions = (): Version[] => JSON.parse(readFileSync(TABLE, "utf8"));

export const dumpOf = ({ version }: Version): string => join(DUMPS, `${version}.backup`);

/** Bytes of a dump: they stay in the repository for ever. */
export const MOST_BYTES = 60 * 1024;

type Env = Record<string, string>;

const git = (...args: string[]): Buffer =>
  execFileSync("git", ["-C", ROOT, ...args], {
    maxBuffer: 1024 ** 3,
    stdio: ["ignore", "pipe", "ignore"],
  });

/** Whether the repository has the commit: a shallow clone lacks old ones. */
export const hasCommit = (commit: string): boolean => {
  try {
    git("cat-file", "-e", `${commit}^{commit}`);
    return true;
  } catch {
    return false;
  }
};

/** Writes the files of a commit into a folder, with the modules that are installed here, and builds its web client. */
export const checkOut = (commit: string, folder: string): string => {
  const checkout = join(folder, "checkout");
  mkdirSync(checkout);
  execFileSync("tar", ["-x", "-C", checkout], { input: git("archive", commit) });
  symlinkSync(join(ROOT, "node_modules"), join(checkout, "node_modules"));
  execFileSync(process.execPath, ["web/build.ts"], { cwd: checkout, stdio: "ignore" });
  return checkout;
};

const environment = async (folder: string): Promise<Env> => {
  const port = String(await freePort());
  return {
    PATH: process.env["PATH"]!,
    HOME: folder,
    PORT: port,
    LOCAL_DOMAIN: `127.0.0.1:${port}`,
    LOCAL_HTTPS: "false",
    DATA_DIR: join(folder, "data"),
    ALLOWED_PRIVATE_ADDRESSES: "127.0.0.0/8",
    RATE_LIMITS: "false",
    LOG_LEVEL: "error",
  };
};

/** The program of a checkout, with these settings, in a folder without a file of settings. */
export const programOf = (checkout: string, folder: string, env: Env) => {
  const program = join(checkout, "bin/rookery");
  return {
    async run(...words: string[]): Promise<string> {
      const { stdout } = await promisify(execFile)(program, words, { cwd: folder, env });
      return stdout.trim().split("\n").at(-1)!;
    },
    start: (...words: string[]): ChildProcess =>
      spawn(program, ["start", ...words], { cwd: folder, env, stdio: ["ignore", 2, 2] }),
  };
};

/** Waits for a server that was started; throws where it ends instead. */
export const untilReady = async (server: ChildProcess, url: string): Promise<void> => {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await sleep(50);
  }
};

export const stop = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill("SIGTERM");
  await once(server, "exit");
};

/** Adds a version to the table, or replaces its commit. */
const enter = (entry: Version): void => {
  const others = readVersions().filter(({ version }) => version !== entry.version);
  writeFileSync(TABLE, `${JSON.stringify([...others, entry], null, 2)}\n`);
};

/**
 * Makes the dump of a version from its commit and enters it in the table, by which the test finds it; returns its path.
 * Throws for one that is too large.
 */
const keepDump = async (commit: string, version: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-dump-"));
  const entry = { version, commit: git("rev-parse", commit).toString().trim() };
  const path = dumpOf(entry);
  try {
    const env = await environment(folder);
    const { run, start } = programOf(checkOut(entry.commit, folder), folder, env);
    const server = start();
    try {
      const url = `http://${env["LOCAL_DOMAIN"]}`;
      await untilReady(server, url);
      await fill({ url, rookery: run });
    } finally {
      await stop(server);
    }
    rmSync(path, { force: true });
    await run("backup", path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const { size } = statSync(path);
  if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes, at most ${MOST_BYTES}`);
  enter(entry);
  return path;
};

if (import.meta.main) {
  const [commit = "HEAD", given] = process.argv.slice(2);
  const { version } = JSON.parse(git("show", `${commit}:package.json`).toString());
  console.log(await keepDump(commit, given ?? version));
}

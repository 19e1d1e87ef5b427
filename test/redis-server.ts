// A real Valkey or Redis for one test file, on a socket of its own, which can be killed and started again empty.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findProgram } from "../src/platform/config/programs.ts";

const NAMES = ["valkey-server", "redis-server"];

export const redisProgram = NAMES.map(findProgram).find((path) => path !== null) ?? null;

/** Value for tests' `skip`: why they cannot run. With NEED_REDIS tests fail instead. */
export const withoutRedis =
  redisProgram === null && process.env["NEED_REDIS"] === undefined
    ? "there is no redis-server (apt-get install redis-server)"
    : false;

export type RedisServer = {
  url: string;
  pid(): number;
  kill(): Promise<void>;
  /** Starts it empty. */
  start(): Promise<void>;
  close(): Promise<void>;
};

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once("error", () => resolve(false));
    socket.once("data", () => resolve(socket.destroy() !== null));
    socket.write("PING\r\n");
  });

export const startRedis = async (): Promise<RedisServer> => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-redis-"));
  const path = join(folder, "redis.sock");
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    if (redisProgram === null) throw new Error("there is no redis-server");
    const args = ["--port", "0", "--unixsocket", path, "--save", "", "--dir", folder];
    child = spawn(redisProgram, args, { stdio: "ignore" });
    for (let n = 0; n < 500 && !(await answers(path)); n++) await sleep(10);
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  };
  process.once("exit", () => child.kill("SIGKILL"));
  await start();
  return {
    url: path,
    pid: () => child.pid!,
    kill,
    start,
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const LATE_MS = 50;

/** Opens a proxy to a Valkey that delays commands a little: what a process has not waited for is not done yet. */
export const startLateRedis = async (url: string): Promise<string> => {
  const path = `${url}.late`;
  const proxy = createServer((near) => {
    const far = createConnection(url);
    near.on("data", (data) => setTimeout(() => far.write(data), LATE_MS));
    far.pipe(near);
    near.on("close", () => far.destroy());
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
  });
  proxy.unref();
  await new Promise<void>((resolve) => proxy.listen(path, resolve));
  return path;
};

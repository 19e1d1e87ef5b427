// A server of several processes: by default two for the web, two workers and one for the streams, over one PostgreSQL
// and one Valkey, behind a proxy. From outside it is one server.

import { setTimeout as sleep } from "node:timers/promises";
import { startEmbedded } from "../../src/platform/db/embedded.ts";
import type { EmbeddedDatabase } from "../../src/platform/db/embedded.ts";
import { freePort } from "../free-port.ts";
import { startRedis } from "../redis-server.ts";
import type { RedisServer } from "../redis-server.ts";
import { makeFolder, removeFolder, runNode } from "./process.ts";
import type { Ended, Running } from "./process.ts";
import { startProxy } from "./proxy.ts";
import { BIN, makeDataFolder, serverOf, settings, waitUntilUp } from "./server.ts";
import type { RealServer, ServerOptions } from "./server.ts";

const ROLES = ["web", "web", "worker", "worker", "streaming"];

/** One process. */
export type Part = {
  name: string;
  url: string;
  pid(): number;
  isAlive(): boolean;
  log(): string;
  /** Returns the output of its present process. */
  printed(): string;
  start(): Promise<void>;
  stop(): Promise<Ended>;
  kill(): Promise<void>;
};

export type Cluster = RealServer & {
  parts: Part[];
  /** Returns the first process with this name: web1, web2, worker1 … */
  part(name: string): Part;
  redis: RedisServer;
  database: EmbeddedDatabase;
};

const partOf = (name: string, role: string, env: Record<string, string>): Part => {
  const processes: Running[] = [];
  const present = () => processes.at(-1)!;
  const isAlive = (): boolean => processes.at(-1)?.alive() ?? false;
  const url = `http://127.0.0.1:${env["PORT"]}`;
  const end = async (signal: NodeJS.Signals): Promise<Ended> => {
    // One of the others may have failed before this one was started.
    if (processes.length === 0) return { code: 0, signal: null };
    if (isAlive()) present().child.kill(signal);
    return present().ended;
  };
  return {
    name,
    url,
    pid: () => present().pid,
    isAlive,
    log: () =>
      processes.map((process) => process.out() + process.err()).join("\n--- started again ---\n"),
    printed: () => present().out(),
    async start() {
      processes.push(runNode([BIN, "start", "--roles", role], { cwd: env["DATA_DIR"]!, env }));
      await waitUntilUp(present(), url);
    },
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
  };
};

const makeParts = async (env: Record<string, string>, roles: string[]): Promise<Part[]> => {
  const parts: Part[] = [];
  const counts = new Map<string, number>();
  for (const role of roles) {
    const number = (counts.get(role) ?? 0) + 1;
    counts.set(role, number);
    const own = { ...env, PORT: String(await freePort()) };
    parts.push(partOf(`${role}${number}`, role, own));
  }
  return parts;
};

const portsOf = (parts: Part[], role: string): number[] =>
  parts.filter(({ name }) => name.includes(role)).map(({ url }) => Number(new URL(url).port));

/** Starts all processes; call `remove` in `after`. */
export const startCluster = async (
  options: ServerOptions & {
    roles?: string[];
    /** Environment of all processes and PostgreSQL. */
    environment?: Record<string, string>;
  } = {},
): Promise<Cluster> => {
  const { environment = {} } = options;
  const [dataDir, databaseFolder] = [makeFolder(), makeDataFolder()];
  const port = await freePort();
  const [redis, database] = await Promise.all([
    startRedis(),
    startEmbedded({ dataDir: databaseFolder, environment }),
  ]);
  const own = { ...environment, ...options.env };
  const shared = { DATABASE_URL: database.url, REDIS_URL: redis.url, ...own };
  const env = settings(port, dataDir, { ...options, env: shared });
  const parts = await makeParts(env, options.roles ?? ROLES);
  const closeProxy = await startProxy(port, {
    web: portsOf(parts, "web"),
    streaming: portsOf(parts, "streaming"),
  });
  const startTimes: number[] = [];
  const start = async (): Promise<number> => {
    const began = performance.now();
    // The first one migrates; on few cores starting them together is no faster.
    for (const part of parts) await part.start();
    startTimes.push(Math.round(performance.now() - began));
    return startTimes.at(-1)!;
  };
  const kill = async () => void (await Promise.all(parts.map((part) => part.kill())));
  const server = serverOf(
    { port, dataDir, env },
    {
      pid: () => parts[0]!.pid(),
      log: () => parts.map((part) => `--- ${part.name}\n${part.log()}`).join("\n"),
      printed: () => parts.map((part) => part.printed()).join("\n"),
      start,
      async stop() {
        const living = parts.filter((part) => part.isAlive());
        const ended = await Promise.all(living.map((part) => part.stop()));
        return ended.find(({ code }) => code !== 0) ?? ended[0]!;
      },
      kill,
      startTimes,
      async ended() {
        for (;;) await sleep(1000);
      },
      async remove() {
        await kill();
        await closeProxy();
        await database.stop();
        await redis.close();
        removeFolder(databaseFolder);
        removeFolder(dataDir);
      },
    },
  );
  try {
    await start();
  } catch (error) {
    await server.remove();
    throw error;
  }
  const part = (name: string): Part => parts.find((part) => part.name === name)!;
  return { ...server, parts, part, redis, database };
};

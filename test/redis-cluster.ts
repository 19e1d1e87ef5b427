// A real cluster of three nodes of Valkey or Redis, on ports of the loopback, for one test file.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { redisProgram } from "./redis-server.ts";

const HOST = "127.0.0.1";
const SLOTS = 16_384;
const NODES = 3;
/** What a machine that is five times slower than usual takes, and more. */
const PATIENCE = 3000;

/** So many ports that are free, none twice. */
const freePorts = async (count: number): Promise<number[]> => {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
};

const until = async (what: () => Promise<boolean>): Promise<void> => {
  for (let n = 0; n < PATIENCE; n++) {
    if (await what().catch(() => false)) return;
    await sleep(10);
  }
  throw new Error("the cluster does not get ready");
};

export type Node = {
  port: number;
  /** For what only one node can be told. */
  client: Redis;
  kill(): Promise<void>;
  /** With what it has saved. */
  start(): Promise<void>;
};

const makeNode = (folder: string, port: number, bus: number): Node => {
  mkdirSync(folder);
  const client = new Redis({ host: HOST, port, lazyConnect: true, retryStrategy: () => 20 });
  client.on("error", () => {}); // it is connected again when the node is there
  let child: ChildProcess | null = null;
  const args = Object.entries({
    port,
    bind: HOST,
    "cluster-enabled": "yes",
    "cluster-port": bus,
    "cluster-node-timeout": 1000,
    save: "",
    dir: folder,
  }).flatMap(([name, value]) => [`--${name}`, String(value)]);
  process.once("exit", () => child?.kill("SIGKILL"));
  return {
    port,
    client,
    async start() {
      if (redisProgram === null) throw new Error("there is no redis-server");
      child = spawn(redisProgram, args, { stdio: "ignore" });
      await until(async () => (await client.ping()) === "PONG");
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child!.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    },
  };
};

export type RedisCluster = {
  url: string;
  nodes: Node[];
  /** Every node knows all others, and that all slots are served. */
  ready(): Promise<void>;
  close(): Promise<void>;
};

export const startRedisCluster = async (): Promise<RedisCluster> => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-cluster-"));
  const ports = await freePorts(2 * NODES);
  const nodes = Array.from({ length: NODES }, (_, n) =>
    makeNode(join(folder, String(n)), ports[2 * n]!, ports[2 * n + 1]!),
  );
  const isReady = async ({ client }: Node): Promise<boolean> => {
    const info = await client.cluster("INFO");
    return info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${NODES}`);
  };
  const ready = async (): Promise<void> => {
    for (const node of nodes) await until(() => isReady(node));
  };
  const close = async (): Promise<void> => {
    for (const { client, kill } of nodes) {
      client.disconnect();
      await kill();
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(nodes.map((node) => node.start()));
    for (const [n, { client }] of nodes.entries()) {
      const from = Math.floor((n * SLOTS) / NODES);
      const to = Math.floor(((n + 1) * SLOTS) / NODES) - 1;
      await client.call("CLUSTER", "ADDSLOTSRANGE", from, to);
      await client.call("CLUSTER", "SET-CONFIG-EPOCH", n + 1);
      if (n > 0) await client.call("CLUSTER", "MEET", HOST, ports[0]!, ports[1]!);
    }
    await ready();
  } catch (error) {
    await close();
    throw error;
  }
  const url = `redis://${nodes.map(({ port }) => `${HOST}:${port}`).join()}`;
  return { url, nodes, ready, close };
};

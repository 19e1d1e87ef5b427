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
/** Milliseconds between attempts, each of which costs a node a command. */
const PAUSE_MS = 30;
/** Attempts, enough for a machine that is five times slower than usual. */
const PATIENCE = 1000;

/** Returns free ports, none twice. */
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
    await sleep(PAUSE_MS);
  }
  throw new Error("the cluster does not get ready");
};

const children = new Set<ChildProcess>();
process.once("exit", () => children.forEach((child) => child.kill("SIGKILL")));

export type Node = {
  port: number;
  /** Connection for commands to this node only. */
  client: Redis;
  kill(): Promise<void>;
  /** Starts with what it has saved. */
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
  return {
    port,
    client,
    async start() {
      if (redisProgram === null) throw new Error("there is no redis-server");
      child = spawn(redisProgram, args, { stdio: "ignore" });
      children.add(child);
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
  /** The masters in the order of their slots, then a replica of each. */
  nodes: Node[];
  /** Resolves when every node knows all others, and all slots are served. */
  ready(): Promise<void>;
  /** Adds an empty node without slots, or a replica. */
  add(of?: Node): Promise<Node>;
  close(): Promise<void>;
};

export const idOf = async ({ client }: Node): Promise<string> =>
  (await client.call("CLUSTER", "MYID")) as string;

/** Whether the node is a master that has slots. */
export const isMaster = async ({ client }: Node): Promise<boolean> => {
  const lines = ((await client.call("CLUSTER", "NODES")) as string).split("\n");
  return lines.some((line) => /myself,master.*connected \d/.test(line));
};

/** Begins to move the slot, without any of its keys. */
export const beginMove = async (slot: number, from: Node, to: Node): Promise<void> => {
  const [fromId, toId] = await Promise.all([idOf(from), idOf(to)]);
  await to.client.call("CLUSTER", "SETSLOT", slot, "IMPORTING", fromId);
  await from.client.call("CLUSTER", "SETSLOT", slot, "MIGRATING", toId);
};

/** Moves keys of the slot, at most `count`; returns how many they were. */
export const moveKeys = async (slot: number, from: Node, to: Node, count = 10): Promise<number> => {
  const names = (await from.client.call("CLUSTER", "GETKEYSINSLOT", slot, count)) as string[];
  if (names.length > 0) {
    await from.client.call("MIGRATE", HOST, to.port, "", 0, 5000, "KEYS", ...names);
  }
  return names.length;
};

/** Ends the move as redis-cli does: first the new node is told, then the old one and the other masters. */
export const endMove = async (slot: number, to: Node, masters: Node[]): Promise<void> => {
  const toId = await idOf(to);
  for (const { client } of [to, ...masters.filter((node) => node !== to)]) {
    await client.call("CLUSTER", "SETSLOT", slot, "NODE", toId);
  }
};

/** Moves the slot with all its keys. */
export const moveSlot = async (
  slot: number,
  from: Node,
  to: Node,
  masters: Node[],
): Promise<void> => {
  await beginMove(slot, from, to);
  while ((await moveKeys(slot, from, to)) > 0);
  await endMove(slot, to, masters);
};

/** `replicas` adds one for each master. */
export const startRedisCluster = async ({ replicas = false } = {}): Promise<RedisCluster> => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-cluster-"));
  const nodes: Node[] = [];
  /** The first node, which the others meet. */
  let seed: { port: number; bus: number };
  const startNode = async (): Promise<Node> => {
    const [port, bus] = (await freePorts(2)) as [number, number];
    const node = makeNode(join(folder, String(nodes.length)), port, bus);
    nodes.push(node);
    await node.start();
    seed ??= { port, bus };
    return node;
  };
  const meet = async ({ client }: Node): Promise<void> => {
    await client.call("CLUSTER", "MEET", HOST, seed.port, seed.bus);
  };
  const knowsAll = async ({ client }: Node): Promise<boolean> => {
    const info = await client.cluster("INFO");
    return (
      info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${nodes.length}`)
    );
  };
  const ready = async (): Promise<void> => {
    for (const node of nodes) await until(() => knowsAll(node));
  };
  const add = async (of?: Node): Promise<Node> => {
    const node = await startNode();
    await meet(node);
    await ready();
    if (!of) return node;
    await until(
      async () => (await node.client.call("CLUSTER", "REPLICATE", await idOf(of))) === "OK",
    );
    await until(async () => (await node.client.info()).includes("master_link_status:up"));
    return node;
  };
  const close = async (): Promise<void> => {
    for (const { client, kill } of nodes) {
      client.disconnect();
      await kill();
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (let n = 0; n < NODES; n++) {
      const node = await startNode();
      const { client } = node;
      const from = Math.floor((n * SLOTS) / NODES);
      const to = Math.floor(((n + 1) * SLOTS) / NODES) - 1;
      await client.call("CLUSTER", "ADDSLOTSRANGE", from, to);
      await client.call("CLUSTER", "SET-CONFIG-EPOCH", n + 1);
      if (n > 0) await meet(node);
    }
    await ready();
    if (replicas) for (const master of nodes.slice(0, NODES)) await add(master);
  } catch (error) {
    await close();
    throw error;
  }
  const url = `redis://${nodes.map(({ port }) => `${HOST}:${port}`).join()}`;
  return { url, nodes, ready, add, close };
};

/** Returns the slots of a node that have keys or listeners. */
export const usedSlots = async ({ client }: Node): Promise<number[]> => {
  const channels = (await client.call("PUBSUB", "SHARDCHANNELS")) as string[];
  const names = [...(await client.keys("*")), ...channels];
  const slots = names.map((name) => client.cluster("KEYSLOT", name) as Promise<number>);
  return [...new Set(await Promise.all(slots))];
};

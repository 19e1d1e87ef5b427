// Measures the first start, a start with data, and the memory of an idle server; compared with node with an empty
// fastify and PostgreSQL alone with the same settings.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbedded } from "../../src/platform/db/embedded.ts";
import { memoryOf } from "../measure.ts";
import { whereMemoryIs } from "../memory.ts";
import { freePort } from "../../test/free-port.ts";
import { trackChild, removeFolder, startServer } from "../server.ts";
import { makeDataFolder } from "../setup.ts";
import type { Bench, Scenario } from "./scenario.ts";

const ROWS = {
  first: "first_start",
  again: "start_with_data",
  memory: "idle_memory",
  node: "idle_memory_node",
  postgres: "idle_memory_postgres",
};
/** Seconds that a server is idle before its memory is measured. */
const REST_SECONDS = 5;

const startEmpty = async () => {
  const file = new URL("../floors/empty.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  trackChild(child);
  await once(child.stdout!, "data");
  const stop = async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return { pid: child.pid!, stop };
};

/** Starts both on `dataDir`; returns the seconds until both answered. */
const startBare = async (dataDir: string) => {
  const began = performance.now();
  const node = await startEmpty();
  const database = await startEmbedded({ dataDir });
  const seconds = (performance.now() - began) / 1000;
  const stop = async () => {
    await node.stop();
    await database.stop();
  };
  return { seconds, pids: [node.pid, database.pid], stop };
};

export const startScenario = (bench: Bench): Scenario => {
  const rest = Math.min(REST_SECONDS, bench.seconds * 3);

  const firstStart = async (): Promise<number> => {
    const dataDir = makeDataFolder(bench.world.size);
    const server = await startServer({ port: await freePort(), dataDir });
    await server.stop();
    removeFolder(dataDir);
    return server.startedIn / 1000;
  };

  return {
    name: "start",
    alone: true,
    rows: [
      { name: ROWS.first, unit: "s", aim: { of: "value", most: 4 } },
      { name: ROWS.again, unit: "s", aim: { of: "value", most: 1 } },
      { name: ROWS.memory, unit: "MB", aim: { of: "ratio", most: 1.6 } },
      { name: ROWS.node, unit: "MB", aim: null },
      { name: ROWS.postgres, unit: "MB", aim: null },
    ],
    async run() {
      const first = await firstStart();
      await bench.restart();
      await sleep(rest * 1000);
      const memory = bench.server.memory();
      bench.say(`memory at rest:\n${await whereMemoryIs(bench.server)}`);
      return {
        [ROWS.first]: { value: first },
        [ROWS.again]: { value: bench.server.startedIn / 1000 },
        [ROWS.memory]: { value: memory.total },
        [ROWS.node]: { value: memory.node },
        [ROWS.postgres]: { value: memory.postgres },
      };
    },
    async floor() {
      // The floor runs alone, because PSS counts memory that two processes share (the programs) half for each.
      await bench.server.stop();
      const dataDir = makeDataFolder(bench.world.size);
      const first = await startBare(dataDir);
      await first.stop();
      const again = await startBare(dataDir);
      await sleep(rest * 1000);
      const memory = memoryOf(...again.pids);
      await again.stop();
      removeFolder(dataDir);
      return {
        [ROWS.first]: first.seconds,
        [ROWS.again]: again.seconds,
        [ROWS.memory]: memory.total,
        [ROWS.node]: memory.node,
        [ROWS.postgres]: memory.postgres,
      };
    },
  };
};

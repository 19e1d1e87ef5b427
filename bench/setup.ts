// Starts what every scenario needs: receivers, the server with a filled world, the static floor.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { startFloor } from "./floors/process.ts";
import { SMOKE, secondsOf } from "./options.ts";
import type { Options } from "./options.ts";
import { startReceivers } from "./receivers.ts";
import type { Bench } from "./scenarios/scenario.ts";
import { freePort } from "../test/free-port.ts";
import { copyFolder } from "../test/journeys/process.ts";
import { enableCounting, makeFolder, removeFolder, startServer } from "./server.ts";
import { allHosts, fillWorld, planWorld } from "./world.ts";

/** Statuses of the steps of the growth run, at size 1. */
export const GROWTH_STEPS = [20_000, 200_000, 2_000_000];

const statusesOf = ({ growth, size }: Options): number | undefined =>
  growth ? Math.round(GROWTH_STEPS[0]! * size) : undefined;

/**
 * Returns a new data folder. That of a smoke run has a database with the schema, which a run of tests makes once for
 * all.
 */
export const makeDataFolder = (size: number): string => {
  const dataDir = makeFolder();
  const made = size < SMOKE ? process.env["TEST_DATA_DIR"] : undefined;
  if (made) copyFolder(made, dataDir);
  return dataDir;
};

/** `checkout` is the folder of the server, if it is not this one. */
export const openBench = async (
  options: Options,
  say: (text: string) => void,
  checkout?: string,
): Promise<Bench> => {
  const [port, receiverPort] = [await freePort(), await freePort()];
  const world = planWorld(options.size, port, receiverPort, statusesOf(options));
  const receivers = await startReceivers(options.hot ? null : allHosts(world), receiverPort);
  const dataDir = makeDataFolder(options.size);
  const start = (env?: Record<string, string>) =>
    startServer({ port, dataDir, inspect: options.profile, checkout, ...(env && { env }) });
  if (!existsSync(join(dataDir, "postgres"))) await (await start()).stop();
  enableCounting(dataDir);
  const bench: Bench = {
    world,
    server: await start(),
    receivers,
    still: await startFloor("static"),
    seconds: secondsOf(options.size),
    minutes: options.minutes,
    say,
    async restart(env) {
      await bench.server.stop();
      bench.server = await start(env);
    },
  };
  await bench.server.sql`CREATE EXTENSION pg_stat_statements`;
  const seconds = await fillWorld(bench.server.sql, world);
  say(
    `world: ${world.people} local people, ${world.remote} remote accounts, ${world.statuses} statuses, filled in ${seconds.toFixed(1)} s`,
  );
  if (options.size >= SMOKE) await bench.restart();
  return bench;
};

export const closeBench = async (bench: Bench): Promise<void> => {
  await bench.still.stop();
  await bench.server.stop();
  await bench.receivers.close();
  removeFolder(bench.server.dataDir);
};

// Measures the inbox: signed activities of known actors, until everything is durable and visible. Compared with a floor
// (JSON.parse, RSA check, one durable INSERT) and with a Fedify application that does nothing.

import { makeActivities, signActivity } from "../activities.ts";
import type { Signed } from "../activities.ts";
import { startFloor } from "../floors/process.ts";
import type { Floor } from "../floors/process.ts";
import { load } from "../load.ts";
import { whileWorking } from "../measure.ts";
import { SMOKE } from "../options.ts";
import { countStatuses, selectLocalUris } from "../queries.ts";
import { countQueries, drained, settled } from "../server.ts";
import { signerOf } from "../world.ts";
import { perCoreSecond } from "./scenario.ts";
import type { Bench, Scenario } from "./scenario.ts";

const ROWS = { inbox: "inbox", fedify: "inbox_fedify" };
const CONCURRENCY = 16;
/**
 * Activities processed before anything is measured: a server that has run for some minutes has compiled what it runs.
 */
const WARM = 6000;
/** Least activities measured in a round: with fewer, the ends of the batches would dominate. */
const MEASURED = 1000;
/** Actors whose documents Fedify has before it is measured; each sends two activities. */
const FEDIFY_ACTORS = 100;

const range = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index);

type SignedBatch = { signed: Signed[]; statuses: number };

const write = async (
  bench: Bench,
  actors: number[],
  serial: number,
  host: string,
): Promise<SignedBatch> => {
  const targets = await selectLocalUris(bench.server.sql, 1000);
  const { activities, statuses } = makeActivities(bench.world, actors, serial, targets);
  const signed = activities.map(({ number, activity }) =>
    signActivity(bench.world, number, host, activity),
  );
  return { signed, statuses };
};

/** Makes batches with a number of activities in all; a single one in a smoke run. */
const writeMany = async (
  bench: Bench,
  actors: number[],
  nextSerial: () => number,
  least: number,
): Promise<SignedBatch> => {
  const whole: SignedBatch = { signed: [], statuses: 0 };
  do {
    const { signed, statuses } = await write(bench, actors, nextSerial(), bench.world.host);
    whole.signed.push(...signed);
    whole.statuses += statuses;
  } while (whole.signed.length < least && bench.world.size >= SMOKE);
  return whole;
};

const send = (port: number | number[], signed: Signed[]) =>
  load({
    port,
    connections: CONCURRENCY,
    count: signed.length,
    request: (index) => signed[index]!.bytes,
  });

/** Sends the batch and waits until it is processed; fails unless it had its effect. */
const receiveAll = async (bench: Bench, { signed, statuses }: SignedBatch): Promise<number[]> => {
  const { server } = bench;
  const before = await countStatuses(server.sql);
  const { latencies } = await send(server.ports, signed);
  await drained(server);
  const more = (await countStatuses(server.sql)) - before;
  if (more !== statuses) throw new Error(`${statuses} statuses should have come in, not ${more}`);
  return latencies;
};

const startFedify = async (bench: Bench) => {
  const floor = await startFloor("fedify");
  const port = await floor.ask<number>("port");
  const numbers = range(1, Math.min(FEDIFY_ACTORS, bench.world.signers));
  const known = numbers.map((number) => ({
    uri: signerOf(bench.world, number).uri,
    key: number % 3,
  }));
  await floor.ask("know", known);
  return { floor, port, numbers };
};

export const inboxScenario = (bench: Bench): Scenario => {
  const { world } = bench;
  let floor: Floor | null = null;
  let fedify: Awaited<ReturnType<typeof startFedify>> | null = null;
  let serial = 0;
  const nextSerial = () => serial++;
  const half = world.signers / 2;
  const actorsOf = (round: number) => range(1 + (round % 2) * half, half);

  const runFloor = async (): Promise<number> => {
    if (!floor) {
      const env = {
        FLOOR_DATABASE_URL: bench.server.databaseUrl,
        CONCURRENCY: String(CONCURRENCY),
      };
      floor = await startFloor("inserts", env);
      await floor.ask("prepare");
    }
    const { signed } = await write(bench, actorsOf(0).slice(0, 250), nextSerial(), world.host);
    await floor.ask(
      "load",
      signed.map(({ bytes: _bytes, ...rest }) => rest),
    );
    await settled(bench.server);
    const { seconds } = bench;
    const { result, cpu } = await whileWorking([floor.pid, bench.server.postgresPid], () =>
      floor!.ask<number>("receive", { seconds }),
    );
    return result / cpu.total;
  };

  const runFedify = async (): Promise<number> => {
    fedify ??= await startFedify(bench);
    const { floor: process, port, numbers } = fedify;
    const host = `127.0.0.1:${port}`;
    await send(port, (await write(bench, numbers, nextSerial(), host)).signed);
    const { signed } = await write(bench, numbers, nextSerial(), host);
    const before = await process.ask<number>("taken");
    const { cpu } = await whileWorking([process.pid], () => send(port, signed));
    const taken = (await process.ask<number>("taken")) - before;
    if (taken !== signed.length) throw new Error(`Fedify took ${taken} of ${signed.length}`);
    return signed.length / cpu.total;
  };

  return {
    name: ROWS.inbox,
    rows: [
      { name: ROWS.inbox, unit: "activities/core s", aim: { of: "ratio", least: 0.35 } },
      { name: ROWS.fedify, unit: "activities/core s", aim: { of: "ratio", least: 5 } },
    ],
    async prepare() {
      await receiveAll(bench, await writeMany(bench, actorsOf(1), nextSerial, WARM));
    },
    async run(round) {
      const batch = await writeMany(bench, actorsOf(round), nextSerial, MEASURED);
      await settled(bench.server);
      const { result, cpu } = await whileWorking(bench.server.roots, () =>
        receiveAll(bench, batch),
      );
      const sample = perCoreSecond(batch.signed.length, cpu, result);
      return { [ROWS.inbox]: sample, [ROWS.fedify]: sample };
    },
    async floor() {
      return { [ROWS.inbox]: await runFloor(), [ROWS.fedify]: await runFedify() };
    },
    async queries() {
      const batch = await write(bench, actorsOf(0).slice(0, 50), nextSerial(), world.host);
      const work = () => receiveAll(bench, batch).then(() => undefined);
      const count = await countQueries(bench.server, true, work);
      return { [ROWS.inbox]: count / batch.signed.length };
    },
  };
};

// Attack: deliveries that wait for resting hosts must cost the queue nothing.

import { randomUUID } from "node:crypto";
import { claimHosts } from "../../src/federation/delivery/queries-queue.ts";
import { drained } from "../server.ts";
import { courierNumber } from "../world.ts";
import type { Attack, Stage } from "./attack.ts";
import { insertWaiting } from "./queries.ts";
import { ask, medianOf } from "./tools.ts";

const TIMES = 30;

class Undo extends Error {}

/** Claims all that is due in a transaction that rolls back. */
const claim = async ({ server }: Stage): Promise<number> => {
  let ms = 0;
  const work = server.sql.begin(async (tx) => {
    const now = new Date();
    const began = performance.now();
    const claimed = {
      owner: randomUUID(),
      now,
      until: new Date(now.getTime() + 15_000),
      quick: 200,
      slow: 200,
    };
    await claimHosts(tx, claimed);
    ms = performance.now() - began;
    throw new Undo();
  });
  await work.catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return ms;
};

/** Returns the milliseconds until a post was delivered to all its remote followers. */
const post = async ({ world, server, receivers }: Stage): Promise<number> => {
  const total = receivers.count() + world.signers;
  const began = performance.now();
  await ask({ world, server }, courierNumber(world), "/api/v1/statuses", { status: randomUUID() });
  await receivers.reached(total, 30);
  return performance.now() - began;
};

const figures = async (stage: Stage) => {
  await post(stage);
  const posting = await medianOf(10, () => post(stage));
  await drained(stage.server);
  return { posting, claiming: await medianOf(TIMES, () => claim(stage)) };
};

export const waitingDeliveries: Attack = {
  name: "waiting_deliveries",
  async run(stage) {
    const count = stage.of(100_000, 1000);
    const before = await figures(stage);
    await insertWaiting(stage.server.sql, count, stage.of(1000, 10));
    const after = await figures(stage);
    const finding = (what: string, first: number, seen: number, slack: number) => ({
      what: `${what} with ${count} waiting deliveries (${first.toFixed(1)} ms without)`,
      seen,
      unit: "ms",
      most: first * 1.5 + slack,
    });
    return [
      finding("claiming hosts", before.claiming, after.claiming, 2),
      finding("delivering a post", before.posting, after.posting, 50),
    ];
  },
};

// Servers that were away come back, and send what they have in one go.

import { receiveAll, writeMany } from "../scenarios/inbox.ts";
import type { Spot } from "./spot.ts";

const ACTIVITIES = 50_000;
const SERIALS_FROM = 500_000;

type Batch = Awaited<ReturnType<typeof writeMany>>;

let batch: Batch = { signed: [], statuses: 0 };

export const flood: Spot = {
  name: "flood",
  /** Signing takes this process as long as the server takes to work on it. */
  async prepare(bench) {
    const { world } = bench;
    const actors = Array.from({ length: world.signers }, (_, n) => n + 1);
    let serial = SERIALS_FROM;
    const least = Math.round(ACTIVITIES * world.size);
    batch = await writeMany(bench, actors, () => serial++, least);
  },
  async run(bench) {
    const began = performance.now();
    await receiveAll(bench, batch);
    const seconds = (performance.now() - began) / 1000;
    return [
      {
        what: `activities a second, of ${batch.signed.length}`,
        value: batch.signed.length / seconds,
        unit: "",
        most: null,
      },
    ];
  },
};

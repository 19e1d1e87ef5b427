// Hot spot: a server that was away for two days comes back and sends everything in one go, the second half of it while
// a backup's snapshot is open; meanwhile somebody of another server favourites one post after the other.

import { setTimeout as sleep } from "node:timers/promises";
import { like, makeActivities, signActivity } from "../activities.ts";
import { load, openConnection } from "../load.ts";
import { countStatuses, selectLocalUris } from "../queries.ts";
import { CONNECTIONS } from "../scenarios/scenario.ts";
import type { Bench } from "../scenarios/scenario.ts";
import { signerOf } from "../world.ts";
import { holdSnapshot, selectIsFavourite, selectIsInboxEmpty } from "./queries-peers.ts";
import type { Spot } from "./spot.ts";

const ACTIVITIES = 500_000;
const SERIALS_FROM = 500_000;
/** Posts to boost; nobody boosts a post twice, so each batch has others. */
const TARGETS = 100_000;
const PAUSE_MS = 200;

type Part = { signed: { bytes: Buffer }[]; statuses: number };

let parts: [plain: Part, besideSnapshot: Part];
let targets: string[] = [];
let serial = SERIALS_FROM;

/** Returns the actors on the first host. */
const actorsOf = ({ hosts, signers }: Bench["world"]): number[] =>
  Array.from({ length: Math.ceil(signers / hosts) }, (_, n) => 1 + n * hosts);

/** Returns the milliseconds until a favourite from another server is known here. */
const favour = async (bench: Bench, turn: number): Promise<number> => {
  const { world, server } = bench;
  const actor = signerOf(world, 2).uri;
  const target = targets.at(-1 - turn)!;
  const { bytes } = signActivity(world, 2, world.host, like(actor, `flood${turn}`, target));
  const connection = await openConnection(server.port);
  const began = performance.now();
  const { status } = await connection.ask(bytes);
  connection.close();
  if (status !== 202) throw new Error(`a favourite from elsewhere answered ${status}`);
  while (!(await selectIsFavourite(server.sql, actor, target))) await sleep(20);
  return performance.now() - began;
};

const sign = async ({ world }: Bench, count: number): Promise<Part> => {
  const actors = actorsOf(world);
  const part: Part = { signed: [], statuses: 0 };
  while (part.signed.length < count) {
    const { activities, statuses } = makeActivities(world, actors, serial++, targets);
    for (const { number, activity } of activities) {
      const { bytes } = signActivity(world, number, world.host, activity);
      part.signed.push({ bytes });
    }
    part.statuses += statuses;
    await new Promise(setImmediate);
  }
  return part;
};

/** Returns activities per second, until the last has had its effect. */
const receive = async ({ server }: Bench, { signed, statuses }: Part): Promise<number> => {
  const before = await countStatuses(server.sql);
  const count = signed.length;
  const began = performance.now();
  const request = (index: number): Buffer => signed[index]!.bytes;
  await load({ port: server.port, connections: CONNECTIONS, count, request });
  while (!(await selectIsInboxEmpty(server.sql))) await sleep(20);
  const seconds = (performance.now() - began) / 1000;
  const more = (await countStatuses(server.sql)) - before;
  if (more !== statuses) throw new Error(`${statuses} statuses should have come in, not ${more}`);
  return count / seconds;
};

export const flood: Spot = {
  name: "flood",
  /** Signing takes this process as long as the server takes to process them. */
  async prepare(bench) {
    targets = await selectLocalUris(bench.server.sql, TARGETS);
    const half = Math.round((ACTIVITIES * bench.world.size) / 2);
    parts = [await sign(bench, half), await sign(bench, half)];
  },
  restart: null,
  async run(bench) {
    let isOver = false;
    const others: number[] = [];
    const favouring = (async () => {
      for (let turn = 0; !isOver; turn++) {
        others.push(await favour(bench, turn));
        await sleep(PAUSE_MS);
      }
    })();
    const plain = await receive(bench, parts[0]);
    const end = await holdSnapshot(bench.server.sql);
    const beside = await receive(bench, parts[1]);
    isOver = true;
    await favouring;
    await end();
    const count = parts[0].signed.length;
    return [
      { what: `activities a second, of ${count}`, value: plain, unit: "", most: null },
      { what: "as many more beside an open snapshot", value: beside, unit: "", most: null },
      {
        what: "a favourite from another server meanwhile, at most",
        value: Math.max(...others),
        unit: "ms",
        most: 10_000,
      },
    ];
  },
};

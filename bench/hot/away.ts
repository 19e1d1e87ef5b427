// Hot spot: a server was away for a week, while activities were queued for it, and sends something: it gets what waits,
// while others get new posts.

import { setTimeout as sleep } from "node:timers/promises";
import { like, signActivity } from "../activities.ts";
import { openConnection } from "../load.ts";
import { selectLocalUris } from "../queries.ts";
import type { Bench } from "../scenarios/scenario.ts";
import { authorNumber, newsHosts, newsNumber, signerOf, tokenOf } from "../world.ts";
import { insertBacklog } from "./queries-peers.ts";
import { timed } from "./spot.ts";
import type { Spot } from "./spot.ts";

const WAITING = 100_000;
const AUTHORS = 10;
const PAUSE_MS = 500;
const LIMIT_SECONDS = 1200;

let sentBefore = 0;
let count = 0;

/** Returns the host of the last signer; those of the flood are on the first host. */
const backAgain = ({ signers }: Bench["world"]): number => signers;

/** Returns the milliseconds until each host with followers has got a post that is sent now. */
const post = async (bench: Bench): Promise<number> => {
  const { world, receivers } = bench;
  const hosts = newsHosts(world, "plain");
  const before = hosts.map((host) => receivers.countAt(host));
  const began = performance.now();
  const token = tokenOf(newsNumber(world, "plain"));
  await timed(bench, "POST", "/api/v1/statuses", token, { status: "news of the day" });
  while (hosts.some((host, n) => receivers.countAt(host) <= before[n]!)) await sleep(5);
  return performance.now() - began;
};

export const away: Spot = {
  name: "away",
  async prepare({ world, server, receivers }) {
    const { host } = signerOf(world, backAgain(world));
    count = Math.max(20, Math.round(WAITING * world.size));
    const authors = Array.from({ length: AUTHORS }, (_, n) => authorNumber(world, n));
    await insertBacklog(server.sql, { host, count, authors });
    sentBefore = receivers.countAt(host);
  },
  restart: null,
  async run(bench) {
    const { world, server, receivers } = bench;
    const number = backAgain(world);
    const { host, uri } = signerOf(world, number);
    const [target] = await selectLocalUris(server.sql, 1);
    const connection = await openConnection(server.port);
    const began = performance.now();
    await connection.ask(signActivity(world, number, world.host, like(uri, "back", target!)).bytes);
    connection.close();
    let first = 0;
    const posts: number[] = [];
    while (receivers.countAt(host) - sentBefore < count) {
      if (performance.now() - began > LIMIT_SECONDS * 1000) throw new Error("it never got all");
      if (first === 0 && receivers.countAt(host) > sentBefore) first = performance.now() - began;
      if (first === 0) await sleep(5);
      else {
        posts.push(await post(bench));
        await sleep(PAUSE_MS);
      }
    }
    const seconds = (performance.now() - began) / 1000;
    return [
      {
        what: "from its first activity to the first delivery",
        value: first,
        unit: "ms",
        most: null,
      },
      { what: `deliveries a second, of ${count}`, value: count / seconds, unit: "", most: null },
      {
        what: `a post to all of ${world.hosts} other servers meanwhile, at most`,
        value: Math.max(...posts),
        unit: "ms",
        most: 10_000,
      },
    ];
  },
};

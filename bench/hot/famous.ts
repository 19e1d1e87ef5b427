// An account that everybody here follows posts, edits and deletes, and one with a follower on each of many servers posts;
// somebody with few followers posts meanwhile.

import { setTimeout as sleep } from "node:timers/promises";
import { postBytes, warmFeeds, watchFeed } from "../scenarios/post.ts";
import type { Bench } from "../scenarios/scenario.ts";
import { drained } from "../server.ts";
import { authorNumber, courierNumber, hubNumber, tokenOf } from "../world.ts";
import { timed } from "./spot.ts";
import type { Spot } from "./spot.ts";
import { openConnection } from "../load.ts";

const WAIT_MS = 120_000;

const post = async (bench: Bench, author: number, text: string): Promise<string> => {
  const connection = await openConnection(bench.server.port);
  const { status, body } = await connection.ask(postBytes(bench, author, text));
  connection.close();
  if (status !== 200) throw new Error(`a post answered ${status}: ${body.toString("utf8")}`);
  return JSON.parse(body.toString("utf8")).id as string;
};

/** Milliseconds from now until the reader is shown it. */
const untilShown = async (
  watch: Awaited<ReturnType<typeof watchFeed>>,
  id: string,
  began: number,
): Promise<number> => {
  while (!watch.arrived.has(id)) {
    if (performance.now() - began > WAIT_MS) return Number.POSITIVE_INFINITY;
    await sleep(2);
  }
  return Math.max(0, watch.arrived.get(id)! - began);
};

export const famous: Spot = {
  name: "famous",
  prepare: ({ world, ...bench }) => warmFeeds({ world, ...bench }, world.viewers + 1, world.people),
  async run(bench) {
    const { world, server, receivers } = bench;
    const last = await watchFeed(bench, world.people);
    const small = await watchFeed(bench, world.viewers + world.readers);
    const sent = receivers.count();
    const began = performance.now();
    const [id] = await Promise.all([
      post(bench, hubNumber(world), "to everybody here"),
      post(bench, courierNumber(world), "to everybody elsewhere"),
    ]);
    const smallBegan = performance.now();
    const few = await post(bench, authorNumber(world, 0), "to a few");
    const [lastHome, lastOfFew] = await Promise.all([
      untilShown(last, id, began),
      untilShown(small, few, smallBegan),
    ]);
    const deliveries = world.signers;
    await receivers.reached(sent + deliveries, 300);
    const deliveredMs = performance.now() - began;
    const edited = performance.now();
    const path = `/api/v1/statuses/${id}`;
    const token = tokenOf(hubNumber(world));
    await timed(bench, "PUT", path, token, { status: "to everybody here, once more" });
    await drained(server);
    const editedMs = performance.now() - edited;
    const deleted = performance.now();
    await timed(bench, "DELETE", path, token);
    await drained(server);
    last.close();
    small.close();
    return [
      {
        what: `a post in the home of the last of ${world.followed} followers here`,
        value: lastHome,
        unit: "ms",
        most: 10_000,
      },
      { what: "a post of somebody small meanwhile", value: lastOfFew, unit: "ms", most: 1000 },
      {
        what: `the last of ${deliveries} inboxes elsewhere`,
        value: deliveredMs,
        unit: "ms",
        most: null,
      },
      { what: "an edit, with all that follows", value: editedMs, unit: "ms", most: null },
      {
        what: "its deletion, with all that follows",
        value: performance.now() - deleted,
        unit: "ms",
        most: null,
      },
    ];
  },
};

// Hot spot: an account with everybody here and very many on other servers as followers posts, edits and deletes;
// somebody with few followers posts after each of these.

import { setTimeout as sleep } from "node:timers/promises";
import { postBytes, warmFeeds, watchFeed } from "../scenarios/post.ts";
import type { Bench } from "../scenarios/scenario.ts";
import { drained } from "../server.ts";
import { hostAddress } from "../receivers.ts";
import { allHosts, authorNumber, hubNumber, tokenOf } from "../world.ts";
import type { World } from "../world.ts";
import { insertCrowdOf } from "./queries.ts";
import { timed } from "./spot.ts";
import type { Figure, Spot } from "./spot.ts";
import { openConnection } from "../load.ts";

const WAIT_MS = 120_000;

/** Followers at size 1: here, of whom those of the world use this server, and on other servers. */
const FULL = { here: 200_000, elsewhere: 300_000, hosts: 20_000 };

const crowdOf = (world: World) => {
  const of = (count: number) => Math.max(4, Math.round(count * world.size));
  const first = allHosts(world);
  return {
    here: Math.max(4, of(FULL.here) - world.followed),
    elsewhere: of(FULL.elsewhere),
    hosts: Array.from(
      { length: of(FULL.hosts) },
      (_, n) => `${hostAddress(first + n)}:${world.receiverPort}`,
    ),
  };
};

const post = async (bench: Bench, author: number, text: string): Promise<string> => {
  const connection = await openConnection(bench.server.port);
  const { status, body } = await connection.ask(postBytes(bench, author, text));
  connection.close();
  if (status !== 200) throw new Error(`a post answered ${status}: ${body.toString("utf8")}`);
  return JSON.parse(body.toString("utf8")).id as string;
};

/** Returns the milliseconds from now until the reader is shown the post. */
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

/** Posts as somebody with few followers, and measures until the last of them has each post. */
const startSmall = async (bench: Bench) => {
  const { world } = bench;
  const watch = await watchFeed(bench, world.viewers + world.readers);
  return {
    async lag(): Promise<number> {
      const began = performance.now();
      return untilShown(watch, await post(bench, authorNumber(world, 0), "to a few"), began);
    },
    close: () => watch.close(),
  };
};

const ms = (what: string, value: number, most: number | null): Figure => ({
  what,
  value,
  unit: "ms",
  most,
});

const SMALL_MS = 1000;

export const famous: Spot = {
  name: "famous",
  async prepare(bench) {
    const { world, server } = bench;
    await insertCrowdOf(server.sql, hubNumber(world), crowdOf(world));
  },
  restart: {},
  warm: (bench) => warmFeeds(bench, bench.world.viewers + 1, bench.world.people),
  async run(bench) {
    const { world, server, receivers } = bench;
    const { here, elsewhere, hosts } = crowdOf(world);
    const last = await watchFeed(bench, world.people);
    const small = await startSmall(bench);
    const delivered = async (before: number, began: number): Promise<number> => {
      await receivers.reached(before + hosts.length, 300);
      return performance.now() - began;
    };
    const sent = receivers.count();
    const began = performance.now();
    const id = await post(bench, hubNumber(world), "to everybody");
    const [lastHome, smallOfPost, deliveredMs] = await Promise.all([
      untilShown(last, id, began),
      small.lag(),
      delivered(sent, began),
    ]);
    await drained(server);
    const path = `/api/v1/statuses/${id}`;
    const token = tokenOf(hubNumber(world));
    const edited = performance.now();
    await timed(bench, "PUT", path, token, { status: "to everybody, once more" });
    const [smallOfEdit] = await Promise.all([small.lag(), drained(server)]);
    const editedMs = performance.now() - edited;
    const deleted = performance.now();
    await timed(bench, "DELETE", path, token);
    const [smallOfDeletion] = await Promise.all([small.lag(), drained(server)]);
    const deletedMs = performance.now() - deleted;
    last.close();
    small.close();
    return [
      ms(`a post in the home of the last of ${world.followed + here} here`, lastHome, 10_000),
      ms(`the last of ${hosts.length} inboxes of ${elsewhere} elsewhere`, deliveredMs, null),
      ms("a post of somebody small meanwhile", smallOfPost, SMALL_MS),
      ms("an edit, with all that follows", editedMs, null),
      ms("a post of somebody small after the edit", smallOfEdit, SMALL_MS),
      ms("its deletion, with all that follows", deletedMs, null),
      ms("a post of somebody small after the deletion", smallOfDeletion, SMALL_MS),
    ];
  },
};

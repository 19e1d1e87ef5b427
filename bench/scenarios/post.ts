// Measures posting with local followers, until the post is durable and in the last feed. The feeds of all followers are
// in memory, as if they were online; the last follower's stream shows when the post has arrived.

import { setTimeout as sleep } from "node:timers/promises";
import { startFloor } from "../floors/process.ts";
import type { Floor } from "../floors/process.ts";
import { listen } from "../listener.ts";
import { load, requestBytes } from "../load.ts";
import { whileWorking } from "../measure.ts";
import { repeats } from "../options.ts";
import { countQueries, drained, settled } from "../server.ts";
import { authorNumber, hubNumber, tokenOf } from "../world.ts";
import { CONNECTIONS, perCoreSecond, slowest } from "./scenario.ts";
import type { Bench, Scenario } from "./scenario.ts";

const TEXT =
  "The rooks came back to the elms this morning, all at once and very loud, and by noon every nest of last year had an owner again. #topic5";

export const postBytes = (bench: Bench, author: number, text: string): Buffer =>
  requestBytes("POST", "/api/v1/statuses", {
    host: bench.world.host,
    token: tokenOf(author),
    json: { status: text, visibility: "public" },
  });

const idOf = (body: Buffer): string =>
  /"id":"(\d+)"/.exec(body.toString("latin1", 0, 100))?.[1] ?? "";

/** Records when statuses were streamed to the last follower, by id: they are in the feed by then. */
export const watchFeed = async (bench: Bench, reader: number) => {
  const arrived = new Map<string, number>();
  const path = "/api/v1/streaming?stream=user";
  const listener = await listen(bench.server.streamPort, path, tokenOf(reader), (payload) => {
    const id = /\\"id\\":\\"(\d+)/.exec(payload.toString("latin1", 0, 300))?.[1];
    if (id && !arrived.has(id)) arrived.set(id, performance.now());
  });
  return { arrived, close: () => listener.close() };
};

/** Reads the home timelines of people `first` to `last`, so that their feeds are in memory. */
export const warmFeeds = async (bench: Bench, first: number, last: number): Promise<void> => {
  await load({
    port: bench.server.ports,
    connections: CONNECTIONS,
    count: last - first + 1,
    request: (index) =>
      requestBytes("GET", "/api/v1/timelines/home?limit=1", {
        host: bench.world.host,
        token: tokenOf(first + index),
      }),
  });
};

const ARRIVAL_MS = 5000;

/** Waits for all posts: one that another process streams may come a moment after nothing else is waiting. */
const allArrived = async (
  answered: Map<string, number>,
  arrived: Map<string, number>,
): Promise<void> => {
  const deadline = performance.now() + ARRIVAL_MS;
  // Earlier posts may arrive as well.
  const isMissing = () => answered.keys().some((id) => !arrived.has(id));
  while (isMissing() && performance.now() < deadline) await sleep(5);
};

/** Returns the milliseconds from each answer until the post is in the last feed. */
const lags = (answered: Map<string, number>, arrived: Map<string, number>): number[] =>
  [...answered].map(([id, at]) => {
    const there = arrived.get(id);
    if (there === undefined) throw new Error(`status ${id} never came to the last follower`);
    return Math.max(0, there - at);
  });

type Posted = { latencies: number[]; lags: number[]; count: number };

const postAll = async (
  bench: Bench,
  limit: { seconds?: number; count?: number },
): Promise<Posted> => {
  const { world, server } = bench;
  const watch = await watchFeed(bench, world.viewers + world.readers);
  const answered = new Map<string, number>();
  const result = await load({
    port: server.ports,
    connections: CONNECTIONS,
    ...limit,
    request: (index) =>
      postBytes(bench, authorNumber(world, index % world.authors), `${index} ${TEXT}`),
    onAnswer: ({ body }) => answered.set(idOf(body), performance.now()),
  });
  await drained(server);
  await allArrived(answered, watch.arrived);
  watch.close();
  return { ...result, lags: lags(answered, watch.arrived) };
};

const ROWS = {
  post: "post",
  lag: "post_last_feed",
  hub: "post_hub_last_feed",
};

/** Measures 16 authors with 1,000 followers each, who post at once. */
export const postScenario = (bench: Bench): Scenario => {
  const { world } = bench;
  let floor: Floor | null = null;
  const startInserts = async () => {
    const env = { FLOOR_DATABASE_URL: bench.server.databaseUrl, CONCURRENCY: String(CONNECTIONS) };
    const started = await startFloor("inserts", env);
    await started.ask("prepare");
    return started;
  };
  return {
    name: ROWS.post,
    rows: [
      { name: ROWS.post, unit: "posts/core s", aim: { of: "ratio", least: 0.15 } },
      { name: ROWS.lag, unit: "ms", aim: { of: "value", most: 1000 } },
    ],
    async prepare() {
      await warmFeeds(bench, world.viewers + 1, world.viewers + world.readers);
      // A server that has run for a minute has compiled what it runs.
      await postAll(bench, { seconds: bench.seconds * 4 });
    },
    async run() {
      await settled(bench.server);
      const { result, cpu } = await whileWorking(bench.server.roots, () =>
        postAll(bench, { seconds: bench.seconds }),
      );
      const { latencies, lags: waits, count } = result;
      return {
        [ROWS.post]: perCoreSecond(count, cpu, latencies),
        [ROWS.lag]: slowest(waits),
      };
    },
    async floor() {
      floor ??= await startInserts();
      await settled(bench.server);
      const input = { seconds: bench.seconds, body: TEXT };
      const { result, cpu } = await whileWorking([floor.pid, bench.server.postgresPid], () =>
        floor!.ask<number>("insert", input),
      );
      return { [ROWS.post]: result / cpu.total };
    },
    async queries() {
      const count = repeats(world.size, 40);
      const work = () => postAll(bench, { count }).then(() => undefined);
      return { [ROWS.post]: (await countQueries(bench.server, true, work)) / count };
    },
  };
};

const POSTS_OF_HUB = 5;

/** Measures posts one after another, by the account with 10,000 local followers. */
export const hubScenario = (bench: Bench): Scenario => {
  const { world } = bench;
  const postOne = async (text: string): Promise<number> => {
    const watch = await watchFeed(bench, world.people);
    const answered = new Map<string, number>();
    await load({
      port: bench.server.port,
      connections: 1,
      count: 1,
      request: () => postBytes(bench, hubNumber(world), text),
      onAnswer: ({ body }) => answered.set(idOf(body), performance.now()),
    });
    await drained(bench.server);
    await allArrived(answered, watch.arrived);
    watch.close();
    return lags(answered, watch.arrived)[0]!;
  };
  return {
    name: ROWS.hub,
    rows: [{ name: ROWS.hub, unit: "ms", aim: { of: "value", most: 1000 } }],
    prepare: () => warmFeeds(bench, world.viewers + 1, world.people),
    async run(round) {
      await settled(bench.server);
      const waits: number[] = [];
      const posts = repeats(world.size, POSTS_OF_HUB);
      for (let n = 0; n < posts; n++) waits.push(await postOne(`${round} ${n} ${TEXT}`));
      return { [ROWS.hub]: slowest(waits) };
    },
  };
};

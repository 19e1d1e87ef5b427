// Hot spot: a post that everybody favourites and many boost at once, here and on other servers.

import { like, signActivity } from "../activities.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "#plan";
import { load, requestBytes } from "../load.ts";
import type { LoadResult } from "../load.ts";
import { whileWorking } from "../measure.ts";
import { CONNECTIONS } from "../scenarios/scenario.ts";
import type { Bench } from "../scenarios/scenario.ts";
import { drained } from "../server.ts";
import { authorNumber, signerOf, tokenOf } from "../world.ts";
import { timed } from "./spot.ts";
import type { Spot } from "./spot.ts";

/** One in this many favouriting people also boosts it. */
const BOOSTS = 5;
/** Milliseconds between two looks of the author. */
const PAUSE_MS = 250;

const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

/** Local people: everybody favourites it, and some boost it. */
const actHere = (bench: Bench, id: string): Promise<LoadResult> => {
  const acts = range(bench.world.people).flatMap((number) => [
    { number, verb: "favourite" },
    ...(number % BOOSTS === 0 ? [{ number, verb: "reblog" }] : []),
  ]);
  return load({
    port: bench.server.port,
    connections: CONNECTIONS,
    count: acts.length,
    request: (index) =>
      requestBytes("POST", `/api/v1/statuses/${id}/${acts[index]!.verb}`, {
        host: bench.world.host,
        token: tokenOf(acts[index]!.number),
      }),
  });
};

const likesOf = ({ world }: Bench, uri: string) =>
  range(world.signers).map((number) =>
    signActivity(world, number, world.host, like(signerOf(world, number).uri, "viral", uri)),
  );

export const viral: Spot = {
  name: "viral",
  restart: null,
  async run(bench) {
    const { world, server } = bench;
    const token = tokenOf(authorNumber(world, 1));
    const { json: post } = await timed(bench, "POST", "/api/v1/statuses", token, {
      status: "everybody likes it",
    });
    const likes = likesOf(bench, post.uri);
    const began = performance.now();
    let isOver = false;
    const pages: number[] = [];
    const watch = async (): Promise<void> => {
      while (!isOver) {
        pages.push((await timed(bench, "GET", "/api/v2/notifications", token)).ms);
        await sleep(PAUSE_MS);
      }
    };
    const watching = watch();
    const { result, cpu } = await whileWorking(server.roots, async () => {
      const [here] = await Promise.all([
        actHere(bench, post.id),
        load({
          port: server.port,
          connections: CONNECTIONS,
          count: likes.length,
          request: (index) => likes[index]!.bytes,
        }),
      ]);
      await drained(server, 600);
      return here;
    });
    const seconds = (performance.now() - began) / 1000;
    isOver = true;
    await watching;
    const favourites = world.people + world.signers;
    const boosts = Math.floor(world.people / BOOSTS);
    const { json: after } = await timed(bench, "GET", `/api/v1/statuses/${post.id}`, token);
    const { json: groups } = await timed(
      bench,
      "GET",
      "/api/v2/notifications?types[]=favourite",
      token,
    );
    const own = groups.notification_groups.filter((group: any) => group.status_id === post.id);
    const acts = favourites + boosts;
    return [
      { what: `acts a second, of ${acts}`, value: acts / seconds, unit: "", most: null },
      {
        what: "CPU of an act and its reading",
        value: (cpu.total * 1000) / acts,
        unit: "ms",
        most: null,
      },
      {
        what: "p50 of an act here",
        value: quantile(result.latencies, 0.5),
        unit: "ms",
        most: null,
      },
      {
        what: "p99 of an act here",
        value: quantile(result.latencies, 0.99),
        unit: "ms",
        most: 100,
      },
      {
        what: `favourites that the count lacks, of ${favourites}`,
        value: Math.abs(favourites - after.favourites_count),
        unit: "",
        most: 0,
      },
      {
        what: `boosts that the count lacks, of ${boosts}`,
        value: Math.abs(boosts - after.reblogs_count),
        unit: "",
        most: 0,
      },
      { what: "groups of notifications of it", value: own.length, unit: "", most: 2 },
      {
        what: "the author’s page of notifications meanwhile, at most",
        value: Math.max(...pages),
        unit: "ms",
        most: 250,
      },
    ];
  },
};

// After whatever people do, what is fanned out equals what is rebuilt, and what is read from caches
// equals what is read without them. A failure names its seed: `PROPERTY_SEED=n npm test properties`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { FUZZ } from "../fuzz.ts";
import type { Answer, Person } from "../harness.ts";
import { act, befriend } from "./acts.ts";
import { pathsFor } from "./reads.ts";
import { openWorld } from "./world.ts";
import type { World } from "./world.ts";

const seed = process.env["PROPERTY_SEED"];
const USUAL = FUZZ ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2];
const SEEDS = seed ? seed.split(",").map(Number) : USUAL;
const ROUNDS = Number(process.env["PROPERTY_ROUNDS"] ?? 4);
const ACTS = 14;

type Read = { status: number; link: string | null; body: unknown };

/** A home that is being rebuilt answers 206 until it is there. */
const complete = async (ask: () => Promise<Answer>): Promise<Read> => {
  for (;;) {
    const { status, headers, text, json } = await ask();
    if (status !== 206) return { status, link: headers.get("link"), body: json ?? text };
    await sleep(5);
  }
};

/** What differs in a list is seen best by its ids. */
const idsOf = ({ body }: Read): unknown =>
  Array.isArray(body) ? body.map((item) => item.id ?? item) : null;

const compare = async (world: World, viewer: Person | null, path: string): Promise<void> => {
  const options = { token: viewer?.token ?? null };
  const [cached, fresh] = await Promise.all([
    complete(() => world.server.request("GET", path, options)),
    complete(() => world.askCold(path, options)),
  ]);
  const where = `${viewer?.username ?? "nobody"} reads ${path}`;
  assert.deepEqual(idsOf(cached), idsOf(fresh), where);
  assert.deepEqual(cached, fresh, where);
};

const compareAll = async (world: World): Promise<void> => {
  await world.server.runJobs();
  await world.forgetCold();
  for (const viewer of [null, ...world.people]) {
    for (const path of pathsFor(world, viewer)) await compare(world, viewer, path);
  }
};

const run = async (seed: number): Promise<void> => {
  const world = await openWorld(seed);
  const log: string[] = [];
  try {
    await befriend(world);
    for (let round = 0; round < ROUNDS; round++) {
      const acts = round % 2 === 1 ? "posting" : "anything";
      for (let n = 0; n < ACTS; n++) log.push(await act(world, acts));
      log.push("— all of it is read —");
      await compareAll(world);
    }
  } catch (error) {
    console.error(`PROPERTY_SEED=${seed}, after:\n  ${log.join("\n  ")}`);
    throw error;
  } finally {
    await world.close();
  }
};

for (const seed of SEEDS)
  test(`what ${ACTS * ROUNDS} random acts lead to (seed ${seed})`, () => run(seed));

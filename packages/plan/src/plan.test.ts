// What a plan says: of a village and a city, of more followers, and of figures of one's own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readFigures, shippedFigures } from "./figures.ts";
import { planFor } from "./plan.ts";
import type { Plan } from "./plan.ts";
import { SHIPPED } from "./shipped.ts";

const plan = (dailyUsers: number, { followers = 100, remote = 0.5 } = {}): Plan =>
  planFor({ dailyUsers, followers, remote }, shippedFigures());

test("a village has one process, a city several, and more people never need less", () => {
  const village = plan(500);
  assert.ok(village.layout.together);
  assert.deepEqual(
    village.needs.map(({ part }) => part),
    ["web", "postgres"],
  );
  assert.equal(village.valkeyMegabytes, 0);
  const city = plan(200_000);
  assert.ok(!city.layout.together);
  assert.ok(city.layout.web >= 2 && city.layout.workers >= 2 && city.layout.streaming >= 2);
  let before = village;
  for (let people = 1000; people < 20_000_000; people *= 8) {
    const next = plan(people);
    for (const part of ["cores", "memoryMegabytes", "connections", "yearBytes"] as const)
      assert.ok(next[part] >= before[part], `${part} of ${people}`);
    before = next;
  }
});

test("nothing is planned to be too busy, and people do not wait", () => {
  for (const people of [100, 10_000, 100_000, 1_000_000, 10_000_000]) {
    const { needs, outcome, end } = plan(people);
    for (const { part, share } of needs)
      assert.ok(share <= 0.6, `${part} of ${people} is ${share}`);
    assert.ok(outcome.p50 <= outcome.p99 && outcome.p99 < 100, JSON.stringify(outcome));
    assert.ok(end > 1_000_000 && end < 10_000_000, "one PostgreSQL carries millions, and no more");
  }
});

test("the simulation has the queues as busy as the sum of their work", () => {
  const { needs, outcome } = plan(200_000);
  for (const { part, share } of needs) {
    if (part === "valkey" || part === "streaming") continue;
    const { busy } = outcome.parts[part];
    assert.ok(Math.abs(busy - share) < 0.15, `${part}: ${busy} simulated, ${share} added up`);
  }
});

test("more followers are more deliveries, and more of them elsewhere more activities", () => {
  const few = plan(10_000);
  const many = plan(10_000, { followers: 1000 });
  assert.ok(many.demand.rates.delivery > few.demand.rates.delivery * 3);
  const alone = plan(10_000, { remote: 0 });
  assert.equal(alone.demand.rates.activity, 0);
  assert.equal(alone.demand.rates.delivery, 0);
  assert.equal(alone.demand.remoteBytes, 0);
});

test("figures of a machine twice as quick need half of the cores", () => {
  const quick = SHIPPED.map((row) => ({
    ...row,
    node_ms: row.node_ms && row.node_ms / 2,
    postgres_ms: row.postgres_ms && row.postgres_ms / 2,
  }));
  const community = { dailyUsers: 1_000_000, followers: 100, remote: 0.5 };
  const { needs } = planFor(community, readFigures(JSON.stringify(quick), "quick.json"));
  const busy = (of: Plan["needs"]): number => of.find(({ part }) => part === "worker")!.busy;
  assert.ok(Math.abs(busy(needs) / busy(plan(1_000_000).needs) - 0.5) < 0.01);
});

test("figures that are none, or not all, are refused with what to do", () => {
  const refused = (text: string, pattern: RegExp) =>
    assert.throws(() => readFigures(text, "bench.json"), pattern);
  refused(
    "{}",
    /bench\.json is not what the benchmark writes: npm run bench -- --json bench\.json/,
  );
  refused("[", /is not what the benchmark writes/);
  refused("[]", /bench.json has no figure inbox: run the whole benchmark/);
  const old = SHIPPED.map(({ name, value }) => ({ name, value }));
  refused(JSON.stringify(old), /does not say what inbox costs in node and in PostgreSQL/);
});

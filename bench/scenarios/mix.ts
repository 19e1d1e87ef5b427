// Measures a day's mix: people open pages that depend on one another, and a few of them write. Every requested id was
// shown to that viewer before.

import { setTimeout as sleep } from "node:timers/promises";
import { randomNumbers } from "#plan";
import { load, requestBytes } from "../load.ts";
import type { Answer, LoadResult } from "../load.ts";
import { whileWorking } from "../measure.ts";
import { whereMemoryIs } from "../memory.ts";
import { countQueries } from "../server.ts";
import { tokenOf } from "../world.ts";
import { CONNECTIONS, perCoreSecond, slowest } from "./scenario.ts";
import type { Aim, Bench, Row, Samples, Scenario } from "./scenario.ts";

type Act =
  | "home"
  | "home_next"
  | "notifications"
  | "thread"
  | "status"
  | "account"
  | "account_statuses"
  | "relationships"
  | "public"
  | "verify"
  | "post"
  | "reply"
  | "favourite"
  | "reblog";

/** Reads among a hundred operations. */
const READS: [Act, number][] = [
  ["home", 38],
  ["home_next", 8],
  ["notifications", 14],
  ["thread", 10],
  ["status", 4],
  ["account", 4],
  ["account_statuses", 5],
  ["relationships", 3],
  ["public", 3],
  ["verify", 3],
];
const WRITES: [Act, number][] = [
  ["post", 2],
  ["reply", 1],
  ["favourite", 4],
  ["reblog", 1],
];

/** Ids that a viewer was shown last: statuses, and their authors. */
type Shown = { statuses: string[]; authors: string[]; lastOfPage: string };

/** Ids remembered for each viewer. */
const REMEMBERED = 20;

const createViewers = (bench: Bench, weights: [Act, number][], seed: number) => {
  const { world } = bench;
  const random = randomNumbers(seed);
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  const shown: Shown[] = Array.from({ length: world.viewers }, () => ({
    statuses: [],
    authors: [],
    lastOfPage: "",
  }));
  const acts: { act: Act; viewer: number }[] = [];

  const draw = (): Act => {
    let left = random() * total;
    for (const [act, weight] of weights) if ((left -= weight) < 0) return act;
    return "home";
  };
  const pick = (ids: string[]): string | undefined => ids[Math.floor(random() * ids.length)];

  const write = (act: Act, text: number, id: string | undefined): [string, unknown] | null => {
    const status = `${text} The rooks came back to the elms this morning, all at once and very loud.`;
    if (act === "post") return ["/api/v1/statuses", { status }];
    if (!id) return null;
    if (act === "reply") return ["/api/v1/statuses", { status, in_reply_to_id: id }];
    if (act === "favourite") return [`/api/v1/statuses/${id}/favourite`, {}];
    return act === "reblog" ? [`/api/v1/statuses/${id}/reblog`, {}] : null;
  };

  const read = (act: Act, { statuses, authors, lastOfPage }: Shown): string => {
    const id = pick(statuses);
    const author = pick(authors);
    const paths: Partial<Record<Act, string | false | undefined>> = {
      home_next: lastOfPage && `/api/v1/timelines/home?max_id=${lastOfPage}`,
      notifications: "/api/v1/notifications",
      thread: id && `/api/v1/statuses/${id}/context`,
      status: id && `/api/v1/statuses/${id}`,
      account: author && `/api/v1/accounts/${author}`,
      account_statuses: author && `/api/v1/accounts/${author}/statuses`,
      relationships:
        author &&
        `/api/v1/accounts/relationships?${authors.map((each) => `id[]=${each}`).join("&")}`,
      public: "/api/v1/timelines/public",
      verify: "/api/v1/accounts/verify_credentials",
    };
    return paths[act] || "/api/v1/timelines/home";
  };

  const request = (index: number): Buffer => {
    const viewer = Math.floor(random() * world.viewers);
    const act = draw();
    const parts = { host: world.host, token: tokenOf(viewer + 1) };
    acts[index] = { act, viewer };
    const written = write(act, index, pick(shown[viewer]!.statuses));
    if (written) return requestBytes("POST", written[0], { ...parts, json: written[1] });
    return requestBytes("GET", read(act, shown[viewer]!), parts);
  };

  /** Remembers what a page of statuses showed. */
  const remember = ({ index, body }: Answer): void => {
    const { act, viewer } = acts[index]!;
    if (act !== "home" && act !== "home_next" && act !== "public") return;
    // Parsing each page would cost the load generator more than the server.
    if (index % 8 !== 0 && shown[viewer]!.statuses.length > 0) return;
    const page = JSON.parse(body.toString("utf8")) as Page;
    const originals = page.map((status) => status.reblog ?? status);
    shown[viewer] = {
      // These are statuses that everybody may boost.
      statuses: originals
        .filter(({ visibility }) => visibility === "public")
        .map(({ id }) => id)
        .slice(0, REMEMBERED),
      authors: [...new Set(originals.map(({ account }) => account.id))].slice(0, REMEMBERED),
      lastOfPage: page.at(-1)?.id ?? "",
    };
  };
  const isRead = ({ index }: Answer): boolean => READS.some(([act]) => act === acts[index]!.act);
  return { request, remember, isRead };
};

type Status = { id: string; visibility: string; account: { id: string } };
type Page = (Status & { reblog: Status | null })[];

/** Seconds of rest, because what follows from the last writes belongs to the cost of the mix. */
const REST_SECONDS = 4;

const MEMORY = "mix_memory";
const MEMORY_LATER = "mix_memory_later";
/** Name of the row for reads among writes. */
const READS_P99 = "mix_p99_reads";
const MOST_P99: Aim = { of: "value", most: 25 };
const MOST_MEMORY: Aim = { of: "value", most: 250 };

const memoryRows = ({ minutes }: Bench): Row[] =>
  [MEMORY, ...(minutes > 0 ? [MEMORY_LATER] : [])].map((name) => ({
    name,
    unit: "MB",
    aim: MOST_MEMORY,
  }));

type Limit = {
  seconds?: number;
  count?: number;
  mayWait?: boolean;
  connections?: number;
  perSecond?: number;
};

/** `readLatencies` are those of requests that only read. */
type MixResult = LoadResult & { readLatencies: number[] };

/** Runs the mix; each call uses other people. */
const mixLoad = (bench: Bench, weights: [Act, number][]) => {
  let seed = 0;
  return async (limit: Limit): Promise<MixResult> => {
    seed += 1;
    const viewers = createViewers(bench, weights, seed);
    const readLatencies: number[] = [];
    const result = await load({
      port: bench.server.ports,
      connections: CONNECTIONS,
      ...limit,
      request: viewers.request,
      onAnswer(answer) {
        viewers.remember(answer);
        if (viewers.isRead(answer)) readLatencies.push(answer.ms);
      },
    });
    return { ...result, readLatencies };
  };
};

export const readLoad = (bench: Bench) => mixLoad(bench, READS);
export const dayLoad = (bench: Bench) => mixLoad(bench, [...READS, ...WRITES]);

const mixOf = (bench: Bench, name: string, weights: [Act, number][], aim: Aim): Scenario => {
  const writes = weights.some(([act]) => act === "post");
  const all = mixLoad(bench, weights);
  const settle = () =>
    writes ? sleep(Math.min(REST_SECONDS, bench.seconds * 2) * 1000) : Promise.resolve();
  /** Returns the memory of all processes: after the mix, and when it has continued for some minutes. */
  const memory = async (round: number): Promise<Samples> => {
    if (!writes) return {};
    const measured = async (row: string, when: string): Promise<Samples> => {
      // The table asks for /metrics, whose statements open connections.
      const value = bench.server.memory().total;
      bench.say(`memory ${when}:\n${await whereMemoryIs(bench.server)}`);
      return { [row]: { value } };
    };
    const after = await measured(MEMORY, "after the mix");
    if (bench.minutes === 0 || round > 0) return after;
    await all({ seconds: bench.minutes * 60 });
    await settle();
    return { ...after, ...(await measured(MEMORY_LATER, `after ${bench.minutes} minutes more`)) };
  };
  return {
    name,
    last: true,
    rows: [
      { name, unit: "operations/core s", aim },
      { name: `${name}_p99`, unit: "ms", aim: writes ? null : MOST_P99 },
      ...(writes ? [{ name: READS_P99, unit: "ms", aim: MOST_P99 }] : []),
      { name: `${name}_alone`, unit: "operations/core s", aim: null },
      ...(writes ? memoryRows(bench) : []),
    ],
    // This compiles the code and caches what the viewers see.
    prepare: async () => void (await all({ seconds: bench.seconds * 4, mayWait: true })),
    async run(round) {
      await all({ seconds: bench.seconds });
      const sample = async (limit: Limit) => {
        const { result, cpu } = await whileWorking(bench.server.roots, async () => {
          const done = await all(limit);
          await settle();
          return done;
        });
        return { result, sample: perCoreSecond(result.count, cpu, result.latencies) };
      };
      const together = await sample({ seconds: bench.seconds * 2 });
      const alone = await sample({ seconds: bench.seconds, connections: 1 });
      return {
        [name]: together.sample,
        [`${name}_p99`]: { value: together.sample.p99! },
        ...(writes && { [READS_P99]: slowest(together.result.readLatencies) }),
        // With one connection nobody waits for others, so this is the time of a request by itself.
        [`${name}_alone`]: alone.sample,
        ...(await memory(round)),
      };
    },
    async queries() {
      const count = bench.world.viewers * 10;
      const work = () => all({ count }).then(() => undefined);
      return { [name]: (await countQueries(bench.server, writes, work)) / count };
    },
  };
};

const value = (least: number): Aim => ({ of: "value", least });

export const mixScenarios = (bench: Bench): Scenario[] => [
  mixOf(bench, "mix_reads", READS, value(3500)),
  mixOf(bench, "mix", [...READS, ...WRITES], value(1000)),
];

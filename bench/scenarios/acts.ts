// Single acts with all that follows from them: what viewers do with posts that they have just been shown. The posts are
// of people here, so that nothing is delivered. The rows are the aims of one act, in milliseconds of all processes.

import { randomNumbers } from "../../src/plan/simulation.ts";
import { load, requestBytes } from "../load.ts";
import type { Answer } from "../load.ts";
import { whileWorking } from "../measure.ts";
import { countQueries, drained, settled } from "../server.ts";
import { localId, tokenOf } from "../world.ts";
import { CONNECTIONS, perCoreSecond } from "./scenario.ts";
import type { Aim, Bench, Sample, Scenario } from "./scenario.ts";

type Act = { name: string; aim: Aim | null; path: (shown: Shown) => string };

const ACTS: Act[] = [
  {
    name: "act_favourite",
    aim: { of: "value", most: 1.2 },
    path: ({ id }) => `/api/v1/statuses/${id}/favourite`,
  },
  { name: "act_reblog", aim: null, path: ({ id }) => `/api/v1/statuses/${id}/reblog` },
  { name: "act_follow", aim: null, path: ({ account }) => `/api/v1/accounts/${account.id}/follow` },
];

type Account = { id: string; acct: string };
type Shown = { id: string; visibility: string; account: Account; reblog: Shown | null };

/** How many posts of the public timeline each viewer is shown in a round, at most. */
const SHOWN = 40;
/** At most so many acts are measured in a round. */
const MOST = 1500;

type Bound = { viewer: number; shown: Shown };

/** Viewers and what they are shown, page after page. */
const showPages = (bench: Bench) => {
  const lastOf = new Map<number, string>();
  const random = randomNumbers(1);
  return async (): Promise<Bound[]> => {
    const pages: Bound[] = [];
    await load({
      port: bench.server.ports,
      connections: CONNECTIONS,
      count: bench.world.viewers,
      request(index) {
        const older = lastOf.has(index) ? `&max_id=${lastOf.get(index)}` : "";
        const path = `/api/v1/timelines/public?local=true&limit=${SHOWN}${older}`;
        return requestBytes("GET", path, { host: bench.world.host, token: tokenOf(index + 1) });
      },
      onAnswer({ index, body }: Answer) {
        const page = JSON.parse(body.toString("utf8")) as Shown[];
        if (page.length > 0) lastOf.set(index, page.at(-1)!.id);
        pages.push(...page.map((shown) => ({ viewer: index + 1, shown })));
      },
    });
    // Viewers act beside each other, and not all at once with the same post.
    const placed = pages.map((bound) => ({ bound, at: random() }));
    return placed.toSorted((a, b) => a.at - b.at).map(({ bound }) => bound);
  };
};

const actScenario = (bench: Bench, { name, aim, path }: Act): Scenario => {
  const showMore = showPages(bench);
  const done = new Set<string>();
  /** What is shown next, without what is the viewer's own, and without acts that were done before. */
  const show = async (): Promise<Bound[]> => {
    const isNew = ({ viewer, shown }: Bound): boolean => {
      const key = `${viewer} ${path(shown)}`;
      return !done.has(key) && Boolean(done.add(key)) && shown.account.id !== localId(viewer);
    };
    const acts = (await showMore()).filter(isNew).slice(0, MOST);
    if (acts.length === 0) throw new Error(`nothing is left for ${name}`);
    return acts;
  };
  const actAll = async (acts: Bound[]): Promise<number[]> => {
    const { latencies } = await load({
      port: bench.server.ports,
      connections: CONNECTIONS,
      count: acts.length,
      request(index) {
        const { viewer, shown } = acts[index]!;
        const parts = { host: bench.world.host, token: tokenOf(viewer), json: {} };
        return requestBytes("POST", path(shown), parts);
      },
    });
    await drained(bench.server);
    return latencies;
  };
  return {
    name,
    rows: [{ name, unit: "ms of CPU", aim }],
    prepare: async () => void (await actAll(await show())),
    async run() {
      const acts = await show();
      await settled(bench.server);
      const { result, cpu } = await whileWorking(bench.server.roots, () => actAll(acts));
      const sample: Sample = perCoreSecond(acts.length, cpu, result);
      return { [name]: { ...sample, value: (cpu.total * 1000) / acts.length } };
    },
    async queries() {
      const acts = (await show()).slice(0, 200);
      await settled(bench.server);
      const count = await countQueries(bench.server, true, async () => void (await actAll(acts)));
      return { [name]: count / acts.length };
    },
  };
};

export const actScenarios = (bench: Bench): Scenario[] =>
  ACTS.map((act) => actScenario(bench, act));

// Measures single acts with all that follows from them: what viewers do with posts of local people that they have just
// been shown, and with local people. A favourite and a follow are not delivered; a boost goes to the servers of the
// viewer's followers. The value is one act's CPU of all processes.

import { randomNumbers } from "#plan";
import { load, requestBytes } from "../load.ts";
import type { Answer } from "../load.ts";
import { whileWorking } from "../measure.ts";
import { repeats } from "../options.ts";
import { countQueries, drained, settled } from "../server.ts";
import { localId, tokenOf } from "../world.ts";
import { CONNECTIONS, perCoreSecond } from "./scenario.ts";
import type { Aim, Bench, Sample, Scenario } from "./scenario.ts";

/** An act that a viewer can do: the path of the request. */
type Doable = { viewer: number; path: string };

/** Returns acts that viewers can do next, each only once. */
type Supply = () => Promise<Doable[]>;

type Act = { name: string; aim: Aim | null; supply: (bench: Bench) => Supply };

type Shown = { id: string; account: { id: string } };

/** Posts of the public timeline (at most), or people, that each viewer is shown in a round. */
const SHOWN = 40;
/** Acts measured in a round. */
const MOST = 1500;

/** Supplies acts on posts of local people, page after page of the public timeline. */
const withPosts =
  (verb: string) =>
  (bench: Bench): Supply => {
    const lastOf = new Map<number, string>();
    const random = randomNumbers(1);
    return async () => {
      const shown: (Doable & { at: number })[] = [];
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
          for (const { id, account } of page) {
            if (account.id === localId(index + 1)) continue;
            const path = `/api/v1/statuses/${id}/${verb}`;
            shown.push({ viewer: index + 1, path, at: random() });
          }
        },
      });
      // Viewers act at the same time, but not all on the same post.
      return shown.toSorted((a, b) => a.at - b.at);
    };
  };

/** Supplies acts on local people, by their numbers. */
const withPeople =
  (verb: string) =>
  ({ world }: Bench): Supply => {
    let next = world.viewers;
    const share = Math.min(SHOWN, Math.ceil(world.followed / 10));
    return async () => {
      const numbers = Array.from({ length: share }, () => 1 + (next++ % world.people));
      return numbers.flatMap((number) =>
        Array.from({ length: world.viewers }, (_, n) => ({
          viewer: n + 1,
          path: `/api/v1/accounts/${localId(number)}/${verb}`,
        })).filter(({ viewer }) => viewer !== number),
      );
    };
  };

const ACTS: Act[] = [
  {
    name: "act_favourite",
    aim: { of: "value", most: 1.2 },
    supply: withPosts("favourite"),
  },
  { name: "act_reblog", aim: null, supply: withPosts("reblog") },
  { name: "act_follow", aim: null, supply: withPeople("follow") },
];

const actScenario = (bench: Bench, { name, aim, supply }: Act): Scenario => {
  const supplied = supply(bench);
  const more = async (): Promise<Doable[]> => {
    const acts = (await supplied()).slice(0, repeats(bench.world.size, MOST));
    if (acts.length === 0) throw new Error(`nothing is left for ${name}`);
    return acts;
  };
  const actAll = async (acts: Doable[]): Promise<number[]> => {
    const { latencies } = await load({
      port: bench.server.ports,
      connections: CONNECTIONS,
      count: acts.length,
      request(index) {
        const { viewer, path } = acts[index]!;
        const parts = { host: bench.world.host, token: tokenOf(viewer), json: {} };
        return requestBytes("POST", path, parts);
      },
    });
    await drained(bench.server);
    return latencies;
  };
  return {
    name,
    rows: [{ name, unit: "ms of CPU", aim }],
    prepare: async () => void (await actAll(await more())),
    async run() {
      const acts = await more();
      await settled(bench.server);
      const { result, cpu } = await whileWorking(bench.server.roots, () => actAll(acts));
      const sample: Sample = perCoreSecond(acts.length, cpu, result);
      return { [name]: { ...sample, value: (cpu.total * 1000) / acts.length } };
    },
    async queries() {
      const acts = (await more()).slice(0, repeats(bench.world.size, 200));
      await settled(bench.server);
      const count = await countQueries(bench.server, true, async () => void (await actAll(acts)));
      return { [name]: count / acts.length };
    },
  };
};

export const actScenarios = (bench: Bench): Scenario[] =>
  ACTS.map((act) => actScenario(bench, act));

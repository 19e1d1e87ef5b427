// Parses the command line of the benchmark.

import { parseArgs } from "node:util";

export type Options = {
  /** Scale of the world: 1 is the full one (world.ts). */
  size: number;
  rounds: number;
  /** Parts of scenarios' names, separated by commas; null for all. */
  only: string | null;
  json: string | null;
  /** Writes the table into docs/PERFORMANCE.md. */
  write: boolean;
  profile: boolean;
  growth: boolean;
  /** Statuses of the last step of `growth` (null for 2,000,000 at size 1), or of the world of `hot`. */
  statuses: number | null;
  hostile: boolean;
  hot: boolean;
  /** Commit whose server is measured in turns with this one's; null for none. */
  against: string | null;
  /** Compares the predictions of the model of `rookery plan` with measurements. */
  model: boolean;
  /** Number of web and of worker processes that are compared with a single process; null for none. */
  processes: number | null;
  /** Minutes that the mix continues, to see whether memory grows. */
  minutes: number;
};

const number = (text: string | undefined, fallback: number, name: string): number => {
  const value = text === undefined ? fallback : Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
  return value;
};

/** Size below which a run is a smoke run: one short round. */
export const SMOKE = 0.05;

/** Returns the seconds of one measurement. */
export const secondsOf = (size: number): number => (size < SMOKE ? 0.02 : size < 0.5 ? 1 : 2);

/** Returns how often something is repeated for a steady figure; a smoke run only checks that there is a figure. */
export const repeats = (size: number, count: number): number =>
  size < SMOKE ? Math.ceil(count / 50) : count;

/** Returns the rounds: one for a smoke run, five turns for medians where two versions are compared. */
const defaultRounds = (size: number, against: string | undefined): number =>
  size < SMOKE ? 1 : against === undefined ? 3 : 5;

/** Options with which a run does not give the whole table that the page has. */
const PARTS = ["only", "growth", "hostile", "hot", "against", "model", "processes"] as const;

export const readOptions = (args: string[]): Options => {
  const { values } = parseArgs({
    args,
    options: {
      size: { type: "string" },
      rounds: { type: "string" },
      only: { type: "string" },
      json: { type: "string" },
      write: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      growth: { type: "boolean", default: false },
      statuses: { type: "string" },
      hostile: { type: "boolean", default: false },
      hot: { type: "boolean", default: false },
      against: { type: "string" },
      model: { type: "boolean", default: false },
      processes: { type: "string" },
      minutes: { type: "string" },
    },
  });
  const isPart = PARTS.some((name) => values[name] !== undefined && values[name] !== false);
  if (values.write && isPart) throw new Error("--write is for a run of every scenario");
  const size = number(values.size, 1, "size");
  return {
    size,
    rounds: Math.ceil(number(values.rounds, defaultRounds(size, values.against), "rounds")),
    only: values.only ?? null,
    json: values.json ?? null,
    write: values.write,
    profile: values.profile,
    growth: values.growth,
    statuses: values.statuses === undefined ? null : number(values.statuses, 0, "statuses"),
    hostile: values.hostile,
    hot: values.hot,
    against: values.against ?? null,
    model: values.model,
    processes:
      values.processes === undefined ? null : Math.ceil(number(values.processes, 2, "processes")),
    minutes: values.minutes === undefined ? 0 : number(values.minutes, 0, "minutes"),
  };
};

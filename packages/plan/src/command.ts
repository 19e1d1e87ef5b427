// The command `rookery plan`.

import { readFileSync } from "node:fs";
import { ConfigError } from "./uses.ts";
import { readFigures, shippedFigures } from "./figures.ts";
import type { Figures } from "./figures.ts";
import { planFor } from "./plan.ts";
import type { Need, Plan } from "./plan.ts";
import { PEAK, REQUESTS_A_DAY } from "./demand.ts";

type PlanOptions = {
  dailyUsers: number;
  followers: number;
  /** Followers on other servers, in percent. */
  remote: number;
  figures?: string;
  json?: boolean;
};

const number = (value: number): string =>
  value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 1 : 0 });
/** Rounds to two digits: what people do is assumed, so more of them would be made up. */
const about = (value: number): string => number(Number(value.toPrecision(2)));
const bytes = (value: number): string =>
  value < 1024 ** 3
    ? `${about(value / 1024 ** 2)} MB`
    : value < 1024 ** 4
      ? `${about(value / 1024 ** 3)} GB`
      : `${about(value / 1024 ** 4)} TB`;
const percent = (share: number): string => `${Math.round(share * 100)} %`;
const duration = (ms: number): string => (ms < 1000 ? `${about(ms)} ms` : `${about(ms / 1000)} s`);

const demandLines = ({ community, demand }: Plan): string[] => {
  const { rates, hosts, openApps } = demand;
  return [
    `${number(community.dailyUsers)} people a day, ${number(community.followers)} followers each, ${percent(community.remote)} of them elsewhere.`,
    `In the busiest hour, a second (${REQUESTS_A_DAY} requests each, ${PEAK} times the mean):`,
    `  ${about(rates.read + rates.write)} requests, of which ${about(rates.write)} write`,
    `  ${about(rates.delivery)} deliveries (a post goes to ${about(hosts)} other servers)`,
    `  ${about(rates.activity)} activities that come in`,
    `  ${about(rates.event)} messages to ${about(openApps)} open apps`,
    `  ${about(demand.bits / 1e6)} Mbit to the world, without media`,
  ];
};

const NAMES: Record<Need["part"], string> = {
  web: "web",
  worker: "worker",
  streaming: "streaming",
  postgres: "PostgreSQL",
  valkey: "Valkey",
};

const needLine = ({ part, busy, count, share }: Need, isOne: boolean): string => {
  const [thing, things] = part === "postgres" ? ["core", "cores"] : ["process", "processes"];
  const what = count === 1 ? thing : things;
  const name = isOne && part === "web" ? "all roles" : NAMES[part];
  return `  ${name.padEnd(11)}${number(count).padStart(5)} ${what.padEnd(9)}  ${percent(share)} busy (${number(busy)} cores)`;
};

const needLines = (plan: Plan): string[] => {
  const { layout, needs } = plan;
  return [
    layout.together ? "One process carries it:" : "Several processes carry it:",
    ...needs.map((need) => needLine(need, layout.together)),
    `  ${number(plan.cores)} ${plan.cores === 1 ? "core" : "cores"} and ${bytes(plan.memoryMegabytes * 1024 ** 2)} of memory in all${
      layout.together ? "" : `, ${bytes(plan.valkeyMegabytes * 1024 ** 2)} of them Valkey's`
    }; ${number(plan.connections)} connections to PostgreSQL`,
    `  ${bytes(plan.yearBytes)} of database after a year, without media`,
  ];
};

const outcomeLines = ({ outcome, fillsFirst, end, layout }: Plan): string[] => {
  const first =
    layout.together && fillsFirst.part === "web" ? "the process" : NAMES[fillsFirst.part];
  return [
    `Then half of the requests take up to ${duration(outcome.p50)} and 99 of 100 up to ${duration(outcome.p99)}; what follows from a write is done here within ${duration(outcome.followed_p99)}, and 99 of 100 deliveries within ${duration(outcome.delivered_p99)}.`,
    `With more people ${first} fills first. The design ends at about ${about(end)} a day, where PostgreSQL, of which one writes, has its 64 cores busy.`,
  ];
};

const figuresFrom = (path: string | undefined): Figures => {
  if (path === undefined) return shippedFigures();
  try {
    return readFigures(readFileSync(path, "utf8"), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new ConfigError(`${path} cannot be read.`);
  }
};

export const planCommand = ({ figures, json, remote, ...people }: PlanOptions): void => {
  if (people.dailyUsers === 0) throw new ConfigError("--daily-users must be at least 1.");
  const plan = planFor({ ...people, remote: remote / 100 }, figuresFrom(figures));
  if (json) return console.log(JSON.stringify(plan, null, 2));
  const parts = [demandLines(plan), needLines(plan), outcomeLines(plan)];
  console.log(parts.map((lines) => lines.join("\n")).join("\n\n"));
};

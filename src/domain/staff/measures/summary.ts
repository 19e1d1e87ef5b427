// Returns what the first page of the staff shows of people and servers beside its charts. It changes slowly and takes a
// while to count, so that it is cached for some minutes.

import type { App } from "../../../platform/app.ts";
import { Unavailable, nullOn } from "../../../platform/errors.ts";
import { addDays } from "../../../platform/ids/index.ts";
import { cached } from "../../../platform/kv/cached.ts";
import { sizesOfServers, softwareOfServers } from "../../base/peers/servers.ts";
import { midnight } from "./period.ts";
import { partsByLocale, partsBySource, selectCohorts, selectDatabase } from "./queries.ts";
import type { PartRow, Period } from "./queries.ts";
import { quickly } from "./quickly.ts";
import { readSeries } from "./series.ts";
import type { Series } from "./series.ts";

const MAX_PARTS = 10;
const SECONDS = 300;
/** Seconds for which figures that change today are cached. */
const SERIES_SECONDS = 60;
/** Months of cohorts. */
const MONTHS = 12;

export const PERIODS = { "30": 30, "90": 90, "365": 365 } as const;
export type PeriodName = keyof typeof PERIODS;

/** Returns a period that ends with today. */
export const periodOf = (name: PeriodName, now: Date): Period => {
  const to = addDays(midnight(now), 1);
  return { from: addDays(to, -PERIODS[name]), to };
};

/** `kept` is how many of them were still active in each month from that of their sign-up on. */
export type Cohort = { month: string; size: number; kept: number[] };

export type Part = { name: string | null; value: number };

export type Summary = {
  /** People who were active in the period, by the language that they set. */
  languages: Part[];
  /** Sign-ups in the period, by the app. */
  sources: Part[];
  cohorts: Cohort[];
  software: { software: string | null; servers: number; accounts: number }[];
  sizes: { size: number; servers: number }[];
  databaseBytes: number;
};

const partsOf = (rows: readonly PartRow[]): Part[] =>
  rows.map(({ key, value }) => ({ name: key, value: Number(value) }));

const readCohorts = async (app: App): Promise<Cohort[]> => {
  const now = app.clock.now();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1, 1));
  const rows = await quickly(app, async (tx) =>
    selectCohorts(tx, "month", { from: first, to: now }),
  );
  const months = Map.groupBy(rows, ({ period }) => period.toISOString().slice(0, 7));
  return Array.from(months, ([month, cells]) => ({
    month,
    size: cells[0]!.size,
    kept: cells.map(({ value }) => value),
  }));
};

const readSummary = async (app: App, name: PeriodName): Promise<Summary> => {
  const period = periodOf(name, app.clock.now());
  return {
    languages: await quickly(app, async (tx) =>
      partsOf(await partsByLocale(tx, period, MAX_PARTS)),
    ),
    sources: await quickly(app, async (tx) => partsOf(await partsBySource(tx, period, MAX_PARTS))),
    cohorts: await readCohorts(app),
    software: await softwareOfServers(app, MAX_PARTS),
    sizes: await sizesOfServers(app),
    databaseBytes: Number((await selectDatabase(app.sql)).bytes),
  };
};

/** Returns null where it takes too long to count at the moment. */
const nullWhereSlow = <T>(work: Promise<T>): Promise<T | null> =>
  nullOn((error) => error instanceof Unavailable, work);

export const summaryOf = (app: App, name: PeriodName): Promise<Summary | null> =>
  nullWhereSlow(cached(app, `summary:${name}`, SECONDS, () => readSummary(app, name)));

export const seriesOfPeriod = (app: App, name: PeriodName): Promise<Series[] | null> =>
  nullWhereSlow(
    cached(app, `series:${name}`, SERIES_SECONDS, () =>
      quickly(app, async (tx) => readSeries(app, tx, periodOf(name, app.clock.now()))),
    ),
  );

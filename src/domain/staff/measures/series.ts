// Returns the figures of the first page of the staff by day, with those of the period before, in a fixed number of
// statements. Figures that take long to count are stored; a job counts the days that are over.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { addDays, isoDate } from "../../../platform/ids/index.ts";
import type { Key } from "../../../platform/text/texts.ts";
import { daysOf, isOver, midnight, periodBefore } from "./period.ts";
import {
  countActive,
  countInteractions,
  countMedia,
  countNewUsers,
  countPosts,
  insertFigures,
  selectFirstSignUp,
  selectStoredOf,
} from "./queries.ts";
import type { DayRow, Period } from "./queries.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Count days that are over and were not counted, the newest first. */
    "figures.count": Record<string, never>;
  }
}

const SERIES = [
  "new_users",
  "active_users",
  "posts",
  "interactions",
  "media",
  "deliveries",
  "failed_deliveries",
] as const;
export type SeriesKey = (typeof SERIES)[number];

export const SERIES_NAMES: Record<SeriesKey, Key> = {
  new_users: "network.series.new_users",
  active_users: "network.series.active_users",
  posts: "network.series.posts",
  interactions: "network.series.interactions",
  media: "network.series.media",
  deliveries: "network.series.deliveries",
  failed_deliveries: "network.series.failed_deliveries",
};

export type Series = {
  key: SeriesKey;
  /** `value` is null where it is not counted yet. */
  days: { day: string; value: number | null }[];
  /** Null where unknown. */
  total: number | null;
  previous: number | null;
};

/** Figures that take long to count: days that are over are counted once, and stored. */
const STORED = { interactions: countInteractions, posts: countPosts, media: countMedia };
export type StoredKey = keyof typeof STORED;

/** Figures that are counted continuously: a day without a figure had none. */
const AS_IT_COMES: readonly SeriesKey[] = ["active_users", "deliveries", "failed_deliveries"];
const COUNTED_LATER = Object.keys(STORED) as StoredKey[];

/** Days of the weekly rows of active people that are kept, 13 weeks (RETENTION). */
const ACTIVE_DAYS = 91;
/** Missing days that are counted at once, for a new server, or before the job has run. */
const AT_ONCE_DAYS = 31;

type Values = Map<string, number>;

const valuesOf = (rows: readonly DayRow[]): Values =>
  new Map(rows.map(({ day, value }) => [day, Number(value)]));

const store = (db: Db, key: StoredKey, days: Date[], values: Values) =>
  insertFigures(
    db,
    key,
    days.map((day) => ({ day: isoDate(day), value: String(values.get(isoDate(day)) ?? 0) })),
  );

/** Counts the newest days without a figure, and stores them where they are over. */
export const countMissing = async (
  db: Db,
  key: StoredKey,
  { missing, now }: { missing: Date[]; now: Date },
): Promise<Values> => {
  if (missing.length === 0) return new Map();
  const period = { from: missing[0]!, to: addDays(missing.at(-1)!, 1) };
  const values = valuesOf(await STORED[key](db, period));
  const over = missing.filter((day) => isOver(day, now));
  if (over.length > 0) await store(db, key, over, values);
  return new Map(missing.map((day) => [isoDate(day), values.get(isoDate(day)) ?? 0]));
};

const isRecent = (day: Date, now: Date): boolean =>
  day <= now && day > addDays(midnight(now), -AT_ONCE_DAYS);

type Known = { stored: Map<string, Values>; first: Date | null; now: Date };

/** Returns null for a day that is not counted yet, and 0 for days before anybody was here. */
const valueAt = (key: SeriesKey, values: Values, day: Date, first: Date | null): number | null => {
  const value = values.get(isoDate(day));
  if (value !== undefined) return value;
  const isKnown = !(key in STORED) || first === null || addDays(day, 1) <= first;
  return isKnown ? 0 : null;
};

const sumOf = (values: (number | null)[]): number | null =>
  values.some((value) => value === null)
    ? null
    : values.reduce<number>((sum, value) => sum + value!, 0);

const seriesOf = (key: SeriesKey, period: Period, values: Values, { first }: Known): Series => {
  const of = (days: Date[]) => days.map((day) => valueAt(key, values, day, first));
  const days = daysOf(period);
  const shown = of(days);
  return {
    key,
    days: days.map((day, n) => ({ day: isoDate(day), value: shown[n]! })),
    total: sumOf(shown),
    previous: sumOf(of(daysOf(periodBefore(period)))),
  };
};

/** Counts each person once, not once a day. */
const activePeople = async (
  db: Db,
  period: Period,
): Promise<Pick<Series, "total" | "previous">> => {
  const length = daysOf(period).length;
  const before = periodBefore(period);
  return {
    total: length <= ACTIVE_DAYS ? Number(await countActive(db, period)) : null,
    previous: 2 * length <= ACTIVE_DAYS ? Number(await countActive(db, before)) : null,
  };
};

const readStored = async (db: Db, whole: Period): Promise<Map<string, Values>> => {
  const rows = await selectStoredOf(db, [...AS_IT_COMES, ...COUNTED_LATER], whole);
  const groups = Map.groupBy(rows, ({ key }) => key);
  return new Map(Array.from(groups, ([key, days]) => [key, valuesOf(days)]));
};

export const readSeries = async (app: App, db: Db, period: Period): Promise<Series[]> => {
  const now = app.clock.now();
  const whole = { from: periodBefore(period).from, to: period.to };
  const stored = await readStored(db, whole);
  const known: Known = { stored, first: await selectFirstSignUp(db), now };
  stored.set("new_users", valuesOf(await countNewUsers(db, whole)));
  for (const key of COUNTED_LATER) {
    const values = stored.get(key) ?? new Map<string, number>();
    const missing = daysOf(whole).filter((day) => isRecent(day, now) && !values.has(isoDate(day)));
    const counted = await countMissing(db, key, { missing, now });
    stored.set(key, new Map([...values, ...counted]));
  }
  const active = await activePeople(db, period);
  return SERIES.map((key) => {
    const series = seriesOf(key, period, stored.get(key) ?? new Map(), known);
    return key === "active_users" ? { ...series, ...active } : series;
  });
};

/** Days that are counted, two years: the longest chart, and the period that it is compared with. */
const COUNTED_DAYS = 732;
const PIECE_DAYS = 7;

/**
 * Handles the job `figures.count`: counts a slice of each figure, and enqueues another as long as something is missing.
 */
export const countFiguresDue = async (app: App): Promise<void> => {
  const now = app.clock.now();
  const first = await selectFirstSignUp(app.sql);
  if (first === null) return;
  const to = midnight(now);
  const earliest = addDays(to, -COUNTED_DAYS);
  const from = midnight(first) > earliest ? midnight(first) : earliest;
  const stored = await readStored(app.sql, { from, to });
  let isMore = false;
  for (const key of COUNTED_LATER) {
    const values = stored.get(key) ?? new Map<string, number>();
    const missing = daysOf({ from, to }).filter((day) => !values.has(isoDate(day)));
    await countMissing(app.sql, key, { missing: newestOf(missing), now });
    isMore ||= missing.length > PIECE_DAYS;
  }
  if (isMore) await app.jobs.add(app.sql, "figures.count", {}, FIGURES_OPTIONS);
};

/** Returns the newest day with those that are missing in the week before it. */
const newestOf = (missing: Date[]): Date[] => {
  const last = missing.at(-1);
  return last ? missing.filter((day) => day > addDays(last, -PIECE_DAYS)) : [];
};

/** Keeps one job in the queue, with a lower priority than all others. */
export const FIGURES_OPTIONS = { key: "figures.count", priority: 10 };

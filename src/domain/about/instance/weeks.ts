// Returns the activity in each of the last twelve weeks. https://docs.joinmastodon.org/methods/instance/#activity

import type { App } from "../../../platform/app.ts";
import { cached } from "../../../platform/kv/cached.ts";
import { selectLoginWeeks, selectPostWeeks, selectSignUpWeeks } from "./queries.ts";
import type { WeekRow } from "./queries.ts";

const WEEKS = 12;
const WEEK_MS = 7 * 86_400_000;
/** Milliseconds of 1970-01-05, the first Monday of the epoch. */
const FIRST_MONDAY = 4 * 86_400_000;
const CACHE_SECONDS = 900;
export const WEEKS_KEY = "instance:weeks";

/** Returns Monday midnight (UTC) of the week that contains the moment. */
export const weekOf = (moment: Date): Date =>
  new Date(Math.floor((moment.getTime() - FIRST_MONDAY) / WEEK_MS) * WEEK_MS + FIRST_MONDAY);

const byWeek = (rows: WeekRow[]): Map<number, number> =>
  new Map(rows.map((row) => [row.week.getTime(), row.count]));

const countWeeks = async (app: App) => {
  const latest = weekOf(app.clock.now()).getTime();
  const since = new Date(latest - (WEEKS - 1) * WEEK_MS);
  const firstId = String(BigInt(since.getTime()) << 16n);
  const [posts, logins, signUps] = await Promise.all([
    selectPostWeeks(app.sql, since, firstId).then(byWeek),
    selectLoginWeeks(app.sql, since).then(byWeek),
    selectSignUpWeeks(app.sql, since).then(byWeek),
  ]);
  return Array.from({ length: WEEKS }, (_, back) => {
    const week = latest - back * WEEK_MS;
    return {
      week: String(week / 1000),
      statuses: String(posts.get(week) ?? 0),
      logins: String(logins.get(week) ?? 0),
      registrations: String(signUps.get(week) ?? 0),
    };
  });
};

/** Returns the newest week first; all numbers are strings, as in the API. */
export const weeklyActivity = (app: App) =>
  cached(app, WEEKS_KEY, CACHE_SECONDS, () => countWeeks(app));

// Makes a person's report of a year in a job, from their own posts, and tracks its progress.

import type { App } from "../../../platform/app.ts";
import { beginRefresh, finishRefresh, runningRefresh } from "../../base/refreshes/refreshes.ts";
import type { Refresh } from "../../base/refreshes/refreshes.ts";
import type { AnnualWanted } from "./events.ts";
import {
  insertReport,
  selectFollowerMonths,
  selectHasPosts,
  selectKinds,
  selectPostMonths,
  selectReport,
  selectTopStatus,
  selectTopTag,
} from "./queries.ts";
import type { Kinds, MonthRow } from "./queries.ts";
import { SCHEMA_VERSION } from "./tables.ts";
import type { AnnualData, Archetype } from "./tables.ts";
import { canLookBack, spanOf } from "./years.ts";

const subjectOf = ({ accountId, year }: AnnualWanted): string => `annual:${accountId}:${year}`;

export type State = "available" | "generating" | "eligible" | "ineligible";

/** Returns the state of the report, and the refresh that makes it. */
export const annualState = async (
  app: App,
  payload: AnnualWanted,
): Promise<{ state: State; refresh: Refresh | null }> => {
  const { accountId, year } = payload;
  const report = await selectReport(app.sql, accountId, year);
  if (report) return { state: "available", refresh: null };
  const refresh = await runningRefresh(app, subjectOf(payload));
  if (refresh) return { state: "generating", refresh };
  const isOver = canLookBack(year, app.clock.now());
  const can = isOver && (await selectHasPosts(app.sql, accountId, spanOf(year)));
  return { state: can ? "eligible" : "ineligible", refresh: null };
};

/** Requests the report; returns null where it exists already, or there are no posts. */
export const wantAnnual = async (app: App, payload: AnnualWanted): Promise<Refresh | null> => {
  const { state, refresh } = await annualState(app, payload);
  if (state !== "eligible") return refresh;
  const begun = await beginRefresh(app, subjectOf(payload));
  if (begun.isNew) await app.jobs.add(app.sql, "annual_report.wanted", payload);
  return begun.refresh;
};

/** Posts in a year below which somebody posts rarely: one a month. */
const FEW = 12;
/** Share of all posts from which a kind of post decides. */
const HABIT = 0.5;
const POLL_HABIT = 0.1;

/** Returns the kind of post that the person mostly writes, playfully and coarsely. */
export const archetypeOf = ({ total, reblogs, replies, polls }: Kinds): Archetype => {
  if (total < FEW) return "lurker";
  if (reblogs >= total * HABIT) return "booster";
  const own = total - reblogs;
  if (polls >= own * POLL_HABIT) return "pollster";
  return replies >= own * HABIT ? "replier" : "oracle";
};

const series = (posts: MonthRow[], followers: MonthRow[]): AnnualData["time_series"] => {
  const count = (rows: MonthRow[], month: number) =>
    rows.find((row) => row.month === month)?.count ?? 0;
  return Array.from({ length: 12 }, (_, index) => ({
    month: index + 1,
    statuses: count(posts, index + 1),
    followers: count(followers, index + 1),
  }));
};

const lookBack = async (app: App, { accountId, year }: AnnualWanted): Promise<AnnualData> => {
  const span = spanOf(year);
  const [kinds, posts, followers, tag, status] = await Promise.all([
    selectKinds(app.sql, accountId, span),
    selectPostMonths(app.sql, accountId, span),
    selectFollowerMonths(app.sql, accountId, span),
    selectTopTag(app.sql, accountId, span),
    selectTopStatus(app.sql, accountId, span),
  ]);
  return {
    archetype: archetypeOf(kinds),
    time_series: series([...posts], [...followers]),
    top_hashtags: tag ? [tag] : [],
    top_statuses: { by_reblogs: status, by_favourites: null, by_replies: null },
  };
};

/** Makes and stores the report; returns true when it is new. */
export const makeAnnual = async (app: App, payload: AnnualWanted): Promise<boolean> => {
  const { accountId, year } = payload;
  const data = await lookBack(app, payload);
  const isNew = await insertReport(app.sql, accountId, year, data, SCHEMA_VERSION);
  await finishRefresh(app, subjectOf(payload));
  return isNew;
};

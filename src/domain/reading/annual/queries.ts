// All SQL of the annual slice: one person's own posts of one year, by the index of their posts.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue, hasRows, onlyRow, onlyValue } from "../../../platform/db/rows.ts";
import { openTo } from "../../posts/statuses/fragments.ts";
import type { AnnualData, AnnualReportRow } from "./tables.ts";

const columns = (db: Db) => db`account_id, year, data, schema_version, read_at`;

/** Selects the finished reports, newest year first. */
export const selectReports = (db: Db, accountId: string) => db<AnnualReportRow[]>`
  SELECT ${columns(db)} FROM annual_reports
  WHERE account_id = ${accountId} ORDER BY year DESC
`;

export const selectReport = (db: Db, accountId: string, year: number) =>
  firstRow(db<AnnualReportRow[]>`
    SELECT ${columns(db)} FROM annual_reports
    WHERE account_id = ${accountId} AND year = ${year}
  `);

/** Returns false when it existed already. */
export const insertReport = (
  db: Db,
  accountId: string,
  year: number,
  data: AnnualData,
  version: number,
): Promise<boolean> =>
  hasRows(db`
    INSERT INTO annual_reports (account_id, year, data, schema_version)
    VALUES (${accountId}, ${year}, ${db.json(data)}, ${version}) ON CONFLICT (account_id, year) DO NOTHING
  `);

/** Returns false when there is no such report. */
export const updateRead = (db: Db, accountId: string, year: number, now: Date) =>
  hasRows(db`
    UPDATE annual_reports SET read_at = coalesce(read_at, ${now})
    WHERE account_id = ${accountId} AND year = ${year}
  `);

export type Span = { from: Date; to: Date };

const inYear = (db: Db, accountId: string, { from, to }: Span) =>
  db`s.account_id = ${accountId} AND s.created_at >= ${from} AND s.created_at < ${to}`;

/** Returns whether the person posted anything in the time. */
export const selectHasPosts = (db: Db, accountId: string, span: Span): Promise<boolean> =>
  onlyValue(db<{ yes: boolean }[]>`
    SELECT EXISTS (SELECT FROM statuses s WHERE ${inYear(db, accountId, span)}) AS yes
  `);

export type Kinds = { total: number; reblogs: number; replies: number; polls: number };

/** Counts the posts of each kind; replies to oneself do not count as replies. */
export const selectKinds = (db: Db, accountId: string, span: Span): Promise<Kinds> =>
  onlyRow(db<Kinds[]>`
    SELECT count(*)::int AS total,
      count(*) FILTER (WHERE s.reblog_of_id IS NOT NULL)::int AS reblogs,
      count(*) FILTER (WHERE s.in_reply_to_account_id <> s.account_id)::int AS replies,
      count(*) FILTER (WHERE EXISTS (SELECT FROM polls p WHERE p.status_id = s.id))::int AS polls
    FROM statuses s WHERE ${inYear(db, accountId, span)}
  `);

export type MonthRow = { month: number; count: number };

export const selectPostMonths = (db: Db, accountId: string, span: Span) => db<MonthRow[]>`
  SELECT extract(month FROM s.created_at AT TIME ZONE 'UTC')::int AS month, count(*)::int AS count
  FROM statuses s WHERE ${inYear(db, accountId, span)} GROUP BY 1
`;

/** Counts new followers of each month who still follow. */
export const selectFollowerMonths = (db: Db, accountId: string, { from, to }: Span) => db<
  MonthRow[]
>`
  SELECT extract(month FROM created_at AT TIME ZONE 'UTC')::int AS month, count(*)::int AS count
  FROM follows
  WHERE target_account_id = ${accountId} AND created_at >= ${from} AND created_at < ${to}
  GROUP BY 1
`;

/** Selects the tag of most posts that are not reblogs; of equal ones the first used. */
export const selectTopTag = (db: Db, accountId: string, span: Span) =>
  firstRow(db<{ name: string; count: number }[]>`
    SELECT t.display_name AS name, count(*)::int AS count
    FROM statuses s
    JOIN statuses_tags st ON st.status_id = s.id
    JOIN tags t ON t.id = st.tag_id
    WHERE ${inYear(db, accountId, span)} AND s.reblog_of_id IS NULL
    GROUP BY t.id ORDER BY count(*) DESC, t.id LIMIT 1
  `);

/** Selects the public or unlisted post with most boosts, if any. */
export const selectTopStatus = (db: Db, accountId: string, span: Span) =>
  firstValue(db<{ id: string }[]>`
    SELECT s.id FROM statuses s
    JOIN status_stats c ON c.status_id = s.id AND c.reblogs_count > 0
    WHERE ${inYear(db, accountId, span)} AND s.reblog_of_id IS NULL
      AND ${openTo(db, "world")}
    ORDER BY c.reblogs_count DESC, s.id LIMIT 1
  `);

// All SQL of the figures for moderators, each by an index and for a bounded number of days. Ids contain times, so that
// a period is a range of ids.

import type { Db } from "../../../platform/db/index.ts";
import { onlyRow, onlyValue } from "../../../platform/db/rows.ts";
import { idAt } from "../../../platform/ids/index.ts";

/** A period from its first moment to before its last. */
export type Period = { from: Date; to: Date };

export type DayRow = { day: string; value: string };

const dayOf = (db: Db, column: string) =>
  db`(${db.unsafe(column)} AT TIME ZONE 'UTC')::date::text AS day, count(*)::text AS value`;

const withinIds = (db: Db, column: string, { from, to }: Period) =>
  db`${db.unsafe(column)} >= ${idAt(from)} AND ${db.unsafe(column)} < ${idAt(to)}`;

/** SQL of the moment in an id. */
const ID_TIME = "to_timestamp((x.id >> 16) / 1000.0)";

export const countNewUsers = (db: Db, { from, to }: Period) => db<DayRow[]>`
  SELECT ${dayOf(db, "created_at")} FROM users
  WHERE created_at >= ${from} AND created_at < ${to} GROUP BY 1
`;

export const countOpenedReports = (db: Db, period: Period) => db<DayRow[]>`
  SELECT ${dayOf(db, ID_TIME)} FROM reports x WHERE ${withinIds(db, "x.id", period)} GROUP BY 1
`;

export const countResolvedReports = (db: Db, { from, to }: Period) => db<DayRow[]>`
  SELECT ${dayOf(db, "action_taken_at")} FROM reports
  WHERE action_taken_at >= ${from} AND action_taken_at < ${to} GROUP BY 1
`;

/** Counts favourites, boosts and replies of local people, on days that were not counted before. */
export const countInteractions = (db: Db, period: Period) => db<DayRow[]>`
  SELECT ${dayOf(db, ID_TIME)} FROM (
    SELECT f.id FROM favourites f JOIN accounts a ON a.id = f.account_id AND a.domain IS NULL
    WHERE ${withinIds(db, "f.id", period)}
    UNION ALL
    SELECT s.id FROM statuses s
    WHERE ${withinIds(db, "s.id", period)} AND s.local
      AND (s.reblog_of_id IS NOT NULL OR s.in_reply_to_account_id <> s.account_id)
  ) x GROUP BY 1
`;

/** Counts posts of local people, without boosts. */
export const countPosts = (db: Db, period: Period) => db<DayRow[]>`
  SELECT ${dayOf(db, ID_TIME)} FROM statuses x
  WHERE ${withinIds(db, "x.id", period)} AND x.local AND x.reblog_of_id IS NULL GROUP BY 1
`;

/** Counts files that local people uploaded. */
export const countMedia = (db: Db, period: Period) => db<DayRow[]>`
  SELECT ${dayOf(db, ID_TIME)} FROM media_attachments x
  JOIN accounts a ON a.id = x.account_id AND a.domain IS NULL
  WHERE ${withinIds(db, "x.id", period)} GROUP BY 1
`;

type FigureRow = DayRow & { key: string };

/** Selects figures of several keys at once, by the primary key. */
export const selectStoredOf = (db: Db, keys: string[], { from, to }: Period) => db<FigureRow[]>`
  SELECT key, day::text AS day, value::text AS value FROM daily_figures
  WHERE key = ANY(${keys}::text[]) AND day >= (${from}::timestamptz AT TIME ZONE 'UTC')::date
    AND day < (${to}::timestamptz AT TIME ZONE 'UTC')::date
`;

/** Selects when the first person signed up; null where nobody has yet. Uses users_created. */
export const selectFirstSignUp = (db: Db): Promise<Date | null> =>
  onlyValue(db<[{ at: Date | null }]>`SELECT min(created_at) AS at FROM users`);

/** Adds continuous counts to the figures of a day. */
export const addToFigures = (db: Db, counts: { key: string; value: number }[], at: Date) => db`
  INSERT INTO daily_figures AS f (key, day, value)
  SELECT key, (${at}::timestamptz AT TIME ZONE 'UTC')::date, value
  FROM jsonb_to_recordset(${db.json(counts)}) AS c (key text, value bigint)
  ON CONFLICT (key, day) DO UPDATE SET value = f.value + excluded.value
`;

export const selectStored = (db: Db, key: string, { from, to }: Period) => db<DayRow[]>`
  SELECT day::text AS day, value::text AS value FROM daily_figures
  WHERE key = ${key} AND day >= (${from}::timestamptz AT TIME ZONE 'UTC')::date
    AND day < (${to}::timestamptz AT TIME ZONE 'UTC')::date
`;

export const insertFigures = (db: Db, key: string, days: DayRow[]) => db`
  INSERT INTO daily_figures (key, day, value)
  SELECT ${key}, day, value
  FROM jsonb_to_recordset(${db.json(days)}) AS d (day date, value bigint)
  ON CONFLICT (key, day) DO NOTHING
`;

/** Counts people who were active in the weeks of the period. */
export const countActive = (db: Db, { from, to }: Period): Promise<string> =>
  onlyValue(db<{ value: string }[]>`
    SELECT count(DISTINCT user_id)::text AS value FROM user_weeks
    WHERE week >= date_trunc('week', ${from}::timestamptz) AND week < ${to}
  `);

export const selectTagDays = (
  db: Db,
  what: "uses" | "accounts",
  tagId: string,
  { from, to }: Period,
) => db<DayRow[]>`
  SELECT day::text AS day, ${db(what)}::text AS value FROM tag_days
  WHERE tag_id = ${tagId} AND day >= (${from}::timestamptz AT TIME ZONE 'UTC')::date
    AND day < (${to}::timestamptz AT TIME ZONE 'UTC')::date
`;

const taggedIn = (db: Db, tagId: string, period: Period) => db`
  statuses_tags t JOIN statuses x ON x.id = t.status_id JOIN accounts a ON a.id = x.account_id
  WHERE t.tag_id = ${tagId} AND ${withinIds(db, "t.status_id", period)}
`;

export const countTagServers = (db: Db, tagId: string, period: Period) => db<DayRow[]>`
  SELECT (to_timestamp((t.status_id >> 16) / 1000.0) AT TIME ZONE 'UTC')::date::text AS day,
    count(DISTINCT coalesce(a.domain, ''))::text AS value
  FROM ${taggedIn(db, tagId, period)} GROUP BY 1
`;

/** Counts what accounts of a domain made in the period; `table` has ids and the column that names the account. */
const countOfDomain = (db: Db, { domain, period, table, column }: OfDomain) => db<DayRow[]>`
  SELECT ${dayOf(db, ID_TIME)}
  FROM accounts a
  JOIN ${db(table)} x ON x.${db(column)} = a.id AND ${withinIds(db, "x.id", period)}
  WHERE a.domain = ${domain} GROUP BY 1
`;

type OfDomain = { domain: string; period: Period; table: string; column: string };

export const countDomainAccounts = (db: Db, domain: string, period: Period) => db<DayRow[]>`
  SELECT ${dayOf(db, ID_TIME)} FROM accounts x
  WHERE x.domain = ${domain} AND ${withinIds(db, "x.id", period)} GROUP BY 1
`;

const ofDomain = (table: string, column: string) => (db: Db, domain: string, period: Period) =>
  countOfDomain(db, { domain, period, table, column });

export const countDomainStatuses = ofDomain("statuses", "account_id");
export const countDomainMedia = ofDomain("media_attachments", "account_id");
/** Count follows of its accounts by local people, and the reverse. */
export const countDomainFollows = ofDomain("follows", "target_account_id");
export const countDomainFollowers = ofDomain("follows", "account_id");

export const countDomainReports = (db: Db, domain: string, period: Period) => db<DayRow[]>`
  SELECT ${dayOf(db, ID_TIME)}
  FROM reports x JOIN accounts a ON a.id = x.target_account_id AND a.domain = ${domain}
  WHERE ${withinIds(db, "x.id", period)} GROUP BY 1
`;

export type PartRow = { key: string | null; value: string };

export const partsByLocale = (db: Db, { from, to }: Period, limit: number) => db<PartRow[]>`
  SELECT locale AS key, count(*)::text AS value FROM users
  WHERE last_active_at >= ${from} AND last_active_at < ${to}
  GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${limit}
`;

export const partsBySource = (db: Db, { from, to }: Period, limit: number) => db<PartRow[]>`
  SELECT o.name AS key, count(*)::text AS value
  FROM users u LEFT JOIN oauth_apps o ON o.id = u.created_by_app_id
  WHERE u.created_at >= ${from} AND u.created_at < ${to}
  GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${limit}
`;

export const partsByServer = (db: Db, period: Period, limit: number) => db<PartRow[]>`
  SELECT a.domain::text AS key, count(*)::text AS value
  FROM statuses x JOIN accounts a ON a.id = x.account_id
  WHERE ${withinIds(db, "x.id", period)}
  GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${limit}
`;

export const partsOfTag = (
  db: Db,
  by: "server" | "language",
  tagId: string,
  period: Period,
  limit: number,
) => db<PartRow[]>`
  SELECT ${by === "server" ? db`a.domain::text` : db`x.language`} AS key, count(*)::text AS value
  FROM ${taggedIn(db, tagId, period)} GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${limit}
`;

/** Selects its accounts with most followers here. */
export const partsOfDomainAccounts = (db: Db, domain: string, limit: number) => db<PartRow[]>`
  SELECT a.username::text AS key, count(f.id)::text AS value
  FROM accounts a JOIN follows f ON f.target_account_id = a.id AND f.local
  WHERE a.domain = ${domain} GROUP BY 1 ORDER BY count(f.id) DESC, 1 LIMIT ${limit}
`;

export const partsOfDomainLanguages = (db: Db, domain: string, period: Period, limit: number) =>
  db<PartRow[]>`
  SELECT x.language AS key, count(*)::text AS value
  FROM accounts a JOIN statuses x ON x.account_id = a.id AND ${withinIds(db, "x.id", period)}
  WHERE a.domain = ${domain} GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${limit}
`;

export const selectDatabase = (db: Db): Promise<{ bytes: string; version: string }> =>
  onlyRow(db<{ bytes: string; version: string }[]>`
    SELECT pg_database_size(current_database())::text AS bytes,
      current_setting('server_version') AS version
  `);

export type CohortRow = { period: Date; at: Date; size: number; value: number };

/**
 * Selects people by the day or month of their sign-up, with how many of them were still active in each later one:
 * active then or afterwards.
 */
export const selectCohorts = (db: Db, unit: "day" | "month", { from, to }: Period) => db<
  CohortRow[]
>`
  WITH axis AS (
    SELECT generate_series(
      date_trunc(${unit}, ${from}::timestamptz), ${to}::timestamptz - interval '1 microsecond',
      ('1 ' || ${unit})::interval
    ) AS at
  ), members AS (
    SELECT date_trunc(${unit}, created_at) AS period,
      greatest(date_trunc(${unit}, coalesce(last_active_at, created_at)), date_trunc(${unit}, created_at)) AS last,
      count(*)::int AS people
    FROM users
    WHERE created_at >= date_trunc(${unit}, ${from}::timestamptz) AND created_at < ${to}
      AND confirmed_at IS NOT NULL
    GROUP BY 1, 2
  )
  SELECT p.at AS period, x.at,
    coalesce((SELECT sum(people) FROM members m WHERE m.period = p.at), 0)::int AS size,
    coalesce((SELECT sum(people) FROM members m WHERE m.period = p.at AND m.last >= x.at), 0)::int AS value
  FROM axis p JOIN axis x ON x.at >= p.at
  ORDER BY p.at, x.at
`;

/** Limits the time of statements, so that a moderator's request does not hold up everybody else. */
export const limitTime = (db: Db, ms: number) =>
  db`SELECT set_config('statement_timeout', ${String(ms)}, true)`;

// All SQL of the instance slice. Figures are sums over the counters of local accounts or index scans, so that none
// takes longer with more remote statuses.

import type { Db, Fragment } from "../../../platform/db/index.ts";
import { firstRow, firstValue, onlyRow, valuesOf } from "../../../platform/db/rows.ts";
import { listedPublicly, unlisted } from "../../posts/statuses/fragments.ts";

type PeopleRow = { users: number; month: number; halfyear: number; posts: string };

/** Counts local users (confirmed, not suspended), those active since the two moments, and their posts. */
export const selectPeople = (db: Db, month: Date, halfyear: Date): Promise<PeopleRow> =>
  onlyRow(db<PeopleRow[]>`
    SELECT
      count(*)::int AS users,
      count(*) FILTER (WHERE u.last_active_at >= ${month})::int AS month,
      count(*) FILTER (WHERE u.last_active_at >= ${halfyear})::int AS halfyear,
      coalesce(sum(s.statuses_count), 0)::bigint AS posts
    FROM users u
    JOIN accounts a ON a.id = u.account_id AND a.suspended_at IS NULL
    LEFT JOIN account_stats s ON s.account_id = a.id
    WHERE u.confirmed_at IS NOT NULL AND u.approved
  `);

/** Selects every known server by name, with one index step for each server, not for each account. */
export const selectPeers = (db: Db): Promise<string[]> =>
  valuesOf(db<{ domain: string }[]>`
    WITH RECURSIVE known (domain) AS (
      (SELECT domain FROM accounts WHERE domain IS NOT NULL ORDER BY domain LIMIT 1)
      UNION ALL
      SELECT (
        SELECT a.domain FROM accounts a
        WHERE a.domain IS NOT NULL AND a.domain > known.domain ORDER BY a.domain LIMIT 1
      )
      FROM known WHERE known.domain IS NOT NULL
    )
    SELECT domain FROM known WHERE domain IS NOT NULL
  `);

/**
 * Selects known servers with this prefix, in order, with an index step in accounts_domain_prefix for each. Names are
 * compared by bytes (collation C); no name contains a byte as high as the upper bound.
 */
export const selectPeersByPrefix = async (db: Db, prefix: string, limit: number) => {
  const end = `${prefix}\u{10ffff}`;
  const name = db`lower(a.domain::text) COLLATE "C"`;
  return valuesOf(db<{ domain: string }[]>`
    WITH RECURSIVE known (domain) AS (
      (
        SELECT ${name} FROM accounts a
        WHERE a.domain IS NOT NULL AND ${name} >= ${prefix} AND ${name} < ${end}
        ORDER BY 1 LIMIT 1
      )
      UNION ALL
      SELECT (
        SELECT ${name} FROM accounts a
        WHERE a.domain IS NOT NULL AND ${name} > known.domain AND ${name} < ${end}
        ORDER BY 1 LIMIT 1
      )
      FROM known WHERE known.domain IS NOT NULL
    )
    SELECT domain FROM known WHERE domain IS NOT NULL LIMIT ${limit}
  `);
};

export type WeekRow = { week: Date; count: number };

/** Counts local posts that everybody may see, by week, each kind from an index of its own alone. */
export const selectPostWeeks = (db: Db, since: Date, firstId: string) => {
  const ids = (condition: Fragment) => db`
    SELECT id FROM statuses s
    WHERE ${condition} AND reblog_of_id IS NULL AND local AND id >= ${firstId}
  `;
  return db<WeekRow[]>`
    SELECT
      to_timestamp(
        extract(epoch FROM ${since}::timestamptz)
        + floor(((id >> 16) / 1000.0 - extract(epoch FROM ${since}::timestamptz)) / 604800) * 604800
      ) AS week,
      count(*)::int AS count
    FROM (${ids(listedPublicly(db))} UNION ALL ${ids(unlisted(db))}) AS s
    GROUP BY 1
  `;
};

/** Counts the people active in each week. */
export const selectLoginWeeks = (db: Db, since: Date) => db<WeekRow[]>`
  SELECT week, count(*)::int AS count FROM user_weeks WHERE week >= ${since} GROUP BY week
`;

export const selectSignUpWeeks = (db: Db, since: Date) => db<WeekRow[]>`
  SELECT date_trunc('week', created_at) AS week, count(*)::int AS count
  FROM users WHERE created_at >= ${since} AND confirmed_at IS NOT NULL GROUP BY 1
`;

/** Selects the account of the (first) owner; null while there is none. */
export const selectOwnerAccountId = (db: Db): Promise<string | null> =>
  firstValue(db<{ account_id: string }[]>`
    SELECT u.account_id FROM users u
    JOIN accounts a ON a.id = u.account_id AND a.suspended_at IS NULL
    WHERE u.role_id = 3 ORDER BY u.id LIMIT 1
  `);

/** A version of the terms of service. */

export type TermsRow = { effective_date: string; content: string };

/** Selects days as YYYY-MM-DD. */
export const selectTerms = (db: Db) => db<TermsRow[]>`
  SELECT effective_date::text AS effective_date, content
  FROM terms_of_service ORDER BY terms_of_service.effective_date
`;

export const upsertTerms = (db: Db, day: string, content: string) => db`
  INSERT INTO terms_of_service (effective_date, content) VALUES (${day}::text::date, ${content})
  ON CONFLICT (effective_date) DO UPDATE SET content = excluded.content
`;

/** Selects people who use this server: confirmed, approved, not disabled, not suspended. */
const members = (db: Db): Fragment => db`
  FROM users u JOIN accounts a ON a.id = u.account_id AND a.suspended_at IS NULL
  WHERE u.confirmed_at IS NOT NULL AND u.approved AND NOT u.disabled
`;

/** Selects their ids, in order, by the primary key. */
export const selectMembers = (db: Db, after: string, limit: number): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT u.id ${members(db)} AND u.id > ${after} ORDER BY u.id LIMIT ${limit}
  `);

export const selectMember = (db: Db, userId: string) =>
  firstRow(db<{ email: string; locale: string; username: string }[]>`
    SELECT u.email, u.locale, a.username ${members(db)} AND u.id = ${userId}
  `);

/** Selects a local account by name that is not suspended. */
export const selectContactId = (db: Db, username: string): Promise<string | null> =>
  firstValue(db<{ id: string }[]>`
    SELECT id FROM accounts
    WHERE username = ${username} AND domain IS NULL AND suspended_at IS NULL
  `);

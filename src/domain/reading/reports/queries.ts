// All SQL of the reports slice.

import type { Db } from "../../../platform/db/index.ts";
import { firstValue, valuesOf } from "../../../platform/db/rows.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { addressedToServer, statusesByUri } from "../../posts/statuses/fragments.ts";
import type { Category, NewReport, ReportRow } from "./tables.ts";

/** Returns null when a report with this uri exists already. */
export const insertReport = async (db: Db, report: NewReport, now: Date) => {
  const row = { ...report, created_at: now, updated_at: now };
  return firstValue(db<{ id: string }[]>`
    INSERT INTO reports ${db(row)} ON CONFLICT (uri) WHERE uri IS NOT NULL DO NOTHING RETURNING id
  `);
};

export const selectReports = (db: Db, ids: string[]) => db<ReportRow[]>`
  SELECT id, account_id, target_account_id, status_ids, collection_ids, rule_ids, comment, category,
    forwarded, uri, action_taken_at, action_taken_by_account_id, assigned_account_id, strike_id,
    created_at, updated_at
  FROM reports WHERE id = ANY(${ids}::bigint[])
`;

/** Selects an inbox of each other server among the domains of the accounts. */
export const selectInboxes = (db: Db, accountIds: string[]) => db<
  { domain: string; inbox: string }[]
>`
  SELECT DISTINCT ON (domain) domain::text AS domain,
    inbox_url AS inbox
  FROM accounts
  WHERE id = ANY(${accountIds}::bigint[]) AND domain IS NOT NULL
  ORDER BY domain, id
`;

/** Selects local accounts by URI. */
export const selectLocalTargets = (db: Db, uris: string[]) => db<{ id: string }[]>`
  SELECT id FROM accounts WHERE uri = ANY(${uris}) AND domain IS NULL AND suspended_at IS NULL
`;

/** Selects local posts that another server may know, because it could have received them. */
export const selectReportable = (db: Db, uris: string[], domain: string) => db<
  { id: string; account_id: string }[]
>`
  SELECT s.id, s.account_id FROM ${statusesByUri(db, uris)}
  WHERE s.local AND s.reblog_of_id IS NULL
    AND ${addressedToServer(db, domain)}
`;

export type ReportFilter = {
  /** Null for all. */
  resolved: boolean | null;
  accountId: string | null;
  targetId: string | null;
};

export const selectReportPage = (
  db: Db,
  { resolved, accountId, targetId }: ReportFilter,
  page: Page,
): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT id FROM reports
    WHERE ${resolved === null ? db`TRUE` : resolved ? db`action_taken_at IS NOT NULL` : db`action_taken_at IS NULL`}
      ${accountId === null ? db`` : db`AND account_id = ${accountId}`}
      ${targetId === null ? db`` : db`AND target_account_id = ${targetId}`}
      AND ${inPage(db, page)}
  `);

/** Selects unresolved reports. */
export const selectOpenAbout = (db: Db, accountId: string, limit: number) => db<
  { id: string; status_ids: string[] }[]
>`
  SELECT id, status_ids FROM reports
  WHERE target_account_id = ${accountId} AND action_taken_at IS NULL ORDER BY id DESC LIMIT ${limit}
`;

export type ReportGroup = {
  target_account_id: string;
  /** Id of the newest report. */
  newest: string;
  count: number;
  categories: Category[];
  /** Ids of staff members to whom one of the reports is assigned. */
  assigned_ids: string[];
};

/** Open reports that are grouped; further ones show up as these are decided. */
const GROUPED = 10_000;

/**
 * Selects open reports by the account that they are about, last reported first; `below` is the newest one of the group
 * before.
 */
export const selectOpenGroups = (db: Db, below: string, limit: number) => db<ReportGroup[]>`
  SELECT target_account_id, max(id) AS newest, count(*)::int AS count,
    array_agg(DISTINCT category) AS categories,
    coalesce(array_agg(DISTINCT assigned_account_id) FILTER (WHERE assigned_account_id IS NOT NULL), '{}')
      AS assigned_ids
  FROM (
    SELECT id, target_account_id, category, assigned_account_id FROM reports
    WHERE action_taken_at IS NULL ORDER BY id DESC LIMIT ${GROUPED}
  ) AS open
  GROUP BY target_account_id HAVING max(id) < ${below}
  ORDER BY newest DESC LIMIT ${limit}
`;

type Resolution = { by: string | null; strikeId: string | null; at: Date };

export const updateResolved = (db: Db, ids: string[], { by, strikeId, at }: Resolution) => db<
  { id: string }[]
>`
  UPDATE reports SET action_taken_at = ${at}, action_taken_by_account_id = ${by}, strike_id = ${strikeId},
    updated_at = ${at}
  WHERE id = ANY(${ids}::bigint[]) AND action_taken_at IS NULL
  RETURNING id
`;

export const updateReopened = (db: Db, id: string, at: Date) => db`
  UPDATE reports SET action_taken_at = NULL, action_taken_by_account_id = NULL, strike_id = NULL,
    updated_at = ${at}
  WHERE id = ${id}
`;

export const updateAssigned = (db: Db, id: string, to: string | null, at: Date) => db`
  UPDATE reports SET assigned_account_id = ${to}, updated_at = ${at} WHERE id = ${id}
`;

export type ReportChange = { category?: Category; rule_ids?: string[] | null };

export const updateReport = (db: Db, id: string, change: ReportChange, at: Date) => db`
  UPDATE reports SET ${db({ ...change, updated_at: at } as never)} WHERE id = ${id}
`;

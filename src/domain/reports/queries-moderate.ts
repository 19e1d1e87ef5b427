// SQL of reports in the hands of moderators.

import type { Db } from "../../platform/db/index.ts";
import { ascending, lowerBound, upperBound } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import type { Category } from "./tables.ts";

export type ReportFilter = {
  resolved: boolean;
  accountId: string | null;
  targetId: string | null;
};

export const selectReportPage = async (
  db: Db,
  { resolved, accountId, targetId }: ReportFilter,
  page: Page,
): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM reports
    WHERE id > ${lowerBound(page)} AND id < ${upperBound(page)}
      AND ${resolved ? db`action_taken_at IS NOT NULL` : db`action_taken_at IS NULL`}
      ${accountId === null ? db`` : db`AND account_id = ${accountId}`}
      ${targetId === null ? db`` : db`AND target_account_id = ${targetId}`}
    ORDER BY id ${ascending(page) ? db`ASC` : db`DESC`} LIMIT ${page.limit}
  `;
  return rows.map(({ id }) => id);
};

/** Unresolved ones. */
export const selectOpenAbout = (db: Db, accountId: string, limit: number) => db<
  { id: string; status_ids: string[] }[]
>`
  SELECT id, status_ids FROM reports
  WHERE target_account_id = ${accountId} AND action_taken_at IS NULL ORDER BY id DESC LIMIT ${limit}
`;

export const updateResolved = (db: Db, ids: string[], by: string | null, at: Date) => db`
  UPDATE reports SET action_taken_at = ${at}, action_taken_by_account_id = ${by}, updated_at = ${at}
  WHERE id = ANY(${ids}::bigint[]) AND action_taken_at IS NULL
`;

export const updateReopened = (db: Db, id: string, at: Date) => db`
  UPDATE reports SET action_taken_at = NULL, action_taken_by_account_id = NULL, updated_at = ${at}
  WHERE id = ${id}
`;

export const updateAssigned = (db: Db, id: string, to: string | null, at: Date) => db`
  UPDATE reports SET assigned_account_id = ${to}, updated_at = ${at} WHERE id = ${id}
`;

export type ReportChange = { category?: Category; rule_ids?: string[] | null };

export const updateReport = (db: Db, id: string, change: ReportChange, at: Date) => db`
  UPDATE reports SET ${db({ ...change, updated_at: at } as never)} WHERE id = ${id}
`;

// All SQL of the reports slice.

import type { Db } from "../../platform/db/index.ts";
import { addressedToServer, statusesByUri } from "../statuses/fragments.ts";
import type { NewReport, ReportRow } from "./tables.ts";

/** Null when a report with this uri exists already. */
export const insertReport = async (
  db: Db,
  report: NewReport,
  now: Date,
): Promise<string | null> => {
  const row = { ...report, created_at: now, updated_at: now };
  const [made] = await db<{ id: string }[]>`
    INSERT INTO reports ${db(row)} ON CONFLICT (uri) WHERE uri IS NOT NULL DO NOTHING RETURNING id
  `;
  return made?.id ?? null;
};

export const selectReports = (db: Db, ids: string[]) => db<ReportRow[]>`
  SELECT id, account_id, target_account_id, status_ids, collection_ids, rule_ids, comment, category,
    forwarded, uri, action_taken_at, action_taken_by_account_id, assigned_account_id, created_at,
    updated_at
  FROM reports WHERE id = ANY(${ids}::bigint[])
`;

/** The inboxes of other servers: one for each domain of the accounts. */
export const selectInboxes = (db: Db, accountIds: string[]) => db<
  { domain: string; inbox: string }[]
>`
  SELECT DISTINCT ON (domain) domain::text AS domain,
    inbox_url AS inbox
  FROM accounts
  WHERE id = ANY(${accountIds}::bigint[]) AND domain IS NOT NULL
  ORDER BY domain, id
`;

/** Local accounts by URI. */
export const selectLocalTargets = (db: Db, uris: string[]) => db<{ id: string }[]>`
  SELECT id FROM accounts WHERE uri = ANY(${uris}) AND domain IS NULL AND suspended_at IS NULL
`;

/** Local posts that another server may know: those that it could have received. */
export const selectReportable = (db: Db, uris: string[], domain: string) => db<
  { id: string; account_id: string }[]
>`
  SELECT s.id, s.account_id FROM ${statusesByUri(db, uris)}
  WHERE s.local AND s.reblog_of_id IS NULL
    AND ${addressedToServer(db, domain)}
`;

// All SQL of the audit slice.

import type { Db } from "../../platform/db/index.ts";
import { upperBound } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";

export type NewEntry = {
  account_id: string | null;
  action: string;
  target_type: string | null;
  target_id: string | null;
  target_label: string;
  details: Record<string, unknown>;
};

export type AuditRow = NewEntry & { id: string; created_at: Date; username: string | null };

export const insertEntry = (db: Db, { details, ...entry }: NewEntry, at: Date) => db`
  INSERT INTO audit_log ${db({ ...entry, details: db.json(details as never), created_at: at } as never)}
`;

export type AuditFilter = {
  accountId: string | null;
  action: string | null;
  target?: { type: string; id: string };
};

/** The newest first. */
export const selectEntries = (db: Db, page: Page, { accountId, action, target }: AuditFilter) => db<
  AuditRow[]
>`
  SELECT l.id, l.account_id, l.action, l.target_type, l.target_id, l.target_label, l.details,
    l.created_at, a.username
  FROM audit_log l LEFT JOIN accounts a ON a.id = l.account_id
  WHERE l.id < ${upperBound(page)}
    ${accountId === null ? db`` : db`AND l.account_id = ${accountId}`}
    ${action === null ? db`` : db`AND l.action = ${action}`}
    ${target ? db`AND l.target_type = ${target.type} AND l.target_id = ${target.id}` : db``}
  ORDER BY l.id DESC LIMIT ${page.limit}
`;

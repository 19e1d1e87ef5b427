// All SQL of the audit slice.

import type { Db } from "../../../platform/db/index.ts";
import { upperBound } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";

type NewEntry = {
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
  accountId?: string | null;
  /** Selects acts of the command line, of rules and of scheduled jobs. */
  isServer?: boolean;
  /** Selects entries with any of these actions. */
  actions?: readonly string[] | null;
  target?: { type: string; id: string } | null;
  /** Selects entries whose target had this name at that time. */
  label?: string | null;
  /** Bounds of the time, as ids of entries. */
  from?: string | null;
  below?: string | null;
};

/** Selects entries, the newest first. */
export const selectEntries = (db: Db, page: Page, filter: AuditFilter) => {
  const { accountId, isServer, actions, target, label, from, below } = filter;
  return db<AuditRow[]>`
    SELECT l.id, l.account_id, l.action, l.target_type, l.target_id, l.target_label, l.details,
      l.created_at, a.username
    FROM audit_log l LEFT JOIN accounts a ON a.id = l.account_id
    WHERE l.id < ${upperBound(page)}
      ${accountId ? db`AND l.account_id = ${accountId}` : db``}
      ${isServer ? db`AND l.account_id IS NULL` : db``}
      ${actions ? db`AND l.action = ANY(${actions as string[]})` : db``}
      ${target ? db`AND l.target_type = ${target.type} AND l.target_id = ${target.id}` : db``}
      ${label ? db`AND l.target_label = ${label}` : db``}
      ${from ? db`AND l.id >= ${from}` : db``}
      ${below ? db`AND l.id < ${below}` : db``}
    ORDER BY l.id DESC LIMIT ${page.limit}
  `;
};

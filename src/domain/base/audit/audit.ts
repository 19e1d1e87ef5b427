// The audit log: who did what as staff, written in the transaction of the act.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { Actor } from "../roles/permissions.ts";
import type { AuditAction, AuditDetails } from "./actions.ts";
import { insertEntry, selectEntries } from "./queries.ts";
import type { AuditFilter, AuditRow } from "./queries.ts";

export type { AuditFilter, AuditRow };

export type Entry = {
  action: AuditAction;
  /** Null where the act is about nothing in particular. */
  target: { type: string; id: string | null; label: string } | null;
  /** What was changed; never contains private text. */
  details?: AuditDetails;
};

export const audit = async (
  app: App,
  db: Db,
  { accountId }: Pick<Actor, "accountId">,
  { action, target, details = {} }: Entry,
): Promise<void> => {
  await insertEntry(
    db,
    {
      account_id: accountId,
      action,
      target_type: target?.type ?? null,
      target_id: target?.id ?? null,
      target_label: (target?.label ?? "").slice(0, 500),
      details,
    },
    app.clock.now(),
  );
};

/** Returns the newest entries first. */
export const listAudit = async (app: App, page: Page, filter: AuditFilter): Promise<AuditRow[]> => [
  ...(await selectEntries(app.sql, page, filter)),
];

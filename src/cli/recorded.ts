// Records commands in the audit log where the command of the domain does not do so itself: an administrator also sees
// who got a password, a token or a role on this machine.

import type { AuditAction, AuditDetails } from "../domain/base/audit/actions.ts";
import { audit } from "../domain/base/audit/audit.ts";
import { COMMAND_LINE } from "../domain/base/roles/permissions.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/db/index.ts";

type AccountTarget = { id: string; handle: string };

/** `handle` has no @ at its beginning. */
export const recordOnAccount = (
  app: App,
  db: Db,
  action: AuditAction,
  { id, handle }: AccountTarget,
  details: AuditDetails = {},
): Promise<void> =>
  audit(app, db, COMMAND_LINE, {
    action,
    target: { type: "account", id, label: handle.replace(/^@/, "") },
    details,
  });

/** Records a command about something that has no row of its own. */
export const record = (
  app: App,
  action: AuditAction,
  target: { type: string; id?: string; label: string } | null,
  details: AuditDetails = {},
): Promise<void> =>
  audit(app, app.sql, COMMAND_LINE, {
    action,
    target: target && { ...target, id: target.id ?? null },
    details,
  });

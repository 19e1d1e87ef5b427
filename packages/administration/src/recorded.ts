// Records commands in the audit log where the command of the domain does not do so itself: an administrator also sees
// who got a password, a token or a role on this machine.

import { COMMAND_LINE, audit } from "./uses.ts";
import type { App, AuditAction, AuditDetails, Db } from "./uses.ts";

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

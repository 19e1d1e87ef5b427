// Ends what somebody has here whom a provider lets in no longer: every session and token of the account.

import type { App } from "../../../platform/app.ts";
import { audit } from "../../base/audit/audit.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";
import { announceRevoked, revokeAllOfUser } from "../oauth/revoke.ts";
import { endSessionsOf } from "../users/session.ts";
import { selectHolder, updateIdentity } from "./queries.ts";
import type { IdentityRow } from "./tables.ts";

/** `reason` is the provider's name, for the audit log. The account stays, and who they are there. */
export const endAll = async (
  app: App,
  { id, user_id }: Pick<IdentityRow, "id" | "user_id">,
  reason: string,
): Promise<void> => {
  const ended = await app.sql.begin(async (tx) => {
    await updateIdentity(tx, id, { sealed_token: null, checked_at: null });
    await endSessionsOf(app, tx, user_id);
    const holder = await selectHolder(tx, user_id);
    if (holder)
      await audit(app, tx, COMMAND_LINE, {
        action: "account.end_sessions",
        target: { type: "account", id: holder.account_id, label: holder.username },
        details: { reason },
      });
    return revokeAllOfUser(app, tx, user_id);
  });
  await announceRevoked(app, ended);
};

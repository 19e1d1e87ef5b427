// Ends what somebody has here whom a provider lets in no longer: every session and token of the account.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { audit } from "../../base/audit/audit.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";
import { announceRevoked, revokeAllOfUser } from "../oauth/revoke.ts";
import { endSessionsOf } from "../users/session.ts";
import { selectHolder, updateIdentity } from "./queries.ts";
import type { IdentityRow } from "./tables.ts";

type Person = Pick<IdentityRow, "id" | "user_id">;

/**
 * `provider` is its name, for the audit log. The account stays, and who they are there. Call `announceRevoked` with the
 * result after the transaction.
 */
export const endAllIn = async (app: App, tx: Db, { id, user_id }: Person, provider: string) => {
  await updateIdentity(tx, id, { sealed_token: null, checked_at: null });
  await endSessionsOf(app, tx, user_id);
  const holder = await selectHolder(tx, user_id);
  if (holder)
    await audit(app, tx, COMMAND_LINE, {
      action: "account.end_sessions",
      target: { type: "account", id: holder.account_id, label: holder.username },
      details: { provider },
    });
  return revokeAllOfUser(app, tx, user_id);
};

export const endAll = async (app: App, person: Person, provider: string): Promise<void> => {
  await announceRevoked(app, await app.sql.begin((tx) => endAllIn(app, tx, person, provider)));
};
